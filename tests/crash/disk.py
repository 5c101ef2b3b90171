"""A disk whose plug can be pulled: every write and sync is noted, and files are rebuilt as it leaves them."""

import random
import threading
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import apsw
from msgspec import Struct

SECTOR = 512
SHARED_MEMORY = "-shm"


class Step(Struct, frozen=True):
    """One thing that was done to a file."""

    verb: str  # write, truncate, sync, delete
    file: str
    offset: int = 0
    data: bytes = b""


class Disk:
    """Notes what SQLite does to its files; may fail at a chosen step."""

    def __init__(self, name: str, fails: Callable[[int, Step], bool] | None = None) -> None:
        self.name = name
        self.steps: list[Step] = []
        self.changes = 0
        self.failed = 0
        self._fails = fails
        self._lock = threading.Lock()
        self._vfs = _Vfs(self)

    def note(self, step: Step) -> None:
        """A step is about to be taken; raises where it shall fail."""
        with self._lock:
            self.changes += 1
            if self._fails is not None and self._fails(self.changes, step):
                self.failed += 1
                raise apsw.IOError(f"{step.verb} number {self.changes} fails on purpose")
            self.steps.append(step)

    def close(self) -> None:
        """Take the disk away."""
        self._vfs.unregister()


class _Vfs(apsw.VFS):
    def __init__(self, disk: Disk) -> None:
        super().__init__(disk.name, "")
        self.disk = disk

    def xOpen(self, name: str | apsw.URIFilename | None, flags: list[int]) -> apsw.VFSFile:  # noqa: N802
        """Open a file whose steps are noted."""
        return _File(self.disk, name, flags)

    def xDelete(self, filename: str, syncdir: bool) -> None:  # noqa: N802
        """Delete a file."""
        self.disk.note(Step("delete", Path(filename).name))
        super().xDelete(filename, syncdir)


class _File(apsw.VFSFile):
    def __init__(self, disk: Disk, name: str | apsw.URIFilename | None, flags: list[int]) -> None:
        super().__init__("", name, flags)
        self.disk = disk
        self.file = Path(name.filename() if isinstance(name, apsw.URIFilename) else name or "temporary").name

    def xWrite(self, data: bytes, offset: int) -> None:  # noqa: N802
        """Write."""
        self.disk.note(Step("write", self.file, offset, bytes(data)))
        super().xWrite(data, offset)

    def xTruncate(self, newsize: int) -> None:  # noqa: N802
        """Cut a file short."""
        self.disk.note(Step("truncate", self.file, newsize))
        super().xTruncate(newsize)

    def xSync(self, flags: int) -> None:  # noqa: N802
        """Make what was written durable."""
        self.disk.note(Step("sync", self.file))
        super().xSync(flags)


def left_behind(
    steps: list[Step], cuts: Iterable[int], dice: random.Random | None
) -> Iterator[tuple[int, dict[str, bytes]]]:
    """Each cut of power, by the number of steps before it, and the files as it would leave them.

    What was synced is there. What was not is gone; or, with dice, part of it is there: in any order, torn
    between sectors.
    """
    synced: dict[str, bytearray] = {}
    waiting: dict[str, list[Step]] = {}
    done = 0
    for cut in sorted(cuts):
        for step in steps[done:cut]:
            _take(step, synced, waiting)
        done = cut
        left = {file: bytes(content) for file, content in synced.items()}
        if dice is not None:
            left |= {file: _in_part(left.get(file, b""), torn, dice) for file, torn in waiting.items()}
        yield cut, left


def _take(step: Step, synced: dict[str, bytearray], waiting: dict[str, list[Step]]) -> None:
    if step.file.endswith(SHARED_MEMORY):
        return
    if step.verb == "sync":
        _carry_out(synced.setdefault(step.file, bytearray()), waiting.pop(step.file, []))
    elif step.verb == "delete":
        synced.pop(step.file, None)
        waiting.pop(step.file, None)
    else:
        waiting.setdefault(step.file, []).append(step)


def _in_part(synced: bytes, waiting: list[Step], dice: random.Random) -> bytes:
    """A file of which some steps that were not synced have reached the disk."""
    survivors = [_torn(step, dice) for step in waiting if dice.random() < 0.5]
    dice.shuffle(survivors)
    content = bytearray(synced)
    _carry_out(content, survivors)
    return bytes(content)


def _torn(step: Step, dice: random.Random) -> Step:
    """A write may reach the disk in part, sector by sector."""
    sectors = len(step.data) // SECTOR
    if step.verb != "write" or not sectors or dice.random() < 0.5:
        return step
    return Step("write", step.file, step.offset, step.data[: dice.randrange(sectors) * SECTOR])


def _carry_out(content: bytearray, steps: list[Step]) -> None:
    for step in steps:
        if step.verb == "truncate":
            del content[step.offset :]
            content.extend(bytes(step.offset - len(content)))
        else:
            content.extend(bytes(max(0, step.offset + len(step.data) - len(content))))
            content[step.offset : step.offset + len(step.data)] = step.data
