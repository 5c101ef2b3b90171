"""Irregularities as rows: a situation under circumstances leads to effects, each with its clause."""

import enum
import functools
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Annotated, Literal

from msgspec import Meta, Struct

from thirdcard.clauses import Clause
from thirdcard.staff import Post
from thirdcard.tags import tag_of


class Situation(enum.Enum):
    """The situations that can arise at a table, in the order in which people look for them."""

    __hash__ = object.__hash__  # each exists once; an enumeration would hash its name, many times a card

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
    """The circumstances that must hold for a row; one that is not named does not matter."""

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
    """The wagers that a patron may take back: single ones, all or none, or all undecided ones or none."""

    SINGLE = "single"
    ALL = "all"
    ALL_REMAINING = "all-remaining"


class EffectBase(Struct, frozen=True, forbid_unknown_fields=True, tag_field="do", tag=tag_of):
    """An effect as a rulebook writes it: `do` names it, unknown keys are refused."""


class VoidRound(EffectBase, frozen=True):
    """The round has no outcome and every stake goes back."""

    clause: Clause


class Continue(EffectBase, frozen=True):
    """The round goes on as if nothing had happened."""

    clause: Clause


class LetPastRoundsStand(EffectBase, frozen=True):
    """Earlier rounds keep their outcomes and payments."""

    clause: Clause


class RefuseWager(EffectBase, frozen=True):
    """A stake placed or raised too late is handed back; the part placed in time stays."""

    clause: Clause


class KeepInAction(EffectBase, frozen=True):
    """A wager taken away still wins or loses with the round."""

    clause: Clause


class OfferWithdrawal(EffectBase, frozen=True):
    """Patrons may take wagers back: as of right, or where a post is named, if that post allows it."""

    clause: Clause
    wagers: Withdrawable
    by: Post | None = None
    or_above: bool = False


class ReconstructCards(EffectBase, frozen=True):
    """The hands are laid again in the true order of drawing."""

    clause: Clause


class DetermineCardOrder(EffectBase, frozen=True):
    """A post says in which order the cards count."""

    clause: Clause
    by: Post
    or_above: bool = False


class DeliverToRightPatron(EffectBase, frozen=True):
    """The cards are fetched back and passed to the patron they belong to."""

    clause: Clause


class ExposeByDealer(EffectBase, frozen=True):
    """The Dealer opens the cards."""

    clause: Clause


class PlayCard(EffectBase, frozen=True):
    """A card that was seen is played in its turn like any other."""

    clause: Clause


class GiveCardToBanker(EffectBase, frozen=True):
    """A card drawn in error becomes the Banker's third card."""

    clause: Clause


class FreeHand(EffectBase, frozen=True):
    """The next round is dealt without wagers, the stray cards first; or this one counts as free."""

    clause: Clause
    round: Literal["next", "this"] = "next"
    by: Post | None = None
    or_above: bool = False


class KeepAsNextCard(EffectBase, frozen=True):
    """A card drawn in error and not seen is the first card of the next round, with wagers as usual."""

    clause: Clause | None = None


class CardNeed(enum.StrEnum):
    """How a clause puts it that new cards come."""

    MAY = "may"
    SHALL = "shall"
    PATRONS_CHOOSE = "patrons-choose"
    WHOLE_OR_NEW = "whole-or-new"  # unless somebody says that the set is whole


class ReplaceCards(EffectBase, frozen=True, kw_only=True):
    """New cards: they may or they shall come, or somebody says that the set is whole.

    ``on`` names what must have happened first. Where no clause says that they shall come, a procedure of the
    house does.
    """

    clause: Clause | None = None
    procedure: Literal["new-cards"] | None = None
    need: CardNeed
    on: Literal["always", "all-withdrew"] = "always"


class VoidIfAllWithdraw(EffectBase, frozen=True):
    """Where every patron withdraws, the round is void."""

    clause: Clause


class BurnNow(EffectBase, frozen=True):
    """The cards go back in order, the burn is made up for, and the deal begins again."""

    clause: Clause


class FinishShoe(EffectBase, frozen=True):
    """The shoe is played to its end."""

    clause: Clause


class ResetDealingDevice(EffectBase, frozen=True):
    """The dealing device starts again."""

    clause: Clause


class ReopenBetting(EffectBase, frozen=True):
    """Wagers are taken again until a second closing call."""

    clause: Clause


class ReserveCards(EffectBase, frozen=True):
    """The next cards are set aside in order, in the presence of a post, as possible third cards."""

    clause: Clause
    cards: Annotated[int, Meta(ge=1, le=6)]
    in_presence_of: Post


class SortCards(EffectBase, frozen=True):
    """The rest of the shoe and the discards are sorted into decks and shown."""

    clause: Clause


class DeduceMissingCards(EffectBase, frozen=True):
    """The missing cards are what the full decks have more than all cards accounted for."""

    clause: Clause


class SubstituteMissingCards(EffectBase, frozen=True):
    """Cards of the same rank and suit from a complete deck take the place of the missing ones."""

    clause: Clause


class CorrectSettlement(EffectBase, frozen=True):
    """The cards decide: what was called, shown or paid wrongly is put right by counter-entries."""

    clause: Clause


class LetResultStand(EffectBase, frozen=True):
    """The outcome and its payments stay as they are."""

    clause: Clause


class PayOnceThenReturn(EffectBase, frozen=True):
    """A wager under the minimum is paid or collected once; the patron's later ones are handed back."""

    clause: Clause


class PayToMaximum(EffectBase, frozen=True):
    """A wager over the maximum is paid or collected to the maximum, and the rest handed back."""

    clause: Clause


class AskToDecrease(EffectBase, frozen=True):
    """The Dealer asks patrons on the heavier hand to lower their wagers."""

    clause: Clause


class AllowIncrease(EffectBase, frozen=True):
    """Patrons on the lighter hand may raise their wagers."""

    clause: Clause


class RequireAlteration(EffectBase, frozen=True):
    """Patrons must change their wagers until the differential is met."""

    clause: Clause


class RemoveWagers(EffectBase, frozen=True):
    """A post says which wagers come off."""

    clause: Clause
    by: Post
    or_above: bool = False


class SettleProRata(EffectBase, frozen=True):
    """Wagers on the heavier hand are settled in proportion; those under the minimum in full."""

    clause: Clause
    exempt_under_minimum: Clause


class Preset(enum.StrEnum):
    """The decisions of the post for what no rule covers, in the order in which they are carried out."""

    VOID_ROUND = "void-round"
    CONTINUE = "continue"
    RETURN_WAGERS = "return-wagers"
    OFFER_WITHDRAWAL = "offer-withdrawal"
    REPLACE_CARDS = "replace-cards"
    FREE_HAND = "free-hand"
    PLAY_CARD = "play-card"
    BURN_CARD = "burn-card"
    KEEP_AS_NEXT_CARD = "keep-as-next-card"
    PAY = "pay"
    TAKE_BACK = "take-back"


class Refer(EffectBase, frozen=True):
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
