"""Everything that a line of a round file can say somebody does."""

import re
from collections.abc import Callable
from datetime import timedelta
from typing import get_args

from msgspec import Struct
from msgspec.structs import replace

from thirdcard.cards import NEW_DECK
from thirdcard.game import commands as cmd
from thirdcard.game.alarm_kinds import AlarmKind
from thirdcard.game.dispute_steps import AwardWay, UnavailableSource
from thirdcard.game.planned import Stop
from thirdcard.game.shoe import Seal, ShuffleRecord
from thirdcard.money import Currency
from thirdcard.roundfile.forms import Words, first_words, pattern_of
from thirdcard.roundfile.values import bad_word, cards_of, choice_of, date_of, faces_of, instant_of, no_choice
from thirdcard.rulebook.facts import Winner
from thirdcard.rulebook.irregularity import Method, Situation
from thirdcard.staff import Post

Bodies = tuple[cmd.Body, ...]
Make = Callable[[Words], cmd.Body | Bodies]
Chips = cmd.PlaceWager | cmd.ReduceWager | cmd.RemoveWager
ActionEntry = tuple[str, str, Make]  # form, example, and what it means
ACTS_FOR = timedelta(hours=12)  # how long before its end an acting post began

# what can be told about an irregularity, by the circumstance: how it reads when it is so, and when it is not
TOLD_FACTS = {
    "reconstructable": ("reconstructable", "not reconstructable"),
    "order_known": ("order known", "order unknown"),
    "seen": ("seen", "unseen"),
    "value_known": ("value known", "value unknown"),
}
REPORTS = (
    "reports SITUATION[ of PATRON][ HAND hand][ amount AMOUNT][ on WAGER[ at POSITION]]"
    "[ cards CARDS][ behind NUMBER][, FACTS][ because TEXT]"
)
LOADS = (
    "loads NUMBER decks[ with a joker][ with another back][, sealed]"
    "[, shuffled by SHUFFLER batch BATCH at TIME]"
)
CORRECTS = "corrects AMOUNT of PATRON on WAGER[ at POSITION]"
_IN_IRREGULARITY = re.compile(r"in irregularity (?P<number>[0-9]{1,9}) (?P<what>.+)")
REASON = "as the round file says"  # a line has no word for it
PREVIOUS_ROUND, UNDERPAID, PAYING = "previous round", "underpaid", "still paying"
DEALT = "dealt already"


class Action(Struct, frozen=True):
    """One thing that can be done: its form, a line that does it, and the commands it means."""

    topic: str
    form: str
    example: str
    make: Make


def bodies_of(what: str, actor: str, currency: Currency) -> Bodies | None:
    """The commands that a line means, by the first form that it has; nothing where it has none.

    A line may begin with the irregularity that it is about.
    """
    named = _IN_IRREGULARITY.fullmatch(what)
    bodies = _as_formed(named["what"] if named else what, actor, currency)
    if named is None or bodies is None:
        return bodies
    of_one = all("case" in each.__struct_fields__ for each in bodies)
    return tuple(replace(each, case=int(named["number"])) for each in bodies) if of_one else None


def _as_formed(what: str, actor: str, currency: Currency) -> Bodies | None:
    for action in ACTIONS:
        found = pattern_of(action.form).fullmatch(what)
        if found is not None:
            made = action.make(Words(found, actor, currency))
            return made if isinstance(made, tuple) else (made,)
    return None


def has_a_form(what: str) -> bool:
    """Whether a line can be read, whatever its words mean."""
    return any(pattern_of(action.form).fullmatch(what) for action in ACTIONS)


def forms_near(what: str) -> tuple[str, ...]:
    """The forms that begin with the same word as a line that has none of them."""
    first = what.split(maxsplit=1)[0]
    return tuple(action.form for action in ACTIONS if first in first_words(action.form))


def _find(words: Words) -> cmd.Body:
    return cmd.FindWager(
        patron=words.patron(),
        wager=words.text("WAGER"),
        amount=words.amount(),
        position=words.position(),
        was_pulled=words.has(", not taken away"),
        reason=REASON,
    )


def _correct_wager(words: Words) -> cmd.Body:
    instead = words.is_part("AREA")
    return cmd.CorrectWager(
        patron=words.patron(),
        wager=words.text("WAGER"),
        amount=words.amount(),
        position=words.position(),
        to_patron=words.text("OWNER") if instead else None,
        to_wager=words.text("AREA") if instead else None,
        to_position=words.number("PLACE") if instead and words.has("PLACE") else None,
        reason=REASON,
    )


def _place(words: Words) -> cmd.Body:
    said, kinds = words.text("MONEY"), get_args(cmd.Money)
    return cmd.PlaceWager(
        patron=words.patron(),
        wager=words.text("WAGER"),
        amount=words.amount(),
        position=words.position(),
        money=next((each for each in kinds if each == said), None),
        in_area=not words.has(", between two areas"),
    )


def _decide_held(words: Words) -> cmd.Body:
    choice, choices = words.text("CHOICE"), get_args(cmd.HeldChoice)
    for each in choices:
        if each == choice:
            return cmd.DecideHeldMoney(id=words.number(), choice=each, found=words.text("TEXT"))
    raise no_choice(choice, choices)


def _chips(kind: type[Chips]) -> Make:
    """A command about an amount on a wager at a position."""
    return lambda words: kind(
        patron=words.patron(), wager=words.text("WAGER"), amount=words.amount(), position=words.position()
    )


def _draw(words: Words) -> Bodies:
    by, instead = words.text("PATRON") or None, words.has(" instead")
    hand = words.hand() if words.has("HAND") else None
    return tuple(
        cmd.DrawCard(card=card, by=by, hand=hand, instead=instead) for card in faces_of(words.text("CARDS"))
    )


def _draw_together(words: Words) -> cmd.Body:
    first, *others = faces_of(words.text("CARDS"))
    return cmd.DrawCard(
        card=first,
        together=tuple(others),
        hand=words.hand() if words.has("HAND") else None,
        order_known=not words.has("un"),
        instead=words.has(" instead"),
        by=words.text("PATRON") or None,
    )


def _rule(words: Words) -> cmd.Body:
    """Return the ruling: one decision or several, and to whom a payment goes."""
    choice, *also = words.text("CHOICE").split(" and ")
    return cmd.Rule(
        choice=choice,
        also=tuple(also),
        text=words.text("TEXT"),
        cards=tuple(faces_of(words.text("CARDS"))) if words.has("CARDS") else (),
        patron=words.text("PATRON") or None,
        amount=words.amount(),
    )


def _take_back(words: Words) -> cmd.Body:
    """Return the ruling: one decision or several, and from whom a payment is claimed back."""
    choice, *also = words.text("CHOICE").split(" and ")
    return cmd.Rule(
        choice=choice,
        also=tuple(also),
        text=words.text("TEXT"),
        patron=words.patron(),
        amount=words.amount(),
    )


def _report(words: Words) -> cmd.Body:
    told = [fact.strip() for fact in words.text("FACTS").split(",")] if words.has("FACTS") else []
    either = (fact for pair in TOLD_FACTS.values() for fact in pair)
    speakable = (*either, PREVIOUS_ROUND, UNDERPAID, PAYING, DEALT)
    for fact in told:
        if fact not in speakable:
            raise no_choice(fact, speakable)

    def known(name: str) -> bool | None:
        yes, no = TOLD_FACTS[name]
        if yes in told and no in told:
            raise bad_word("round.contradiction", one=yes, other=no)
        return True if yes in told else False if no in told else None

    return cmd.ReportIrregularity(
        situation=choice_of(Situation, words.text("SITUATION")),
        reconstructable=known("reconstructable"),
        order_known=known("order_known"),
        seen=known("seen"),
        value_known=known("value_known"),
        cards=tuple(faces_of(words.text("CARDS"))) if words.has("CARDS") else (),
        ahead=words.number() if words.has("NUMBER") else 0,
        patron=words.text("PATRON") or None,
        hand=words.hand() if words.has("HAND") else None,
        wager=words.text("WAGER") or None,
        position=words.position(),
        amount=words.amount(),
        underpaid=UNDERPAID in told,
        previous_round=PREVIOUS_ROUND in told,
        paying=PAYING in told,
        dealt=DEALT in told,
        note=words.text("TEXT"),
    )


def _withdraw(words: Words) -> cmd.Body:
    return cmd.AnswerOffer(
        patron=words.patron(),
        withdraw=True,
        wager=words.text("WAGER") or None,
        position=words.position(),
    )


def _load(words: Words) -> cmd.Body:
    decks = words.number()
    return cmd.LoadShoe(
        decks=decks,
        jokers=int(words.has("with a joker")),
        same_backs=not words.has("with another back"),
        seal=_seal(decks) if words.has(", sealed") else None,
        shuffle=_shuffle(words) if words.has("SHUFFLER") else None,
    )


def _shuffle(words: Words) -> ShuffleRecord:
    time = instant_of(words.text("TIME"))
    shuffler, batch = words.text("SHUFFLER"), words.text("BATCH")
    return ShuffleRecord(shuffler=shuffler, batch=batch, time=time, by=words.actor)


def _seal(decks: int) -> Seal:
    """A seal that binds nothing: who writes a round down has no shoe to seal."""
    cards = decks * len(NEW_DECK)
    return Seal(root="00" * 32, cards=cards, behind_cutting_card=16, key_id="", content="")


def _lay_open(words: Words) -> cmd.Body:
    return cmd.OpenShoe(order=NEW_DECK * words.number(), secret="00" * 32)


def _raise(words: Words) -> cmd.Body:
    card, other = (*words.cards(), None, None)[:2]
    number = words.number() if words.has("NUMBER") else 0
    return cmd.RaiseAlarm(
        kind=choice_of(AlarmKind, words.text("ALARM")), card=card, other=other, number=number
    )


def _burn(words: Words) -> cmd.Body:
    return cmd.BurnCards(first=next(iter(cards_of(words.text("CARD"))), None))


def _appoint(words: Words) -> cmd.Body:
    end = instant_of(words.text("TIME"))
    return cmd.AppointActing(
        person=words.text("PERSON"), post=Post(words.text("POST")), start=end - ACTS_FOR, end=end
    )


def _dispute(words: Words) -> cmd.Body:
    if words.number("ROUND") < 1:
        raise bad_word("round.bad-round", text=words.text("ROUND"))
    return cmd.OpenDispute(
        patron=words.patron(),
        about=words.text("TEXT"),
        round=words.number("ROUND"),
        wager=words.text("WAGER") or None,
    )


def _dispute_in_words(words: Words) -> cmd.Body:
    """A dispute that is about no round; a round is named with what is said of it."""
    about = words.text("TEXT")
    if re.fullmatch(r"round [0-9]+(?: on \S+)?(?: because)?", about):
        raise bad_word("round.dispute-needs-reason", text=about)
    return cmd.OpenDispute(patron=words.patron(), about=about)


def _decide(words: Words) -> cmd.Body:
    sources = (source.strip() for source in words.text("SOURCES").split(","))
    lacking = re.findall(r"([a-z-]+) \(([^)]*)\)", words.text("LACKING"))
    return cmd.DecideDispute(
        id=words.number(),
        decision=words.text("TEXT"),
        sources=tuple(source for source in sources if source),
        unavailable=tuple(UnavailableSource(source, why) for source, why in lacking),
        award=words.amount(),
    )


def _correct_card(words: Words) -> cmd.Body:
    (card,) = cards_of(words.text("CARD"))
    number = words.text("ROUND")
    number_of_round = int(number) if number else None
    return cmd.CorrectCard(number=words.number(), card=card, round=number_of_round, reason=REASON)


def _call(words: Words) -> cmd.Body:
    player, banker = words.text("PLAYER"), words.text("BANKER")
    return cmd.CallOutcome(
        winner=Winner(words.text("WINNER")),
        player=int(player) if player else None,
        banker=int(banker) if banker else None,
    )


_BETTING: tuple[ActionEntry, ...] = (
    ("opens betting", "Dealer: opens betting", lambda _: cmd.OpenBetting()),
    (
        "AMOUNT on WAGER[ at POSITION][ in MONEY][, between two areas]",
        "Ann: 100 on player at 1",
        _place,
    ),
    (
        "for PATRON AMOUNT on WAGER[ at POSITION]",
        "Dealer: for Ann 100 on player at 1",
        _chips(cmd.PlaceWager),
    ),
    (
        "[for PATRON ]takes AMOUNT off WAGER[ at POSITION]",
        "Ann: takes 50 off player at 1",
        _chips(cmd.ReduceWager),
    ),
    ("closes betting", "Dealer: closes betting", lambda _: cmd.CloseBetting()),
    ("asks to deal now", "Ann: asks to deal now", lambda words: cmd.DealNow(patron=words.actor)),
    (
        "finds PATRON AMOUNT on WAGER[ at POSITION][, not taken away]",
        "Dealer with Pit Manager: finds Ann 20 on player at 1",
        _find,
    ),
    (
        f"{CORRECTS} to nothing",
        "Dealer with Pit Manager: corrects 20 of Ann on player at 1 to nothing",
        _correct_wager,
    ),
    (
        f"{CORRECTS} to OWNER on AREA[ at PLACE]",
        "Dealer with Pit Manager: corrects 20 of Ann on player at 1 to Ann on banker at 1",
        _correct_wager,
    ),
    (
        "holds WAGER of PATRON[ at POSITION] as suspected",
        "Dealer: holds player of Ann at 1 as suspected",
        lambda words: cmd.HoldMoney(
            patron=words.patron(), wager=words.text("WAGER"), position=words.position()
        ),
    ),
    (
        "holds AMOUNT from PATRON as suspected",
        "Dealer: holds 500 from Ann as suspected",
        lambda words: cmd.HoldMoney(patron=words.patron(), amount=words.amount()),
    ),
    (
        "decides suspicion NUMBER as CHOICE because TEXT",
        "Pit Manager: decides suspicion 1 as release because the chips are genuine",
        _decide_held,
    ),
    ("asks to decrease", "Dealer: asks to decrease", lambda _: cmd.AskToDecreaseWagers()),
    (
        "removes AMOUNT of PATRON on WAGER[ at POSITION]",
        "Pit Manager: removes 500 of Ann on player at 1",
        _chips(cmd.RemoveWager),
    ),
)
_CARDS: tuple[ActionEntry, ...] = (
    (
        "[for PATRON ]draws CARDS together[ to HAND], order [un]known[ instead]",
        "Dealer: draws 5 9 together, order known",
        _draw_together,
    ),
    (
        "[for PATRON ]draws CARDS[ to HAND][ instead]",
        "Dealer: draws 9H 2 K ?",
        _draw,
    ),
    (
        "corrects card NUMBER[ of round ROUND] to CARD",
        "Dealer with Pit Manager: corrects card 3 to 9H",
        _correct_card,
    ),
    ("sees the cutting card", "Dealer: sees the cutting card", lambda _: cmd.SeeCuttingCard()),
    (
        "announces PLAYER to BANKER",
        "Dealer: announces 4 to 7",
        lambda words: cmd.AnnounceTotals(player=int(words.text("PLAYER")), banker=int(words.text("BANKER"))),
    ),
    (
        "calls WINNER[ PLAYER to BANKER]",
        "Dealer: calls player",
        _call,
    ),
    (
        "shows WINNER",
        "Dealer: shows tie",
        lambda words: cmd.ReportDeviceResult(winner=Winner(words.text("WINNER"))),
    ),
    ("deals the free hand", "Dealer: deals the free hand", lambda _: cmd.DealFreeHand()),
)
_SQUEEZING: tuple[ActionEntry, ...] = (
    ("asks to squeeze", "Ann: asks to squeeze", lambda words: cmd.RequestSqueeze(patron=words.actor)),
    (
        "permits PERSON to squeeze",
        "Pit Manager: permits Ann to squeeze",
        lambda words: cmd.PermitSqueeze(person=words.text("PERSON")),
    ),
    ("forbids squeezing", "Pit Manager: forbids squeezing", lambda _: cmd.ForbidSqueeze()),
    (
        "forbids PATRON to squeeze",
        "Pit Manager: forbids Ann to squeeze",
        lambda words: cmd.ForbidSqueeze(patron=words.patron()),
    ),
    (
        "passes HAND to PATRON[ instead]",
        "Dealer: passes player to Ann",
        lambda words: cmd.PassCards(hand=words.hand(), patron=words.patron(), instead=words.has(" instead")),
    ),
    (
        "chooses PATRON for HAND",
        "Pit Manager: chooses Ann for player",
        lambda words: cmd.ChooseSqueezer(hand=words.hand(), patron=words.patron()),
    ),
    (
        "declines HAND",
        "Ann: declines player",
        lambda words: cmd.DeclineCards(hand=words.hand(), patron=words.actor),
    ),
    (
        "opens HAND first",
        "Dealer: opens banker first",
        lambda words: cmd.ChooseRevealOrder(first=words.hand()),
    ),
    (
        "looks at HAND",
        "Ann: looks at player",
        lambda words: cmd.LookAtCards(hand=words.hand(), patron=words.actor),
    ),
    (
        "[for PATRON ]opens HAND[ CARDS]",
        "Ann: opens player 9 K",
        lambda words: cmd.ExposeCards(
            hand=words.hand(), cards=words.cards(), by=words.text("PATRON") or None
        ),
    ),
)
_IRREGULARITIES: tuple[ActionEntry, ...] = (
    (
        REPORTS,
        "Dealer: reports cards-together cards 9 6, order unknown",
        _report,
    ),
    ("confirms", "Pit Manager: confirms", lambda _: cmd.ConfirmFacts()),
    (
        "finds that it is not so because TEXT",
        "Pit Manager: finds that it is not so because the card is ours",
        lambda words: cmd.DisproveFacts(found=words.text("TEXT")),
    ),
    ("withdraws the report", "Dealer: withdraws the report", lambda _: cmd.WithdrawReport()),
    (
        "rules CHOICE from PATRON AMOUNT[ because TEXT]",
        "Pit Manager: rules take-back from Ann 300 because the card was misread",
        _take_back,
    ),
    (
        "rules CHOICE[ CARDS][ paying PATRON AMOUNT][ because TEXT]",
        "Pit Manager: rules order 9 6",
        _rule,
    ),
    ("[for PATRON ]withdraws[ WAGER[ at POSITION]]", "Ann: withdraws player at 1", _withdraw),
    (
        "[for PATRON ]stays",
        "Ann: stays",
        lambda words: cmd.AnswerOffer(patron=words.patron(), withdraw=False),
    ),
    ("ends the offer", "Dealer: ends the offer", lambda _: cmd.EndOffer()),
    (
        "reserves CARDS",
        "Pit Manager: reserves 9D 6C",
        lambda words: cmd.ReserveCards(cards=words.cards()),
    ),
    (
        "enters lacking CARDS",
        "Dealer: enters lacking 9D 6C 3S KD 2H 4H",
        lambda words: cmd.EnterSortedCards(lacking=words.cards()),
    ),
    (
        "substitutes CARDS",
        "Dealer: substitutes 4H",
        lambda words: cmd.SubstituteCards(cards=words.cards()),
    ),
)
_SHOE: tuple[ActionEntry, ...] = (
    (
        LOADS,
        "Dealer: loads 8 decks, shuffled by MD3-7 batch 112 at 2025-06-02T18:00:00+00:00",
        _load,
    ),
    (
        "counts NUMBER cards",
        "Pit Supervisor: counts 416 cards",
        lambda words: cmd.CountCards(cards=words.number()),
    ),
    ("lays the shoe open as NUMBER decks", "Pit Manager: lays the shoe open as 8 decks", _lay_open),
    ("cuts at NUMBER", "Ann: cuts at 100", lambda words: cmd.CutCards(depth=words.number())),
    ("burns[ by CARD]", "Dealer: burns by 7", _burn),
    ("announces the last hand", "Dealer: announces the last hand", lambda _: cmd.AnnounceLastHand()),
    (
        "[for PATRON ]chooses new cards",
        "Ann: chooses new cards",
        lambda words: cmd.ChooseCards(replace=True, patron=words.text("PATRON") or None),
    ),
    (
        "[for PATRON ]keeps the cards",
        "Dealer: for Ann keeps the cards",
        lambda words: cmd.ChooseCards(replace=False, patron=words.text("PATRON") or None),
    ),
)
_DEVICE: tuple[ActionEntry, ...] = (
    (
        "changes to method METHOD",
        "Pit Manager: changes to method C",
        lambda words: cmd.ChangeMethod(method=choice_of(Method, words.text("METHOD"))),
    ),
    ("takes the device", "Ann: takes the device", lambda words: cmd.TakeDevice(patron=words.actor)),
    ("gives up the device", "Ann: gives up the device", lambda words: cmd.GiveUpDevice(patron=words.actor)),
    (
        "permits PATRON to draw",
        "Pit Manager: permits Ann to draw",
        lambda words: cmd.PermitDrawing(patron=words.patron()),
    ),
    (
        "raises the alarm ALARM[ cards CARDS][ number NUMBER]",
        "Dealer: raises the alarm card-mismatch cards 9H 6H",
        _raise,
    ),
)
_PEOPLE: tuple[ActionEntry, ...] = (
    (
        "comes to the table[ at POSITION][, standing]",
        "Ann: comes to the table at 1",
        lambda words: cmd.ComeToTable(
            patron=words.actor, position=words.position(), seated=not words.has(", standing")
        ),
    ),
    ("leaves the table", "Ann: leaves the table", lambda words: cmd.LeaveTable(patron=words.actor)),
    (
        "buys AMOUNT credits",
        "T1: buys 1000 credits",
        lambda words: cmd.BuyCredits(terminal=words.actor, amount=words.amount()),
    ),
    (
        "cashes out AMOUNT",
        "T1: cashes out 200",
        lambda words: cmd.CashOut(terminal=words.actor, amount=words.amount()),
    ),
    (
        "cashes out AMOUNT of PATRON",
        "Dealer: cashes out 200 of T1",
        lambda words: cmd.CashOut(terminal=words.patron(), amount=words.amount()),
    ),
    (
        "agrees to request NUMBER",
        "T1: agrees to request 1",
        lambda words: cmd.ConfirmCredits(id=words.number(), agrees=True),
    ),
    (
        "declines request NUMBER",
        "T1: declines request 1",
        lambda words: cmd.ConfirmCredits(id=words.number(), agrees=False),
    ),
    (
        "comes on duty as POST",
        "Eve: comes on duty as dealer",
        lambda words: cmd.ComeOnDuty(person=words.actor, post=Post(words.text("POST"))),
    ),
    ("goes off duty", "Eve: goes off duty", lambda words: cmd.GoOffDuty(person=words.actor)),
    (
        "appoints PERSON acting POST until TIME",
        "Pit Manager: appoints Eve acting pit-manager until 2025-06-03T04:00:00+00:00",
        _appoint,
    ),
)
_TABLE: tuple[ActionEntry, ...] = (
    (
        "ticks ITEM",
        "Dealer: ticks scoreboard",
        lambda words: cmd.TickEquipment(item=words.text("ITEM")),
    ),
    (
        "marks ITEM not needed",
        "Dealer: marks shuffler not needed",
        lambda words: cmd.TickEquipment(item=words.text("ITEM"), needed=False),
    ),
    (
        "records the regulator's confirmation REFERENCE of DATE",
        "Gaming Shift Manager: records the regulator's confirmation GRA-17 of 2022-04-01",
        lambda words: cmd.RecordConfirmation(
            reference=words.text("REFERENCE"), date=date_of(words.text("DATE"))
        ),
    ),
    ("opens the table", "Dealer: opens the table", lambda _: cmd.OpenTable()),
    (
        "limits owners to NUMBER",
        "Pit Manager: limits owners to 2",
        lambda words: cmd.LimitOwners(most=words.number()),
    ),
    (
        "pauses the table because TEXT",
        "Dealer: pauses the table because the lights fail",
        lambda words: cmd.PauseTable(reason=words.text("TEXT")),
    ),
    ("resumes the table", "Dealer: resumes the table", lambda _: cmd.ResumeTable()),
    (
        "closes the table because TEXT",
        "Dealer: closes the table because the night is over",
        lambda words: cmd.CloseTable(reason=words.text("TEXT")),
    ),
    (
        "pauses after the round because TEXT",
        "Dealer: pauses after the round because dealers change",
        lambda words: cmd.StopAfterRound(stop=Stop.PAUSE, reason=words.text("TEXT")),
    ),
    (
        "closes after the round because TEXT",
        "Pit Manager: closes after the round because the night is over",
        lambda words: cmd.StopAfterRound(stop=Stop.CLOSE, reason=words.text("TEXT")),
    ),
    ("plays on after the round", "Dealer: plays on after the round", lambda _: cmd.CancelStop()),
    (
        "acknowledges the alert of record NUMBER",
        "Pit Supervisor: acknowledges the alert of record 12",
        lambda words: cmd.AcknowledgeAlert(sequence=words.number()),
    ),
)
_DISPUTES: tuple[ActionEntry, ...] = (
    (
        "[for PATRON ]disputes round ROUND[ on WAGER] because TEXT",
        "Ann: disputes round 2 on tie because it was a tie",
        _dispute,
    ),
    (
        "[for PATRON ]disputes TEXT",
        "Ann: disputes that credits are missing",
        _dispute_in_words,
    ),
    (
        "escalates dispute NUMBER",
        "Pit Supervisor: escalates dispute 1",
        lambda words: cmd.EscalateDispute(id=words.number()),
    ),
    (
        "gathers for dispute NUMBER from PERSON[ as SOURCE] that TEXT",
        "Pit Manager: gathers for dispute 1 from Ann as accounts-of-both-parties that it was a tie",
        lambda words: cmd.GatherInformation(
            id=words.number(),
            what=words.text("TEXT"),
            given_by=words.text("PERSON"),
            source=words.text("SOURCE") or None,
        ),
    ),
    (
        "informs surveillance of dispute NUMBER",
        "Pit Manager: informs surveillance of dispute 1",
        lambda words: cmd.InformSurveillance(id=words.number()),
    ),
    (
        "promises an answer to dispute NUMBER within MINUTES minutes",
        "Pit Manager: promises an answer to dispute 1 within 30 minutes",
        lambda words: cmd.GiveTimeFrame(id=words.number(), minutes=words.number("MINUTES")),
    ),
    (
        "cannot promise an answer to dispute NUMBER because TEXT",
        "Pit Manager: cannot promise an answer to dispute 1 because the pictures are missing",
        lambda words: cmd.SayNoTimeFrame(id=words.number(), why=words.text("TEXT")),
    ),
    (
        "decides dispute NUMBER as TEXT[ citing SOURCES][ lacking LACKING][ awarding AMOUNT]",
        "Pit Manager: decides dispute 1 as paid again citing game-rules lacking law (silent) awarding 80",
        _decide,
    ),
    (
        "[for PATRON ]agrees with dispute NUMBER",
        "Ann: agrees with dispute 1",
        lambda words: cmd.AnswerDecision(
            id=words.number(), agrees=True, confirmed_by=words.text("PATRON") or None
        ),
    ),
    (
        "[for PATRON ]disagrees with dispute NUMBER",
        "Ann: disagrees with dispute 1",
        lambda words: cmd.AnswerDecision(
            id=words.number(), agrees=False, confirmed_by=words.text("PATRON") or None
        ),
    ),
    (
        "informs the inspector of dispute NUMBER",
        "Pit Manager: informs the inspector of dispute 1",
        lambda words: cmd.InformInspector(id=words.number()),
    ),
    (
        "pays the award of dispute NUMBER to the credits",
        "Pit Manager: pays the award of dispute 1 to the credits",
        lambda words: cmd.PayAward(id=words.number(), way=AwardWay.CREDITS),
    ),
    (
        "pays the award of dispute NUMBER to PERSON, TEXT",
        "Pit Manager: pays the award of dispute 1 to Ann, in cash at the cage",
        lambda words: cmd.PayAward(
            id=words.number(), way=AwardWay.PAYOUT, to=words.text("PERSON"), how=words.text("TEXT")
        ),
    ),
    (
        "[for PATRON ]confirms the award of dispute NUMBER",
        "Ann: confirms the award of dispute 1",
        lambda words: cmd.ConfirmReceipt(id=words.number(), confirmed_by=words.text("PATRON") or None),
    ),
    (
        "explains the right to complain in dispute NUMBER",
        "Pit Manager: explains the right to complain in dispute 1",
        lambda words: cmd.TellComplaintRight(id=words.number()),
    ),
    (
        "complains in dispute NUMBER helped by HELPER because TEXT",
        "Ann: complains in dispute 1 helped by Pit Manager because it was a tie",
        lambda words: cmd.FileComplaint(
            id=words.number(), text=words.text("TEXT"), helper=words.text("HELPER")
        ),
    ),
    (
        "receives the complaint of dispute NUMBER",
        "Senior Management: receives the complaint of dispute 1",
        lambda words: cmd.ReceiveComplaint(id=words.number()),
    ),
    (
        "answers the complaint of dispute NUMBER with TEXT[ awarding AMOUNT]",
        "Senior Management: answers the complaint of dispute 1 with an apology awarding 80",
        lambda words: cmd.AnswerComplaint(id=words.number(), answer=words.text("TEXT"), award=words.amount()),
    ),
    (
        "closes dispute NUMBER",
        "Pit Manager: closes dispute 1",
        lambda words: cmd.CloseDispute(id=words.number()),
    ),
)
_CHIPS: tuple[ActionEntry, ...] = (
    (
        "counts the opener PIECES",
        "Dealer with Pit Supervisor: counts the opener 50 x 100, 200 x 25",
        lambda words: cmd.CountOpener(count=words.pieces()),
    ),
    (
        "brings chips PIECES",
        "Dealer with Pit Supervisor: brings chips 20 x 500",
        lambda words: cmd.FillChips(count=words.pieces()),
    ),
    (
        "sends back chips PIECES",
        "Dealer with Pit Supervisor: sends back chips 2 x 1000",
        lambda words: cmd.ReturnChips(count=words.pieces()),
    ),
    (
        "sells chips to PATRON for AMOUNT",
        "Dealer: sells chips to Ann for 1000",
        lambda words: cmd.BuyChips(patron=words.patron(), amount=words.amount(), reason=REASON),
    ),
    (
        "voids slip NUMBER because TEXT",
        "Dealer with Pit Supervisor: voids slip 3 because it was counted twice",
        lambda words: cmd.VoidSlip(slip=words.number(), reason=words.text("TEXT")),
    ),
    (
        "counts the closer PIECES",
        "Dealer with Pit Supervisor: counts the closer 48 x 100, 200 x 25",
        lambda words: cmd.CountCloser(count=words.pieces()),
    ),
    (
        "counts drop box NUMBER, PIECES",
        "Carl with Cora: counts drop box 1, 10 x 100",
        lambda words: cmd.CountDrop(inventory=words.number(), count=words.pieces()),
    ),
)
ACTION_TOPICS: dict[str, tuple[ActionEntry, ...]] = {
    "Betting": _BETTING,
    "Cards and results": _CARDS,
    "Handling the cards": _SQUEEZING,
    "When something goes wrong": _IRREGULARITIES,
    "The shoe": _SHOE,
    "The dealing device": _DEVICE,
    "People": _PEOPLE,
    "The table": _TABLE,
    "Disputes": _DISPUTES,
    "Chips and cash": _CHIPS,
}
ACTIONS = tuple(Action(topic, *entry) for topic, entries in ACTION_TOPICS.items() for entry in entries)
