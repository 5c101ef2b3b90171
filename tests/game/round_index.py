"""Which scenarios the round files play, for which games."""

from pathlib import Path

ROUNDS = Path(__file__).parent.parent / "rounds"


def round_scenarios() -> set[tuple[str, str]]:
    """Scenario and game of every round file, as its head says."""
    found: set[tuple[str, str]] = set()
    for path in ROUNDS.rglob("*.round"):
        head = dict(line.split(" ", 1) for line in path.read_text("utf-8").splitlines()[:3] if " " in line)
        if "scenario" in head:
            found.add((head["scenario"], head["game"]))
    return found
