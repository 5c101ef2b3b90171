"""What is built from other files of the checkout: each output with its sources, renewed when those change.

`python scripts/outputs.py` builds what is missing or was built from other sources; the build hook of the
package does the same. Outputs lie where the package looks for them and are not kept in git.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import platform
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
ODDS = Path("src", "thirdcard", "odds")
COMPILERS = ("cc", "gcc", "clang")
ZIG = "ziglang"  # a compiler in a wheel, for machines without one
FLAGS = ("-O3", "-std=gnu11", "-fPIC", "-fno-tree-vectorize", "-fno-tree-slp-vectorize")
# for each width what the compiler must be allowed to use: as gcc and clang say it, and as zig does
WIDTHS = {
    "plain": ((), "baseline"),
    "avx2": (("-mavx2", "-mbmi2"), "x86_64_v3"),
    "avx512": (
        ("-mavx512f", "-mavx512bw", "-mavx512dq", "-mavx512vl", "-mprefer-vector-width=512"),
        "x86_64_v4",
    ),
}


class CannotBuild(Exception):
    """Why an output was not built."""


class Output(NamedTuple):
    """A file of the package that is built: from what, how, and which packages that may need."""

    file: Path
    sources: tuple[Path, ...]
    build: Callable[[Path], None]
    requirements: Callable[[], list[str]]


def outdated(output: Output, root: Path = ROOT) -> bool:
    """Whether an output is missing, or was built from other sources than those that are here."""
    stamp = _stamp(output, root)
    if not (root / output.file).exists() or not stamp.exists():
        return True
    return stamp.read_text("utf-8") != digest(output, root)


def renew(output: Output, root: Path = ROOT) -> None:
    """Build an output, and note from which sources."""
    output.build(root)
    _stamp(output, root).write_text(digest(output, root), "utf-8")


def digest(output: Output, root: Path) -> str:
    """What an output is made from, and how."""
    content = [(root / source).read_bytes() for source in (*output.sources, Path("scripts", "outputs.py"))]
    return hashlib.sha256(b"".join((*content, platform.machine().encode()))).hexdigest()


def _stamp(output: Output, root: Path) -> Path:
    file = root / output.file
    return file.with_name(file.name + ".built-from")


def build_kernel(root: Path) -> None:
    """Compile the C kernel once for each width and link all of them into one library."""
    source, target = root / ODDS / "kernel.c", root / ODDS / "libthirdcard.so"
    compiler = _compiler()
    widths = WIDTHS if platform.machine() in {"x86_64", "AMD64"} else {"plain": WIDTHS["plain"]}
    with tempfile.TemporaryDirectory() as folder:
        objects = [str(Path(folder, f"{width}.o")) for width in widths]
        for to, (flags, cpu) in zip(objects, widths.values(), strict=True):
            allowed = (f"-mcpu={cpu}",) if ZIG in compiler else flags
            _run([*compiler, *FLAGS, *allowed, "-c", str(source), "-o", to], folder)
        library = str(Path(folder, "library"))
        _run([*compiler, "-shared", "-o", library, *objects], folder)
        fresh = target.with_name(target.name + ".new")
        shutil.copy(library, fresh)
        fresh.replace(target)  # at once: a program may be running with the old one


def _compiler() -> list[str]:
    for name in COMPILERS:
        if shutil.which(name):
            return [name]
    if importlib.util.find_spec(ZIG) is None:
        raise CannotBuild(f"there is neither a C compiler ({', '.join(COMPILERS)}) nor the package {ZIG}")
    return [sys.executable, "-m", ZIG, "cc"]


def _run(command: list[str], folder: str) -> None:
    caches = {"ZIG_GLOBAL_CACHE_DIR": folder, "ZIG_LOCAL_CACHE_DIR": folder}
    done = subprocess.run(
        command, env={**os.environ, **caches}, capture_output=True, text=True, check=False, cwd=folder
    )
    if done.returncode != 0:
        raise CannotBuild(f"{' '.join(command)} failed:\n{done.stderr}")


def kernel_requirements() -> list[str]:
    """The compiler in a wheel, where the machine has none."""
    return [] if any(shutil.which(name) for name in COMPILERS) else [ZIG]


OUTPUTS = (Output(ODDS / "libthirdcard.so", (ODDS / "kernel.c",), build_kernel, kernel_requirements),)


def main() -> int:
    for output in OUTPUTS:
        if outdated(output):
            try:
                renew(output)
            except CannotBuild as error:
                print(f"{output.file} was not built: {error}", file=sys.stderr)
                return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
