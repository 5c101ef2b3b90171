"""The outputs built from other files of the checkout, each with its sources, renewed when those change.

`python scripts/outputs.py [NAME]` builds what is missing or was built from other sources; the build hook of
the package does the same. Outputs lie where the package looks for them and are not kept in git.
"""

from __future__ import annotations

import hashlib
import platform
import sys
from collections.abc import Iterator
from pathlib import Path

from building import CannotBuild, Output
from kernel_output import KERNEL
from screens_output import SCREENS

ROOT = Path(__file__).resolve().parent.parent
NAMES = {"kernel": KERNEL, "screens": SCREENS}
OUTPUTS = tuple(NAMES.values())


def outdated(output: Output, root: Path = ROOT) -> bool:
    """Whether an output is missing, or was built from other sources than those that are here."""
    stamp = _stamp(output, root)
    if not (root / output.place).exists() or not stamp.exists():
        return True
    return stamp.read_text("utf-8") != digest(output, root)


def renew(output: Output, root: Path = ROOT) -> None:
    """Build an output, and note from which sources."""
    output.build(root)
    _stamp(output, root).write_text(digest(output, root), "utf-8")


def digest(output: Output, root: Path) -> str:
    """Return the digest of the files that an output is made from, and of the machine."""
    whole = hashlib.sha256(platform.machine().encode())
    for file in _files(output, root):
        content = (root / file).read_bytes()
        whole.update(f"{file.as_posix()} {len(content)} ".encode() + content)
    return whole.hexdigest()


def _files(output: Output, root: Path) -> Iterator[Path]:
    """The files among the sources, and all those in folders among them, in order."""
    for source in output.sources:
        if (root / source).is_dir():
            found = (each.relative_to(root) for each in (root / source).rglob("*") if each.is_file())
            yield from sorted(found)
        else:
            yield source


def _stamp(output: Output, root: Path) -> Path:
    place = root / output.place
    return place.with_name(place.name + ".built-from")


def main(names: list[str]) -> int:
    for output in map(NAMES.__getitem__, names or NAMES):
        if outdated(output):
            try:
                renew(output)
            except CannotBuild as error:
                print(f"{output.place} was not built: {error}", file=sys.stderr)
                return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
