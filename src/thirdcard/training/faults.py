"""Faults: something goes wrong at a place of a round, at random or at once, and how to handle it."""

import contextlib
import random
from collections.abc import Callable, Sequence

from thirdcard.cards import NEW_DECK, Card
from thirdcard.game.desk import QueryDesk
from thirdcard.game.irregularities.rulings import choices_of
from thirdcard.game.limits import limit_of
from thirdcard.game.state import Case, Hand, Phase, Table, Wait
from thirdcard.messages import FIRST_LANGUAGE, say
from thirdcard.money import format_amount
from thirdcard.refusals import Refusal, Refused
from thirdcard.roundfile.actions import bodies_of
from thirdcard.roundfile.parse import RoundRules, WrittenAct, parse
from thirdcard.roundfile.set_up import Player
from thirdcard.rulebook.book import Rulebook
from thirdcard.rulebook.facts import Winner
from thirdcard.rulebook.house import House
from thirdcard.rulebook.irregularity import Method, Preset
from thirdcard.training.drill import Drill, Step, read_drill
from thirdcard.training.milestones import milestones
from thirdcard.training.rehearsal import RehearsedStep
from thirdcard.training.staff_names import set_up_for_training, staff_name
from thirdcard.training.titles import FAULT_PACK, seeded_title
from thirdcard.views.next_actions import Due, NextStep, due_at

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
    """Writes a drill line by line, and plays each line as it is written.

    It begins at a table of its own with this ``head``, or goes on at the table of a ``player``. What goes
    wrong ``at_once`` does so with the next card, and otherwise some cards later.
    """

    def __init__(
        self,
        rulebook: Rulebook,
        house: House,
        chance: random.Random,
        head: tuple[str, ...] = (),
        *,
        player: Player | None = None,
        at_once: bool = False,
    ) -> None:
        self.rulebook, self.house, self.chance = rulebook, house, chance
        self.at_once = at_once
        self.terminal = rulebook.document.table == "terminal"
        self.dealer = staff_name(house.form.posts[0])
        self.manager = staff_name(house.form.facts_confirmed_by)
        seats = ", ".join(f"{name} at {at}" for at, name in enumerate(PATRONS, start=1))
        patrons = ", ".join(PATRONS) if self.terminal else seats
        self.lines = [f"game {rulebook.id}", f"house {house.id}", *head, f"patrons {patrons}"]
        self.steps: list[RehearsedStep] = []
        self.played_for: set[int] = set()  # steps of the Dealer that somebody else does
        if player is not None:
            self.player = player
            return
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
        before, second = self.table, None
        result = self.player.do_all(bodies, who)
        if isinstance(result, Refused) and result.reason is Refusal.SECOND_PERSON_NEEDED:
            second = self.manager if self.manager != who else self.dealer
            result = self.player.do_all(bodies, who, second)
        if isinstance(result, Refused):
            raise NoFault(what)
        line = f"{who} with {second}: {what}" if second else f"{who}: {what}"
        self.lines.append(f"{'? ' if gap else ''}{line}")
        act = WrittenAct(len(self.lines), line, who, bodies, second)
        self.steps.append(RehearsedStep(Step(act, gap), before, result, milestones(result)))

    # ordinary play

    def bets(self) -> None:
        """Open betting, once nothing else is due, and let everybody place a wager."""
        self.finish()
        self.write(self.dealer, "opens betting")
        for name, wager in zip(PATRONS, ("player", "banker"), strict=True):
            least = limit_of(self.table, wager).minimum
            amount = format_amount(least * self.chance.randint(1, 4), self.house.currency)
            self.write(name, f"{amount} on {wager}{self.at(name)}")

    def card(self) -> Card:
        """Return any card of which the shoe has one more."""
        shoe = self.table.shoe
        drawn, decks = (shoe.drawn, shoe.decks) if shoe else ((), 1)
        left = [each for each in NEW_DECK if drawn.count(each) < decks]
        return self.chance.choice(left or NEW_DECK)

    def deal(self, number: int) -> None:
        """Deal so many cards."""
        for _ in range(number):
            self.write(self.dealer, f"draws {self.card().text}")

    def deal_some(self, most: int) -> None:
        """Deal fewer cards than this, by chance; none where it goes wrong at once."""
        self.deal(0 if self.at_once else self.chance.randrange(most))

    @property
    def due_now(self) -> Due:
        """The step that the table waits for, with what belongs to it."""
        return due_at(self.rulebook, self.house, self.table)

    @property
    def due(self) -> NextStep | None:
        """The step that the table waits for."""
        awaited = self.due_now.awaited
        return awaited.step if awaited else None

    @property
    def due_hand(self) -> Hand:
        """The hand that takes the next card."""
        awaited = self.due_now.awaited
        if awaited is None or awaited.hand is None:
            raise NoFault("no card is due")
        return awaited.hand

    def finish(self) -> None:
        """Play the round to its end, in the ordinary way."""
        while self.play_on():
            pass

    def play_on(self) -> bool:
        """Take the next step in the ordinary way; whether there was one."""
        found = self._ordinary()
        if found is not None:
            self.write(*found)
        return found is not None

    def _ordinary(self) -> tuple[str, str] | None:
        """Return who does what next where nothing is wrong; nothing where no round is under way."""
        due = self.due_now
        hand = due.awaited.hand.value if due.awaited and due.awaited.hand else ""
        match due.awaited.step if due.awaited else None:
            case NextStep.CLOSE_BETTING:
                return self.dealer, "closes betting"
            case NextStep.RESUME:
                return self.dealer, "resumes the table"
            case NextStep.BURN:
                return self.dealer, "burns"
            case NextStep.SHOE if self.table.shoe:
                return self.manager, f"loads {self.table.shoe.decks} decks"
            case NextStep.FREE_HAND | NextStep.CARD:
                return self.dealer, self._next_card()
            case NextStep.PASS_CARDS:
                return self.dealer, f"passes {hand} to {due.patron}"
            case NextStep.SQUEEZE:
                return due.patron or "", f"opens {hand} {self._faces(hand)}"
            case NextStep.OPEN_CARDS:
                return self.dealer, f"opens {hand} {self._faces(hand)}"
            case NextStep.CALL if due.awaited and due.awaited.winner:
                return self.dealer, f"calls {due.awaited.winner.value}"
            case _:
                return None

    @property
    def by_patrons(self) -> bool:
        """Whether patrons handle the cards, which come face down then."""
        return self.table.setup.face_down or self.table.method is Method.A

    def _next_card(self) -> str:
        """Return the line of the card that comes next."""
        return "draws ?" if self.by_patrons else f"draws {self.card().text}"

    def _faces(self, hand: str) -> str:
        """Return the cards of a hand that is opened now: those that are known, and any others."""
        lying = [
            each for each in (self.table.round.cards if self.table.round else ()) if each.hand.value == hand
        ]
        return " ".join((each.card or self.card()).text for each in lying)

    # the right way

    def handle(self, *, gap: bool = True) -> None:
        """Do what the cases under way wait for, each by the post that may."""
        while (case := self.table.case) is not None and (case.waits is not None or case.offer is not None):
            self._handle(case, gap=gap)

    def _handle(self, case: Case, *, gap: bool) -> None:
        """Do the next thing that a case waits for."""
        due = due_at(self.rulebook, self.house, self.table)
        who = staff_name(due.post) if due.post else self.dealer
        if case.offer is not None:
            patron = next(name for name in case.offer.asked if name not in case.offer.answered)
            self.write(patron, self.chance.choice(("stays", "withdraws")))
            return
        match case.waits:
            case Wait.CONFIRMATION:
                self.write(who, "confirms", gap=gap)
            case Wait.PERMISSION:
                self.write(who, f"rules {self.chance.choice(('allow', 'deny'))}", gap=gap)
            case Wait.CARD_ORDER:
                faces = " ".join(card.text if card else "?" for card in case.cards)
                self.write(who, f"rules order {faces}", gap=gap)
            case _:  # a decision: no fault leads to a case that waits for sorted cards
                self.decide(who, choices_of(QueryDesk(self.rulebook, self.house, self.table), case), gap=gap)

    def decide(self, who: str, able: Sequence[str], *, gap: bool) -> None:
        """Write the first decision that the table takes, the usual ones before others."""
        for choice in (each for each in (*USUAL, *able) if each in able):
            with contextlib.suppress(NoFault):
                self.write(who, f"rules {choice} {DECIDED_SO}", gap=gap)
                return
        raise NoFault("nothing can be decided")


# how a fault is reached from wherever the table is


def _reach_betting(drill: FaultWriter) -> None:
    """Go on until everybody has wagered and betting is open."""
    if drill.table.phase is Phase.IDLE:
        drill.bets()
    if drill.table.phase is not Phase.BETTING:
        raise NoFault("betting is over")


def _reach_cards(drill: FaultWriter) -> None:
    """Go on until cards are due."""
    if drill.table.phase is Phase.IDLE:
        drill.bets()
    if drill.table.phase is Phase.BETTING:
        drill.write(drill.dealer, "closes betting")
    while drill.due is NextStep.BURN:
        drill.write(drill.dealer, "burns")
    if drill.due is not NextStep.CARD:
        raise NoFault("no card is due")


def _wrong_hand(drill: FaultWriter) -> None:
    _reach_cards(drill)
    drill.deal_some(5)
    other = Hand.BANKER if drill.due_hand is Hand.PLAYER else Hand.PLAYER
    drill.write(drill.dealer, f"draws {drill.card().text} to {other.value}", gap=True)


def _together(drill: FaultWriter) -> None:
    _reach_cards(drill)
    drill.deal_some(4)
    cards = f"{drill.card().text} {drill.card().text}"
    order = drill.chance.choice(("known", "unknown"))
    drill.write(drill.dealer, f"draws {cards} together, order {order}", gap=True)


def _late_chip(drill: FaultWriter) -> None:
    _reach_cards(drill)
    drill.deal_some(2)
    name = drill.chance.choice(PATRONS)
    wager = ("player", "banker")[PATRONS.index(name)]
    amount = format_amount(limit_of(drill.table, wager).minimum, drill.house.currency)
    drill.write(drill.dealer, f"for {name} {amount} on {wager}{drill.at(name)}", gap=True)


def _wrong_call(drill: FaultWriter) -> None:
    if drill.table.phase is Phase.IDLE:
        drill.bets()
    while drill.due is not NextStep.CALL and drill.play_on():
        pass
    facts = drill.table.round.facts if drill.table.round else None
    if facts is None or drill.due is not NextStep.CALL:
        raise NoFault("no result is due")
    others = [each for each in Winner if each is not facts.winner]
    drill.write(drill.dealer, f"calls {drill.chance.choice(others).value}", gap=True)


def _left_with_cards(drill: FaultWriter) -> None:
    if not drill.by_patrons:
        raise NoFault("nobody handles the cards")
    if drill.table.phase in (Phase.IDLE, Phase.BETTING):
        _reach_betting(drill)
        if drill.rulebook.document.methods is None and "Ann" not in drill.table.squeeze_requested:
            drill.write("Ann", "asks to squeeze")
        drill.write(drill.dealer, "closes betting")
    while drill.due in (NextStep.BURN, NextStep.CARD, NextStep.PASS_CARDS):
        drill.play_on()
    due = drill.due_now
    if due.awaited is None or due.awaited.step is not NextStep.SQUEEZE or due.awaited.hand is None:
        raise NoFault("nobody holds cards")
    hand = due.awaited.hand
    lying = [each for each in (drill.table.round.cards if drill.table.round else ()) if each.hand is hand]
    cards = " ".join(drill.card().text for _ in lying)
    what = f"reports patron-left-with-cards of {due.patron} cards {cards}, value known"
    drill.write(drill.dealer, what, gap=True)


def _forgotten_burn(drill: FaultWriter) -> None:
    if drill.rulebook.document.burn is None:
        raise NoFault("nothing is burned here")
    if drill.table.phase is not Phase.IDLE:
        raise NoFault("a round is under way")
    first = len(drill.steps)
    if drill.table.shoe and drill.table.shoe.burned:  # then somebody else begins with new cards
        drill.write(drill.manager, f"loads {drill.table.shoe.decks} decks")
        drill.played_for = {first + 1}
    drill.bets()
    drill.write(drill.dealer, "closes betting")
    if drill.played_for:
        drill.played_for.add(len(drill.steps) - 1)
    drill.write(drill.dealer, "reports burn-forgotten", gap=True)


def _differential(drill: FaultWriter) -> None:
    if drill.terminal:
        raise NoFault("nobody asks at terminals")
    more = 1000 * drill.chance.randint(2, 5)
    if drill.table.phase is Phase.IDLE:
        drill.write(drill.dealer, "opens betting")
        drill.write("Ann", f"{1000 + more} on player at 1")
        drill.write("Bob", "500 on banker at 2")
    else:
        _reach_betting(drill)
        drill.write("Ann", f"{500 + more} on player at 1")
    drill.write(drill.dealer, "closes betting", gap=True)
    with contextlib.suppress(NoFault):  # a document may have no such step
        drill.write(drill.dealer, "asks to decrease", gap=True)
    drill.write(drill.dealer, f"for Ann takes {more} off player at 1", gap=True)


def _power_failure(drill: FaultWriter) -> None:
    if drill.at_once:
        if drill.table.phase is Phase.IDLE:
            drill.bets()
    else:
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
