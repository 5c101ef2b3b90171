"""Drills by seed: something goes wrong at a random place of a random round, and how to handle it."""

import contextlib
import random
from collections.abc import Callable

from thirdcard.cards import NEW_DECK, Card
from thirdcard.game.desk import QueryDesk
from thirdcard.game.irregularities.rulings import choices_of
from thirdcard.game.limits import limit_of
from thirdcard.game.state import Case, Hand, Phase, Table, Wait
from thirdcard.messages import FIRST_LANGUAGE, say
from thirdcard.money import format_amount
from thirdcard.refusals import Refusal, Refused
from thirdcard.roundfile.actions import bodies_of
from thirdcard.roundfile.parse import RoundRules, parse
from thirdcard.roundfile.set_up import Player
from thirdcard.rulebook.book import Rulebook
from thirdcard.rulebook.facts import Winner
from thirdcard.rulebook.house import House
from thirdcard.rulebook.irregularity import Preset
from thirdcard.training.drill import Drill, read_drill
from thirdcard.training.staff_names import set_up_for_training, staff_name
from thirdcard.training.titles import FAULT_PACK, seeded_title
from thirdcard.views.next_actions import NextStep, due_at

BEFORE = 2  # at most so many ordinary rounds come first
MOST_TRIES = 12  # of a fault that needs cards of its kind
DECIDED_SO = "because it is so decided"
# decisions in the order in which a post of the program takes them
USUAL = (Preset.CONTINUE, Preset.PLAY_CARD, Preset.BURN_CARD, Preset.VOID_ROUND, Preset.RETURN_WAGERS)
PATRONS = ("Ann", "Bob")
# what the head of a table says where patrons handle the cards: by a method, or because cards are face down
BY_PATRONS, FACE_DOWN = ("method A",), ("face-down",)


HeadLines = tuple[str, ...]


class NoFault(Exception):
    """A fault that cannot happen at this point of this game."""


class FaultWriter:
    """Writes a drill line by line, and plays each line as it is written."""

    def __init__(
        self, rulebook: Rulebook, house: House, chance: random.Random, head: tuple[str, ...]
    ) -> None:
        self.rulebook, self.house, self.chance = rulebook, house, chance
        self.terminal = rulebook.document.table == "terminal"
        self.dealer = staff_name(house.form.posts[0])
        seats = ", ".join(f"{name} at {at}" for at, name in enumerate(PATRONS, start=1))
        patrons = ", ".join(PATRONS) if self.terminal else seats
        self.lines = [f"game {rulebook.id}", f"house {house.id}", *head, f"patrons {patrons}"]
        settings = parse("\n".join(self.lines), RoundRules(house=house)).settings
        self.player = Player(rulebook, house, settings.start)
        set_up_for_training(self.player, settings)
        for name in PATRONS if self.terminal else ():
            self.write(name, "buys 20000 credits")

    @property
    def table(self) -> Table:
        """The table as it is by now."""
        return self.player.standing

    def at(self, name: str) -> str:
        """Return the position of a patron as a line has it."""
        return "" if self.terminal else f" at {PATRONS.index(name) + 1}"

    def write(self, who: str, what: str, *, gap: bool = False) -> None:
        """Write a line and play it, by two people where one is not enough."""
        bodies = bodies_of(what, who, self.house.currency)
        assert bodies is not None
        by, result = who, self.player.do_all(bodies, who)
        if isinstance(result, Refused) and result.reason is Refusal.SECOND_PERSON_NEEDED:
            other = staff_name(self.house.form.facts_confirmed_by)
            second = other if other != who else self.dealer
            by, result = f"{who} with {second}", self.player.do_all(bodies, who, second)
        if isinstance(result, Refused):
            raise NoFault(what)
        self.lines.append(f"{'? ' if gap else ''}{by}: {what}")

    # ordinary play

    def bets(self) -> None:
        """Open betting and let everybody place a wager."""
        self.write(self.dealer, "opens betting")
        for name, wager in zip(PATRONS, ("player", "banker"), strict=True):
            least = limit_of(self.table, wager).minimum
            amount = format_amount(least * self.chance.randint(1, 4), self.house.currency)
            self.write(name, f"{amount} on {wager}{self.at(name)}")

    def card(self) -> Card:
        """Return any card."""
        return self.chance.choice(NEW_DECK)

    def deal(self, most: int) -> None:
        """Deal so many cards, or as many as the hands take."""
        for _ in range(most):
            if self.due is not NextStep.CARD:
                return
            self.write(self.dealer, f"draws {self.card().text}")

    @property
    def due(self) -> NextStep | None:
        """The step that the table waits for."""
        awaited = due_at(self.rulebook, self.house, self.table).awaited
        return awaited.step if awaited else None

    @property
    def due_hand(self) -> Hand:
        """The hand that takes the next card."""
        awaited = due_at(self.rulebook, self.house, self.table).awaited
        if awaited is None or awaited.hand is None:
            raise NoFault("no card is due")
        return awaited.hand

    def finish(self) -> None:
        """Play the round to its end, in the ordinary way."""
        while what := self._ordinary():
            self.write(self.dealer, what)

    def _ordinary(self) -> str:
        """Return what the Dealer does next where nothing is wrong; nothing where others are to act."""
        match self.due:
            case NextStep.CLOSE_BETTING:
                return "closes betting"
            case NextStep.CARD:
                return f"draws {self.card().text}"
            case _:
                return ""

    # the right way

    def handle(self) -> None:
        """Do what the cases under way wait for, each by the post that may."""
        while (case := self.table.case) is not None and (case.waits is not None or case.offer is not None):
            self._handle(case)

    def _handle(self, case: Case) -> None:
        """Do the next thing that a case waits for."""
        due = due_at(self.rulebook, self.house, self.table)
        who = staff_name(due.post) if due.post else self.dealer
        if case.offer is not None:
            patron = next(name for name in case.offer.asked if name not in case.offer.answered)
            self.write(patron, self.chance.choice(("stays", "withdraws")))
            return
        match case.waits:
            case Wait.CONFIRMATION:
                self.write(who, "confirms", gap=True)
            case Wait.PERMISSION:
                self.write(who, f"rules {self.chance.choice(('allow', 'deny'))}", gap=True)
            case Wait.CARD_ORDER:
                faces = " ".join(card.text if card else "?" for card in case.cards)
                self.write(who, f"rules order {faces}", gap=True)
            case _:  # a decision: no fault leads to a case that waits for sorted cards
                able = choices_of(QueryDesk(self.rulebook, self.house, self.table), case)
                choice = next(each for each in (*USUAL, *able) if each in able)
                self.write(who, f"rules {choice} {DECIDED_SO}", gap=True)


def _wrong_hand(drill: FaultWriter) -> None:
    drill.bets()
    drill.write(drill.dealer, "closes betting")
    drill.deal(drill.chance.randrange(5))
    other = Hand.BANKER if drill.due_hand is Hand.PLAYER else Hand.PLAYER
    drill.write(drill.dealer, f"draws {drill.card().text} to {other.value}", gap=True)


def _together(drill: FaultWriter) -> None:
    drill.bets()
    drill.write(drill.dealer, "closes betting")
    drill.deal(drill.chance.randrange(4))
    cards = f"{drill.card().text} {drill.card().text}"
    order = drill.chance.choice(("known", "unknown"))
    drill.write(drill.dealer, f"draws {cards} together, order {order}", gap=True)


def _late_chip(drill: FaultWriter) -> None:
    drill.bets()
    drill.write(drill.dealer, "closes betting")
    drill.deal(drill.chance.randrange(2))
    name = drill.chance.choice(PATRONS)
    wager = ("player", "banker")[PATRONS.index(name)]
    amount = format_amount(limit_of(drill.table, wager).minimum, drill.house.currency)
    drill.write(drill.dealer, f"for {name} {amount} on {wager}{drill.at(name)}", gap=True)


def _wrong_call(drill: FaultWriter) -> None:
    drill.bets()
    drill.write(drill.dealer, "closes betting")
    drill.deal(6)
    facts = drill.table.round.facts if drill.table.round else None
    assert facts is not None
    others = [each for each in Winner if each is not facts.winner]
    drill.write(drill.dealer, f"calls {drill.chance.choice(others).value}", gap=True)


def _left_with_cards(drill: FaultWriter) -> None:
    drill.bets()
    if drill.rulebook.document.methods is None:
        drill.write("Ann", "asks to squeeze")
    drill.write(drill.dealer, "closes betting")
    drill.write(drill.dealer, "draws ? ? ? ?")
    drill.write(drill.dealer, "passes player to Ann")
    cards = f"{drill.card().text} {drill.card().text}"
    drill.write(drill.dealer, f"reports patron-left-with-cards of Ann cards {cards}, value known", gap=True)


def _forgotten_burn(drill: FaultWriter) -> None:
    if drill.rulebook.document.burn is None:
        raise NoFault("nothing is burned here")
    drill.bets()
    drill.write(drill.dealer, "closes betting")
    drill.write(drill.dealer, "reports burn-forgotten", gap=True)


def _differential(drill: FaultWriter) -> None:
    if drill.terminal:
        raise NoFault("nobody asks at terminals")
    drill.write(drill.dealer, "opens betting")
    more = 1000 * drill.chance.randint(2, 5)
    drill.write("Ann", f"{1000 + more} on player at 1")
    drill.write("Bob", "500 on banker at 2")
    drill.write(drill.dealer, "closes betting", gap=True)
    with contextlib.suppress(NoFault):  # a document may have no such step
        drill.write(drill.dealer, "asks to decrease", gap=True)
    drill.write(drill.dealer, f"for Ann takes {more} off player at 1", gap=True)


def _power_failure(drill: FaultWriter) -> None:
    drill.bets()
    if drill.chance.random() < 0.75:
        drill.write(drill.dealer, "closes betting")
        drill.deal(drill.chance.randrange(5))
    drill.write(drill.dealer, "reports power-failure", gap=True)


Fault = Callable[[FaultWriter], None]
# the faults by name, each with what its table needs in the head
FAULTS: dict[str, tuple[Fault, HeadLines]] = {
    "wrong-hand": (_wrong_hand, ()),
    "together": (_together, ()),
    "late-chip": (_late_chip, ()),
    "wrong-call": (_wrong_call, ("automatic expose",)),
    "left-with-cards": (_left_with_cards, BY_PATRONS),
    "forgotten-burn": (_forgotten_burn, ("burn forgotten",)),
    "differential": (_differential, ("differential 1000", "main 100 20000")),
    "power-failure": (_power_failure, ()),
}


def drill_by_seed(
    rulebook: Rulebook, house: House, seed: int, rules: RoundRules, only: str | None = None
) -> Drill:
    """Return the drill that a seed stands for, the same one every time: with any fault, or ``only`` one."""
    chance = random.Random(seed)
    names = [only] if only else chance.sample(tuple(FAULTS), len(FAULTS))
    texts = (_written(rulebook, house, chance, *FAULTS[name]) for name in names for _ in range(MOST_TRIES))
    text = next(filter(None, texts), None)
    if text is None:
        raise NoFault(only)
    title = say(seeded_title(FAULT_PACK, seed), FIRST_LANGUAGE)
    return read_drill(f"{FAULT_PACK}/{only or 'seed'}-{seed}", text, rules, title=title)[0]


def _written(
    rulebook: Rulebook, house: House, chance: random.Random, fault: Fault, head: HeadLines
) -> str | None:
    """Return the text of a drill with a fault; nothing where that cannot happen here."""
    if head == BY_PATRONS and rulebook.document.methods is None:
        head = FACE_DOWN
    try:
        drill = FaultWriter(rulebook, house, chance, head)
        for _ in range(0 if head else chance.randint(0, BEFORE)):
            drill.bets()
            drill.finish()
        fault(drill)
        drill.handle()
        if drill.table.phase in (Phase.CLOSED, Phase.DEALING, Phase.OUTCOME):
            drill.finish()
    except NoFault:
        return None
    return "\n".join(drill.lines) + "\n"
