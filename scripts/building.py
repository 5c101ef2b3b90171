"""An output of the checkout that can be built, and how a program of the machine is run for it."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple


class CannotBuild(Exception):
    """Why an output was not built."""


class Output(NamedTuple):
    """A file or folder of the package that is built: from what, how, and which packages that may need."""

    place: Path
    sources: tuple[Path, ...]
    build: Callable[[Path], None]
    requirements: Callable[[], list[str]]


def run(command: list[str], folder: Path, environment: Mapping[str, str]) -> None:
    """Run a program in a folder; what it says is shown only where it fails."""
    done = subprocess.run(
        command, env={**os.environ, **environment}, capture_output=True, text=True, check=False, cwd=folder
    )
    if done.returncode != 0:
        raise CannotBuild(f"{' '.join(command)} failed:\n{done.stdout}{done.stderr}")
