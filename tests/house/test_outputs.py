"""What is built: renewed when its sources change, by whatever compiler there is, and put in the wheel."""

import ctypes
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

import kernel_output
import outputs
from building import CannotBuild
from kernel_output import KERNEL

ROOT = Path(__file__).parent.parent.parent


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """As much of a checkout as the kernel is built from."""
    for file in KERNEL.sources:
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / file, tmp_path / file)
    return tmp_path


def test_nothing_is_out_of_date_in_a_checkout_under_test() -> None:
    assert not any(outputs.outdated(output) for output in outputs.OUTPUTS)


def test_an_output_is_renewed_when_its_sources_change(checkout: Path) -> None:
    assert outputs.outdated(KERNEL, checkout)
    outputs.renew(KERNEL, checkout)
    assert not outputs.outdated(KERNEL, checkout)
    assert ctypes.CDLL(str(checkout / KERNEL.place)).thirdcard_widest() in (0, 1, 2)
    source = checkout / KERNEL.sources[0]
    source.write_text(source.read_text("utf-8") + "\n", "utf-8")
    assert outputs.outdated(KERNEL, checkout)


def test_without_a_compiler_the_one_in_a_wheel_is_asked_for(
    checkout: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kernel_output, "COMPILERS", ("no-such-compiler",))
    assert kernel_output.requirements() == ["ziglang"]
    monkeypatch.setattr(kernel_output, "ZIG", "no_such_package")
    with pytest.raises(CannotBuild, match="neither a C compiler"):
        outputs.renew(KERNEL, checkout)


def test_a_source_that_does_not_compile_is_told(checkout: Path) -> None:
    (checkout / KERNEL.sources[0]).write_text("this is not C\n", "utf-8")
    with pytest.raises(CannotBuild, match="failed"):
        outputs.renew(KERNEL, checkout)


def test_the_wheel_carries_the_kernel_and_its_platform(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True, timeout=120)
    (wheel,) = tmp_path.glob("*.whl")
    assert "-py3-none-any" not in wheel.name
    names = zipfile.ZipFile(wheel).namelist()
    assert "thirdcard/odds/libthirdcard.so" in names
    assert not [name for name in names if name.endswith(".built-from")]
