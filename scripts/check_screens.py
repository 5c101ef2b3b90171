"""Checks the sources of the screens: types, accessibility of templates, unused styles; a warning fails."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from building import CannotBuild
from screens_output import SOURCES, find_node, install

ROOT = Path(__file__).resolve().parent.parent
CHECK = ("node_modules/svelte-check/bin/svelte-check", "--tsconfig", "tsconfig.json", "--fail-on-warnings")


def main() -> int:
    sources = ROOT / SOURCES
    try:
        node = find_node()
        install(node, sources)
    except CannotBuild as error:
        print(f"the screens were not checked: {error}", file=sys.stderr)
        return 1
    environment = {**os.environ, **node.environment}
    steps = ([node.node, *CHECK], [node.node, "--no-warnings", "--test", "tests/*.test.mjs"])
    return max(subprocess.call(step, cwd=str(sources), env=environment) for step in steps)


if __name__ == "__main__":
    sys.exit(main())
