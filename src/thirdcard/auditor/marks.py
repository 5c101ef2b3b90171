"""Patrons who are marked because a wager under the minimum was let pass, as the recount follows it."""

from collections.abc import Iterator

from thirdcard.auditor.bodies import PatronMarked
from thirdcard.messages import Message, message


class Marks:
    """The round in which each patron was let pass, by stay, and the wagers by which they were."""

    def __init__(self) -> None:
        self._rounds: dict[tuple[str, int], int] = {}
        self._wagers: dict[tuple[str, int], set[int]] = {}
        self._let_pass: set[str] = set()
        self._told: set[str] = set()

    def begin_round(self) -> None:
        """Begin a round, in which nobody was let pass yet."""
        self._let_pass.clear()
        self._told.clear()

    def round_of(self, patron: str, stay: int) -> int | None:
        """Return the round in which a patron was let pass, if any."""
        return self._rounds.get((patron, stay))

    def carry_over(self, patron: str, stay: int, round_: int) -> None:
        """Let a mark outlast the stay in which it was made."""
        self._rounds[patron, stay] = round_

    def let_pass(self, patron: str, stay: int, round_: int, wager: int) -> None:
        """Note that a wager under the minimum was paid or collected."""
        self._let_pass.add(patron)
        self._rounds.setdefault((patron, stay), round_)
        self._wagers.setdefault((patron, round_), set()).add(wager)

    def tell(self, body: PatronMarked, round_: int) -> Iterator[Message]:
        """Hold a mark against the round in which a wager of the patron was let pass."""
        if body.patron not in self._let_pass or body.round != round_:
            yield message("finding.mark-not-due", patron=body.patron, round=body.round)
        self._told.add(body.patron)

    def untold(self) -> list[str]:
        """Return those who were let pass and are not marked."""
        return sorted(self._let_pass - self._told)

    def take_out(self, patron: str, round_: int, wager: int) -> None:
        """Take out a wager that was neither paid nor collected after all; its mark goes with the last one."""
        wagers = self._wagers.get((patron, round_), set())
        wagers.discard(wager)
        if not wagers:
            mark = (patron, round_)
            self._rounds = {who: when for who, when in self._rounds.items() if (who[0], when) != mark}

    def undo(self, round_: int) -> None:
        """Forget what a settlement has marked that was undone."""
        self.begin_round()
        self._wagers = {key: wagers for key, wagers in self._wagers.items() if key[1] != round_}
        self._rounds = {who: when for who, when in self._rounds.items() if when != round_}
