"""Everything that a line of a round file can say somebody does."""

from collections.abc import Callable
from datetime import timedelta

from msgspec import Struct

from thirdcard.cards import NEW_DECK
from thirdcard.game import commands as cmd
from thirdcard.game.state import AlarmKind, Seal
from thirdcard.money import Currency
from thirdcard.roundfile.forms import Words, first_words, pattern_of
from thirdcard.roundfile.values import bad_word, cards_of, choice_of, faces_of, instant_of, no_choice
from thirdcard.rulebook.facts import Winner
from thirdcard.rulebook.irregularity import Method, Situation
from thirdcard.staff import Post

Bodies = tuple[cmd.Body, ...]
Make = Callable[[Words], cmd.Body | Bodies]
Chips = cmd.PlaceWager | cmd.ReduceWager | cmd.FindWager | cmd.RemoveWager
Entry = tuple[str, str, Make]  # form, example, and what it means
ACTS_FOR = timedelta(hours=12)  # how long before its end an acting post began

# what can be told about an irregularity, by the circumstance: how it reads when it is so, and when it is not
FACTS = {
    "reconstructable": ("reconstructable", "not reconstructable"),
    "order_known": ("order known", "order unknown"),
    "seen": ("seen", "unseen"),
    "value_known": ("value known", "value unknown"),
}
PREVIOUS_ROUND = "previous round"


class Action(Struct, frozen=True):
    """One thing that can be done: its form, a line that does it, and the commands it means."""

    topic: str
    form: str
    example: str
    make: Make


def bodies_of(what: str, actor: str, currency: Currency) -> Bodies | None:
    """The commands that a line means, by the first form that it has; nothing where it has none."""
    for action in ACTIONS:
        found = pattern_of(action.form).fullmatch(what)
        if found is not None:
            made = action.make(Words(found, actor, currency))
            return made if isinstance(made, tuple) else (made,)
    return None


def forms_near(what: str) -> tuple[str, ...]:
    """The forms that begin with the same word as a line that has none of them."""
    first = what.split(maxsplit=1)[0]
    return tuple(action.form for action in ACTIONS if first in first_words(action.form))


def _place(words: Words) -> cmd.Body:
    money = words.text("MONEY")
    return cmd.PlaceWager(
        patron=words.patron(),
        wager=words.text("WAGER"),
        amount=words.amount(),
        position=words.position(),
        money="cash" if money == "cash" else "credits" if money == "credits" else "chips",
        in_area=not words.has(", between two areas"),
    )


def _chips(kind: type[Chips]) -> Make:
    """A command about an amount on a wager at a position."""
    return lambda words: kind(
        patron=words.patron(), wager=words.text("WAGER"), amount=words.amount(), position=words.position()
    )


def _draw(words: Words) -> Bodies:
    despite, by = words.has("despite the differential"), words.text("PATRON") or None
    return tuple(
        cmd.DrawCard(card=card, despite_differential=despite, by=by) for card in faces_of(words.text("CARDS"))
    )


def _report(words: Words) -> cmd.Body:
    told = [fact.strip() for fact in words.text("FACTS").split(",")] if words.has("FACTS") else []
    speakable = (*(fact for pair in FACTS.values() for fact in pair), PREVIOUS_ROUND)
    for fact in told:
        if fact not in speakable:
            raise no_choice(fact, speakable)

    def known(name: str) -> bool | None:
        yes, no = FACTS[name]
        if yes in told and no in told:
            raise bad_word("round.contradiction", one=yes, other=no)
        return True if yes in told else False if no in told else None

    return cmd.ReportIrregularity(
        situation=choice_of(Situation, words.text("SITUATION")),
        reconstructable=known("reconstructable"),
        order_known=known("order_known"),
        seen=known("seen"),
        value_known=known("value_known"),
        cards=words.cards(),
        patron=words.text("PATRON") or None,
        hand=words.hand() if words.has("HAND") else None,
        amount=words.amount(),
        previous_round=PREVIOUS_ROUND in told,
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
    )


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


def _decide(words: Words) -> cmd.Body:
    sources = (source.strip() for source in words.text("SOURCES").split(","))
    return cmd.DecideDispute(
        id=words.number(),
        decision=words.text("TEXT"),
        sources=tuple(source for source in sources if source),
        award=words.amount(),
    )


_BETTING: tuple[Entry, ...] = (
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
    (
        "finds PATRON AMOUNT on WAGER[ at POSITION]",
        "Dealer: finds Ann 20 on player at 1",
        _chips(cmd.FindWager),
    ),
    ("asks to decrease", "Dealer: asks to decrease", lambda _: cmd.AskToDecreaseWagers()),
    (
        "removes AMOUNT of PATRON on WAGER[ at POSITION]",
        "Pit Manager: removes 500 of Ann on player at 1",
        _chips(cmd.RemoveWager),
    ),
)
_CARDS: tuple[Entry, ...] = (
    ("[for PATRON ]draws CARDS[ despite the differential]", "Dealer: draws 9H 2 K ?", _draw),
    ("sees the cutting card", "Dealer: sees the cutting card", lambda _: cmd.SeeCuttingCard()),
    (
        "calls WINNER",
        "Dealer: calls player",
        lambda words: cmd.CallOutcome(winner=Winner(words.text("WINNER"))),
    ),
    (
        "shows WINNER",
        "Dealer: shows tie",
        lambda words: cmd.ReportDeviceResult(winner=Winner(words.text("WINNER"))),
    ),
    ("deals the free hand", "Dealer: deals the free hand", lambda _: cmd.DealFreeHand()),
)
_SQUEEZING: tuple[Entry, ...] = (
    ("asks to squeeze", "Ann: asks to squeeze", lambda words: cmd.RequestSqueeze(patron=words.actor)),
    (
        "permits PERSON to squeeze",
        "Pit Manager: permits Ann to squeeze",
        lambda words: cmd.PermitSqueeze(person=words.text("PERSON")),
    ),
    ("forbids squeezing", "Pit Manager: forbids squeezing", lambda _: cmd.ForbidSqueeze()),
    (
        "passes HAND to PATRON",
        "Dealer: passes player to Ann",
        lambda words: cmd.PassCards(hand=words.hand(), patron=words.patron()),
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
_IRREGULARITIES: tuple[Entry, ...] = (
    (
        "reports SITUATION[ of PATRON][ HAND hand][ amount AMOUNT][ cards CARDS][, FACTS]",
        "Dealer: reports cards-together cards 9 6, order unknown",
        _report,
    ),
    ("confirms", "Pit Manager: confirms", lambda _: cmd.ConfirmFacts()),
    (
        "rules CHOICE[ CARDS][ because TEXT]",
        "Pit Manager: rules order 9 6",
        lambda words: cmd.Rule(choice=words.text("CHOICE"), text=words.text("TEXT"), cards=words.cards()),
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
_SHOE: tuple[Entry, ...] = (
    ("loads NUMBER decks[ with a joker][ with another back][, sealed]", "Dealer: loads 8 decks", _load),
    ("lays the shoe open as NUMBER decks", "Pit Manager: lays the shoe open as 8 decks", _lay_open),
    ("cuts at NUMBER", "Ann: cuts at 100", lambda words: cmd.CutCards(depth=words.number())),
    ("burns[ by CARD]", "Dealer: burns by 7", _burn),
    ("announces the last hand", "Dealer: announces the last hand", lambda _: cmd.AnnounceLastHand()),
    ("chooses new cards", "Dealer: chooses new cards", lambda _: cmd.ChooseCards(replace=True)),
    ("keeps the cards", "Dealer: keeps the cards", lambda _: cmd.ChooseCards(replace=False)),
)
_DEVICE: tuple[Entry, ...] = (
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
_PEOPLE: tuple[Entry, ...] = (
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
_TABLE: tuple[Entry, ...] = (
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
        "acknowledges the alert of record NUMBER",
        "Pit Supervisor: acknowledges the alert of record 12",
        lambda words: cmd.AcknowledgeAlert(sequence=words.number()),
    ),
)
_DISPUTES: tuple[Entry, ...] = (
    (
        "disputes TEXT",
        "Ann: disputes that the tie was paid",
        lambda words: cmd.OpenDispute(patron=words.actor, about=words.text("TEXT")),
    ),
    (
        "escalates dispute NUMBER",
        "Dealer: escalates dispute 1",
        lambda words: cmd.EscalateDispute(id=words.number()),
    ),
    (
        "informs surveillance of dispute NUMBER",
        "Pit Manager: informs surveillance of dispute 1",
        lambda words: cmd.InformSurveillance(id=words.number()),
    ),
    (
        "promises an answer to dispute NUMBER TEXT",
        "Pit Manager: promises an answer to dispute 1 by noon",
        lambda words: cmd.GiveTimeFrame(id=words.number(), time_frame=words.text("TEXT")),
    ),
    (
        "decides dispute NUMBER as TEXT[ citing SOURCES][ awarding AMOUNT]",
        "Pit Manager: decides dispute 1 as paid again citing game-rules, law awarding 80",
        _decide,
    ),
    (
        "agrees with dispute NUMBER",
        "Ann: agrees with dispute 1",
        lambda words: cmd.AnswerDecision(id=words.number(), agrees=True),
    ),
    (
        "disagrees with dispute NUMBER",
        "Ann: disagrees with dispute 1",
        lambda words: cmd.AnswerDecision(id=words.number(), agrees=False),
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
        "closes dispute NUMBER",
        "Pit Manager: closes dispute 1",
        lambda words: cmd.CloseDispute(id=words.number()),
    ),
)
TOPICS: dict[str, tuple[Entry, ...]] = {
    "Betting": _BETTING,
    "Cards and results": _CARDS,
    "Handling the cards": _SQUEEZING,
    "When something goes wrong": _IRREGULARITIES,
    "The shoe": _SHOE,
    "The dealing device": _DEVICE,
    "People": _PEOPLE,
    "The table": _TABLE,
    "Disputes": _DISPUTES,
}
ACTIONS = tuple(Action(topic, *entry) for topic, entries in TOPICS.items() for entry in entries)
