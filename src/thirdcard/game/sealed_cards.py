"""A sealed shoe: its set is whole and shuffled, and its cards come one by one, as they were sealed."""

from thirdcard.game import commands as cmd
from thirdcard.game.case_cards import SET_ASIDE, TELLS_THE_ORDER, places_told
from thirdcard.game.desk import QueryDesk
from thirdcard.game.rounds import ABOUT_THE_SET
from thirdcard.game.state import Hand, Table
from thirdcard.refusals import Refusal, Refused, refuse
from thirdcard.rulebook.irregularity import Situation

# reports that the cards are others, more or fewer, in another order or elsewhere than they were dealt
AGAINST_THE_SEAL = (
    *ABOUT_THE_SET,
    *TELLS_THE_ORDER,
    *SET_ASIDE,
    Situation.ORDER_ALTERED,
    Situation.PATRON_LEFT_WITH_CARDS,
)


def is_sealed(table: Table) -> bool:
    """Whether the cards come from a sealed shoe, laid open or not."""
    return table.shoe is not None and table.shoe.seal is not None


def refuse_against_seal(desk: QueryDesk, body: cmd.ReportIrregularity) -> Refused | None:
    """Refuse a report that the seal contradicts; nobody sees a card in a sealed shoe either."""
    against = body.situation in AGAINST_THE_SEAL or bool(places_told(desk.table, body))
    return refuse(Refusal.SEALED_CARD) if against and is_sealed(desk.table) else None


def refuse_misplaced(desk: QueryDesk, body: cmd.DrawCard, due: Hand | None) -> Refused | None:
    """Refuse a card that comes with or instead of others, or to a hand that is not due."""
    misplaced = bool(body.together) or body.instead or body.hand not in (None, due)
    return refuse(Refusal.SEALED_CARD) if misplaced and is_sealed(desk.table) else None
