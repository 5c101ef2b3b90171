"""Commands as plain acts: what came or was done at the table, without the name that the rules have for it."""

from collections.abc import Iterable

from thirdcard.cards import Card
from thirdcard.game import commands as cmd
from thirdcard.game.state import Table
from thirdcard.messages import Message, message
from thirdcard.money import Currency, format_amount
from thirdcard.rulebook.irregularity import Situation

# facts that a report may tell, as they are seen at the table
_FACTS = ("reconstructable", "order_known", "seen", "value_known")


def plain_acts(  # noqa: C901, PLR0911, PLR0912 - one case a command
    body: cmd.Body, table: Table, currency: Currency
) -> tuple[Message, ...]:
    """Return what there is to see or hear when a command is due; nothing where nobody needs to be told."""
    match body:
        case cmd.ReportIrregularity():
            return _of_report(body, currency)
        case cmd.DrawCard():
            return _of_cards(body)
        case cmd.CallOutcome():
            facts = table.round.facts if table.round else None
            if facts is None or facts.winner is body.winner:
                return (message("train-act.all-open"),)
            return (message("train-act.called", winner=f"@winner.{body.winner.value}"),)
        case cmd.CloseBetting():
            return (message("train-act.no-more-chips"),)
        case cmd.ReportDeviceResult():
            return (message("train-act.device-shows", winner=f"@winner.{body.winner.value}"),)
        case cmd.SeeCuttingCard():
            return (message("train-act.cutting-card"),)
        case cmd.PlaceWager() | cmd.ReduceWager() | cmd.FindWager() | cmd.RemoveWager():
            return _of_wager(body, currency)
        case cmd.CorrectWager():
            return (
                message("train-act.wager-was-none", **_wager(body.patron, body.wager, body.amount, currency)),
            )
        case cmd.CorrectCard():
            return (message("train-act.card-is", number=body.number, card=body.card.text),)
        case cmd.PassCards(instead=True):
            return (message("train-act.passed", hand=f"@hand.{body.hand.value}", patron=body.patron),)
        case cmd.ExposeCards() if body.cards:
            hand = f"@hand.{body.hand.value}"
            return (message("train-act.opened", hand=hand, cards=faces_text(body.cards)),)
        case cmd.AnswerOffer():
            return (
                message("train-act.withdraws" if body.withdraw else "train-act.stays", patron=body.patron),
            )
        case cmd.DisproveFacts():
            return (message("train-act.found", text=body.found),)
        case cmd.WithdrawReport():
            return (message("train-act.mistaken"),)
        case _:
            return _of_shoe(body)


def _of_shoe(body: cmd.Body) -> tuple[Message, ...]:
    """Return what is seen of the cards that are not in play."""
    match body:
        case cmd.ReserveCards():
            return (message("train-act.next-cards", cards=faces_text(body.cards)),)
        case cmd.EnterSortedCards():
            return (message("train-act.sorted", cards=faces_text(body.lacking)),)
        case cmd.SubstituteCards():
            return (message("train-act.substitutes", cards=faces_text(body.cards)),)
        case cmd.CountCards():
            return (message("train-act.count", cards=body.cards),)
        case cmd.LoadShoe():
            return (message("train-act.new-cards", decks=body.decks),)
        case cmd.BurnCards() if body.first:
            return (message("train-act.first-card", card=body.first.text),)
        case _:
            return ()


def _of_cards(body: cmd.DrawCard) -> tuple[Message, ...]:
    faces = (body.card, *body.together)
    if body.together:
        order = "train-act.first-seen" if body.order_known else "train-act.first-unseen"
        return (message("train-act.together", cards=faces_text(faces)), message(order))
    if body.hand is not None:
        card = body.card.text if body.card else "@train.some-card"
        return (message("train-act.card-to", card=card, hand=f"@hand.{body.hand.value}"),)
    if body.instead:
        return (message("train-act.card-instead", card=faces_text(faces)),)
    return (
        (message("train-act.card-down"),)
        if body.card is None
        else (message("train-act.card", card=body.card.text),)
    )


def _of_wager(
    body: cmd.PlaceWager | cmd.ReduceWager | cmd.FindWager | cmd.RemoveWager, currency: Currency
) -> tuple[Message, ...]:
    names: dict[type, str] = {
        cmd.PlaceWager: "train-act.places",
        cmd.ReduceWager: "train-act.takes-off",
        cmd.FindWager: "train-act.lay-there",
        cmd.RemoveWager: "train-act.comes-off",
    }
    return (message(names[type(body)], **_wager(body.patron, body.wager, body.amount, currency)),)


def _wager(patron: str, wager: str, amount: int, currency: Currency) -> dict[str, str | int]:
    return {"patron": patron, "wager": f"@wager.{wager}", "amount": format_amount(amount, currency)}


def _of_report(body: cmd.ReportIrregularity, currency: Currency) -> tuple[Message, ...]:
    """The acts behind a report, and the facts that a row may turn on."""
    params: dict[str, str | int] = {
        "patron": body.patron or "@train.some-patron",
        "hand": f"@hand.{body.hand.value}" if body.hand else "@train.some-hand",
        "wager": f"@wager.{body.wager}" if body.wager else "@train.some-wager",
        "amount": format_amount(body.amount, currency) if body.amount else "@train.some-chips",
        "note": body.note,
    }
    name = body.situation.value + ("-too-little" if body.underpaid else "")
    return (message(f"train-situation.{name}", **params), *facts_told(body))


def facts_told(body: cmd.ReportIrregularity) -> tuple[Message, ...]:
    """Return what a report tells besides its situation: the cards, and the facts that a row may turn on."""
    said: list[Message] = []
    if not all(each is None for each in body.cards):
        laid = body.situation in (Situation.WRONG_ORDER, Situation.MISDEAL)
        key = "train-act.cards-came" if laid else "train-act.cards-are"
        said.append(message(key, cards=faces_text(body.cards)))
    if body.ahead:
        said.append(message("train-act.cards-before-it", cards=body.ahead))
    for fact in _FACTS:
        value = getattr(body, fact)
        if value is not None:
            said.append(message(f"train-fact.{fact}-{'yes' if value else 'no'}"))
    told = {"previous-round": body.previous_round, "paying": body.paying, "dealt": body.dealt}
    said += [message(f"train-fact.{name}") for name, is_so in told.items() if is_so]
    return tuple(said)


def faces_text(cards: Iterable[Card | None]) -> str:
    """Return cards as they are typed; one that lies face down is a question mark."""
    return " ".join(each.text if each else "?" for each in cards)
