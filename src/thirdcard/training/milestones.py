"""Milestones: what was reported, entered, confirmed or decided, however somebody put it."""

from collections.abc import Iterable

from msgspec import Struct

from thirdcard.cards import Card
from thirdcard.game import events as ev
from thirdcard.game.shoe import NewCards
from thirdcard.game.state import Case
from thirdcard.rulebook.irregularity import Situation

REPORTED, DECIDED = "reported", "decided"
# events that say what came or was done at the table, with the fields by which two of them are the same
_SAYS: dict[type[ev.Event], tuple[str, ...]] = {
    ev.ShoeLoaded: ("decks",),
    ev.CardsCounted: ("cards",),
    ev.CardsCut: (),
    ev.CardsBurned: ("first",),
    ev.LastHandAnnounced: (),
    ev.MethodChanged: ("method",),
    ev.PatronCame: ("patron",),
    ev.PatronLeft: ("patron",),
    ev.BettingOpened: (),
    ev.BettingClosed: (),
    ev.WagerPlaced: ("patron", "wager", "amount", "position"),
    ev.WagerReduced: ("patron", "wager", "amount"),
    ev.WagerFound: ("patron", "wager", "amount", "was_pulled"),
    ev.WagerHandedBack: ("patron", "wager", "amount"),
    ev.WagerPulledLate: ("patron", "wager", "amount"),
    ev.DecreaseAsked: (),
    ev.DecreaseAnswered: ("patron", "silent"),
    ev.MoneyHeld: ("patron", "amount"),
    ev.CardsChosen: ("patron", "replace"),
    ev.CardDrawn: ("hand", "card"),
    ev.CardsSetAside: ("cards",),
    ev.CuttingCardSeen: ("first",),
    ev.CardsDelivered: ("hand", "patron"),
    ev.CardsDeclined: ("hand", "patron"),
    ev.CardsSeen: ("hand", "patron"),
    ev.CardsExposed: ("hand", "cards"),
    ev.TotalsAnnounced: ("player", "banker"),
    ev.OutcomeCalled: ("winner",),
    ev.DeviceMismatch: ("device",),
    ev.SqueezePermitted: ("person",),
    ev.SqueezeForbidden: ("patron",),
    ev.DrawingPermitted: ("patron",),
    ev.DeviceTaken: ("patron",),
    ev.DeviceReleased: ("patron",),
    ev.RevealOrderChosen: ("first",),
    ev.FactsConfirmed: (),
    ev.FactsDisproved: (),
    ev.ReportWithdrawn: (),
    ev.CardCorrected: ("number", "new"),
    ev.OfferAnswered: ("patron", "withdrew", "silent"),
    ev.AnswerTakenBack: ("patron",),
    ev.CardsReserved: ("cards",),
    ev.MissingCardsDeduced: ("lacking",),
    ev.CardsSubstituted: (),
    ev.PaymentClaimed: ("patron", "amount"),
    ev.AlarmRaised: (),
    ev.TablePaused: (),
    ev.TableResumed: (),
    ev.TableClosed: (),
    ev.EquipmentTicked: ("item",),
    ev.TableOpened: (),
    ev.CreditsBought: ("terminal", "amount"),
    ev.CreditsCashedOut: ("terminal", "amount"),
    ev.DisputeOpened: ("patron",),
}
# by these the game goes on
PLAYS_ON = frozenset({"card-drawn", "cards-set-aside", "outcome-called", "betting-opened", "betting-closed"})
# these say that something came or was done at the table which the engine cannot see for itself
CLAIMS = frozenset(
    tag
    for kind in (
        *(ev.ShoeLoaded, ev.CardsCounted, ev.CardsCut, ev.CardsBurned, ev.PatronCame, ev.PatronLeft),
        *(ev.WagerPlaced, ev.WagerReduced, ev.WagerFound, ev.WagerPulledLate, ev.DecreaseAnswered),
        *(ev.MoneyHeld, ev.CardsChosen, ev.CardDrawn, ev.CardsSetAside, ev.CuttingCardSeen),
        *(ev.CardsDelivered, ev.CardsDeclined, ev.CardsSeen, ev.CardsExposed, ev.OutcomeCalled),
        *(ev.DeviceMismatch, ev.DeviceTaken, ev.DeviceReleased, ev.FactsDisproved, ev.CardCorrected),
        *(ev.OfferAnswered, ev.AnswerTakenBack, ev.CardsReserved, ev.MissingCardsDeduced),
        *(ev.PaymentClaimed, ev.AlarmRaised),
    )
    for tag in (str(kind.__struct_config__.tag),)
)


class Milestone(Struct, frozen=True):
    """One thing that was said or decided, and about what: the same whoever entered it, and in which words.

    ``row`` are the clause and the effects of a reported case.
    """

    kind: str
    about: tuple[tuple[str, object], ...] = ()
    situation: Situation | None = None
    row: tuple[object, ...] = ()

    @property
    def about_what(self) -> dict[str, object]:
        """Return the subject of a milestone by its name."""
        return dict(self.about)

    def is_like(self, other: "Milestone") -> bool:
        """Whether two of them say the same, as far as both say it."""
        if (self.kind, self.situation, self.row) != (other.kind, other.situation, other.row):
            return False
        mine, others = self.about_what, other.about_what
        return all(_agree(mine[name], others[name]) for name in mine.keys() & others.keys())


def milestones(events: Iterable[ev.Event]) -> tuple[Milestone, ...]:
    """Return the milestones of some events, in their order."""
    found: list[Milestone] = []
    for event in events:
        kind = str(event.__struct_config__.tag)
        match event:
            case ev.IrregularityReported():
                found.append(_reported(event.case))
            case ev.CardReplacementDue(need=NewCards.WHOLE):
                found.append(Milestone(NewCards.WHOLE))
            case ev.RulingMade():
                found.append(Milestone(DECIDED))
            case _ if type(event) in _SAYS:
                fields = _SAYS[type(event)]
                found.append(Milestone(kind, tuple((name, getattr(event, name)) for name in fields)))
            case _:
                pass
    return tuple(found)


def _reported(case: Case) -> Milestone:
    """A case that was opened, by its row; what it is about counts as far as somebody says it."""
    told: dict[str, object] = {
        "cards": case.cards,
        "patron": case.patron,
        "hand": case.hand,
        "wager": case.wager,
        "position": case.position,
        "amount": case.amount,
        "cause": case.cause,
    }
    about = tuple((name, value) for name, value in told.items() if value)
    return Milestone(REPORTED, about, case.situation, (case.clause, case.effects))


def _agree(one: object, other: object) -> bool:
    """Whether two values are the same; a card without a suit, or one that nobody saw, is any such card."""
    if isinstance(one, tuple) and isinstance(other, tuple):
        return len(one) == len(other) and all(map(_agree, one, other))
    if isinstance(one, Card) and isinstance(other, Card):
        return one.rank is other.rank and (one.suit is other.suit or None in (one.suit, other.suit))
    return one == other
