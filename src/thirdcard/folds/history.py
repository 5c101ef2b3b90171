"""Finished rounds as a fold of the events of a table: the shoe in play whole, and each patron's last rounds.

The fold may begin where a shoe was loaded, or where a table was set up to have every patron's last rounds.
"""

import itertools
import typing
from collections.abc import Iterable, Mapping

from msgspec import Struct
from msgspec.structs import replace

from thirdcard.clauses import Clause
from thirdcard.folds.case_clause import clause_of
from thirdcard.folds.faces import CardShown, open_face, shown_to_all
from thirdcard.folds.record_place import Recorded
from thirdcard.folds.scoreboard import RoundShown, round_shown
from thirdcard.folds.viewers import Viewer
from thirdcard.game import events as ev
from thirdcard.game.causes import Cause
from thirdcard.game.commands import PlainRuling
from thirdcard.game.state import PlacedWager, Round, SettledWager, Table
from thirdcard.rulebook.book import Rulebook
from thirdcard.rulebook.facts import Facts, Winner
from thirdcard.rulebook.irregularity import Method, Preset, Situation

KEPT_ROUNDS = 10  # of each patron
KEPT_PATRONS = 500  # of a table, those who played last
KEPT_SHOES = 4  # before the one in play, their boards


class Returned(Struct, frozen=True):
    """A stake that went back because its round is void, as far as it lay there."""

    id: int
    patron: str
    position: int | None
    wager: str
    stake: int


class Ruling(Struct, frozen=True):
    """A ruling, and what else was decided with it; why and by whom is for staff."""

    choice: str
    clauses: tuple[Clause, ...]
    also: tuple[str, ...] = ()
    text: str | None = None
    by: str | None = None
    entered_by: str | None = None
    second: str | None = None


class CaseAct(Struct, frozen=True):
    """A statement about an irregularity and the person who made it, with a second person where two did."""

    kind: typing.Literal["reported", "confirmed", "disproved", "withdrawn"]
    by: str
    second: str | None = None
    text: str = ""


# what a ruling can choose; in older records any word puts cards in order, so the one for it is shown
CHOICES = frozenset({*PlainRuling, *Preset})


def choice_shown(choice: str) -> str:
    """A choice as everybody may know it: one from the closed list, never what somebody typed."""
    return choice if choice in CHOICES else PlainRuling.ORDER


class Irregular(Struct, frozen=True, kw_only=True):
    """An irregularity of a round, and what came of it; it is ``unfounded`` where it was not so after all.

    ``note`` is the reason that was given with the report, and ``acts`` say who reported it and who had a word
    in it; both are for staff.
    """

    case: int
    sequence: int
    situation: Situation
    clause: Clause | None
    cause: Cause | None = None
    note: str = ""
    effects: tuple[str, ...] = ()
    rulings: tuple[Ruling, ...] = ()
    acts: tuple[CaseAct, ...] = ()
    closed: bool = False
    unfounded: bool = False


class Begun(Struct, frozen=True):
    """A round that is not over; it is told from its opening call on and may get its number later."""

    number: int
    first: Recorded
    irregularities: tuple[Irregular, ...] = ()
    returned: tuple[Returned, ...] = ()


class RoundTold(Struct, frozen=True, kw_only=True):
    """A finished round, from its opening call to its end; ``bead`` is its place on the bead plate."""

    number: int
    shoe: int
    first: Recorded
    last: Recorded
    method: Method | None
    free: bool
    last_hand: bool
    void: bool
    cards: tuple[CardShown, ...]
    facts: Facts | None
    called: Winner | None
    shown: RoundShown | None
    bead: int | None
    wagers: tuple[SettledWager, ...]
    returned: tuple[Returned, ...]
    irregularities: tuple[Irregular, ...]


class Reversal(Struct, frozen=True, kw_only=True):
    """A settlement of the last round that was taken back, so that chips which moved by it go back.

    ``card`` is the number of the card that was corrected, else ``situation`` is the irregularity that it was
    taken back for; ``gone`` are the patrons who had left the table.
    """

    round: int
    wagers: tuple[SettledWager, ...]
    clauses: tuple[Clause, ...]
    situation: Situation | None
    card: int | None = None
    void: bool = False
    gone: tuple[str, ...] = ()


class Board(Struct, frozen=True):
    """The rounds of a shoe as the scoreboard showed them."""

    shoe: int
    rounds: tuple[RoundShown, ...]


class History(Struct, frozen=True):
    """The rounds of the shoe in play, what the scoreboard shows of them, and the last ones of each patron.

    ``earlier`` are the boards of the last shoes before, ``reversals`` what was taken back of the last round.
    """

    shoe: int = 0
    now: Begun | None = None
    rounds: tuple[RoundTold, ...] = ()
    numbers: tuple[int, ...] = ()
    board: tuple[RoundShown, ...] = ()
    recent: dict[str, tuple[RoundTold, ...]] = {}
    earlier: tuple[Board, ...] = ()
    reversals: tuple[Reversal, ...] = ()


def history_after(  # noqa: PLR0911 - one case an event
    history: History, event: ev.Event, table: Table, rulebook: Rulebook, recorded: Recorded
) -> History:
    """The history after an event that made the table what it is."""
    match event:
        case ev.TableSetUp() | ev.ShoeLoaded():
            number = table.shoe.number if table.shoe else 0
            earlier, reversals = _with_its_board(history), history.reversals
            return History(shoe=number, recent=history.recent, earlier=earlier, reversals=reversals)
        case ev.BettingOpened():
            return replace(history, now=Begun(0, recorded))
        case ev.RoundBegan():
            begun = history.now or Begun(0, recorded)
            return replace(history, now=replace(begun, number=event.number), reversals=())
        case ev.OutcomeCalled():
            return _called(history, table, rulebook)
        case ev.RoundVoided():
            if event.reversed:
                history = _taken_back(history, event, event.reversed, table)
            return _voided(history, event, table, recorded)
        case ev.RoundEnded():
            return _ended(history, table, recorded)
        case ev.SettlementReversed():
            history = _taken_back(history, event, event.wagers, table)
            return _reopened(history, table, recorded)
        case ev.IrregularityReported():
            return _reported(history, event, table, recorded, rulebook)
        case ev.CardCorrected():
            return _corrected(_taken_back_for_card(history, event), event)
        case _ if isinstance(event, CaseEvent):
            return _in_case(history, event, table)
        case _:
            pass
    return history


def last_rounds(history: History, patron: str) -> tuple[RoundTold, ...]:
    """The last rounds in which a patron had a wager, as the patron may see them, the oldest first."""
    return history.recent.get(patron, ())


def as_it_stood(history: History, number: int) -> tuple[RoundShown, ...] | None:
    """The board up to a finished round; nothing for one that is not on it or no longer at hand."""
    known = itertools.chain(history.rounds, *history.recent.values())
    told = next((each for each in known if each.number == number), None)
    if told is None or told.bead is None:
        return None
    for board in (Board(history.shoe, history.board), *history.earlier):
        if board.shoe == told.shoe:
            return board.rounds[: told.bead + 1]
    return None


def told_to(told: RoundTold, viewer: Viewer) -> RoundTold:
    """A round as somebody may see it: to all but staff only their own wagers, and no names."""
    if viewer.sees_behind:
        return told
    public = _without_wagers(told)
    return _divided(told).get(viewer.patron, public) if viewer.patron else public


def _without_wagers(told: RoundTold) -> RoundTold:
    """A round without wagers, and without what is said about its rulings."""
    irregularities = tuple(
        replace(each, note="", acts=(), rulings=tuple(map(_ruling_shown, each.rulings)))
        for each in told.irregularities
    )
    return replace(told, wagers=(), returned=(), irregularities=irregularities)


def _ruling_shown(ruling: Ruling) -> Ruling:
    return Ruling(choice_shown(ruling.choice), ruling.clauses, tuple(map(choice_shown, ruling.also)))


def _divided(told: RoundTold) -> dict[str, RoundTold]:
    """A round as each patron may see it who had a wager in it."""
    public = _without_wagers(told)
    wagers: dict[str, list[SettledWager]] = {}
    returned: dict[str, list[Returned]] = {}
    for each in told.wagers:
        wagers.setdefault(each.patron, []).append(each)
    for back in told.returned:
        returned.setdefault(back.patron, []).append(back)
    return {
        name: replace(public, wagers=tuple(wagers.get(name, ())), returned=tuple(returned.get(name, ())))
        for name in (*wagers, *returned)
    }


def returned_by(event: ev.RoundVoided) -> tuple[Returned, ...]:
    """Every stake of a void round, settled before or not; what is held goes back once that is decided."""
    wagers: tuple[PlacedWager | SettledWager, ...] = (*event.returned, *event.reversed)
    return tuple(Returned(each.id, each.patron, each.position, each.wager, each.lying) for each in wagers)


def _with_its_board(history: History) -> tuple[Board, ...]:
    """The boards of earlier shoes when the shoe in play becomes one of them."""
    own = (Board(history.shoe, history.board),) if history.board else ()
    return (*history.earlier, *own)[-KEPT_SHOES:]


def _called(history: History, table: Table, rulebook: Rulebook) -> History:
    """The board gets a round of this shoe when its result is called, by the cards whatever was called."""
    current = table.round
    assert current is not None
    assert current.facts is not None
    if current.free or current.shoe != history.shoe:
        return history
    shown = round_shown(rulebook, current.facts)
    return replace(history, numbers=(*history.numbers, current.number), board=(*history.board, shown))


def _off_the_board(history: History, number: int) -> History:
    left = [
        (each, shown) for each, shown in zip(history.numbers, history.board, strict=True) if each != number
    ]
    return replace(history, numbers=tuple(each for each, _ in left), board=tuple(shown for _, shown in left))


def _voided(history: History, event: ev.RoundVoided, table: Table, recorded: Recorded) -> History:
    assert table.round is not None
    if event.number in history.numbers:
        history = _off_the_board(history, event.number)
    returned = returned_by(event)
    if not table.round.ended:
        begun = history.now or Begun(event.number, recorded)
        return replace(history, now=replace(begun, returned=returned))
    undone = {"void": True, "shown": None, "bead": None, "wagers": (), "last": recorded}
    over = [told for told in history.rounds if told.number == event.number]
    if not over:
        return _voided_in_the_shoe_before(history, event.number, returned, undone)
    return _kept(history, (replace(told, returned=returned, **undone) for told in over))


def _voided_in_the_shoe_before(
    history: History, number: int, returned: tuple[Returned, ...], undone: Mapping[str, object]
) -> History:
    """The history when the last round of the shoe before is void: only its patrons still have it."""
    recent, boards = dict(history.recent), history.earlier
    for patron, rounds in recent.items():
        for told in (each for each in rounds if each.number == number):
            own = tuple(each for each in returned if each.patron == patron)
            recent[patron] = (*rounds[:-1], replace(told, returned=own, **undone))
            boards = tuple(_without_bead(each, told) for each in boards)
    return replace(history, recent=recent, earlier=boards)


def _without_bead(board: Board, told: RoundTold) -> Board:
    """The board of an earlier shoe without its last round."""
    return replace(board, rounds=board.rounds[: told.bead]) if board.shoe == told.shoe else board


def _ended(history: History, table: Table, recorded: Recorded) -> History:
    current = table.round
    assert current is not None
    begun = history.now or Begun(current.number, recorded)
    return _kept(replace(history, now=None), (_told(history, begun, current, recorded),))


def _told(history: History, begun: Begun, current: Round, recorded: Recorded) -> RoundTold:
    bead = history.numbers.index(current.number) if current.number in history.numbers else None
    return RoundTold(
        number=current.number,
        shoe=history.shoe,
        first=begun.first,
        last=recorded,
        method=current.method,
        free=current.free,
        last_hand=current.last,
        void=current.void,
        cards=shown_to_all(current.cards),
        facts=current.facts,
        called=current.called,
        shown=None if bead is None else history.board[bead],
        bead=bead,
        wagers=current.settled,
        returned=begun.returned,
        irregularities=begun.irregularities,
    )


def _reopened(history: History, table: Table, recorded: Recorded) -> History:
    """A round whose settlement was taken back is under way again, and off the board until it is called."""
    current = table.round
    assert current is not None
    number = current.number
    history = _off_the_board(history, number)
    over = next((told for told in history.rounds if told.number == number), None)
    begun = Begun(number, over.first, over.irregularities) if over else Begun(number, recorded)
    left = {
        patron: tuple(told for told in rounds if told.number != number)
        for patron, rounds in history.recent.items()
    }
    rounds = tuple(told for told in history.rounds if told.number != number)
    return replace(history, now=begun, rounds=rounds, recent=left)


def _taken_back(
    history: History,
    event: ev.SettlementReversed | ev.RoundVoided,
    wagers: tuple[SettledWager, ...],
    table: Table,
) -> History:
    """A settlement is taken back, for the irregularity that is dealt with unless it waits for somebody."""
    assert table.round is not None
    here, case = {each.name for each in table.patrons if not each.gone}, table.case
    waits = case is None or case.waits is not None or case.offer is not None
    reversal = Reversal(
        round=table.round.number,
        wagers=wagers,
        clauses=event.clauses,
        situation=None if case is None or waits else case.situation,
        void=isinstance(event, ev.RoundVoided),
        gone=tuple(dict.fromkeys(each.patron for each in wagers if each.patron not in here)),
    )
    return replace(history, reversals=(*history.reversals, reversal)) if wagers else history


def _taken_back_for_card(history: History, event: ev.CardCorrected) -> History:
    """Mark what was just taken back for no irregularity as taken back for the card that is corrected."""
    reversals = tuple(
        each if each.situation or each.card else replace(each, card=event.number)
        for each in history.reversals
    )
    return replace(history, reversals=reversals) if reversals else history


def _kept(history: History, finished: Iterable[RoundTold]) -> History:
    """The history with finished rounds, each instead of what was told of it before."""
    recent, rounds = dict(history.recent), history.rounds
    for told in finished:
        rounds = (*(each for each in rounds if each.number != told.number), told)
        for patron, own in _divided(told).items():
            earlier = (each for each in recent.pop(patron, ()) if each.number != told.number)
            recent[patron] = (*earlier, own)[-KEPT_ROUNDS:]
    if len(recent) > KEPT_PATRONS:
        for patron in sorted(recent, key=lambda name: _played_last(name, recent[name]))[:-KEPT_PATRONS]:
            del recent[patron]
    return replace(history, rounds=rounds, recent=recent)


def _played_last(patron: str, rounds: tuple[RoundTold, ...]) -> tuple[int, str]:
    """By what patrons are ordered; the order in which they stand in memory is not part of a snapshot."""
    return (rounds[-1].number if rounds else 0, patron)


def _corrected(history: History, event: ev.CardCorrected) -> History:
    """A round that is over shows the card that lay there open; one under way is told when it ends."""

    def right(told: RoundTold) -> RoundTold:
        if told.number != event.round:
            return told
        cards = (
            replace(each, card=open_face(event.new, each.state)) if number == event.number else each
            for number, each in enumerate(told.cards, start=1)
        )
        return replace(told, cards=tuple(cards))

    recent = {patron: tuple(map(right, rounds)) for patron, rounds in history.recent.items()}
    return replace(history, rounds=tuple(map(right, history.rounds)), recent=recent)


CaseEvent = (
    ev.RulingMade
    | ev.EffectCarriedOut
    | ev.CaseClosed
    | ev.FactsConfirmed
    | ev.FactsDisproved
    | ev.ReportWithdrawn
)


def _reported(
    history: History, event: ev.IrregularityReported, table: Table, recorded: Recorded, rulebook: Rulebook
) -> History:
    """Add an irregularity to the round under way; between rounds, to the one before."""
    case = event.case
    by_staff = event.by != table.setup.table
    new = Irregular(
        case=case.id,
        sequence=recorded.sequence,
        situation=case.situation,
        clause=clause_of(rulebook.document, case),
        cause=case.cause,
        note=event.note,
        acts=(CaseAct("reported", event.by, case.second),) if by_staff else (),
    )
    if history.now is not None:
        return replace(history, now=replace(history.now, irregularities=(*history.now.irregularities, new)))
    before = history.rounds[-1:]
    return _kept(history, (replace(told, irregularities=(*told.irregularities, new)) for told in before))


def _in_case(history: History, event: CaseEvent, table: Table) -> History:
    """A case that is open may end with the round in which it was reported, or after it."""
    named = getattr(event, "id", None)  # others are about the case that is dealt with first
    case = named or (table.case.id if table.case else 0)
    if history.now is not None:
        now = replace(history.now, irregularities=_each_after(history.now.irregularities, event, case))
        history = replace(history, now=now)
    before = (told for told in history.rounds[-1:] if any(each.case == case for each in told.irregularities))
    return _kept(
        history,
        (replace(told, irregularities=_each_after(told.irregularities, event, case)) for told in before),
    )


def _each_after(irregularities: tuple[Irregular, ...], event: CaseEvent, case: int) -> tuple[Irregular, ...]:
    return tuple(_after(each, event) if each.case == case else each for each in irregularities)


def _after(irregular: Irregular, event: CaseEvent) -> Irregular:
    match event:
        case ev.RulingMade():
            entered, second = event.entered_by, event.second
            ruling = Ruling(event.choice, event.clauses, event.also, event.text, event.by, entered, second)
            return replace(irregular, rulings=(*irregular.rulings, ruling))
        case ev.EffectCarriedOut():
            done = (event.effect,) if event.done else ()
            return replace(irregular, effects=(*irregular.effects, *done))
        case ev.FactsConfirmed():
            return replace(irregular, acts=(*irregular.acts, CaseAct("confirmed", event.by, event.second)))
        case ev.FactsDisproved():
            act = CaseAct("disproved", event.by, event.second, event.found)
            return replace(irregular, closed=True, unfounded=True, acts=(*irregular.acts, act))
        case ev.ReportWithdrawn():
            act = CaseAct("withdrawn", event.by, event.second)
            return replace(irregular, closed=True, unfounded=True, acts=(*irregular.acts, act))
        case _:
            return replace(irregular, closed=True)
