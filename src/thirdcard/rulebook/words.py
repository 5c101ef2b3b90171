"""Conditions, effects and posts in words, by the language files."""

import enum

from thirdcard.messages import Message, in_words, knows, message, say
from thirdcard.rulebook.deciders import EffectDecider
from thirdcard.rulebook.facts import Conditions
from thirdcard.rulebook.irregularity import (
    Effect,
    FreeHand,
    Irregularity,
    Method,
    OfferWithdrawal,
    Refer,
    ReplaceCards,
    ReserveCards,
    circumstances,
)


def text(key: str, /, **params: str | int) -> str:
    """The sentence of a key."""
    return say(message(key, **params))


def post_name(post: str) -> str:
    """A post as people say it; one that only a house has by its id in words."""
    return text(f"post.{post}") if knows(f"post.{post}") else in_words(post)


def name_of(kind: str, thing: str) -> str:
    """A post, a source or an item as people say it; one that the language files do not know by its id."""
    key = f"{kind}.{thing}"
    return text(key) if knows(key) else thing


def conditions_in_words(conditions: Conditions) -> str:
    """A conjunction of facts: ``winner banker, Banker total 6``."""
    parts = [text(f"fact.{name}", value=_values(allowed)) for name, allowed in conditions]
    return ", ".join(parts) or text("fact.any")


def circumstances_in_words(row: Irregularity) -> str:
    """When an irregularity row holds."""
    named = circumstances(row).items()
    parts = [text(f"circumstance.{name}", value=_values(allowed)) for name, allowed in named]
    if row.device:
        parts.append(text("circumstance.device", value=f"@device.{row.device}"))
    return "; ".join(parts) or text("circumstance.always")


def effect_message(effect: Effect) -> Message:
    """Return the sentence about what an effect does; what a referral leaves to choose is said beside it."""
    params: dict[str, str | int] = {}
    match effect:
        case OfferWithdrawal():
            params = {"wagers": f"@withdraw.{effect.wagers.value}"}
        case FreeHand():
            params = {"round": f"@free-hand.{effect.round}"}
        case ReplaceCards():
            on = "" if effect.on == "always" else f"-{effect.on}"
            params = {"need": f"@need.{effect.need}{on}"}
        case ReserveCards():
            params = {"cards": effect.cards}
        case _:
            pass
    return message(f"effect.{effect.__struct_config__.tag}", **params)


def effect_in_words(effect: Effect) -> str:
    """Return in words what an effect does, with everything that a referral leaves to choose."""
    if isinstance(effect, Refer):
        choices = text("fact.or").join(text(f"preset.{each}") for each in effect.presets)
        return text("effect.refer", choices=choices)
    return say(effect_message(effect))


def decider_in_words(decider: EffectDecider) -> str:
    """Return who decides an effect, or must be present."""
    if decider.grant is None:
        return text("show.house-post")
    if decider.present:
        return text("show.in-presence", post=post_name(decider.grant.post))
    return grant_in_words(decider.grant.post, or_above=decider.grant.or_above)


def grant_in_words(post: str, *, or_above: bool) -> str:
    """A post, or a post and those above it."""
    name = post_name(post)
    return text("show.post-or-above", post=name) if or_above else name


def _values(allowed: frozenset[object]) -> str:
    return text("fact.or").join(_value(value) for value in sorted(allowed, key=_order))


def _order(value: object) -> int:
    """Numbers by size, members of an enum in the order in which it lists them."""
    if isinstance(value, enum.Enum):
        return list(type(value)).index(value)
    assert isinstance(value, int)
    return value


def _value(value: object) -> str:
    if isinstance(value, bool):
        return text("fact.yes" if value else "fact.no")
    if isinstance(value, Method):
        return value.value
    if isinstance(value, enum.Enum):
        return text(f"{type(value).__name__.lower()}.{value.value}")
    return str(value)
