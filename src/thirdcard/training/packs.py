"""The packs that are shipped, and those of a folder: every file of a pack is a drill."""

import functools
import importlib.resources
from collections.abc import Iterator
from pathlib import Path

from thirdcard.roundfile.parse import SHIPPED_RULES, RoundRules
from thirdcard.training.drill import Drill, read_drill

DRILL_SUFFIX = ".drill"


def drills_below(folder: Path, rules: RoundRules = SHIPPED_RULES) -> Iterator[Drill]:
    """Yield the drills of a folder and of all folders in it, in the order of their names."""
    for path in sorted(folder.rglob(f"*{DRILL_SUFFIX}")):
        name = path.relative_to(folder).with_suffix("").as_posix()
        yield from read_drill(name, path.read_text("utf-8"), rules)


@functools.cache
def shipped_drills() -> tuple[Drill, ...]:
    """Return all drills that are shipped."""
    folder = importlib.resources.files("thirdcard").joinpath("drills")
    with importlib.resources.as_file(folder) as path:
        return tuple(drills_below(path))
