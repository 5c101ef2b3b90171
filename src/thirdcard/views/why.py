"""Why a wager got what it got, as a sentence by key."""

from thirdcard.game.state import SettledWager
from thirdcard.messages import Message, message
from thirdcard.money import Currency, format_amount

SETTLED_AMOUNTS = ("stake", "in_action", "paid", "taken", "back", "commission")


def why(wager: SettledWager, currency: Currency) -> Message:
    """Return the sentence about a settled wager; where only part of it was in action it says so."""
    params = {"patron": wager.patron, "wager": wager.wager, "odds": wager.odds or ""}
    for name in SETTLED_AMOUNTS:
        params[name] = format_amount(getattr(wager, name), currency)
    part = "" if wager.in_action in (0, wager.stake) else "-in-part"
    return message(f"event.wager-{wager.result}{part}", **params)
