"""What an operator sets: posts, money, limits, and the readings where houses differ."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from thirdcard.money import Currency, Rounding
from thirdcard.rulebook.facts import PairRule
from thirdcard.staff import Post

# the rest of one round and all of the next can take eleven cards
LEAST_BEHIND, MOST_BEHIND = 12, 104


class RoundingForm(Struct, frozen=True, forbid_unknown_fields=True):
    """The smallest amount that can be paid, and which way the rest goes."""

    smallest_unit: str
    payments: Rounding
    pro_rata_stakes: Literal["half-up"]


class WagerLimits(Struct, frozen=True, forbid_unknown_fields=True):
    """The posted minimum and maximum of a kind of wager."""

    minimum: str
    maximum: str


class HouseLimits(Struct, frozen=True, forbid_unknown_fields=True):
    """Posted limits by kind of wager, for single wagers where they differ, and the differential limit."""

    main: WagerLimits
    side: WagerLimits
    differential: str
    wager: dict[str, WagerLimits] = {}


class Settings(Struct, frozen=True, forbid_unknown_fields=True):
    """The readings that houses choose for themselves; each value here is one that is carried out."""

    pair_rule: PairRule
    both_hands: Literal["allow"]
    under_minimum_memory: Literal["table-stay"]
    pro_rata_base: Literal["light-plus-limit"]
    pro_rata_exempt: Literal["off-the-top"]
    reset_cards: Literal["keep-order"]
    unexposed_banker_card: Literal["next-first-card"]
    rounds_after_cutting_card: Literal[1]
    cards_behind_cutting_card: Annotated[int, Meta(ge=LEAST_BEHIND, le=MOST_BEHIND)]
    misdelivery_free_hand: Literal["this"]
    burn: Literal["by-first-card"]
    squeeze_scope: Literal["per-hand"]
    counter_clockwise: Literal["ascending"]


# the procedures that a table cites where no clause says what happens to money
BUY_IN, CASH_OUT, DISPUTE_AWARD, HAND_BACK, REFERRAL = PROCEDURES = (
    "buy-in",
    "cash-out",
    "dispute-award",
    "hand-back",
    "referral",
)


class MoneyProcedure(Struct, frozen=True, forbid_unknown_fields=True):
    """What happens to money where no clause says it, and the post that does it."""

    id: str
    says: str
    post: Post


class HouseForm(
    Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, rename={"procedures": "procedure"}
):
    """A house file, whole."""

    format: Literal[1, 2]  # a file of either format has the same keys; in journals some of format 1 lack two
    id: str
    name: str
    posts: tuple[Post, ...]
    facts_confirmed_by: Post
    new_cards_decided_by: Post
    not_covered_decided_by: Post
    alarms_acknowledged_by: Post
    languages: tuple[str, ...]
    currency: Currency
    rounding: RoundingForm
    limits: HouseLimits
    settings: Settings
    procedures: tuple[MoneyProcedure, ...]


class House(Struct, frozen=True):
    """A house as the engine uses it: amounts in minor units."""

    form: HouseForm
    unit: int

    @property
    def id(self) -> str:
        """The house's name in files and records."""
        return self.form.id

    @property
    def currency(self) -> Currency:
        """The currency of all amounts."""
        return self.form.currency


def setting_exists(key: str) -> bool:
    """Whether a dotted key such as ``settings.pair_rule`` is one that a house file has."""
    sections: dict[str, type[Struct]] = {
        "": HouseForm,
        "rounding": RoundingForm,
        "limits": HouseLimits,
        "settings": Settings,
    }
    section, _, name = key.rpartition(".")
    return section in sections and name in sections[section].__struct_encode_fields__
