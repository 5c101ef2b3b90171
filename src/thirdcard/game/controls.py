"""Money outside a round by two people, as the house says; what a clause gives to a post is not asked here."""

from thirdcard.game.desk import Desk, QueryDesk
from thirdcard.game.money_state import CreditRequest, UnseenMoney
from thirdcard.game.state import Table
from thirdcard.game.texts import has_words
from thirdcard.refusals import Refusal, Refused, refuse
from thirdcard.rulebook.house import MoneyAct


def refuse_alone(desk: Desk, act: MoneyAct, amount: int) -> Refused | None:
    """Refuse an act of one person beyond what one may move alone; the actor may be no post of the table."""
    control, second = desk.house.control(act), desk.envelope.authoriser
    if second is None:
        alone = moved_alone(desk.table, act, desk.actor) + amount
        return None if alone <= desk.house.most_alone(control) else refuse(Refusal.SECOND_PERSON_NEEDED)
    return refuse_below(desk, act, amount)


def refuse_below(desk: Desk, act: MoneyAct, amount: int = 0) -> Refused | None:
    """Refuse two people of whom none stands in the post that the house names for an act, or above it."""
    post = desk.house.post_for(desk.house.control(act), amount)
    people = (desk.actor, desk.envelope.authoriser or desk.actor)
    stands = any(desk.stands(post, each) for each in people)
    return None if stands else refuse(Refusal.NOT_AUTHORISED, post=f"@post.{post}")


def refuse_two(desk: Desk, act: MoneyAct, amount: int = 0) -> Refused | None:
    """Refuse an act that is not by two of the staff, one of them in the post that the house names."""
    return desk.two_people() or refuse_below(desk, act, amount)


def refuse_without_reason(desk: QueryDesk, act: MoneyAct, reason: str) -> Refused | None:
    """Refuse an act for which the house demands a reason, if none is given."""
    needed = desk.house.control(act).reason and not has_words(reason)
    return refuse(Refusal.REASON_NEEDED) if needed else None


def moved_alone(table: Table, act: MoneyAct, person: str) -> int:
    """Return how much somebody moved alone in one way that nobody else has acknowledged, or is to confirm."""
    acts: tuple[UnseenMoney | CreditRequest, ...] = (*table.unseen, *table.credit_requests)
    own = (each for each in acts if each.act is act and (each.by, each.second) == (person, None))
    return sum(each.amount for each in own)


def moved_unseen(table: Table, act: MoneyAct) -> int:
    """Return how much was moved in one way, by whomever, that nobody else has acknowledged."""
    return sum(each.amount for each in table.unseen if each.act is act)
