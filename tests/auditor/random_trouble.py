"""Trouble at a random table: every situation of its document, whoever decides, and disputes."""

from auditor.random_table import STAFF, RandomTable

from thirdcard.cards import Card, Rank
from thirdcard.game import commands as cmd
from thirdcard.game.case_cards import blocking
from thirdcard.game.desk import QueryDesk
from thirdcard.game.dispute_steps import AwardWay, UnavailableSource
from thirdcard.game.irregularities.rulings import choices_of
from thirdcard.game.state import Case, Hand, Offer, Phase, Wait
from thirdcard.rulebook.dispute_rules import dispute_rules
from thirdcard.rulebook.irregularity import Refer, ReserveCards, Situation

STRAY = (Situation.UNAUTHORISED_PLAYER_CARD, Situation.UNAUTHORISED_BANKER_CARD)
ABOUT_A_HOLDER = (Situation.PATRON_ABSENT, Situation.PATRON_LEFT_WITH_CARDS)
ABOUT_A_WAGER = (Situation.LATE_WAGER, Situation.LATE_WITHDRAWAL)
# what comes up most: voids, and cards that must be laid again
BETWEEN_CARDS = (
    *(Situation.FOREIGN_CARD, Situation.WRONG_ORDER, Situation.CARDS_TOGETHER, Situation.MISDEAL, *STRAY),
    *(Situation.POWER_FAILURE, Situation.DEVICE_RESET, *(Situation.PATRON_LEFT_WITH_CARDS,) * 2),
)
AFTER_THE_ROUND = (
    *(Situation.WRONG_ORDER, Situation.MISDEAL, Situation.WRONG_NUMBER_OF_CARDS),
    *(Situation.WRONG_PAYMENT, Situation.NEXT_CARD_KNOWN, Situation.WRONG_CALL),
)
MOST_STEPS = 60  # so many things are said until a case must be closed


def trouble(at: RandomTable, often: tuple[Situation, ...] = ()) -> None:
    """Report something, of these situations or of all, and let everybody decide what they must."""
    situation = at.chance.choice(often if often and at.happens(0.7) else tuple(Situation))
    dealer = at.house.form.posts[0]
    at.do(report(at, situation), dealer)
    while at.now.case is not None and at.happens(0.15):  # something else goes wrong as well
        if not at.do(report(at, at.chance.choice(tuple(Situation))), dealer):
            break
    settle_case(at)


def report(at: RandomTable, situation: Situation) -> cmd.ReportIrregularity:
    """A report with whatever facts come to mind."""

    def told() -> bool | None:
        return at.chance.choice((True, True, False, False, None))

    names: list[str | None] = [each.name for each in at.now.patrons]
    about = at.lying() if situation in ABOUT_A_WAGER else None
    held = [each.patron for each in at.now.round.holdings] if at.now.round else []
    if held and situation in ABOUT_A_HOLDER:
        names = [at.chance.choice(held)]
    least = about.stake - about.pulled if about else 0
    if about and least < at.house.unit:
        about = None
    untold = situation is Situation.OLD_LIMIT_MISTAKE and at.happens(0.8)
    most = 0 if untold else least // at.house.unit if about else 1000
    return cmd.ReportIrregularity(
        situation=situation,
        reconstructable=told(),
        order_known=told(),
        seen=told(),
        value_known=told(),
        cards=_named(at, situation),
        patron=about.patron if about else at.chance.choice(names or [None]),
        hand=at.chance.choice(tuple(Hand)),
        wager=about.wager if about else None,
        position=about.position if about else None,
        amount=at.house.unit * at.chance.randint(min(1, most), most),
        underpaid=at.happens(0.3),
        previous_round=at.happens(0.3),
        paying=situation in AFTER_THE_ROUND and at.happens(0.5),
        note="so" if situation is Situation.NOT_COVERED else "",
    )


def card(at: RandomTable) -> Card:
    """Any card."""
    return Card(at.chance.choice(tuple(Rank)))


def _named(at: RandomTable, situation: Situation) -> tuple[Card, ...]:
    """The cards that a report names."""
    current = at.now.round
    faces = [each.card or card(at) for each in current.cards] if current else []
    match situation:
        case Situation.CARDS_TOGETHER:
            return tuple(card(at) for _ in range(at.chance.choice((2, 2, 3))))
        case Situation.UNAUTHORISED_PLAYER_CARD | Situation.UNAUTHORISED_BANKER_CARD:
            return tuple(card(at) for _ in range(at.chance.choice((1, 1, 2))))
        case Situation.WRONG_ORDER | Situation.MISDEAL | Situation.ORDER_ALTERED:
            at.chance.shuffle(faces)
            return tuple(faces) if at.happens(0.8) else ()
        case Situation.WRONG_NUMBER_OF_CARDS:
            more = [card(at) for _ in range(at.chance.randint(0, 2))]
            return (*faces[:4], *more) if at.happens(0.8) else ()
        case Situation.NEXT_CARD_KNOWN | Situation.FACE_UP_CARD:
            return (card(at),) if at.happens(0.8) else ()
        case _:
            return ()


def correct_card(at: RandomTable) -> None:
    """A card of the round that lies there, or of the last one, was entered wrongly."""
    dealt = len(at.now.round.cards) if at.now.round else 0
    if dealt:
        at.do(cmd.CorrectCard(reason="seen on the felt", number=at.chance.randint(1, dealt), card=card(at)))
        settle_case(at)


def settle_case(at: RandomTable) -> None:
    """Everybody whom irregularities wait for says something, until none waits or the round goes on first."""
    for _ in range(MOST_STEPS):
        case, offer = at.now.case, at.now.offer
        if case is None or _goes_on_first(at):
            return
        if at.happens(0.03) and at.do(cmd.WithdrawReport(), case.by):
            continue
        if at.happens(0.03) and at.do(cmd.DisproveFacts(found="nothing"), at.house.form.facts_confirmed_by):
            continue
        if offer is not None:
            _answer(at, offer)
        else:
            _serve(at, case)
    raise AssertionError(at.now.case)


def _goes_on_first(at: RandomTable) -> bool:
    """Cases about the next hand wait until the round is over, 5.11 for the first four cards, if alone."""
    return at.now.phase in (Phase.DEALING, Phase.OUTCOME) and blocking(at.now) is None


def _answer(at: RandomTable, offer: Offer) -> None:
    patron = next(each for each in offer.asked if each not in offer.answered)
    own = [each for each in at.now.wagers if each.patron == patron]
    if at.happens(0.1):
        at.do(cmd.EndOffer())
    elif own and at.happens(0.3):
        one = at.chance.choice(own)
        body = cmd.AnswerOffer(patron=patron, withdraw=True, wager=one.wager, position=one.position)
        if not at.do(body, patron):
            at.do(cmd.AnswerOffer(patron=patron, withdraw=False), patron)
    else:
        at.do(cmd.AnswerOffer(patron=patron, withdraw=at.happens(0.5)), patron)


def _serve(at: RandomTable, case: Case) -> None:
    """The command that a case waits for, from a post that may; the highest post may rule on anything."""
    highest = at.house.form.posts[-1]
    effect = case.effects[case.done]
    match case.waits:
        case Wait.CONFIRMATION:
            at.do(cmd.ConfirmFacts(), at.house.form.facts_confirmed_by)
        case Wait.CARD_ORDER:
            order = at.chance.sample(case.cards, len(case.cards))
            at.do(cmd.Rule(choice="order", cards=tuple(order)), highest)
        case Wait.RESERVED_CARDS:
            assert isinstance(effect, ReserveCards)
            cards = tuple(card(at) for _ in range(effect.cards))
            at.do(cmd.ReserveCards(cards=cards), effect.in_presence_of)
        case Wait.SORTED_CARDS:
            open_cards(at)
            current = at.now.round
            faces = [each.card or card(at) for each in current.cards] if current else []
            at.do(cmd.EnterSortedCards(lacking=(*faces, *at.now.reserved)))
        case Wait.SUBSTITUTES:
            at.do(cmd.SubstituteCards(cards=case.missing), highest)
        case _:
            possible = choices_of(QueryDesk(at.book, at.house, at.now), case)
            choices: tuple[str, ...] = effect.presets if isinstance(effect, Refer) else ("allow", "deny")
            if not {*choices}.intersection(possible):  # another round leaves other choices
                choices = possible
            names = [each.name for each in at.now.patrons]
            body = cmd.Rule(
                choice=at.chance.choice(choices),
                text="so be it",
                patron=at.chance.choice(names) if names else None,
                amount=at.house.unit * at.chance.randint(1, 1000),
            )
            at.do(body, highest)


def dispute(at: RandomTable) -> None:
    """A patron disputes something, and mostly gets an answer, now and then with money."""
    if not at.now.patrons:
        return
    patron = at.chance.choice(at.now.patrons).name
    about = cmd.OpenDispute(patron=patron, about="that", round=at.now.rounds, wager="tie")
    if not at.do(about, patron):
        return
    number, escalated = len(at.now.disputes), at.happens(0.6)
    first, *others = dispute_rules(at.book.document, at.house.form).sources
    lacking = tuple(UnavailableSource(each.id, "none") for each in others)
    post = "pit-manager" if escalated else "pit-supervisor"
    if escalated:
        at.do(cmd.EscalateDispute(id=number), "pit-supervisor")
        at.do(cmd.InformSurveillance(id=number), post)
        at.do(cmd.GatherInformation(id=number, what="so", given_by=patron), post)
    award = at.house.unit * at.chance.randint(0, 1000)
    decided = cmd.DecideDispute(
        id=number, decision="so", sources=(first.id,), unavailable=lacking, award=award
    )
    at.do(decided, post)
    if at.happens(0.7):
        way = AwardWay.CREDITS if at.now.setup.terminal else AwardWay.PAYOUT
        at.do(cmd.PayAward(id=number, way=way, to=patron, how="in chips"), "pit-manager")
    at.do(cmd.AnswerDecision(id=number, agrees=at.happens(0.5)), patron)
    if not escalated:
        at.do(cmd.EscalateDispute(id=number), "pit-supervisor")
    at.do(cmd.CloseDispute(id=number), post)


def open_cards(at: RandomTable) -> None:
    """The hands are opened: by whoever holds them, else by the Dealer; faces that nobody saw are named."""
    for hand in Hand:
        current = at.now.round
        if at.now.phase is not Phase.DEALING or current is None:
            return
        held = [each for each in current.cards if each.hand is hand]
        if all(each.state.value == "exposed" for each in held):
            continue
        owners = [each.patron for each in at.now.wagers if each.wager == hand.value]
        if owners and at.happens(0.4):
            owner = at.chance.choice(owners)
            passed = at.do(cmd.PassCards(hand=hand, patron=owner))
            if not passed and at.do(cmd.PassCards(hand=hand, patron=owner, instead=True)):
                settle_case(at)
                passed = True
            if passed and at.happens(0.9):
                trouble(at, ABOUT_A_HOLDER)
        holdings = at.now.round.holdings if at.now.round else ()
        holder = next((each.patron for each in holdings if each.hand is hand), STAFF)
        faces = tuple(each.card or card(at) for each in held)
        opened = cmd.ExposeCards(hand=hand, cards=faces)
        if not at.do(opened, holder):  # whoever has left opens nothing: the Dealer does
            at.do(opened)
