"""The scoreboard of a shoe: bead plate, big road, the three derived roads, and statistics.

Everything is computed from the finished rounds, so that a void round, a free hand or a correction needs no
more than another tuple of rounds.
"""

import itertools
from collections import Counter
from collections.abc import Iterable, Sequence

from msgspec import Struct

from thirdcard.folds.roads import ROAD_ROWS, Colour, RoadCell, Run, Tail, derive, lay_out, runs_of
from thirdcard.game import events as ev
from thirdcard.rulebook.book import Kind, OddsRow, Rulebook
from thirdcard.rulebook.facts import Facts, Winner, hold

# every road shows these, so a wager on them alone needs no mark of its own
SHOWN_ANYWAY = {"winner", "player_pair", "banker_pair", "pairs"}


class RoundShown(Struct, frozen=True):
    """A finished round as a scoreboard shows it; ``marks`` are the special results of its game."""

    winner: Winner
    player_pair: bool = False
    banker_pair: bool = False
    natural: bool = False
    marks: tuple[str, ...] = ()


class BigRoadMark(Struct, frozen=True):
    """A round won by a hand, its number in the shoe counted from one, and the ties that followed it.

    The first mark also carries the ties that came before it.
    """

    round: int
    shown: RoundShown
    ties: int


class BigRoad(Struct, frozen=True):
    """The logical columns, the marks in their places, and how many ties came before any win."""

    runs: tuple[Run, ...]
    cells: tuple[RoadCell[BigRoadMark], ...]
    leading_ties: int


class DerivedRoad(Struct, frozen=True):
    """The marks in order, and in their places: a new column at each change of colour."""

    marks: tuple[Colour, ...]
    cells: tuple[RoadCell[Colour], ...]


class MarkCount(Struct, frozen=True):
    """How often a special result came."""

    mark: str
    count: int


class Statistics(Struct, frozen=True):
    """The counts of a shoe; ties do not end a run of a hand."""

    rounds: int
    player: int
    banker: int
    tie: int
    player_pairs: int
    banker_pairs: int
    naturals: int
    marks: tuple[MarkCount, ...]
    longest_player_run: int
    longest_banker_run: int
    longest_tie_run: int


class MarksNext(Struct, frozen=True):
    """The mark that each derived road gets if a hand wins the next round; nothing where it gets none."""

    big_eye_boy: Colour | None
    small_road: Colour | None
    cockroach_pig: Colour | None


class NextMarks(Struct, frozen=True):
    """The marks that come next in the derived roads, by the hand that wins."""

    banker: MarksNext
    player: MarksNext


class Scoreboard(Struct, frozen=True, omit_defaults=True):
    """All that a scoreboard shows of a shoe; ``next_marks`` where the floor wants them shown."""

    bead_plate: tuple[RoadCell[RoundShown], ...]
    big_road: BigRoad
    big_eye_boy: DerivedRoad
    small_road: DerivedRoad
    cockroach_pig: DerivedRoad
    statistics: Statistics
    next_marks: NextMarks | None = None


def scoreboard(rounds: tuple[RoundShown, ...], tail: Tail = Tail.A) -> Scoreboard:
    """The scoreboard after these rounds, all of them counted whether or not they will be drawn."""
    runs = runs_of(shown.winner for shown in rounds)
    lengths = tuple(run.length for run in runs)
    return Scoreboard(
        bead_plate=tuple(RoadCell(at % ROAD_ROWS, at // ROAD_ROWS, shown) for at, shown in enumerate(rounds)),
        big_road=_big_road(rounds, runs, tail),
        big_eye_boy=_derived_road(lengths, 1, tail),
        small_road=_derived_road(lengths, 2, tail),
        cockroach_pig=_derived_road(lengths, 3, tail),
        statistics=_statistics(rounds, runs),
    )


def next_marks(rounds: tuple[RoundShown, ...]) -> NextMarks:
    """Return what the next round brings to the derived roads, if Banker wins it and if Player does."""
    winners = tuple(shown.winner for shown in rounds)
    return NextMarks(_marks_after(winners, Winner.BANKER), _marks_after(winners, Winner.PLAYER))


def _marks_after(winners: tuple[Winner, ...], winner: Winner) -> MarksNext:
    before, after = (_lengths(each) for each in (winners, (*winners, winner)))
    return MarksNext(*(_added(derive(before, offset=at), derive(after, offset=at)) for at in (1, 2, 3)))


def _lengths(winners: tuple[Winner, ...]) -> tuple[int, ...]:
    return tuple(run.length for run in runs_of(winners))


def _added(before: tuple[Colour, ...], after: tuple[Colour, ...]) -> Colour | None:
    return after[-1] if len(after) > len(before) else None


def round_shown(rulebook: Rulebook, facts: Facts) -> RoundShown:
    """Return the round that a scoreboard shows for the facts of a round under a game."""
    two_cards = (facts.player_cards, facts.player_total), (facts.banker_cards, facts.banker_total)
    return RoundShown(
        winner=facts.winner,
        player_pair=facts.player_pair,
        banker_pair=facts.banker_pair,
        natural=any(cards == 2 and total >= 8 for cards, total in two_cards),
        marks=marks_of(rulebook, facts),
    )


def rounds_of_shoe(rulebook: Rulebook, events: Iterable[ev.Event]) -> tuple[RoundShown, ...]:
    """The rounds of the shoe in play as the board shows them, from the events of the table.

    A round comes on the board with its call. Void rounds and free hands are not on it, and a corrected round
    stands as corrected once it is called again.
    """
    shown: dict[int, RoundShown] = {}
    number, counts, known = 0, False, None
    for event in events:
        match event:
            case ev.ShoeLoaded():
                shown, counts = {}, counts and known is None and number not in shown
            case ev.RoundBegan():
                number, counts, known = event.number, not event.free, None
            case ev.OutcomeKnown():
                known = event.facts
            case ev.OutcomeCalled() if counts and known:
                shown[number] = round_shown(rulebook, known)
            case ev.SettlementReversed():
                shown.pop(number, None)
            case ev.RoundVoided():
                shown.pop(event.number, None)
            case _:
                pass
    return tuple(shown[each] for each in sorted(shown))


def marks_of(rulebook: Rulebook, facts: Facts) -> tuple[str, ...]:
    """The special results of a round: the side wagers it pays that ask for more than winner and pairs.

    A mark is the id of the wager; where the wager has several pay rows and the one that pays asks for a
    number of cards, that number follows: ``tiger-3`` is a Tiger with three cards, ``dragon-tiger-6`` a Dragon
    Tiger with six cards in both hands.
    """
    marks: list[str] = []
    for wager in rulebook.wagers.values():
        row = next((row for row in wager.rows if hold(row.conditions, facts)), None)
        if wager.kind is Kind.MAIN or row is None or row.odds is None:
            continue
        asked = {name for name, _ in row.conditions}
        if asked <= SHOWN_ANYWAY:
            continue
        several = sum(each.odds is not None for each in wager.rows) > 1
        marks.append("-".join((wager.id, *(_numbers_of_cards(row, facts) if several else ()))))
    return tuple(marks)


def _numbers_of_cards(row: OddsRow, facts: Facts) -> tuple[str, ...]:
    """The numbers of cards that a row asks for: of a hand, or of both hands where it asks for third cards."""
    numbers = {
        "player_cards": facts.player_cards,
        "banker_cards": facts.banker_cards,
        "third_cards": facts.player_cards + facts.banker_cards,
    }
    return tuple(str(numbers[name]) for name, _ in row.conditions if name in numbers)


def _big_road(rounds: Sequence[RoundShown], runs: tuple[Run, ...], tail: Tail) -> BigRoad:
    wins = [at for at, shown in enumerate(rounds) if shown.winner is not Winner.TIE]
    leading_ties = wins[0] if wins else len(rounds)
    following = [after - at - 1 for at, after in itertools.pairwise((*wins, len(rounds)))]
    places = lay_out((run.length for run in runs), tail)
    cells = tuple(
        RoadCell(row, column, BigRoadMark(at + 1, rounds[at], ties + (leading_ties if at == wins[0] else 0)))
        for (row, column), at, ties in zip(places, wins, following, strict=True)
    )
    return BigRoad(runs, cells, leading_ties)


def _derived_road(lengths: tuple[int, ...], offset: int, tail: Tail) -> DerivedRoad:
    marks = derive(lengths, offset=offset)
    places = lay_out((len(list(group)) for _, group in itertools.groupby(marks)), tail)
    cells = (RoadCell(row, column, mark) for (row, column), mark in zip(places, marks, strict=True))
    return DerivedRoad(marks, tuple(cells))


def _statistics(rounds: Sequence[RoundShown], runs: tuple[Run, ...]) -> Statistics:
    winners = Counter(shown.winner for shown in rounds)
    marks = Counter(mark for shown in rounds for mark in shown.marks)
    longest = {winner: _longest(runs, winner) for winner in (Winner.PLAYER, Winner.BANKER)}
    tied = (len(list(group)) for tie, group in itertools.groupby(rounds, _is_tie) if tie)
    return Statistics(
        rounds=len(rounds),
        player=winners[Winner.PLAYER],
        banker=winners[Winner.BANKER],
        tie=winners[Winner.TIE],
        player_pairs=sum(shown.player_pair for shown in rounds),
        banker_pairs=sum(shown.banker_pair for shown in rounds),
        naturals=sum(shown.natural for shown in rounds),
        marks=tuple(MarkCount(mark, count) for mark, count in sorted(marks.items())),
        longest_player_run=longest[Winner.PLAYER],
        longest_banker_run=longest[Winner.BANKER],
        longest_tie_run=max(tied, default=0),
    )


def _is_tie(shown: RoundShown) -> bool:
    return shown.winner is Winner.TIE


def _longest(runs: tuple[Run, ...], winner: Winner) -> int:
    return max((run.length for run in runs if run.winner is winner), default=0)
