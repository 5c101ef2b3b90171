"""Irregularities as rows: a situation under circumstances leads to effects, each with its clause."""

import enum
import functools
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Annotated, Literal

from msgspec import Meta, Struct

from thirdcard.clauses import Clause
from thirdcard.staff import Post


class Situation(enum.Enum):
    """What can go wrong at a table, in the order in which people look for it."""

    FOREIGN_CARD = "foreign-card"
    EXTRA_CARD = "extra-card"
    MISSING_CARD = "missing-card"
    UNSHUFFLED_CARDS = "unshuffled-cards"
    ORDER_ALTERED = "order-altered"
    TOO_FEW_CARDS = "too-few-cards"
    LATE_WAGER = "late-wager"
    LATE_WITHDRAWAL = "late-withdrawal"
    FACE_UP_CARD = "face-up-card"
    NEXT_CARD_KNOWN = "next-card-known"
    WRONG_ORDER = "wrong-order"
    MISDEAL = "misdeal"
    WRONG_DELIVERY = "wrong-delivery"
    NOT_DELIVERED = "not-delivered"
    EXPOSED_IN_ERROR = "exposed-in-error"
    CARDS_TOGETHER = "cards-together"
    DEVICE_RESET = "device-reset"
    PATRON_ABSENT = "patron-absent"
    PATRON_LEFT_WITH_CARDS = "patron-left-with-cards"
    EXPOSED_IN_MOVEMENT = "exposed-in-movement"
    UNAUTHORISED_PLAYER_CARD = "unauthorised-player-card"
    UNAUTHORISED_BANKER_CARD = "unauthorised-banker-card"
    WRONG_NUMBER_OF_CARDS = "wrong-number-of-cards"
    POWER_FAILURE = "power-failure"
    BURN_FORGOTTEN = "burn-forgotten"
    CUTTING_CARD_FIRST = "cutting-card-first"
    WRONG_CALL = "wrong-call"
    WRONG_DISPLAY = "wrong-display"
    WRONG_PAYMENT = "wrong-payment"
    UNDER_MINIMUM = "under-minimum"
    OVER_MAXIMUM = "over-maximum"
    OLD_LIMIT_MISTAKE = "old-limit-mistake"
    DIFFERENTIAL_EXCEEDED = "differential-exceeded"
    NOT_COVERED = "not-covered"


class Stage(enum.Enum):
    """How far the round was when the irregularity came to light."""

    BETWEEN_ROUNDS = "between-rounds"
    BEFORE_FIRST_CARD = "before-first-card"
    INITIAL_DEAL = "initial-deal"
    SUBSEQUENT_DEAL = "subsequent-deal"
    OUTCOME_KNOWN = "outcome-known"


class Method(enum.Enum):
    """The methods of dealing."""

    A = "A"
    B = "B"
    C = "C"


class Area(enum.Enum):
    """The part of the floor a table stands on."""

    MAIN_FLOOR = "main-floor"
    HIGH_LIMIT = "high-limit"


class Circumstances(Struct, frozen=True, forbid_unknown_fields=True):
    """What must be so for a row to hold; a circumstance that is not named does not matter."""

    stage: Stage | tuple[Stage, ...] | None = None
    method: Method | tuple[Method, ...] | None = None
    area: Area | None = None
    reconstructable: bool | None = None
    order_known: bool | None = None
    seen: bool | None = None
    value_known: bool | None = None
    banker_must_draw: bool | None = None
    decided: bool | None = None
    next_round_opened: bool | None = None
    first_round_of_shoe: bool | None = None


class Withdrawable(enum.Enum):
    """Which wagers a patron may take back: single ones, all or none, or all that are not decided or none."""

    SINGLE = "single"
    ALL = "all"
    ALL_REMAINING = "all-remaining"


class VoidRound(Struct, frozen=True, forbid_unknown_fields=True, tag_field="do", tag="void-round"):
    """The round has no outcome and every stake goes back."""

    clause: Clause


class Continue(Struct, frozen=True, forbid_unknown_fields=True, tag_field="do", tag="continue"):
    """The round goes on as if nothing had happened."""

    clause: Clause


class LetPastRoundsStand(
    Struct, frozen=True, forbid_unknown_fields=True, tag_field="do", tag="let-past-rounds-stand"
):
    """Earlier rounds keep their outcomes and payments."""

    clause: Clause


class RefuseWager(Struct, frozen=True, forbid_unknown_fields=True, tag_field="do", tag="refuse-wager"):
    """What was placed or raised too late is handed back; the part placed in time stays."""

    clause: Clause


class KeepInAction(Struct, frozen=True, forbid_unknown_fields=True, tag_field="do", tag="keep-in-action"):
    """A wager taken away still wins or loses with the round."""

    clause: Clause


class OfferWithdrawal(
    Struct, frozen=True, forbid_unknown_fields=True, tag_field="do", tag="offer-withdrawal"
):
    """Patrons may take wagers back: as of right, or where a post is named, if that post allows it."""

    clause: Clause
    wagers: Withdrawable
    by: Post | None = None
    or_above: bool = False


class ReconstructCards(
    Struct, frozen=True, forbid_unknown_fields=True, tag_field="do", tag="reconstruct-cards"
):
    """The hands are laid again in the true order of drawing."""

    clause: Clause


class DetermineCardOrder(
    Struct, frozen=True, forbid_unknown_fields=True, tag_field="do", tag="determine-card-order"
):
    """A post says in which order the cards count."""

    clause: Clause
    by: Post
    or_above: bool = False


class DeliverToRightPatron(
    Struct, frozen=True, forbid_unknown_fields=True, tag_field="do", tag="deliver-to-right-patron"
):
    """The cards are fetched back and passed to the patron they belong to."""

    clause: Clause


class ExposeByDealer(Struct, frozen=True, forbid_unknown_fields=True, tag_field="do", tag="expose-by-dealer"):
    """The Dealer opens the cards."""

    clause: Clause


class PlayCard(Struct, frozen=True, forbid_unknown_fields=True, tag_field="do", tag="play-card"):
    """A card that was seen is played in its turn like any other."""

    clause: Clause


class GiveCardToBanker(
    Struct, frozen=True, forbid_unknown_fields=True, tag_field="do", tag="give-card-to-banker"
):
    """A card drawn in error becomes the Banker's third card."""

    clause: Clause


class FreeHand(Struct, frozen=True, forbid_unknown_fields=True, tag_field="do", tag="free-hand"):
    """The next round is dealt without wagers, the stray cards first; or this one counts as free."""

    clause: Clause
    round: Literal["next", "this"] = "next"
    by: Post | None = None
    or_above: bool = False


class KeepAsNextCard(
    Struct, frozen=True, forbid_unknown_fields=True, tag_field="do", tag="keep-as-next-card"
):
    """A card drawn in error and not seen is the first card of the next round, with wagers as usual."""

    clause: Clause | None = None


class ReplaceCards(
    Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="do", tag="replace-cards"
):
    """New cards: they may or they shall come, or somebody says that the set is whole.

    ``on`` names what must have happened first. Where no clause says that they shall come, a procedure of the
    house does.
    """

    clause: Clause | None = None
    procedure: Literal["new-cards"] | None = None
    need: Literal["may", "shall", "patrons-choose", "whole-or-new"]
    on: Literal["always", "all-withdrew"] = "always"


class VoidIfAllWithdraw(
    Struct, frozen=True, forbid_unknown_fields=True, tag_field="do", tag="void-if-all-withdraw"
):
    """Where every patron withdraws, the round is void."""

    clause: Clause


class BurnNow(Struct, frozen=True, forbid_unknown_fields=True, tag_field="do", tag="burn-now"):
    """The cards go back in order, the burn is made up for, and the deal begins again."""

    clause: Clause


class FinishShoe(Struct, frozen=True, forbid_unknown_fields=True, tag_field="do", tag="finish-shoe"):
    """The shoe is played to its end."""

    clause: Clause


class ResetDealingDevice(
    Struct, frozen=True, forbid_unknown_fields=True, tag_field="do", tag="reset-dealing-device"
):
    """The dealing device starts again."""

    clause: Clause


class ReopenBetting(Struct, frozen=True, forbid_unknown_fields=True, tag_field="do", tag="reopen-betting"):
    """Wagers are taken again until a second closing call."""

    clause: Clause


class ReserveCards(Struct, frozen=True, forbid_unknown_fields=True, tag_field="do", tag="reserve-cards"):
    """The next cards are set aside in order, in the presence of a post, as possible third cards."""

    clause: Clause
    cards: Annotated[int, Meta(ge=1, le=6)]
    in_presence_of: Post


class SortCards(Struct, frozen=True, forbid_unknown_fields=True, tag_field="do", tag="sort-cards"):
    """The rest of the shoe and the discards are sorted into decks and shown."""

    clause: Clause


class DeduceMissingCards(
    Struct, frozen=True, forbid_unknown_fields=True, tag_field="do", tag="deduce-missing-cards"
):
    """The missing cards are what the full decks have more than all cards accounted for."""

    clause: Clause


class SubstituteMissingCards(
    Struct, frozen=True, forbid_unknown_fields=True, tag_field="do", tag="substitute-missing-cards"
):
    """Cards of the same rank and suit from a complete deck take the place of the missing ones."""

    clause: Clause


class CorrectSettlement(
    Struct, frozen=True, forbid_unknown_fields=True, tag_field="do", tag="correct-settlement"
):
    """The cards decide: what was called, shown or paid wrongly is put right by counter-entries."""

    clause: Clause


class LetResultStand(Struct, frozen=True, forbid_unknown_fields=True, tag_field="do", tag="let-result-stand"):
    """The outcome and its payments stay as they are."""

    clause: Clause


class PayOnceThenReturn(
    Struct, frozen=True, forbid_unknown_fields=True, tag_field="do", tag="pay-once-then-return"
):
    """A wager under the minimum is paid or collected once; the patron's later ones are handed back."""

    clause: Clause


class PayToMaximum(Struct, frozen=True, forbid_unknown_fields=True, tag_field="do", tag="pay-to-maximum"):
    """A wager over the maximum is paid or collected to the maximum, and the rest handed back."""

    clause: Clause


class AskToDecrease(Struct, frozen=True, forbid_unknown_fields=True, tag_field="do", tag="ask-to-decrease"):
    """The Dealer asks patrons on the heavier hand to lower their wagers."""

    clause: Clause


class AllowIncrease(Struct, frozen=True, forbid_unknown_fields=True, tag_field="do", tag="allow-increase"):
    """Patrons on the lighter hand may raise their wagers."""

    clause: Clause


class RequireAlteration(
    Struct, frozen=True, forbid_unknown_fields=True, tag_field="do", tag="require-alteration"
):
    """Patrons must change their wagers until the differential is met."""

    clause: Clause


class RemoveWagers(Struct, frozen=True, forbid_unknown_fields=True, tag_field="do", tag="remove-wagers"):
    """A post says which wagers come off."""

    clause: Clause
    by: Post
    or_above: bool = False


class SettleProRata(Struct, frozen=True, forbid_unknown_fields=True, tag_field="do", tag="settle-pro-rata"):
    """Wagers on the heavier hand are settled in proportion; those under the minimum in full."""

    clause: Clause
    exempt_under_minimum: Clause


Preset = Literal[
    "void-round",
    "continue",
    "return-wagers",
    "offer-withdrawal",
    "replace-cards",
    "free-hand",
    "play-card",
    "burn-card",
    "keep-as-next-card",
    "pay",
    "take-back",
]


class Refer(Struct, frozen=True, forbid_unknown_fields=True, tag_field="do", tag="refer"):
    """The post for what no rule covers decides; ``presets`` are the choices put before it."""

    presets: Annotated[tuple[Preset, ...], Meta(min_length=1)]


# what is carried out once, when its turn comes
Act = (
    VoidRound
    | Continue
    | LetPastRoundsStand
    | OfferWithdrawal
    | ReconstructCards
    | DetermineCardOrder
    | DeliverToRightPatron
    | ExposeByDealer
    | PlayCard
    | GiveCardToBanker
    | FreeHand
    | KeepAsNextCard
    | ReplaceCards
    | VoidIfAllWithdraw
    | BurnNow
    | FinishShoe
    | ResetDealingDevice
    | ReopenBetting
    | ReserveCards
    | SortCards
    | DeduceMissingCards
    | SubstituteMissingCards
    | CorrectSettlement
    | LetResultStand
    | AskToDecrease
    | Refer
)
# standing rules, which betting and settlement apply whether anybody reports something or not: a report can
# tell which part of a stake one of them is about, and otherwise only says that it holds
Policy = (
    RefuseWager
    | KeepInAction
    | PayOnceThenReturn
    | PayToMaximum
    | AllowIncrease
    | RequireAlteration
    | RemoveWagers
    | SettleProRata
)
Effect = Act | Policy


class Irregularity(Struct, frozen=True, forbid_unknown_fields=True):
    """One row: in this situation, under these circumstances, these effects in this order."""

    situation: Situation
    effects: tuple[Effect, ...]
    clause: Clause | None = None
    when: Circumstances = Circumstances()
    readings: tuple[str, ...] = ()
    device: Literal["electronic", "card-reading"] | None = None


def row_labels(situations: Sequence[object]) -> tuple[str, ...]:
    """Return a label for each row by its situation, with a number where a situation has several rows."""
    labels = []
    for index, situation in enumerate(situations):
        name = situation.value if isinstance(situation, Situation) else situation
        before = sum(each == situation for each in situations[:index])
        alone = sum(each == situation for each in situations) == 1
        labels.append(str(name) if alone else f"{name} {before + 1}")
    return tuple(labels)


def circumstances(row: Irregularity) -> Mapping[str, frozenset[object]]:
    """The named circumstances of a row with the values that each may have."""
    return _named(row.when)


@functools.cache  # asked at every card, and there are few of them
def _named(when: Circumstances) -> Mapping[str, frozenset[object]]:
    named = ((name, getattr(when, name)) for name in Circumstances.__struct_fields__)
    found = {
        name: frozenset(value if isinstance(value, tuple) else (value,))
        for name, value in named
        if value is not None
    }
    return MappingProxyType(found)


def effect_clauses(effect: Effect) -> tuple[Clause, ...]:
    """The clause of an effect, if it has one: a referral rests on the post for what is not covered."""
    clause = getattr(effect, "clause", None)
    return (clause,) if clause else ()
