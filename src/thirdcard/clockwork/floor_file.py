"""Floor files: the tables of a floor, written down in TOML; docs/floor.md goes through one."""

import datetime
import hashlib
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from thirdcard.floor import commands as floor_cmd
from thirdcard.floor.decide import LONGEST_NAME, is_taken, refuse_definition
from thirdcard.floor.gaming_day import BadPeriod, read_day
from thirdcard.floor.state import Floor, GamingDay, ReaderRole, TableDefinition, Timers
from thirdcard.floor.table_rules import refuse_unfit
from thirdcard.game.shoe import CARDS_IN_A_DECK
from thirdcard.game.table_setup import Automatic, Device, PostedLimit, Setup
from thirdcard.messages import FIRST_LANGUAGE, languages, say
from thirdcard.money import parse_amount
from thirdcard.refusals import Refusal, Refused
from thirdcard.rulebook.book import Kind, Rulebook
from thirdcard.rulebook.check import Problem, check_fit, problem, unknown
from thirdcard.rulebook.house import House, WagerLimits
from thirdcard.rulebook.irregularity import Area, Method
from thirdcard.rulebook.read import UnreadableFile, bytes_of, form_of, toml_of
from thirdcard.rulebook.shelf import SHIPPED, Shelf, UnknownGame, UnknownHouse, open_shelf

FLOOR_FILE_PAGE = "docs/floor.md"
HOUSE_KEY = "house"
LEAST_BEHIND = 12  # cards behind the cutting card: two rounds
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9 .-]*")
# the key that a refused set-up is about
KEY_OF_REFUSAL = {
    Refusal.LAYOUT_NOT_OFFERED: "layout",
    Refusal.DRAWING_NOT_SUPPLIED: "layout",
    Refusal.POSITIONS_NOT_OFFERED: "positions",
    Refusal.DECKS_NOT_PERMITTED: "decks",
    Refusal.DEVICE_NOT_SUITABLE: "device",
    Refusal.METHOD_NOT_OFFERED: "method",
    Refusal.METHOD_NOT_IN_THIS_AREA: "method",
    Refusal.TRAINING_ONLY: "training",
}


class TableForm(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A table as a floor file has it; what is not said is as the rulebook and the house have it."""

    name: str
    game: str
    house: str | None = None
    layout: str | None = None
    positions: int | None = None
    area: Area = Area.MAIN_FLOOR
    device: Device | None = None
    decks: int | None = None
    limits: Literal["house"] | dict[str, WagerLimits] = "house"
    differential: str = HOUSE_KEY
    method: Method | None = None
    face_down: bool = False
    automatic: tuple[Automatic, ...] | None = None
    virtual_shoe: bool = False
    automatic_dealer: bool = False
    terminal: bool | None = None
    training: bool = False
    cutting_card: int = 14
    reader: ReaderRole | None = None
    next_marks: bool = False
    pit: str = ""
    timers: Timers = Timers()


class FloorForm(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, rename={"tables": "table"}):
    """A floor file, whole."""

    format: Literal[1]
    shelf: str | None = None
    day: GamingDay | None = None
    languages: tuple[str, ...] = ()
    tables: tuple[TableForm, ...]


class FloorFile(Struct, frozen=True):
    """A floor file that was read, with the digest of its bytes and the shelf that its tables are from.

    ``languages`` are those that its screens offer, all where it names none; ``language`` is the one for a
    browser that asks for none of them: its first, else the first of the house of its first table.
    """

    file: str
    digest: str
    tables: tuple[TableDefinition, ...]
    shelf: Shelf = SHIPPED
    day: GamingDay | None = None
    languages: tuple[str, ...] = ()
    language: str = FIRST_LANGUAGE

    @property
    def command(self) -> floor_cmd.DefineTables:
        """The command that defines its tables and sets its gaming day."""
        return floor_cmd.DefineTables(file=self.file, digest=self.digest, tables=self.tables, day=self.day)


def read_floor_file(path: Path, at: datetime.datetime, shelf: Shelf = SHIPPED) -> FloorFile:
    """The floor in a file, as it can be opened at an instant; the file may name a shelf, from its folder."""
    return parse_floor_file(path.name, bytes_of(path), at, shelf, path.parent)


def parse_floor_file(
    file: str, data: bytes, at: datetime.datetime, shelf: Shelf = SHIPPED, folder: Path | None = None
) -> FloorFile:
    """The floor in the bytes of a file; everything that is wrong with it is said at once."""
    form = form_of(file, toml_of(file, data), FloorForm, FLOOR_FILE_PAGE)
    if form.shelf is not None:
        shelf = _named_shelf(file, (folder or Path()) / form.shelf, shelf)
    names = Counter(each.name.casefold() for each in form.tables)
    found = [
        problem("twice", file, f"table[{each.name}]", name=each.name, times=names[each.name.casefold()])
        for each in form.tables
        if names[each.name.casefold()] > 1
    ]
    found += _day(file, form.day)
    found += _languages(file, form)
    tables: list[TableDefinition] = []
    for each in form.tables:
        made = _table(file, each, at, shelf)
        if isinstance(made, TableDefinition):
            tables.append(made)
        else:
            found += made
    if found:
        raise UnreadableFile(tuple(found))
    of_houses = [each for table in tables for each in shelf.house(table.setup.house).form.languages]
    language = next(iter((*form.languages, *of_houses)), FIRST_LANGUAGE)
    digest = hashlib.sha256(data).hexdigest()
    return FloorFile(file, digest, tuple(tables), shelf, form.day, form.languages, language)


def _day(file: str, day: GamingDay | None) -> list[Problem]:
    """Return what is wrong with a gaming day."""
    try:
        if day is not None:
            read_day(day)
    except BadPeriod as error:
        return [problem("day-refused", file, "day", reason=say(error.what))]
    return []


def _languages(file: str, form: FloorForm) -> list[Problem]:
    """Return a problem for each language that there is no file of."""
    unknown = [each for each in form.languages if each not in languages()]
    return [problem("unknown-language", file, "languages", language=each) for each in unknown]


def _named_shelf(file: str, folder: Path, given: Shelf) -> Shelf:
    """The shelf that a floor file names; another one may not be given besides."""
    if given.folder is None:
        return open_shelf(folder)
    if given.folder.resolve() != folder.resolve():
        params = {"shelf": str(folder), "other": str(given.folder)}
        raise UnreadableFile((problem("two-shelves", file, "shelf", **params),))
    return given


def _table(
    file: str, form: TableForm, at: datetime.datetime, shelf: Shelf
) -> TableDefinition | list[Problem]:
    key = f"table[{form.name}]"
    if not _NAME.fullmatch(form.name) or is_taken(Floor(), form.name):
        return [problem("table-name", file, f"{key}.name", name=form.name)]
    try:
        rulebook = shelf.rulebook(form.game, at)
        house = shelf.house(form.house or rulebook.document.house)
    except UnknownGame as error:
        told = {"game": form.game, "games": ", ".join(error.games)}
        return [unknown("unknown-game", file, f"{key}.game", word=form.game, choices=error.alike, **told)]
    except UnknownHouse as error:
        told = {"house": error.house, "houses": ", ".join(shelf.house_ids)}
        choices = shelf.house_ids
        return [unknown("unknown-house", file, f"{key}.house", word=error.house, choices=choices, **told)]
    unfit = check_fit(file, rulebook.document, house.form)
    found = [
        *(replace(each, key=f"{key}.house") for each in unfit),
        *_pit(file, key, form),
        *_money(file, key, form, rulebook, house),
        *_running(file, key, form, rulebook.document.decks.usual),
    ]
    if found:
        return found
    definition = define(form, rulebook, house)
    refused = refuse_unfit(shelf, definition, at) or refuse_definition(Floor(), definition)
    return [_refused(file, key, form.game, refused)] if refused else definition


def _refused(file: str, key: str, game: str, refused: Refused) -> Problem:
    at = f"{key}.{KEY_OF_REFUSAL.get(refused.reason, 'game')}"
    clause = refused.clauses[0] if refused.clauses else None
    reason = say(refused.message)
    if refused.reason is Refusal.TRAINING_ONLY:
        return problem("training-only", file, at, clause, reason=reason)
    return problem("table-refused", file, at, clause, reason=reason, game=game)


def define(form: TableForm, rulebook: Rulebook, house: House) -> TableDefinition:
    """A table as it is defined, with everything that its form leaves to the rulebook and the house."""
    document = rulebook.document
    variant = rulebook.id.partition("/")[2] or None
    own = [layout for layout in document.layouts.layout if layout.variant in (None, variant)]
    layout = form.layout or (own[0].id if own else None)
    most = next((each.most for each in own if each.id == layout), 0)
    needs_reader = any(item.id == "card-reading-shoe" for item in document.equipment)
    by_itself = (Automatic.EXPOSE, Automatic.CALL) if form.automatic_dealer else ()
    setup = Setup(
        table=form.name,
        game=rulebook.id,
        house=house.id,
        layout=layout,
        positions=most if form.positions is None else form.positions,
        area=form.area,
        device=form.device or (Device.CARD_READING if needs_reader else Device.PLAIN),
        decks=document.decks.usual if form.decks is None else form.decks,
        terminal=document.table == "terminal" if form.terminal is None else form.terminal,
        face_down=form.face_down,
        automatic=by_itself if form.automatic is None else form.automatic,
        limits=_posted(form, rulebook, house),
        differential=_amount(_differential(form, house), house),
        training=form.training,
    )
    return TableDefinition(
        setup=setup,
        method=form.method,
        virtual_shoe=form.virtual_shoe,
        automatic_dealer=form.automatic_dealer,
        cutting_card=form.cutting_card,
        reader=form.reader,
        next_marks=form.next_marks,
        timers=form.timers,
        pit=form.pit,
    )


# money


def _posted(form: TableForm, rulebook: Rulebook, house: House) -> tuple[PostedLimit, ...]:
    """A minimum and a maximum for every wager: the table's own, else the house's."""
    own = form.limits if isinstance(form.limits, dict) else {}
    limits = house.form.limits
    posted = []
    for wager in rulebook.wagers.values():
        of_house = limits.wager.get(wager.id) or (limits.main if wager.kind is Kind.MAIN else limits.side)
        limit = own.get(wager.id, of_house)
        posted.append(PostedLimit(wager.id, _amount(limit.minimum, house), _amount(limit.maximum, house)))
    return tuple(posted)


def _differential(form: TableForm, house: House) -> str:
    return house.form.limits.differential if form.differential == HOUSE_KEY else form.differential


def _amount(text: str, house: House) -> int:
    """An amount that was checked."""
    minor = parse_amount(text, house.currency)
    assert minor is not None
    return minor


def _money(file: str, key: str, form: TableForm, rulebook: Rulebook, house: House) -> Iterator[Problem]:
    own = form.limits if isinstance(form.limits, dict) else {}
    amounts = {f"{key}.differential": _differential(form, house)}
    for wager, limit in own.items():
        at = f"{key}.limits.{wager}"
        if wager not in rulebook.wagers:
            told = {"game": form.game, "wager": wager, "wagers": ", ".join(rulebook.wagers)}
            yield unknown("unknown-wager", file, at, word=wager, choices=rulebook.wagers, **told)
        amounts |= {f"{at}.minimum": limit.minimum, f"{at}.maximum": limit.maximum}
    minor = {at: parse_amount(text, house.currency) for at, text in amounts.items()}
    for at, amount in minor.items():
        if amount is None or amount <= 0 or amount % house.unit:
            yield problem("amount-out-of-range", file, at, amount=amounts[at])
    for wager in own:
        at = f"{key}.limits.{wager}"
        least, most = minor[f"{at}.minimum"], minor[f"{at}.maximum"]
        if least is not None and most is not None and least > most:
            yield problem("minimum-above-maximum", file, at)


# how a table runs


def _pit(file: str, key: str, form: TableForm) -> Iterator[Problem]:
    if form.pit and not (_NAME.fullmatch(form.pit) and len(form.pit) <= LONGEST_NAME):
        yield problem("pit-name", file, f"{key}.pit", name=form.pit)


def _running(file: str, key: str, form: TableForm, usual_decks: int) -> Iterator[Problem]:
    timers = form.timers
    times = (timers.betting, timers.warning, timers.card, timers.between, timers.offer)
    if min(times) < 0 or (timers.betting and timers.warning >= timers.betting):
        yield problem("time-out-of-range", file, f"{key}.timers")
    if form.automatic_dealer and not timers.betting:
        yield problem("no-betting-time", file, f"{key}.timers")
    if form.automatic_dealer and not form.virtual_shoe and not timers.between:
        yield problem("no-pause", file, f"{key}.timers")
    most = (usual_decks if form.decks is None else form.decks) * CARDS_IN_A_DECK // 2
    if not LEAST_BEHIND <= form.cutting_card <= most:
        params = {"cards": form.cutting_card, "least": LEAST_BEHIND, "most": most}
        yield problem("cutting-card-out-of-range", file, f"{key}.cutting_card", **params)
