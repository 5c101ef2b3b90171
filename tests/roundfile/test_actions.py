"""Every line that can be said: what it means, and what is wrong with those that mean nothing."""

import re
import typing
from datetime import UTC, date, datetime

import pytest

from thirdcard.cards import Card, Rank, Suit, parse_card
from thirdcard.game import commands as cmd
from thirdcard.game.alarm_kinds import AlarmKind
from thirdcard.game.dispute_steps import AwardWay, UnavailableSource
from thirdcard.game.planned import Stop
from thirdcard.game.shoe import Seal, ShuffleRecord
from thirdcard.game.state import Hand
from thirdcard.game.table_chips import Pieces
from thirdcard.money import Currency
from thirdcard.roundfile.actions import ACTIONS, REASON, TOLD_FACTS, Action, bodies_of, forms_near
from thirdcard.roundfile.forms import PATTERNS, first_words, pattern_of
from thirdcard.roundfile.parse import parse
from thirdcard.roundfile.values import BadLine, BadWord
from thirdcard.rulebook.facts import Winner
from thirdcard.rulebook.irregularity import Method, Situation
from thirdcard.staff import Post

DOLLARS = Currency("SGD", 2)
EVENING = datetime(2025, 6, 2, 18, tzinfo=UTC)
NOON = datetime(2025, 6, 3, 12, tzinfo=UTC)
MIDNIGHT = datetime(2025, 6, 3, tzinfo=UTC)
Report = cmd.ReportIrregularity


def cards(text: str) -> tuple[Card, ...]:
    return tuple(card for word in text.split() if (card := parse_card(word)))


def said(what: str, actor: str = "Ann") -> object:
    found = bodies_of(what, actor, DOLLARS)
    assert found is not None
    assert len(found) == 1
    return found[0]


LINES: dict[str, cmd.Body] = {
    "opens betting": cmd.OpenBetting(),
    "100 on player at 1": cmd.PlaceWager(patron="Ann", wager="player", amount=10000, position=1),
    "0.50 on tie": cmd.PlaceWager(patron="Ann", wager="tie", amount=50),
    "100 on player at 1 in cash": cmd.PlaceWager(
        patron="Ann", wager="player", amount=10000, position=1, money="cash"
    ),
    "100 on player in credits": cmd.PlaceWager(patron="Ann", wager="player", amount=10000, money="credits"),
    "100 on player in chips": cmd.PlaceWager(patron="Ann", wager="player", amount=10000, money="chips"),
    "100 on player at 1, between two areas": cmd.PlaceWager(
        patron="Ann", wager="player", amount=10000, position=1, in_area=False
    ),
    "for Bob 100 on player at 2": cmd.PlaceWager(patron="Bob", wager="player", amount=10000, position=2),
    "takes 50 off player at 1": cmd.ReduceWager(patron="Ann", wager="player", amount=5000, position=1),
    "for Bob takes 50 off player": cmd.ReduceWager(patron="Bob", wager="player", amount=5000),
    "closes betting": cmd.CloseBetting(),
    "corrects 20 of Bob on player at 2 to nothing": cmd.CorrectWager(
        reason=REASON, patron="Bob", wager="player", amount=2000, position=2
    ),
    "corrects 20 of Bob on player at 2 to Cy on tie at 3": cmd.CorrectWager(
        reason=REASON,
        patron="Bob",
        wager="player",
        amount=2000,
        position=2,
        to_patron="Cy",
        to_wager="tie",
        to_position=3,
    ),
    "finds Bob 20 on player at 2": cmd.FindWager(
        reason=REASON, patron="Bob", wager="player", amount=2000, position=2
    ),
    "asks to deal now": cmd.DealNow(patron="Ann"),
    "asks to decrease": cmd.AskToDecreaseWagers(),
    "removes 500 of Bob on player at 2": cmd.RemoveWager(
        patron="Bob", wager="player", amount=50000, position=2
    ),
    "draws 9H": cmd.DrawCard(card=Card(Rank.NINE, Suit.HEARTS)),
    "draws ?": cmd.DrawCard(card=None),
    "draws K to banker": cmd.DrawCard(card=Card(Rank.KING), hand=Hand.BANKER),
    "draws K instead": cmd.DrawCard(card=Card(Rank.KING), instead=True),
    "for Bob draws K to player instead": cmd.DrawCard(
        card=Card(Rank.KING), by="Bob", hand=Hand.PLAYER, instead=True
    ),
    "draws 9 ? together, order known": cmd.DrawCard(card=Card(Rank.NINE), together=(None,), order_known=True),
    "for Bob draws 9 K together, order unknown": cmd.DrawCard(
        card=Card(Rank.NINE), together=cards("K"), order_known=False, by="Bob"
    ),
    "corrects card 3 to 9H": cmd.CorrectCard(reason=REASON, number=3, card=Card(Rank.NINE, Suit.HEARTS)),
    "corrects card 3 of round 12 to 9": cmd.CorrectCard(
        reason=REASON, number=3, card=Card(Rank.NINE), round=12
    ),
    "sees the cutting card": cmd.SeeCuttingCard(),
    "calls tie": cmd.CallOutcome(winner=Winner.TIE),
    "calls banker 5 to 6": cmd.CallOutcome(winner=Winner.BANKER, player=5, banker=6),
    "shows banker": cmd.ReportDeviceResult(winner=Winner.BANKER),
    "deals the free hand": cmd.DealFreeHand(),
    "asks to squeeze": cmd.RequestSqueeze(patron="Ann"),
    "permits Bob to squeeze": cmd.PermitSqueeze(person="Bob"),
    "forbids squeezing": cmd.ForbidSqueeze(),
    "forbids Bob to squeeze": cmd.ForbidSqueeze(patron="Bob"),
    "passes player to Bob": cmd.PassCards(hand=Hand.PLAYER, patron="Bob"),
    "passes player to Bob instead": cmd.PassCards(hand=Hand.PLAYER, patron="Bob", instead=True),
    "chooses Bob for banker": cmd.ChooseSqueezer(hand=Hand.BANKER, patron="Bob"),
    "declines player": cmd.DeclineCards(hand=Hand.PLAYER, patron="Ann"),
    "opens banker first": cmd.ChooseRevealOrder(first=Hand.BANKER),
    "looks at player": cmd.LookAtCards(hand=Hand.PLAYER, patron="Ann"),
    "opens player": cmd.ExposeCards(hand=Hand.PLAYER),
    "opens player 9 K": cmd.ExposeCards(hand=Hand.PLAYER, cards=cards("9 K")),
    "for Bob opens player": cmd.ExposeCards(hand=Hand.PLAYER, by="Bob"),
    "reports misdeal": Report(situation=Situation.MISDEAL),
    "reports wrong-delivery of Bob player hand, unseen": Report(
        situation=Situation.WRONG_DELIVERY, patron="Bob", hand=Hand.PLAYER, seen=False
    ),
    "reports cards-together cards 9 6, order unknown, dealt already": Report(
        situation=Situation.CARDS_TOGETHER, cards=cards("9 6"), order_known=False, dealt=True
    ),
    "reports wrong-payment of Bob amount 300, previous round": Report(
        situation=Situation.WRONG_PAYMENT, patron="Bob", amount=30000, previous_round=True
    ),
    "reports cards-together cards 9 6, order known, seen": Report(
        situation=Situation.CARDS_TOGETHER, cards=cards("9 6"), order_known=True, seen=True
    ),
    "reports misdeal, not reconstructable, value unknown": Report(
        situation=Situation.MISDEAL, reconstructable=False, value_known=False
    ),
    "reports wrong-payment of Bob amount 300, underpaid": Report(
        situation=Situation.WRONG_PAYMENT, patron="Bob", amount=30000, underpaid=True
    ),
    "reports late-wager of Bob amount 40 on player at 2": Report(
        situation=Situation.LATE_WAGER, patron="Bob", amount=4000, wager="player", position=2
    ),
    "reports face-up-card cards 9H behind 2": Report(
        situation=Situation.FACE_UP_CARD, cards=cards("9H"), ahead=2
    ),
    "reports unauthorised-banker-card cards ?, unseen": Report(
        situation=Situation.UNAUTHORISED_BANKER_CARD, cards=(None,), seen=False
    ),
    "in irregularity 2 confirms": cmd.ConfirmFacts(case=2),
    "in irregularity 1 withdraws the report": cmd.WithdrawReport(case=1),
    "confirms": cmd.ConfirmFacts(),
    "finds that it is not so because the card is ours": cmd.DisproveFacts(found="the card is ours"),
    "withdraws the report": cmd.WithdrawReport(),
    "rules allow": cmd.Rule(choice="allow"),
    "rules order ? 9": cmd.Rule(choice="order", cards=(None, *cards("9"))),
    "rules void-round and pay paying Bob 50 because it fell": cmd.Rule(
        choice="void-round", also=("pay",), patron="Bob", amount=5000, text="it fell"
    ),
    "rules take-back from Bob 50 because it was misread": cmd.Rule(
        choice="take-back", text="it was misread", patron="Bob", amount=5000
    ),
    "rules order 9 6": cmd.Rule(choice="order", cards=cards("9 6")),
    "rules void-round because the shoe fell, twice": cmd.Rule(
        choice="void-round", text="the shoe fell, twice"
    ),
    "withdraws": cmd.AnswerOffer(patron="Ann", withdraw=True),
    "withdraws player at 1": cmd.AnswerOffer(patron="Ann", withdraw=True, wager="player", position=1),
    "for Bob withdraws tie": cmd.AnswerOffer(patron="Bob", withdraw=True, wager="tie"),
    "stays": cmd.AnswerOffer(patron="Ann", withdraw=False),
    "for Bob stays": cmd.AnswerOffer(patron="Bob", withdraw=False),
    "ends the offer": cmd.EndOffer(),
    "holds player of Bob at 2 as suspected": cmd.HoldMoney(patron="Bob", wager="player", position=2),
    "holds tie of Bob as suspected": cmd.HoldMoney(patron="Bob", wager="tie"),
    "holds 500 from Bob as suspected": cmd.HoldMoney(patron="Bob", amount=50000),
    "decides suspicion 2 as hand-back because it glows": cmd.DecideHeldMoney(
        id=2, choice="hand-back", found="it glows"
    ),
    "reports unshuffled-cards because two suits lie in order": cmd.ReportIrregularity(
        situation=Situation.UNSHUFFLED_CARDS, note="two suits lie in order"
    ),
    "reserves 9D 6C": cmd.ReserveCards(cards=cards("9D 6C")),
    "enters lacking 9D 6C": cmd.EnterSortedCards(lacking=cards("9D 6C")),
    "substitutes 4H": cmd.SubstituteCards(cards=cards("4H")),
    "loads 8 decks": cmd.LoadShoe(decks=8),
    "loads 8 decks with a joker": cmd.LoadShoe(decks=8, jokers=1),
    "loads 8 decks with another back": cmd.LoadShoe(decks=8, same_backs=False),
    "loads 1 decks, sealed": cmd.LoadShoe(
        decks=1, seal=Seal(root="0" * 64, cards=52, behind_cutting_card=16, key_id="", content="")
    ),
    "lays the shoe open as 1 decks": cmd.OpenShoe(
        order=tuple(Card(rank, suit) for suit in Suit for rank in Rank), secret="0" * 64
    ),
    "loads 8 decks, shuffled by MD3-7 batch 112 at 2025-06-02T18:00:00Z": cmd.LoadShoe(
        decks=8, shuffle=ShuffleRecord(shuffler="MD3-7", batch="112", time=EVENING, by="Ann")
    ),
    "counts 415 cards": cmd.CountCards(cards=415),
    "cuts at 100": cmd.CutCards(depth=100),
    "burns": cmd.BurnCards(),
    "burns by 7": cmd.BurnCards(first=Card(Rank.SEVEN)),
    "announces the last hand": cmd.AnnounceLastHand(),
    "announces 4 to 7": cmd.AnnounceTotals(player=4, banker=7),
    "chooses new cards": cmd.ChooseCards(replace=True),
    "for Bob keeps the cards": cmd.ChooseCards(replace=False, patron="Bob"),
    "changes to method C": cmd.ChangeMethod(method=Method.C),
    "takes the device": cmd.TakeDevice(patron="Ann"),
    "gives up the device": cmd.GiveUpDevice(patron="Ann"),
    "permits Bob to draw": cmd.PermitDrawing(patron="Bob"),
    "raises the alarm misread": cmd.RaiseAlarm(kind=AlarmKind.MISREAD),
    "raises the alarm card-mismatch cards 9H 6H number 3": cmd.RaiseAlarm(
        kind=AlarmKind.CARD_MISMATCH,
        card=Card(Rank.NINE, Suit.HEARTS),
        other=Card(Rank.SIX, Suit.HEARTS),
        number=3,
    ),
    "comes to the table": cmd.ComeToTable(patron="Ann"),
    "comes to the table at 3, standing": cmd.ComeToTable(patron="Ann", position=3, seated=False),
    "leaves the table": cmd.LeaveTable(patron="Ann"),
    "buys 1000 credits": cmd.BuyCredits(terminal="Ann", amount=100000),
    "cashes out 200": cmd.CashOut(terminal="Ann", amount=20000),
    "cashes out 200 of Bob": cmd.CashOut(terminal="Bob", amount=20000),
    "agrees to request 2": cmd.ConfirmCredits(id=2, agrees=True),
    "declines request 2": cmd.ConfirmCredits(id=2, agrees=False),
    "comes on duty as dealer": cmd.ComeOnDuty(person="Ann", post=Post("dealer")),
    "goes off duty": cmd.GoOffDuty(person="Ann"),
    "appoints Eve acting pit-manager until 2025-06-03T12:00:00Z": cmd.AppointActing(
        person="Eve", post=Post("pit-manager"), start=MIDNIGHT, end=NOON
    ),
    "ticks scoreboard": cmd.TickEquipment(item="scoreboard"),
    "marks shuffler not needed": cmd.TickEquipment(item="shuffler", needed=False),
    "records the regulator's confirmation GRA 17/22 of 2022-04-01": cmd.RecordConfirmation(
        reference="GRA 17/22", date=date(2022, 4, 1)
    ),
    "opens the table": cmd.OpenTable(),
    "limits owners to 2": cmd.LimitOwners(most=2),
    "pauses the table because the lights fail": cmd.PauseTable(reason="the lights fail"),
    "resumes the table": cmd.ResumeTable(),
    "closes the table because it is late": cmd.CloseTable(reason="it is late"),
    "pauses after the round because it is late": cmd.StopAfterRound(stop=Stop.PAUSE, reason="it is late"),
    "closes after the round because it is late": cmd.StopAfterRound(stop=Stop.CLOSE, reason="it is late"),
    "plays on after the round": cmd.CancelStop(),
    "acknowledges the alert of record 12": cmd.AcknowledgeAlert(sequence=12),
    "disputes that it was a tie": cmd.OpenDispute(patron="Ann", about="that it was a tie"),
    "disputes round 3 because it was a tie": cmd.OpenDispute(patron="Ann", about="it was a tie", round=3),
    "for Bob disputes round 3 on tie because it was a tie": cmd.OpenDispute(
        patron="Bob", about="it was a tie", round=3, wager="tie"
    ),
    "for Bob disputes that it was a tie": cmd.OpenDispute(patron="Bob", about="that it was a tie"),
    "escalates dispute 1": cmd.EscalateDispute(id=1),
    "gathers for dispute 1 from Bob that it was a tie": cmd.GatherInformation(
        id=1, what="it was a tie", given_by="Bob"
    ),
    "gathers for dispute 1 from Bob as other-evidence that it was a tie": cmd.GatherInformation(
        id=1, what="it was a tie", given_by="Bob", source="other-evidence"
    ),
    "cannot promise an answer to dispute 1 because it is late": cmd.SayNoTimeFrame(id=1, why="it is late"),
    "decides dispute 1 as a tie citing law lacking game-rules (no), other-evidence (none)": cmd.DecideDispute(
        id=1,
        decision="a tie",
        sources=("law",),
        unavailable=(UnavailableSource("game-rules", "no"), UnavailableSource("other-evidence", "none")),
    ),
    "informs the inspector of dispute 1": cmd.InformInspector(id=1),
    "pays the award of dispute 1 to the credits": cmd.PayAward(id=1, way=AwardWay.CREDITS),
    "pays the award of dispute 1 to Bob, in cash": cmd.PayAward(
        id=1, way=AwardWay.PAYOUT, to="Bob", how="in cash"
    ),
    "confirms the award of dispute 1": cmd.ConfirmReceipt(id=1),
    "for Bob confirms the award of dispute 1": cmd.ConfirmReceipt(id=1, confirmed_by="Bob"),
    "receives the complaint of dispute 1": cmd.ReceiveComplaint(id=1),
    "answers the complaint of dispute 1 with an apology": cmd.AnswerComplaint(id=1, answer="an apology"),
    "answers the complaint of dispute 1 with an apology awarding 80": cmd.AnswerComplaint(
        id=1, answer="an apology", award=8000
    ),
    "informs surveillance of dispute 1": cmd.InformSurveillance(id=1),
    "promises an answer to dispute 1 within 30 minutes": cmd.GiveTimeFrame(id=1, minutes=30),
    "decides dispute 1 as a tie": cmd.DecideDispute(id=1, decision="a tie", sources=()),
    "decides dispute 1 as a tie citing law, game-rules awarding 80": cmd.DecideDispute(
        id=1, decision="a tie", sources=("law", "game-rules"), award=8000
    ),
    "agrees with dispute 1": cmd.AnswerDecision(id=1, agrees=True),
    "for Ann agrees with dispute 1": cmd.AnswerDecision(id=1, agrees=True, confirmed_by="Ann"),
    "disagrees with dispute 1": cmd.AnswerDecision(id=1, agrees=False),
    "for Ann disagrees with dispute 1": cmd.AnswerDecision(id=1, agrees=False, confirmed_by="Ann"),
    "explains the right to complain in dispute 1": cmd.TellComplaintRight(id=1),
    "complains in dispute 1 helped by Eve because it was a tie": cmd.FileComplaint(
        id=1, text="it was a tie", helper="Eve"
    ),
    "closes dispute 1": cmd.CloseDispute(id=1),
    "counts the opener 50 x 100, 3 x 0.50": cmd.CountOpener(count=(Pieces(10_000, 50), Pieces(50, 3))),
    "brings chips 20 x 500": cmd.FillChips(count=(Pieces(50_000, 20),)),
    "sends back chips 2 x 1000": cmd.ReturnChips(count=(Pieces(100_000, 2),)),
    "sells chips to Bob for 1000": cmd.BuyChips(patron="Bob", amount=100_000, reason=REASON),
    "voids slip 3 because it was counted twice": cmd.VoidSlip(slip=3, reason="it was counted twice"),
    "counts the closer nothing": cmd.CountCloser(count=()),
    "counts drop box 1, 10 x 100": cmd.CountDrop(inventory=1, count=(Pieces(10_000, 10),)),
}


@pytest.mark.parametrize("what", LINES)
def test_a_line_means_its_command(what: str) -> None:
    assert said(what) == LINES[what]


def test_every_command_but_the_set_up_can_be_said() -> None:
    spoken = {type(body) for body in LINES.values()}
    assert set(typing.get_args(cmd.Body)) - spoken == {cmd.SetUpTable, cmd.ChangeTable}


def test_several_cards_are_drawn_one_by_one() -> None:
    drawn = bodies_of("draws 9 ? K♠", "Dealer", DOLLARS)
    faces = (Card(Rank.NINE), None, Card(Rank.KING, Suit.SPADES))
    assert drawn == tuple(cmd.DrawCard(card=face) for face in faces)


@pytest.mark.parametrize("action", ACTIONS, ids=lambda action: action.form)
def test_the_example_of_an_action_has_its_form_and_no_earlier_one(action: Action) -> None:
    what = action.example.partition(": ")[2]
    first = next(each for each in ACTIONS if pattern_of(each.form).fullmatch(what))
    assert first is action
    (act, _), *others = parse(f"game mbs-tiger-v3\n{action.example}").acts
    assert not others
    assert act.bodies


@pytest.mark.parametrize("action", ACTIONS, ids=lambda action: action.form)
def test_some_line_of_the_tests_has_the_form_of_every_action(action: Action) -> None:
    assert any(pattern_of(action.form).fullmatch(what) for what in LINES)


def test_every_part_stands_in_some_form() -> None:
    for part in PATTERNS:
        assert any(f"(?P<{part}>" in pattern_of(action.form).pattern for action in ACTIONS), part


def test_every_fact_that_is_told_is_a_field_of_a_report() -> None:
    assert set(TOLD_FACTS) <= set(Report.__struct_fields__)


@pytest.mark.parametrize(
    ("form", "words"),
    [
        ("opens betting", {"opens"}),
        ("AMOUNT on WAGER[ at POSITION]", set()),
        ("[for PATRON ]takes AMOUNT off WAGER", {"for", "takes"}),
    ],
)
def test_the_words_that_a_form_begins_with(form: str, words: set[str]) -> None:
    assert first_words(form) == words


def test_the_forms_near_a_line_begin_with_its_word() -> None:
    assert forms_near("draws") == (
        "[for PATRON ]draws CARDS together[ to HAND], order [un]known[ instead]",
        "[for PATRON ]draws CARDS[ to HAND][ instead]",
    )
    assert forms_near("sings loudly") == ()


WORDS = {
    "1,000 on player at 1": "1,000 is not an amount. Write it like 1000 or 316.35, without a comma.",
    "-5 on player at 1": "-5 is not an amount. Write it like 1000 or 316.35, without a comma.",
    "1.005 on player at 1": "1.005 is not an amount. Write it like 1000 or 316.35, without a comma.",
    "100 on player at one": "one is not a whole number. Write it like 8.",
    "loads 0x8 decks": "0x8 is not a whole number. Write it like 8.",
    "cuts at 1234567890": "1234567890 is not a whole number. Write it like 8.",
    "draws 9 11": "11 is not a card. Write it like 10, 10H, Th or K♠.",
    "opens player 9 ?": "? is not a card. Write it like 10, 10H, Th or K♠.",
    "burns by one": "one is not a card. Write it like 10, 10H, Th or K♠.",
    "decides suspicion 1 as burn because it glows": (
        "burn is no choice here. Choose from: release, settle, hand-back, seize."
    ),
    "records the regulator's confirmation X of May": "May is not a day. Write it like 2025-06-02.",
    "changes to method D": "D is no choice here. Choose from: A, B, C.",
    "reports earthquake": "earthquake is no choice here. Choose from: foreign-card, extra-card,",
    "reports misdeal, sad": "sad is no choice here. Choose from: reconstructable, not reconstructable, order",
    "reports misdeal, seen, unseen": 'Both "seen" and "unseen" are told. Keep one of the two.',
    "appoints Eve acting dealer until noon": "noon is not an instant. Write it with its offset, like 2025-",
    "appoints Eve acting dealer until 2025-06-03T12:00:00": "2025-06-03T12:00:00 is not an instant.",
    "appoints Eve acting dealer until 0001-01-01T00:00:00Z": "0001-01-01T00:00:00Z is not an instant.",
}


@pytest.mark.parametrize("what", WORDS)
def test_a_bad_word_is_named_with_what_to_do(what: str) -> None:
    with pytest.raises(BadWord) as raised:
        bodies_of(what, "Ann", DOLLARS)
    assert str(raised.value).startswith(WORDS[what])
    with pytest.raises(BadLine) as told:
        parse(f"game mbs-tiger-v3\nAnn: {what}")
    assert str(told.value) == f"Line 2: {raised.value}"


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("disputes round 0 because it was a tie", "There is no round 0. Rounds are counted from 1."),
        (
            "disputes round 1 because",
            '"round 1 because" does not say what is disputed. '
            "Write it like: disputes round 2 because the tie was not called.",
        ),
    ],
)
def test_a_dispute_names_a_round_that_can_be_and_what_it_is_about(line: str, sentence: str) -> None:
    with pytest.raises(BadWord, match=re.escape(sentence)):
        bodies_of(line, "Ann", DOLLARS)


@pytest.mark.parametrize("what", ["draws 9", "sings", "in irregularity 2 confirms"])
def test_only_who_acts_in_an_irregularity_names_one(what: str) -> None:
    assert bodies_of(f"in irregularity 1 {what}", "Dealer", DOLLARS) is None
