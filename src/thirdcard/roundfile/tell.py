"""Events and refusals as sentences, each with its clauses: what a round file shows beside what happened."""

import datetime
import enum
from collections.abc import Callable, Iterable, Iterator

from msgspec import Struct

from thirdcard.cards import Card
from thirdcard.game import events as ev
from thirdcard.game.dispute_steps import PAYEE, AwardWay
from thirdcard.game.shoe import ShuffleRecord
from thirdcard.game.state import DealtCard, SettledWager
from thirdcard.messages import Message, knows, message, say
from thirdcard.money import Currency, format_amount
from thirdcard.refusals import Refused
from thirdcard.rulebook.irregularity import Preset
from thirdcard.views.moments.telling import asked_by
from thirdcard.views.why import why

AMOUNT_FIELDS = {"amount", "gap", "gone", "limit", "award", "lapsed", "counted"}
# texts that are ids, and the sections of the language files that have words for them
IDS = {
    "post": ("post",),
    "item": ("equipment",),
    "why": ("handed-back",),
    "choice": ("preset", "ruling"),
    "need": ("new-cards",),
    "source": ("dispute",),
}


HELD_MONEY = {
    "release": "event.held-money-released",
    "settle": "event.held-money-settled",
    "seize": "event.held-money-seized",
}


Naming = Callable[[str], str]


def by_name(name: str) -> str:
    """A person by name alone."""
    return name


def with_approver(actor: str, approver: str | None, naming: Naming = by_name) -> Naming:
    """How people are named in what came of one command: whoever approved it stands beside who gave it."""
    if approver is None:
        return naming
    both = say(message("said.with", person=naming(actor), approver=naming(approver)))
    return lambda name: both if name == actor else naming(name)


class ToldLine(Struct, frozen=True):
    """A line about an event before it is said: its sentences, and the clauses and procedures behind them."""

    says: tuple[Message, ...]
    grounds: tuple[str, ...]


def tell(event: ev.Event, currency: Currency, naming: Naming = by_name) -> list[str]:
    """An event as one or more lines; one that says nothing of its own has none."""
    return [
        f"= {' '.join(map(say, each.says))}{cited(each.grounds)}" for each in told(event, currency, naming)
    ]


def told(event: ev.Event, currency: Currency, naming: Naming = by_name) -> list[ToldLine]:
    """The lines about an event, before they are said."""
    if _is_silent(event):
        return []
    params = _params(event, currency)
    if isinstance(by := getattr(event, "by", None), str):
        params["by"] = by if _second(event) else naming(by)
    lines = [_line(_key(event), params, _grounds(event))]
    match event:
        case ev.RoundSettled():
            return [_settled(wager, currency) for wager in event.wagers] or lines
        case ev.RoundVoided():
            for wager in (each for each in event.returned if each.lying and not each.held):
                params = {"patron": wager.patron, "wager": wager.wager}
                params["amount"] = format_amount(wager.lying, currency)
                lines.append(_line("event.stake-returned", params, ()))
            for settled in (each for each in event.reversed if not each.held):
                params = {"patron": settled.patron, "wager": settled.wager}
                params["amount"] = format_amount(settled.stake, currency)
                lines.append(_line("event.settlement-undone", params, ()))
            return lines
        case ev.AnswerTakenBack():
            for wager in event.wagers:
                params = {"patron": wager.patron, "wager": wager.wager}
                params["amount"] = format_amount(wager.lying, currency)
                lines.append(_line("event.stake-lies-again", params, ()))
            return lines
        case ev.HeldMoneyDecided():
            return [*lines, *_of_held_money(event, currency)]
        case ev.DisputeDecided() | ev.DisputeEscalated() | ev.ComplaintAnswered():
            return [*lines, *_of_decision(event, currency)]
        case _:
            return lines


def _of_held_money(event: ev.HeldMoneyDecided, currency: Currency) -> Iterator[ToldLine]:
    """How the wager was settled that is handed over, and what goes back that had left it before."""
    wager = event.settled or event.wager
    if event.settled is not None:
        yield _settled(event.settled, currency)
    if wager is not None and event.amount != wager.lying:
        rest = format_amount(event.amount - wager.lying, currency)
        params = {"patron": event.patron, "wager": wager.wager, "amount": rest}
        yield _line("event.stake-returned", params, ())


def _of_decision(
    event: ev.DisputeDecided | ev.DisputeEscalated | ev.ComplaintAnswered, currency: Currency
) -> Iterator[ToldLine]:
    """Yield what a decision of a dispute could not consider, what it awards, and what falls with it."""
    for each in event.unavailable if isinstance(event, ev.DisputeDecided) else ():
        params = {"id": str(event.id), "source": f"@dispute.{each.source}", "why": each.why}
        yield _line("event.source-not-available", params, ())
    if isinstance(event, ev.DisputeEscalated):
        if event.unanswered:
            yield _line("event.decision-unanswered", _params(event, currency), ())
        if event.lapsed:
            yield _line("event.award-lapsed", _params(event, currency), ())
    elif event.award:
        if isinstance(event, ev.ComplaintAnswered) and event.lapsed:
            yield _line("event.award-replaced", _params(event, currency), ())
        key = "event.dispute-awarded-less-paid" if event.counted else "event.dispute-awarded"
        yield _line(key, _params(event, currency), _grounds(event))


def _second(event: ev.Event) -> str | None:
    """Return who stood for an event besides whoever it is by; what the table judges anew it says alone."""
    if isinstance(event, ev.IrregularityReported):
        return event.case.second if event.by == event.case.by else None
    second: str | None = getattr(event, "second", None)
    return second


def _is_silent(event: ev.Event) -> bool:
    """Whether nothing happened by an effect, or what happened has a line of its own."""
    match event:
        case ev.EffectCarriedOut(effect="replace-cards") | ev.EffectCarriedOut(statement=True, done=False):
            return True
        case ev.EffectCarriedOut(done=False):
            return not knows(f"not-carried-out.{event.effect}")
        case _:
            return False


def _key(event: ev.Event) -> str:  # noqa: C901, PLR0911, PLR0912 - one sentence a case
    """The key of the sentence about an event."""
    match event:
        case ev.EquipmentTicked(needed=False):
            return "event.equipment-not-needed"
        case ev.BettingClosed(call=None, clauses=()):
            return "event.betting-stopped-by-card"
        case ev.BettingClosed(call=None):
            return "event.betting-closed-by-card"
        case ev.WrongPaymentFound(mistaken=True, collected=True):
            return "event.wrong-payment-not-collected"
        case ev.WrongPaymentFound(mistaken=True):
            return "event.wrong-payment-not-made"
        case ev.WrongPaymentFound(collected=True):
            return "event.wrong-payment-collected"
        case ev.WrongPaymentFound() | ev.PaymentCorrected() if event.amount < 0:
            return f"event.{tag_of(event)}-too-little"
        case ev.PaymentClaimed() if event.amount < 0:
            return "event.payment-claim-lapsed"
        case ev.PaymentClaimed(by=""):
            return "event.payment-claimed-again"
        case ev.PaymentClaimed(second=None):
            return "event.payment-claimed-alone"
        case ev.SqueezeForbidden(patron=str()):
            return "event.squeeze-forbidden-to"
        case ev.CaseClosed(superseded_by=int()):
            return "event.case-superseded"
        case ev.CardsReconstructed(cards=()):
            return "event.hands-taken-up"
        case ev.CardsSetAside(hand=None):
            return "event.cards-came-together"
        case ev.CardsSeen(patron=None):
            return "event.cards-were-seen"
        case ev.ClaimBooked():
            return _claim_key(event)
        case ev.RulingMade(entered_by=str()):
            return "event.ruling-made-entered"
        case (
            ev.IrregularityReported()
            | ev.RulingMade()
            | ev.FactsConfirmed()
            | ev.FactsDisproved()
            | ev.ReportWithdrawn()
            | ev.ChipsBought()
        ):
            return f"event.{tag_of(event)}" if _second(event) is None else f"event.{tag_of(event)}-by-two"
        case ev.CardCorrected(old=None):
            return "event.card-corrected-unknown"
        case ev.WagerReduced(mistaken=True):
            return "event.wager-reduced-mistaken"
        case ev.WagerReduced() if event.held:
            return _held_key(event)
        case ev.WagerReduced() if event.gone:
            return "event.wager-reduced-gone"
        case ev.OfferAnswered(silent=True) | ev.DecreaseAnswered(silent=True):
            return "event.did-not-answer"
        case ev.WagerFound() if event.held:
            return "event.wager-found-held"
        case ev.WagerFound(was_pulled=True):
            return "event.wager-found-again"
        case ev.ShoeLoaded(shuffle=ShuffleRecord()):
            return "event.shoe-loaded-shuffled"
        case ev.HeldWagerJudged(settled=None):
            return "event.held-wager-undecided"
        case ev.MoneyHeld(wager=None):
            return "event.money-held-from"
        case ev.HeldMoneyDecided(choice="release" | "settle" | "seize"):
            return HELD_MONEY[event.choice]
        case _:
            return _dispute_key(event) if isinstance(event, ev.DisputeEvent) else f"event.{tag_of(event)}"


def _held_key(event: ev.WagerReduced) -> str:
    """Chips of a held wager leave the round: with the staff, with their patron already, or both."""
    if not event.gone:
        return "event.wager-reduced-held"
    whole = event.gone == event.amount
    return "event.wager-reduced-held-gone" if whole else "event.wager-reduced-held-in-part"


def _claim_key(event: ev.ClaimBooked) -> str:
    if event.amount < 0:
        return "event.claim-set-off"
    if event.lost:
        return "event.claim-booked-lost"
    return "event.claim-booked-left" if event.left else "event.claim-booked"


# what a patron says, or staff for the patron, who are named then
PATRONS_WORD = (ev.PatronAnswered, ev.ReceiptConfirmed, ev.ComplaintFiled)


def _dispute_key(event: ev.DisputeEvent) -> str:
    """The key of the sentence about an event of a dispute; whoever stood behind it is named."""
    key = _one_person_key(event)
    if isinstance(event, PATRONS_WORD) and event.by is not None:
        key = f"{key}-entered"
    return key if getattr(event, "second", None) is None else f"{key}-by-two"


def _one_person_key(event: ev.DisputeEvent) -> str:
    match event:
        case ev.DisputeOpened() if event.round:
            return "event.dispute-opened-about"
        case ev.InformationGathered() if event.source == PAYEE:
            return "event.information-gathered-payee"
        case ev.InformationGathered(source=str()):
            return "event.information-gathered-for"
        case ev.AwardPaid(way=AwardWay.CREDITS):
            return "event.award-credited"
        case ev.AwardSetOff() if event.amount < 0:
            return "event.award-owed-again"
        case ev.ComplaintRightTold(until=datetime.datetime()):
            return "event.complaint-right-told-until"
        case ev.TimeFrameGiven(until=datetime.datetime()):
            return "event.time-frame-given-until"
        case ev.DisputeClosed(unanswered=True):
            return "event.dispute-closed-unanswered"
        case ev.ComplaintFiled(late=True):
            return "event.complaint-filed-late"
        case _:
            return f"event.{tag_of(event)}"


def tell_refusal(refused: Refused, sentence: str) -> tuple[str, str]:
    """A refusal as a line with its sentence, and as the shorter line with its reason alone."""
    reason, clauses = refused.reason.value, cited(refused.clauses)
    return f"! {reason}: {sentence}{clauses}", f"! {reason}{clauses}"


def tag_of(event: ev.Event) -> str:
    """The name of an event in records and language files."""
    return str(event.__struct_config__.tag)


def _grounds(event: ev.Event) -> tuple[str, ...]:
    """The clauses of an event, and the procedure of the house where it names one."""
    procedure: str | None = getattr(event, "procedure", None)
    return (
        (*event.clauses, say(message("said.procedure", procedure=procedure))) if procedure else event.clauses
    )


def _line(key: str, params: dict[str, str], grounds: tuple[str, ...]) -> ToldLine:
    return ToldLine((message(key, **params),), grounds)


def cited(grounds: Iterable[str]) -> str:
    """Clauses and procedures as they stand behind a sentence, each once; nothing where there are none."""
    once = ", ".join(dict.fromkeys(grounds))
    return f" [{once}]" if once else ""


def _settled(wager: SettledWager, currency: Currency) -> ToldLine:
    held = (message("event.stays-held"),) if wager.held else ()
    return ToldLine((why(wager, currency), *held), wager.clauses)


def _params(event: ev.Event, currency: Currency) -> dict[str, str]:  # noqa: C901, PLR0912 - one case an event
    found: dict[str, str] = {}
    for name in event.__struct_fields__:
        if name != "clauses":
            found[name] = _spoken(name, getattr(event, name), currency)
    match event:
        case ev.IrregularityReported():
            found["situation"] = event.case.about
            found["second"] = _second(event) or ""
        case ev.OfferOpened():
            found["patrons"] = ", ".join(asked_by(event))
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
        case (
            ev.WrongPaymentFound()
            | ev.PaymentCorrected()
            | ev.PaymentClaimed()
            | ev.ClaimBooked()
            | ev.AwardSetOff()
        ) if event.amount < 0:
            found["amount"] = format_amount(-event.amount, currency)
        case ev.WagerReduced():
            found["amount"] = format_amount(event.amount if event.held else event.back, currency)
            found["held"] = format_amount(event.amount - event.gone, currency)
        case ev.MoneyHeld() if event.wager:
            found["wager"] = event.wager.wager
        case ev.ShoeLoaded() if event.shuffle:
            found |= {"shuffler": event.shuffle.shuffler, "batch": event.shuffle.batch}
        case ev.CaseWaits():
            found["waits"] = f"@wait.{event.waits.value}"
        case ev.RulingMade():
            found["choice"] = _decided(event)
        case ev.CloserCounted() | ev.DropCounted():
            found["expected"] = format_amount(event.expected, currency)
        case _:
            pass
    return found


def _decided(event: ev.RulingMade) -> str:
    """All that a ruling decides, in one sentence."""
    said = [_choice_said(event, each) for each in (event.choice, *event.also)]
    return say(message("ruling.and", first=", ".join(said[:-1]), last=said[-1])) if said[1:] else said[0]


def _choice_said(event: ev.RulingMade, choice: str) -> str:
    """One of the decisions of a ruling in words."""
    if event.cards and choice == event.choice:
        faces = " ".join(each.text if each else "?" for each in event.cards)
        return say(message("ruling.order", cards=faces))
    if choice == Preset.BURN_CARD and event.next_cards:
        key = "ruling.burn-next-card" if event.next_cards == 1 else "ruling.burn-next-cards"
        return say(message(key, cards=event.next_cards))
    keys = (f"{section}.{choice}" for section in IDS["choice"])
    return next((say(message(key)) for key in keys if knows(key)), choice)


def _spoken(name: str, value: object, currency: Currency) -> str:  # noqa: PLR0911 - one case a kind of value
    match value:
        case None:
            return "@said.nobody" if name in ("post", "placed_by") else "@said.nothing"
        case bool():
            return "@fact.yes" if value else "@fact.no"
        case int():
            return format_amount(value, currency) if name in AMOUNT_FIELDS else str(value)
        case str() if name in IDS:
            keys = (f"{section}.{value}" for section in IDS[name])
            return next((f"@{key}" for key in keys if knows(key)), value)
        case enum.Enum():
            key = f"{name}.{value.value}"
            hand = f"hand.{value.value}"
            return (
                f"@{hand}"
                if knows(hand) and name in ("hand", "first", "heavier")
                else (f"@{key}" if knows(key) else str(value.value))
            )
        case datetime.datetime() if name == "until":
            return f"{value:%Y-%m-%d %H:%M}"
        case Card():
            return value.text
        case tuple() if value and all(isinstance(each, Card | None) for each in value):
            return " ".join(each.text if isinstance(each, Card) else "?" for each in value)
        case tuple() if value and all(isinstance(each, DealtCard) for each in value):
            return _hands(value)
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
