"""The kernel in use, how it is forced, and what happens without the library."""

from pathlib import Path

import pytest
from odds.kernels import KERNELS

from thirdcard.odds import kernel as loader
from thirdcard.odds.kernel import VARIABLE, NoKernel, Width, kernel, widths


def test_the_widest_kernel_is_used_unless_another_one_is_forced(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    used = kernel()
    assert (used.width if used else Width.NUMPY) is widths()[0]
    for name in KERNELS:
        monkeypatch.setenv(VARIABLE, name)
        forced = kernel()
        assert (forced.width.value if forced else "numpy") == name


@pytest.mark.parametrize("name", ["quantum", "AVX2"])
def test_a_width_that_does_not_work_here_is_named_with_those_that_do(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(VARIABLE, name)
    with pytest.raises(NoKernel, match=f"THIRDCARD_KERNEL asks for {name}, .* numpy"):
        kernel()


def test_without_the_library_numpy_does_the_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    monkeypatch.setattr(loader, "LIBRARY", tmp_path / "libthirdcard.so")
    assert widths() == (Width.NUMPY,)
    assert kernel() is None
