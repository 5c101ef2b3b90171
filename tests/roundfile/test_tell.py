"""Events and refusals as the lines of a round file."""

import typing

import pytest
from golden import NAMES, golden

from thirdcard.cards import Card, Rank, parse_card
from thirdcard.clauses import Clause
from thirdcard.game import events as ev
from thirdcard.game.state import CardState, Case, DealtCard, Hand, Offer, PlacedWager, SettledWager, Wait
from thirdcard.messages import sentences
from thirdcard.money import Currency
from thirdcard.refusals import Refusal, refuse
from thirdcard.roundfile.tell import cited, tag_of, tell, tell_refusal, with_approver
from thirdcard.rulebook.facts import Winner
from thirdcard.rulebook.irregularity import Method, Situation, Withdrawable
from thirdcard.staff import Post

DOLLARS = Currency("SGD", 2)
ONE = (Clause("1.1"),)


def card(text: str) -> Card:
    found = parse_card(text)
    assert found is not None
    return found


def settled(**changes: object) -> SettledWager:
    usual: dict[str, object] = {
        "id": 1,
        "patron": "Ann",
        "position": 1,
        "wager": "tie",
        "stake": 1000,
        "in_action": 1000,
        "result": "won",
        "back": 1000,
        "odds": "8 to 1",
        "paid": 8000,
        "clauses": ONE,
    }
    return SettledWager(**(usual | changes))  # type: ignore[arg-type]


def ruling(choice: str, order: str = "") -> ev.RulingMade:
    return ev.RulingMade(choice=choice, text="", by="Eve", cards=tuple(map(card, order.split())))


def handed_back(why: str) -> ev.WagerHandedBack:
    return ev.WagerHandedBack(patron="Ann", position=1, wager="tie", amount=1050, why=why, clauses=())


def decided(award: int) -> ev.DisputeDecided:
    return ev.DisputeDecided(id=1, decision="upheld", sources=("law",), award=award, by="Eve", clauses=ONE)


LINES: list[tuple[ev.Event, list[str]]] = [
    (ev.TableOpened(), ["= The table is open."]),
    (ev.TablePaused(reason="rain", clauses=ONE), ["= The table is paused: rain. [1.1]"]),
    (ev.StaffCame(person="Eve", post=Post("pit-manager")), ["= Eve is on duty as Pit Manager."]),
    (ev.StaffCame(person="Eve", post=Post("juggler")), ["= Eve is on duty as juggler."]),
    (ev.MethodChanged(method=Method.C, by="Eve"), ["= Method C is in use."]),
    (ev.EquipmentTicked(item="uv-scanner", needed=True), ["= UV scanner is checked."]),
    (ev.EquipmentTicked(item="shuffler", needed=False), ["= Shuffling machine is not needed."]),
    (ev.EquipmentTicked(item="lamp", needed=True), ["= lamp is checked."]),
    (ev.BettingOpened(call="call.bets-are-open"), ["= Bets are open."]),
    (
        ev.BettingClosed(call=None),
        ["= The first card stops betting. The closing call is still to come."],
    ),
    (ev.BettingClosed(call=None, clauses=(Clause("4.2"),)), ["= The first card closes betting. [4.2]"]),
    (
        ev.WagerPlaced(
            id=1, patron="Ann", position=None, wager="tie", amount=1050, placed_by=None, clauses=()
        ),
        ["= Ann wagers 10.50 on tie."],
    ),
    (
        ev.DifferentialExceeded(gap=500, limit=400, heavier=Hand.BANKER),
        ["= The differential is 5.00, the limit 4.00: Banker is heavier."],
    ),
    (
        ev.CardDrawn(hand=Hand.PLAYER, card=card("9H"), state=CardState.EXPOSED, by="Eve"),
        ["= Player gets 9H."],
    ),
    (
        ev.CardDrawn(hand=Hand.BANKER, card=None, state=CardState.FACE_DOWN, by="Eve"),
        ["= Banker gets a card face down."],
    ),
    (
        ev.CardsExposed(hand=Hand.PLAYER, cards=(card("9"), card("K")), by="Ann"),
        ["= Player opens: 9 K."],
    ),
    (ev.RevealOrderChosen(first=Hand.BANKER), ["= Banker is opened first."]),
    (
        ev.DeviceMismatch(device=Winner.TIE, cards=Winner.PLAYER),
        ["= The device shows tie, the cards say player."],
    ),
    (
        ev.CaseWaits(waits=Wait.SORTED_CARDS, post=None),
        ["= Waiting for the sorted cards (any staff on duty)."],
    ),
    (
        ev.CaseWaits(waits=Wait.PERMISSION, post=Post("shift-manager")),
        ["= Waiting for permission (Shift Manager)."],
    ),
    (
        ev.OfferOpened(
            offer=Offer(case=1, wagers=Withdrawable.ALL, clause=Clause("1.1"), asked=("Ann", "Bob"))
        ),
        ["= Asked whether to withdraw all their wagers: Ann, Bob."],
    ),
    (ev.OfferAnswered(patron="Ann", withdrew=True), ["= Ann has answered; withdrew: yes."]),
    (ev.OfferAnswered(patron="Ann", withdrew=False), ["= Ann has answered; withdrew: no."]),
    (ruling("allow"), ["= Eve rules: allowed."]),
    (ruling("deny"), ["= Eve rules: not allowed."]),
    (ruling("void-round"), ["= Eve rules: the round is void."]),
    (ruling("order", "9 6"), ["= Eve rules: the cards count in the order 9 6."]),
    (handed_back("betting-closed"), ["= 10.50 on tie is handed back to Ann: betting is closed."]),
    (handed_back("over-maximum"), ["= 10.50 on tie is handed back to Ann: it is over the maximum."]),
    (handed_back("under-minimum"), ["= 10.50 on tie is handed back to Ann: it is under the minimum."]),
    (handed_back("free-hand-due"), ["= 10.50 on tie is handed back to Ann: a free hand takes no wagers."]),
    (ev.CardReplacementDue(need="shall"), ["= New cards must come."]),
    (ev.CardReplacementDue(need="patrons-choose"), ["= The patrons choose whether new cards come."]),
    (decided(0), ["= Eve decides dispute 1: upheld. [1.1]"]),
    (decided(5000), ["= Eve decides dispute 1: upheld. [1.1]", "= 50.00 is awarded in dispute 1. [1.1]"]),
    (ev.EffectCarriedOut(effect="free-hand"), ["= A free hand is given."]),
    (ev.EffectCarriedOut(effect="free-hand", done=False), ["= No free hand is given."]),
    (
        ev.CardsReconstructed(
            cards=(
                DealtCard(Hand.PLAYER, card("9"), CardState.EXPOSED, "Eve"),
                DealtCard(Hand.BANKER, None, CardState.FACE_DOWN, "Eve"),
                DealtCard(Hand.PLAYER, Card(Rank.KING), CardState.EXPOSED, "Eve"),
            )
        ),
        ["= The hands are: Player 9-K, Banker ?."],
    ),
    (ev.RoundSettled(wagers=(), clauses=ONE), ["= No wagers to settle. [1.1]"]),
    (
        ev.RoundSettled(wagers=(settled(),), clauses=()),
        ["= Ann wins 80.00 on tie at 8 to 1, 10.00 back. [1.1]"],
    ),
    (
        ev.RoundSettled(wagers=(settled(in_action=500, paid=4000),), clauses=()),
        ["= Ann wins 40.00 on tie at 8 to 1 for 5.00 in action, 10.00 back. [1.1]"],
    ),
    (
        ev.RoundSettled(wagers=(settled(in_action=0, result="returned", clauses=()),), clauses=()),
        ["= tie of Ann is returned, 10.00 back."],
    ),
    (
        ev.RoundVoided(
            number=7,
            returned=(PlacedWager(2, "Bob", 2, "player", 500, 1),),
            reversed=(settled(),),
            clauses=ONE,
        ),
        [
            "= Round 7 is void. [1.1]",
            "= 5.00 on player goes back to Bob.",
            "= The settlement of 10.00 on tie of Ann is undone.",
        ],
    ),
]


@pytest.mark.parametrize(("event", "lines"), LINES, ids=[tag_of(event) for event, _ in LINES])
def test_an_event_is_told(event: ev.Event, lines: list[str]) -> None:
    assert tell(event, DOLLARS) == lines


def test_every_reason_to_hand_chips_back_has_words_in_every_language() -> None:
    reasons = {
        event.why
        for name in NAMES
        for event in golden(name).played.events
        if isinstance(event, ev.WagerHandedBack)
    }
    assert reasons == {
        "betting-closed",
        "under-minimum",
        "over-maximum",
        "free-hand-due",
        "free-hand-under-way",
    }
    for reason in reasons:
        key = f"handed-back.{reason}"
        assert sentences("en")[key] != sentences("zh-Hans")[key]


def test_every_event_has_a_tag_of_its_own() -> None:
    tags = [str(kind.__struct_config__.tag) for kind in typing.get_args(ev.Event)]
    assert len(tags) == len(set(tags))


def test_a_refusal_is_told_with_its_sentence_or_by_its_reason_alone() -> None:
    assert tell_refusal(refuse(Refusal.CHIPS_ONLY, "3.2", "3.2", "3.1"), "Chips only.") == (
        "! chips-only: Chips only. [3.2, 3.1]",
        "! chips-only [3.2, 3.1]",
    )
    assert tell_refusal(refuse(Refusal.NOT_STAFF), "Staff only.") == (
        "! not-staff: Staff only.",
        "! not-staff",
    )


def test_clauses_stand_once_in_brackets() -> None:
    assert cited(("3.2", "3.1", "3.2")) == " [3.2, 3.1]"
    assert cited(()) == ""


def test_who_approved_stands_beside_who_acted() -> None:
    made = ev.RulingMade(choice="continue", text="", by="Eve")
    alone, both = with_approver("Eve", None), with_approver("Eve", "Joe", lambda name: f"{name} (Post)")
    assert tell(made, DOLLARS, alone) == ["= Eve rules: play goes on."]
    assert tell(made, DOLLARS, both) == ["= Eve (Post) with Joe (Post) rules: play goes on."]


def test_people_besides_who_acted_are_named_alone() -> None:
    reported = ev.FactsConfirmed(by="Ann")
    assert tell(reported, DOLLARS, with_approver("Eve", "Joe")) == ["= Ann confirms the facts."]


def test_both_people_who_report_are_named() -> None:
    case = Case(id=1, situation=Situation.NOT_COVERED, effects=(), clause=None, by="Ann", second="Joe")
    reported = ev.IrregularityReported(case=case, by="Ann", note="")
    assert tell(reported, DOLLARS, with_approver("Ann", "Joe")) == ["= Ann and Joe report: Something else."]
