"""The store under test, one after the other."""

from pathlib import Path

import pytest
from contracts.stores import Opening, memory, postgres, simulated, sqlite


@pytest.fixture(params=["memory", "simulated", "sqlite", "postgres"])
def opening(request: pytest.FixtureRequest, tmp_path: Path) -> Opening:
    """How to open the store under test; it can be closed and opened again."""
    if request.param == "postgres":
        return postgres(request.getfixturevalue("postgres_url"))
    if request.param == "simulated":
        return simulated()
    return memory() if request.param == "memory" else sqlite(tmp_path)
