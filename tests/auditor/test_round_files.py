"""Every golden round has the blessing of the recount."""

import pytest
from auditor.written import as_written
from golden import NAMES, golden


@pytest.mark.parametrize("name", NAMES)
def test_a_golden_round_recounts_without_findings(name: str) -> None:
    told = golden(name)
    assert as_written(told.rulebook, told.house, told.played.events).findings() == []
