"""Random rounds of all six games, played through the engine and recounted from what was written down.

Everything hangs on one seed. A table is a game with a house and posted limits of its own; on it go wagers
within the limits, wagers found under the minimum and over the maximum, patrons who come, go and are marked,
stakes beyond the differential, chips pulled too late, and rounds that are void, taken back or laid again.
"""

import datetime
import random
from collections import Counter
from collections.abc import Iterator

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from thirdcard.auditor.findings import Finding
from thirdcard.auditor.recount import recount
from thirdcard.cards import Card, Rank
from thirdcard.game import commands as cmd
from thirdcard.game import events as ev
from thirdcard.game.apply import apply_all, begin
from thirdcard.game.decide import decide
from thirdcard.game.limits import gap_of, heavier_hand, limit_of
from thirdcard.game.state import Automatic, Device, Hand, Phase, PlacedWager, PostedLimit, Setup, Table, Wait
from thirdcard.money import Rounding
from thirdcard.refusals import Refused
from thirdcard.rulebook.book import Rulebook
from thirdcard.rulebook.facts import PairRule, Winner
from thirdcard.rulebook.house import House
from thirdcard.rulebook.irregularity import Area, SettleProRata, Situation
from thirdcard.rulebook.shelf import all_rulebooks, shelf_house

NOON = datetime.datetime(2025, 6, 2, 12, tzinfo=datetime.UTC)
PATRONS = ("Ann", "Bob", "Cy", "Di", "Eve")
ROUNDS_AT_A_TABLE = 40
UNITS = (("0.01", 1), ("0.01", 1), ("0.05", 5), ("0.50", 50), ("1", 100))
STAFF = "Table"  # a table may do by itself what any member of staff may


class Played(Struct, frozen=True):
    """What came of a table: rounds, wagers, how often each kind of thing happened, and what was found."""

    game: str
    rounds: int
    wagers: int
    kinds: Counter[str]
    findings: tuple[Finding, ...]


def play(rounds: int, seed: int) -> Iterator[Played]:
    """So many random rounds, table by table; the same seed plays the same rounds."""
    chance = random.Random(seed)
    books = all_rulebooks()
    played = 0
    while played < rounds:
        book = books[chance.randrange(len(books))]
        table = RandomTable(chance, book, _house(chance, book))
        for _ in range(min(ROUNDS_AT_A_TABLE, rounds - played)):
            table.play_round()
        played += table.rounds
        yield table.recounted()


def _house(chance: random.Random, book: Rulebook) -> House:
    """The house of a game with another smallest unit, rounding and reading of pairs."""
    house = shelf_house(book.document.house)
    text, unit = chance.choice(UNITS)
    rounding = replace(house.form.rounding, smallest_unit=text, payments=chance.choice(list(Rounding)))
    settings = replace(house.form.settings, pair_rule=chance.choice(list(PairRule)))
    return House(form=replace(house.form, rounding=rounding, settings=settings), unit=unit)


def _setup(chance: random.Random, book: Rulebook, house: House) -> Setup:
    document = book.document
    variant = book.id.partition("/")[2] or None
    layouts = [each for each in document.layouts.layout if each.variant in (None, variant)]
    layout = chance.choice(layouts) if layouts else None
    needs_reader = any(item.id == "card-reading-shoe" for item in document.equipment)
    minimum = {kind: 100 * chance.choice((1, 5, 10, 50)) for kind in ("main", "side")}
    maximum = {kind: minimum[kind] * chance.choice((3, 10, 100)) for kind in ("main", "side")}
    return Setup(
        table=STAFF,
        game=book.id,
        house=house.id,
        layout=layout.id if layout else None,
        positions=layout.most if layout else 0,
        area=Area.MAIN_FLOOR,
        device=Device.CARD_READING if needs_reader else Device.ELECTRONIC,
        decks=document.decks.usual,
        terminal=document.table == "terminal",
        face_down=False,
        automatic=(Automatic.EXPOSE, Automatic.CALL) if chance.random() < 0.8 else (),
        limits=tuple(
            PostedLimit(each.id, minimum[each.kind.value], maximum[each.kind.value])
            for each in book.wagers.values()
        ),
        differential=maximum["main"] * chance.choice((1, 2, 6)) // 2,
    )


class RandomTable:
    """A table on which chance plays every part."""

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
            self.do(cmd.TickEquipment(item=item.id))
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
        envelope = cmd.Envelope(actor=actor, received_at=NOON, command_id="c")
        result = decide(self.book, self.house, self.table, cmd.Command(body, envelope))
        if isinstance(result, Refused):
            self.kinds["refused"] += 1
            return False
        for event in result:
            self.table = begin(event) if isinstance(event, ev.TableSetUp) else apply_all(self.now, (event,))
            self.note(event)
        return True

    def note(self, event: ev.Event) -> None:
        """Write an event down, and count what is of interest in it."""
        self.bodies.append(msgspec.to_builtins(event))
        self.kinds[str(event.__struct_config__.tag)] += 1
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
            self.kinds["commission"] += each.commission > 0
            self.kinds["rounded"] += each.rounded_over != 0

    def happens(self, probability: float) -> bool:
        """Whether something happens."""
        return self.chance.random() < probability

    def come(self, patron: str) -> None:
        """A patron comes, and at a terminal buys credits."""
        positions = self.now.setup.positions
        position = self.chance.randint(1, positions) if positions else None
        self.do(cmd.ComeToTable(patron=patron, position=position))
        if self.now.setup.terminal:
            self.do(cmd.BuyCredits(terminal=patron, amount=100_000_000))

    def play_round(self) -> None:
        """One round, whatever becomes of it."""
        self.rounds += 1
        self.between_rounds()
        if self.now.free_hand_by:
            self.do(cmd.DealFreeHand())
            self.deal(free=True)
            return
        self.do(cmd.OpenBetting())
        for _ in range(self.chance.choice((1, 2, 2, 3, 3, 4, 6))):
            self.place()
        if self.now.wagers and self.happens(0.05):
            each = self.chance.choice(self.now.wagers)
            self.reduce(each, each.stake if self.happens(0.5) else self.house.unit)
        if self.happens(0.95):
            self.do(cmd.CloseBetting())
        if self.now.phase is Phase.CLOSED:
            self.trouble_before_cards()
        self.meet_differential()
        self.deal(free=False)
        self.after_the_round()

    def between_rounds(self) -> None:
        """New cards where they are due, and patrons who go and come."""
        shoe = self.now.shoe
        if (
            shoe is None
            or shoe.left < 20
            or shoe.replace_by
            or (self.now.strays and not self.now.free_hand_by)
        ):
            self.do(cmd.LoadShoe(decks=self.now.setup.decks))
        if self.happens(0.08):
            patron = self.chance.choice(PATRONS)
            if any(each.name == patron for each in self.now.patrons):
                self.do(cmd.LeaveTable(patron=patron))
            else:
                self.come(patron)

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
        """Place a wager or add to one."""
        if not self.now.patrons:
            return
        patron, wager, position = self.spot()
        self.do(
            cmd.PlaceWager(patron=patron, wager=wager, amount=self.stake(wager), position=position), patron
        )

    def reduce(self, each: PlacedWager, amount: int) -> None:
        """Take chips off a wager; too late at some tables they are pulled."""
        body = cmd.ReduceWager(patron=each.patron, wager=each.wager, amount=amount, position=each.position)
        self.do(body, each.patron)

    def trouble_before_cards(self) -> None:
        """After closing: chips pulled, wagers found, and now and then a void."""
        if self.now.wagers and self.happens(0.06):
            each = self.chance.choice(self.now.wagers)
            self.reduce(each, each.stake)
        self.find(0.3)
        begun = self.now.round is not None and not self.now.round.ended
        if begun and self.happens(0.005):
            self.void()

    def find(self, probability: float) -> None:
        """Find wagers that lie there against the limits; nothing is found on chips that were pulled."""
        while not self.now.setup.terminal and self.now.patrons and self.happens(probability):
            patron, wager, position = self.spot()
            limit = next(each for each in self.now.setup.limits if each.wager == wager)
            unit = self.house.unit
            amount = unit * self.chance.choice(
                (
                    self.chance.randint(1, limit.minimum // unit),
                    self.chance.randint(limit.maximum // unit, 3 * limit.maximum // unit),
                    self.chance.randint(limit.minimum // unit, limit.maximum // unit),
                )
            )
            there = [each for each in self.now.wagers if (each.patron, each.wager) == (patron, wager)]
            if not any(each.pulled for each in there):
                self.do(cmd.FindWager(patron=patron, wager=wager, amount=amount, position=position))

    def meet_differential(self) -> None:
        """Wagers come off before the first card, unless the document scales them at the settlement."""
        document = self.book.document
        if document.limits is None or self.now.phase not in (Phase.BETTING, Phase.CLOSED):
            return
        rows = document.irregularities
        if any(isinstance(effect, SettleProRata) for row in rows for effect in row.effects):
            return
        while gap_of(self.now) > self.now.setup.differential:
            self.do(cmd.AskToDecreaseWagers())
            excess = gap_of(self.now) - self.now.setup.differential
            hand = heavier_hand(self.now).value
            each = self.chance.choice([each for each in self.now.wagers if each.wager == hand])
            amount = -(-excess // self.house.unit) * self.house.unit
            if each.stake - amount < limit_of(self.now, hand).minimum:
                amount = each.stake
            self.do(
                cmd.RemoveWager(patron=each.patron, wager=each.wager, amount=amount, position=each.position),
                "pit-manager",
            )

    def deal(self, *, free: bool) -> None:
        """Cards until the round is over; in some rounds few ranks, so that pairs and ties come."""
        ranks = list(Rank) if self.happens(0.5) else self.chance.sample(list(Rank), 3)
        trouble = self.chance.randrange(5) if self.happens(0.08) and not free else None
        drawn = 0
        while self.now.phase in (Phase.BETTING, Phase.CLOSED, Phase.DEALING) and drawn < 12:
            if trouble is not None and drawn == trouble:
                self.trouble()
                trouble = None
                continue
            drawn += 1
            self.do(cmd.DrawCard(card=Card(self.chance.choice(ranks)), despite_differential=True))
            if self.now.phase is Phase.DEALING:
                if not free:
                    self.find(0.02)
                    self.pull_in_the_deal()
                self.open_cards()
        if self.now.phase is Phase.OUTCOME:
            self.call(free=free)
        assert self.now.phase is Phase.IDLE, self.now.phase

    def pull_in_the_deal(self) -> None:
        """A patron takes chips away while cards are dealt."""
        if self.now.wagers and self.happens(0.01):
            each = self.chance.choice(self.now.wagers)
            self.reduce(each, each.stake)

    def open_cards(self) -> None:
        """At a table that does nothing by itself the hands are opened once four cards lie there."""
        current = self.now.round
        if self.now.setup.automatic or current is None or len(current.cards) < 4:
            return
        for hand in Hand:
            closed = [each for each in current.cards if each.hand is hand and each.state.value != "exposed"]
            if closed and self.now.phase is Phase.DEALING:
                self.do(cmd.ExposeCards(hand=hand))
        self.card_in_error()

    def card_in_error(self) -> None:
        """Where the document has a free hand: a third card goes to a Player hand that stands."""
        current = self.now.round
        if self.book.document.free_hand is None or current is None or len(current.cards) != 4:
            return
        player = [each.card.rank for each in current.cards if each.hand is Hand.PLAYER and each.card]
        stands = sum(rank.point_value for rank in player) % 10 >= 6
        if stands and not current.free and self.now.phase is Phase.DEALING and self.happens(0.3):
            self.report_card(Situation.UNAUTHORISED_PLAYER_CARD)

    def report_card(self, situation: Situation) -> None:
        """A card that nobody should have drawn lies open."""
        card = Card(self.chance.choice(list(Rank)))
        self.do(cmd.ReportIrregularity(situation=situation, cards=(card,), seen=True))
        self.settle_case()

    def call(self, *, free: bool) -> None:
        """The outcome is known and not called: wagers may be found, the call may be wrong, the round void."""
        if not free:
            self.find(0.1)
            if self.happens(0.05):
                self.void()
                return
            if self.book.document.free_hand and self.happens(0.1):
                self.report_card(Situation.UNAUTHORISED_BANKER_CARD)
        self.do(cmd.CallOutcome(winner=self.chance.choice(list(Winner))))

    def void(self) -> None:
        """A foreign card is found."""
        self.do(cmd.ReportIrregularity(situation=Situation.FOREIGN_CARD))
        self.settle_case()

    def trouble(self) -> None:
        """Something goes wrong while cards are dealt."""
        current = self.now.round
        cards = tuple(each.card for each in current.cards if each.card) if current else ()
        kind = self.chance.random()
        if kind < 0.6 or self.now.phase is not Phase.DEALING:
            if current is not None and not current.ended:
                self.void()
            return
        if kind < 0.68:
            self.do(cmd.ReportIrregularity(situation=Situation.POWER_FAILURE))
        elif kind < 0.84:
            told = tuple(self.chance.sample(cards, len(cards)))
            self.do(cmd.ReportIrregularity(situation=Situation.WRONG_ORDER, cards=told))
        elif kind < 0.95:
            pair = tuple(Card(self.chance.choice(list(Rank))) for _ in range(2))
            known = self.happens(0.5)
            report = cmd.ReportIrregularity(situation=Situation.CARDS_TOGETHER, cards=pair, order_known=known)
            self.do(report)
        else:
            self.do(cmd.ReportIrregularity(situation=Situation.DEVICE_RESET))
        self.settle_case()

    def settle_case(self) -> None:
        """Everybody whom an irregularity waits for says something."""
        for _ in range(40):
            case, offer = self.now.case, self.now.offer
            if case is None:
                break
            if offer is not None:
                patron = next(each for each in offer.asked if each not in offer.answered)
                self.do(cmd.AnswerOffer(patron=patron, withdraw=self.happens(0.5)), patron)
            elif case.waits is Wait.CONFIRMATION:
                self.do(cmd.ConfirmFacts(), "pit-manager")
            else:
                self.rule()
        assert self.now.case is None
        if self.now.phase is Phase.BETTING:
            self.place()
            self.do(cmd.CloseBetting())
        self.meet_differential()

    def rule(self) -> None:
        """The highest post rules."""
        case = self.now.case
        assert case is not None
        highest = self.house.form.posts[-1]
        if case.waits is Wait.CARD_ORDER:
            self.do(cmd.Rule(choice="order", cards=case.cards[::-1]), highest)
            return
        choices = ("void-round", "continue") if case.waits is Wait.DECISION else ("allow", "deny")
        self.do(cmd.Rule(choice=self.chance.choice(choices), text="so be it"), highest)

    def after_the_round(self) -> None:
        """A finished round comes up again before the next is opened, or the next card is known."""
        current = self.now.round
        if self.book.document.free_hand and self.happens(0.02):
            self.report_card(Situation.NEXT_CARD_KNOWN)
            return
        if current is None or current.void or not self.happens(0.03):
            return
        cards = tuple(each.card for each in current.cards if each.card)
        told = tuple(self.chance.sample(cards, len(cards)))
        terminal = self.now.setup.terminal
        situation = Situation.WRONG_NUMBER_OF_CARDS if terminal else Situation.WRONG_ORDER
        known = self.happens(0.6)
        self.do(
            cmd.ReportIrregularity(
                situation=situation, cards=told if known else (), reconstructable=known or not terminal
            )
        )
        self.settle_case()
        while self.now.phase is Phase.DEALING:
            self.do(cmd.DrawCard(card=Card(self.chance.choice(list(Rank)))))
            self.open_cards()
        if self.now.phase is Phase.OUTCOME:
            self.call(free=False)

    def recounted(self) -> Played:
        """The recount of everything that was written down."""
        findings = recount(self.book.document, self.house.form, self.bodies)
        return Played(self.book.id, self.rounds, self.wagers, self.kinds, findings)
