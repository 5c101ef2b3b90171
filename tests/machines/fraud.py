"""One person alone against a table: what a confederate gains by it, and by which clause or procedure."""

import datetime
import functools
from collections import Counter
from collections.abc import Iterable

from machines.commands import KINDS, WAITING, Scene, Temper, make_body
from machines.dice import SeededDice, chance, pick
from msgspec import Struct
from msgspec.structs import replace
from story import HO, NOW, S6, T3, told

from thirdcard.access.actors import ByAccount, Staff
from thirdcard.access.permissions import PermissionContext, admit, name_of
from thirdcard.cards import Card
from thirdcard.floor.state import Floor, Office, Person, Scope, Secret, TableDefinition
from thirdcard.folds.ledger import entries
from thirdcard.game import commands as cmd
from thirdcard.game import events as ev
from thirdcard.game.apply import apply_all
from thirdcard.game.decide import decide
from thirdcard.game.dispute_steps import AwardWay
from thirdcard.game.irregularities.nobody_alone import DRAWN
from thirdcard.game.state import Phase, Table
from thirdcard.refusals import Refused
from thirdcard.roundfile.values import cards_of
from thirdcard.rulebook.facts import Facts
from thirdcard.rulebook.shelf import SHIPPED
from thirdcard.staff import Post

GAMES = (T3, HO, S6)
CONFEDERATE = "Ann"
CARDS = cards_of("9 2 K 6")  # Banker has 8, Player has 9: who backs Banker loses
HONEST = Temper(senseless=0, trouble=0, impostors=0, forgotten=99, left=None, training=False)
ATTENDANT = "Tom"
CASHIER = ByAccount("Cage", tuple(Scope))  # another system with every scope
Alone = Staff | ByAccount
# by these a next hand begins, in which chance decides and not whoever deals
NEXT_HAND = (cmd.OpenBetting, cmd.DealFreeHand, cmd.SetUpTable)
BEGIN = "patrons Ann at 1, Bob at 2\n"
OPENER = "Dealer with Pit Supervisor: counts the opener 100 x 100\n"
TERMINALS = BEGIN + "Ann: buys 1000 credits\nBob: buys 1000 credits\n"
BETTING = "Dealer: opens betting\nAnn: 200 on banker{a}\nBob: 100 on player{b}\n"
CLOSED = BETTING + "Dealer: closes betting\n"
# the phases of a table, by the lines that lead to them and how many cards are known then
PHASES: dict[str, tuple[str, int]] = {
    "shut": ("Pit Manager: closes the table because it is late\n", 0),
    "idle": ("", 0),
    "betting": (BETTING, 0),
    "closed": (CLOSED, 0),
    "dealing": (CLOSED + "Dealer: draws 9 2 K\n", 3),
    "outcome": (CLOSED + "Dealer: draws 9 2 K 6\n", 4),
    "settled": (CLOSED + "Dealer: draws 9 2 K 6\nDealer: calls player\n", 4),
    "referred": (CLOSED + "Dealer: draws 9 2 K\nDealer: reports not-covered because so\n", 3),
    "disputed": (
        CLOSED + "Dealer: draws 9 2 K 6\nDealer: calls player\nAnn: disputes round 1 because so\n",
        4,
    ),
}


class Stage(Struct, frozen=True):
    """A table in a phase, all that happened there, and how many cards are known."""

    game: str
    phase: str
    known: int
    table: Table
    events: tuple[ev.Event, ...]


class Gain(Struct, frozen=True):
    """Something that a confederate has by the commands of one person."""

    game: str
    phase: str
    post: str
    command: str
    grounds: tuple[str, ...]
    amount: int


@functools.cache
def stage(game: str, phase: str) -> Stage:
    """Return a table in a phase."""
    lines, known = PHASES[phase]
    terminal = game == S6
    places = {"a": "", "b": ""} if terminal else {"a": " at 1", "b": " at 2"}
    text = "automatic expose\n" + (TERMINALS if terminal else BEGIN + OPENER) + lines.format(**places)
    story = told(game, text)
    return Stage(game, phase, known, story.table, tuple(story.events))


def post_of(actor: Alone) -> str:
    """Return the post of somebody, and of another system what it is."""
    return str(actor.posts[0]) if isinstance(actor, Staff) else "service account"


def everybody(game: str) -> tuple[Alone, ...]:
    """Return the staff, and another system."""
    return (*people(game), CASHIER)


@functools.cache
def people(game: str) -> tuple[Staff, ...]:
    """Everybody of the staff: one in each post, on duty, and an attendant."""
    on_duty = ((each.person, str(each.post)) for each in stage(game, "idle").table.staff)
    everybody = (*on_duty, (ATTENDANT, Office.ATTENDANT.value))
    return tuple(Staff(name, (Post(post),), "C1", "s1") for name, post in everybody)


def one_does(
    at: Stage, actor: Alone, bodies: Iterable[cmd.Body]
) -> list[tuple[cmd.Body, tuple[ev.Event, ...]]]:
    """Return what one person does of some commands, with what follows from each that is accepted."""
    book = SHIPPED.rulebook(at.game)
    house, table = SHIPPED.house(book.document.house), at.table
    known = (*people(at.game), *(Staff(name, (Post("dealer"),), "C", "s") for name in ("Zed", "Zoe")))
    persons = tuple(
        Person(name=each.name, posts=each.posts, password="", second_factor=Secret("k", b""))
        for each in known
    )
    definition = TableDefinition(setup=table.setup)
    done = []
    for number, body in enumerate(bodies):
        now = NOW + datetime.timedelta(seconds=number)
        context = PermissionContext(
            SHIPPED.houses, Floor(people=persons, tables=(definition,)), definition, table, now
        )
        admission = admit(context, actor, body)
        if admission.refused is not None:
            continue
        envelope = cmd.Envelope(actor=name_of(actor), received_at=now, command_id=f"c{number}")
        events = decide(book, house, table, cmd.Command(admission.command, envelope))
        if not isinstance(events, Refused):
            table = apply_all(table, events)
            done.append((body, events))
    return done


def finished(at: Stage, events: tuple[ev.Event, ...]) -> tuple[Table, tuple[ev.Event, ...]]:
    """Return the table once the Dealer has dealt and called the round as its cards come; a case stops it."""
    book = SHIPPED.rulebook(at.game)
    house, table = SHIPPED.house(book.document.house), apply_all(at.table, events)
    for _ in range(8 if at.known else 0):
        body = _next(table)
        envelope = cmd.Envelope(actor="Dealer", received_at=NOW + datetime.timedelta(hours=1), command_id="f")
        more = decide(book, house, table, cmd.Command(body, envelope)) if body else None
        if more is None or isinstance(more, Refused):
            break
        table, events = apply_all(table, more), (*events, *more)
    return table, events


def _next(table: Table) -> cmd.Body | None:
    current = table.round
    if table.open_cases or current is None or current.ended:
        return None
    if table.paused:
        return cmd.ResumeTable()
    if table.phase is Phase.OUTCOME and current.facts is not None:
        return cmd.CallOutcome(winner=current.facts.winner)
    drawn = len(current.cards)
    return cmd.DrawCard(card=CARDS[drawn]) if table.phase is Phase.DEALING and drawn < len(CARDS) else None


def worth(at: Stage, table: Table, events: tuple[ev.Event, ...]) -> int:
    """Return what the confederate has: chips, credits, what lies or is held, without what is owed."""
    sums: Counter[str] = Counter()
    for event in (*at.events, *events):
        for account, amount in entries(event):
            sums[account] += amount
        if isinstance(event, ev.AwardPaid) and event.way is AwardWay.PAYOUT:
            sums[f"patron:{event.patron}"] += event.amount
        if isinstance(event, ev.CreditsCashedOut) and event.by is not None and event.terminal != CONFEDERATE:
            sums[f"patron:{CONFEDERATE}"] += event.amount  # what staff take out of somebody else's credits
        if isinstance(event, ev.CreditsCashedOut) and event.terminal == CONFEDERATE:
            sums[f"patron:{CONFEDERATE}"] += event.amount
    # before a card is known a stake is worth what it is; afterwards only what has come back counts
    lying = 0 if at.known else sum(each.lying for each in table.wagers if each.patron == CONFEDERATE)
    return sums[f"patron:{CONFEDERATE}"] + sums[f"claim:{CONFEDERATE}"] + lying


@functools.cache
def honest(game: str, phase: str) -> tuple[int, Facts | None]:
    """Return what the confederate has, and how the round comes out, when all goes on honestly."""
    at = stage(game, phase)
    table, events = finished(at, ())
    return worth(at, table, events), table.round.facts if table.round else None


def judged(at: Stage, actor: Alone, done: list[tuple[cmd.Body, tuple[ev.Event, ...]]]) -> list[Gain]:
    """Return what the confederate gains by the first of the commands by which there is any gain."""
    for count in range(1, len(done) + 1):
        own = tuple(event for _, events in done[:count] for event in events)
        table, events = finished(at, own)
        base, facts = honest(at.game, at.phase)
        gain = worth(at, table, events) - base
        came = table.round.facts if table.round else None
        other = at.known > 0 and came is not None and facts is not None and came != facts
        if gain > 0 or other or unseats(at, actor, own):
            body, caused = done[count - 1]
            return [Gain(at.game, at.phase, post_of(actor), tag(type(body)), grounds(caused), gain)]
    return []


def unseats(at: Stage, actor: Alone, events: tuple[ev.Event, ...]) -> bool:
    """Whether somebody in a higher post is sent off duty."""
    posts = [str(each.post) for each in stage(at.game, "idle").table.staff]
    names = [each.person for each in stage(at.game, "idle").table.staff]
    own = posts.index(post_of(actor)) if post_of(actor) in posts else -1
    left = [each.person for each in events if isinstance(each, ev.StaffLeft) and each.person in names]
    return any(names.index(person) > own for person in left)


def grounds(events: tuple[ev.Event, ...]) -> tuple[str, ...]:
    """The clauses and procedures by which money moved in some events."""
    moved = [
        event for event in events if entries(event) or isinstance(event, ev.RulingMade | ev.FactsConfirmed)
    ]
    clauses = [clause for event in moved for clause in event.clauses]
    procedures = [f"house: {each}" for event in moved if (each := getattr(event, "procedure", None))]
    return tuple(dict.fromkeys((*clauses, *procedures)))


def tag(kind: type[Struct]) -> str:
    """The stable name of a kind of command."""
    return str(kind.__struct_config__.tag)


def made_up(at: Stage, dice: SeededDice, kind: type[cmd.Body] | None = None) -> cmd.Body:
    """Return a made-up command that fits the table; cards are drawn as they come."""
    book = SHIPPED.rulebook(at.game)
    scene = Scene(book, SHIPPED.house(book.document.house), at.table, HONEST, NOW, 50)
    chosen = kind or pick(dice, [each for each in KINDS if each not in NEXT_HAND])
    body = make_body(dice, scene, chosen)
    drawn = len(at.table.round.cards) if at.table.round else 0
    if isinstance(body, cmd.DrawCard):
        return cmd.DrawCard(card=_face(drawn))
    if isinstance(body, cmd.ReportIrregularity) and body.situation in DRAWN and not at.table.aside:
        came = tuple(card and _face(place) for place, card in enumerate(body.cards, start=drawn))
        return replace(body, cards=came)
    return body


def sequence(
    at: Stage, actor: Alone, dice: SeededDice, length: int
) -> list[tuple[cmd.Body, tuple[ev.Event, ...]]]:
    """Return what one person does of a random sequence of commands, each made up for the table by then.

    Many are what an open case waits for, so that cases come to an end.
    """
    now, done = at, list[tuple[cmd.Body, tuple[ev.Event, ...]]]()
    for _ in range(length):
        case = now.table.case
        awaited = WAITING[case.waits] if case is not None and case.waits in WAITING else None
        kind = awaited if awaited and chance(dice, 60) else None
        kind = cmd.ReportIrregularity if kind is None and chance(dice, 25) else kind
        steps = one_does(now, actor, [made_up(now, dice, kind)])
        done += steps
        for _, events in steps:
            now = replace(now, table=apply_all(now.table, events))
    return done


def _face(drawn: int) -> Card:
    return CARDS[drawn] if drawn < len(CARDS) else CARDS[-1]
