"""All sections of a table together: a client keeps them by name, and gets those that have changed."""

from msgspec import Struct

from thirdcard.folds.scoreboard import Scoreboard
from thirdcard.views.sections.chips import ChipsSection
from thirdcard.views.sections.exposure import ExposureSection
from thirdcard.views.sections.patron import OwnSection
from thirdcard.views.sections.public import (
    CardsSection,
    OutcomeSection,
    PhaseSection,
    SetupSection,
    ShoeSection,
    TotalsSection,
)
from thirdcard.views.sections.settlement import SettlementSection
from thirdcard.views.sections.staff import (
    AlertsSection,
    BalancesSection,
    DeskSection,
    DisputesSection,
    EntriesSection,
    PeopleSection,
    RulesSection,
    RunningSection,
    WagersSection,
)


class View(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Everything that one viewer sees of a table; a section that is absent is not for this viewer."""

    setup: SetupSection
    phase: PhaseSection
    cards: CardsSection
    totals: TotalsSection
    outcome: OutcomeSection
    shoe: ShoeSection
    scoreboard: Scoreboard
    rules: RulesSection | None = None
    desk: DeskSection | None = None
    running: RunningSection | None = None
    entries: EntriesSection | None = None
    settlement: SettlementSection | None = None
    wagers: WagersSection | None = None
    exposure: ExposureSection | None = None
    chips: ChipsSection | None = None
    people: PeopleSection | None = None
    disputes: DisputesSection | None = None
    balances: BalancesSection | None = None
    alerts: AlertsSection | None = None
    own: OwnSection | None = None


Section = (
    SetupSection
    | PhaseSection
    | CardsSection
    | TotalsSection
    | OutcomeSection
    | ShoeSection
    | Scoreboard
    | RulesSection
    | DeskSection
    | RunningSection
    | EntriesSection
    | SettlementSection
    | WagersSection
    | ExposureSection
    | ChipsSection
    | PeopleSection
    | DisputesSection
    | BalancesSection
    | AlertsSection
    | OwnSection
)


class BettingClock(Struct, frozen=True):
    """When betting opened, when patrons are warned, and when it closes, in microseconds since 1970."""

    opened: int
    warns: int
    closes: int
