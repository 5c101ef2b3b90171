"""A mix of wagers made again and again: its gain in a round, its hold after many, and ruin.

Everything follows from the ordered draws in which each combination of results comes, so it is exact but for
the rounding of floats; where rounds are too many for that, the hold is told by its mean and deviation alone.
"""

import math
from collections.abc import Mapping
from fractions import Fraction

from msgspec import Struct

from thirdcard.messages import message, say
from thirdcard.odds.arguments import CannotPrice
from thirdcard.odds.covariance import NOTHING, joint_results
from thirdcard.rulebook.book import Rulebook
from thirdcard.rulebook.facts import PairRule

TWO_SIDED_95 = 1.959963984540054
MOST_STATES = 4_000_000  # different sums that are told apart
Stake = int | Fraction


class Mix(Struct, frozen=True):
    """The gain of the house in one round of a mix, with its chance; stakes are in any one unit."""

    stakes: dict[str, Fraction]
    chances: dict[Fraction, Fraction]

    @property
    def staked(self) -> Fraction:
        """All stakes of a round."""
        return sum(self.stakes.values(), NOTHING)

    @property
    def mean(self) -> Fraction:
        """The gain of the house in a round, on average."""
        return sum((gain * chance for gain, chance in self.chances.items()), NOTHING)

    @property
    def variance(self) -> Fraction:
        """The variance of that gain."""
        squares = sum((gain**2 * chance for gain, chance in self.chances.items()), NOTHING)
        return squares - self.mean**2

    @property
    def step(self) -> Fraction:
        """The largest amount of which all gains and all stakes together are multiples."""
        amounts = [amount for amount in (*self.chances, self.staked) if amount]
        common = math.lcm(*(amount.denominator for amount in amounts))
        return Fraction(math.gcd(*(int(amount * common) for amount in amounts)), common)


class Hold(Struct, frozen=True):
    """The hold of a mix over many rounds, in the unit of its stakes.

    ``loses`` is the chance that the house has lost in the end; ``exact`` says whether it was counted, or
    comes from the normal distribution.
    """

    rounds: int
    staked: float
    mean: float
    deviation: float
    low: float
    high: float
    loses: float
    exact: bool


class Ruin(Struct, frozen=True):
    """The end of a bankroll: the chances that it is gone, that it reached its goal, and that neither came."""

    rounds: int
    bankroll: float
    goal: float | None
    ruined: float
    reached: float
    still: float


def mix_of(rulebook: Rulebook, decks: int, pair_rule: PairRule, stakes: Mapping[str, Stake]) -> Mix:
    """Return the gain of the house in one round of a mix, in the first round of a shoe."""
    wagers = list(rulebook.wagers)
    for wager in stakes:
        if wager not in wagers:
            told = {"game": rulebook.id, "wager": wager, "wagers": ", ".join(wagers)}
            raise CannotPrice(say(message("simulate.no-such-wager", **told)))
    if not stakes or min(stakes.values()) <= 0:
        raise CannotPrice(say(message("mix.no-stakes")))
    joint = joint_results(rulebook, decks, pair_rule)
    total = sum(joint.values())
    places = {wagers.index(wager): Fraction(stake) for wager, stake in stakes.items()}
    chances: dict[Fraction, Fraction] = {}
    for gains, count in joint.items():
        gain = sum((gains[place] * stake for place, stake in places.items()), NOTHING)
        chances[gain] = chances.get(gain, NOTHING) + Fraction(count, total)
    return Mix({wager: Fraction(stake) for wager, stake in stakes.items()}, chances)


def hold_of(mix: Mix, rounds: int, far: float = TWO_SIDED_95) -> Hold:
    """Return the hold after so many independent rounds, between limits so many deviations away."""
    _must_be_rounds(rounds)
    mean, deviation = float(mix.mean) * rounds, math.sqrt(float(mix.variance) * rounds)
    lowest, highest = min(mix.chances), max(mix.chances)
    states = int((highest - lowest) / mix.step) * rounds + 1
    exact = states <= MOST_STATES
    loses = _below_nought(mix, rounds, states) if exact else _normal_below(-mean / deviation)
    return Hold(
        rounds=rounds,
        staked=float(mix.staked) * rounds,
        mean=mean,
        deviation=deviation,
        low=mean - far * deviation,
        high=mean + far * deviation,
        loses=loses,
        exact=exact,
    )


def ruin_of(mix: Mix, *, bankroll: Stake, rounds: int, goal: Stake | None = None) -> Ruin:
    """Return how a patron ends who makes the mix round after round, until the next one cannot be paid.

    With a goal the patron stops when it is reached.
    """
    import numpy as np  # noqa: PLC0415 - loading it takes longer than the odds of one shoe

    _must_be_rounds(rounds)
    wins = {-gain: chance for gain, chance in mix.chances.items()}
    common = math.lcm(mix.step.denominator, Fraction(bankroll).denominator)
    step = Fraction(math.gcd(int(mix.step * common), int(Fraction(bankroll) * common)), common)
    needed, start = int(mix.staked / step), int(Fraction(bankroll) / step)
    top = start + rounds * int(max(wins) / step) if goal is None else math.ceil(Fraction(goal) / step)
    if not needed <= start < top or top > MOST_STATES:
        raise CannotPrice(say(message("mix.bankroll", staked=str(mix.staked))))
    standing = np.zeros(top + 1)  # by the bankroll in steps; at the last place play ends
    standing[start] = 1.0
    ruined = 0.0
    moves = [(min(int(win / step), top), float(chance)) for win, chance in wins.items()]
    for _ in range(rounds):
        after = np.zeros_like(standing)
        after[top] = standing[top]
        standing[top] = 0.0
        for by, chance in moves:
            if by < 0:
                after[:by] += standing[-by:] * chance
            else:
                after[by:] += standing[: top + 1 - by] * chance
                after[top] += standing[top + 1 - by :].sum() * chance
        ruined += float(after[:needed].sum())
        after[:needed] = 0.0
        standing = after
    reached = float(standing[top]) if goal is not None else 0.0
    still = float(standing.sum()) - reached
    known = None if goal is None else float(goal)
    return Ruin(rounds, float(bankroll), known, ruined=ruined, reached=reached, still=still)


def _must_be_rounds(rounds: int) -> None:
    if rounds < 1:
        raise CannotPrice(say(message("mix.rounds", rounds=rounds)))


def _below_nought(mix: Mix, rounds: int, states: int) -> float:
    """The chance that the sum of so many gains is below nought: the power of their generating polynomial."""
    import numpy as np  # noqa: PLC0415 - loading it takes longer than the odds of one shoe

    lowest = min(mix.chances)
    one = np.zeros(states)
    for gain, chance in mix.chances.items():
        one[int((gain - lowest) / mix.step)] = float(chance)
    sums = np.fft.irfft(np.fft.rfft(one, 2 * states) ** rounds, 2 * states)[:states]
    below = math.ceil(-lowest * rounds / mix.step)  # the place of the sum nought
    return float(np.clip(sums[:below].sum(), 0.0, 1.0))


def _normal_below(z: float) -> float:
    return math.erfc(-z / math.sqrt(2)) / 2
