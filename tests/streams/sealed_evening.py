"""Made-up evenings at a table with a virtual shoe, beside a pile of cards as hands would handle it."""

import random

from machines.commands import Scene, make_command, make_house, make_temper, opening
from machines.dice import Dice, pick
from machines.evening import Evening
from msgspec.structs import replace
from sealed_shoes import opened_shoes, proofs_of_round

from thirdcard.cards import Card
from thirdcard.devices import virtual_shoe
from thirdcard.devices.virtual_shoe import Label
from thirdcard.game import commands as cmd
from thirdcard.game import events as ev
from thirdcard.game.apply import apply
from thirdcard.game.card_sources import RESERVE, STRAY
from thirdcard.game.case_cards import IN_THE_SHOE
from thirdcard.game.state import Table
from thirdcard.journal.keys import KeyRing, new_keys
from thirdcard.journal.sealed_shoe import check, is_proven
from thirdcard.refusals import Refused
from thirdcard.rulebook.irregularity import Situation
from thirdcard.rulebook.shelf import SHIPPED

KEYS = KeyRing((new_keys(),))
# what somebody tells of the next cards in the shoe, and how many of them
NEXT_CARDS = {
    Situation.CARDS_TOGETHER: 2,
    Situation.UNAUTHORISED_PLAYER_CARD: 2,
    Situation.UNAUTHORISED_BANKER_CARD: 1,
    Situation.NEXT_CARD_KNOWN: 1,
    Situation.FACE_UP_CARD: 1,
    Situation.EXPOSED_IN_MOVEMENT: 1,
}


class Pile:
    """The cards of a shoe as hands would hold them, each by its number in the order of the shoe.

    Some are still in it, others lie before the hands or aside, wait for the next round or are set aside as
    possible third cards.
    """

    def __init__(self, cards: tuple[Card, ...]) -> None:
        self.cards = cards
        self.inside = list(range(len(cards)))
        self.lying: list[int] = []
        self.aside: list[int] = []
        self.waiting: list[int] = []
        self.reserved: list[int] = []

    def next_cards(self, count: int) -> tuple[Card, ...]:
        """The next cards of the shoe."""
        return tuple(self.cards[number] for number in self.inside[:count])

    def _lay(self, event: ev.CardsReconstructed, back: int) -> None:
        """Lay other cards before the hands and aside; some had waited, and what is over goes back on top."""
        first = next(
            (at for at, number in enumerate(self.waiting) if number > max(self.lying, default=-1)), 0
        )
        again = self.waiting[first : first + back]
        del self.waiting[first : first + back]
        pool, wanted = [*self.lying, *sorted([*self.aside, *again])], len(event.cards) + len(event.aside)
        if wanted > len(pool):
            pool += self.take((None,) * (wanted - len(pool)))
        self.inside[:0] = pool[wanted:]
        self.lying, self.aside = pool[: len(event.cards)], pool[len(event.cards) : wanted]

    def take(self, faces: tuple[Card | None, ...]) -> list[int]:
        """Take cards from the top; where a face is told it is the right one."""
        taken, self.inside = self.inside[: len(faces)], self.inside[len(faces) :]
        assert all(face in (None, self.cards[number]) for number, face in zip(taken, faces, strict=True)), (
            faces
        )
        return taken

    def see(self, before: Table, event: ev.Event, after: Table) -> None:  # noqa: C901, PLR0912 - one case an event
        """Do by hand what an event says; the table says which pile waiting cards are taken from."""
        if isinstance(event, ev.CardDrawn | ev.CardsSetAside) and not (before.round and before.round.cards):
            self.lying = []  # those of the round before are discards by now
        match event:
            case ev.CardDrawn() if event.by == STRAY:
                self.lying.append(self.waiting.pop(0))
            case ev.CardDrawn() if event.by == RESERVE and self.reserved:
                self.lying.append(self.reserved.pop(0))
            case ev.CardDrawn():
                self.lying += self.take((event.card,))
            case ev.CardsBurned() if len(after.aside) < len(before.aside):
                del self.aside[: event.cards]
            case ev.CardsBurned() if len(after.strays) < len(before.strays):
                del self.waiting[: event.cards]
            case ev.CardsBurned():
                self.take((event.first, *(None,) * event.cards)[: event.cards])
            case ev.CardsSetAside():
                self.aside += self.take(event.cards)
            case ev.StrayCardsKept() if len(after.aside) < len(before.aside):
                self.waiting = sorted([*self.waiting, *self.aside[: len(event.cards)]])
                del self.aside[: len(event.cards)]
            case ev.StrayCardsKept():
                self.waiting = sorted([*self.waiting, *self.take(event.cards)])
            case ev.CardsReserved():
                self.reserved += self.take(event.cards)
            case ev.FactsDisproved() | ev.ReportWithdrawn() if len(after.reserved) < len(before.reserved):
                self.inside[:0], self.reserved = self.reserved, []
            case ev.CardsRetrieved():
                self.inside[:0], self.lying, self.aside = [*self.lying, *self.aside], [], []
            case ev.CardsReconstructed():
                self._lay(event, len(before.strays) - len(after.strays))
            case ev.RoundEnded():
                self.aside, self.reserved = [], []
            case _:
                pass


class SealedEvening:
    """An evening whose commands tell the truth about the cards: they come from the sealed shoe."""

    def __init__(self, dice: Dice) -> None:
        rulebook = pick(dice, SHIPPED.rulebooks)
        house = make_house(dice, SHIPPED.house(rulebook.document.house))
        self.evening = Evening(rulebook, house, replace(make_temper(dice), left=None, forgotten=60))
        self.pile: Pile | None = None
        self.shoes = self.proven = 0

    def step(self, dice: Dice) -> None:
        """One command more; a table that has just been set up gets ready."""
        bare = self.evening.table is None
        self.do(make_command(dice, self.evening.scene))
        if bare and self.evening.table is not None:
            for body, actor in opening(self.evening.scene):
                self.do(cmd.Command(body, self._envelope(self.evening.scene, actor)))

    def do(self, command: cmd.Command) -> None:
        """Carry a command out, the cards in it being those of the shoe, and look at everything."""
        before = self.evening.table
        body = command.body if before is None else self._truthful(before, command.body)
        result = self.evening.do(cmd.Command(body, command.envelope))
        if isinstance(result, Refused) or self.evening.table is None or before is None:
            return
        self._by_hand(before, result)
        self._look(self.evening.table)

    def finish(self) -> None:
        """Every shoe that was laid open is as it was sealed."""
        self.evening.finish()
        for opened in opened_shoes(self.evening.events):
            assert check(opened) == ()
            self.shoes += 1

    def _envelope(self, scene: Scene, actor: str) -> cmd.Envelope:
        return cmd.Envelope(actor=actor, received_at=scene.now, command_id=f"c{scene.number}")

    def _truthful(self, table: Table, body: cmd.Body) -> cmd.Body:
        shoe = table.shoe
        if isinstance(body, cmd.LoadShoe):
            label = Label(table.setup.table, table.shoes + 1)
            chance = random.Random(len(self.evening.commands))
            return virtual_shoe.new_shoe(
                label, decks=body.decks, behind_cutting_card=16, keys=KEYS, random_bytes=chance.randbytes
            )
        if shoe is None:
            return body
        return _with_real_cards(table, body)

    def _by_hand(self, before: Table, events: tuple[ev.Event, ...]) -> None:
        table = before
        for event in events:
            table, last = apply(table, event), table
            if self.pile is not None:
                self.pile.see(last, event, table)
            if isinstance(event, ev.ShoeLoaded):
                self.pile = None
            if isinstance(event, ev.CardsCut):
                order = virtual_shoe.contents_of(table, KEYS).order
                self.pile = Pile((*order[event.depth :], *order[: event.depth]))

    def _look(self, table: Table) -> None:
        if table.shoe is None or self.pile is None:
            return
        assert table.shoe.left == len(self.pile.inside)
        assert virtual_shoe.next_cards(table, KEYS, 7) == self.pile.next_cards(7)
        seal = table.shoe.seal
        assert seal is not None
        for proof in proofs_of_round(table, KEYS):
            assert is_proven(proof, root=seal.root, cards=seal.cards)
            self.proven += 1


def _with_real_cards(table: Table, body: cmd.Body) -> cmd.Body:  # noqa: PLR0911 - one case a command
    """A command with the cards that really come."""

    def coming(count: int) -> tuple[Card, ...]:
        return virtual_shoe.next_cards(table, KEYS, count)

    match body:
        case cmd.DrawCard(card=card):
            drawn = virtual_shoe.draw(table, KEYS)
            face = drawn.card if isinstance(drawn, cmd.DrawCard) else next(iter(coming(1)), None)
            others = coming(1 + len(body.together))[1:]
            return replace(body, card=face if card else None, together=others, instead=False)
        case cmd.BurnCards():
            return replace(body, first=next(iter(coming(1)), None))
        case cmd.ReserveCards(cards=cards):
            return replace(body, cards=coming(len(cards)))
        case cmd.EnterSortedCards(lacking=lacking):
            return replace(body, lacking=(*_drawn(table), *table.reserved)[: len(lacking)])
        case cmd.OpenShoe():
            return virtual_shoe.open_up(table, KEYS)
        case cmd.ExposeCards():
            return replace(body, cards=_lying(table, body))
        case cmd.Rule(cards=cards) if cards and table.case is not None:
            return replace(body, cards=table.case.cards)
        case cmd.ReportIrregularity(situation=situation) if situation in NEXT_CARDS:
            count = min(len(body.cards), NEXT_CARDS[situation])
            ahead = body.ahead if situation in IN_THE_SHOE else 0
            return replace(body, cards=coming(ahead + count)[ahead:])
        case cmd.ReportIrregularity(situation=Situation.WRONG_NUMBER_OF_CARDS):
            drawn_so_far = _drawn(table)
            more = coming(max(len(body.cards) - len(drawn_so_far), 0))
            return replace(body, cards=(*drawn_so_far, *more)[: len(body.cards)])
        case cmd.ReportIrregularity(cards=cards) if cards:
            return replace(body, cards=_drawn(table))
        case _:
            return body


def _drawn(table: Table) -> tuple[Card, ...]:
    """The cards of the round in the order in which they were drawn, as they were sealed."""
    shoe = table.shoe
    if shoe is None or table.round is None or len(shoe.places.lying) != len(table.round.cards):
        return ()
    order = virtual_shoe.contents_of(table, KEYS).order
    return tuple(order[virtual_shoe.position_of(shoe, place)] for place in shoe.places.lying)


def _lying(table: Table, body: cmd.ExposeCards) -> tuple[Card, ...]:
    cards = table.round.cards if table.round else ()
    drawn = _drawn(table)
    return tuple(card for card, each in zip(drawn, cards, strict=False) if each.hand is body.hand)
