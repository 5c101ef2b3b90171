"""Files and folders of a journal that only its owner can read: dealt cards lie in them face down."""

import contextlib
import os
from pathlib import Path

PRIVATE_FOLDER, PRIVATE_FILE = 0o700, 0o600
FILES_OF_SQLITE = ("", "-wal", "-shm")  # what SQLite keeps of a file


def make_private(path: Path) -> None:
    """Let only its owner read a file, and what SQLite keeps beside it; make it where it is not there.

    Where the file has another owner, its mode stays.
    """
    os.close(os.open(path, os.O_RDWR | os.O_CREAT, PRIVATE_FILE))
    for suffix in FILES_OF_SQLITE:
        with contextlib.suppress(FileNotFoundError, PermissionError):
            path.with_name(path.name + suffix).chmod(PRIVATE_FILE)
