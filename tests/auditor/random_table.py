"""A table on which chance plays every part: a game with a house and limits of its own, and its people."""

import datetime
import random
import typing
from collections import Counter

import msgspec
from auditor.recounting import recount
from msgspec import Struct
from msgspec.structs import replace

from thirdcard.auditor.findings import Finding
from thirdcard.game import commands as cmd
from thirdcard.game import events as ev
from thirdcard.game.apply import fold
from thirdcard.game.decide import decide
from thirdcard.game.state import PlacedWager, Table
from thirdcard.game.table_setup import Automatic, Device, PostedLimit, Setup
from thirdcard.money import Rounding
from thirdcard.refusals import Refused
from thirdcard.rulebook.book import Rulebook
from thirdcard.rulebook.facts import PairRule, Winner
from thirdcard.rulebook.house import House
from thirdcard.rulebook.irregularity import Area
from thirdcard.rulebook.shelf import SHIPPED

NOON = datetime.datetime(2025, 6, 2, 12, tzinfo=datetime.UTC)
PATRONS = ("Ann", "Bob", "Cy", "Di", "Eve")
UNITS = (("0.01", 1), ("0.01", 1), ("0.05", 5), ("0.50", 50), ("1", 100))
STAFF = "Table"  # a table may do by itself what any member of staff may


class Played(Struct, frozen=True):
    """The results of a table: rounds, wagers, how often each kind of thing happened, and the findings."""

    game: str
    rounds: int
    wagers: int
    kinds: Counter[str]
    findings: tuple[Finding, ...]


def random_house(chance: random.Random, book: Rulebook) -> House:
    """The house of a game with another smallest unit, rounding and reading of pairs."""
    house = SHIPPED.house(book.document.house)
    text, unit = chance.choice(UNITS)
    rounding = replace(house.form.rounding, smallest_unit=text, payments=chance.choice(list(Rounding)))
    settings = replace(house.form.settings, pair_rule=chance.choice(list(PairRule)))
    return House(form=replace(house.form, rounding=rounding, settings=settings), unit=unit)


def _setup(chance: random.Random, book: Rulebook, house: House) -> Setup:
    document = book.document
    variant = book.id.partition("/")[2] or None
    drawn = [each for each in document.layouts.layout if not each.assumed]
    layouts = [each for each in drawn if each.variant in (None, variant)]
    layout = chance.choice(layouts) if layouts else None
    needs_reader = any(item.id == "card-reading-shoe" for item in document.equipment)
    devices = (Device.CARD_READING,) if needs_reader else (Device.ELECTRONIC, Device.ELECTRONIC, *Device)
    limits = _limits(chance, book)
    main = next(each for each in limits if each.wager == "player")
    return Setup(
        table=STAFF,
        game=book.id,
        house=house.id,
        layout=layout.id if layout else None,
        positions=layout.most if layout else 0,
        area=chance.choice((Area.MAIN_FLOOR, Area.MAIN_FLOOR, Area.HIGH_LIMIT)),
        device=chance.choice(devices),
        decks=chance.choice((document.decks.least, document.decks.usual)),
        terminal=document.table == "terminal",
        face_down=chance.random() < 0.5,
        automatic=chance.choice(
            ((Automatic.EXPOSE, Automatic.CALL), (Automatic.EXPOSE, Automatic.CALL), (Automatic.EXPOSE,), ())
        ),
        limits=limits,
        differential=main.maximum * chance.choice((1, 2, 6)) // 2,
    )


def _limits(chance: random.Random, book: Rulebook) -> tuple[PostedLimit, ...]:
    """Limits by kind of wager, at some tables for every wager by itself."""

    def drawn(wager: str) -> PostedLimit:
        minimum = 100 * chance.choice((1, 5, 10, 50))
        return PostedLimit(wager, minimum, minimum * chance.choice((3, 10, 100)))

    by_kind = {kind: drawn(kind) for kind in ("main", "side")}
    single = chance.random() < 0.3
    return tuple(
        drawn(each.id) if single else replace(by_kind[each.kind.value], wager=each.id)
        for each in book.wagers.values()
    )


DECIDED = {
    "release": "released",
    "settle": "settled later",
    "hand-back": "handed back",
    "seize": "seized",
}
BY_TWO = (
    cmd.RecordConfirmation,
    cmd.HoldMoney,
    cmd.DecideHeldMoney,
    cmd.FindWager,
    cmd.CorrectCard,
    cmd.ReportIrregularity,
    cmd.Rule,
    cmd.EnterSortedCards,
    cmd.DecideDispute,
    cmd.PayAward,
    cmd.WithdrawReport,
    cmd.DisproveFacts,
)


class RandomTable:
    """A table from its set-up on, and everything that was written down there."""

    def __init__(self, chance: random.Random, book: Rulebook, house: House) -> None:
        self.chance = chance
        self.book = book
        self.house = house
        self.rounds = 0
        self.wagers = 0
        self.kinds: Counter[str] = Counter()
        self.bodies: list[dict[str, object]] = []
        self.table: Table | None = None
        self.do(cmd.SetUpTable(setup=_setup(chance, book, house)))
        for post in house.form.posts:
            self.do(cmd.ComeOnDuty(person=post, post=post))
        for item in book.document.equipment:
            self.do(cmd.TickEquipment(item=item.id), house.form.facts_confirmed_by)
        confirmer = house.form.not_covered_decided_by
        confirmation = cmd.RecordConfirmation(reference="R", date=datetime.date(2025, 1, 1))
        self.do(confirmation, confirmer)
        self.do(cmd.OpenTable())
        for patron in PATRONS[:4]:
            self.come(patron)

    @property
    def now(self) -> Table:
        """The table as it is."""
        assert self.table is not None
        return self.table

    def do(self, body: cmd.Body, actor: str = STAFF) -> bool:
        """Ask the engine for something; whether it was done."""
        actor, second = self.people(body, actor)
        envelope = cmd.Envelope(actor=actor, received_at=NOON, command_id="c", authoriser=second)
        result = decide(self.book, self.house, self.table, cmd.Command(body, envelope))
        if isinstance(result, Refused):
            self.kinds["refused"] += 1
            return False
        for event in result:
            self.table = fold(self.table, event)
            self.note(event)
        return True

    def people(self, body: cmd.Body, actor: str) -> tuple[str, str | None]:
        """The actor, and a second person for what no clause gives to anybody; a table is none of two."""
        if not isinstance(body, BY_TWO):
            return actor, None
        return self.house.form.posts[0] if actor == STAFF else actor, self.house.form.posts[1]

    def note(self, event: ev.Event) -> None:
        """Write an event down, and count what is of interest in it."""
        self.bodies.append(msgspec.to_builtins(event))
        self.kinds[str(event.__struct_config__.tag)] += 1
        if isinstance(event, ev.IrregularityReported):
            self.kinds[f"reported {event.case.situation.value}"] += 1
        if isinstance(event, ev.HeldMoneyDecided):
            self.kinds[DECIDED[event.choice]] += 1
        if not isinstance(event, ev.RoundSettled):
            return
        self.wagers += len(event.wagers)
        facts = self.now.round.facts if self.now.round else None
        self.kinds["tie"] += facts is not None and facts.winner is Winner.TIE
        limits = {each.wager: each for each in self.now.setup.limits}
        for each in event.wagers:
            limit = limits[each.wager]
            self.kinds[each.result] += 1
            self.kinds["under the minimum"] += each.stake < limit.minimum
            self.kinds["marked"] += each.result == "returned" and each.stake < limit.minimum
            self.kinds["over the maximum"] += each.stake > limit.maximum
            self.kinds["scaled"] += each.in_action not in (0, each.stake, limit.maximum)
            self.kinds["pulled"] += each.pulled > 0
            self.kinds["pulled in part"] += 0 < each.pulled < each.stake
            self.kinds["commission"] += each.commission > 0
            self.kinds["rounded"] += each.rounded_over != 0

    def happens(self, probability: float) -> bool:
        """Whether something happens."""
        return self.chance.random() < probability

    def recounted(self) -> Played:
        """The recount of everything that was written down."""
        findings = recount(self.book.document, self.house.form, self.bodies)
        return Played(self.book.id, self.rounds, self.wagers, self.kinds, findings)

    # people

    def come(self, patron: str) -> None:
        """A patron comes, and at a terminal buys credits."""
        positions = self.now.setup.positions
        position = self.chance.randint(1, positions) if positions else None
        self.do(cmd.ComeToTable(patron=patron, position=position, seated=self.happens(0.8)))
        if self.now.setup.terminal:
            amount = self.chance.choice((100_000_000, 1_000_000, 50_000))
            self.do(cmd.BuyCredits(terminal=patron, amount=amount), patron)

    def come_or_go(self, patron: str | None = None) -> None:
        """Somebody comes, perhaps back to wagers left lying, or goes with the credits of the terminal."""
        patron = patron or self.chance.choice(PATRONS)
        if all(each.name != patron or each.gone for each in self.now.patrons):
            self.come(patron)
        else:
            self.cash_out(patron)
            self.do(cmd.LeaveTable(patron=patron))

    def cash_out(self, patron: str) -> None:
        """A patron turns all credits of a terminal into money."""
        held = next((each.credits for each in self.now.credits if each.terminal == patron), 0)
        if held > 0:
            self.do(cmd.CashOut(terminal=patron, amount=held), patron)

    # wagers

    def stake(self, wager: str) -> int:
        """A stake: mostly within the posted limits, now and then at one of them or outside."""
        limit = next(each for each in self.now.setup.limits if each.wager == wager)
        least, most, unit = limit.minimum, limit.maximum, self.house.unit
        kind = self.chance.random()
        if kind < 0.1:
            return self.chance.choice((least, most, most - unit, least + unit))
        if kind < 0.15:
            return self.chance.choice((least - unit, most + unit, unit))
        return unit * self.chance.randint(least // unit, most // unit)

    def spot(self) -> tuple[str, str, int | None]:
        """A patron, a wager and a position; every other wager is on one of the hands."""
        names = [each.name for each in self.now.patrons]
        wager = self.chance.choice(("player", "banker") if self.happens(0.5) else tuple(self.book.wagers))
        positions = self.now.setup.positions
        return self.chance.choice(names), wager, self.chance.randint(1, positions) if positions else None

    def place(self) -> None:
        """Place a wager or add to one, in time or too late."""
        if not self.now.patrons:
            return
        patron, wager, position = self.spot()
        body = cmd.PlaceWager(patron=patron, wager=wager, amount=self.stake(wager), position=position)
        self.do(body, patron)

    def lying(self) -> PlacedWager | None:
        """Some wager on the layout."""
        return self.chance.choice(self.now.wagers) if self.now.wagers else None

    def take_off(self) -> None:
        """A patron takes a wager away, or a part of it: in time it is gone, too late it stays in action."""
        each = self.lying()
        if each is None:
            return
        units = each.stake // self.house.unit
        amount = each.stake if self.happens(0.4) else self.house.unit * self.chance.randint(1, max(units, 1))
        body = cmd.ReduceWager(patron=each.patron, wager=each.wager, amount=amount, position=each.position)
        self.do(body, each.patron)

    def hold(self) -> None:
        """The chips of a wager may be counterfeit."""
        each = self.lying()
        if each is not None and not self.now.setup.terminal:
            self.do(cmd.HoldMoney(patron=each.patron, wager=each.wager, position=each.position), "dealer")

    def decide_held(self) -> None:
        """Somebody decides about money that is held, in any way that is open."""
        for each in self.now.held:
            choice = self.chance.choice(typing.get_args(cmd.HeldChoice))
            body = cmd.DecideHeldMoney(id=each.id, choice=choice, found="so")
            grant = self.book.document.authority.not_covered
            self.do(body, grant.post if grant else self.house.form.not_covered_decided_by)

    def find(self) -> None:
        """A wager is found that lies there against the limits, or within them."""
        if not self.now.patrons:
            return
        patron, wager, position = self.spot()
        each = self.lying()
        if each is not None and self.happens(0.3):  # more chips beside some that are known
            patron, wager, position = each.patron, each.wager, each.position
        limit = next(each for each in self.now.setup.limits if each.wager == wager)
        unit = self.house.unit
        least, most = limit.minimum // unit, limit.maximum // unit
        outside = self.chance.choice(((1, least), (most, 3 * most), (least, most)))
        amount = unit * self.chance.randint(*outside)
        self.do(
            cmd.FindWager(
                reason="seen on the felt", patron=patron, wager=wager, amount=amount, position=position
            )
        )
