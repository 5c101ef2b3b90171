"""The cards of a round as they were laid, and what is wrong with how they lie."""

from collections.abc import Iterable
from itertools import zip_longest
from typing import NamedTuple

from thirdcard.auditor.bodies import (
    HANDS,
    NOT_COVERED,
    CardCorrected,
    CardDrawn,
    CardsBurned,
    CardsExposed,
    CardsSetAside,
    Face,
    Fact,
    HandName,
    LaidCard,
    ReportedCase,
)
from thirdcard.auditor.sheet import DERIVED_FACTS, Facts, Ranks, RecountSheet, facts_of, next_hand
from thirdcard.messages import Message, message

# who drew a card that waited for its round, or had been reserved
WAITED, RESERVED = "stray", "reserve"
EXPOSED = "exposed"
# cases of cards that came out and lie aside
CAME_OUT = ("cards-together", "unauthorised-player-card", "unauthorised-banker-card")
IN_ERROR = CAME_OUT[1:]
NEXT_CARD = "next-card-known"
# cases of a fourth card of a hand, or of one that came instead of another
MAY_LIE_ASIDE = (NOT_COVERED, "order-altered")
OUT_OF_ORDER = ("wrong-order", "wrong-number-of-cards", "order-altered")


class Place(NamedTuple):
    """A card at a hand; its rank may not be known yet."""

    hand: HandName
    rank: int | None
    is_open: bool


class Aside(NamedTuple):
    """A card that lies aside, and the case that decides about it."""

    rank: int | None
    case: int | None = None


class Hands:
    """The cards of one round in the order of drawing; then those aside, those that wait, those reserved.

    Cards that wait for the next round may be from rounds before.
    """

    def __init__(
        self, number: int, waiting: Iterable[int | None] = (), disclosed: Iterable[int | None] = ()
    ) -> None:
        self.number = number
        self.facts: Facts | None = None
        self.waiting = [*waiting]
        self.disclosed = [*disclosed]  # those of them that were kept on top of the shoe
        self._cards: list[Place] = []
        self._aside: list[Aside] = []
        self.reserved: list[int] = []
        self._doubted = False

    @property
    def is_card_known(self) -> bool:
        """Whether the face of a card is known."""
        ranks = (*self._ranks_out(), *self.waiting)
        return any(rank is not None for rank in ranks)

    def lay_again(self, cards: Iterable[LaidCard], aside: Iterable[Face | None] | None = None) -> None:
        """Lay other cards; those that waited and are among them wait no longer.

        Hands that lie as they did have the outcome that they had: a card that lay aside never came.
        """
        before, lay = len(self._cards) + len(self._aside), self._cards
        self._cards = [
            Place(each.hand, each.card.rank if each.card else None, each.state == EXPOSED) for each in cards
        ]
        if aside is not None:
            self._aside = self._still_aside([each.rank if each else None for each in aside], len(lay))
        more = self._ranks_out()[before:]
        first = len(self.waiting) - len(more)
        if (
            more
            and first >= 0
            and all(a in (None, b) for a, b in zip(self.waiting[first:], more, strict=True))
        ):
            del self.waiting[first:]
        self.facts, self._doubted = self.facts if self._cards == lay else None, False

    def _ranks_out(self) -> list[int | None]:
        """The cards at the hands and those aside."""
        return [*(each.rank for each in self._cards), *(each.rank for each in self._aside)]

    def _still_aside(self, ranks: list[int | None], lay: int) -> list[Aside]:
        """Cards aside with their cases: third cards that go there come first, as those do that are laid.

        A card that never came is the last one.
        """
        cases: list[int | None] = [each.case for each in self._aside]
        first = max(len(self._cards) - lay, 0)
        cases = [*(None,) * max(len(ranks) - len(cases), 0), *cases[first:]][: len(ranks)]
        return [Aside(rank, case) for rank, case in zip_longest(ranks, cases)]

    def keep(self, cards: Iterable[Face | None]) -> None:
        """Let cards wait for the next round: those aside, in any order, or some of the shoe."""
        ranks = [each.rank if each else None for each in cards]
        self.disclosed += () if self._aside else ranks
        for rank in ranks:
            same = [each for each in self._aside if each.rank == rank]
            unknown = [each for each in self._aside if each.rank is None]
            for each in (same or unknown)[:1]:
                self._aside.remove(each)
        self.waiting += ranks

    def learn(self, case: ReportedCase) -> None:
        """Know the faces that are told of cards dealt in error that lie aside, or of those that wait."""
        own = self._claim(case)
        if case.situation in IN_ERROR:
            for index, told in zip(own, case.cards, strict=False):
                known = self._aside[index].rank
                self._aside[index] = Aside(told.rank if known is None and told else known, case.id)
        if case.situation != NEXT_CARD or case.ahead:
            return
        for index, (rank, told) in enumerate(zip(self.waiting, case.cards, strict=False)):
            self.waiting[index] = told.rank if rank is None and told else rank

    def _claim(self, case: ReportedCase) -> list[int]:
        """Give a case the cards aside that it decides about: those it names, or else the first one left."""
        if case.situation not in CAME_OUT and not (case.situation == NOT_COVERED and case.cards):
            return []
        left = [index for index, each in enumerate(self._aside) if each.case is None]
        own = left[: len(case.cards) or 1]
        for index in own:
            self._aside[index] = self._aside[index]._replace(case=case.id)
        return own

    def release(self, case: int) -> None:
        """Let the cards aside of a case that is over belong to none."""
        self._aside = [each._replace(case=None) if each.case == case else each for each in self._aside]

    def untell(self, case: ReportedCase) -> None:
        """Take back what a report told: a card kept on top of the shoe is there, others are unknown.

        Cards that came out by it never came; none has come after them.
        """
        if case.situation in CAME_OUT:
            del self.waiting[-(len(case.cards) or 1) :]
            return
        for rank in (each.rank for each in case.cards if each and each.rank in self.waiting):
            index = self.waiting.index(rank)
            if rank in self.disclosed:
                self.disclosed.remove(rank)
                del self.waiting[index]
            else:
                self.waiting[index] = None

    def burn(self, body: CardsBurned, case: ReportedCase | None) -> None:
        """Take burned cards off those that lie aside for a case, or else off those that wait."""
        situation, count = case.situation if case else None, body.cards if body.waiting else 0
        if case and (situation in CAME_OUT or (situation in MAY_LIE_ASIDE and self._aside)):
            own = [each for each in self._aside if each.case == case.id]
            for each in [*own, *(each for each in self._aside if each.case != case.id)][:count]:
                self._aside.remove(each)
        else:
            del self.waiting[:count]

    def end(self) -> None:
        """Take what lies aside away with the other cards of the round."""
        self._aside.clear()

    def draw(self, sheet: RecountSheet, body: CardDrawn) -> Message | None:
        """Lay the next card; says so where it is not the due one, as far as open cards tell."""
        if body.by == WAITED:
            self._come((body.card,))
        if body.by == RESERVED:
            del self.reserved[:1]
        wrong = self._misplaced(sheet, body.hand, self._cards)
        rank = body.card.rank if body.card else None
        self._cards.append(Place(body.hand, rank, body.state == EXPOSED))
        self._doubted = self._doubted or wrong is not None
        return wrong

    def _come(self, cards: Iterable[Face | None]) -> None:
        """Take cards off those that wait: one on top of the shoe may come before those that are out."""
        ranks = [each.rank if each else None for each in cards]
        inside = False
        for rank in ranks:  # another one that came with it may have the same rank
            if rank in self.disclosed and rank in self.waiting:
                self.disclosed.remove(rank)
                self.waiting.remove(rank)
                inside = True
        del self.waiting[: 0 if inside else len(ranks)]

    def trust(self) -> None:
        """A card that lies at the wrong hand was reported; how all of them lie is judged at the outcome."""
        self._doubted = False

    def set_aside(self, sheet: RecountSheet, body: CardsSetAside) -> Message | None:
        """Put cards aside; says so where a hand had such a card by right, as far as open cards tell."""
        hand = body.hand
        if body.by == WAITED:
            self._come(body.cards)
        if body.by == RESERVED:
            del self.reserved[: len(body.cards)]
        self._aside += [Aside(each.rank if each else None) for each in body.cards]
        closed = len(self._cards) >= 4 and not all(each.is_open for each in self._cards)
        if hand is None or closed or not self._tells(self._cards):
            return None
        due = next_hand(sheet, self._ranks("player", self._cards), self._ranks("banker", self._cards))
        if due != hand:
            return None
        place: dict[str, str | int] = {"round": self.number, "card": len(self._cards) + 1}
        return message("finding.due-card-set-aside", hand=f"@hand.{hand}", **place)

    def correct(self, body: CardCorrected) -> Message | None:
        """Another face lies at a place of the order; the outcome is to be counted again."""
        index, beside = body.number - 1, body.number - 1 - len(self._cards)
        if 0 <= index < len(self._cards):
            was = self._cards[index].rank
            self._cards[index] = self._cards[index]._replace(rank=body.new.rank)
            self.facts = None
        elif 0 <= beside < len(self._aside):
            was = self._aside[beside].rank
            self._aside[beside] = self._aside[beside]._replace(rank=body.new.rank)
        elif 0 <= beside < len(self._aside) + len(self.waiting):
            was = body.old.rank if body.old and body.old.rank in self.waiting else None
            place = beside - len(self._aside)  # unless others wait from rounds before
            same = was is None or self.waiting[place] == was
            self.waiting[place if same else self.waiting.index(was)] = body.new.rank
        elif 0 <= (reserved := beside - len(self._aside) - len(self.waiting)) < len(self.reserved):
            was, self.reserved[reserved] = self.reserved[reserved], body.new.rank
        else:
            return message("finding.no-such-card", round=self.number, card=body.number)
        if was == (body.old.rank if body.old else None):
            return None
        return message("finding.another-card-corrected", round=self.number, card=body.number)

    def expose(self, body: CardsExposed) -> None:
        """Open the cards of a hand."""
        faces = iter(body.cards)
        self._cards = [
            Place(each.hand, face.rank, is_open=True)
            if each.hand == body.hand and (face := next(faces, None))
            else each
            for each in self._cards
        ]

    def count(self, sheet: RecountSheet) -> Facts | None:
        """Count hands that are complete by the table of play; of others nothing can be said."""
        known = all(each.rank is not None for each in self._cards)
        if not known or len(self._cards) < 4 or self._not_by_the_table(sheet):
            return None
        return facts_of(sheet, self._ranks("player", self._cards), self._ranks("banker", self._cards))

    def judge(self, sheet: RecountSheet, recorded: dict[str, Fact]) -> list[Message]:
        """Count the hands, and compare the facts that they give with the recorded ones."""
        unknown = [number for number, each in enumerate(self._cards, start=1) if each.rank is None]
        if unknown:
            self.facts = None
            return [message("finding.card-not-open", round=self.number, card=unknown[0])]
        found = [] if self._doubted else self._not_by_the_table(sheet)
        player, banker = self._ranks("player", self._cards), self._ranks("banker", self._cards)
        if min(len(player), len(banker)) < 2:
            self.facts = None
            return found
        self.facts = facts_of(sheet, player, banker)
        return found + [
            message(
                "finding.outcome",
                round=self.number,
                fact=name.replace("_", " "),
                recorded=str(recorded.get(name)),
                recounted=str(counted),
            )
            for name, counted in self.facts.items()
            if name not in DERIVED_FACTS and recorded.get(name) != counted
        ]

    def _not_by_the_table(self, sheet: RecountSheet) -> list[Message]:
        for index, each in enumerate(self._cards):
            wrong = self._misplaced(sheet, each.hand, self._cards[:index])
            if wrong:
                return [wrong]
        due = next_hand(sheet, self._ranks("player", self._cards), self._ranks("banker", self._cards))
        return [message("finding.card-missing", round=self.number, hand=f"@hand.{due}")] if due else []

    def _misplaced(self, sheet: RecountSheet, hand: HandName, before: list[Place]) -> Message | None:
        """Whether a card after these belongs elsewhere; third cards hang on the faces of the cards before."""
        if not self._tells(before):
            return None
        due = next_hand(sheet, self._ranks("player", before), self._ranks("banker", before))
        if due == hand:
            return None
        place: dict[str, str | int] = {"round": self.number, "card": len(before) + 1, "hand": f"@hand.{hand}"}
        if due is None:
            return message("finding.card-not-due", **place)
        return message("finding.card-misplaced", due=f"@hand.{due}", **place)

    def _tells(self, before: list[Place]) -> bool:
        """Whether cards say where the next one goes: the first four by their number, later ones by faces."""
        if len(before) < 4:
            return True
        full = all(len(self._ranks(hand, before)) >= 2 for hand in HANDS)
        return full and all(each.rank is not None for each in before)

    def _ranks(self, hand: HandName, cards: list[Place]) -> Ranks:
        return tuple(each.rank or 0 for each in cards if each.hand == hand)
