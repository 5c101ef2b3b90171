"""Digests of what the engine decides in golden rounds and kept journals, and of what it folds."""

import functools
import hashlib
import importlib.resources
from pathlib import Path

import msgspec
from golden import texts_below
from msgspec import NODEFAULT, Struct

from thirdcard.auditor.findings import Finding
from thirdcard.auditor.replay import replay
from thirdcard.folds.record_place import Recorded
from thirdcard.folds.snapshot import whole_after
from thirdcard.journal.codec import encode
from thirdcard.journal.forms.steps import FORM
from thirdcard.journal.software import ENGINE
from thirdcard.journal.sqlite.store import SqliteStore
from thirdcard.roundfile.parse import parse
from thirdcard.roundfile.play import play
from thirdcard.rulebook.shelf import HOUSES, SHIPPED

ROUNDS = Path(__file__).parent.parent / "rounds"
LENGTH = 16  # hexadecimal digits of a digest that are kept


class Decided(Struct, frozen=True):
    """Digests of one round or stream: what went in, what was decided, and what it was folded to."""

    given: str
    decisions: str
    state: str


class Decisions(Struct, frozen=True):
    """Digests by the name of a round or a stream, and the numbers of the build that made them."""

    form: int
    engine: int
    decided: dict[str, Decided]


async def decide_all(journals: Path) -> Decisions:
    """Play every golden round under each of its games, and replay every journal in a folder."""
    decided = {name: _round(text) for name, text in texts_below(ROUNDS).items()}
    for path in sorted(journals.glob("*.sqlite")):
        decided |= await _journal(path)
    return Decisions(FORM, ENGINE, decided)


def _round(text: str) -> Decided:
    file = parse(text)
    book = SHIPPED.rulebook(file.settings.game)
    house = SHIPPED.house(file.settings.house or book.document.house)
    played = play(file, book, house)
    whole = None
    for number, event in enumerate(played.events, start=1):
        whole = whole_after(whole, (event,), book, Recorded(number, number), ("", ""))
    rules = _shelf("rulebooks", book.document.id), _shelf("houses", house.id)
    return Decided(
        _digest(text.encode(), *rules),
        _digest(encode(without_defaults(played.happened))),
        _digest(encode(whole)),
    )


async def _journal(path: Path) -> dict[str, Decided]:
    store, found = SqliteStore(path, writing=False), {}
    houses = [_shelf("houses", house) for house in HOUSES]  # records of the floor before form 8 go by these
    try:
        for stream in await store.streams():
            head, decisions, state = await store.head(stream), hashlib.sha256(), None
            async for step in replay(store, stream):
                assert not isinstance(step, Finding), step
                decisions.update(encode([step.verdict.wrong, step.verdict.odd]))
                state = step.state
            given = _digest(head.digest, *houses)
            found[f"{path.stem}, {stream}"] = Decided(
                given, decisions.hexdigest()[:LENGTH], _digest(encode(state))
            )
    finally:
        await store.close()
    return found


def without_defaults(value: object) -> object:
    """A value without its defaults: a field that is new and never used does not make another decision.

    Nor does it make one whether an event says that it has no clauses or leaves them out.
    """
    if isinstance(value, Struct):
        held = {name: getattr(value, name) for name in value.__struct_fields__}
        if held.get("clauses") == ():
            del held["clauses"]
        used = {
            name: each for name, each in held.items() if each != _defaults(type(value)).get(name, NODEFAULT)
        }
        return {"": value.__struct_config__.tag} | {
            name: without_defaults(each) for name, each in used.items()
        }
    if isinstance(value, tuple):
        return [without_defaults(each) for each in value]
    return value


@functools.cache
def _defaults(kind: type[Struct]) -> dict[str, object]:
    return {each.name: each.default for each in msgspec.structs.fields(kind)}


def _shelf(folder: str, name: str) -> bytes:
    return importlib.resources.files("thirdcard").joinpath(folder, f"{name}.toml").read_bytes()


def _digest(*parts: bytes) -> str:
    whole = hashlib.sha256()
    for part in parts:
        whole.update(len(part).to_bytes(8, "big") + part)
    return whole.hexdigest()[:LENGTH]


def changed(before: Decisions, now: Decisions) -> list[str]:
    """The rounds and streams that go otherwise than the numbers of the build admit."""
    both = [
        (name, before.decided[name], each)
        for name, each in now.decided.items()
        if name in before.decided and before.decided[name].given == each.given
    ]
    same_engine = before.engine == now.engine
    same_build = same_engine and before.form == now.form
    return [
        name
        for name, then, each in both
        if (same_engine and then.decisions != each.decisions) or (same_build and then.state != each.state)
    ]


def text_of(decisions: Decisions) -> str:
    """Decisions as the text of a file."""
    lines = [f"form {decisions.form} engine {decisions.engine}"]
    for name, each in sorted(decisions.decided.items()):
        lines.append(f"{each.given} {each.decisions} {each.state} {name}")
    return "\n".join(lines) + "\n"


def read_text(text: str) -> Decisions:
    """The decisions in the text of a file."""
    first, *lines = text.splitlines()
    _, form, _, engine = first.split()
    decided = {name: Decided(*digests) for *digests, name in (line.split(" ", 3) for line in lines)}
    return Decisions(int(form), int(engine), decided)
