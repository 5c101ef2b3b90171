"""Leads through an irregularity at the practice table: what it is, what the rulebook says, who decides."""

from msgspec.structs import replace

from thirdcard.cards import Card
from thirdcard.cli.asking import Asker
from thirdcard.cli.output import print_table
from thirdcard.cli.practice import GUEST, Practice
from thirdcard.game import commands as cmd
from thirdcard.game import events as ev
from thirdcard.game.desk import Desk
from thirdcard.game.irregularities import find_row
from thirdcard.game.state import Case, Hand, Offer, Phase, Wait
from thirdcard.money import parse_amount
from thirdcard.projections.questions import Ask, Question, Told, can_be, lead, situations_of
from thirdcard.refusals import Refused
from thirdcard.roundfile.values import BadWord, cards_of
from thirdcard.rulebook.irregularity import Irregularity, Refer, Situation, Withdrawable, effect_clauses
from thirdcard.rulebook.words import (
    circumstances_in_words,
    decider_in_words,
    effect_in_words,
    grant_in_words,
    post_name,
    text,
)

FOUND_LATER = {Situation.UNDER_MINIMUM, Situation.OVER_MAXIMUM}


def lead_through(practice: Practice, asker: Asker) -> None:
    """Ask what went wrong and carry it out; one that is under way is taken up again."""
    if practice.table.case is None:
        situations = situations_of(practice.rulebook.document)
        asker.say(text("practice.what-is-wrong"))
        chosen = asker.choose(text("practice.which-number"), [_listed(practice, each) for each in situations])
        if not can_be(practice.table, situations[chosen]):
            asker.say(text("practice.not-now"))
            return
        told = _gather(practice, asker, situations[chosen])
        if told is None or not practice.dealer_does(told.report):
            return
    resolve(practice, asker)


def _listed(practice: Practice, situation: Situation) -> str:
    name = text(f"situation.{situation.value}")
    return name if can_be(practice.table, situation) else text("practice.only-later", situation=name)


# the facts


def _gather(practice: Practice, asker: Asker, situation: Situation) -> Told | None:
    """Everything that the rulebook asks about a situation; nothing where it is not reported after all."""
    if situation in FOUND_LATER and _may_find(practice) and not _find_wager(practice, asker):
        return None
    told = Told(situation=situation)
    while True:
        found = lead(practice.rulebook, practice.house, practice.table, told, _envelope(practice))
        if isinstance(found, Question):
            told = replace(told, **{found.ask.value: _answered(practice, asker, found)})
        elif isinstance(found, Refused):
            practice.do(told.report, practice.dealer)
            return None
        else:
            return told if _agreed(practice, asker, told) else None


def _envelope(practice: Practice) -> cmd.Envelope:
    return cmd.Envelope(actor=practice.dealer, received_at=practice.player.now, command_id="look")


def _answered(practice: Practice, asker: Asker, question: Question) -> object:
    match question.ask:
        case Ask.HAND:
            hands = list(Hand)
            names = [text(f"hand.{each.value}") for each in hands]
            return hands[asker.choose(text("question.hand"), names)]
        case Ask.PATRON:
            return GUEST
        case Ask.AMOUNT:
            return _amount(practice, asker)
        case Ask.CARDS:
            return _cards(practice, asker, question)
        case _:
            return asker.agree(text("practice.yes-no", question=f"@question.{question.ask.value}"))


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
    return practice.dealer_does(cmd.FindWager(patron=GUEST, wager=wager, amount=amount, position=position))


def _amount(practice: Practice, asker: Asker) -> int:
    while True:
        answer = asker.answer(text("question.amount"))
        minor = parse_amount(answer, practice.house.currency)
        if minor is not None and minor > 0:
            return minor
        asker.say(text("round.bad-amount", text=answer))


def _cards(practice: Practice, asker: Asker, question: Question) -> tuple[Card, ...]:
    """Cards that lie there in the order that is typed, or those that come next from the shoe."""
    if question.optional and question.ordered:
        current = practice.table.round
        lying = tuple(each.card for each in current.cards if each.card) if current else ()
        return _ordered(asker, text("practice.true-order"), lying)
    count = question.least
    if question.most > question.least:
        count = _how_many(asker, question.least, question.most)
    return _from_the_shoe(practice, asker, count)


def _how_many(asker: Asker, least: int, most: int) -> int:
    while True:
        answer = asker.answer(text("practice.how-many-together", least=least, most=most))
        if answer in [str(number) for number in range(least, most + 1)]:
            return int(answer)
        asker.say(text("practice.number-between", least=least, most=most))


def _from_the_shoe(practice: Practice, asker: Asker, count: int) -> tuple[Card, ...]:
    cards = practice.next_cards(count)
    asker.say(text("practice.from-the-shoe", cards=_spoken(cards)))
    return cards


def _ordered(asker: Asker, question: str, cards: tuple[Card, ...]) -> tuple[Card, ...]:
    """The same cards in an order that is typed; nothing typed leaves them as they are."""
    while True:
        asker.say(text("practice.these-cards", cards=_spoken(cards)))
        answer = asker.answer(question)
        if not answer:
            return cards
        try:
            typed = cards_of(answer)
        except BadWord as error:
            asker.say(str(error))
            continue
        if sorted(card.text for card in typed) == sorted(card.text for card in cards):
            return typed
        asker.say(text("refusal.order-needs-the-same-cards"))


def _spoken(cards: tuple[Card, ...]) -> str:
    return " ".join(card.text for card in cards)


# what the rulebook says


def _agreed(practice: Practice, asker: Asker, told: Told) -> bool:
    """Show the row that holds, and ask whether to report it."""
    row = find_row(Desk(practice.rulebook, practice.house, practice.table, _envelope(practice)), told.report)
    assert isinstance(row, Irregularity)
    situation = f"@situation.{row.situation.value}"
    if row in practice.rulebook.document.irregularities:
        said = text("practice.the-rule", situation=situation, circumstances=circumstances_in_words(row))
    else:
        said = text("practice.no-rule", situation=situation)
    asker.say(said)
    _print_row(practice, row)
    return asker.agree(text("practice.report"))


def _print_row(practice: Practice, row: Irregularity) -> None:
    grant = practice.rulebook.document.authority.not_covered
    not_covered = (
        grant_in_words(grant.post, or_above=grant.or_above)
        if grant
        else post_name(practice.house.form.not_covered_decided_by)
    )
    rows = [
        (
            effect_in_words(effect),
            decider_in_words(effect, not_covered) or text("show.by-rule"),
            ", ".join(effect_clauses(effect) or ((row.clause,) if row.clause else ())),
        )
        for effect in row.effects
    ]
    print_table(None, (text("show.effects"), text("show.decides"), text("show.clause")), rows)


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


def _waiting_post(practice: Practice) -> str:
    waits = (each for each in reversed(practice.player.events) if isinstance(each, ev.CaseWaits))
    post = next(waits).post
    return post_name(post) if post else practice.dealer


def _serve(practice: Practice, asker: Asker, case: Case) -> bool:
    """What the case waits for, from the post it waits for; whether it came."""
    post = _waiting_post(practice)
    match case.waits:
        case Wait.CONFIRMATION:
            if not asker.agree(text("practice.confirm", post=post)):
                return False
            return practice.do(cmd.ConfirmFacts(), post)
        case Wait.PERMISSION:
            allowed = asker.agree(text("practice.permit", post=post))
            return practice.do(cmd.Rule(choice="allow" if allowed else "deny"), post)
        case Wait.CARD_ORDER:
            cards = _ordered(asker, text("practice.order", post=post), case.cards)
            return practice.do(cmd.Rule(choice="order", cards=cards), post)
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
            return _decide(practice, asker, case, post)


def _decide(practice: Practice, asker: Asker, case: Case, post: str) -> bool:
    effect = case.effects[case.done]
    choices = effect.presets if isinstance(effect, Refer) else ()
    asker.say(text("practice.decides", post=post))
    chosen = asker.choose(
        text("practice.which-decision", post=post), [text(f"preset.{each}") for each in choices]
    )
    reason = ""
    while not reason:
        reason = asker.answer(text("practice.why", post=post))
    return practice.do(cmd.Rule(choice=choices[chosen], text=reason), post)


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
