"""Another version of this repository, laid out beside the checkout for a comparison."""

from __future__ import annotations

import contextlib
import subprocess
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from environment import ROOT, fail

if TYPE_CHECKING:
    from collections.abc import Iterator


@contextlib.contextmanager
def checked_out(name: str) -> Iterator[Path]:
    """Lay the files of a commit out in a folder, which goes at the end."""
    commit = resolve(name)
    with tempfile.TemporaryDirectory(prefix="thirdcard-compare-") as folder:
        tree = Path(folder) / "before"
        _git("worktree", "add", "--quiet", "--detach", str(tree), commit)
        try:
            yield tree
        finally:
            _git("worktree", "remove", "--force", str(tree))


def resolve(name: str) -> str:
    """Return the full name of a commit."""
    found = subprocess.run(
        ["git", "rev-parse", "--verify", "--quiet", name + "^{commit}"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    if found.returncode != 0:
        fail(f"{name} is no commit of this repository; git log shows those there are")
    return found.stdout.strip()


def _git(*words: str) -> None:
    subprocess.run(["git", *words], cwd=ROOT, check=True)
