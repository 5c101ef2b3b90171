"""The clauses by which something is owed or asked about the shoe."""

from collections.abc import Iterator

from thirdcard.clauses import Clause
from thirdcard.game.desk import QueryDesk
from thirdcard.game.shoe import Shoe
from thirdcard.refusals import Refusal, Refused, refuse
from thirdcard.rulebook.document import Document
from thirdcard.rulebook.irregularity import BurnNow, CardNeed, Effect, ReplaceCards, effect_clauses

# items of the check list of equipment
SHUFFLER, DISCARD_HOLDER = "shuffler", "discard-holder"


def clauses_of_burn_owed(desk: QueryDesk, *, left_out: bool = True) -> tuple[Clause, ...]:
    """The clause of the burn, and of making up for one that was left out."""
    burn = (desk.document.burn.clause,) if desk.document.burn else ()
    made_up = (each.clause for each in _effects(desk) if left_out and isinstance(each, BurnNow))
    return tuple(dict.fromkeys((*burn, *made_up)))


def refuse_new_cards_due(shoe: Shoe) -> Refused:
    """Refuse what comes after new cards that are due, by a clause or by a procedure of the house."""
    return refuse(Refusal.NEW_CARDS_DUE, *((shoe.replace_by,) if shoe.replace_by else ()))


def clauses_of_choice(desk: QueryDesk) -> tuple[Clause, ...]:
    """The clauses by which patrons choose whether new cards come."""
    replaced = (effect for effect in _effects(desk) if isinstance(effect, ReplaceCards))
    clauses = (
        clause for each in replaced if each.need is CardNeed.PATRONS_CHOOSE for clause in effect_clauses(each)
    )
    return tuple(dict.fromkeys(clauses))


def clauses_of_played_out(desk: QueryDesk) -> tuple[Clause, ...]:
    """The clause of the cutting card, if it appeared, and that of a free hand which was the last hand."""
    cutting, policy, last = desk.document.cutting_card, desk.document.free_hand, desk.table.round
    free = last is not None and last.free and last.last
    appeared = desk.table.shoe is not None and desk.table.shoe.rounds_left is not None
    own = (policy.as_last_hand,) if policy and free else ()
    return ((cutting.clause,) if cutting and appeared else ()) + own


def shuffled_by(document: Document) -> tuple[Clause, ...]:
    """The clause about the machine that shuffles the cards, where the document has one."""
    return tuple(item.clause for item in document.equipment if item.id == SHUFFLER)


def discard_holder(document: Document) -> tuple[Clause, ...]:
    """The clause about the holder of used cards, where the document has one."""
    return tuple(item.clause for item in document.equipment if item.id == DISCARD_HOLDER)


def _effects(desk: QueryDesk) -> Iterator[Effect]:
    return (effect for row in desk.document.irregularities for effect in row.effects)
