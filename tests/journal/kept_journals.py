"""The journals in tests/journals, written by builds of all forms, and what is kept beside them."""

import shutil
from pathlib import Path

import msgspec
from journal import decisions, stored_shapes

from thirdcard.auditor.exported import Exported
from thirdcard.auditor.verify import Against
from thirdcard.journal.forms.steps import FORM
from thirdcard.journal.sqlite.store import SqliteStore
from thirdcard.streams.opening import JOURNAL, OpenedPlace
from thirdcard.wire.receipts import Receipt

FOLDER = Path(__file__).parent.parent / "journals"
NAMES = sorted(path.stem for path in FOLDER.glob("*.sqlite"))
FLOORS = sorted(path.stem for path in FOLDER.glob("*.keys"))
SHAPES = FOLDER / "shapes.txt"
FORMS = FOLDER / "forms.json"
DECISIONS = FOLDER / "decisions.txt"


def copied(name: str, folder: Path) -> OpenedPlace:
    """A copy of a journal as the place of a floor, with its keys where they are kept."""
    place = OpenedPlace(folder / "floor", folder / "floor.keys")
    place.data.mkdir()
    shutil.copy(FOLDER / f"{name}.sqlite", place.data / JOURNAL)
    keys = FOLDER / f"{name}.keys"
    if keys.exists():
        shutil.copy(keys, place.key)
        place.key.chmod(0o600)
    return place


def against(name: str) -> Against:
    """The evidence about a journal: its public key, and checkpoints that were kept elsewhere."""
    kept = Exported(FOLDER / f"{name}.jsonl")
    return Against(kept.public_keys, kept)


def receipts(name: str) -> list[Receipt]:
    """The receipts that patrons hold."""
    lines = (FOLDER / f"{name}.receipts.jsonl").read_bytes().splitlines()
    return [msgspec.json.decode(line, type=Receipt) for line in lines]


async def forms_kept() -> set[int]:
    """The forms in which records of the journals are written."""
    found = set[int]()
    for name in NAMES:
        store = SqliteStore(FOLDER / f"{name}.sqlite", writing=False)
        for stream in await store.streams():
            found |= {record.version for record in await store.read(stream)}
        await store.close()
    return found


async def complaints() -> list[str]:
    """The steps to be done before this build may store anything."""
    return stored_shapes.complaints(
        stored_shapes.described(), SHAPES.read_text("utf-8"), known_forms(), await forms_kept()
    )


def known_forms() -> dict[str, dict[str, str]]:
    """The digests of all stored shapes, form by form."""
    return msgspec.json.decode(FORMS.read_bytes(), type=dict[str, dict[str, str]])


def add_form() -> None:
    """Write the stored shapes of this form down, which was not done before."""
    shapes, known = stored_shapes.described(), known_forms() if FORMS.exists() else {}
    assert str(FORM) not in known
    known[str(FORM)] = stored_shapes.digests_of(shapes)
    FORMS.write_bytes(msgspec.json.format(msgspec.json.encode(known)) + b"\n")
    SHAPES.write_text(stored_shapes.text_of(shapes), "utf-8")


async def changed_decisions() -> tuple[decisions.Decisions, list[str]]:
    """The decisions of today, and the rounds and streams that go otherwise under the same numbers."""
    now = await decisions.decide_all(FOLDER)
    if not DECISIONS.exists():
        return now, []
    return now, decisions.changed(decisions.read_text(DECISIONS.read_text("utf-8")), now)
