"""The titles and packs of what the program makes: drills and exercises by seed, tables with a trainer."""

import re

from thirdcard.messages import Message, message

FAULT_PACK, EXERCISE_PACK, TRAINER_PACK = "faults-by-seed", "dealing-by-seed", "with-a-trainer"
TRAINER_TITLE = "train-title.with-trainer"
_BY_SEED = {FAULT_PACK: "train-title.fault", EXERCISE_PACK: "train-title.exercise"}
_SEED = re.compile(r"-(\d+)")


def seeded_title(pack: str, seed: int | str) -> Message:
    """Return the title of a drill or an exercise by its seed."""
    return message(_BY_SEED[pack], seed=str(seed))


def made_title(pack: str, name: str) -> Message | None:
    """Return the title of a drill or an exercise that the program made; nothing where somebody wrote it."""
    if pack == TRAINER_PACK:
        return message(TRAINER_TITLE)
    found = _SEED.search(name) if pack in _BY_SEED else None
    return seeded_title(pack, found[1]) if found else None
