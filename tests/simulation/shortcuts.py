"""Work that several simulated servers would do alike, done once: an evening starts dozens of them.

Nothing is taken over that depends on more than what it is kept under: a state of a stream is that of the same
record upon the very same state before. What judges an evening forgets all of it first, and does it anew.
"""

import contextlib
import functools
import gc
from collections.abc import Callable, Iterator
from typing import Any
from unittest import mock

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from starlette.routing import compile_path

from thirdcard.floor.apply import apply_all
from thirdcard.floor.state import Floor
from thirdcard.folds.snapshot import whole_after
from thirdcard.journal import keys
from thirdcard.journal.codec import floor_result_of, rulebook_from, table_result_of
from thirdcard.journal.record import Record, digest_of
from thirdcard.server import app
from thirdcard.server.asyncapi import describe_socket
from thirdcard.server.openapi import describe, page
from thirdcard.server.routes import ROUTES
from thirdcard.server.screens import screens
from thirdcard.streams import floors, record_check, tables
from thirdcard.streams.floors import FloorMachine
from thirdcard.wire.refusals import RefusedMessage

FOLDING = 3  # arguments that a fold gives besides the table and the events


@functools.cache
def _description() -> dict[str, Any]:
    """The description of the API, which is the same for every server and long in the making."""
    return describe(tuple(route.described for route in ROUTES), RefusedMessage)


@functools.cache
def _page() -> str:
    return page(_description())


_describe_socket = functools.cache(describe_socket)
_screens = functools.cache(screens)  # read once from the disk
_compile_path = functools.cache(compile_path)
_rulebook_from = functools.cache(rulebook_from)


class _Key:
    """A public key that remembers what it has found genuine."""

    def __init__(self, public: bytes) -> None:
        self._key = Ed25519PublicKey.from_public_bytes(public)
        self._genuine: set[tuple[bytes, bytes]] = set()

    def verify(self, signature: bytes, message: bytes) -> None:
        """Raise unless a signature is that of the key."""
        if (signature, message) not in self._genuine:
            self._key.verify(signature, message)
            self._genuine.add((signature, message))


class Shortcuts:
    """Results that the servers of one evening share, by the very things they were worked out from."""

    def __init__(self) -> None:
        self._known: dict[tuple[object, ...], tuple[object, object]] = {}
        self._key = functools.cache(_Key)

    def forget(self) -> None:
        """Have everything worked out anew from here on."""
        self._known.clear()
        self._key.cache_clear()

    def _once(self, work: Callable[..., Any], name: str, *about: object) -> Any:
        """Return the result of something that depends on these things alone; they are kept with it."""
        place = name, *map(id, about)
        known = self._known.get(place)
        if known is None:
            known = self._known[place] = about, work()
        return known[1]

    def _digest_of(self, record: Record) -> bytes:
        found: bytes = self._once(lambda: digest_of(record), "digest", record)
        return found

    def _read(self, record: Record) -> Any:
        return self._once(lambda: table_result_of(record), "result", record)

    def _read_floor(self, record: Record) -> Any:
        return self._once(lambda: floor_result_of(record), "floor result", record)

    def _whole_after(self, whole: Any, events: Any, *about: Any) -> Any:
        if len(about) > FOLDING:  # decided just now: nobody has it yet
            return whole_after(whole, events, *about)
        return self._once(lambda: whole_after(whole, events, *about), "table", whole, events)

    def _folding(self) -> Callable[..., Any]:
        async def fold(_: FloorMachine, floor: Floor | None, record: Record, events: Any) -> Any:
            return self._once(lambda: apply_all(floor or Floor(), events), "floor", floor, events)

        return fold

    @contextlib.contextmanager
    def taken(self) -> Iterator[None]:
        """Take them while an evening is played."""
        with (
            mock.patch.object(app, "describe", return_value=_description()),
            mock.patch.object(app, "page", return_value=_page()),
            mock.patch.object(app, "describe_socket", _describe_socket),
            mock.patch.object(app, "screens", _screens),
            mock.patch.object(app, "compile_path", _compile_path),
            mock.patch.object(tables, "rulebook_from", _rulebook_from),
            mock.patch.object(keys, "_public_key", self._key),
            mock.patch.object(record_check, "digest_of", self._digest_of),
            mock.patch.object(tables, "table_result_of", self._read),
            mock.patch.object(floors, "floor_result_of", self._read_floor),
            mock.patch.object(tables, "whole_after", self._whole_after),
            mock.patch.object(FloorMachine, "fold", self._folding()),
            _without_collection(),
        ):
            yield


@contextlib.contextmanager
def _without_collection() -> Iterator[None]:
    """Look for cycles after an evening, not in it: they are a quarter of its processor time."""
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()
