"""Writes down what this build stores: a journal in tests/journals, its stored shapes, and its decisions.

    .venv/bin/python scripts/write_journal.py [NAME]

Run it after a change of what is stored or decided; CONTRIBUTING.md says when. It adds what is missing: the
journal of this form, or one under another name, the digests of this form's shapes, and the digests of new
rounds. Nothing that is there is ever rewritten: what differs under the same number is refused.
"""

import asyncio
import sys
import tempfile
from pathlib import Path

import apsw
import msgspec

from environment import ROOT

sys.path.insert(0, str(ROOT / "tests"))

from journal import decisions, kept_journals, stored_shapes
from journal.served_floor import write_floor

from thirdcard.auditor.exported import line_of_key
from thirdcard.journal.checkpoints import line_of
from thirdcard.journal.forms.steps import FORM
from thirdcard.journal.keys import open_key_file
from thirdcard.journal.sqlite.store import SqliteStore
from thirdcard.journal.store import Store
from thirdcard.streams.opening import OpenedPlace


async def write_journal(name: str) -> None:
    """Serve a floor for an evening, and keep its journal, keys, receipts and checkpoints."""
    target = kept_journals.FOLDER / f"{name}.sqlite"
    with tempfile.TemporaryDirectory() as folder:
        place = OpenedPlace(Path(folder) / "floor", Path(folder) / "floor.keys")
        receipts = await write_floor(place)
        store = SqliteStore(place.journal, writing=False)
        try:
            checkpoints = await exported(store, place)
        finally:
            await store.close()
        connection = apsw.Connection(str(place.journal))
        connection.pragma("journal_mode", "delete")
        connection.execute("VACUUM")
        connection.close()
        target.write_bytes(place.journal.read_bytes())
        target.with_suffix(".keys").write_bytes(place.key.read_bytes())
    target.with_suffix(".jsonl").write_bytes(checkpoints)
    held = b"".join(msgspec.json.encode(each) + b"\n" for each in receipts)
    target.with_suffix(".receipts.jsonl").write_bytes(held)
    print(f"{target}: {target.stat().st_size} bytes")


async def exported(store: Store, place: OpenedPlace) -> bytes:
    """The public key and every checkpoint, as somebody keeps them elsewhere."""
    lines = [line_of_key(public) for public in open_key_file(place.key).public_keys.values()]
    for stream in await store.streams():
        lines += [line_of(each) for each in await store.checkpoints(stream)]
    return b"".join(lines)


async def main(names: list[str]) -> int:
    name = names[0] if names else f"form-{FORM}"
    there = (kept_journals.FOLDER / f"{name}.sqlite").exists()
    if names and there:
        return refuse(f"{name}.sqlite is there already; a journal that is kept is never rewritten.")
    known = kept_journals.known_forms()
    shapes = stored_shapes.described()
    wrong = stored_shapes.same_number(shapes, known)
    if str(FORM) in known and known[str(FORM)] != stored_shapes.digests_of(shapes):
        wrong = [f"Stored shapes changed, and the form is still {FORM}. {stored_shapes.RAISE_FORM}"]
    if wrong:
        return refuse(*wrong)
    _, changed = await kept_journals.changed_decisions()
    if changed:
        return refuse(
            "These go otherwise under the same number; raise ENGINE in journal/software.py:", *changed
        )
    if str(FORM) not in known:
        kept_journals.add_form()
    if not there:
        await write_journal(name)
    now, _ = await kept_journals.changed_decisions()
    kept_journals.DECISIONS.write_text(decisions.text_of(now), "utf-8")
    return 0


def refuse(*why: str) -> int:
    print(*why, sep="\n", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(asyncio.run(main(sys.argv[1:])))
