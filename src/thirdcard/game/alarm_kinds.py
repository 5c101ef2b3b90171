"""Alarms about the cards: what a dealing device, or a look at its cards, can find."""

import enum

from msgspec import Struct

from thirdcard.cards import Card
from thirdcard.messages import Message, message

FACE_DOWN = "@said.nothing"  # the words for a card whose face nobody is told


class AlarmKind(enum.Enum):
    """An alarm that a dealing device, or a look at its cards, can give."""

    MISREAD = "misread"
    CARD_MISMATCH = "card-mismatch"
    UNEXPECTED_CARD = "unexpected-card"
    OUT_OF_SEQUENCE = "out-of-sequence"
    WRONG_SHOE = "wrong-shoe"
    RESULT_MISMATCH = "result-mismatch"
    READER_SILENT = "reader-silent"
    READER_FAULT = "reader-fault"
    NOT_THE_SEALED_CARD = "not-the-sealed-card"
    TOO_MANY_COPIES = "too-many-copies"
    NEW_DECK_ORDER = "new-deck-order"
    REPEATS_ITSELF = "repeats-itself"
    REPEATS_LAST_SHOE = "repeats-last-shoe"
    WRONG_COMPOSITION = "wrong-composition"
    NO_BURN = "no-burn"
    OTHER_CARD_CAME = "other-card-came"
    TOTALS_NOT_ANNOUNCED = "totals-not-announced"
    NOBODY_ON_DUTY = "nobody-on-duty"
    NO_SHUFFLE_RECORD = "no-shuffle-record"
    COUNT_DIFFERS = "count-differs"


class Alarm(Struct, frozen=True):
    """Something that a person must look at."""

    kind: AlarmKind
    card: Card | None = None
    other: Card | None = None
    number: int = 0

    @property
    def message(self) -> Message:
        """Return what to say about it."""
        faces = {"card": self.card, "other": self.other}
        spoken = {name: face.text if face else FACE_DOWN for name, face in faces.items()}
        return message(f"alarm.{self.kind.value}", number=self.number, **spoken)

    @property
    def without_cards(self) -> Message:
        """Return what to say about it to people who may not know its cards."""
        return message(f"alarm.{self.kind.value}", number=self.number, card=FACE_DOWN, other=FACE_DOWN)
