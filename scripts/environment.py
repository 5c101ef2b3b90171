"""The one virtual environment of a checkout: made when missing, renewed when its requirements change.

Written for old interpreters too, so that a machine whose python3 is too old gets a sentence, not a traceback.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NoReturn

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
OLDEST = (3, 11)
NEWER = ("python3.14", "python3.13", "python3.12", "python3.11")


def say(text: str) -> None:
    print("==> " + text, flush=True)


def fail(text: str) -> NoReturn:
    print("==> " + text, file=sys.stderr, flush=True)
    sys.exit(2)


def prepare(extra: str | None, *outputs: str) -> Path:
    """The interpreter of the environment, with thirdcard and an extra installed in it.

    What is built is up to date, or only the outputs that are named.
    """
    tool = VENV / "bin" / "python"
    wanted = _digest()
    build = [str(tool), str(ROOT / "scripts" / "outputs.py"), *outputs]
    if _has(wanted, extra) and subprocess.call(build) == 0:
        return tool
    if not tool.exists():
        _make(_interpreter())
    target = f".[{extra}]" if extra else "."
    say(f"installing thirdcard and what it needs into .venv ({target})")
    pins = str(ROOT / "constraints.txt")
    environment = dict(os.environ, PIP_CONSTRAINT=pins, PIP_BUILD_CONSTRAINT=pins)
    install = [str(tool), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-e", target]
    if subprocess.call(install, cwd=str(ROOT), env=environment) != 0:
        fail("pip could not install the requirements; its message is above. It needs network and disk space.")
    for name in {None, extra, *(("odds",) if extra == "test" else ())}:  # which has that one's needs too
        _stamp(name).write_text(wanted)
    return tool


def require(needs: dict[str, str]) -> None:
    """Programs, or files by their paths, with their Debian packages.

    What is missing is installed through apt as root, else named.
    """
    missing = {name: package for name, package in needs.items() if not _is_there(name)}
    if not missing:
        return
    packages = sorted(set(missing.values()))
    if os.geteuid() == 0 and shutil.which("apt-get"):
        say("installing system packages: " + " ".join(packages))
        quiet = dict(os.environ, DEBIAN_FRONTEND="noninteractive")
        subprocess.call(["apt-get", "update", "-qq"], env=quiet)
        subprocess.call(["apt-get", "install", "-y", "-qq", "--no-install-recommends", *packages], env=quiet)
    still = sorted(name for name in missing if not _is_there(name))
    if still:
        fail(f"missing: {', '.join(still)}. Install the Debian packages {', '.join(packages)} and run again.")


def _is_there(name: str) -> bool:
    return Path(name).exists() if name.startswith("/") else shutil.which(name) is not None


def _digest() -> str:
    content = b"".join(
        (ROOT / name).read_bytes() for name in ("pyproject.toml", "constraints.txt", "hatch_build.py")
    )
    return hashlib.sha256(content + str(ROOT).encode()).hexdigest()


def _stamp(extra: str | None) -> Path:
    return VENV / ("installed-" + (extra or "thirdcard"))


def _has(wanted: str, extra: str | None) -> bool:
    stamp = _stamp(extra)
    return stamp.exists() and stamp.read_text() == wanted


def _interpreter() -> str:
    if sys.version_info[:2] >= OLDEST:
        return sys.executable
    for name in NEWER:
        found = shutil.which(name)
        if found:
            return found
    fail(f"Python {OLDEST[0]}.{OLDEST[1]} or later is needed; this is {sys.version.split()[0]}.")


def _make(interpreter: str) -> None:
    say("making the virtual environment .venv")
    if subprocess.call([interpreter, "-m", "venv", str(VENV)]) != 0:
        fail("the environment could not be made; on Debian the package python3-venv may be missing.")
