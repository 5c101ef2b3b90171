"""The scenarios that the round files play, and for which games."""

from golden import TEXTS


def round_scenarios() -> set[tuple[str, str]]:
    """Scenario and game of every round, as its head says."""
    found: set[tuple[str, str]] = set()
    for text in TEXTS.values():
        head = dict(line.split(" ", 1) for line in text.splitlines()[:3] if " " in line)
        if "scenario" in head:
            found.add((head["scenario"], head["game"]))
    return found
