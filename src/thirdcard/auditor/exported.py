"""Checkpoints as lines of JSON, to be kept where nobody who can write the journal can write."""

from array import array
from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec
from msgspec import Struct

from thirdcard.journal.checkpoints import read_line
from thirdcard.journal.keys import id_of
from thirdcard.journal.store import Checkpoint
from thirdcard.messages import message, say


class KeyLine(Struct, frozen=True, forbid_unknown_fields=True):
    """A public key in hexadecimal, so that a file can be checked by itself."""

    public_key: str


class BadExport(Exception):
    """A file of exported checkpoints cannot be used; the sentence says where and why."""


_key_lines = msgspec.json.Decoder(KeyLine)


def line_of_key(public: bytes) -> bytes:
    """A public key as a line."""
    return msgspec.json.encode(KeyLine(public.hex())) + b"\n"


class Exported:
    """A file of exported checkpoints; only the places of its lines are kept in memory."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._places: dict[str, array[int]] = {}
        self.public_keys: dict[str, bytes] = {}
        try:
            with path.open("rb") as file:
                self._index(file)
        except OSError as error:
            reason = error.strerror or ""
            raise BadExport(say(message("cli.no-file", file=str(path), reason=reason))) from error

    def _index(self, file: Iterable[bytes]) -> None:
        place = 0
        for number, line in enumerate(file, start=1):
            if line.strip():
                self._take(line, number, place)
            place += len(line)
        for places in self._places.values():
            pairs = sorted(zip(places[::2], places[1::2], strict=True))
            places[:] = array("Q", [number for pair in pairs for number in pair])

    def _take(self, line: bytes, number: int, place: int) -> None:
        try:
            if b'"public_key"' in line:
                public = bytes.fromhex(_key_lines.decode(line).public_key)
                self.public_keys[id_of(public)] = public
                return
            found = read_line(line)
            self._places.setdefault(found.stream, array("Q")).extend((found.sequence, place))
        except (msgspec.MsgspecError, ValueError, OverflowError) as error:
            where = message("cli.bad-line", file=str(self._path), line=number, error=str(error))
            raise BadExport(say(where)) from error

    @property
    def streams(self) -> frozenset[str]:
        """The streams of which there are checkpoints."""
        return frozenset(self._places)

    def of(self, stream: str) -> Iterator[Checkpoint]:
        """The checkpoints of a stream by sequence."""
        places = self._places.get(stream, array("Q"))
        with self._path.open("rb") as file:
            for place in places[1::2]:
                file.seek(place)
                yield read_line(file.readline())
