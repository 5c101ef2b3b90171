"""Leads through an irregularity at the practice table: what it is, what the rulebook says, who decides."""

from msgspec.structs import replace

from thirdcard.cards import Card
from thirdcard.cli.output import print_table
from thirdcard.cli.practice import GUEST, Practice
from thirdcard.cli.prompts import Asker
from thirdcard.game import commands as cmd
from thirdcard.game.desk import QueryDesk
from thirdcard.game.irregularities.rows import governing_row
from thirdcard.game.state import Case, Hand, Offer, Phase, Wait
from thirdcard.game.texts import has_words
from thirdcard.messages import say
from thirdcard.money import parse_amount
from thirdcard.refusals import Refused
from thirdcard.roundfile.values import BadWord, faces_of
from thirdcard.rulebook.irregularity import Irregularity, Preset, Situation, Withdrawable
from thirdcard.rulebook.words import circumstances_in_words, grant_in_words, post_name, text
from thirdcard.views.questions import (
    Ask,
    Decider,
    Question,
    Required,
    RequiredStep,
    ToldFacts,
    can_be,
    choice_words,
    lead,
)

# the decisions that are about an amount of money
PAYMENT_CHOICES = (Preset.PAY, Preset.TAKE_BACK)
FOUND_LATER = (Situation.UNDER_MINIMUM, Situation.OVER_MAXIMUM)
TypedFaces = tuple[Card | None, ...]


def lead_through(practice: Practice, asker: Asker, *, more: bool = False) -> None:
    """Ask what went wrong and carry it out; one that is under way is taken up, unless more went wrong."""
    if practice.table.case is None or more:
        situations = practice.rulebook.document.situations
        asker.say(text("practice.what-is-wrong"))
        chosen = asker.choose(text("practice.which-number"), [_listed(practice, each) for each in situations])
        if not _can_be(practice, situations[chosen]):
            asker.say(text("practice.not-now"))
            return
        report = _gather(practice, asker, situations[chosen])
        if report is None or not practice.dealer_does(report):
            return
    resolve(practice, asker)


def _noted(asker: Asker, report: cmd.ReportIrregularity, required: Required) -> cmd.ReportIrregularity:
    """Return the report; where only words say what it is, with what happened in words."""
    if not required.words:
        return report
    note = ""
    while not has_words(note):
        note = asker.answer(text("practice.what-happened"))
    return replace(report, note=note)


def _listed(practice: Practice, situation: Situation) -> str:
    name = text(f"situation.{situation.value}")
    return name if _can_be(practice, situation) else text("practice.only-later", situation=name)


def _can_be(practice: Practice, situation: Situation) -> bool:
    """Whether a situation can be; a wager outside its limits may be found first."""
    return can_be(_desk(practice), situation) or (situation in FOUND_LATER and _may_find(practice))


# the facts


def _gather(practice: Practice, asker: Asker, situation: Situation) -> cmd.ReportIrregularity | None:
    """Ask for the facts of a situation and return their report, or nothing where nobody makes it."""
    if situation in FOUND_LATER and _may_find(practice) and not _find_wager(practice, asker):
        return None
    told = ToldFacts(situation=situation)
    while True:
        found = lead(_desk(practice), told, by=practice.dealer, at=practice.player.now)
        if isinstance(found, Question):
            told = _answered(practice, asker, told, found)
        elif isinstance(found, Refused):
            practice.dealer_does(told.report)  # which is refused in the same words
            return None
        else:
            agreed = _agreed(practice, asker, told, found)
            return _noted(asker, told.report, found) if agreed else None


def _desk(practice: Practice) -> QueryDesk:
    return QueryDesk(practice.rulebook, practice.house, practice.table)


def _answered(practice: Practice, asker: Asker, told: ToldFacts, question: Question) -> ToldFacts:
    match question.ask:
        case Ask.HAND:
            hands = list(Hand)
            names = [text(f"hand.{each.value}") for each in hands]
            return replace(told, hand=hands[asker.choose(text("question.hand"), names)])
        case Ask.PATRON:
            return replace(told, patron=GUEST)
        case Ask.WAGER:
            mine = [each for each in practice.table.wagers if each.patron == GUEST]
            one = mine[asker.choose(text("question.wager"), [each.wager for each in mine])]
            return replace(told, wager=one.wager, position=one.position)
        case Ask.AMOUNT:
            return replace(told, amount=_amount(practice, asker))
        case Ask.AHEAD:
            return replace(told, ahead=_how_many(asker, "question.ahead", 0, question.most))
        case Ask.CARDS:
            return replace(told, cards=_cards(practice, asker, told, question))
        case _:
            answer = asker.agree(text("practice.yes-no", question=f"@question.{question.ask.value}"))
            return replace(told, **{question.ask.value: answer})


def _may_find(practice: Practice) -> bool:
    """Whether a wager can come to light now: betting is closed, and the round has wagers at all."""
    current = practice.table.round
    free = current is not None and current.free and not current.ended
    return practice.table.phase not in (Phase.IDLE, Phase.BETTING) and not free


def _find_wager(practice: Practice, asker: Asker) -> bool:
    """A wager outside the limits is found on the layout only now."""
    wagers = list(practice.rulebook.wagers)
    wager = wagers[asker.choose(text("practice.which-wager"), wagers)]
    position = None if practice.table.setup.terminal else 1
    amount = _amount(practice, asker)
    return practice.dealer_does(
        cmd.FindWager(reason="practice", patron=GUEST, wager=wager, amount=amount, position=position)
    )


def _amount(practice: Practice, asker: Asker) -> int:
    while True:
        answer = asker.answer(text("question.amount"))
        minor = parse_amount(answer, practice.house.currency)
        if minor is not None and minor > 0:
            return minor
        asker.say(text("round.bad-amount", text=answer))


def _cards(practice: Practice, asker: Asker, told: ToldFacts, question: Question) -> TypedFaces:
    """Cards that lie there in the order that is typed, or those that come next from the shoe."""
    if question.ordered and told.situation is not Situation.CARDS_TOGETHER:
        current = practice.table.round
        lying = tuple(each.card for each in current.cards) if current else ()
        same = told.situation is not Situation.WRONG_NUMBER_OF_CARDS
        return _ordered(asker, text("practice.true-order"), lying, same=same)
    count = question.least
    if question.most > question.least:
        count = _how_many(asker, "practice.how-many-together", question.least, question.most)
    cards = practice.next_cards(count)
    asker.say(text("practice.from-the-shoe", cards=_spoken(cards)))
    return cards


def _how_many(asker: Asker, question: str, least: int, most: int) -> int:
    while True:
        answer = asker.answer(text(question, least=least, most=most))
        if answer in [str(number) for number in range(least, most + 1)]:
            return int(answer)
        asker.say(text("practice.number-between", least=least, most=most))


def _ordered(asker: Asker, question: str, cards: TypedFaces, *, same: bool = True) -> TypedFaces:
    """Cards in an order that is typed, the same ones or others; nothing typed leaves them as they are."""
    while True:
        asker.say(text("practice.these-cards", cards=_spoken(cards)))
        answer = asker.answer(question)
        if not answer:
            return cards
        try:
            typed = faces_of(answer)
        except BadWord as error:
            asker.say(str(error))
            continue
        if not same or sorted(map(_name, typed)) == sorted(map(_name, cards)):
            return typed
        asker.say(text("refusal.order-needs-the-same-cards"))


def _name(card: Card | None) -> str:
    return card.text if card else "?"


def _spoken(cards: TypedFaces) -> str:
    return " ".join(map(_name, cards))


# what the rulebook says


def _agreed(practice: Practice, asker: Asker, told: ToldFacts, required: Required) -> bool:
    """Show what the rulebook requires, and ask whether to report it."""
    situation, row = f"@situation.{required.situation.value}", governing_row(_desk(practice), told.report)
    if required.covered and isinstance(row, Irregularity):
        said = text("practice.the-rule", situation=situation, circumstances=circumstances_in_words(row))
    else:
        said = text("practice.no-rule", situation=situation)
    asker.say(said)
    heads = (text("show.effects"), text("show.decides"), text("show.clause"))
    rows = [(_effect(step), _decider(step.by), ", ".join(step.clauses)) for step in required.steps]
    print_table(None, heads, rows)
    return asker.agree(text("practice.report"))


def _effect(step: RequiredStep) -> str:
    if not step.choices:
        return say(step.says)
    choices = text("fact.or").join(say(each) for each in step.words)
    return text("effect.refer", choices=choices)


def _decider(by: Decider | None) -> str:
    if by is None:
        return text("show.by-rule")
    if by.present:
        return text("show.in-presence", post=post_name(by.post))
    return grant_in_words(by.post, or_above=by.or_above)


# the posts, one after another


def resolve(practice: Practice, asker: Asker) -> None:
    """Ask each post that the case waits for, until it is dealt with."""
    while (case := practice.table.case) is not None:
        if practice.table.offer is not None:
            _answer(practice, asker, practice.table.offer)
        elif not _serve(practice, asker, case):
            return
    practice.tell_balance()
    if practice.table.phase is not Phase.IDLE:
        asker.say(text("practice.goes-on", phase=f"@phase.{practice.table.phase.value}"))


def _serve(practice: Practice, asker: Asker, case: Case) -> bool:
    """Give the case what it waits for, from the post it waits for, and return whether it came."""
    decides = practice.due.post
    post = post_name(decides) if decides else practice.dealer
    match case.waits:
        case Wait.CONFIRMATION:
            if asker.agree(text("practice.confirm", post=post)):
                return practice.do(cmd.ConfirmFacts(), post)
            found = asker.answer(text("practice.disprove", post=post))
            return bool(found) and practice.do(cmd.DisproveFacts(found=found), post)
        case Wait.PERMISSION:
            allowed = asker.agree(text("practice.permit", post=post))
            return practice.do(
                cmd.Rule(choice=cmd.PlainRuling.ALLOW if allowed else cmd.PlainRuling.DENY), post
            )
        case Wait.CARD_ORDER:
            cards = _ordered(asker, text("practice.order", post=post), case.cards)
            return practice.do(cmd.Rule(choice=cmd.PlainRuling.ORDER, cards=cards), post)
        case Wait.RESERVED_CARDS:
            effect = case.effects[case.done]
            cards = practice.next_cards(getattr(effect, "cards", 2))
            asker.answer(text("practice.reserve", post=post, cards=_spoken(cards)))
            return practice.do(cmd.ReserveCards(cards=cards), post)
        case Wait.SORTED_CARDS:
            asker.answer(text("practice.sort", post=post))
            return practice.do(cmd.EnterSortedCards(lacking=_lacking(practice)), post)
        case Wait.SUBSTITUTES:
            asker.answer(text("practice.substitute", post=post, cards=_spoken(case.missing)))
            return practice.do(cmd.SubstituteCards(cards=case.missing), post)
        case _:
            return _decide(practice, asker, post)


def _decide(practice: Practice, asker: Asker, post: str) -> bool:
    choices, case = practice.due.choices, practice.table.case
    assert case is not None
    words = choice_words(_desk(practice), case, choices)
    asker.say(text("practice.decides", post=post))
    chosen = asker.choose(text("practice.which-decision", post=post), [say(words[each]) for each in choices])
    reason = ""
    while not reason:
        reason = asker.answer(text("practice.why", post=post))
    ruling = cmd.Rule(choice=choices[chosen], text=reason)
    if ruling.choice in PAYMENT_CHOICES:
        ruling = replace(ruling, patron=GUEST, amount=_amount(practice, asker))
    return practice.do(ruling, post)


def _lacking(practice: Practice) -> tuple[Card, ...]:
    """All cards that the sorted decks lack: those on the table and those set aside."""
    current = practice.table.round
    lying = tuple(each.card for each in current.cards if each.card) if current else ()
    return (*lying, *practice.table.reserved)


def _answer(practice: Practice, asker: Asker, offer: Offer) -> None:
    """The guest stays, withdraws, or says nothing until the Dealer ends the offer."""
    mine = [each for each in practice.table.wagers if each.patron == GUEST]
    single = offer.wagers is Withdrawable.SINGLE and len(mine) > 1
    wagers = [each.wager for each in mine] if single else []
    choices = [text("practice.stay"), text("practice.withdraw", wagers=f"@withdraw.{offer.wagers.value}")]
    choices += [text("practice.withdraw-one", wager=wager) for wager in wagers]
    choices.append(text("practice.say-nothing"))
    chosen = asker.choose(text("practice.answer", post=GUEST), choices)
    if chosen == len(choices) - 1:
        practice.dealer_does(cmd.EndOffer())
    elif chosen < 2:
        practice.do(cmd.AnswerOffer(patron=GUEST, withdraw=chosen == 1), GUEST)
    else:
        one = mine[chosen - 2]
        practice.do(
            cmd.AnswerOffer(patron=GUEST, withdraw=True, wager=one.wager, position=one.position), GUEST
        )
