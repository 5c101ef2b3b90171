"""The record of a played round, to be recounted as it is or after somebody has tampered with it."""

import copy
from typing import Any

import msgspec
from auditor.recounting import recount

from thirdcard.auditor.people import NOBODY_ALONE_FORM, SentBy
from thirdcard.auditor.recount import Recount
from thirdcard.game.events import Event
from thirdcard.messages import say
from thirdcard.roundfile.parse import parse
from thirdcard.roundfile.play import play
from thirdcard.rulebook.book import Rulebook
from thirdcard.rulebook.document import Document
from thirdcard.rulebook.house import House, HouseForm
from thirdcard.rulebook.shelf import SHIPPED

Body = dict[str, Any]


class Written:
    """The decoded events of a table, numbered from one."""

    def __init__(self, document: Document, house: HouseForm, bodies: list[Body]) -> None:
        self.document = document
        self.house = house
        self.bodies = bodies

    def sequence(self, kind: str, nth: int = 1) -> int:
        """The number of the n-th event of a kind."""
        return [number for number, body in enumerate(self.bodies, start=1) if body["type"] == kind][nth - 1]

    def body(self, kind: str, nth: int = 1) -> Body:
        """The n-th event of a kind, to be changed."""
        return self.bodies[self.sequence(kind, nth) - 1]

    def line(self, patron: str, nth: int = 1) -> Body:
        """A patron's first wager in the n-th settlement, to be changed."""
        wagers: list[Body] = self.body("round-settled", nth)["wagers"]
        return next(each for each in wagers if each["patron"] == patron)

    def strike(self, kind: str, nth: int = 1) -> int:
        """Strike the n-th event of a kind, and give the number it had."""
        number = self.sequence(kind, nth)
        del self.bodies[number - 1]
        return number

    def insert(self, number: int, /, **body: object) -> None:
        """Write an event in that was not there."""
        self.bodies.insert(number - 1, dict(body))

    def count(self, kind: str) -> int:
        """How many events of a kind there are."""
        return sum(body["type"] == kind for body in self.bodies)

    def found_keys(
        self, *, form: int = NOBODY_ALONE_FORM, people: SentBy | None = None
    ) -> list[tuple[int, str]]:
        """The recount: where something is wrong, and the key of its sentence."""
        counted = Recount(self.document, self.house)
        for sequence, body in enumerate(copy.deepcopy(self.bodies), start=1):
            counted.read(sequence, body, form=form, people=people)
        return [(each.sequence, each.what.key) for each in counted.findings]

    def findings(self) -> list[tuple[int, str]]:
        """The recount: where something is wrong, and the sentence about it."""
        found = recount(self.document, self.house, copy.deepcopy(self.bodies))
        return [(each.sequence, say(each.what)) for each in found]


def written(text: str) -> Written:
    """The record that the lines of a round file leave."""
    file = parse(text)
    book = SHIPPED.rulebook(file.head["game"])
    house = SHIPPED.house(book.document.house)
    return as_written(book, house, play(file, book, house).events)


def as_written(book: Rulebook, house: House, events: tuple[Event, ...]) -> Written:
    """The events of a table as a journal has them: tuples become lists, and can be tampered with."""
    bodies: list[Body] = msgspec.json.decode(msgspec.json.encode(events))
    return Written(book.document, house.form, bodies)
