"""Checks the sources of the screens; a warning fails.

`lint` runs eslint and prettier, `types` svelte-check and the tests of the modules without a browser, and
`packages` only installs what these need.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from building import CannotBuild
from screens_output import SOURCES, find_node, install

ROOT = Path(__file__).resolve().parent.parent
STEPS: dict[str, tuple[tuple[str, ...], ...]] = {
    "packages": (),
    "lint": (
        ("node_modules/eslint/bin/eslint.js", "--max-warnings", "0", "."),
        ("node_modules/prettier/bin/prettier.cjs", "--check", "--cache", "--log-level", "warn", "."),
    ),
    "types": (
        ("node_modules/svelte-check/bin/svelte-check", "--tsconfig", "tsconfig.json", "--fail-on-warnings"),
        ("--no-warnings", "--test", "tests/*.test.mjs"),
    ),
}


def main(wanted: str) -> int:
    sources = ROOT / SOURCES
    try:
        node = find_node()
        install(node, sources)
    except CannotBuild as error:
        print(f"the screens were not checked: {error}", file=sys.stderr)
        return 1
    environment = {**os.environ, **node.environment}
    ended = [subprocess.call([node.node, *step], cwd=str(sources), env=environment) for step in STEPS[wanted]]
    return max(ended, default=0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
