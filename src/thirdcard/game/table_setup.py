"""A table as it is set up: its game, its dealing device, its limits, and what it does by itself."""

import enum
import functools

from msgspec import Struct

from thirdcard.rulebook.irregularity import Area


class Device(enum.Enum):
    """A device that cards are dealt from."""

    PLAIN = "plain"
    ELECTRONIC = "electronic"
    CARD_READING = "card-reading"


class Automatic(enum.Enum):
    """Steps of the dealer that a table takes by itself: opening cards nobody squeezes, calling the result."""

    EXPOSE = "expose"
    CALL = "call"


class PostedLimit(Struct, frozen=True):
    """The posted minimum and maximum of a wager, in minor units."""

    wager: str
    minimum: int
    maximum: int


class Setup(Struct, frozen=True, kw_only=True, dict=True):
    """The set-up of a table, fixed before it opens; at one for training nothing is real."""

    table: str
    game: str
    house: str
    layout: str | None
    positions: int
    area: Area
    device: Device
    decks: int
    terminal: bool
    face_down: bool
    automatic: tuple[Automatic, ...]
    limits: tuple[PostedLimit, ...]
    differential: int
    training: bool = False

    @functools.cached_property
    def limit_by_wager(self) -> dict[str, PostedLimit]:
        """The posted limits by the wager that they are of."""
        return {limit.wager: limit for limit in self.limits}
