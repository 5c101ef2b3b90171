"""The decider of an effect: the post that its clause names, or one that the house names."""

import enum
from typing import NamedTuple

from thirdcard.rulebook.house import HouseForm
from thirdcard.rulebook.irregularity import (
    CardNeed,
    DetermineCardOrder,
    Effect,
    FreeHand,
    OfferWithdrawal,
    Refer,
    RemoveWagers,
    ReplaceCards,
    ReserveCards,
)
from thirdcard.rulebook.procedure import Grant
from thirdcard.staff import Post


class HousePost(enum.Enum):
    """A post that the house names, by its key in the house file."""

    NOT_COVERED = "not_covered_decided_by"
    NEW_CARDS = "new_cards_decided_by"


class EffectDecider(NamedTuple):
    """The power to decide an effect, or the post that must be there; without a clause the house names it."""

    grant: Grant | None = None
    of_house: HousePost | None = None
    present: bool = False

    def post_at(self, house: HouseForm) -> Post:
        """Return the post at a house: the one that the clause names, or else the one that the house names."""
        if self.grant is not None:
            return self.grant.post
        assert self.of_house is not None
        post: Post = getattr(house, self.of_house.value)
        return post


def decider_of_the_rest(not_covered: Grant | None) -> EffectDecider:
    """Return who decides what no rule covers, given the clause about it."""
    return EffectDecider(not_covered, None if not_covered else HousePost.NOT_COVERED)


def decider_of(effect: Effect, not_covered: Grant | None) -> EffectDecider | None:
    """Return who decides an effect, given who decides what no rule covers; nobody where it follows."""
    match effect:
        case Refer():
            return decider_of_the_rest(not_covered)
        case ReserveCards():
            return EffectDecider(Grant(effect.in_presence_of, effect.clause), present=True)
        case ReplaceCards(need=CardNeed.MAY | CardNeed.WHOLE_OR_NEW):
            return EffectDecider(of_house=HousePost.NEW_CARDS)
        case OfferWithdrawal() | DetermineCardOrder() | FreeHand() | RemoveWagers() if effect.by:
            return EffectDecider(Grant(effect.by, effect.clause, effect.or_above))
        case _:
            return None
