"""The promises that hold after a simulated evening, whatever went wrong in it."""

from collections.abc import Iterator

import msgspec
from simulation.floor import BETTING_SECONDS, Evening

from thirdcard.auditor.verify import verify
from thirdcard.journal.record import Record
from thirdcard.journal.store import FLOOR_STREAM

LATE = 16.0  # seconds, while stores and networks go wrong; servers let each other go first
EARLY = 0.5  # seconds
LISTED = 5


class _Body(msgspec.Struct):
    refused: msgspec.Raw | None = None


_body = msgspec.json.Decoder(_Body)


async def judge(evening: Evening) -> list[str]:
    """Everything that is wrong; nothing where it is as it must be."""
    found = [
        *evening.network.ahead[:LISTED],
        *_acknowledged(evening),
        *_betting(evening),
        *evening.differences,
    ]
    for stream in await evening.disk.kept.streams():
        report = await verify(evening.disk.kept, stream)
        found += [f"{stream}: {each}" for each in report.findings]
    return found


def _acknowledged(evening: Evening) -> Iterator[str]:
    """Each acknowledged command is recorded once, at its place; a refused one was not done."""
    commands: dict[str, list[Record]] = {}
    for records in evening.disk.kept._streams.values():
        for record in records:
            commands.setdefault(record.command_id, []).append(record)
    for command_id, sequence in evening.network.acknowledged.items():
        places = [each.sequence for each in commands.get(command_id, ())]
        if places != [sequence]:
            yield f"{command_id} was acknowledged at {sequence} and is recorded at {places}"
    second_was_done = evening.network.doubled & evening.network.done
    for command_id, reason in evening.network.refused.items():
        if command_id in second_was_done:
            continue
        for record in commands.get(command_id, ()):
            if _body.decode(record.body).refused is None:
                yield f"{command_id} was refused ({reason}) and is done: {record.kind} of {record.stream}"
    for command_id, records in commands.items():
        if len(records) > 1:
            yield f"{command_id} is recorded {len(records)} times"


def _betting(evening: Evening) -> Iterator[str]:
    """Betting lasts as long as the table says, whatever becomes of the clocks; a paused table waits."""
    for stream, records in evening.disk.kept._streams.items():
        if stream == FLOOR_STREAM:
            continue
        opened: float | None = None
        for record in records:
            if _body.decode(record.body).refused is not None:
                continue
            at = evening.disk.at[record.command_id]
            match record.kind:
                case "open-betting":
                    opened = at
                case "pause-table" | "resume-table":
                    opened = None
                case "place-wager" if opened is not None and at > _latest(evening, opened, at):
                    yield f"{stream} takes a wager {at - opened:.1f} s after the opening ({record.sequence})"
                case "close-betting" if opened is not None:
                    if at - opened < BETTING_SECONDS - EARLY:
                        yield f"{stream} closes betting after {at - opened:.1f} s ({record.sequence})"
                    if at > _latest(evening, opened, at):
                        yield f"{stream} closes betting only after {at - opened:.1f} s ({record.sequence})"
                    opened = None


def _latest(evening: Evening, opened: float, at: float) -> float:
    """When betting is over at the latest: a server that starts meanwhile counts from then what is left of it.

    As long as nobody sets clocks, the third time is the last one.
    """
    latest = max(opened, *(each for each in evening.starts if each < at), 0.0) + BETTING_SECONDS + LATE
    return latest if evening.clocks_were_set else min(latest, opened + 3 * BETTING_SECONDS + LATE)
