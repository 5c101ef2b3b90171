"""The steps of the right way as sentences: what somebody in a post says, enters or does."""

from thirdcard.cards import Card
from thirdcard.game import commands as cmd
from thirdcard.game.desk import QueryDesk
from thirdcard.game.state import Case, Table
from thirdcard.messages import Message, message
from thirdcard.money import Currency, format_amount
from thirdcard.rulebook.irregularity import Situation
from thirdcard.training.plain_acts import faces_text, facts_told
from thirdcard.training.rehearsal import Rehearsal, RehearsedStep
from thirdcard.training.staff_names import naming_at
from thirdcard.views.questions import choice_words

PLAIN_STEPS = {
    cmd.ConfirmFacts: "confirm",
    cmd.OpenBetting: "open-betting",
    cmd.CloseBetting: "close-betting",
    cmd.AskToDecreaseWagers: "ask-to-decrease",
    cmd.DealFreeHand: "free-hand",
    cmd.SeeCuttingCard: "cutting-card",
    cmd.DisproveFacts: "disprove",
    cmd.WithdrawReport: "withdraw-report",
}
WAGER_STEPS = {
    cmd.PlaceWager: "train-step.place",
    cmd.ReduceWager: "train-step.take-off",
    cmd.FindWager: "train-step.find",
    cmd.RemoveWager: "train-step.remove",
    cmd.CorrectWager: "train-step.correct-wager",
}


def step_sentences(rehearsal: Rehearsal, each: RehearsedStep) -> tuple[Message, ...]:
    """Return what a step asks for, the main thing first; a command of a rare kind by the name of its deed."""
    act = each.step.act
    said: list[Message] = []
    draws = tuple(body for body in act.bodies if isinstance(body, cmd.DrawCard))
    if draws:
        said += _of_draws(draws)
    desk = QueryDesk(rehearsal.rulebook, rehearsal.house, each.before)
    for body in act.bodies:
        if not isinstance(body, cmd.DrawCard):
            said += _of_body(body, desk)
    if act.authoriser is not None:
        said.append(message("train-step.with", post=naming_at(rehearsal.house)(act.authoriser)))
    return tuple(said)


def _of_body(body: cmd.Body, desk: QueryDesk) -> tuple[Message, ...]:
    """The sentences of one command."""
    currency = desk.house.currency
    match body:
        case cmd.ReportIrregularity():
            return _of_report(body, currency)
        case cmd.Rule():
            return _of_ruling(body, desk)
        case cmd.PlaceWager() | cmd.ReduceWager() | cmd.FindWager() | cmd.RemoveWager() | cmd.CorrectWager():
            amount = format_amount(body.amount, currency)
            wager = f"@wager.{body.wager}"
            return (message(WAGER_STEPS[type(body)], patron=body.patron, wager=wager, amount=amount),)
        case _:
            return _of_hands(body)


def _of_hands(body: cmd.Body) -> tuple[Message, ...]:
    """The sentences of a command about the hands and what patrons say."""
    match body:
        case cmd.CallOutcome():
            return (message("train-step.call", winner=f"@winner.{body.winner.value}"),)
        case cmd.ReportDeviceResult():
            return (message("train-step.device-shows", winner=f"@winner.{body.winner.value}"),)
        case cmd.PassCards():
            key = "train-step.lies-with" if body.instead else "train-step.pass"
            return (message(key, hand=f"@hand.{body.hand.value}", patron=body.patron),)
        case cmd.ExposeCards() if body.cards:
            hand = f"@hand.{body.hand.value}"
            return (message("train-step.open-faces", hand=hand, cards=faces_text(body.cards)),)
        case cmd.ExposeCards():
            return (message("train-step.open", hand=f"@hand.{body.hand.value}"),)
        case cmd.CorrectCard():
            return (message("train-step.correct-card", number=body.number, card=body.card.text),)
        case cmd.AnswerOffer():
            key = "train-step.withdraws" if body.withdraw else "train-step.stays"
            return (message(key, patron=body.patron),)
        case cmd.ChooseCards():
            asked = (message("train-step.patron", patron=body.patron),) if body.patron else ()
            return (message("train-step.new-cards" if body.replace else "train-step.keep-cards"), *asked)
        case _:
            return _of_shoe(body)


def _of_shoe(body: cmd.Body) -> tuple[Message, ...]:
    """The sentences of a command about cards out of play, and of one that says all by its kind."""
    match body:
        case cmd.LoadShoe():
            loads = message("train-step.load", decks=body.decks)
            if body.shuffle is None:
                return (loads,)
            shuffler, batch = body.shuffle.shuffler, body.shuffle.batch
            return (loads, message("train-step.shuffled", shuffler=shuffler, batch=batch))
        case cmd.BurnCards() if body.first:
            return (message("train-step.burn-by", card=body.first.text),)
        case cmd.BurnCards():
            return (message("train-step.burn"),)
        case cmd.CountCards():
            return (message("train-step.count", cards=body.cards),)
        case cmd.ReserveCards():
            return (message("train-step.reserve", cards=faces_text(body.cards)),)
        case cmd.EnterSortedCards():
            return (message("train-step.sorted", cards=faces_text(body.lacking)),)
        case cmd.SubstituteCards():
            return (message("train-step.substitute", cards=faces_text(body.cards)),)
        case _:
            plain = PLAIN_STEPS.get(type(body))
            return (message(f"train-step.{plain}" if plain else f"deed.{body.__struct_config__.tag}"),)


def _of_draws(draws: tuple[cmd.DrawCard, ...]) -> tuple[Message, ...]:
    """The sentences of cards that are drawn one after the other, or come out at once."""
    first, faces = draws[0], tuple(card for each in draws for card in (each.card, *each.together))
    if first.together:
        order = "train-fact.order_known-yes" if first.order_known else "train-fact.order_known-no"
        return (message("train-step.together", cards=faces_text(faces)), message(order))
    if first.hand is not None:
        shown = _one_or_several(faces)
        return (message("train-step.lies-at", card=shown, hand=f"@hand.{first.hand.value}"),)
    if first.instead:
        return (message("train-step.really-came", card=_one_or_several(faces)),)
    if not any(faces):
        return (message("train-step.draw-down", cards=len(faces)),)
    return (message("train-step.draw" if all(faces) else "train-step.draw-some", cards=faces_text(faces)),)


def _one_or_several(faces: tuple[Card | None, ...]) -> str:
    return faces_text(faces) if any(faces) or len(faces) > 1 else "@train.some-card"


def _of_report(body: cmd.ReportIrregularity, currency: Currency) -> tuple[Message, ...]:
    """The sentences of a report: its situation, whom and what it is about, and the facts."""
    said = [message("train-step.report", situation=f"@situation.{body.situation.value}")]
    if body.patron:
        said.append(message("train-step.patron", patron=body.patron))
    if body.hand:
        said.append(message("train-step.hand", hand=f"@hand.{body.hand.value}"))
    if body.wager:
        said.append(message("train-step.wager", wager=f"@wager.{body.wager}"))
    if body.amount:
        said.append(message("train-step.amount", amount=format_amount(body.amount, currency)))
    if body.underpaid:
        said.append(message("train-step.underpaid"))
    if body.situation is Situation.NOT_COVERED:
        said.append(message("train-step.own-words"))
    return (*said, *facts_told(body))


def _of_ruling(body: cmd.Rule, desk: QueryDesk) -> tuple[Message, ...]:
    """The sentences of a ruling: each decision, to whom a payment goes, and whether there is another way."""
    if body.choice == cmd.PlainRuling.ORDER:
        return (message("train-step.rule-order", cards=faces_text(body.cards)),)
    said = [_of_choice(each, body, desk) for each in (body.choice, *body.also)]
    if body.patron:
        said.append(message("train-step.patron", patron=body.patron))
    if body.amount:
        said.append(message("train-step.amount", amount=format_amount(body.amount, desk.house.currency)))
    if body.text:
        said.append(message("train-step.reason"))
    return (*said, message("train-step.or-otherwise"))


def _of_choice(choice: str, body: cmd.Rule, desk: QueryDesk) -> Message:
    """The sentence of a decision by what it does in the case that it is about."""
    case = _case_of(body, desk.table)
    if choice in list(cmd.PlainRuling):
        return message("train-step.rule", choice=f"@ruling.{choice}")
    if case is None:
        return message("train-step.rule", choice=f"@preset.{choice}")
    found = choice_words(desk, case, (choice,))[choice]
    if found.params:  # so many of the next cards are burned
        return message("train-step.rule-burn", **dict(found.params))
    return message("train-step.rule", choice=f"@{found.key}")


def _case_of(body: cmd.Rule, table: Table) -> Case | None:
    """The case that a ruling names, or the one that is dealt with first."""
    named = (each for each in table.open_cases if each.id == body.case)
    return table.case if body.case is None else next(named, None)
