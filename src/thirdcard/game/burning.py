"""The burn of a shoe: whether it is still to be made, was left out, or is owed before the next card."""

from thirdcard.game.case_cards import are_cards_out, begins_with_cards
from thirdcard.game.desk import QueryDesk
from thirdcard.game.places import known_ahead
from thirdcard.game.shoe_clauses import clauses_of_burn_owed
from thirdcard.game.state import Table
from thirdcard.refusals import Refusal, Refused, refuse
from thirdcard.rulebook.irregularity import Situation


def is_card_viewed(table: Table) -> bool:
    """Whether a card that is still to come was seen, in the dealing device or outside.

    One that waits to begin a free hand, or is to come in the one under way, was disclosed, also if nobody
    told its face.
    """
    inside = table.shoe is not None and bool(known_ahead(table.shoe))
    served = table.round.serves if table.round is not None and not table.round.ended else None
    disclosed = begins_with_cards(table) or (served is not None and bool(served.places))
    return any(table.strays) or disclosed or inside


def is_burn_to_come(desk: QueryDesk) -> bool:
    """Whether the burn comes before the first hand of the shoe: it says which card is the first one.

    No hand has begun from the shoe in use, and nobody has said that the burn was forgotten.
    """
    current, shoe = desk.table.round, desk.table.shoe
    if desk.document.burn is None or shoe is None or shoe.burned is not None or shoe.rounds:
        return False
    untouched = current is None or current.shoe != shoe.number
    return untouched and not (shoe.burn_owed or shoe.new_cards_due or shoe.keep_by or desk.table.strays)


def is_burn_owed(table: Table) -> bool:
    """Whether the burn was left out and is still to be made: only until a card has been viewed."""
    return table.shoe is not None and table.shoe.burn_owed and not is_card_viewed(table)


def refuse_before_burn(desk: QueryDesk) -> Refused | None:
    """Refuse what comes after a burn: one that is owed, or that says whether a known card opens a hand."""
    shoe = desk.table.shoe
    known = shoe is not None and any(place not in shoe.places.ruled for place in known_ahead(shoe))
    known = known and is_burn_to_come(desk)
    owed = known or is_burn_owed(desk.table)
    return refuse(Refusal.BURN_OWED, *clauses_of_burn_owed(desk, left_out=not known)) if owed else None


def is_burn_left_out(desk: QueryDesk) -> bool:
    """Whether a card of a shoe is out from which none was burned, and nothing was settled about that."""
    shoe, current, table = desk.table.shoe, desk.round, desk.table
    if desk.document.burn is None or shoe is None or shoe.burned is not None or current is None:
        return False
    settled = shoe.burn_owed or shoe.patrons_choose or shoe.keep_by or shoe.new_cards_due
    noted = Situation.BURN_FORGOTTEN in current.noted
    out = are_cards_out(table) if current.shoe == shoe.number else bool(table.aside)
    return out and not (settled or noted or table.open_cases)
