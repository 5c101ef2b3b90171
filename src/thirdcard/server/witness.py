"""The witness: a program on another machine that keeps the marks and checkpoints of a floor, append-only."""

import asyncio
import hashlib
import os
from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO

import msgspec
import uvicorn
from msgspec import Struct
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from thirdcard.journal.checkpoints import checkpoint_is_genuine, line_of, read_line
from thirdcard.journal.keys import id_of
from thirdcard.journal.marks import (
    JournalMark,
    MarkUnusable,
    decode_mark,
    encode_mark,
    mark_is_genuine,
    read_marks,
)
from thirdcard.wire.paths import WITNESS_CHECKPOINTS, WITNESS_MARKS

MOST_BYTES = 4 * 1024 * 1024  # of what is sent at once
REMEMBERED_LINES = 100_000  # by digest, so that what is sent twice is kept once
MARKS_FILE, CHECKPOINTS_FILE = "marks.jsonl", "checkpoints.jsonl"
NOT_SIGNED, TOO_LARGE = 403, 413


class WitnessTally(Struct, frozen=True):
    """Counts of the things that a witness has."""

    marks: int
    checkpoints: int
    streams: int


class Witness:
    """Keeps what a key of the floor has signed, and nothing else; what it has is never altered."""

    def __init__(self, folder: Path, public_keys: dict[str, bytes]) -> None:
        self._keys = public_keys
        self._newest: dict[str, JournalMark] = {}
        self._checkpoints: dict[str, int] = {}
        self._known: OrderedDict[bytes, None] = OrderedDict()
        self._counts = {MARKS_FILE: 0, CHECKPOINTS_FILE: 0}
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._files = {name: _opened(folder / name) for name in (MARKS_FILE, CHECKPOINTS_FILE)}
        for mark in read_marks(folder / MARKS_FILE):
            self._take_mark(mark)
        with (folder / CHECKPOINTS_FILE).open("rb") as file:
            for line in file:
                self._take_checkpoint(line)

    @property
    def tally(self) -> WitnessTally:
        """Counts of the things that it has."""
        return WitnessTally(self._counts[MARKS_FILE], self._counts[CHECKPOINTS_FILE], len(self._newest))

    @property
    def newest(self) -> bytes:
        """The newest mark of every stream, one a line."""
        marks = {mark.signature: mark for mark in self._newest.values()}
        return b"".join(encode_mark(mark) for mark in marks.values())

    @property
    def checkpoints(self) -> dict[str, int]:
        """The last checkpoint of every stream, by its record."""
        return self._checkpoints

    def keep_mark(self, line: bytes) -> bool:
        """Keep a mark; whether a key of the floor has signed it."""
        mark = decode_mark(line)
        if not mark_is_genuine(mark, self._keys):
            return False
        if self._is_new(line):
            self._append(MARKS_FILE, encode_mark(mark))
            self._take_mark(mark)
        return True

    def keep_checkpoints(self, lines: list[bytes]) -> bool:
        """Keep checkpoints in the form in which they are exported; whether all of them are genuine."""
        found = [read_line(line) for line in lines]
        if not all(checkpoint_is_genuine(each, self._keys) for each in found):
            return False
        for checkpoint in found:
            line = line_of(checkpoint)
            if self._is_new(line):
                self._append(CHECKPOINTS_FILE, line)
                self._take_checkpoint(line)
        return True

    def close(self) -> None:
        """Let go of the files."""
        for file in self._files.values():
            file.close()

    def _is_new(self, line: bytes) -> bool:
        digest = hashlib.sha256(line.strip()).digest()
        if digest in self._known:
            return False
        self._known[digest] = None
        if len(self._known) > REMEMBERED_LINES:
            self._known.popitem(last=False)
        return True

    def _append(self, name: str, line: bytes) -> None:
        file = self._files[name]
        file.write(line)
        file.flush()
        os.fsync(file.fileno())

    def _take_mark(self, mark: JournalMark) -> None:
        self._counts[MARKS_FILE] += 1
        for end in mark.heads:
            known = self._newest.get(end.stream)
            if known is None or known.number <= mark.number:
                self._newest[end.stream] = mark

    def _take_checkpoint(self, line: bytes) -> None:
        self._counts[CHECKPOINTS_FILE] += 1
        checkpoint = read_line(line)
        self._checkpoints[checkpoint.stream] = checkpoint.sequence


def _opened(path: Path) -> BinaryIO:
    return os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600), "ab")


def witness_app(witness: Witness) -> Starlette:
    """Return the program that takes marks and checkpoints over HTTP, and says what it has."""

    async def marks(request: Request) -> Response:
        if request.method == "GET":
            return Response(witness.newest, media_type="application/jsonl")
        return await _kept(request, witness.keep_mark)

    async def checkpoints(request: Request) -> Response:
        if request.method == "GET":
            return Response(msgspec.json.encode(witness.checkpoints), media_type="application/json")
        return await _kept(request, lambda body: witness.keep_checkpoints(body.splitlines()))

    async def health(request: Request) -> Response:  # noqa: ARG001
        return Response(msgspec.json.encode(witness.tally), media_type="application/json")

    routes = [
        Route(WITNESS_MARKS, marks, methods=["GET", "POST"]),
        Route(WITNESS_CHECKPOINTS, checkpoints, methods=["GET", "POST"]),
        Route("/health", health, methods=["GET"]),
    ]
    return Starlette(routes=routes)


async def _kept(request: Request, keep: Callable[[bytes], bool]) -> Response:
    body = b""
    async for part in request.stream():
        body += part
        if len(body) > MOST_BYTES:
            return Response(status_code=TOO_LARGE)
    try:
        return Response(status_code=204 if keep(body) else NOT_SIGNED)
    except (MarkUnusable, msgspec.MsgspecError, ValueError):
        return Response(status_code=400)


async def run_witness(folder: Path, public_keys: dict[str, bytes], host: str, port: int) -> None:
    """Be a witness until a signal comes."""
    assert all(id_of(public) == name for name, public in public_keys.items())
    witness = Witness(folder, public_keys)
    config = uvicorn.Config(
        witness_app(witness), host=host, port=port, log_config=None, access_log=False, server_header=False
    )
    try:
        await uvicorn.Server(config).serve()
    finally:
        await asyncio.to_thread(witness.close)
