"""Sounds and movement at a terminal: calls once they were recorded, and chips that go to the winner."""

import json
import re
from typing import Any

from screens.conftest import Visit
from screens.dealing import Table, felt
from screens.floors import GAMES
from screens.patrons import Patron
from server.served import Server

AT_TERMINALS = 'terminal = true\ndifferential = "1000000"\n'
TIMES = "{ betting = 600, warning = 5, offer = 60 }"
TABLES = "".join(felt(name, GAMES["tiger"], AT_TERMINALS, TIMES) for name in ("heard", "chinese", "moving"))
# what the browser would say and play
_LISTENS = """window.heard = [];
class Said { constructor(text) { this.text = text; } }
Object.defineProperty(window, 'SpeechSynthesisUtterance', {value: Said});
Object.defineProperty(window, 'speechSynthesis', {value: {
  speak: said => window.heard.push(`${said.lang}: ${said.text}`), cancel: () => {},
}});
for (const [name, sound] of [['createOscillator', 'chip'], ['createBufferSource', 'card']]) {
  const made = AudioContext.prototype[name];
  AudioContext.prototype[name] = function () { window.heard.push(sound); return made.call(this); };
}"""
# where chips that move are seen: how far they are from their area when they set out
_FLIGHTS = """window.flights = [];
new MutationObserver(changes => {
  for (const change of changes) for (const added of change.addedNodes) {
    if (!(added instanceof Element) || !added.matches('.flight')) continue;
    const box = added.getBoundingClientRect();
    window.flights.push({comes: added.matches('.comes'), top: box.top, moves: added.getAnimations().length});
  }
}).observe(document, {childList: true, subtree: true});"""


def seated(visit: Visit, house: Server, table: str, **how: Any) -> tuple[Patron, Table]:
    """Somebody at a terminal of a table whose dealer acts by commands."""
    dealer = Table(visit(None, at=house, post="dealer"), table).staffed().opened()
    patron = Patron(visit, house, table, 1, **how)
    patron.screen.context.add_init_script(_LISTENS)
    patron.screen.context.add_init_script(_FLIGHTS)
    return patron, dealer


def heard(patron: Patron) -> list[str]:
    """Return the calls that were heard until now."""
    found: list[str] = patron.page.evaluate("window.heard")
    return [each for each in found if ": " in each]


def test_calls_are_repeated_once_they_are_recorded(visit: Visit, house: Server) -> None:
    patron, dealer = seated(visit, house, "heard")
    patron.sit()
    dealer.do("open-betting")
    patron.betting()
    patron.wagers("Banker", "50")
    assert patron.page.evaluate("window.heard") == [], "nothing is heard before it is switched on"
    patron.page.get_by_label("Sound", exact=True).check()
    patron.wagers("Tie", "10")
    patron.screen.until(lambda: "chip" in patron.page.evaluate("window.heard"))
    assert heard(patron) == []
    dealer.do("close-betting")
    patron.screen.until(lambda: heard(patron) == ["en-SG: No more bets"])
    dealer.draws("KS AC 5H 2H TD 3S")
    patron.screen.until(lambda: "card" in patron.page.evaluate("window.heard"))
    patron.page.get_by_label("Total 6").wait_for()
    assert heard(patron) == ["en-SG: No more bets"], "the outcome is known, and was not called"
    dealer.do("call-outcome", winner="banker")
    patron.screen.until(lambda: heard(patron)[1:] == ["en-SG: Banker wins"])
    dealer.do("open-betting")
    patron.screen.until(lambda: heard(patron)[2:] == ["en-SG: Place your bets, please"])
    # what was missed is not repeated, and the switch is remembered
    patron.page.reload()
    patron.betting()
    assert patron.page.get_by_label("Sound", exact=True).is_checked()
    assert heard(patron) == []
    patron.page.get_by_label("Sound", exact=True).uncheck()
    dealer.do("close-betting")
    patron.screen.says(re.compile("No more bets"))
    assert heard(patron) == []


def test_calls_are_repeated_in_the_language_of_the_screen(visit: Visit, house: Server) -> None:
    patron, dealer = seated(visit, house, "chinese", language="zh-Hans")
    patron.screen.context.add_init_script("localStorage.setItem('thirdcard-sound', 'yes')")
    patron.comes().page.get_by_role("button", name="入座").click()
    patron.page.get_by_role("group", name="您的投注区").wait_for()
    dealer.do("open-betting")
    dealer.do("close-betting")
    patron.screen.until(lambda: len(heard(patron)) == 2)
    assert [each.split(": ")[0] for each in heard(patron)] == ["zh-CN", "zh-CN"]
    assert re.search("[\u4e00-\u9fff]", heard(patron)[0])


def play(patron: Patron, dealer: Table) -> None:
    """Play a round that Banker wins."""
    dealer.do("open-betting")
    patron.betting()
    patron.wagers("Banker", "50")
    patron.wagers("Player", "50")
    dealer.do("close-betting")
    dealer.draws("KS AC 5H 2H TD 3S")
    dealer.do("call-outcome", winner="banker")


def moved(patron: Patron) -> list[Any]:
    """Return the chips that moved until now."""
    found: list[Any] = json.loads(patron.page.evaluate("JSON.stringify(window.flights)"))
    return found


def test_chips_move_to_the_winner_and_nothing_moves_where_that_is_asked(visit: Visit, house: Server) -> None:
    patron, dealer = seated(visit, house, "moving")
    patron.sit()
    play(patron, dealer)
    patron.page.get_by_text("+47.50").first.wait_for()
    assert moved(patron) == [], "reduced motion is asked for"
    _nothing_moves(patron)
    patron.page.emulate_media(reduced_motion="no-preference")
    play(patron, dealer)
    patron.screen.until(lambda: len(moved(patron)) == 2)
    flights = moved(patron)
    assert sorted(each["comes"] for each in flights) == [False, True]
    assert all(each["moves"] for each in flights)
    area = patron.area("Banker").bounding_box()
    assert area is not None
    assert all(each["top"] < area["y"] for each in flights if each["comes"]), "from the Dealer's side"
    patron.screen.until(lambda: patron.page.locator(".flight").count() == 0)


def _nothing_moves(patron: Patron) -> None:
    """No animation lasts long enough to be seen."""
    lasting = "document.getAnimations().filter(each => each.effect.getComputedTiming().duration > 1).length"
    assert patron.page.evaluate(lasting) == 0
