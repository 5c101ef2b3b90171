"""Plays a round file: sets the table up as its head says, does what its lines say, and compares."""

from datetime import datetime, timedelta

from msgspec import Struct

from thirdcard.game import commands as cmd
from thirdcard.game import events as ev
from thirdcard.game.apply import apply_all, begin
from thirdcard.game.decide import decide
from thirdcard.game.state import Automatic, Device, PostedLimit, Setup, Table
from thirdcard.messages import message, say
from thirdcard.money import format_amount, parse_amount
from thirdcard.projections.ledger import Sums, balances, sums
from thirdcard.refusals import Refused
from thirdcard.roundfile.parse import BadLine, Check, RoundFile
from thirdcard.roundfile.tell import tell, tell_refusal
from thirdcard.rulebook.book import Rulebook
from thirdcard.rulebook.house import House
from thirdcard.rulebook.irregularity import Area, Method
from thirdcard.rulebook.words import post_name

START = "2025-06-02T20:00:00+00:00"


class Played(Struct, frozen=True):
    """A round file after it was played: the lines as they came, and where they differ from what was expected."""

    lines: tuple[str, ...]
    differences: tuple[str, ...]
    events: tuple[ev.Event, ...]
    refusals: tuple[Refused, ...]
    table: Table
    patrons: dict[str, Sums]
    house_net: int


class Player:
    """A table under play: every command is decided, and what follows is applied."""

    def __init__(self, rulebook: Rulebook, house: House, start: str) -> None:
        self.rulebook = rulebook
        self.house = house
        self.now = datetime.fromisoformat(start)
        self.table: Table | None = None
        self.events: list[ev.Event] = []
        self.refusals: list[Refused] = []
        self.commands = 0

    def do(self, body: cmd.Body, actor: str, authoriser: str | None = None) -> tuple[ev.Event, ...] | Refused:
        """Decide a command and apply what follows from it."""
        self.commands += 1
        self.now += timedelta(seconds=1)
        envelope = cmd.Envelope(
            actor=actor, received_at=self.now, command_id=f"c{self.commands}", authoriser=authoriser
        )
        result = decide(self.rulebook, self.house, self.table, cmd.Command(body, envelope))
        if isinstance(result, Refused):
            self.refusals.append(result)
            return result
        for event in result:
            if isinstance(event, ev.TableSetUp):
                self.table = begin(event)
            else:
                assert self.table is not None
                self.table = apply_all(self.table, (event,))
        self.events += result
        return result


def play(file: RoundFile, rulebook: Rulebook, house: House) -> Played:
    """Play a round file from its set-up to its checks."""
    player = Player(rulebook, house, file.head.get("start", START))
    _set_up(file, player)
    begun = len(player.events)
    lines: list[str] = [line for line in file.lines[: _first_act(file)]]
    differences: list[str] = []
    last = _first_act(file)
    for act, expected in file.acts:
        lines += [line for line in file.lines[last : act.number - 1] if not line.startswith((" ", "\t"))]
        lines.append(act.text)
        if act.at:
            player.now = datetime.fromisoformat(act.at)
        told: list[str] = []
        for body in act.bodies:
            result = player.do(body, act.actor, act.authoriser)
            if isinstance(result, Refused):
                told.append(tell_refusal(result))
                break
            told += [line for event in result for line in tell(event, house.currency)]
        lines += [f"  {line}" for line in told]
        if tuple(told) != expected:
            differences.append(_difference(act.number, act.text, expected, tuple(told)))
        last = act.number
    lines += [line for line in file.lines[last:] if not line.startswith((" ", "\t"))]
    assert player.table is not None
    patrons = sums(player.events[begun:])
    accounts = balances(player.events)
    differences += [text for check in file.checks for text in _failed(check, patrons, player)]
    return Played(
        lines=tuple(lines),
        differences=tuple(differences),
        events=tuple(player.events),
        refusals=tuple(player.refusals),
        table=player.table,
        patrons=patrons,
        house_net=accounts["house"],
    )


def _first_act(file: RoundFile) -> int:
    return file.acts[0][0].number - 1 if file.acts else len(file.lines)


def _difference(number: int, text: str, expected: tuple[str, ...], told: tuple[str, ...]) -> str:
    wanted = [f"    - {line}" for line in expected]
    got = [f"    + {line}" for line in told]
    return "\n".join([f"line {number}: {text}", *wanted, *got])


def _failed(check: Check, patrons: dict[str, Sums], player: Player) -> list[str]:
    """The amounts of a check that did not come out."""
    found: list[str] = []
    currency = player.house.currency
    for name, text in check.amounts:
        wanted = parse_amount(text, currency)
        actual = _actual(check.patron, name, patrons, player)
        if actual is None or wanted is None:
            raise BadLine(say(message("round.bad-line", line=check.number, text=f"{name} {text}")))
        if wanted != actual:
            amount = format_amount(actual, currency)
            who = check.patron
            failed = message(
                "round.check-failed", line=check.number, who=who, what=name, wanted=text, actual=amount
            )
            found.append(say(failed))
    return found


def _actual(who: str, name: str, patrons: dict[str, Sums], player: Player) -> int | None:
    if who == "house" and name == "net":
        return balances(player.events)["house"]
    if who == "shoe":
        assert player.table is not None
        counts = (
            {"left": player.table.shoe.left, "discards": player.table.shoe.discards}
            if player.table.shoe
            else {}
        )
        return counts[name] * 10**player.house.currency.exponent if name in counts else None
    if name == "credits":
        assert player.table is not None
        return next((each.credits for each in player.table.credits if each.terminal == who), 0)
    if name == "claim":
        return -balances(player.events)[f"claim:{who}"]
    return getattr(patrons.get(who, Sums()), name, None)


def _set_up(file: RoundFile, player: Player) -> None:
    head, document = file.head, player.rulebook.document
    layouts = document.layouts.layout
    variant = player.rulebook.id.partition("/")[2] or None
    own = [layout for layout in layouts if layout.variant in (None, variant)]
    layout = head.get("layout") or (own[0].id if own else None)
    most = next((each.most for each in own if each.id == layout), 0)
    needs_reader = any(item.id == "card-reading-shoe" for item in document.equipment)
    device = Device(head.get("device", "card-reading" if needs_reader else "plain"))
    automatic = head.get("automatic", "expose call").split()
    setup = Setup(
        table="Table",
        game=player.rulebook.id,
        house=player.house.id,
        layout=layout,
        positions=int(head.get("positions", most)),
        area=Area(head.get("area", "main-floor")),
        device=device,
        decks=int(head.get("decks", document.decks.usual)),
        terminal=document.table == "terminal",
        face_down="face-down" in head,
        automatic=tuple(Automatic(word) for word in automatic if word != "none"),
        limits=_limits(head, player),
        differential=_amount(head.get("differential") or player.house.form.limits.differential, player),
    )
    method = Method(head["method"]) if "method" in head else None
    _must(player.do(cmd.SetUpTable(setup=setup, method=method), "Table"))
    for post in player.house.form.posts:
        _must(player.do(cmd.ComeOnDuty(person=post_name(post), post=post), "Table"))
    if "equipment" not in head:
        for item in document.equipment:
            _must(player.do(cmd.TickEquipment(item=item.id), "Table"))
    if head.get("table") != "shut":
        _must(player.do(cmd.OpenTable(), "Table"))
    if head.get("shoe") != "empty":
        _must(player.do(cmd.LoadShoe(decks=setup.decks), "Table"))
        if document.burn and head.get("burn") != "forgotten":
            _must(player.do(cmd.BurnCards(), "Table"))
    for text in head.get("patrons", "").split(","):
        if text.strip():
            _seat(player, text.strip())
    if "left" in head:
        _run_down(player, int(head["left"]))


def _seat(player: Player, text: str) -> None:
    """``Ann at 3``, ``Bob at 5 standing``, ``T1``."""
    words = text.split()
    position = int(words[words.index("at") + 1]) if "at" in words else None
    name = text.split(" at ")[0] if "at" in words else text
    come = cmd.ComeToTable(patron=name, position=position, seated="standing" not in words)
    _must(player.do(come, name))


def _run_down(player: Player, left: int) -> None:
    """A shoe of which only some cards are left: the rest counts as burned."""
    assert player.table is not None
    assert player.table.shoe is not None
    burned = ev.CardsBurned(cards=player.table.shoe.left - left)
    player.events.append(burned)
    player.table = apply_all(player.table, (burned,))


def _limits(head: dict[str, str], player: Player) -> tuple[PostedLimit, ...]:
    limits = player.house.form.limits
    posted: list[PostedLimit] = []
    for wager in player.rulebook.wagers.values():
        kind = limits.main if wager.kind.value == "main" else limits.side
        least, most = head.get(wager.kind.value, f"{kind.minimum} {kind.maximum}").split()
        posted.append(PostedLimit(wager.id, _amount(least, player), _amount(most, player)))
    return tuple(posted)


def _amount(text: str, player: Player) -> int:
    minor = parse_amount(text, player.house.currency)
    if minor is None:
        raise BadLine(say(message("round.bad-amount", amount=text)))
    return minor


def _must(result: tuple[ev.Event, ...] | Refused) -> None:
    if isinstance(result, Refused):
        raise BadLine(say(message("round.bad-set-up", reason=say(result.message))))
