"""Long simulated evenings one after another, and what they add up to."""

import time
from collections import Counter
from collections.abc import Iterator

from msgspec import Struct, field
from simulation.disk import WriteFault
from simulation.floor import Wanted
from simulation.loop import Stuck
from simulation.play import play

from thirdcard.client.errors import Trouble

PATRONS = 9
ROUNDS = 40  # that each of them plays in an evening
WHOLE_EVENING = 1_000_000.0  # seconds: things go wrong as long as anybody plays


class Totals(Struct):
    """The evenings up to a seed, and the fates of writes by how many were decided upon them."""

    seed: int
    evenings: int = 0
    rounds: int = 0
    at_tables: int = 0
    records: int = 0
    frames: int = 0
    starts: int = 0
    faults: int = 0
    failed: list[int] = field(default_factory=list)
    writes_met: Counter[tuple[WriteFault, int]] = field(default_factory=Counter)
    processor: float = 0.0

    @property
    def sentence(self) -> str:
        """Everything in one line."""
        return (
            f"{self.evenings:,} evenings to seed {self.seed - 1}: {self.rounds:,} rounds of patrons,"
            f" {self.at_tables:,} of tables, {self.starts:,} starts of servers, {self.faults:,} faults,"
            f" {self.records:,} records, {self.frames:,} frames, failed: {self.failed or 'none'};"
            f" {self.rounds / max(self.processor, 0.001):.1f} rounds per second of processor time"
        )

    @property
    def writes(self) -> Iterator[str]:
        """The fates of writes, a line for each kind of trouble."""
        for how in WriteFault:
            met = {behind: times for (each, behind), times in self.writes_met.items() if each is how}
            depths = ", ".join(f"{behind}: {met[behind]}" for behind in sorted(met))
            yield f"writes, {how}: {sum(met.values())}, by how many were decided upon them: {depths}"


def play_on(totals: Totals) -> list[str]:
    """Play the next evening; what is wrong with it."""
    begun = time.process_time()
    totals.seed, seed = totals.seed + 1, totals.seed
    totals.evenings += 1
    try:
        evening = play(Wanted(seed=seed, patrons=PATRONS, rounds=ROUNDS, seconds=WHOLE_EVENING))
    except (Stuck, AssertionError, Trouble) as error:
        totals.failed.append(seed)
        return [repr(error)]
    totals.rounds += evening.played
    totals.records += sum(evening.disk.ends().values())
    totals.at_tables += sum(
        record.kind == "open-betting" for records in evening.disk.kept._streams.values() for record in records
    )
    totals.frames += evening.network.frames
    totals.starts += len(evening.starts)
    totals.faults += len(evening.happened)
    totals.writes_met += evening.disk.met
    totals.processor += time.process_time() - begun
    if evening.trouble:
        totals.failed.append(seed)
    return evening.trouble
