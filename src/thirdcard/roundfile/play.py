"""Plays a round file: sets the table up as its head says, does what its lines say, and compares."""

import difflib
import itertools
from collections.abc import Sequence
from datetime import datetime

from msgspec import Struct
from msgspec.structs import asdict

from thirdcard.folds.ledger import Sums, sums
from thirdcard.game import events as ev
from thirdcard.game.state import Table
from thirdcard.messages import message, say
from thirdcard.money import format_amount, parse_balance
from thirdcard.refusals import Refused
from thirdcard.roundfile.parse import REFUSED, Check, RoundFile, WrittenAct, is_expected
from thirdcard.roundfile.people import refuse_misspelt_posts
from thirdcard.roundfile.refusal_text import refusal_sentence
from thirdcard.roundfile.set_up import PlayedCommand, Player, set_up
from thirdcard.roundfile.tell import tell, tell_refusal
from thirdcard.roundfile.totals import Totals, file_totals, totals_by_round
from thirdcard.rulebook.book import Rulebook
from thirdcard.rulebook.house import House

ToldLines = tuple[str, ...]  # a line that came: as it is written down, then as it may be written too
CONTEXT = 1  # so many lines that came as expected are shown around those that did not


class PlayedAct(Struct, frozen=True):
    """A line that was played: the lines expected after it, those that came, and how many commands it took."""

    act: WrittenAct
    expected: tuple[str, ...]
    told: tuple[ToldLines, ...]
    commands: int

    @property
    def came(self) -> tuple[str, ...]:
        """The lines that came, as they are written down."""
        return tuple(forms[0] for forms in self.told)

    @property
    def holds(self) -> bool:
        """Whether every line came that was expected, in any of its forms, and no other one."""
        return len(self.expected) == len(self.told) and all(
            line in forms for line, forms in zip(self.expected, self.told, strict=True)
        )


class Comparison(Struct, frozen=True, kw_only=True):
    """The lines of a file as they came, and where they differ from what was expected.

    ``differences`` are sentences, failed checks among them. A file without expected lines differs only in
    its checks: what came of its lines is in ``unwritten``, the refused ones again in ``refused_lines``.
    ``checks`` is how many it has.
    """

    lines: tuple[str, ...]
    differences: tuple[str, ...]
    failed_checks: tuple[str, ...]
    unwritten: tuple[str, ...]
    refused_lines: tuple[str, ...]
    checks: int


class Played(Comparison, frozen=True, kw_only=True):
    """A round file after it was played; ``happened`` is events and refusals in order, ``steps`` commands."""

    acts: tuple[PlayedAct, ...]
    happened: tuple[ev.Event | Refused, ...]
    steps: tuple[PlayedCommand, ...]
    events: tuple[ev.Event, ...]
    refusals: tuple[Refused, ...]
    table: Table
    patrons: dict[str, Sums]


def play(file: RoundFile, rulebook: Rulebook, house: House) -> Played:
    """Play a round file from its set-up to its last line, each check where it stands."""
    refuse_misspelt_posts(file, house)
    player = Player(rulebook, house, file.settings.start)
    set_up(player, file.settings)
    checks = {check.number: check for check in file.checks}
    ends = _ends(file.lines, [act for act, _ in file.acts])
    failed = _checked(checks, range(1, ends[0] + 1), player)
    acts: list[PlayedAct] = []
    for (act, expected), end in zip(file.acts, ends[1:], strict=True):
        commands = player.commands
        told = _done(act, player)
        acts.append(PlayedAct(act, expected, told, player.commands - commands))
        failed += _checked(checks, range(act.number + 1, end + 1), player)
    compared = compare(file.lines, acts, failed, len(file.checks))
    return Played(
        **asdict(compared),
        acts=tuple(acts),
        happened=tuple(player.happened),
        steps=tuple(player.steps),
        events=tuple(player.events),
        refusals=tuple(player.refusals),
        table=player.standing,
        patrons=sums(player.events),
    )


def compare(
    written: tuple[str, ...], acts: Sequence[PlayedAct], failed: Sequence[str], checks: int
) -> Comparison:
    """Compare the lines of a file with what came of its acts; ``failed`` are the checks that do not hold."""
    ends = _ends(written, [each.act for each in acts])
    lines = list(written[: ends[0]])
    differences: list[str] = []
    refused_lines: list[str] = []
    for each, end in zip(acts, ends[1:], strict=True):
        own = written[each.act.number - 1 : end]
        if each.holds:
            lines += own
            continue
        refused = any(line.startswith(REFUSED) for line in each.came)
        note = _half_way(each.commands) if refused else ""
        differences.append(_difference(each.act, own, each.came) + note)
        refused_lines += differences[-1:] if refused else []
        lines += [own[0], *(f"  {line}" for line in each.came)]
        lines += [line for line in own[1:] if not is_expected(line)]
    compared = any(each.expected for each in acts)
    return Comparison(
        lines=tuple(lines),
        differences=(*(differences if compared else ()), *failed),
        failed_checks=tuple(failed),
        unwritten=() if compared else tuple(differences),
        refused_lines=() if compared else tuple(refused_lines),
        checks=checks,
    )


def _ends(lines: tuple[str, ...], acts: Sequence[WrittenAct]) -> list[int]:
    """The numbers of the last line of the head and of each act, with everything below it."""
    return [*(act.number - 1 for act in acts), len(lines)]


def _done(act: WrittenAct, player: Player) -> tuple[ToldLines, ...]:
    """Do what a line says and tell what came of it; a line that is refused has changed nothing."""
    if act.at:
        player.now = datetime.fromisoformat(act.at)
    result = player.do_all(act.bodies, act.actor, act.authoriser)
    if isinstance(result, Refused):
        sentence = refusal_sentence(result, player.rulebook, player.standing.setup)
        return (tell_refusal(result, sentence),)
    return tuple((line,) for event in result for line in tell(event, player.house.currency))


def _difference(act: WrittenAct, own: tuple[str, ...], told: tuple[str, ...]) -> str:
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


def _half_way(card: int) -> str:
    """Name the card of a line that was refused; nothing where it was the first."""
    return f"\n  {say(message('round.refused-half-way', card=card))}" if card > 1 else ""


def _checked(checks: dict[int, Check], lines: range, player: Player) -> list[str]:
    return [text for number in lines if number in checks for text in _failed(checks[number], player)]


def _failed(check: Check, player: Player) -> list[str]:
    """The amounts of a check that did not come out."""
    totals = _totals(check, player)
    if totals is None:
        return [say(message("round.check-no-round", line=check.number, round=check.round or 0))]
    who = check.patron
    if check.round is not None:
        who = say(message("round.check-in-round", who=who, round=check.round))
    found: list[str] = []
    for what, text in check.amounts:
        wanted, actual = _compared(check.patron, what, text, player, totals)
        if wanted != actual:
            params = {"who": who, "what": what, "wanted": wanted, "actual": actual}
            found.append(say(message("round.check-failed", line=check.number, **params)))
    return found


def _totals(check: Check, player: Player) -> Totals | None:
    """The totals that a check is about; nothing where its round has not begun."""
    if check.round is None:
        return file_totals(player.events, player.standing)
    return next((each for each in totals_by_round(player.events) if each.round == check.round), None)


def _compared(who: str, what: str, text: str, player: Player, totals: Totals) -> tuple[str, str]:
    """Return the wanted and the actual value, in words that can be compared."""
    if who == "shoe":
        shoe = player.standing.shoe
        return str(int(text)), str(getattr(shoe, what) if shoe else 0)
    currency = player.house.currency
    wanted = parse_balance(text, currency)
    assert wanted is not None
    actual: int = totals.house if who == "house" else getattr(totals.of(who), what)
    return format_amount(wanted, currency), format_amount(actual, currency)
