"""Made-up commands: every kind there is, mostly what fits the moment, sometimes what does not."""

import datetime
import functools
import typing
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

from machines.dice import Dice, chance, pick, weighted
from msgspec import Struct
from msgspec.structs import replace

from thirdcard.cards import Card, Rank, Suit
from thirdcard.game import commands as cmd
from thirdcard.game.alarm_kinds import AlarmKind
from thirdcard.game.dispute_steps import AwardWay, DisputeStep, UnavailableSource
from thirdcard.game.limits import gap_of
from thirdcard.game.methods import allowing_method
from thirdcard.game.next_cards import expected_cards
from thirdcard.game.planned import Stop, change_of
from thirdcard.game.shoe import Seal, ShuffleRecord
from thirdcard.game.shoe_loading import is_to_close
from thirdcard.game.state import CardState, Hand, Phase, PlacedWager, Table, Wait
from thirdcard.game.table_chips import Pieces
from thirdcard.game.table_setup import Automatic, Device, PostedLimit, Setup
from thirdcard.rulebook.book import Kind, Rulebook, rulebooks
from thirdcard.rulebook.dispute_rules import dispute_rules
from thirdcard.rulebook.facts import Winner
from thirdcard.rulebook.house import House
from thirdcard.rulebook.irregularity import Area, Method, Preset, Refer, Situation
from thirdcard.rulebook.read import read_document
from thirdcard.rulebook.shelf import SHIPPED
from thirdcard.staff import Post

T = TypeVar("T")
Asked = type[Any]  # one of the kinds of command
KINDS: tuple[Asked, ...] = typing.get_args(cmd.Body)
PATRONS = ("Ann", "Bob", "Cy", "Di")
TABLE = "Table"
STRANGER = "Somebody"
COUNTERS = ("Carl", "Cora")  # who count drop boxes, and are on duty at no table
PRESETS: tuple[str, ...] = tuple(Preset)
DECK = tuple(Card(rank, suit) for suit in Suit for rank in Rank)
START = datetime.datetime(2025, 6, 2, 20, tzinfo=datetime.UTC)
ROOT = Path(__file__).parent.parent.parent
A_DAY = datetime.date(2015, 6, 2)
LONG_AGO = datetime.datetime(2015, 6, 2, 20, tzinfo=datetime.UTC)


@functools.cache
def games() -> tuple[Rulebook, ...]:
    """The shipped games, and one by a document that says little: no limits, no posts, few irregularities."""
    own = replace(
        read_document(ROOT / "examples" / "shelf" / "rulebooks" / "ez-baccarat.toml"), in_force=LONG_AGO
    )
    return (*SHIPPED.rulebooks, *rulebooks(own))


class Temper(Struct, frozen=True):
    """The kind of an evening.

    How often in a hundred something senseless is asked, something goes wrong, and somebody acts who may not;
    what is forgotten at the opening; how few cards the first shoe has; and whether a live game is played at
    terminals, for training.
    """

    senseless: int
    trouble: int
    impostors: int
    forgotten: int
    left: int | None
    training: bool


class Scene(Struct, frozen=True):
    """The situation that a command is made up for."""

    rulebook: Rulebook
    house: House
    table: Table | None
    temper: Temper
    now: datetime.datetime
    number: int

    @property
    def terminal(self) -> bool:
        """Whether this evening is spent at terminals."""
        return self.temper.training or self.rulebook.document.table == "terminal"


def make_temper(dice: Dice) -> Temper:
    """An evening: some are orderly, some are not."""
    return Temper(
        senseless=pick(dice, (2, 8, 30)),
        trouble=pick(dice, (1, 4, 15)),
        impostors=pick(dice, (2, 10)),
        forgotten=dice.number(0, 60),
        left=pick(dice, (None, None, None, None, None, None, None, None, 0, 3, 5, 14)),
        training=chance(dice, 30),
    )


def make_house(dice: Dice, house: House) -> House:
    """The house as it is, or one that pays in whole units only."""
    if not chance(dice, 15):
        return house
    rounding = replace(house.form.rounding, smallest_unit="1")
    return House(form=replace(house.form, rounding=rounding), unit=100)


def make_command(dice: Dice, scene: Scene) -> cmd.Command:
    """The next command of an evening."""
    kind = _kind(dice, scene)
    body = make_body(dice, scene, kind)
    received = scene.now
    if kind is cmd.SetUpTable and chance(dice, 3):
        received = LONG_AGO
    if chance(dice, 1):
        received = received.replace(tzinfo=None)
    envelope = cmd.Envelope(
        actor=_actor(dice, scene, body),
        received_at=received,
        command_id=f"c{scene.number}",
        authoriser=_authoriser(dice, scene, body),
    )
    return cmd.Command(body, envelope)


def make_body(dice: Dice, scene: Scene, kind: Asked) -> cmd.Body:
    """A command of one kind, shaped by what lies on the table."""
    body: cmd.Body = kind() if kind in SIMPLE else MAKERS[kind](dice, scene)
    return body


def opening(scene: Scene) -> list[tuple[cmd.Body, str]]:
    """How a table comes to stand ready: staff, check list, cards and patrons; something may be missing."""
    document, house = scene.rulebook.document, scene.house
    bodies: list[cmd.Body] = [cmd.ComeOnDuty(person=post, post=post) for post in house.form.posts]
    bodies += [cmd.TickEquipment(item=item.id) for item in document.equipment]
    if document.names_another_game:
        bodies.append(cmd.RecordConfirmation(reference="R", date=A_DAY))
    bodies += [cmd.OpenTable(), cmd.LoadShoe(decks=document.decks.least)]
    bodies = [body for number, body in enumerate(bodies) if number != scene.temper.forgotten]
    bodies += [cmd.ComeToTable(patron=name, position=at) for at, name in enumerate(PATRONS, start=1)]
    if scene.terminal:
        bodies += [cmd.BuyCredits(terminal=name, amount=1_000_000) for name in PATRONS]
    allowing = allowing_method(document, scene.table) if scene.table else None
    opener = allowing.post if allowing else TABLE
    actors: dict[Asked, str] = {
        cmd.TickEquipment: house.form.facts_confirmed_by,
        cmd.OpenTable: opener,
        cmd.RecordConfirmation: house.form.not_covered_decided_by,
    }
    return [
        (body, body.terminal if isinstance(body, cmd.BuyCredits) else actors.get(type(body), TABLE))
        for body in bodies
    ]


def _kind(dice: Dice, scene: Scene) -> Asked:
    """Mostly the next step, sometimes trouble, sometimes anything at all."""
    table, temper = scene.table, scene.temper
    roll = dice.number(0, 99)
    if table is None:
        return pick(dice, KINDS) if roll >= 80 else cmd.SetUpTable
    if roll >= 100 - temper.senseless:
        return pick(dice, KINDS)
    if table.case is not None and not _plays_on(dice, table):
        return _in_a_case(dice, table)
    if roll >= 100 - temper.senseless - temper.trouble:
        return weighted(dice, (5, cmd.ReportIrregularity), (1, cmd.CorrectCard))
    if table.paused:
        return cmd.ResumeTable
    if _missing_posts(scene) and chance(dice, 20):
        return cmd.ComeOnDuty
    if chance(dice, 4):
        return _dispute_kind(dice, table)
    if chance(dice, 2):
        return pick(dice, (cmd.RaiseAlarm, cmd.AcknowledgeAlert))
    return weighted(dice, *_next_steps(scene, table))


WAITING: dict[Wait, Asked] = {
    Wait.CONFIRMATION: cmd.ConfirmFacts,
    Wait.PERMISSION: cmd.Rule,
    Wait.CARD_ORDER: cmd.Rule,
    Wait.DECISION: cmd.Rule,
    Wait.RESERVED_CARDS: cmd.ReserveCards,
    Wait.SORTED_CARDS: cmd.EnterSortedCards,
    Wait.SUBSTITUTES: cmd.SubstituteCards,
}


def _plays_on(dice: Dice, table: Table) -> bool:
    """Play goes on while some cases wait, and sometimes somebody tries to go on although it may not."""
    after = table.case is not None and table.case.situation in AFTER_THE_ROUND
    playing = table.phase in (Phase.DEALING, Phase.OUTCOME)
    return chance(dice, 90 if after and playing else 8)


def _in_a_case(dice: Dice, table: Table) -> Asked:
    """Mostly what the case waits for; or the report is doubted, or something else goes wrong as well."""
    case = table.case
    assert case is not None
    awaited: Weights = ((27, cmd.AnswerOffer), (3, cmd.EndOffer))
    if case.waits is not None:
        awaited = ((30, WAITING[case.waits]),)
    if case.waits in (Wait.RESERVED_CARDS, Wait.SORTED_CARDS):
        awaited = (*awaited, (10, cmd.ExposeCards))
    others: Weights = (
        (4, cmd.ReportIrregularity),
        (3, cmd.DisproveFacts),
        (2, cmd.WithdrawReport),
        (1, cmd.CorrectCard),
        (1, cmd.PlaceWager),
        (1, cmd.ReduceWager),
        (1, cmd.LeaveTable),
        (1, cmd.DecideHeldMoney if table.held else cmd.HoldMoney),
    )
    return weighted(dice, *awaited, *others)


def _dispute_kind(dice: Dice, table: Table) -> Asked:
    """The next step of the last dispute, or a new one."""
    last = table.disputes[-1] if table.disputes else None
    if last is None or (last.step is DisputeStep.CLOSED and chance(dice, 60)):
        return cmd.OpenDispute
    if last.step is DisputeStep.OPEN:
        return cmd.DecideDispute if chance(dice, 25) else cmd.EscalateDispute
    steps: list[Asked] = [cmd.AnswerDecision, cmd.CloseDispute, cmd.TellComplaintRight, cmd.FileComplaint]
    steps += [cmd.InformInspector, cmd.EscalateDispute]
    if last.step is DisputeStep.ESCALATED:
        steps = [cmd.DecideDispute, cmd.DecideDispute, cmd.GiveTimeFrame, cmd.SayNoTimeFrame]
        steps += [] if last.surveillance else [cmd.InformSurveillance] * 3
        steps += [] if last.information else [cmd.GatherInformation] * 3
    if last.unpaid:
        steps += [cmd.PayAward] * 3
    if last.payments:
        steps.append(cmd.ConfirmReceipt)
    if last.complaint is not None:
        steps += [cmd.ReceiveComplaint, cmd.AnswerComplaint]
    return pick(dice, steps)


Weights = tuple[tuple[int, Asked], ...]


def _next_steps(scene: Scene, table: Table) -> Weights:
    match table.phase:
        case Phase.SHUT:
            return _while_shut(scene, table)
        case Phase.IDLE:
            return _while_idle(scene, table)
        case Phase.BETTING:
            return _while_betting(scene, table)
        case Phase.CLOSED:
            return _while_closed(scene, table)
        case Phase.DEALING:
            return _while_dealing(scene, table)
        case Phase.OUTCOME:
            held = 4 if table.held else 1
            return (
                (20, cmd.CallOutcome),
                (2, cmd.ReportDeviceResult),
                (2, cmd.FindWager),
                (2, cmd.CorrectWager),
                (held, cmd.DecideHeldMoney if table.held else cmd.HoldMoney),
            )


def _chips(scene: Scene, table: Table) -> Weights:
    """Counts and slips at a live table between rounds."""
    if scene.terminal:
        return ()
    counts: Weights = ((3, cmd.CountDrop),) if table.chips.boxes else ()
    if table.chips.open is None:
        return (*counts, (4, cmd.CountOpener))
    return (*counts, (1, cmd.FillChips), (1, cmd.ReturnChips), (1, cmd.VoidSlip), (2, cmd.CountCloser))


def _while_shut(scene: Scene, table: Table) -> Weights:
    items = {item.id for item in scene.rulebook.document.equipment}
    owed = any(each.credits for each in table.credits)
    anew: Weights = ((12, cmd.CashOut), (1, cmd.SetUpTable)) if owed else ((4, cmd.SetUpTable),)
    steps: Weights = ((2, cmd.ComeOnDuty), (1, cmd.ComeToTable), (1, cmd.LoadShoe), *anew)
    steps = (*steps, *_chips(scene, table))
    if items - set(table.equipment):
        return (*steps, (20, cmd.TickEquipment), (1, cmd.OpenTable))
    if scene.rulebook.document.names_another_game and table.confirmation is None:
        return (*steps, (20, cmd.RecordConfirmation), (1, cmd.OpenTable))
    return (*steps, (9, cmd.OpenTable))


def _while_idle(scene: Scene, table: Table) -> Weights:
    shoe = table.shoe
    steps: Weights = (
        (1, cmd.ChangeMethod),
        (1, cmd.LimitOwners),
        (1, cmd.ComeToTable),
        (1, cmd.CutCards),
        (1, cmd.CountCards),
        (6 if table.held else 0, cmd.DecideHeldMoney),
        (2 if table.round and table.round.settled else 0, cmd.HoldMoney),
        (2 if table.round and table.round.settled else 0, cmd.CorrectWager),
        (1, cmd.CloseTable),
        (1, cmd.ChangeTable),
        (2, cmd.ReportIrregularity),
        (15, cmd.ConfirmCredits if table.credit_requests else cmd.CashOut)
        if scene.terminal
        else (1, cmd.PermitDrawing),
        *_chips(scene, table),
    )
    if not table.patrons:
        return (*steps, (9, cmd.ComeToTable))
    if is_to_close(table):
        return (*steps, (20, cmd.OpenShoe), (5, cmd.CancelStop), (1, cmd.OpenBetting))
    if shoe is None or shoe.new_cards_due or shoe.rounds_left == 0 or shoe.left == 0:
        sealed = shoe is not None and shoe.seal is not None and not shoe.opened
        return (*steps, (20, cmd.OpenShoe if sealed else cmd.LoadShoe), (1, cmd.OpenBetting))
    if shoe.seal is not None and shoe.cut_depth is None:
        return (*steps, (20, cmd.CutCards), (1, cmd.OpenBetting))
    if shoe.patrons_choose or shoe.doubted_by is not None:
        return (*steps, (9, cmd.ChooseCards))
    if table.free_hand_by is not None:
        return (*steps, (20, cmd.DealFreeHand), (1, cmd.OpenBetting), (1, cmd.AnnounceLastHand))
    if shoe.burned is None and not shoe.rounds and scene.rulebook.document.burn:
        return (*steps, (9, cmd.BurnCards), (9, cmd.OpenBetting))
    return (*steps, (40, cmd.OpenBetting))


def _while_betting(scene: Scene, table: Table) -> Weights:
    steps: Weights = (
        (12, cmd.PlaceWager),
        (1, cmd.ReduceWager),
        (3 if table.setup.face_down else 1, cmd.RequestSqueeze),
        (1, cmd.PermitSqueeze),
        (1 if table.setup.face_down else 0, cmd.ForbidSqueeze),
        (1, cmd.BuyCredits if scene.terminal else cmd.TakeDevice),
        (2 if table.chips.open else 0, cmd.BuyChips),
        (1, cmd.HoldMoney),
        (3 if table.held else 0, cmd.DecideHeldMoney),
        (1, cmd.CancelStop if table.stop else cmd.StopAfterRound),
        (1, cmd.DealNow),
    )
    if table.free_hand_by is not None:
        return (*steps, (12, cmd.DealFreeHand))
    if not table.wagers:
        return (*steps, (2, cmd.CloseBetting))
    return (*steps, (4, cmd.CloseBetting), (1, cmd.DrawCard), *_device(table))


def _device(table: Table) -> Weights:
    """Where a patron draws, somebody must take the device first."""
    free = table.method is Method.C and table.device_holder is None
    return ((15, cmd.TakeDevice),) if free else ()


def _while_closed(scene: Scene, table: Table) -> Weights:
    steps: Weights = (
        (1, cmd.PlaceWager),
        (1, cmd.ReduceWager),
        (2, cmd.FindWager),
        (1, cmd.CorrectWager),
        (1, cmd.HoldMoney),
        (1, cmd.SeeCuttingCard),
        *_device(table),
    )
    if table.free_hand_by is not None:
        return (*steps, (12, cmd.DealFreeHand))
    if gap_of(table) > table.setup.differential:
        differential: Weights = (
            (3, cmd.AskToDecreaseWagers),
            (3, cmd.RemoveWager),
            (2, cmd.ReduceWager),
            (2, cmd.PlaceWager),
            (3 if table.decrease_unanswered else 0, cmd.EndOffer),
            (3 if table.decrease_unanswered else 0, cmd.AnswerOffer),
        )
        return (*steps, *differential, (4, cmd.DrawCard))
    return (*steps, (1, cmd.BurnCards), (20, cmd.DrawCard))


def _while_dealing(scene: Scene, table: Table) -> Weights:
    current = table.round
    assert current is not None
    late: Weights = (
        (1, cmd.PlaceWager),
        (1, cmd.ReduceWager),
        (1, cmd.FindWager),
        (1, cmd.CorrectWager),
        (1, cmd.DecideHeldMoney if table.held else cmd.HoldMoney),
        (1, cmd.SeeCuttingCard),
        (4 if table.uncalled else 0, cmd.CloseBetting),
    )
    covered = [each for each in current.cards if each.state is not CardState.EXPOSED]
    if len(current.cards) == 4 and not covered:
        return (*late, (8, cmd.AnnounceTotals), (32, cmd.DrawCard), *_device(table))
    if len(current.cards) < 4 or not covered:
        return (*late, (40, cmd.DrawCard), (1, cmd.ExposeCards), *_device(table))
    handling: Weights = (
        (6, cmd.PassCards),
        (2, cmd.ChooseSqueezer),
        (2, cmd.DeclineCards),
        (2, cmd.ChooseRevealOrder),
        (4, cmd.LookAtCards),
        (14, cmd.ExposeCards),
        (1, cmd.DrawCard),
    )
    return (*late, *handling)


# commands that have nothing to say beyond their name
SIMPLE = frozenset(
    {
        cmd.OpenTable,
        cmd.CancelStop,
        cmd.ResumeTable,
        cmd.AnnounceLastHand,
        cmd.OpenBetting,
        cmd.CloseBetting,
        cmd.AskToDecreaseWagers,
        cmd.SeeCuttingCard,
        cmd.DealFreeHand,
        cmd.ConfirmFacts,
        cmd.WithdrawReport,
        cmd.EndOffer,
    }
)


def _change_table(dice: Dice, scene: Scene) -> cmd.Body:
    """Other limits and decks, sometimes impossible ones."""
    change, decks = change_of(_table(scene).setup), scene.rulebook.document.decks
    times = pick(dice, (1, 2, 2, -1))
    limits = tuple(replace(each, minimum=each.minimum * times) for each in change.limits)
    return cmd.ChangeTable(change=replace(change, limits=limits, decks=dice.number(decks.least, decks.most)))


def _set_up(dice: Dice, scene: Scene) -> cmd.Body:
    document = scene.rulebook.document
    variant = scene.rulebook.id.partition("/")[2] or None
    drawn = [each for each in document.layouts.layout if not each.assumed]
    layouts = [each for each in drawn if each.variant in (None, variant)]
    layout = pick(dice, layouts) if layouts else None
    reader = any(item.id == "card-reading-shoe" for item in document.equipment)
    devices = (Device.CARD_READING, Device.CARD_READING, Device.ELECTRONIC, Device.PLAIN)
    area, device = pick(dice, tuple(Area)), Device.CARD_READING if reader else pick(dice, devices)
    methods: list[Method | None] = [None, Method.A] if document.methods else [None]
    if document.methods and area is Area.HIGH_LIMIT and device is Device.CARD_READING:
        methods += [Method.C, Method.C]
    setup = Setup(
        table=TABLE,
        game=scene.rulebook.id,
        house=scene.house.id,
        layout=layout.id if layout else None,
        positions=dice.number(layout.least, layout.most) if layout else 0,
        area=area,
        device=device,
        decks=document.decks.least,
        terminal=scene.terminal,
        face_down=chance(dice, 40),
        automatic=pick(
            dice, ((Automatic.EXPOSE, Automatic.CALL), (Automatic.EXPOSE,), (Automatic.CALL,), ())
        ),
        limits=tuple(_limit(scene, wager.id) for wager in scene.rulebook.wagers.values()),
        differential=pick(dice, (100_000, 500_000, 1_000_000)),
        training=scene.temper.training,
    )
    method = pick(dice, methods)
    if chance(dice, 15):
        setup, method = _spoil(dice, setup), pick(dice, (None, *Method))
    return cmd.SetUpTable(setup=setup, method=method)


def _limit(scene: Scene, wager: str) -> PostedLimit:
    main = scene.rulebook.wagers[wager].kind is Kind.MAIN
    return PostedLimit(wager, 5_000 if main else 1_000, 500_000 if main else 50_000)


def _spoil(dice: Dice, setup: Setup) -> Setup:
    """A set-up with something wrong in it."""
    wrong: tuple[dict[str, object], ...] = (
        {},
        {"game": "whist"},
        {"house": "elsewhere"},
        {"layout": "Z"},
        {"layout": "1", "positions": 4},
        {"positions": 40},
        {"device": Device.PLAIN},
        {"area": Area.MAIN_FLOOR},
        {"decks": 3},
        {"decks": 11},
        {"limits": (PostedLimit("player", 10, 5), *setup.limits[1:])},
        {"positions": 0},
        {"terminal": not setup.terminal},
        {"training": not setup.training},
    )
    return replace(setup, **pick(dice, wrong))


def _table(scene: Scene) -> Table:
    """The table, or for commands that come before there is one a bare one to look at."""
    if scene.table is not None:
        return scene.table
    setup = Setup(
        table=TABLE,
        game=scene.rulebook.id,
        house=scene.house.id,
        layout=None,
        positions=0,
        area=Area.MAIN_FLOOR,
        device=Device.PLAIN,
        decks=8,
        terminal=False,
        face_down=False,
        automatic=(),
        limits=(),
        differential=0,
    )
    return Table(setup=setup)


def _card(dice: Dice) -> Card:
    return pick(dice, DECK)


def _cards(dice: Dice, least: int, most: int) -> tuple[Card, ...]:
    return tuple(_card(dice) for _ in range(dice.number(least, most)))


def _shuffled(dice: Dice, cards: Sequence[T]) -> tuple[T, ...]:
    left = list(cards)
    return tuple(left.pop(dice.number(0, len(left) - 1)) for _ in cards)


def _patron(dice: Dice) -> str:
    return STRANGER if chance(dice, 3) else pick(dice, PATRONS)


def _post(dice: Dice, scene: Scene) -> Post:
    return Post("king") if chance(dice, 5) else pick(dice, scene.house.form.posts)


def _hand(dice: Dice) -> Hand:
    return pick(dice, tuple(Hand))


def _tick(dice: Dice, scene: Scene) -> cmd.Body:
    items = [item.id for item in scene.rulebook.document.equipment]
    missing = [item for item in items if item not in _table(scene).equipment]
    item = pick(dice, missing or items or ["teapot"])
    return cmd.TickEquipment(item="teapot" if chance(dice, 3) else item, needed=not chance(dice, 8))


def _missing_posts(scene: Scene) -> list[Post]:
    held = {each.person for each in _table(scene).staff}
    return [post for post in scene.house.form.posts if post not in held]


def _come_on_duty(dice: Dice, scene: Scene) -> cmd.Body:
    missing = _missing_posts(scene)
    post = pick(dice, missing) if missing and chance(dice, 90) else _post(dice, scene)
    return cmd.ComeOnDuty(person=str(post), post=post)


def _appoint(dice: Dice, scene: Scene) -> cmd.Body:
    begins = scene.now + datetime.timedelta(seconds=dice.number(-60, 60))
    ends = begins + datetime.timedelta(seconds=dice.number(0, 120))
    if chance(dice, 10):
        ends = ends.replace(tzinfo=None)
    person = pick(dice, (*scene.house.form.posts, STRANGER))
    return cmd.AppointActing(person=person, post=_post(dice, scene), start=begins, end=ends)


def _position(dice: Dice, scene: Scene, patron: str) -> int | None:
    setup = _table(scene).setup
    if chance(dice, 3):
        return pick(dice, (None, 0, -1, setup.positions + 1))
    if scene.rulebook.document.table == "terminal":
        return None
    if chance(dice, 12):
        return 1
    return PATRONS.index(patron) % max(setup.positions, 1) + 1 if patron in PATRONS else 1


def _come_to_table(dice: Dice, scene: Scene) -> cmd.Body:
    patron = _patron(dice)
    return cmd.ComeToTable(
        patron=patron, position=_position(dice, scene, patron), seated=not chance(dice, 20)
    )


def _credits(dice: Dice) -> int:
    return pick(dice, (1_000_000, 100_000, 5_000, 1, 0, -100, 20_000_000))


def _cash_out(dice: Dice, scene: Scene) -> cmd.Body:
    table = _table(scene)
    held = {each.terminal: each.credits for each in table.credits}
    winners = [each.patron for each in table.round.settled if each.paid] if table.round else []
    terminal = pick(dice, winners) if winners and chance(dice, 70) else _patron(dice)
    amount = held.get(terminal, 0) if chance(dice, 60) else _credits(dice)
    return cmd.CashOut(terminal=terminal, amount=amount)


def _pieces(dice: Dice, values: tuple[int, ...]) -> tuple[Pieces, ...]:
    """Some chips or notes; now and then none, one of no value that there is, or far too many."""
    known = values or (100,)
    value = known[-1] + 1 if chance(dice, 3) else pick(dice, known)
    number = 10**15 if chance(dice, 2) else dice.number(1, 200)
    more = (Pieces(pick(dice, known), dice.number(1, 20)),) if chance(dice, 60) else ()
    return () if chance(dice, 3) else (Pieces(value, number), *more)


def _tray(dice: Dice, scene: Scene) -> tuple[Pieces, ...]:
    """Mostly what must lie in the tray, in the smallest chips."""
    now, values = _table(scene).chips.open, scene.house.chip_values
    if now is None or now.tray <= 0 or not values or now.tray % values[-1] or chance(dice, 30):
        return _pieces(dice, values)
    return (Pieces(values[-1], now.tray // values[-1]),)


def _count_drop(dice: Dice, scene: Scene) -> cmd.Body:
    boxes = _table(scene).chips.boxes
    inventory = boxes[0].inventory if boxes and chance(dice, 95) else 9
    return cmd.CountDrop(inventory=inventory, count=_pieces(dice, scene.house.note_values))


def _void_slip(dice: Dice, scene: Scene) -> cmd.Body:
    now = _table(scene).chips.open
    slips = [each.number for each in now.slips] if now else []
    return cmd.VoidSlip(slip=pick(dice, slips) if slips and chance(dice, 95) else 0, reason="wrong")


def _hold(dice: Dice, scene: Scene) -> cmd.Body:
    """A wager that lies there or was settled just now, somebody else's now and then, or money to buy with."""
    table = _table(scene)
    lay = table.round.lay if table.round and table.phase is Phase.IDLE else ()
    lying = pick(dice, lay) if lay else _lying(dice, scene)
    if chance(dice, 20):
        return cmd.HoldMoney(patron=_patron(dice), amount=pick(dice, (5_000, 100, 0, -100)))
    return cmd.HoldMoney(patron=lying.patron, wager=lying.wager, position=lying.position)


def _decide_held(dice: Dice, scene: Scene) -> cmd.Body:
    held = _table(scene).held
    number = pick(dice, held).id if held and chance(dice, 95) else dice.number(0, 9)
    found = "it glows" if chance(dice, 95) else " "
    return cmd.DecideHeldMoney(id=number, choice=pick(dice, typing.get_args(cmd.HeldChoice)), found=found)


def _count(dice: Dice, scene: Scene) -> cmd.Body:
    shoe = _table(scene).shoe
    cards = shoe.decks * 52 if shoe else 416
    return cmd.CountCards(cards=cards + pick(dice, (0, 0, 0, 0, -1, 1, -1000, 1000)))


def _load(dice: Dice, scene: Scene) -> cmd.Body:
    document = scene.rulebook.document
    decks = document.decks.least if chance(dice, 90) else pick(dice, (3, 8, 10, 11))
    seal = make_seal(decks * 52 if chance(dice, 95) else 52) if chance(dice, 50) else None
    record = ShuffleRecord(shuffler="S", batch="B", time=LONG_AGO, by="dealer") if chance(dice, 30) else None
    return cmd.LoadShoe(
        decks=decks,
        jokers=int(chance(dice, 3)),
        same_backs=not chance(dice, 3),
        seal=seal,
        shuffle=record,
    )


def make_seal(cards: int) -> Seal:
    """A seal as the engine sees it: it looks at nothing but the number of cards."""
    return Seal(root="00" * 32, cards=cards, behind_cutting_card=16, key_id="k", content="")


def _open_shoe(dice: Dice, scene: Scene) -> cmd.Body:
    shoe = _table(scene).shoe
    decks = shoe.decks if shoe and chance(dice, 95) else 1
    return cmd.OpenShoe(order=DECK * decks, secret="00" * 32)


def _raise(dice: Dice, scene: Scene) -> cmd.Body:
    card, other = (_card(dice) if chance(dice, 50) else None for _ in range(2))
    return cmd.RaiseAlarm(kind=pick(dice, tuple(AlarmKind)), card=card, other=other, number=dice.number(0, 9))


def _wager_kind(dice: Dice, scene: Scene) -> str:
    if chance(dice, 2):
        return "double-zero"
    return pick(dice, ("player", "banker")) if chance(dice, 60) else pick(dice, tuple(scene.rulebook.wagers))


def _stake(dice: Dice, scene: Scene, wager: str, *, wild: int) -> int:
    main = wager in ("player", "banker")
    least, most = (5_000, 500_000) if main else (1_000, 50_000)
    if chance(dice, wild):
        return pick(dice, (0, -1_000, least - 100, most + 1_000, least // 2, most * 3))
    return pick(dice, (least, 2 * least, most, most // 2, least + 35, most))


def _place(dice: Dice, scene: Scene) -> cmd.Body:
    patron, wager = _patron(dice), _wager_kind(dice, scene)
    odd = chance(dice, 4)
    return cmd.PlaceWager(
        patron=patron,
        wager=wager,
        amount=_stake(dice, scene, wager, wild=10),
        position=_position(dice, scene, patron),
        money=pick(dice, ("chips", "cash", "credits")) if odd else None,
        in_area=not (odd and chance(dice, 50)),
    )


def _find(dice: Dice, scene: Scene) -> cmd.Body:
    patron, wager = _patron(dice), _wager_kind(dice, scene)
    amount = _stake(dice, scene, wager, wild=70)
    return cmd.FindWager(
        reason="seen on the felt",
        patron=patron,
        wager=wager,
        amount=amount,
        position=_position(dice, scene, patron),
    )


def _correct_wager(dice: Dice, scene: Scene) -> cmd.Body:
    current = _table(scene).round
    lay = current.lay if current is not None and current.ended else ()
    wager = pick(dice, lay) if lay else _lying(dice, scene)
    patron = _patron(dice)
    instead = chance(dice, 60)
    return cmd.CorrectWager(
        reason="seen on the felt",
        patron=wager.patron,
        wager=wager.wager,
        amount=_part(dice, wager),
        position=wager.position,
        to_patron=patron if instead else None,
        to_wager=_wager_kind(dice, scene) if instead else None,
        to_position=_position(dice, scene, patron) if instead else None,
    )


def _lying(dice: Dice, scene: Scene) -> PlacedWager:
    """A wager on the felt, or one that could be there."""
    wagers = _table(scene).wagers
    if wagers and not chance(dice, 5):
        return pick(dice, wagers)
    patron, wager = _patron(dice), _wager_kind(dice, scene)
    return PlacedWager(0, patron, _position(dice, scene, patron), wager, 5_000, 0)


def _part(dice: Dice, wager: PlacedWager) -> int:
    return pick(dice, (wager.stake, wager.stake // 2, wager.stake - 5_000, wager.stake + 1, 0))


def _reduce(dice: Dice, scene: Scene) -> cmd.Body:
    wager = _lying(dice, scene)
    return cmd.ReduceWager(
        patron=wager.patron, wager=wager.wager, amount=_part(dice, wager), position=wager.position
    )


def _remove(dice: Dice, scene: Scene) -> cmd.Body:
    wager = _lying(dice, scene)
    return cmd.RemoveWager(
        patron=wager.patron, wager=wager.wager, amount=_part(dice, wager), position=wager.position
    )


def _draw(dice: Dice, scene: Scene) -> cmd.Body:
    table = _table(scene)
    unknown = 25 if table.setup.face_down or table.method is not Method.B else 4
    card = None if chance(dice, unknown) else _card(dice)
    expected = expected_cards(table, 1)[0] if table.shoe else None
    if expected is not None and chance(dice, 80):
        card = expected if chance(dice, 70) else None
    if chance(dice, 10 if expected is not None else 3):
        together = tuple(_card(dice) if chance(dice, 70) else None for _ in range(dice.number(1, 2)))
        known = weighted(dice, (4, True), (4, False), (1, None))
        instead = chance(dice, 30 if expected is not None else 5)
        return cmd.DrawCard(card=card, together=together, order_known=known, instead=instead)
    hand = _hand(dice) if chance(dice, 6) else None
    return cmd.DrawCard(card=card, hand=hand, instead=chance(dice, 10))


def _handled(dice: Dice, scene: Scene) -> tuple[Hand, str]:
    """A hand and somebody for it: mostly somebody with a wager on it, or its holder."""
    table, hand = _table(scene), _hand(dice)
    current = table.round
    holders = [each.patron for each in current.holdings if each.hand is hand] if current else []
    owners = [each.patron for each in table.wagers if each.wager == hand.value]
    likely = holders or owners or list(PATRONS)
    return hand, pick(dice, likely) if chance(dice, 90) else _patron(dice)


def _pass(dice: Dice, scene: Scene) -> cmd.Body:
    hand, patron = _handled(dice, scene)
    permitted = _table(scene).squeeze_permitted
    patron = pick(dice, permitted) if permitted else patron
    backed = any(each.patron == patron and each.wager == hand.value for each in _table(scene).wagers)
    return cmd.PassCards(hand=hand, patron=patron, instead=not backed)


def _choose(dice: Dice, scene: Scene) -> cmd.Body:
    hand, patron = _handled(dice, scene)
    return cmd.ChooseSqueezer(hand=hand, patron=patron)


def _decline(dice: Dice, scene: Scene) -> cmd.Body:
    hand, patron = _handled(dice, scene)
    return cmd.DeclineCards(hand=hand, patron=patron)


def _look(dice: Dice, scene: Scene) -> cmd.Body:
    hand, patron = _handled(dice, scene)
    return cmd.LookAtCards(hand=hand, patron=patron)


def _expose(dice: Dice, scene: Scene) -> cmd.Body:
    hand, current = _hand(dice), _table(scene).round
    held = [each for each in current.cards if each.hand is hand] if current else []
    if chance(dice, 5):
        return cmd.ExposeCards(hand=hand, cards=_cards(dice, 0, 3))
    if all(each.card for each in held) and chance(dice, 80):
        return cmd.ExposeCards(hand=hand)
    return cmd.ExposeCards(hand=hand, cards=tuple(each.card or _card(dice) for each in held))


def _winner(dice: Dice, scene: Scene) -> Winner:
    current = _table(scene).round
    right = current.facts.winner if current and current.facts else Winner.TIE
    return right if chance(dice, 85) else pick(dice, tuple(Winner))


def _call(dice: Dice, scene: Scene) -> cmd.Body:
    current = _table(scene).round
    right = (current.facts.player_total, current.facts.banker_total) if current and current.facts else (0, 0)
    player, banker = (weighted(dice, (6, total), (3, None), (1, dice.number(0, 10))) for total in right)
    return cmd.CallOutcome(winner=_winner(dice, scene), player=player, banker=banker)


# situations in which somebody must say which cards were drawn in error
STRAYS = (Situation.UNAUTHORISED_PLAYER_CARD, Situation.UNAUTHORISED_BANKER_CARD)
# situations for which the round under way does not wait
AFTER_THE_ROUND = (Situation.NEXT_CARD_KNOWN,)
ABOUT_A_WAGER = (Situation.LATE_WAGER, Situation.LATE_WITHDRAWAL)


def _report(dice: Dice, scene: Scene) -> cmd.Body:
    table = _table(scene)
    situation = pick(dice, tuple(Situation))
    if table.phase is Phase.DEALING and chance(dice, 40):
        often = (Situation.CARDS_TOGETHER, Situation.PATRON_LEFT_WITH_CARDS, Situation.DEVICE_RESET)
        situation = pick(dice, (*often, *STRAYS, Situation.WRONG_ORDER))
    if table.phase is Phase.IDLE and chance(dice, 50):
        putting_right = (Situation.WRONG_NUMBER_OF_CARDS, Situation.WRONG_ORDER, Situation.MISDEAL)
        situation = pick(dice, (*putting_right, *putting_right, *STRAYS, Situation.CARDS_TOGETHER))

    def said() -> bool | None:
        return weighted(dice, (4, True), (4, False), (1, None))

    about = _lying(dice, scene)
    held = [each.patron for each in table.round.holdings] if table.round else []
    patrons = (None, *PATRONS, about.patron, *(held * 2), STRANGER)
    dealt = situation is Situation.CARDS_TOGETHER and chance(dice, 40)
    return cmd.ReportIrregularity(
        situation=situation,
        reconstructable=said(),
        order_known=said(),
        seen=said(),
        value_known=said(),
        cards=_run(dice, table) if dealt else _told(dice, table, situation),
        ahead=weighted(dice, (6, 0), (1, 1), (1, dice.number(2, 20)), (1, -1)),
        patron=about.patron if situation in ABOUT_A_WAGER else pick(dice, patrons),
        hand=pick(dice, (None, *Hand)),
        wager=pick(dice, (about.wager, about.wager, None, "tie")),
        position=about.position,
        amount=pick(dice, (10_000, 500, about.stake, about.stake // 2, 0, -500)),
        underpaid=chance(dice, 30),
        previous_round=chance(dice, 40),
        paying=table.phase in (Phase.IDLE, Phase.OUTCOME) and chance(dice, 40),
        dealt=dealt,
        note="so" if situation is Situation.NOT_COVERED and chance(dice, 90) else "",
    )


def _run(dice: Dice, table: Table) -> tuple[Card | None, ...]:
    """Cards that lie at the hands one after the other, told in any order."""
    cards = tuple(each.card for each in table.round.cards) if table.round else ()
    first = dice.number(0, max(len(cards) - 2, 0))
    return _shuffled(dice, cards[first : first + dice.number(2, 3)])


def _told(dice: Dice, table: Table, situation: Situation) -> tuple[Card | None, ...]:
    """The cards that a report names; nobody has to look at a card to report it."""
    cards = _named(dice, table, situation)
    return tuple(None if chance(dice, 10) else card for card in cards)


def _named(dice: Dice, table: Table, situation: Situation) -> tuple[Card, ...]:
    current = table.round
    faces = tuple(each.card or _card(dice) for each in current.cards) if current else ()
    if chance(dice, 10):
        return _cards(dice, 0, 3)
    match situation:
        case Situation.CARDS_TOGETHER:
            return _cards(dice, 2, 2)
        case Situation.UNAUTHORISED_PLAYER_CARD | Situation.UNAUTHORISED_BANKER_CARD:
            return _cards(dice, 1, 2)
        case Situation.WRONG_ORDER | Situation.MISDEAL | Situation.ORDER_ALTERED:
            return _shuffled(dice, faces) if chance(dice, 70) else ()
        case Situation.WRONG_NUMBER_OF_CARDS:
            return (*faces[:4], *_cards(dice, 0, 2)) if chance(dice, 80) else ()
        case Situation.NEXT_CARD_KNOWN | Situation.FACE_UP_CARD:
            return _cards(dice, 0, 1)
        case _:
            return ()


def _rule(dice: Dice, scene: Scene) -> cmd.Body:
    case = _table(scene).case
    if case is None or case.waits is None or chance(dice, 5):
        return cmd.Rule(choice=pick(dice, ("allow", "maybe", "")), text="", cards=_cards(dice, 0, 2))
    effect = case.effects[case.done]
    text = "because" if chance(dice, 95) else ""
    if not isinstance(effect, Refer):
        cards = _shuffled(dice, case.cards) if case.waits is Wait.CARD_ORDER else ()
        return cmd.Rule(choice=pick(dice, ("allow", "allow", "deny")), text=text, cards=cards)
    choices = effect.presets if chance(dice, 50) else PRESETS
    also = tuple(pick(dice, PRESETS) for _ in range(pick(dice, (0, 0, 0, 1, 2))))
    patron = _patron(dice) if chance(dice, 95) else None
    amount = pick(dice, (5_000, 100, 35, 0, -100, -1_000_000))
    return cmd.Rule(choice=pick(dice, choices), text=text, also=also, patron=patron, amount=amount)


def _correct_card(dice: Dice, scene: Scene) -> cmd.Body:
    """A card of the round that lies there or was last, or of an earlier one."""
    table = _table(scene)
    dealt = len(table.round.cards) if table.round else 4
    number = dice.number(1, max(dealt, 1)) if chance(dice, 95) else pick(dice, (-1, 0, 7))
    earlier = pick(dice, (0, 1, table.rounds, table.rounds - 1, table.rounds + 1))
    return cmd.CorrectCard(
        reason="seen on the felt",
        number=number,
        card=_card(dice),
        round=earlier if chance(dice, 20) else None,
    )


def _answer(dice: Dice, scene: Scene) -> cmd.Body:
    table = _table(scene)
    offers = [each.offer for each in table.open_cases if each.offer]
    asked = [each for offer in offers for each in offer.asked if each not in offer.answered]
    asked += table.decrease_unanswered
    patron = pick(dice, asked) if asked and chance(dice, 95) else _patron(dice)
    own = [each for each in table.wagers if each.patron == patron]
    if own and chance(dice, 40):
        wager = pick(dice, own)
        single = "tie" if chance(dice, 15) else wager.wager
        return cmd.AnswerOffer(patron=patron, withdraw=True, wager=single, position=wager.position)
    return cmd.AnswerOffer(patron=patron, withdraw=chance(dice, 50))


def _sorted(dice: Dice, scene: Scene) -> cmd.Body:
    table = _table(scene)
    cards = table.round.cards if table.round else ()
    lacking = tuple(each.card or _card(dice) for each in cards) + table.reserved
    return cmd.EnterSortedCards(lacking=lacking if chance(dice, 80) else lacking[1:])


def _substitute(dice: Dice, scene: Scene) -> cmd.Body:
    case = _table(scene).case
    missing = case.missing if case else ()
    return cmd.SubstituteCards(cards=missing if chance(dice, 80) else _cards(dice, 1, 2))


def _dispute(dice: Dice, scene: Scene) -> int:
    count = len(_table(scene).disputes)
    return max(count, 1) if chance(dice, 90) else dice.number(0, count + 1)


def _sources(scene: Scene) -> list[str]:
    rules = dispute_rules(scene.rulebook.document, scene.house.form)
    return [each.id for each in rules.sources]


def _open_dispute(dice: Dice, scene: Scene) -> cmd.Body:
    wager = pick(dice, (None, "player", "tie", "no-such-wager"))
    number = dice.number(0, _table(scene).rounds + 1)
    return cmd.OpenDispute(patron=_patron(dice), about="that", round=number, wager=wager)


def _gather(dice: Dice, scene: Scene) -> cmd.Body:
    source = pick(dice, (None, "hearsay", *_sources(scene)))
    giver = pick(dice, (*PATRONS, "Dealer"))
    return cmd.GatherInformation(id=_dispute(dice, scene), what="so", given_by=giver, source=source)


def _decide_dispute(dice: Dice, scene: Scene) -> cmd.Body:
    """Mostly a decision with regard to every source: the first is considered, and the others are lacking."""
    first, *others = _sources(scene)
    cited = pick(dice, ((first,), (first,), (first,), (first, *others), (), ("hearsay",)))
    lacking = tuple(UnavailableSource(each, "none") for each in others)
    return cmd.DecideDispute(
        id=_dispute(dice, scene),
        decision="so",
        sources=cited,
        unavailable=lacking if chance(dice, 80) else lacking[1:],
        award=pick(dice, (0, 5_000, 100, -100)),
    )


def _pay_award(dice: Dice, scene: Scene) -> cmd.Body:
    to = pick(dice, ("Ann", "Ann", ""))
    return cmd.PayAward(id=_dispute(dice, scene), way=pick(dice, tuple(AwardWay)), to=to, how="in chips")


def _file_complaint(dice: Dice, scene: Scene) -> cmd.Body:
    helper = pick(dice, ("Host", *scene.house.form.posts))
    return cmd.FileComplaint(id=_dispute(dice, scene), text="no", helper=helper)


Maker = Callable[[Dice, Scene], cmd.Body]

MAKERS: dict[Asked, Maker] = {
    cmd.SetUpTable: _set_up,
    cmd.TickEquipment: _tick,
    cmd.RecordConfirmation: lambda d, s: cmd.RecordConfirmation(
        reference=pick(d, ("R", "R", "R", " ")), date=A_DAY
    ),
    cmd.PauseTable: lambda d, s: cmd.PauseTable(reason="a drink"),
    cmd.CloseTable: lambda d, s: cmd.CloseTable(reason="late"),
    cmd.StopAfterRound: lambda d, s: cmd.StopAfterRound(stop=pick(d, tuple(Stop)), reason="late"),
    cmd.ChangeTable: _change_table,
    cmd.ComeOnDuty: _come_on_duty,
    cmd.GoOffDuty: lambda d, s: cmd.GoOffDuty(person=pick(d, (*s.house.form.posts, STRANGER))),
    cmd.AppointActing: _appoint,
    cmd.ComeToTable: _come_to_table,
    cmd.LeaveTable: lambda d, s: cmd.LeaveTable(patron=_patron(d)),
    cmd.BuyCredits: lambda d, s: cmd.BuyCredits(terminal=_patron(d), amount=_credits(d)),
    cmd.CashOut: _cash_out,
    cmd.ConfirmCredits: lambda d, s: cmd.ConfirmCredits(
        id=_table(s).asked_credits if chance(d, 90) else 9, agrees=chance(d, 70)
    ),
    cmd.ChangeMethod: lambda d, s: cmd.ChangeMethod(method=pick(d, tuple(Method))),
    cmd.LimitOwners: lambda d, s: cmd.LimitOwners(most=d.number(0, 4)),
    cmd.LoadShoe: _load,
    cmd.CountCards: _count,
    cmd.OpenShoe: _open_shoe,
    cmd.CutCards: lambda d, s: cmd.CutCards(depth=d.number(0, 200)),
    cmd.BurnCards: lambda d, s: cmd.BurnCards(first=_card(d) if chance(d, 60) else None),
    cmd.TakeDevice: lambda d, s: cmd.TakeDevice(patron=_lying(d, s).patron),
    cmd.GiveUpDevice: lambda d, s: cmd.GiveUpDevice(patron=_table(s).device_holder or _patron(d)),
    cmd.DealNow: lambda d, s: cmd.DealNow(patron=_patron(d)),
    cmd.PermitDrawing: lambda d, s: cmd.PermitDrawing(patron=_patron(d)),
    cmd.PermitSqueeze: lambda d, s: cmd.PermitSqueeze(person=_patron(d)),
    cmd.ForbidSqueeze: lambda d, s: cmd.ForbidSqueeze(patron=_patron(d) if chance(d, 50) else None),
    cmd.RequestSqueeze: lambda d, s: cmd.RequestSqueeze(patron=_lying(d, s).patron),
    cmd.PlaceWager: _place,
    cmd.ReduceWager: _reduce,
    cmd.HoldMoney: _hold,
    cmd.DecideHeldMoney: _decide_held,
    cmd.FindWager: _find,
    cmd.CorrectWager: _correct_wager,
    cmd.RemoveWager: _remove,
    cmd.DrawCard: _draw,
    cmd.PassCards: _pass,
    cmd.ChooseSqueezer: _choose,
    cmd.DeclineCards: _decline,
    cmd.ChooseRevealOrder: lambda d, s: cmd.ChooseRevealOrder(first=_hand(d)),
    cmd.LookAtCards: _look,
    cmd.ExposeCards: _expose,
    cmd.AnnounceTotals: lambda d, _: cmd.AnnounceTotals(player=d.number(0, 9), banker=d.number(0, 9)),
    cmd.CallOutcome: _call,
    cmd.ReportDeviceResult: lambda d, s: cmd.ReportDeviceResult(winner=_winner(d, s)),
    cmd.ReportIrregularity: _report,
    cmd.DisproveFacts: lambda d, s: cmd.DisproveFacts(found="nothing" if chance(d, 90) else " "),
    cmd.CorrectCard: _correct_card,
    cmd.Rule: _rule,
    cmd.AnswerOffer: _answer,
    cmd.ReserveCards: lambda d, s: cmd.ReserveCards(cards=_cards(d, 2, 2 if chance(d, 90) else 3)),
    cmd.EnterSortedCards: _sorted,
    cmd.SubstituteCards: _substitute,
    cmd.ChooseCards: lambda d, s: cmd.ChooseCards(
        replace=chance(d, 50), patron=pick(d, (None, *PATRONS)) if chance(d, 80) else None
    ),
    cmd.AcknowledgeAlert: lambda d, s: cmd.AcknowledgeAlert(sequence=d.number(1, s.number)),
    cmd.RaiseAlarm: _raise,
    cmd.OpenDispute: _open_dispute,
    cmd.EscalateDispute: lambda d, s: cmd.EscalateDispute(id=_dispute(d, s)),
    cmd.GatherInformation: _gather,
    cmd.InformSurveillance: lambda d, s: cmd.InformSurveillance(id=_dispute(d, s)),
    cmd.SayNoTimeFrame: lambda d, s: cmd.SayNoTimeFrame(id=_dispute(d, s), why="so"),
    cmd.InformInspector: lambda d, s: cmd.InformInspector(id=_dispute(d, s)),
    cmd.PayAward: _pay_award,
    cmd.ConfirmReceipt: lambda d, s: cmd.ConfirmReceipt(id=_dispute(d, s), confirmed_by=_patron(d)),
    cmd.ReceiveComplaint: lambda d, s: cmd.ReceiveComplaint(id=_dispute(d, s)),
    cmd.AnswerComplaint: lambda d, s: cmd.AnswerComplaint(
        id=_dispute(d, s), answer="so", award=pick(d, (0, 2_000, -1))
    ),
    cmd.GiveTimeFrame: lambda d, s: cmd.GiveTimeFrame(id=_dispute(d, s), minutes=30),
    cmd.DecideDispute: _decide_dispute,
    cmd.AnswerDecision: lambda d, s: cmd.AnswerDecision(
        id=_dispute(d, s), agrees=chance(d, 50), confirmed_by=_patron(d)
    ),
    cmd.TellComplaintRight: lambda d, s: cmd.TellComplaintRight(id=_dispute(d, s)),
    cmd.FileComplaint: _file_complaint,
    cmd.CloseDispute: lambda d, s: cmd.CloseDispute(id=_dispute(d, s)),
    cmd.CountOpener: lambda d, s: cmd.CountOpener(count=_pieces(d, s.house.chip_values)),
    cmd.FillChips: lambda d, s: cmd.FillChips(count=_pieces(d, s.house.chip_values)),
    cmd.ReturnChips: lambda d, s: cmd.ReturnChips(count=_pieces(d, s.house.chip_values)),
    cmd.BuyChips: lambda d, s: cmd.BuyChips(patron=_patron(d), amount=_credits(d)),
    cmd.VoidSlip: _void_slip,
    cmd.CountCloser: lambda d, s: cmd.CountCloser(count=_tray(d, s)),
    cmd.CountDrop: _count_drop,
}

# who usually does what is not the Dealer's
POSTS: dict[Asked, str] = {
    cmd.ChangeMethod: "assistant-casino-manager",
    cmd.PermitDrawing: "assistant-casino-manager",
    cmd.TickEquipment: "pit-manager",
    cmd.LimitOwners: "pit-manager",
    cmd.PermitSqueeze: "pit-manager",
    cmd.ForbidSqueeze: "pit-manager",
    cmd.RemoveWager: "pit-manager",
    cmd.ConfirmFacts: "pit-manager",
    cmd.DisproveFacts: "pit-manager",
    cmd.AcknowledgeAlert: "pit-supervisor",
    cmd.LoadShoe: "pit-manager",
    cmd.RecordConfirmation: "gaming-shift-manager",
    cmd.DecideHeldMoney: "gaming-shift-manager",
    cmd.ChooseCards: "pit-manager",
    cmd.OpenShoe: "pit-manager",
    cmd.StopAfterRound: "pit-manager",
    cmd.ChooseSqueezer: "pit-supervisor",
    cmd.ReserveCards: "gaming-shift-manager",
    cmd.EscalateDispute: "pit-supervisor",
    cmd.GatherInformation: "pit-manager",
    cmd.InformSurveillance: "pit-manager",
    cmd.GiveTimeFrame: "pit-manager",
    cmd.SayNoTimeFrame: "pit-manager",
    cmd.DecideDispute: "pit-manager",
    cmd.InformInspector: "pit-manager",
    cmd.PayAward: "pit-manager",
    cmd.ReceiveComplaint: "senior-management",
    cmd.AnswerComplaint: "senior-management",
    cmd.TellComplaintRight: "pit-manager",
    cmd.CloseDispute: "pit-manager",
}
THEIR_OWN = (
    cmd.PlaceWager,
    cmd.ReduceWager,
    cmd.AnswerOffer,
    cmd.LookAtCards,
    cmd.DeclineCards,
    cmd.RequestSqueeze,
    cmd.TakeDevice,
    cmd.GiveUpDevice,
    cmd.DealNow,
    cmd.OpenDispute,
)


# what a patron says in a dispute, and staff can enter for the patron
THEIR_WORD = (cmd.AnswerDecision, cmd.ConfirmReceipt, cmd.FileComplaint)
# acts that no clause gives to anybody
BY_TWO = (
    cmd.FindWager,
    cmd.CorrectWager,
    cmd.CorrectCard,
    cmd.PayAward,
    cmd.AnswerComplaint,
    cmd.RecordConfirmation,
    cmd.HoldMoney,
    cmd.DecideHeldMoney,
    cmd.CountOpener,
    cmd.FillChips,
    cmd.ReturnChips,
    cmd.VoidSlip,
    cmd.CountCloser,
)


def _authoriser(dice: Dice, scene: Scene, body: cmd.Body) -> str | None:
    """A second person where two are needed, and seldom elsewhere."""
    if isinstance(body, cmd.CountDrop):
        return COUNTERS[1] if chance(dice, 90) else None
    payment = isinstance(body, cmd.ReportIrregularity) and body.situation is Situation.WRONG_PAYMENT
    payment = payment or (isinstance(body, cmd.Rule) and "take-back" in (body.choice, *body.also))
    if isinstance(body, cmd.AnswerDecision) and chance(dice, 40):
        return pick(dice, scene.house.form.posts)
    if chance(dice, 90 if payment or isinstance(body, BY_TWO) else 4):
        return pick(dice, (*scene.house.form.posts, *scene.house.form.posts, *PATRONS))
    return None


def _actor(dice: Dice, scene: Scene, body: cmd.Body) -> str:  # noqa: PLR0911 - one case a kind
    """Mostly whoever may do it, sometimes anybody."""
    posts = scene.house.form.posts
    if chance(dice, scene.temper.impostors):
        return pick(dice, (*posts, *PATRONS, STRANGER, TABLE))
    table = _table(scene)
    if isinstance(body, cmd.SetUpTable | cmd.ChangeTable):
        return TABLE
    if isinstance(body, cmd.CountDrop):
        return COUNTERS[0]
    if isinstance(body, THEIR_OWN):
        return body.patron
    if isinstance(body, cmd.BuyCredits | cmd.CashOut) and chance(dice, 70):
        return body.terminal
    if isinstance(body, cmd.ConfirmCredits) and table.credit_requests:
        return table.credit_requests[-1].terminal
    if isinstance(body, THEIR_WORD) and chance(dice, 60):
        return next((each.patron for each in table.disputes if each.id == body.id), "dealer")
    if isinstance(body, cmd.WithdrawReport) and table.case is not None:
        return table.case.by if table.case.by != TABLE else "dealer"
    if isinstance(body, cmd.DrawCard) and table.method is Method.C and table.device_holder:
        return table.device_holder
    if isinstance(body, cmd.ExposeCards) and table.round:
        held = [each.patron for each in table.round.holdings if each.hand is body.hand]
        return held[0] if held else "dealer"
    if isinstance(body, cmd.Rule) and table.case is not None and table.case.waits is not None:
        effect = table.case.effects[table.case.done]
        covered = scene.rulebook.document.authority.not_covered
        return str(getattr(effect, "by", None) or (covered.post if covered else posts[-1]))
    return POSTS.get(type(body), "dealer")
