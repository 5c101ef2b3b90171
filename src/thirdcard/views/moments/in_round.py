"""Moments of a round: betting, wagers, cards, outcome and settlement."""

from thirdcard.cards import Card
from thirdcard.folds.history import Returned
from thirdcard.game.state import CardState, Hand, SettledWager
from thirdcard.rulebook.facts import Facts, Winner
from thirdcard.rulebook.irregularity import Method
from thirdcard.views.moments.moment import AnyMoment


class BettingOpenedMoment(AnyMoment, frozen=True, kw_only=True):
    """Wagers are taken."""

    call: str


class RoundBeganMoment(AnyMoment, frozen=True, kw_only=True):
    """A round of play began."""

    number: int
    method: Method | None = None
    free: bool
    last: bool


class WagerPlacedMoment(AnyMoment, frozen=True, kw_only=True):
    """A wager was placed or increased."""

    id: int
    patron: str
    position: int | None = None
    wager: str
    amount: int
    placed_by: str | None = None


class WagerReducedMoment(AnyMoment, frozen=True, kw_only=True):
    """A wager was decreased or withdrawn; ``amount`` goes back."""

    id: int
    patron: str
    wager: str
    amount: int
    by: str | None = None


class MoneyHeldMoment(AnyMoment, frozen=True, kw_only=True):
    """Chips or cash are held because they may be counterfeit; surveillance is told."""

    id: int
    patron: str
    amount: int
    wager: str | None = None
    by: str | None = None
    second: str | None = None


class HeldWagerJudgedMoment(AnyMoment, frozen=True, kw_only=True):
    """The record of a round was corrected: a wager of it that is held is settled otherwise, or cannot be."""

    id: int
    patron: str
    settled: tuple[SettledWager, ...] | None = None


class HeldMoneyDecidedMoment(AnyMoment, frozen=True, kw_only=True):
    """It was decided whether money that was held is a wager again, is settled, goes back or is seized."""

    id: int
    patron: str
    amount: int
    choice: str
    settled: tuple[SettledWager, ...] | None = None
    found: str | None = None
    by: str | None = None
    second: str | None = None


class WagerFoundMoment(AnyMoment, frozen=True, kw_only=True):
    """A wager that had been placed in time was found only now."""

    id: int
    patron: str
    position: int | None = None
    wager: str
    amount: int
    by: str | None = None
    second: str | None = None


class WagerHandedBackMoment(AnyMoment, frozen=True, kw_only=True):
    """Chips that were not taken as a wager were handed back, by a clause or by a procedure of the house."""

    patron: str
    position: int | None = None
    wager: str
    amount: int
    why: str
    procedure: str | None = None


class WagerPulledLateMoment(AnyMoment, frozen=True, kw_only=True):
    """A patron took chips away after closing; the wager stays in action."""

    id: int
    patron: str
    wager: str
    amount: int


class BettingClosedMoment(AnyMoment, frozen=True, kw_only=True):
    """No more wagers are taken."""

    call: str | None = None


class DifferentialExceededMoment(AnyMoment, frozen=True, kw_only=True):
    """The table differential is exceeded."""

    gap: int
    limit: int
    heavier: Hand


class DecreaseAskedMoment(AnyMoment, frozen=True, kw_only=True):
    """Patrons on the heavier hand were asked to decrease their wagers."""

    heavier: Hand


class DecreaseAnsweredMoment(AnyMoment, frozen=True, kw_only=True):
    """A patron who was asked to decrease has answered, or was ``silent`` until the time was ended."""

    patron: str
    silent: bool


class CardsChosenMoment(AnyMoment, frozen=True, kw_only=True):
    """A patron wants new cards, or wants the shoe to go on; one who said nothing lets it go on."""

    patron: str


class CardDrawnMoment(AnyMoment, frozen=True, kw_only=True):
    """A card was drawn for a hand."""

    hand: Hand
    state: CardState
    card: Card | None = None
    by: str | None = None


class CardsSetAsideMoment(AnyMoment, frozen=True, kw_only=True):
    """Cards came out that no hand has by right, or in no clear order; they lie aside until it is decided."""

    count: int
    hand: Hand | None = None
    by: str | None = None


class CardSeenInShoeMoment(AnyMoment, frozen=True, kw_only=True):
    """A card was seen while it lay in the dealing device."""


class CuttingCardSeenMoment(AnyMoment, frozen=True, kw_only=True):
    """The cutting card came and was put aside; ``at_start`` before the first card of a round."""

    at_start: bool
    rounds_left: int


class CardsDeliveredMoment(AnyMoment, frozen=True, kw_only=True):
    """A hand was passed face down to a patron."""

    hand: Hand
    patron: str | None = None


class CardsTakenBackMoment(AnyMoment, frozen=True, kw_only=True):
    """The Dealer took a hand back from a patron who was not to have it."""

    hand: Hand
    patron: str | None = None


class CardsDeclinedMoment(AnyMoment, frozen=True, kw_only=True):
    """A patron declined to handle a hand."""

    hand: Hand
    patron: str | None = None


class RevealOrderChosenMoment(AnyMoment, frozen=True, kw_only=True):
    """The Dealer chose which hand is opened first."""

    hand: Hand


class CardsSeenMoment(AnyMoment, frozen=True, kw_only=True):
    """A hand was looked at by its holder, or was seen by somebody who is not told."""

    hand: Hand
    patron: str | None = None


class CardsExposedMoment(AnyMoment, frozen=True, kw_only=True):
    """Cards of a hand were opened to the table; one without a face stays as it lies."""

    hand: Hand
    faces: tuple[Card | None, ...]
    by: str | None = None


class OutcomeKnownMoment(AnyMoment, frozen=True, kw_only=True):
    """All cards lie open and the outcome is known."""

    facts: Facts


class TotalsAnnouncedMoment(AnyMoment, frozen=True, kw_only=True):
    """The point totals of the first four cards were announced, as they were said."""

    player: int
    banker: int
    by: str | None = None


class OutcomeCalledMoment(AnyMoment, frozen=True, kw_only=True):
    """The outcome was called, with the point total of each hand where it was said."""

    winner: Winner
    player: int | None = None
    banker: int | None = None
    by: str | None = None


class DeviceMismatchMoment(AnyMoment, frozen=True, kw_only=True):
    """The dealing device shows another result than the cards."""

    device: Winner
    winner: Winner


class RoundSettledMoment(AnyMoment, frozen=True, kw_only=True):
    """Every wager of the round was settled."""

    settled: tuple[SettledWager, ...] | None = None


class PatronMarkedMoment(AnyMoment, frozen=True, kw_only=True):
    """A patron was marked for a wager under the minimum."""

    patron: str
    round: int


class RoundVoidedMoment(AnyMoment, frozen=True, kw_only=True):
    """The round is void and every stake goes back, by a clause or by a procedure of the house."""

    number: int
    procedure: str | None = None
    returned: tuple[Returned, ...] | None = None


class RoundEndedMoment(AnyMoment, frozen=True, kw_only=True):
    """The round is over."""

    number: int


class ShoeEndedMoment(AnyMoment, frozen=True, kw_only=True):
    """The shoe is played out; new cards are due."""


class ShoeOpenedMoment(AnyMoment, frozen=True, kw_only=True):
    """A sealed shoe was laid open; it is over."""

    number: int


RoundMoment = (
    BettingOpenedMoment
    | RoundBeganMoment
    | WagerPlacedMoment
    | WagerReducedMoment
    | MoneyHeldMoment
    | HeldWagerJudgedMoment
    | HeldMoneyDecidedMoment
    | WagerFoundMoment
    | WagerHandedBackMoment
    | WagerPulledLateMoment
    | BettingClosedMoment
    | DifferentialExceededMoment
    | DecreaseAskedMoment
    | DecreaseAnsweredMoment
    | CardsChosenMoment
    | CardDrawnMoment
    | CardsSetAsideMoment
    | CardSeenInShoeMoment
    | CuttingCardSeenMoment
    | CardsDeliveredMoment
    | CardsTakenBackMoment
    | CardsDeclinedMoment
    | RevealOrderChosenMoment
    | CardsSeenMoment
    | CardsExposedMoment
    | OutcomeKnownMoment
    | TotalsAnnouncedMoment
    | OutcomeCalledMoment
    | DeviceMismatchMoment
    | RoundSettledMoment
    | PatronMarkedMoment
    | RoundVoidedMoment
    | RoundEndedMoment
    | ShoeEndedMoment
    | ShoeOpenedMoment
)
