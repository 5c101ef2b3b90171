"""Plays a round file: sets the table up as its head says, does what its lines say, and compares."""

import difflib
import itertools
from datetime import datetime

from msgspec import Struct

from thirdcard.game import events as ev
from thirdcard.game.state import Table
from thirdcard.messages import message, say
from thirdcard.money import format_amount, parse_balance
from thirdcard.projections.ledger import HOUSE, Sums, balances, sums
from thirdcard.refusals import Refused
from thirdcard.roundfile.parse import Act, Check, RoundFile, is_expected
from thirdcard.roundfile.set_up import Player, set_up
from thirdcard.roundfile.tell import tell, tell_refusal
from thirdcard.rulebook.book import Rulebook
from thirdcard.rulebook.house import House

CONTEXT = 1  # so many lines that came as expected are shown around those that did not


class Played(Struct, frozen=True):
    """A round file after it was played: the lines as they came, and where they differ from what was expected.

    ``differences`` are sentences, failed checks among them; ``happened`` is events and refusals in order.
    """

    lines: tuple[str, ...]
    differences: tuple[str, ...]
    failed_checks: tuple[str, ...]
    happened: tuple[ev.Event | Refused, ...]
    events: tuple[ev.Event, ...]
    refusals: tuple[Refused, ...]
    table: Table
    patrons: dict[str, Sums]
    house_net: int


def play(file: RoundFile, rulebook: Rulebook, house: House) -> Played:
    """Play a round file from its set-up to its last line, each check where it stands."""
    player = Player(rulebook, house, file.settings.start)
    set_up(player, file.settings)
    begun = len(player.events)
    checks = {check.number: check for check in file.checks}
    ends = [act.number - 1 for act, _ in file.acts] + [len(file.lines)]
    lines = list(file.lines[: ends[0]])
    differences: list[str] = []
    failed = _checked(checks, range(1, ends[0] + 1), player, begun)
    for (act, expected), end in zip(file.acts, ends[1:], strict=True):
        own = file.lines[act.number - 1 : end]
        told = _done(act, player)
        if told == expected:
            lines += own
        else:
            differences.append(_difference(act, own, told))
            lines += [own[0], *(f"  {line}" for line in told)]
            lines += [line for line in own[1:] if not is_expected(line)]
        failed += _checked(checks, range(act.number + 1, end + 1), player, begun)
    return Played(
        lines=tuple(lines),
        differences=(*differences, *failed),
        failed_checks=tuple(failed),
        happened=tuple(player.happened),
        events=tuple(player.events),
        refusals=tuple(player.refusals),
        table=player.standing,
        patrons=sums(player.events[begun:]),
        house_net=balances(player.events)[HOUSE],
    )


def _done(act: Act, player: Player) -> tuple[str, ...]:
    """Do what a line says, and tell what came of it; after a refusal nothing more of the line is done."""
    if act.at:
        player.now = datetime.fromisoformat(act.at)
    told: list[str] = []
    for body in act.bodies:
        result = player.do(body, act.actor, act.authoriser)
        if isinstance(result, Refused):
            told.append(tell_refusal(result))
            break
        told += [line for event in result for line in tell(event, player.house.currency)]
    return tuple(told)


def _difference(act: Act, own: tuple[str, ...], told: tuple[str, ...]) -> str:
    """The line, and below it what was expected and did not come (-), and what came instead (+)."""
    numbered = [(act.number + at, line.strip()) for at, line in enumerate(own) if at and is_expected(line)]
    shown = [say(message("round.differs-at", line=act.number, text=act.text))]
    matcher = difflib.SequenceMatcher(None, [text for _, text in numbered], told, autojunk=False)
    for what, start, end, from_, to in itertools.chain(*matcher.get_grouped_opcodes(CONTEXT)):
        sign = " " if what == "equal" else "-"
        shown += [f"  {sign} {number:>4}  {text}" for number, text in numbered[start:end]]
        if what != "equal":
            shown += [f"  + {'':>4}  {text}" for text in told[from_:to]]
    return "\n".join(shown)


def _checked(checks: dict[int, Check], lines: range, player: Player, begun: int) -> list[str]:
    return [text for number in lines if number in checks for text in _failed(checks[number], player, begun)]


def _failed(check: Check, player: Player, begun: int) -> list[str]:
    """The amounts of a check that did not come out."""
    found: list[str] = []
    for what, text in check.amounts:
        wanted, actual = _compared(check.patron, what, text, player, begun)
        if wanted != actual:
            failed = message(
                "round.check-failed",
                line=check.number,
                who=check.patron,
                what=what,
                wanted=wanted,
                actual=actual,
            )
            found.append(say(failed))
    return found


def _compared(who: str, what: str, text: str, player: Player, begun: int) -> tuple[str, str]:
    """What was wanted and what there is, in words that can be compared."""
    if who == "shoe":
        shoe = player.standing.shoe
        return str(int(text)), str(getattr(shoe, what) if shoe else 0)
    currency = player.house.currency
    wanted = parse_balance(text, currency)
    assert wanted is not None
    return format_amount(wanted, currency), format_amount(_actual(who, what, player, begun), currency)


def _actual(who: str, what: str, player: Player, begun: int) -> int:
    if who == "house":
        return balances(player.events)[HOUSE]
    if what == "credits":
        return next((each.credits for each in player.standing.credits if each.terminal == who), 0)
    if what == "claim":
        return -balances(player.events)[f"claim:{who}"]
    amount: int = getattr(sums(player.events[begun:]).get(who, Sums()), what)
    return amount
