"""Commands that name the irregularity, or the place of the card, that whoever sent them saw."""

from story import HO, T3, asked, reasons, refused, told

from thirdcard.cards import parse_card
from thirdcard.game import commands as cmd
from thirdcard.game import events as ev
from thirdcard.game.apply import apply
from thirdcard.game.state import Phase, Table
from thirdcard.refusals import Refusal
from thirdcard.roundfile.play import Played
from thirdcard.rulebook.irregularity import Situation

CLOSED = """automatic expose
patrons Ann at 1, Bob at 2
Dealer: opens betting
Ann: 100 on player at 1
Dealer: closes betting
"""
# the first case asks patrons, the second waits for its facts to be confirmed
OFFER = CLOSED + "Dealer: draws 9 2 together, order known\n"
TWO = OFFER + "Dealer: reports foreign-card\n"
# two cases that wait for a decision of the same post
DECISIONS = (
    CLOSED
    + "Dealer: draws 9\nDealer: reports not-covered of Ann because she fell\n"
    + "Dealer: reports not-covered because a glass fell\n"
)
MANAGER = "Gaming Shift Manager"


def table_of(story: Played) -> Table:
    assert reasons(story) == []
    return story.table


def ids(table: Table) -> list[int]:
    return [each.id for each in table.open_cases]


def after(table: Table, events: tuple[ev.Event, ...]) -> Table:
    for event in events:
        table = apply(table, event)
    return table


def test_ruling_on_a_case_that_another_goes_before_is_refused() -> None:
    table = table_of(told(T3, DECISIONS))
    assert ids(table) == [1, 2]
    ruling = cmd.Rule(choice="continue", text="nothing is lost", case=1)
    assert refused(T3, table, ruling, MANAGER).reason is Refusal.IRREGULARITY_UNDER_WAY


def test_ruling_on_a_case_that_is_over_is_refused() -> None:
    table = table_of(told(T3, DECISIONS + f"{MANAGER}: rules continue because nothing is lost\n"))
    assert ids(table) == [1]
    ruling = cmd.Rule(choice="void-round", text="a card was hidden", case=2)
    assert refused(T3, table, ruling, MANAGER).reason is Refusal.CASE_IS_OVER


def test_ruling_on_the_case_that_is_dealt_with_is_made() -> None:
    ruling = cmd.Rule(choice="continue", text="nothing is lost", case=2)
    events = asked(T3, table_of(told(T3, DECISIONS)), ruling, MANAGER)
    assert [each.id for each in events if isinstance(each, ev.CaseClosed)] == [2]


def test_permission_does_not_lapse_by_going_on_without_another_case() -> None:
    """Clause 7.9: the Shift Manager may let patrons withdraw."""
    table = table_of(told(HO, CLOSED + "Dealer: draws 9 to banker\n"))
    assert refused(HO, table, cmd.EndOffer(case=7)).reason is Refusal.CASE_IS_OVER
    events = asked(HO, table, cmd.EndOffer(case=1))
    assert [each.id for each in events if isinstance(each, ev.CaseClosed)] == [1]


def test_facts_of_the_named_case_are_confirmed() -> None:
    """Clause 5.1.1: a foreign card voids the round, whichever case came to light after it."""
    table = table_of(told(T3, CLOSED + "Dealer: draws 9\nDealer: reports foreign-card\n"))
    table = after(
        table, asked(T3, table, cmd.ReportIrregularity(situation=Situation.NOT_COVERED, note="a glass fell"))
    )
    assert ids(table) == [2, 1]
    assert refused(T3, table, cmd.ConfirmFacts(case=2), "Pit Manager").reason is Refusal.NOT_AWAITED
    assert refused(T3, table, cmd.ConfirmFacts(case=3), "Pit Manager").reason is Refusal.CASE_IS_OVER
    events = asked(T3, table, cmd.ConfirmFacts(case=1), "Pit Manager")
    assert events[0] == ev.FactsConfirmed(by="Pit Manager", id=1)
    assert after(table, events).round is not None
    assert any(isinstance(each, ev.RoundVoided) for each in events)


def test_case_that_is_not_dealt_with_first_is_disproved() -> None:
    table = table_of(told(T3, DECISIONS))
    found = cmd.DisproveFacts(found="Ann had nothing there", case=1)
    assert ids(after(table, asked(T3, table, found, "Pit Manager"))) == [2]
    over = cmd.DisproveFacts(found="Ann had nothing there", case=3)
    assert refused(T3, table, over, "Pit Manager").reason is Refusal.CASE_IS_OVER


def test_report_that_is_not_dealt_with_first_is_withdrawn() -> None:
    table = table_of(told(T3, DECISIONS))
    assert ids(after(table, asked(T3, table, cmd.WithdrawReport(case=1)))) == [2]
    assert refused(T3, table, cmd.WithdrawReport(case=3)).reason is Refusal.CASE_IS_OVER


def test_what_the_table_noticed_is_not_withdrawn_by_its_number() -> None:
    """Clause 7.9: the card lies at the wrong hand, whoever says so."""
    table = table_of(told(HO, CLOSED + "Dealer: draws 9 to banker\n"))
    assert refused(HO, table, cmd.WithdrawReport(case=1)).reason is Refusal.NOT_AWAITED


def test_answer_to_an_offer_that_is_over_is_refused() -> None:
    """Clause 5.8.1: patrons may withdraw before the cards are laid in their order."""
    table = table_of(told(T3, OFFER))
    answer = cmd.AnswerOffer(patron="Ann", withdraw=True, case=2)
    assert refused(T3, table, answer, "Ann").reason is Refusal.CASE_IS_OVER
    own = cmd.AnswerOffer(patron="Ann", withdraw=True, case=1)
    assert any(isinstance(each, ev.OfferAnswered) for each in asked(T3, table, own, "Ann"))


def test_offer_that_another_case_goes_before_is_not_ended() -> None:
    table = table_of(told(T3, TWO))
    assert refused(T3, table, cmd.EndOffer(case=1)).reason is Refusal.IRREGULARITY_UNDER_WAY


def test_card_entered_for_another_place_is_refused() -> None:
    """Two consoles of one table: what was typed for the first card is not laid as the third."""
    table = table_of(told(T3, CLOSED + "Dealer: draws 9 2\n"))
    late = refused(T3, table, cmd.DrawCard(card=parse_card("9"), at=1))
    assert (late.reason, dict(late.params)) == (Refusal.OTHER_PLACE, {"at": 1, "due": 3})
    events = asked(T3, table, cmd.DrawCard(card=parse_card("9"), at=3))
    assert isinstance(events[0], ev.CardDrawn)


def test_first_card_has_the_first_place() -> None:
    table = table_of(told(T3, CLOSED))
    assert isinstance(asked(T3, table, cmd.DrawCard(card=parse_card("9"), at=1))[-1], ev.CardDrawn)


def test_cards_that_never_came_before_the_call_leave_betting_open() -> None:
    """3.2, 6.1: nobody has called, and there was no first card without a call."""
    slip = OFFER.replace("Dealer: closes betting\n", "")
    table = table_of(told(T3, slip))
    for number in (1, 3):
        body = cmd.WithdrawReport(case=number)
        table = after(table, asked(T3, table, body, "Dealer", "Pit Manager"))
    assert ids(table) == []
    assert table.phase is Phase.BETTING
    assert not table.uncalled
