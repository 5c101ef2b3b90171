"""The C kernel of the odds, compiled for the machine by its compiler or by the one in a wheel."""

from __future__ import annotations

import importlib.util
import platform
import shutil
import sys
import tempfile
from pathlib import Path

from building import CannotBuild, Output, run

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


def build(root: Path) -> None:
    """Compile the C kernel once for each width and link all of them into one library."""
    source, target = root / ODDS / "kernel.c", root / KERNEL.place
    compiler = _compiler()
    widths = WIDTHS if platform.machine() in {"x86_64", "AMD64"} else {"plain": WIDTHS["plain"]}
    with tempfile.TemporaryDirectory() as folder:
        there = Path(folder)
        objects = [str(there / f"{width}.o") for width in widths]
        for to, (flags, cpu) in zip(objects, widths.values(), strict=True):
            allowed = (f"-mcpu={cpu}",) if ZIG in compiler else flags
            _compile([*compiler, *FLAGS, *allowed, "-c", str(source), "-o", to], there)
        library = str(there / "library")
        _compile([*compiler, "-shared", "-o", library, *objects], there)
        fresh = target.with_name(target.name + ".new")
        shutil.copy(library, fresh)
        fresh.replace(target)  # at once: a program may be running with the old one


def requirements() -> list[str]:
    """The compiler in a wheel, where the machine has none."""
    return [] if any(shutil.which(name) for name in COMPILERS) else [ZIG]


def _compiler() -> list[str]:
    for name in COMPILERS:
        if shutil.which(name):
            return [name]
    if importlib.util.find_spec(ZIG) is None:
        raise CannotBuild(f"there is neither a C compiler ({', '.join(COMPILERS)}) nor the package {ZIG}")
    return [sys.executable, "-m", ZIG, "cc"]


def _compile(command: list[str], folder: Path) -> None:
    run(command, folder, {"ZIG_GLOBAL_CACHE_DIR": str(folder), "ZIG_LOCAL_CACHE_DIR": str(folder)})


KERNEL = Output(
    ODDS / "libthirdcard.so",
    (ODDS / "kernel.c", Path("scripts", "kernel_output.py")),
    build,
    requirements,
)
