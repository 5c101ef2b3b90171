"""The rounds of a table in a list, to find one by what happened in it."""

from collections import defaultdict

from msgspec import Struct
from msgspec.structs import replace

from thirdcard.auditor.stored_rules import Rules, StoredRules
from thirdcard.dossier.find import Segment, segments
from thirdcard.game import events as ev
from thirdcard.journal.codec import envelope_of
from thirdcard.journal.store import Store
from thirdcard.money import Currency
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
    shoe: int | None
    people: tuple[str, ...]  # who gave or approved a command in it
    wagers: tuple[str, ...]
    largest: int  # the most that one patron put on one kind of wager

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
    since: int | None = None  # began then or later, in microseconds since 1970
    until: int | None = None  # began then or before
    least: int | None = None  # its largest wager is not below this
    highest: int | None = None  # nor above this
    shoe: int | None = None
    person: str | None = None  # a patron of it, or somebody who gave or approved a command, however spelt
    wager: str | None = None

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
            and (self.person is None or _folded(self.person) in map(_folded, (*line.patrons, *line.people)))
            and self._fits_facts(line)
        )

    def _fits_facts(self, line: RoundLine) -> bool:
        """Whether its time, its amounts, its shoe and its wagers are those that are sought."""
        return (
            (self.since is None or self.since <= line.began)
            and (self.until is None or line.began <= self.until)
            and (self.least is None or self.least <= line.largest)
            and (self.highest is None or line.largest <= self.highest)
            and (self.shoe is None or self.shoe == line.shoe)
            and (self.wager is None or self.wager in line.wagers)
        )


def _folded(name: str) -> str:
    """A name without capitals and hyphens, so that Pit Manager is pit-manager."""
    return " ".join(name.casefold().replace("-", " ").split())


class RoundIndex:
    """The rounds of one table, read once and then only what has come since."""

    def __init__(self, stream: str) -> None:
        self._stream = stream
        self._lines: dict[int, RoundLine] = {}
        self._disputed: set[int] = set()
        self._corrected: set[int] = set()
        self._after = 0
        self._shoe: int | None = None  # in use when the last segment began
        self.currency: Currency | None = None

    async def renew(self, store: Store) -> None:
        """Read what is new, the last round again since it may have gone on."""
        shoe = self._shoe
        async for segment in segments(store, self._stream, after=self._after):
            self._after, self._shoe = segment.entries[0].record.sequence - 1, shoe
            if segment.number is not None:
                self._lines[segment.number] = _line(segment, segment.number, shoe)
            shoe = _shoe_after(segment, shoe)
            if self.currency is None:
                rules = await StoredRules(store).of(segment.entries[0].record)
                self.currency = rules.house.currency if isinstance(rules, Rules) else None
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


def _shoe_after(segment: Segment, shoe: int | None) -> int | None:
    """The number of the shoe that is in use at the end of a segment."""
    happened = (event for entry in segment.entries for event in entry.result.events)
    return next((event.number for event in reversed([*happened]) if isinstance(event, ev.ShoeLoaded)), shoe)


def _line(segment: Segment, number: int, shoe: int | None) -> RoundLine:
    entries = segment.of_the_round
    events = [event for entry in segment.entries for event in entry.result.events]
    facts = [event.facts for event in events if isinstance(event, ev.OutcomeKnown)]
    placed = [event for event in events if isinstance(event, ev.WagerPlaced | ev.WagerFound)]
    reported = [event for event in events if isinstance(event, ev.IrregularityReported)]
    void = any(isinstance(event, ev.RoundVoided) for event in events)
    stakes: defaultdict[tuple[str, str], int] = defaultdict(int)
    for event in placed:
        stakes[event.patron, event.wager] += event.amount
    envelopes = [envelope_of(entry.record) for entry in entries]
    people = (name for each in envelopes for name in (each.actor, each.authoriser) if name)
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
        staked=sum(stakes.values()),
        shoe=shoe,
        people=tuple(dict.fromkeys(people)),
        wagers=tuple(dict.fromkeys(wager for _, wager in stakes)),
        largest=max(stakes.values(), default=0),
    )
