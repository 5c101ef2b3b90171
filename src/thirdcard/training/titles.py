"""The titles of drills and exercises that a seed stands for, and of their packs."""

import re

from thirdcard.messages import Message, knows, message, say

FAULT_PACK, EXERCISE_PACK = "faults-by-seed", "dealing-by-seed"
_BY_SEED = {FAULT_PACK: "train-title.fault", EXERCISE_PACK: "train-title.exercise"}
_SEED = re.compile(r"-(\d+)")


def seeded_title(pack: str, seed: int | str) -> Message:
    """Return the title of a drill or an exercise by its seed."""
    return message(_BY_SEED[pack], seed=str(seed))


def title_in_words(pack: str, name: str, title: str) -> str:
    """Return the title of a drill or an exercise; one that no seed made is called as its writer called it."""
    found = _SEED.search(name)
    return say(seeded_title(pack, found[1])) if pack in _BY_SEED and found else title


def pack_in_words(pack: str) -> str:
    """Return the name of a pack; one that is a folder is called as that is."""
    key = f"train-pack.{pack}"
    return say(message(key)) if knows(key) else pack
