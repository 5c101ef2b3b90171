"""The file of an operator: posts, money, limits, and what the documents leave to the house."""

import enum
from typing import Annotated, Literal

from msgspec import Meta, Struct

from thirdcard.cards import Card
from thirdcard.money import Currency, Rounding, parse_amount
from thirdcard.rulebook.facts import PairRule
from thirdcard.rulebook.procedure import DisputeEvidence
from thirdcard.staff import Post

# the rest of one round and all of the next can take eleven cards
LEAST_BEHIND, MOST_BEHIND = 12, 104
MOST_BURNED = 20
BY_FIRST_CARD = "by-first-card"
BOTH_HANDS = "settings.both_hands"
# keys of houses of formats 1 and 2 with the one value that each could have; rulebooks say how they are read
FORMER_KEYS = {
    "rounding.pro_rata_stakes": "half-up",
    "settings.misdelivery_free_hand": "this",
    "settings.pro_rata_base": "light-plus-limit",
    "settings.pro_rata_exempt": "off-the-top",
    "settings.reset_cards": "keep-order",
    "settings.squeeze_scope": "per-hand",
    "settings.under_minimum_memory": "table-stay",
    "settings.unexposed_banker_card": "next-first-card",
}
# formats 3 to 5 have no such key: they only lack disputes, records of shuffles, controls, and chips
FORMER_FORMATS, LAST_FORMATS, HOUSE_FORMAT = (1, 2), (3, 4, 5), 6


class RoundingForm(Struct, frozen=True, forbid_unknown_fields=True):
    """The smallest amount that can be paid, and which way the rest goes."""

    smallest_unit: str
    payments: Rounding


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
    """The choices of a house; each has more than one value, and each value is carried out."""

    pair_rule: PairRule
    both_hands: Literal["allow", "forbid"]
    rounds_after_cutting_card: Literal[0, 1]
    cards_behind_cutting_card: Annotated[int, Meta(ge=LEAST_BEHIND, le=MOST_BEHIND)]
    burn: Literal["by-first-card"] | Annotated[int, Meta(ge=1, le=MOST_BURNED)]
    counter_clockwise: Literal["ascending", "descending"]
    shuffle_record: Literal["optional", "required"] = "optional"


# the procedures that a table cites where no clause says what happens to money or to cards
BUY_IN, CASH_OUT, DISPUTE_AWARD, HAND_BACK, REFERRAL, NEW_CARDS = PROCEDURES = (
    "buy-in",
    "cash-out",
    "dispute-award",
    "hand-back",
    "referral",
    "new-cards",
)


# those that a live table cites too, where the house lists its chips
OPENER, FILL, CREDIT, CLOSER, DROP_COUNT = CHIP_PROCEDURES = (
    "opener",
    "fill",
    "credit",
    "closer",
    "drop-count",
)


class MoneyProcedure(Struct, frozen=True, forbid_unknown_fields=True):
    """A procedure for money where no clause says what happens to it, and the post that does it."""

    id: str
    says: str
    post: Post


class MoneyAct(enum.StrEnum):
    """An act that moves money outside a round, or opens the way to it."""

    BUY_IN = "buy-in"
    CASH_OUT = "cash-out"
    AWARD = "award"
    AWARD_PAYMENT = "award-payment"
    FOUND_WAGER = "found-wager"
    CORRECTION = "correction"
    PAYMENT = "payment"
    TERMINAL = "terminal"
    RULING = "ruling"
    OPENER = "opener"
    FILL = "fill"
    CREDIT = "credit"
    CLOSER = "closer"
    DROP_COUNT = "drop-count"


# which keys a control of an act may have beside the post of the second person; a ruling has no control: where
# a clause names the post, that post decides alone, and elsewhere two people do
MAY_HAVE_AMOUNT = (MoneyAct.BUY_IN, MoneyAct.CASH_OUT, MoneyAct.AWARD, MoneyAct.AWARD_PAYMENT)
MAY_BE_LARGE = (
    *MAY_HAVE_AMOUNT,
    *(MoneyAct.OPENER, MoneyAct.FILL, MoneyAct.CREDIT, MoneyAct.CLOSER, MoneyAct.DROP_COUNT),
)
MAY_NEED_REASON = (MoneyAct.BUY_IN, MoneyAct.CASH_OUT, MoneyAct.FOUND_WAGER, MoneyAct.CORRECTION)
MAY_ASK_PATRON = (MoneyAct.BUY_IN, MoneyAct.CASH_OUT)


class MoneyControl(Struct, frozen=True, forbid_unknown_fields=True):
    """The two people whom an act needs that no clause gives to anybody: one of them in ``post``, or above it.

    Up to ``above`` one person acts alone, counted with all that nobody else has acknowledged yet. From
    ``large`` on it takes ``large_post`` instead. A ``reason`` must be given, and the ``patron`` confirms it
    at the terminal, where the house says so.
    """

    act: MoneyAct
    post: Post
    above: str = "0"
    reason: bool = False
    patron: bool = False
    large: str | None = None
    large_post: Post | None = None


class HouseChips(Struct, frozen=True, forbid_unknown_fields=True):
    """The values of the chips at live tables, and of the notes that are counted in their drop boxes.

    Where the ``opener`` is required, no wagers are called for before it is counted.
    """

    values: Annotated[tuple[str, ...], Meta(min_length=1)]
    notes: Annotated[tuple[str, ...], Meta(min_length=1)]
    opener: Literal["optional", "required"] = "optional"


class HouseSource(Struct, frozen=True, forbid_unknown_fields=True):
    """Something that a decision of a dispute must have regard to, where the document does not say."""

    id: str
    needs: DisputeEvidence | None = None


class HouseDispute(Struct, frozen=True, forbid_unknown_fields=True, rename={"sources": "source"}):
    """How a dispute is handled where the document is silent, with what statute adds.

    Where the ``inspector`` must be told, a dispute that stays unresolved cannot be closed before; the patron
    has ``complaint_days`` to complain.
    """

    first_level: Annotated[tuple[Post, ...], Meta(min_length=1)]
    in_charge: Post
    complaints_to: Post
    sources: Annotated[tuple[HouseSource, ...], Meta(min_length=1)]
    surveillance: bool = True
    inspector: bool = False
    complaint_days: Annotated[int, Meta(ge=1)] | None = None


class SuppliedLayout(Struct, frozen=True, forbid_unknown_fields=True):
    """A layout that a document lists without its drawing, as the house has had it approved."""

    rulebook: str
    id: str
    least: int
    most: int
    drawing: str


class HouseForm(
    Struct,
    frozen=True,
    forbid_unknown_fields=True,
    kw_only=True,
    rename={"procedures": "procedure", "layouts": "layout", "controls": "control"},
):
    """A house file, whole."""

    format: Literal[6]
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
    layouts: tuple[SuppliedLayout, ...] = ()
    dispute: HouseDispute | None = None
    controls: tuple[MoneyControl, ...] = ()
    chips: HouseChips | None = None


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

    def supplied_layout(self, rulebook: str, layout: str) -> SuppliedLayout | None:
        """Return a layout of a document whose drawing the house has supplied."""
        named = (each for each in self.form.layouts if (each.rulebook, each.id) == (rulebook, layout))
        return next(named, None)

    def control(self, act: MoneyAct) -> MoneyControl:
        """Return the control of an act; where the house names none, the strictest that asks for no reason."""
        named = (each for each in self.form.controls if each.act is act)
        asks = act is MoneyAct.CASH_OUT
        return next(named, MoneyControl(act, self.form.alarms_acknowledged_by, patron=asks))

    def most_alone(self, control: MoneyControl) -> int:
        """Return how much one person may move alone under a control."""
        return parse_amount(control.above, self.currency) or 0

    def post_for(self, control: MoneyControl, amount: int) -> Post:
        """Return the post that one of two people must have under a control, for an amount."""
        is_large = control.large is not None and amount >= (parse_amount(control.large, self.currency) or 0)
        return control.large_post if is_large and control.large_post else control.post

    @property
    def chip_values(self) -> tuple[int, ...]:
        """The values of the chips at live tables; none where the house lists none."""
        return self._values(self.form.chips.values) if self.form.chips else ()

    @property
    def note_values(self) -> tuple[int, ...]:
        """The values of the notes that are counted in drop boxes."""
        return self._values(self.form.chips.notes) if self.form.chips else ()

    def _values(self, texts: tuple[str, ...]) -> tuple[int, ...]:
        return tuple(parse_amount(each, self.currency) or 0 for each in texts)

    @property
    def burns_by_first_card(self) -> bool:
        """Whether the first card of a shoe says how many are burned; else it is a fixed number."""
        return self.form.settings.burn == BY_FIRST_CARD

    def cards_to_burn(self, first: Card | None) -> int:
        """Return how many cards a burn takes; by the first card: itself, and what it is worth or ten."""
        burn = self.form.settings.burn
        if isinstance(burn, int):
            return burn
        return 1 if first is None else (first.rank.point_value or 10) + 1


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
