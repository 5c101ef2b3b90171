"""A table to practise on: a virtual shoe, one guest, and every post played by whoever sits there."""

import random

from rich.console import Console

from thirdcard.cards import Card, Rank, Suit
from thirdcard.devices.shuffle import shuffled
from thirdcard.folds.ledger import balances
from thirdcard.game import commands as cmd
from thirdcard.game import events as ev
from thirdcard.game.dealing import open_faces
from thirdcard.game.limits import limit_of
from thirdcard.game.next_cards import source_of
from thirdcard.game.outcome import Outcome, play_out
from thirdcard.game.state import Hand, Phase, Table
from thirdcard.game.table_setup import Automatic, Device
from thirdcard.messages import say
from thirdcard.money import format_amount
from thirdcard.refusals import Refusal, Refused
from thirdcard.roundfile.head import RoundFileHead, Seat
from thirdcard.roundfile.set_up import Player, set_up
from thirdcard.roundfile.tell import Naming, cited, tell, with_approver
from thirdcard.rulebook.book import Rulebook
from thirdcard.rulebook.house import House
from thirdcard.rulebook.irregularity import Method
from thirdcard.rulebook.words import name_of, post_name, text
from thirdcard.staff import Post
from thirdcard.views.next_actions import Due, NextStep, due_at

GUEST = "Guest"
PRACTICE_DEALER = Post("dealer")
PURSE = 10_000
LEFT_AT_CUTTING_CARD = 16
MOST_STEPS = 16  # six cards, the cutting card, hands passed and opened, the call, and some to spare


class Practice:
    """The table, the cards in the order in which they will come, and what the guest has."""

    def __init__(self, rulebook: Rulebook, house: House, out: Console, seed: int | None) -> None:
        self.rulebook = rulebook
        self.house = house
        self.out = out
        self.dealer = post_name(PRACTICE_DEALER)
        self.seeded = None if seed is None else random.Random(seed)
        self.player = Player(rulebook, house)
        self.purse: int = PURSE * 10**house.currency.exponent
        self.last_wagers: dict[str, int] = {}
        self._cut_seen = False
        self._cards: list[Card] = []

    def begin(self) -> None:
        """Set the table up, shuffle, burn where the game burns, and give the guest a purse."""
        terminal = self.rulebook.document.table == "terminal"
        seat = Seat(GUEST, None if terminal else 1)
        head = RoundFileHead(
            game=self.rulebook.id,
            device=Device.CARD_READING,  # so that everything the rulebook knows can be tried
            automatic=(Automatic.EXPOSE,),
            burn=True,
            patrons=(seat,),
        )
        set_up(self.player, head)
        items = [name_of("equipment", item.id) for item in self.rulebook.document.equipment]
        if items:
            self.say(text("practice.equipment", items=", ".join(items)))
        self._shuffle()
        if terminal:
            self.do(cmd.BuyCredits(terminal=GUEST, amount=self.purse), GUEST)

    @property
    def table(self) -> Table:
        """The table as it is by now."""
        return self.player.standing

    def say(self, sentence: str) -> None:
        """A sentence for people."""
        self.out.print(sentence)

    def money(self, minor: int) -> str:
        """An amount in the currency of the house."""
        return f"{format_amount(minor, self.house.currency)} {self.house.currency.code}"

    @property
    def balance(self) -> int:
        """Return the amount that the guest has and could wager now."""
        if self.table.setup.terminal:
            return self.table.credits_of(GUEST)
        return self.purse + balances(self.player.events)[f"patron:{GUEST}"]

    @property
    def due(self) -> Due:
        """Return the step that the table waits for, with whatever belongs to it."""
        return due_at(self.rulebook, self.house, self.table)

    @property
    def held(self) -> bool:
        """Whether play waits for an irregularity."""
        awaited = self.due.awaited
        held = awaited is not None and awaited.step in (NextStep.CASE, NextStep.ANSWERS)
        return held and awaited is not None and not awaited.optional

    def do(self, body: cmd.Body, actor: str, second: str | None = None) -> bool:
        """Carry a command out and tell what came of it; whether it was not refused.

        Where one person is not enough, the post that confirms facts stands for it as well, or the Dealer.
        """
        result = self.player.do(body, actor, second)
        if isinstance(result, Refused) and result.reason is Refusal.SECOND_PERSON_NEEDED and second is None:
            other = post_name(self.house.form.facts_confirmed_by)
            other = other if other != actor else self.dealer
            self.say(text("practice.two-people", first=actor, second=other))
            return self.do(body, actor, other)
        if isinstance(result, Refused):
            self.say(text("practice.refused", reason=say(result.message)) + cited(result.clauses))
            return False
        naming = with_approver(actor, second)
        for event in result:
            self._note(event)
            self._tell(event, naming)
        return True

    def dealer_does(self, body: cmd.Body) -> bool:
        """Carry a command of the Dealer out."""
        return self.do(body, self.dealer)

    def _tell(self, event: ev.Event, naming: Naming) -> None:
        if isinstance(event, ev.OutcomeKnown):
            self._tell_outcome()
            return
        if isinstance(event, ev.CardsBurned) and event.first:
            self.say(text("practice.burn", card=event.first.text))
        for line in tell(event, self.house.currency, naming):
            self.say(line.removeprefix("= "))
        if isinstance(event, ev.WagerHandedBack):
            limit = limit_of(self.table, event.wager)
            least, most = self.money(limit.minimum), self.money(limit.maximum)
            self.say(text("practice.limits", wager=event.wager, least=least, most=most))

    def _tell_outcome(self) -> None:
        """How the open cards came out, step by step."""
        assert self.table.round is not None
        faces = open_faces(self.table.round)
        outcome = play_out(self.rulebook, faces, self.rulebook.pair_rule(self.house))
        if isinstance(outcome, Outcome):
            for moment in outcome.moments[1:]:
                self.say(say(moment.what) + cited(moment.clauses))

    def _note(self, event: ev.Event) -> None:
        """Keep what the table does not: the last wagers, and whether the cutting card was seen."""
        match event:
            case ev.ShoeLoaded():
                self._cut_seen = False
            case ev.RoundSettled():
                self.last_wagers = {each.wager: each.stake for each in event.wagers} or self.last_wagers
            case _:
                pass

    # cards

    def next_cards(self, count: int) -> tuple[Card, ...]:
        """The cards that come next: those set aside, those that waited, then the shoe."""
        shoe = self.table.shoe
        if shoe is None:
            return ()
        places = shoe.places
        waiting = places.strays if source_of(self.table) else ()
        fresh = range(len(places.faces), len(self._cards))
        coming = (*places.reserved, *waiting, *places.back, *fresh)
        return tuple(self._cards[place] for place in coming[:count])

    def new_shoe(self, *, burn: bool = True) -> None:
        """New cards, shuffled, by whoever decides on them; burned where the game burns, unless forgotten."""
        decider = post_name(self.house.form.new_cards_decided_by)
        if self.do(cmd.LoadShoe(decks=self.table.setup.decks), decider):
            self._shuffle(burn=burn)

    def _shuffle(self, *, burn: bool = True) -> None:
        self._cards = [Card(rank, suit) for rank in Rank for suit in Suit] * self.table.setup.decks
        if self.seeded is None:
            self._cards = list(shuffled(self._cards))
        else:
            self.seeded.shuffle(self._cards)
        if self.rulebook.document.burn and burn:
            self.burn()

    def burn(self) -> None:
        """Burn cards as the first one says that comes."""
        first = next(iter(self.next_cards(1)), None) if self.house.burns_by_first_card else None
        self.dealer_does(cmd.BurnCards(first=first))

    def open(self) -> bool:
        """The opening call, if it has not been made; whether wagers are taken."""
        if self.table.phase is Phase.IDLE:
            if self._runs_low() and not self._has_cutting_card():
                self._cut_seen = True
                self.dealer_does(cmd.AnnounceLastHand())
            return self.dealer_does(cmd.OpenBetting())
        return self.table.phase is Phase.BETTING

    def _runs_low(self) -> bool:
        """Whether the place of the cutting card is reached and nobody has said so yet."""
        shoe = self.table.shoe
        return shoe is not None and shoe.left <= LEFT_AT_CUTTING_CARD and not self._cut_seen

    def _has_cutting_card(self) -> bool:
        document = self.rulebook.document
        return document.cutting_card is not None or any(
            item.id == "cutting-card" for item in document.equipment
        )

    def deal(self, *, one: bool) -> None:
        """Deal the round to its end and call it, or only the next step of it."""
        if not self._begin_dealing():
            return
        for _ in range(MOST_STEPS):
            if self.held:
                return
            facts = self.table.round.facts if self.table.round else None
            if self.table.phase is Phase.OUTCOME and facts is not None:
                self.dealer_does(cmd.CallOutcome(winner=facts.winner))
                self.tell_balance()
                return
            if self.table.phase not in (Phase.CLOSED, Phase.DEALING) or not self._go_on():
                return
            if one:
                self._tell_hands()
                return

    def _begin_dealing(self) -> bool:
        if self.table.phase is Phase.IDLE:
            if self.table.free_hand_by is not None:
                return self.dealer_does(cmd.DealFreeHand())
            if not self.open():
                return False
        return self.table.phase is not Phase.BETTING or self.dealer_does(cmd.CloseBetting())

    def _go_on(self) -> bool:
        """Draw the next card, pass a hand to the guest, or open one of which cards lie face down."""
        awaited, current, shoe = self.due.awaited, self.table.round, self.table.shoe
        opening = (NextStep.PASS_CARDS, NextStep.SQUEEZE, NextStep.OPEN_CARDS)
        if awaited is None or awaited.step not in opening or not (current and shoe):
            return self._draw()
        assert awaited.hand is not None
        if awaited.step is NextStep.PASS_CARDS:
            return self.dealer_does(cmd.PassCards(hand=awaited.hand, patron=GUEST))
        lying = zip(shoe.places.lying, current.cards, strict=False)
        faces = tuple(self._cards[place] for place, each in lying if each.hand is awaited.hand)
        opener = GUEST if awaited.step is NextStep.SQUEEZE else self.dealer
        return self.do(cmd.ExposeCards(hand=awaited.hand, cards=faces), opener)

    def draw_otherwise(
        self,
        *,
        hand: Hand | None = None,
        down: bool = False,
        other: Card | None = None,
        count: int = 1,
        order_known: bool | None = None,
        called: bool = True,
    ) -> None:
        """Draw the next cards in another way: put to a hand, face down, together, or not the known one.

        Where it was not ``called``, the first card comes without the closing call.
        """
        if not (self._begin_dealing() if called else self.open()):
            return
        first, *more = self.next_cards(count) or (None,)
        if other is not None:
            self._cards[self._cards.index(other, self._next_place())] = self._cards[self._next_place()]
            self._cards[self._next_place()] = first = other
        body = cmd.DrawCard(
            card=None if down else first,
            hand=hand,
            together=tuple(more),
            order_known=order_known,
            instead=other is not None,
        )
        if self.dealer_does(body):
            self._tell_hands()

    def _next_place(self) -> int:
        """The place of the next card that the dealing device has."""
        return len(self.table.shoe.places.faces) if self.table.shoe else 0

    def _draw(self) -> bool:
        if self._runs_low() and self._has_cutting_card():
            self._cut_seen = True
            if not self.dealer_does(cmd.SeeCuttingCard()) or self.held:
                return False
            if self.table.phase is Phase.BETTING and not self.dealer_does(cmd.CloseBetting()):
                return False
        closed = self.table.method is Method.A  # nobody sees a face before its hand is opened
        return self.dealer_does(cmd.DrawCard(card=None if closed else next(iter(self.next_cards(1)), None)))

    def _tell_hands(self) -> None:
        """Both hands as they lie, while the round is not over."""
        current = self.table.round
        if current is None or current.facts is not None:
            return
        hands = {hand: [each.card for each in current.cards if each.hand is hand] for hand in Hand}
        shown = {
            hand.value: "-".join(card.text if card else "?" for card in cards) or "-"
            for hand, cards in hands.items()
        }
        self.say(text("practice.hands", **shown))

    def tell_balance(self) -> None:
        """Say what the guest has now."""
        self.say(text("practice.balance", balance=self.money(self.balance)))
