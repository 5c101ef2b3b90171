"""The scenes of the pictures in every language, on a phone and on a desk: no text is cut or overlapped."""

import os
from pathlib import Path

import pytest
from lengths import sized
from playwright.sync_api import Browser
from screens.browser import Screen
from screens.conftest import Visit
from screens.fitting import in_every_language, misfits, picture
from screens.floors import demonstration
from screens.visits import Sessions

import scenes_display
from scenes import Scene, Stage
from scenes_behind import BEHIND
from scenes_display import DISPLAY
from scenes_patron import PATRON
from scenes_staff import STAFF
from scenes_training import TRAINING
from thirdcard.messages import languages

LANGUAGES = tuple(sorted(languages()))
# a language cannot be loaded while the server is gone, and a light room has the texts of a dim one
LEFT_OUT = {"terminal-power", "display-light"}
AT_LENGTH = {"terminal-sizes", "terminal-squeeze", "dealer-round", "dealer-sizes"}  # much like others
SCENES = {
    scene.name: scene
    for scene in (*DISPLAY, *PATRON, *STAFF, *BEHIND, *TRAINING)
    if scene.name not in sized(LEFT_OUT | AT_LENGTH, LEFT_OUT)
}
PICTURES = os.environ.get("THIRDCARD_PICTURES", "")  # a folder to keep a picture of each page in


class Looks(Stage):
    """A stage whose camera looks at each page in every language, and notes what does not fit."""

    flaws: tuple[str, ...] = ()

    def look(self, screen: Screen, name: str) -> None:
        """Look at a page as it is now in every language."""
        self.take(screen, name)

    def take(self, screen: Screen, name: str, *, all_colours: bool = False) -> None:
        """Look at a page as it is now in every language."""
        if name in LEFT_OUT:
            return
        for language, size in in_every_language(screen, LANGUAGES):
            self.flaws += tuple(f"{name}, {language}, {size}: {each}" for each in misfits(screen))
            if PICTURES:
                picture(screen, Path(PICTURES), f"{name}-{language}-{size}")
        self.taken.append(name)


@pytest.fixture
def short_wall(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the table of the scoreboard play fewer rounds than for its pictures."""
    monkeypatch.setattr(scenes_display, "ROUNDS", 12)


@pytest.mark.sweep
@pytest.mark.usefixtures("short_wall")
@pytest.mark.parametrize("name", SCENES)
def test_texts_fit_in_every_language(browser: Browser, tmp_path: Path, name: str) -> None:
    scene: Scene = SCENES[name]
    server = demonstration(tmp_path, scene.tables, flow=1.0)
    stage = Looks(server, Sessions(browser), tmp_path)
    try:
        scene.plays(stage)
    finally:
        stage.close()
        server.kill()
    assert stage.taken
    assert stage.flaws == ()


# three texts of which one is cut, and two lie over one another
_PLANTED = """() => {
  const put = (text, style) => {
    const line = document.createElement('p');
    line.textContent = text;
    Object.assign(line.style, { position: 'fixed', zIndex: 9, whiteSpace: 'nowrap', left: '9px', ...style });
    document.body.append(line);
  };
  put('too long for its box', { top: '300px', width: '40px', overflow: 'hidden', textOverflow: 'ellipsis' });
  put('one over', { top: '400px' });
  put('the other', { top: '404px' });
}"""


def test_cut_and_overlapping_texts_are_found(visit: Visit) -> None:
    screen = visit("/sign-in")
    screen.field("Password").wait_for()
    assert misfits(screen) == []
    screen.page.evaluate(_PLANTED)
    assert misfits(screen) == [
        'cut: "too long for its box" (P)',
        'overlapping: "one over" (P) and "the other" (P)',
    ]
