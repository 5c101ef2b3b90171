"""The parts of a scene for pictures: a floor, people around its tables, and a camera."""

import io
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from PIL import Image
from screens.browser import Screen
from screens.dealing import Table
from screens.patrons import Behind, Patron
from screens.visits import Sessions, Visits
from server.served import Server

SETTLES = 400  # milliseconds, for fonts and drawings
TIMES = "{ betting = 45, warning = 5, offer = 60 }"
A_ROUND = 50  # seconds that a round takes, as the clock of the floor says
PATIENT = "{ betting = 600, warning = 5, offer = 60 }"


class Scene(NamedTuple):
    """A part of an evening: the tables of its floor, and what is done and pictured there."""

    name: str
    tables: str
    plays: Callable[["Stage"], None]


class Stage:
    """A floor with everybody at it, and the folder where the pictures go."""

    def __init__(self, server: Server, sessions: Sessions, target: Path) -> None:
        self.server = server
        self.taken: list[str] = []
        self._visits = Visits(sessions)
        self._target = target

    def visit(self, path: str = "/", *, at: Server | None = None, **how: Any) -> Screen:
        """A page for somebody with a browser of their own."""
        return self._visits.come(at or self.server, path, **how)

    def patron(self, table: str, place: int, name: str, **how: Any) -> Patron:
        """Somebody at a terminal, not yet sitting."""
        patron = Patron(self.visit, self.server, table, place, **how).comes()
        patron.name = name
        return patron

    def behind(self, post: str) -> Behind:
        """Somebody of the staff without a console."""
        return Behind(self.visit, self.server, post)

    def dealt(self, table: str) -> "Shoe":
        """A table opened by its dealer, who says which cards come."""
        screen = self.visit("/sign-in", post="dealer")
        return Shoe(Table(screen, table).staffed().opened(), self.server)

    def look(self, screen: Screen, name: str) -> None:
        """Look at a page that has no picture of its own."""

    def take(self, screen: Screen, name: str, *, all_colours: bool = False) -> None:
        """Take a picture of a page as it is now, without notes that are about to go."""
        screen.page.evaluate("document.querySelectorAll('.notes button').forEach(each => each.click())")
        screen.page.mouse.move(0, 0)
        screen.page.wait_for_timeout(SETTLES)
        shot = screen.page.screenshot(animations="disabled")
        picture = Image.open(io.BytesIO(shot)).convert("RGB")
        if not all_colours:
            picture = picture.quantize(256, Image.Quantize.MAXCOVERAGE, kmeans=2, dither=Image.Dither.NONE)
        picture.save(self._target / f"{name}.png", optimize=True)
        self.taken.append(name)

    def close(self) -> None:
        """Everybody goes."""
        self._visits.go()


class Shoe:
    """Cards as a shoe brings them, shuffled the same way every time, at a table."""

    def __init__(self, table: Table, server: Server) -> None:
        self.table = table
        self._server = server
        self._cards = [rank + suit for rank in "A23456789TJQK" for suit in "SHDC"] * 8

    def rounds(self, number: int, seed: int = 1) -> "Shoe":
        """So many rounds without wagers, in the order of a shuffle."""
        random.Random(seed).shuffle(self._cards)
        for _ in range(number):
            self.table.do("open-betting")
            self.round()
            self._server.move(A_ROUND)
        return self

    def round(self, cards: str = "") -> None:
        """A round that is open for wagers to its end, by cards that are named or come next."""
        named = cards.split()
        self.table.do("close-betting")
        winner = None
        for count in range(1, 7):
            self.table.draws(named.pop(0) if named else self._cards.pop())
            awaited = self.table.view["phase"]["awaited"] if count >= 4 else {}
            winner = awaited.get("winner")
            if winner:
                break
        self.table.do("call-outcome", winner=winner)
