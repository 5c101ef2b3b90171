"""A page in a real browser: found by what people read, and held to what every page must keep."""

import contextlib
import functools
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Locator,
    Page,
    Playwright,
    WebSocketRoute,
)
from playwright.sync_api import TimeoutError as NotThere

ROOT = Path(__file__).parent.parent.parent
AXE = ROOT / "screens" / "node_modules" / "axe-core" / "axe.min.js"
PROGRAMS = ("chromium-headless-shell", "chromium")  # without its windows a page costs a third of the time
WIDTHS = {"phone": (360, 740), "tablet": (768, 1024), "desk": (1280, 800), "wall": (1920, 1080)}
GRAVE = ["serious", "critical"]
FRAMES = 200  # that a page may draw until it is as it stays
SMALLEST = 44  # pixels that a finger needs
WITHIN = 60_000  # milliseconds until a test gives up; no promise of speed, the machine may be busy
LOOKS_AGAIN = 20  # milliseconds between two looks at whether something is so
LOOK = 2_000  # milliseconds for which a text is looked for before the notes are asked
# keeps what every note said: one goes by itself after some seconds, in which a busy machine may not look
NOTES_ARE_KEPT = """window.notesSaid = [];
new MutationObserver(changes => {
  for (const change of changes)
    for (const added of change.addedNodes)
      if (added instanceof Element && added.matches('.notes > .note')) window.notesSaid.push(added.innerText);
}).observe(document, { childList: true, subtree: true });"""

# what is too small to touch: everything that can be pressed and is no link within a text
_SMALL = """least => [...document.querySelectorAll('button, a[href], input, select, [role=button]')]
  .filter(each => each.checkVisibility())
  .filter(each => !(each.matches('a') && getComputedStyle(each).display === 'inline'))
  .map(each => [each, (each.closest('label') ?? each).getBoundingClientRect()])
  .filter(([, box]) => box.width > 1 && (box.width < least - 0.5 || box.height < least - 0.5))
  .map(([each, box]) => `${each.outerHTML.slice(0, 80)} ${box.width}x${box.height}`)"""

# without loading style sheets a second time, which no rule that is on looks at
_GRAVE = """grave => axe.run(document, {resultTypes: ['violations'], preload: false})
  .then(found => found.violations
  .filter(each => grave.includes(each.impact))
  .flatMap(each => each.nodes.map(node => [each.id, node.html])))"""
_WIDE = """async (frames) => {
  const wide = () => document.documentElement.scrollWidth > window.innerWidth;
  while (wide() && frames-- > 0) await new Promise(requestAnimationFrame);
  return wide();
}"""
# what is wider than its box: cut off, or only to be reached sideways where nobody meant that; what is turned,
# or reaches over an edge on purpose by its margin, is none of it
_CUT = """() => {
  const style = (each, name) => getComputedStyle(each)[name];
  const turned = each => [...each.children].some(one => style(one, 'transform') !== 'none');
  const reaches = each =>
    [...each.querySelectorAll('*')].some(one => parseFloat(style(one, 'marginRight')) < 0);
  return [...document.body.querySelectorAll('*:not(input, select, textarea, svg *, [data-sideways])')]
    .filter(each => each.checkVisibility() && each.clientWidth > 1 && each.scrollWidth > each.clientWidth + 1)
    .filter(each => style(each, 'display') !== 'inline' && style(each, 'textOverflow') !== 'ellipsis')
    .filter(each => !turned(each) && !reaches(each))
    .map(each => `${each.outerHTML.slice(0, 80)} has ${each.scrollWidth} in ${each.clientWidth}`);
}"""
_TURNED = """async ([width, room, frames]) => {
  document.documentElement.dataset.room = room;
  while (window.innerWidth !== width && frames-- > 0) await new Promise(requestAnimationFrame);
}"""
# two frames, and more as long as something moves that comes to an end
_DRAWN = """async (frames) => {
  const ends = each => each.playState === 'running' && each.effect.getComputedTiming().endTime < Infinity;
  const moves = () => document.getAnimations().some(ends);
  for (let at = 0; at < 2 || (at < frames && moves()); at++) await new Promise(requestAnimationFrame);
}"""


class Finding(NamedTuple):
    """A finding of the accessibility check on a page."""

    rule: str
    where: str


def launch(playwright: Playwright) -> Browser:
    """Start the machine's Chromium."""
    program = next(filter(None, map(shutil.which, PROGRAMS)), None)
    assert program, "chromium is missing; scripts/test installs it"
    return playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])


class Held:
    """A socket between a page and the server that holds back what the server says of one kind."""

    def __init__(self, screen: "Screen", kind: str) -> None:
        self.frames: list[str | bytes] = []
        self.holds = True
        self._kind = f'"type":"{kind}"'
        screen.page.route_web_socket(re.compile("/socket"), self._begin)

    def _begin(self, socket: WebSocketRoute) -> None:
        self._socket = socket
        socket.connect_to_server().on_message(self._hear)

    def _hear(self, frame: str | bytes) -> None:
        if self.holds and self._kind in str(frame):
            self.frames.append(frame)
        else:
            self._socket.send(frame)

    def release(self) -> None:
        """Let everything through."""
        self.holds = False
        for each in self.frames:
            self._socket.send(each)
        self.frames.clear()


class Screen:
    """One page of one person, who has a browser of their own; it is made when it is first looked at."""

    def __init__(self, context: BrowserContext, address: str) -> None:
        self.context = context
        self.address = address.rstrip("/")
        self.errors: list[str] = []
        self._expected: list[str] = []

    @functools.cached_property
    def page(self) -> Page:
        """The page."""
        page = self.context.new_page()
        page.set_default_timeout(WITHIN)
        page.on("console", self._hear)
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        return page

    def _hear(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self.errors.append(f"{message.text} {message.location['url']}")

    def expect_error(self, pattern: str) -> None:
        """A console error that belongs to the test, such as an answer that refuses."""
        self._expected.append(pattern)

    @property
    def unexpected(self) -> list[str]:
        """The complaints of the browser."""
        return [each for each in self.errors if not any(re.search(one, each) for one in self._expected)]

    def open(self, path: str) -> "Screen":
        """Go to a page."""
        self.page.goto(self.address + path)
        return self

    def beside(self, path: str) -> "Screen":
        """Another page of the same browser."""
        return Screen(self.context, self.address).open(path)

    # what is there

    def button(self, name: str) -> Locator:
        """A button by its name."""
        return self.page.get_by_role("button", name=name, exact=True)

    def link(self, name: str) -> Locator:
        """A link by its name."""
        return self.page.get_by_role("link", name=name)

    def heading(self, name: str) -> Locator:
        """A heading by its text."""
        return self.page.get_by_role("heading", name=name)

    def field(self, label: str) -> Locator:
        """A field by its label."""
        return self.page.get_by_label(label, exact=True)

    def says(self, text: str | re.Pattern[str]) -> Locator:
        """Something that can be read, once it is there; a note that has gone by itself was there too."""
        found = self.page.get_by_text(text).first
        for _ in range(WITHIN // LOOK):
            with contextlib.suppress(NotThere):
                found.wait_for(timeout=LOOK)
                return found
            if self._was_noted(text):
                return found
        found.wait_for(timeout=LOOK)
        return found

    def _was_noted(self, text: str | re.Pattern[str]) -> bool:
        """Whether a note said something; it is heard once."""
        sought = re.compile(re.escape(text), re.IGNORECASE) if isinstance(text, str) else text
        for number, said in enumerate(self.page.evaluate("window.notesSaid")):
            if sought.search(said):
                self.page.evaluate("at => { window.notesSaid[at] = '' }", number)
                return True
        return False

    def speaks(self, language: str) -> "Screen":
        """Choose a language in the picker, as a person does, and wait until the page speaks it."""
        self.page.locator(".languages select").select_option(language)
        self.page.locator(f"html[lang={language}]").wait_for(state="attached")
        return self

    def until(self, there: Callable[[], bool], *, most: int = WITHIN // 1000) -> None:
        """Wait until something is so, at most so many seconds."""
        for _ in range(most * 1000 // LOOKS_AGAIN):
            if there():
                return
            self.page.wait_for_timeout(LOOKS_AGAIN)
        raise AssertionError(f"it did not come about; the page says: {self.page.inner_text('body')[:500]}")

    def arrives(self, path: str) -> None:
        """Wait until the browser is at a page, whatever the page writes behind its path."""
        self.page.wait_for_url(lambda address: urlsplit(address).path == path)

    def ask(self, path: str, holder: str = "any", body: Any = None) -> Any:
        """Ask the server as this browser, with its cookies and without its page."""
        answer = self.context.request.fetch(
            f"{self.address}/api/v1{path}",
            method="GET" if body is None else "POST",
            headers={"x-thirdcard": holder},
            data=body,
            timeout=WITHIN,
        )
        return None if answer.status == 204 else answer.json()

    # what every page must keep

    def turned(self, size: str, room: str) -> "Screen":
        """The same page on a screen of another size, in another light."""
        width, height = WIDTHS[size]
        self.page.set_viewport_size({"width": width, "height": height})
        self.page.evaluate(_TURNED, [width, room, FRAMES])
        return self

    def flaws(self) -> list[str]:
        """Flaws that no page may have: width to scroll, what is too small to touch, what many cannot read."""
        found = self._flaws_now()
        if not found:
            return found
        again = self._flaws_now()  # what was only on its way to another colour or size has arrived
        return [each for each in again if each in found]

    def _flaws_now(self) -> list[str]:
        return self.misfits() + [f"{each.rule}: {each.where}" for each in self.grave_findings()]

    def misfits(self) -> list[str]:
        """Width to scroll, what is cut off, and what is too small to touch."""
        self.page.evaluate(_DRAWN, FRAMES)
        wide = ["it is wider than the screen"] if self.overflows() else []
        return wide + self.cut_off() + self.too_small()

    def overflows(self) -> bool:
        """Whether a person would have to scroll sideways, once what measures itself has done so."""
        wide: bool = self.page.evaluate(_WIDE, FRAMES)
        return wide

    def cut_off(self) -> list[str]:
        """Elements that are wider than the box that they are in."""
        found: list[str] = self.page.evaluate(_CUT)
        return found

    def too_small(self) -> list[str]:
        """Elements that are too small to be touched."""
        found: list[str] = self.page.evaluate(_SMALL, SMALLEST)
        return found

    def grave_findings(self) -> list[Finding]:
        """Findings that the accessibility check calls serious or critical."""
        if not self.page.evaluate("'axe' in window"):
            self.page.evaluate(AXE.read_text("utf-8"))  # evaluated, since the policy allows no other script
        found: list[tuple[str, str]] = self.page.evaluate(_GRAVE, GRAVE)
        return [Finding(*each) for each in found]
