"""Makes the pictures in docs/pictures from the real product: a server, its tables, and people with browsers.

    .venv/bin/python scripts/screenshots.py            # all of them; takes a few minutes
    .venv/bin/python scripts/screenshots.py terminal   # those of the scenes whose names begin so

What is dealt is written down in the scenes, so that the pictures show the same every time; only a table with
a trainer deals by chance.
"""

import sys
import tempfile
from pathlib import Path

from environment import ROOT

sys.path.insert(0, str(ROOT / "tests"))

from playwright.sync_api import sync_playwright
from screens.browser import launch
from screens.floors import demonstration
from screens.visits import Sessions

from scenes import Scene, Stage
from scenes_behind import BEHIND
from scenes_display import DISPLAY
from scenes_patron import PATRON
from scenes_staff import STAFF
from scenes_training import TRAINING

TARGET = ROOT / "docs" / "pictures"
SCENES: tuple[Scene, ...] = (*DISPLAY, *PATRON, *STAFF, *BEHIND, *TRAINING)


def main() -> int:
    wanted = tuple(sys.argv[1:]) or ("",)
    chosen = [scene for scene in SCENES if scene.name.startswith(wanted)]
    if not chosen:
        print("there is no such scene; there are " + ", ".join(scene.name for scene in SCENES))
        return 2
    TARGET.mkdir(exist_ok=True)
    with sync_playwright() as playwright:
        browser = launch(playwright)
        for scene in chosen:
            with tempfile.TemporaryDirectory() as folder:
                server = demonstration(Path(folder), scene.tables, flow=1.0)
                stage = Stage(server, Sessions(browser), TARGET)
                try:
                    scene.plays(stage)
                finally:
                    stage.close()
                    server.kill()
            print(f"{scene.name}: {', '.join(stage.taken)}", flush=True)
        browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
