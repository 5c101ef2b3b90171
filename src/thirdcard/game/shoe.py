"""A shoe as a value: its seal, the places of its cards, the record of its shuffle, and what came of it."""

import datetime
import enum

from msgspec import Struct

from thirdcard.cards import Card
from thirdcard.clauses import Clause
from thirdcard.game.alarm_kinds import AlarmKind
from thirdcard.rulebook.table_of_play import Hand

CARDS_IN_A_DECK = 52


class NewCards(enum.StrEnum):
    """The words about new cards: that they come or may come, or that those in use stay."""

    MAY = "may"
    SHALL = "shall"
    PATRONS_CHOOSE = "patrons-choose"
    WHOLE_OR_NEW = "whole-or-new"
    WHOLE = "whole"
    KEEP = "keep"


class Seal(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The record of a virtual shoe before its first wager.

    ``root`` binds every card at its position, ``content`` is the order, encrypted under a key.
    """

    root: str
    cards: int
    behind_cutting_card: int
    key_id: str
    content: str


class Places(Struct, frozen=True):
    """Where cards are that left the shoe, each by its place in the order of the shoe after the cut.

    ``faces`` has the cards by place as far as they were seen; ``back`` were put back and come first again;
    ``ahead`` are cards in the shoe that were seen there or before they went back, by place, and ``ruled``
    those of them that a post lets come in their turn; ``asked`` are the places that an open case is about, by
    the number of the case. ``put`` has the hands that cards were put to by mistake, wherever they lie now.
    ``disclosed`` are those of the strays that wait on top of the shoe: they were seen and never came out.
    ``early`` are those that were put to a hand before the first four cards lay open, and ``returned`` those
    that waited or lay at a hand and lie aside again: nobody has judged them since. ``ordered`` came
    together and have their order by the ruling of a post. ``told`` are those whose faces nobody but the
    report of an open case has told, by the number of the case.
    """

    faces: tuple[Card | None, ...] = ()
    back: tuple[int, ...] = ()
    lying: tuple[int, ...] = ()
    aside: tuple[int, ...] = ()
    strays: tuple[int, ...] = ()
    reserved: tuple[int, ...] = ()
    ahead: tuple[tuple[int, Card], ...] = ()
    ruled: tuple[int, ...] = ()
    asked: tuple[tuple[int, tuple[int, ...]], ...] = ()
    put: tuple[tuple[int, Hand], ...] = ()
    disclosed: tuple[int, ...] = ()
    early: tuple[int, ...] = ()
    ordered: tuple[int, ...] = ()
    told: tuple[tuple[int, tuple[int, ...]], ...] = ()
    returned: tuple[int, ...] = ()


class ShuffleRecord(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """By which machine the cards of a shoe were shuffled: in which batch, when, and by whom."""

    shuffler: str
    batch: str
    time: datetime.datetime
    by: str


class Shoe(Struct, frozen=True):
    """The cards in use: how many, what was seen, and whether they must be replaced.

    Where the Dealer ``announces`` point totals, a round without is noted;
    ``choosers`` are the patrons to whom new cards were offered, ``chosen`` who has said what.
    ``shuffle`` is the record of its shuffle, ``counted`` how many cards somebody counted at its end.
    New cards are due by the clause ``replace_by``, or by a procedure of the house. While it is ``doubted_by``
    a clause, somebody must say that the set is whole, or load new cards; while ``burn_owed``, a burn that was
    left out is made before the next card.
    """

    number: int
    decks: int
    left: int
    cut_by: str | None = None
    cut_depth: int | None = None
    burned: int | None = None
    burn_owed: bool = False
    discards: int = 0
    drawn: tuple[Card, ...] = ()
    rounds: int = 0
    rounds_left: int | None = None
    new_cards_due: bool = False
    replace_by: Clause | None = None
    doubted_by: Clause | None = None
    patrons_choose: bool = False
    announces: bool = False
    choosers: tuple[str, ...] = ()
    chosen: tuple[tuple[str, bool], ...] = ()
    keep_by: Clause | None = None
    seal: Seal | None = None
    opened: bool = False
    places: Places = Places()
    alarms: tuple[AlarmKind, ...] = ()
    shuffle: ShuffleRecord | None = None
    counted: int | None = None
