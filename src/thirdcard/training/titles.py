"""The titles of drills and exercises that a seed stands for, and the packs that they are in."""

import re

from thirdcard.messages import Message, message

FAULT_PACK, EXERCISE_PACK = "faults-by-seed", "dealing-by-seed"
_BY_SEED = {FAULT_PACK: "train-title.fault", EXERCISE_PACK: "train-title.exercise"}
_SEED = re.compile(r"-(\d+)")


def seeded_title(pack: str, seed: int | str) -> Message:
    """Return the title of a drill or an exercise by its seed."""
    return message(_BY_SEED[pack], seed=str(seed))


def title_by_seed(pack: str, name: str) -> Message | None:
    """Return the title of a drill or an exercise that a seed stands for; nothing where none does."""
    found = _SEED.search(name) if pack in _BY_SEED else None
    return seeded_title(pack, found[1]) if found else None
