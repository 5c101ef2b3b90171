"""The last round as a dealer settles it: first what is taken, then what stays, then what is paid."""

from msgspec.structs import replace

from thirdcard.game.state import SettledWager, Table
from thirdcard.projections.awaited import Due
from thirdcard.projections.history import Returned, RoundTold
from thirdcard.projections.sections import SettlementLine, SettlementSection
from thirdcard.projections.sources import Sources

ORDER = ("take", "leave", "pay")


def settlement_section(sources: Sources, _: Due) -> SettlementSection:
    """What is taken and paid in the last round; nothing while one is under way."""
    current, rounds = sources.table.round, sources.history.rounds
    if current is None or not current.ended or not rounds or rounds[-1].number != current.number:
        return SettlementSection()
    told = _handled(rounds[-1], sources.table)
    lines = _in_order(told, tuple(sources.rulebook.wagers))
    sums = {
        name: sum(getattr(line, name) for line in lines)
        for name in ("taken", "paid", "back", "owed", "commission")
    }
    return SettlementSection(
        round=told.number, void=told.void, lines=lines, balances=_balances(told, lines), **sums
    )


def _handled(told: RoundTold, table: Table) -> RoundTold:
    """The round without wagers that are or were held: what becomes of them is said with the decision."""
    lines = table.round.settled if table.round else ()
    there = {each.id for each in lines if not each.held}
    held = {each.wager.id for each in table.held if each.wager and each.round == told.number}
    return replace(
        told,
        wagers=tuple(each for each in told.wagers if each.id in there and not each.held),
        returned=tuple(each for each in told.returned if each.id not in held),
    )


def _in_order(told: RoundTold, wagers: tuple[str, ...]) -> tuple[SettlementLine, ...]:
    """Takes before pays, position by position, and there in the order in which wagers are offered."""
    lines = [*(_settled(each) for each in told.wagers), *(_returned(each) for each in told.returned)]
    return tuple(
        sorted(
            lines,
            key=lambda line: (ORDER.index(line.does), line.position or 0, wagers.index(line.wager), line.id),
        )
    )


def _settled(wager: SettledWager) -> SettlementLine:
    return SettlementLine(
        does="take" if wager.taken else "pay" if wager.paid else "leave",
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
        clauses=wager.clauses,
    )


def _returned(wager: Returned) -> SettlementLine:
    return SettlementLine(
        does="leave",
        id=wager.id,
        patron=wager.patron,
        position=wager.position,
        wager=wager.wager,
        stake=wager.stake,
        back=wager.stake,
    )


def _balances(told: RoundTold, lines: tuple[SettlementLine, ...]) -> bool:
    """Whether every chip that lay there, or was taken away, is accounted for."""
    pulled = sum(each.pulled for each in told.wagers)
    lay = sum(line.stake + line.owed for line in lines) - pulled
    return lay == sum(line.taken + line.back for line in lines)
