"""Puts finished files into their place: whole or not there at all, also after a power failure."""

import os
from pathlib import Path

from thirdcard.journal.store import StoreUnusable


def put_in_place(unfinished: Path, target: Path) -> None:
    """Give a finished file its name, which no other file may have, and have both on the disk."""
    sync(unfinished)
    try:
        os.link(unfinished, target)  # unlike a rename it takes no place that is taken meanwhile
    except FileExistsError as error:
        raise StoreUnusable(f"{target} exists already; name a file that does not") from error
    sync(target.parent)
    unfinished.unlink()


def sync(path: Path) -> None:
    """Have a file, or the names in a folder, on the disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
