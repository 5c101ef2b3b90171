"""Every golden round has the blessing of the recount."""

from pathlib import Path

import pytest
from auditor.written import written

ROUNDS = Path(__file__).parent.parent / "rounds"
FILES = sorted(str(path.relative_to(ROUNDS)) for path in ROUNDS.rglob("*.round"))


@pytest.mark.parametrize("name", FILES)
def test_a_golden_round_recounts_without_findings(name: str) -> None:
    assert written((ROUNDS / name).read_text("utf-8")).findings() == []
