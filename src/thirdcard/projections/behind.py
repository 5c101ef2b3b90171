"""The sections that staff and those who watch them get."""

from thirdcard.projections.awaited import Due, choices_in, missing_equipment
from thirdcard.projections.sections import (
    AlertsSection,
    BalancesSection,
    DeskSection,
    DisputesSection,
    PeopleSection,
    WagersSection,
)
from thirdcard.projections.sources import Sources


def desk_section(sources: Sources, due: Due) -> DeskSection:
    """What staff need beside what everybody sees."""
    table, case, offer, current = sources.table, sources.table.case, sources.table.offer, sources.table.round
    return DeskSection(
        pause_reason=table.pause_reason,
        stopped_reason=sources.stopped,
        disabled_reason=sources.disabled.reason if sources.disabled else None,
        patron=due.patron,
        missing_equipment=missing_equipment(sources.rulebook, table),
        choices=choices_in(case) if case else (),
        case_patron=case.patron if case else None,
        case_hand=case.hand if case else None,
        case_amount=case.amount if case else 0,
        asked=offer.asked if offer else (),
        answered=offer.answered if offer else (),
        withdrawable=due.withdrawable,
        holdings=current.holdings if current else (),
        declined=current.declined if current else (),
        device_holder=table.device_holder,
        drawing_permitted=table.drawing_permitted,
        squeeze_permitted=table.squeeze_permitted,
        squeeze_requested=table.squeeze_requested,
        squeeze_forbidden=table.squeeze_forbidden,
        decrease_asked=table.decrease_asked,
        strays=len(table.strays),
        reserved=len(table.reserved),
    )


def wagers_section(sources: Sources, _: Due) -> WagersSection:
    """Every wager, lying or settled."""
    current = sources.table.round
    return WagersSection(sources.table.wagers, current.settled if current else ())


def people_section(sources: Sources, _: Due) -> PeopleSection:
    """Who is at the table."""
    return PeopleSection(sources.table.staff, sources.table.acting, sources.table.patrons)


def disputes_section(sources: Sources, _: Due) -> DisputesSection:
    """The disputes."""
    return DisputesSection(sources.table.disputes)


def balances_section(sources: Sources, _: Due) -> BalancesSection:
    """The credits of all terminals."""
    return BalancesSection(sources.table.credits)


def alerts_section(sources: Sources, _: Due) -> AlertsSection:
    """What somebody must see to."""
    return AlertsSection(sources.alerts, sources.house.form.alarms_acknowledged_by)
