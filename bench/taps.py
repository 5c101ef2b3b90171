"""The time from a tap at a terminal until its answer can be seen, in a real browser beside a real server.

    .venv/bin/python bench/taps.py              # on a large screen, and on a phone with a slow processor
    .venv/bin/python bench/taps.py --taps 1000

A tap is a press of the pointer on a playing area. Its answer is the amount with a tick, which stands there
once the server has recorded the wager; it counts when the frame that shows it was drawn. What passes between
sending the command and hearing its answer is the server's: the commit, and everything around it. The rest is
what the screen adds.
"""

import argparse
import statistics
import sys
import tempfile
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent / "scripts"))
sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from playwright.sync_api import Browser, sync_playwright
from screens.browser import WIDTHS, launch
from screens.floors import GAMES, demonstration, table
from screens.patrons import Patron
from screens.visits import Sessions, Visits
from server.served import Server

TABLES = table("taps", GAMES["tiger"], more='differential = "1000000"\n')
# the size of the screen, and how many times slower its processor is made
DEVICES = {"large screen": ("desk", 1), "phone, slowed 4 times": ("phone", 4)}
WAGERS = ("Player", "Banker")
MOST = 80  # taps of 50 on each before everything is cleared; the maximum is 5,000
# notes when a tap came, when its command was sent, when its answer was heard, and when that was drawn
_NOTES = """(() => {
  window.tap = null;
  window.WebSocket = class extends WebSocket {
    send(text) {
      super.send(text);
      if (window.tap && text.includes('"type":"command"')) window.tap.sent ??= performance.now();
    }
    set onmessage(hear) {
      super.onmessage = (event) => {
        if (window.tap && event.data.includes('"type":"accepted"')) window.tap.heard ??= performance.now();
        hear.call(this, event);
      };
    }
  };
  const amounts = () => [...document.querySelectorAll('.accepted .amount')];
  const accepted = () => amounts().map(each => each.textContent).join();
  addEventListener('pointerdown', (event) => {
    window.tap = {tapped: event.timeStamp, before: accepted()};
  }, true);
  new MutationObserver(() => {
    const tap = window.tap;
    if (!tap?.heard || tap.shown || accepted() === tap.before) return;
    tap.shown = true;
    requestAnimationFrame(() => {
      const drawn = new MessageChannel();
      drawn.port1.onmessage = () => { tap.drawn = performance.now(); };
      drawn.port2.postMessage(null);
    });
  }).observe(document, {subtree: true, childList: true, characterData: true, attributes: true});
})()"""


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--taps", type=int, default=300)
    taps = options.parse_args().taps
    print(f"{'':24} {'':28} {'p50':>7} {'p95':>7} {'p99':>7}  [ms]")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = launch(playwright)
        server = demonstration(Path(folder), TABLES, flow=1.0)
        try:
            for place, (name, (size, slower)) in enumerate(DEVICES.items(), start=1):
                tell(name, measure(browser, server, place, size, slower, taps))
        finally:
            server.kill()
            browser.close()
    return 0


def measure(
    browser: Browser, server: Server, place: int, size: str, slower: int, taps: int
) -> list[dict[str, Any]]:
    """Tap so often, each time after the answer to the tap before."""
    visits = Visits(Sessions(browser))

    def visit(path: str | None = "/", *, at: Server, **how: Any) -> Any:
        return visits.come(at, path, **how)

    patron = Patron(visit, server, "taps", place, size=WIDTHS[size], touch=size == "phone")
    patron.page.emulate_media(reduced_motion="no-preference")
    patron.page.add_init_script(_NOTES)
    patron.sit(buys="100,000")
    patron.betting()
    patron.chip("SGD 50")
    session = patron.screen.context.new_cdp_session(patron.page)
    session.send("Emulation.setCPUThrottlingRate", {"rate": slower})
    found: list[dict[str, Any]] = []
    for at in range(taps):
        if at and at % (MOST * len(WAGERS)) == 0:
            clear(patron)
        area = patron.area(WAGERS[at % len(WAGERS)])
        area.tap() if size == "phone" else area.click()
        patron.screen.until(lambda: bool(patron.page.evaluate("window.tap?.drawn > 0")))
        found.append(patron.page.evaluate("window.tap"))
    visits.go()
    return found


def clear(patron: Patron) -> None:
    """Take everything off the felt."""
    patron.screen.button("Clear").click()
    for wager in WAGERS:
        patron.accepted(wager, "")


def tell(name: str, taps: list[dict[str, Any]]) -> None:
    """Print what passed between the tap and its answer."""
    spans = {
        "tap to sending": [each["sent"] - each["tapped"] for each in taps],
        "the server, with its commit": [each["heard"] - each["sent"] for each in taps],
        "hearing to drawing": [each["drawn"] - each["heard"] for each in taps],
        "tap to drawing": [each["drawn"] - each["tapped"] for each in taps],
        "beyond the server": [
            each["drawn"] - each["tapped"] - (each["heard"] - each["sent"]) for each in taps
        ],
    }
    for what, times in spans.items():
        cuts = statistics.quantiles(times, n=100)
        print(f"{name:24} {what:28} {cuts[49]:7.1f} {cuts[94]:7.1f} {cuts[98]:7.1f}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
