"""The last round as a dealer settles it: what is undone, then what is taken, what stays, what is paid."""

from msgspec.structs import replace

from thirdcard.folds.history import Returned, Reversal
from thirdcard.game.state import Phase, Round, SettledWager
from thirdcard.views.next_actions import Due, NextStep
from thirdcard.views.sections.settlement import (
    ReversalShown,
    SettlementAct,
    SettlementLine,
    SettlementSection,
)
from thirdcard.views.sources import Sources

AFTER_SETTLING = (NextStep.OPEN_BETTING, NextStep.COUNT_OPENER, NextStep.SHOE, NextStep.FREE_HAND)
ACT_ORDER = ("take-back", "give-back", "take", "leave", "pay")


def settlement_section(sources: Sources, due: Due) -> SettlementSection:
    """Return what the last round undoes, takes and pays; of one under way only why something is undone."""
    current, rounds = sources.table.round, sources.history.rounds
    if current is None:
        return SettlementSection()
    reversals = tuple(each for each in sources.history.reversals if each.round == current.number)
    shown = tuple(_shown(number, each) for number, each in enumerate(reversals))
    if not current.ended:
        return SettlementSection(round=current.number, reversals=shown) if shown else SettlementSection()
    told = next((each for each in rounds[-1:] if each.number == current.number), None)
    settled = tuple(each for each in (told.wagers if told else current.settled) if _is_there(current, each))
    held = {each.wager.id for each in sources.table.held if each.wager and each.round == current.number}
    returned = told.returned if told else _returned_before(reversals)
    returned = tuple(each for each in returned if each.id not in held)
    if told is None and not reversals:
        return SettlementSection()
    undone, origins = _undone(reversals, settled)
    settles = [
        *(_settled(each, origins[each.id]) for each in settled),
        *(_returned(each, len(reversals)) for each in returned),
    ]
    sums = {
        name: sum(getattr(line, name) for line in settles)
        for name in ("taken", "paid", "back", "owed", "commission")
    }
    return SettlementSection(
        round=current.number,
        due=_is_due(sources, due),
        void=current.void,
        reversals=shown,
        lines=_in_order((*undone, *settles), tuple(sources.rulebook.wagers)),
        undone=sum(each.paid - each.taken for each in undone),
        balances=_balances(settled, settles),
        **sums,
    )


def _is_due(sources: Sources, due: Due) -> bool:
    """Whether chips are taken and paid now: by hand, before the next round or the next cards."""
    idle = sources.table.phase is Phase.IDLE and not sources.table.setup.terminal
    return idle and due.awaited is not None and due.awaited.step in AFTER_SETTLING


def _key(wager: SettledWager | Returned, does: SettlementAct, settlement: int) -> str:
    """Return what tells a line from all others of the round, also from the same wager settled otherwise."""
    moved = (0, 0, wager.stake) if isinstance(wager, Returned) else (wager.taken, wager.paid, wager.back)
    return "-".join(map(str, (does, settlement, wager.id, *moved)))


def _is_there(current: Round, wager: SettledWager) -> bool:
    """Whether the chips of a wager are on the felt: of one that is or was held the decision says more."""
    return any(each.id == wager.id and not each.held for each in current.settled) and not wager.held


def _shown(number: int, reversal: Reversal) -> ReversalShown:
    return ReversalShown(
        number=number,
        card=reversal.card,
        situation=reversal.situation,
        void=reversal.void,
        clauses=reversal.clauses,
    )


def _returned_before(reversals: tuple[Reversal, ...]) -> tuple[Returned, ...]:
    """The stakes that go back with a void round of the shoe before, which is told no more."""
    void = (each for each in reversals if each.void)
    return tuple(
        Returned(each.id, each.patron, each.position, each.wager, each.lying)
        for reversal in void
        for each in reversal.wagers
    )


def _undone(
    reversals: tuple[Reversal, ...], settled: tuple[SettledWager, ...]
) -> tuple[list[SettlementLine], dict[int, int]]:
    """The chips that go back, and the settlement by which each wager was first settled as it is now.

    A wager whose next settlement is the same is left alone.
    """
    lines: list[SettlementLine] = []
    origins: dict[int, int] = {}
    after = (*(each.wagers for each in reversals[1:]), settled)
    for each in reversals[0].wagers if reversals else settled:
        origins[each.id] = 0
    for number, (reversal, following) in enumerate(zip(reversals, after, strict=False)):
        moved = {each.id: _moved(each) for each in reversal.wagers}
        again = {each.id for each in following if moved.get(each.id) == _moved(each)}
        lines.extend(
            _undoes(each, origins[each.id], number, reversal)
            for each in reversal.wagers
            if each.id not in again and (each.paid or each.taken) and not each.held
        )
        origins |= {each.id: number + 1 for each in following if each.id not in again}
    return lines, origins


def _moved(wager: SettledWager) -> tuple[int, int, int, int]:
    return wager.taken, wager.paid, wager.back, wager.owed


def _in_order(lines: tuple[SettlementLine, ...], wagers: tuple[str, ...]) -> tuple[SettlementLine, ...]:
    """Return the lines in order: what is undone reversal by reversal, then takes before pays.

    Within these it goes position by position, and there in the order in which wagers are offered.
    """

    def place(line: SettlementLine) -> tuple[int, int, int, int, int]:
        undoes = len(lines) if line.reversal is None else line.reversal
        at = line.position or 0
        return undoes, ACT_ORDER.index(line.does), at, wagers.index(line.wager), line.id

    return tuple(sorted(lines, key=place))


def _undoes(wager: SettledWager, settlement: int, number: int, reversal: Reversal) -> SettlementLine:
    does: SettlementAct = "give-back" if wager.taken else "take-back"
    before: SettlementAct = "take" if wager.taken else "pay"
    return replace(
        _settled(wager, settlement),
        key=_key(wager, does, settlement),
        undoes=_key(wager, before, settlement),
        does=does,
        commission=0,
        odds=None,
        reversal=number,
        gone=wager.patron in reversal.gone,
        clauses=reversal.clauses,
    )


def _settled(wager: SettledWager, settlement: int) -> SettlementLine:
    does: SettlementAct = "take" if wager.taken else "pay" if wager.paid else "leave"
    return SettlementLine(
        key=_key(wager, does, settlement),
        does=does,
        id=wager.id,
        patron=wager.patron,
        position=wager.position,
        wager=wager.wager,
        stake=wager.stake,
        taken=wager.taken,
        paid=wager.paid,
        back=wager.back,
        owed=wager.owed,
        commission=wager.commission,
        odds=wager.odds,
        settlement=settlement,
        clauses=wager.clauses,
    )


def _returned(wager: Returned, settlement: int) -> SettlementLine:
    return SettlementLine(
        key=_key(wager, "leave", settlement),
        does="leave",
        id=wager.id,
        patron=wager.patron,
        position=wager.position,
        wager=wager.wager,
        stake=wager.stake,
        back=wager.stake,
        settlement=settlement,
    )


def _balances(settled: tuple[SettledWager, ...], lines: list[SettlementLine]) -> bool:
    """Whether every chip that lay there, or was taken away, is accounted for."""
    pulled = sum(each.pulled for each in settled)
    lay = sum(line.stake + line.owed for line in lines) - pulled
    return lay == sum(line.taken + line.back for line in lines)
