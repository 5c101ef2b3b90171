"""The C kernel behind the numbers: found beside this module, loaded once, chosen by width; numpy without it.

Calls release the interpreter's lock, so that threads run side by side. ``THIRDCARD_KERNEL`` forces a width or
``numpy``; every choice gives the same answers.
"""

import ctypes
import enum
import functools
import importlib.util
import os
from pathlib import Path
from typing import Any

from msgspec import Struct

from thirdcard.messages import message, say

VARIABLE = "THIRDCARD_KERNEL"
LIBRARY = Path(__file__).with_name("libthirdcard.so")


class Width(enum.Enum):
    """How many shoes are worked on at a time; the last one needs no library."""

    AVX512 = "avx512"
    AVX2 = "avx2"
    PLAIN = "plain"
    NUMPY = "numpy"


class NoKernel(Exception):
    """A width was forced that this machine or installation does not have."""


class KernelPlan(ctypes.Structure):
    """How shoes are played, as the kernel reads it."""

    _fields_ = (
        ("left", ctypes.c_int32 * 13),
        ("burn", ctypes.c_int32),
        ("rounds", ctypes.c_int32),
        ("cut", ctypes.c_int32),
        ("after", ctypes.c_int32),
        ("seed", ctypes.c_uint64),
    )


class Kernel(Struct, frozen=True):
    """The functions of the library at one width; exact odds of one shoe have no width."""

    width: Width
    odds: Any
    odds_apart: Any
    rows: Any
    play: Any
    script: Any


def has_numpy() -> bool:
    """Whether numpy is installed: the exact odds of a shoe need none, simulations do."""
    return importlib.util.find_spec("numpy") is not None


def widths() -> tuple[Width, ...]:
    """The widths that work here, the widest first; numpy always does."""
    return _widths(LIBRARY)


def kernel() -> Kernel | None:
    """The kernel to use here and now, or nothing where numpy is to be used."""
    forced = os.environ.get(VARIABLE, "")
    found = widths()
    if not forced:
        return _load(LIBRARY, found[0])
    if forced not in [width.value for width in found]:
        known = ", ".join(width.value for width in found)
        raise NoKernel(say(message("odds.no-such-kernel", variable=VARIABLE, width=forced, widths=known)))
    return _load(LIBRARY, Width(forced))


@functools.cache
def _widths(file: Path) -> tuple[Width, ...]:
    library = _library(file)
    if library is None:
        return (Width.NUMPY,)
    widest = int(library.thirdcard_widest())
    return (Width.AVX512, Width.AVX2, Width.PLAIN, Width.NUMPY)[2 - widest :]


@functools.cache
def _load(file: Path, width: Width) -> Kernel | None:
    library = _library(file)
    if library is None or width is Width.NUMPY:
        return None
    play = getattr(library, f"thirdcard_play_{width.value}")
    rows = getattr(library, f"thirdcard_rows_{width.value}")
    script = getattr(library, f"thirdcard_script_{width.value}")
    pointer, number, count = ctypes.c_void_p, ctypes.c_int32, ctypes.c_uint64
    odds, odds_apart = library.thirdcard_odds, library.thirdcard_odds_apart
    odds.argtypes = (pointer, pointer, pointer, number, pointer, number, pointer)
    odds_apart.argtypes = (pointer, pointer, pointer, number, pointer, number, number, pointer)
    rows.argtypes = (pointer, pointer, ctypes.c_int64, pointer, number, number, pointer)
    play.argtypes = (
        *(pointer, pointer, count, count, number, pointer, number, pointer, number),
        *(pointer, number, pointer, pointer, pointer),
    )
    script.argtypes = (pointer, pointer, count, count, pointer, pointer, pointer)
    for function in (odds, odds_apart, rows, play, script):
        function.restype = None
    return Kernel(width=width, odds=odds, odds_apart=odds_apart, rows=rows, play=play, script=script)


@functools.cache
def _library(file: Path) -> ctypes.CDLL | None:
    """The library, or nothing where it was not built or was built for another machine."""
    try:
        return ctypes.CDLL(str(file))
    except OSError:
        return None
