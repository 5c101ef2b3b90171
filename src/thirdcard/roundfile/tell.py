"""Events and refusals as sentences, each with its clauses: what a round file shows beside what happened."""

import enum
from collections.abc import Iterable

from msgspec import Struct

from thirdcard.cards import Card
from thirdcard.game import events as ev
from thirdcard.game.state import DealtCard, SettledWager
from thirdcard.messages import Message, knows, message, say
from thirdcard.money import Currency, format_amount
from thirdcard.projections.why import why
from thirdcard.refusals import Refused

AMOUNTS = {"amount", "gap", "limit", "award"}
# texts that are ids, and the sections of the language files that have words for them
IDS = {
    "post": ("post",),
    "item": ("equipment",),
    "why": ("handed-back",),
    "choice": ("preset", "ruling"),
    "need": ("new-cards",),
}


def tell(event: ev.Event, currency: Currency) -> list[str]:
    """An event as one or more lines."""
    lines = [_line(f"event.{tag_of(event)}", _params(event, currency), _grounds(event))]
    match event:
        case ev.RoundSettled():
            return [_settled(wager, currency) for wager in event.wagers] or lines
        case ev.RoundVoided():
            for wager in event.returned:
                params = {"patron": wager.patron, "wager": wager.wager}
                params["amount"] = format_amount(wager.stake, currency)
                lines.append(_line("event.stake-returned", params, ()))
            for settled in event.reversed:
                params = {"patron": settled.patron, "wager": settled.wager}
                params["amount"] = format_amount(settled.stake, currency)
                lines.append(_line("event.settlement-undone", params, ()))
            return lines
        case ev.DisputeDecided() if event.award:
            return [*lines, _line("event.dispute-awarded", _params(event, currency), _grounds(event))]
        case ev.EquipmentTicked(needed=False):
            return [_line("event.equipment-not-needed", _params(event, currency), event.clauses)]
        case ev.BettingClosed(call=None):
            return [_line("event.betting-closed-by-card", {}, event.clauses)]
        case _:
            return lines


def tell_refusal(refused: Refused) -> str:
    """A refusal as a line."""
    return f"! {refused.reason.value}{cited(refused.clauses)}"


def tag_of(event: ev.Event) -> str:
    """The name of an event in records and language files."""
    return str(event.__struct_config__.tag)


def _grounds(event: ev.Event) -> tuple[str, ...]:
    """The clauses of an event, and the procedure of the house where it names one."""
    procedure: str | None = getattr(event, "procedure", None)
    return (
        (*event.clauses, say(message("said.procedure", procedure=procedure))) if procedure else event.clauses
    )


def _line(key: str, params: dict[str, str], grounds: tuple[str, ...]) -> str:
    return _said(message(key, **params), grounds)


def _said(what: Message, grounds: tuple[str, ...]) -> str:
    return f"= {say(what)}{cited(grounds)}"


def cited(grounds: Iterable[str]) -> str:
    """Clauses and procedures as they stand behind a sentence, each once; nothing where there are none."""
    once = ", ".join(dict.fromkeys(grounds))
    return f" [{once}]" if once else ""


def _settled(wager: SettledWager, currency: Currency) -> str:
    return _said(why(wager, currency), wager.clauses)


def _params(event: ev.Event, currency: Currency) -> dict[str, str]:
    found: dict[str, str] = {}
    for name in event.__struct_fields__:
        if name != "clauses":
            found[name] = _spoken(name, getattr(event, name), currency)
    match event:
        case ev.IrregularityReported():
            found["situation"] = f"@situation.{event.case.situation.value}"
        case ev.OfferOpened():
            found["patrons"] = ", ".join(event.offer.asked)
            found["wagers"] = f"@withdraw.{event.offer.wagers.value}"
        case ev.OutcomeKnown():
            found["player"] = str(event.facts.player_total)
            found["banker"] = str(event.facts.banker_total)
            found["winner"] = f"@winner.{event.facts.winner.value}"
        case ev.EffectCarriedOut():
            done, not_done = f"@carried-out.{event.effect}", f"@not-carried-out.{event.effect}"
            found["effect"] = done if event.done else not_done
        case ev.AlarmRaised():
            found["what"] = say(event.alarm.message)
        case ev.CaseWaits():
            found["waits"] = f"@wait.{event.waits.value}"
        case ev.RulingMade() if event.cards:
            found["choice"] = say(message("ruling.order", cards=found["cards"]))
        case _:
            pass
    return found


def _spoken(name: str, value: object, currency: Currency) -> str:  # noqa: PLR0911 - one case a kind of value
    match value:
        case None:
            return "@said.nobody" if name in ("post", "placed_by") else "@said.nothing"
        case bool():
            return "@fact.yes" if value else "@fact.no"
        case int():
            return format_amount(value, currency) if name in AMOUNTS else str(value)
        case enum.Enum():
            key = f"{name}.{value.value}"
            hand = f"hand.{value.value}"
            return (
                f"@{hand}"
                if knows(hand) and name in ("hand", "first", "heavier")
                else (f"@{key}" if knows(key) else str(value.value))
            )
        case Card():
            return value.text
        case tuple() if value and all(isinstance(each, Card) for each in value):
            return " ".join(each.text for each in value if isinstance(each, Card))
        case tuple() if value and all(isinstance(each, DealtCard) for each in value):
            return _hands(value)
        case str() if name in IDS:
            keys = (f"{section}.{value}" for section in IDS[name])
            return next((f"@{key}" for key in keys if knows(key)), value)
        case str() if name == "call":
            return f"@{value}"
        case Struct() | tuple():
            return ""
        case _:
            return str(value)


def _hands(cards: tuple[object, ...]) -> str:
    dealt = [each for each in cards if isinstance(each, DealtCard)]
    hands = {
        hand: "-".join(each.card.text if each.card else "?" for each in dealt if each.hand is hand)
        for hand in dict.fromkeys(each.hand for each in dealt)
    }
    return ", ".join(f"{say(message(f'hand.{hand.value}'))} {text}" for hand, text in hands.items())
