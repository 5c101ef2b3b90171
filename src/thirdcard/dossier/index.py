"""The rounds of a table in a list, to find one by what happened in it."""

from msgspec import Struct
from msgspec.structs import replace

from thirdcard.dossier.find import Segment, segments
from thirdcard.game import events as ev
from thirdcard.journal.store import Store
from thirdcard.rulebook.facts import Winner
from thirdcard.rulebook.irregularity import Situation

# the last of these says whether a round is over
ROUND_ENDS = (ev.RoundEnded, ev.RoundVoided, ev.SettlementReversed)


class RoundLine(Struct, frozen=True, kw_only=True):
    """A round in a list: where it stands, how it ended, who played, and what went wrong."""

    number: int
    first: int
    last: int
    began: int
    ended: bool
    void: bool
    free: bool
    winner: Winner | None
    situations: tuple[Situation, ...]
    disputed: bool
    corrected: bool
    patrons: tuple[str, ...]
    staked: int

    @property
    def is_incident(self) -> bool:
        """Whether something went wrong in it, it came to nothing, or somebody disputes it."""
        return self.is_irregular or self.void or self.disputed

    @property
    def is_irregular(self) -> bool:
        """Whether something went wrong in it, or a card of it was entered wrongly."""
        return bool(self.situations) or self.corrected


class Sought(Struct, frozen=True, kw_only=True):
    """The conditions for a round to be found; a condition that is not given does not matter."""

    before: int | None = None
    most: int = 50
    void: bool = False
    irregular: bool = False
    disputed: bool = False
    incident: bool = False  # any of these three
    situation: Situation | None = None
    patron: str | None = None
    winner: Winner | None = None

    def fits(self, line: RoundLine) -> bool:
        """Whether a round is one that is sought."""
        return (
            (self.before is None or line.number < self.before)
            and (line.void or not self.void)
            and (line.is_irregular or not self.irregular)
            and (line.disputed or not self.disputed)
            and (line.is_incident or not self.incident)
            and (self.situation is None or self.situation in line.situations)
            and (self.patron is None or self.patron in line.patrons)
            and (self.winner is None or self.winner is line.winner)
        )


class RoundIndex:
    """The rounds of one table, read once and then only what has come since."""

    def __init__(self, stream: str) -> None:
        self._stream = stream
        self._lines: dict[int, RoundLine] = {}
        self._disputed: set[int] = set()
        self._corrected: set[int] = set()
        self._after = 0

    async def renew(self, store: Store) -> None:
        """Read what is new, the last round again since it may have gone on."""
        async for segment in segments(store, self._stream, after=self._after):
            self._after = segment.entries[0].record.sequence - 1
            if segment.number is not None:
                self._lines[segment.number] = _line(segment, segment.number)
            self._disputed |= _disputed_in(segment)
            self._corrected |= _corrected_in(segment)
        for number in (self._disputed | self._corrected) & self._lines.keys():
            found = {"disputed": number in self._disputed, "corrected": number in self._corrected}
            self._lines[number] = replace(self._lines[number], **found)

    def find(self, sought: Sought) -> tuple[RoundLine, ...]:
        """The rounds that fit, the newest first."""
        found = (line for line in reversed(self._lines.values()) if sought.fits(line))
        return tuple(line for line, _ in zip(found, range(sought.most), strict=False))

    def line(self, number: int) -> RoundLine | None:
        """A round by its number."""
        return self._lines.get(number)


def _disputed_in(segment: Segment) -> set[int]:
    """The rounds that the disputes of a segment are about; older records do not say it, so it is that one."""
    opened = (event for entry in segment.entries for event in entry.result.events)
    rounds = (
        segment.number if event.round is None else event.round
        for event in opened
        if isinstance(event, ev.DisputeOpened)
    )
    return {number for number in rounds if number}


def _corrected_in(segment: Segment) -> set[int]:
    """The rounds of which a card was corrected; it may be one that was over for long."""
    happened = (event for entry in segment.entries for event in entry.result.events)
    return {event.round for event in happened if isinstance(event, ev.CardCorrected)}


def _is_ended(events: list[ev.Event]) -> bool:
    """Whether a round is over: one whose settlement was taken back is under way again."""
    ends = [event for event in events if isinstance(event, ROUND_ENDS)]
    return bool(ends) and not isinstance(ends[-1], ev.SettlementReversed)


def _line(segment: Segment, number: int) -> RoundLine:
    entries = segment.of_the_round
    events = [event for entry in segment.entries for event in entry.result.events]
    facts = [event.facts for event in events if isinstance(event, ev.OutcomeKnown)]
    placed = [event for event in events if isinstance(event, ev.WagerPlaced | ev.WagerFound)]
    reported = [event for event in events if isinstance(event, ev.IrregularityReported)]
    void = any(isinstance(event, ev.RoundVoided) for event in events)
    return RoundLine(
        number=number,
        first=entries[0].record.sequence,
        last=entries[-1].record.sequence,
        began=entries[0].record.wall_time,
        ended=_is_ended(events),
        void=void,
        free=any(isinstance(event, ev.RoundBegan) and event.free for event in events),
        winner=facts[-1].winner if facts and not void and _is_ended(events) else None,
        situations=tuple(dict.fromkeys(event.case.situation for event in reported)),
        disputed=False,
        corrected=False,
        patrons=tuple(dict.fromkeys(event.patron for event in placed)),
        staked=sum(event.amount for event in placed),
    )
