"""From the cards in draw order to the outcome of the round, step by step with the clause of each."""

from msgspec import Struct

from thirdcard.cards import Card
from thirdcard.clauses import Clause
from thirdcard.messages import Message, message
from thirdcard.refusals import Refusal, Refused, refuse
from thirdcard.rulebook.book import Rulebook
from thirdcard.rulebook.facts import Facts, PairRule, Winner, pairs_of, winner_of
from thirdcard.rulebook.table_of_play import NO_THIRD_CARD, Draws, DrawStep, NextDraw, Stands

Told = dict[str, str | int | tuple[Card, ...]]  # what a sentence names; cards are written one by one
PLAYER, BANKER = "@hand.player", "@hand.banker"


class OutcomeStep(Struct, frozen=True):
    """Something that happened to the cards, and the clauses by which it did.

    Most rounds only ask for the clauses, so that its sentence is made when somebody reads it.
    """

    key: str
    clauses: tuple[Clause, ...]
    told: Told

    @property
    def what(self) -> Message:
        """The sentence that tells it."""
        told = {name: _text(each) if isinstance(each, tuple) else each for name, each in self.told.items()}
        return message(self.key, **told)


class Outcome(Struct, frozen=True):
    """How a round ended: both hands, their totals, and every step on the way."""

    player: tuple[Card, ...]
    banker: tuple[Card, ...]
    facts: Facts
    natural: bool
    moments: tuple[OutcomeStep, ...]


def point_total(cards: tuple[Card, ...]) -> int:
    """The right digit of the sum of the cards' point values."""
    return sum([card.rank.point_value for card in cards]) % 10


def next_draw(rulebook: Rulebook, player: tuple[Card, ...], banker: tuple[Card, ...]) -> NextDraw:
    """Return the hand that takes the next card after the first four, or why neither does."""
    drawing = rulebook.drawing
    third = player[2].rank.point_value if len(player) > 2 else NO_THIRD_CARD
    turn = drawing.next_draw(point_total(player[:2]), point_total(banker[:2]), third)
    return Stands(turn.clause) if isinstance(turn, Draws) and len(banker) > 2 else turn


def play_out(rulebook: Rulebook, cards: tuple[Card, ...], pair_rule: PairRule) -> Outcome | Refused:
    """The outcome of the cards in draw order: the first four, then third cards by the table of play."""
    if len(cards) < 4:
        return _too_few(rulebook, cards, PLAYER if len(cards) % 2 == 0 else BANKER)
    player, banker = (cards[0], cards[2]), (cards[1], cards[3])
    opening = _opening(rulebook, player, banker)
    drawn = _draw(rulebook, cards, point_total(player), point_total(banker))
    if isinstance(drawn, Refused):
        return drawn
    player_third, banker_third, drawing = drawn
    hands = (*player, *player_third), (*banker, *banker_third)
    needed = len(hands[0]) + len(hands[1])
    if len(cards) > needed:
        return refuse(Refusal.TOO_MANY_CARDS, drawing[-1].clauses[-1], given=len(cards), needed=needed)
    facts = _facts(hands, pair_rule)
    finals = [
        _total(rulebook, name, hand)
        for name, hand in ((PLAYER, hands[0]), (BANKER, hands[1]))
        if len(hand) == 3
    ]
    return Outcome(
        player=hands[0],
        banker=hands[1],
        facts=facts,
        natural=any(point_total(hand[:2]) >= 8 for hand in hands),
        moments=(*opening, *drawing, *finals, _result(rulebook, facts)),
    )


DealtHands = tuple[tuple[Card, ...], tuple[Card, ...], list[OutcomeStep]]


def _draw(rulebook: Rulebook, cards: tuple[Card, ...], player: int, banker: int) -> DealtHands | Refused:
    """The third cards of both hands by the table of play."""
    natural = _natural(rulebook, player, banker)
    if natural:
        return (), (), [natural]
    table, rest = rulebook.document.table_of_play, list(cards[4:])
    moments: list[OutcomeStep] = []
    told: Told
    heading = _given(table.clause, table.player_clause)
    player_third: tuple[Card, ...] = ()
    cell = rulebook.drawing.player[player]
    if cell.step is DrawStep.DRAWS:
        if not rest:
            return _too_few(rulebook, cards, PLAYER, cell.clause)
        player_third = (rest.pop(0),)
        third = _given(rulebook.document.deal.subsequent_deal)
        told = {"hand": PLAYER, "total": player, "card": player_third}
        moments.append(OutcomeStep("step.draws", (*heading, *third, cell.clause), told))
    else:
        told = {"hand": PLAYER, "total": player}
        moments.append(OutcomeStep("step.stands", (*heading, cell.clause), told))
    value = player_third[0].rank.point_value if player_third else NO_THIRD_CARD
    cell = rulebook.drawing.banker[banker, value]
    told = {"hand": BANKER, "total": banker}
    if player_third:
        told["third"] = player_third[0].rank.text
    key = "-against" if player_third else ""
    clauses = (*_given(table.banker_clause if player_third else None), cell.clause)
    if cell.step is DrawStep.STANDS:
        return player_third, (), [*moments, OutcomeStep(f"step.stands{key}", clauses, told)]
    if not rest:
        return _too_few(rulebook, cards, BANKER, cell.clause)
    told["card"] = (rest[0],)
    return player_third, (rest[0],), [*moments, OutcomeStep(f"step.draws{key}", clauses, told)]


def _natural(rulebook: Rulebook, player: int, banker: int) -> OutcomeStep | None:
    naturals = (
        (PLAYER, player, rulebook.drawing.player_naturals.get(player)),
        (BANKER, banker, rulebook.drawing.banker_naturals.get(banker)),
    )
    for hand, total, clause in naturals:
        if clause is not None:
            document = rulebook.document
            general = _given(document.deal.natural, document.table_of_play.natural_clause)
            return OutcomeStep("step.natural", (*general, clause), {"hand": hand, "total": total})
    return None


def _opening(
    rulebook: Rulebook, player: tuple[Card, Card], banker: tuple[Card, Card]
) -> tuple[OutcomeStep, ...]:
    deal = rulebook.document.deal
    clauses = (*deal.two_hands, deal.player, deal.banker, deal.hand, deal.initial_deal)
    first = OutcomeStep("step.first-four", clauses, {"player": player, "banker": banker})
    return first, _total(rulebook, PLAYER, player), _total(rulebook, BANKER, banker)


def _total(rulebook: Rulebook, name: str, hand: tuple[Card, ...]) -> OutcomeStep:
    """The count of a hand, by the clauses of the values that are in it."""
    counting = rulebook.document.counting
    values = [card.rank.point_value for card in hand]
    points = sum(values)
    total = points % 10
    clauses = _given(
        counting.pips if points else None,
        counting.tens if 0 in values else None,
        counting.below_ten if points < 10 else counting.ten_and_over,
        counting.point_total,
        counting.zero if total == 0 else None,
    )
    return OutcomeStep("step.total", clauses, {"hand": name, "cards": hand, "total": total})


def _result(rulebook: Rulebook, facts: Facts) -> OutcomeStep:
    rule = rulebook.document.outcome
    clauses = rule.tie if facts.winner is Winner.TIE else (rule.higher_total,)
    totals: Told = {
        "player": facts.player_total,
        "banker": facts.banker_total,
    }
    return OutcomeStep(f"outcome.{facts.winner.value}", clauses, totals)


def _facts(hands: tuple[tuple[Card, ...], tuple[Card, ...]], pair_rule: PairRule) -> Facts:
    player, banker = hands
    totals = point_total(player), point_total(banker)
    player_pair, banker_pair, pairs = pairs_of(
        (player[0].rank, player[1].rank), (banker[0].rank, banker[1].rank), pair_rule
    )
    return Facts(
        winner=winner_of(*totals),
        player_total=totals[0],
        banker_total=totals[1],
        player_cards=len(player),
        banker_cards=len(banker),
        third_cards=len(player) + len(banker) - 4,
        player_pair=player_pair,
        banker_pair=banker_pair,
        pairs=pairs,
    )


def _too_few(rulebook: Rulebook, cards: tuple[Card, ...], hand: str, clause: Clause | None = None) -> Refused:
    by = (clause,) if clause else rulebook.document.deal.two_hands
    return refuse(Refusal.TOO_FEW_CARDS, *by, given=len(cards), hand=hand)


def _text(cards: tuple[Card, ...]) -> str:
    return "-".join([card.text for card in cards])


def _given(*clauses: Clause | None) -> tuple[Clause, ...]:
    return tuple([clause for clause in clauses if clause is not None])
