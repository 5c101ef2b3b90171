"""The cards of a round as they were laid, and what is wrong with how they lie."""

from collections.abc import Iterable
from typing import NamedTuple

from thirdcard.auditor.bodies import CardsExposed, Fact, HandName, LaidCard
from thirdcard.auditor.sheet import Facts, Ranks, Sheet, facts_of, next_hand
from thirdcard.messages import Message, message


class Place(NamedTuple):
    """A card at a hand; its rank may not be known yet."""

    hand: HandName
    rank: int | None


class Hands:
    """The cards of one round in the order of drawing."""

    def __init__(self, number: int, cards: Iterable[LaidCard] = ()) -> None:
        self.number = number
        self.facts: Facts | None = None
        self._cards = [Place(each.hand, each.card.rank if each.card else None) for each in cards]
        self._doubted = False

    def draw(self, sheet: Sheet, hand: HandName, rank: int | None) -> Message | None:
        """Lay the next card; says so where it is not the due one, as far as open cards tell."""
        wrong = self._misplaced(sheet, hand, self._cards)
        self._cards.append(Place(hand, rank))
        self._doubted = self._doubted or wrong is not None
        return wrong

    def expose(self, body: CardsExposed) -> None:
        """Open the cards of a hand."""
        faces = iter(body.cards)
        self._cards = [
            Place(each.hand, face.rank) if each.hand == body.hand and (face := next(faces, None)) else each
            for each in self._cards
        ]

    def judge(self, sheet: Sheet, recorded: dict[str, Fact]) -> list[Message]:
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
            if recorded.get(name) != counted
        ]

    def _not_by_the_table(self, sheet: Sheet) -> list[Message]:
        for index, each in enumerate(self._cards):
            wrong = self._misplaced(sheet, each.hand, self._cards[:index])
            if wrong:
                return [wrong]
        due = next_hand(sheet, self._ranks("player", self._cards), self._ranks("banker", self._cards))
        return [message("finding.card-missing", round=self.number, hand=f"@hand.{due}")] if due else []

    def _misplaced(self, sheet: Sheet, hand: HandName, before: list[Place]) -> Message | None:
        """Whether a card after these belongs elsewhere; third cards hang on the faces of the cards before."""
        if len(before) >= 4 and any(each.rank is None for each in before):
            return None
        due = next_hand(sheet, self._ranks("player", before), self._ranks("banker", before))
        if due == hand:
            return None
        place: dict[str, str | int] = {"round": self.number, "card": len(before) + 1, "hand": f"@hand.{hand}"}
        if due is None:
            return message("finding.card-not-due", **place)
        return message("finding.card-misplaced", due=f"@hand.{due}", **place)

    def _ranks(self, hand: HandName, cards: list[Place]) -> Ranks:
        return tuple(each.rank or 0 for each in cards if each.hand == hand)
