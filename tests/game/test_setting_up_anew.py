"""A table that is shut can be made another one; what was counted goes on, and nobody is owed anything."""

import datetime

import pytest
from msgspec.structs import replace

from thirdcard.cards import Card, Rank
from thirdcard.game import commands as cmd
from thirdcard.game import events as ev
from thirdcard.game.apply import apply, apply_all
from thirdcard.game.decide import decide
from thirdcard.game.state import OnDuty, Patron, Phase, Table
from thirdcard.game.table_setup import PostedLimit, Setup
from thirdcard.refusals import Refusal, Refused
from thirdcard.roundfile.parse import parse
from thirdcard.roundfile.play import Played, play
from thirdcard.rulebook.irregularity import Situation
from thirdcard.rulebook.shelf import SHIPPED
from thirdcard.staff import Post

NOW = datetime.datetime(2025, 6, 2, 22, tzinfo=datetime.UTC)
TIGER, SUPER_SIX, HOIANA = "mbs-tiger-v3", "mbs-super-six-etg-v3", "hoiana-tiger-2024/commission"
ROUND = """
    patrons Ann at 1, Bob at 8
    Dealer: opens betting
    Ann: 100 on player at 1
    Dealer: closes betting
    Dealer: draws 9 2 K 5
    Ann: disputes the payment
"""
CLOSED = ROUND + "Dealer: closes the table because the night is over\n"
TERMINALS = "patrons T1\nT1: buys 100 credits\n"


def told(game: str, text: str) -> Played:
    book = SHIPPED.rulebook(game)
    lines = [line.strip() for line in text.strip().splitlines()]
    return play(parse("\n".join([f"game {game}", *lines])), book, SHIPPED.house(book.document.house))


def as_set_up(game: str, **changes: object) -> Setup:
    return replace(told(game, "patrons Ann").table.setup, **changes)


def anew(table: Table, setup: Setup, actor: str = "Table") -> tuple[ev.Event, ...] | Refused:
    """The result of setting a table up anew, decided by the books of the new table."""
    book = SHIPPED.rulebook(setup.game)
    envelope = cmd.Envelope(actor=actor, received_at=NOW, command_id="c")
    return decide(book, SHIPPED.house(setup.house), table, cmd.Command(cmd.SetUpTable(setup=setup), envelope))


def refused(table: Table, setup: Setup, actor: str = "Table") -> Refused:
    result = anew(table, setup, actor)
    assert isinstance(result, Refused)
    return result


def made(table: Table, setup: Setup) -> tuple[tuple[ev.Event, ...], Table]:
    result = anew(table, setup)
    assert not isinstance(result, Refused), result
    return result, apply_all(table, result)


def test_limits_change_while_a_table_is_shut_and_numbers_go_on() -> None:
    before = told(TIGER, CLOSED).table
    limits = tuple(PostedLimit(each.wager, 10_000, 900_000) for each in before.setup.limits)
    events, after = made(before, replace(before.setup, limits=limits))
    assert [type(event) for event in events] == [ev.TableSetUp]
    assert (after.phase, after.setup.limits) == (Phase.SHUT, limits)
    assert (after.rounds, after.shoes, after.next_wager) == (1, 1, 2)
    assert (after.equipment, after.round, after.shoe, after.wagers) == ((), None, None, ())
    assert [each.about for each in after.disputes] == ["the payment"]
    assert (after.patrons, after.staff) == (before.patrons, before.staff)
    assert after.last_shoe == tuple(Card(rank) for rank in (Rank.NINE, Rank.TWO, Rank.KING, Rank.FIVE))


def test_the_next_shoe_and_the_next_round_have_the_next_numbers() -> None:
    _, table = made(told(TIGER, CLOSED).table, as_set_up(TIGER, decks=6))
    book = SHIPPED.rulebook(TIGER)
    bodies: list[cmd.Body] = [cmd.TickEquipment(item=item.id) for item in book.document.equipment]
    confirmed = cmd.RecordConfirmation(reference="GRA-17", date=NOW.date())
    bodies += [confirmed, cmd.OpenTable(), cmd.LoadShoe(decks=6), cmd.OpenBetting()]
    for body in bodies:
        actor, second = ("Gaming Shift Manager", "Pit Manager") if body is confirmed else ("Table", None)
        envelope = cmd.Envelope(actor=actor, received_at=NOW, command_id="c", authoriser=second)
        result = decide(book, SHIPPED.house(table.setup.house), table, cmd.Command(body, envelope))
        assert not isinstance(result, Refused), (body, result)
        table = apply_all(table, result)
    assert (table.phase, table.rounds) == (Phase.BETTING, 2)
    assert table.shoe is not None
    assert (table.shoe.number, table.shoe.left) == (2, 312)


def test_nothing_is_told_of_the_cards_of_a_table_that_is_set_up_anew() -> None:
    closed = "Dealer: reports exposed-in-movement\nDealer: closes the table because the night is over\n"
    before = replace(told(HOIANA, closed).table, free_hands=())
    assert before.told
    _, after = made(before, before.setup)
    assert (after.told, after.shoe) == ((), None)


def test_patrons_without_a_position_and_staff_without_a_post_leave() -> None:
    before = told(TIGER, CLOSED).table
    before = apply(before, ev.PatronCame(patron="Cy", position=None, seated=False))
    events, after = made(before, as_set_up(HOIANA))
    assert [event.patron for event in events if isinstance(event, ev.PatronLeft)] == ["Bob"]
    assert [each.name for each in after.patrons] == ["Ann", "Cy"]
    gone = [event.person for event in events if isinstance(event, ev.StaffLeft)]
    assert gone == ["Assistant Casino Manager", "Gaming Shift Manager"]
    assert OnDuty("Pit Manager", Post("pit-manager")) in after.staff
    assert isinstance(events[-1], ev.TableSetUp)
    assert after.setup.game == HOIANA


def test_terminals_know_no_positions() -> None:
    events, after = made(told(TIGER, CLOSED).table, as_set_up(SUPER_SIX))
    assert [event.patron for event in events if isinstance(event, ev.PatronLeft)] == ["Ann", "Bob"]
    assert after.patrons == ()


def test_a_patron_stays_marked() -> None:
    before = replace(told(TIGER, CLOSED).table, patrons=(Patron("Ann", 1, True, marked=1),))
    _, after = made(before, as_set_up(TIGER))
    assert after.patrons == before.patrons


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (ROUND, Refusal.NOT_IN_THIS_PHASE),
        ("patrons Ann at 1\nDealer: opens betting", Refusal.NOT_IN_THIS_PHASE),
        ("table shut\nDealer: pauses the table because of smoke", Refusal.TABLE_PAUSED),
        ("table shut\nDealer: reports not-covered because so", Refusal.IRREGULARITY_UNDER_WAY),
        ("table shut\nshoe empty\nDealer: loads 8 decks, sealed", Refusal.SHOE_NOT_OPENED),
    ],
)
def test_a_table_in_use_stays_what_it_is(text: str, reason: Refusal) -> None:
    table = told(TIGER, text).table
    assert refused(table, as_set_up(TIGER, decks=6)).reason is reason


def test_a_shoe_that_a_clause_keeps_is_played_first() -> None:
    forgotten = """
        patrons Ann at 1
        burn forgotten
        Dealer: opens betting
        Ann: 100 on player at 1
        Dealer: closes betting
        Dealer: draws 9 2 K 5
        Ann: keeps the cards
        Dealer: closes the table because the night is over
    """
    result = refused(told(HOIANA, forgotten).table, as_set_up(HOIANA, face_down=True))
    assert (result.reason, result.clauses) == (Refusal.SHOE_IS_KEPT, ("7.11.2.1",))


def test_a_free_hand_that_is_owed_is_dealt_first() -> None:
    disclosed = (
        "patrons Ann at 1\nDealer: reports face-up-card cards 9H\nDealer: closes the table because of night\n"
    )
    table = told(HOIANA, disclosed).table
    result = refused(table, as_set_up(HOIANA, face_down=True))
    assert (result.reason, result.clauses) == (Refusal.FREE_HAND_DUE, ("7.5",))
    withdrawn = told(HOIANA, disclosed + "Dealer with Pit Manager: withdraws the report").table
    assert made(withdrawn, as_set_up(HOIANA, face_down=True))[1].shoe is None


def test_a_report_about_cards_that_go_is_not_kept() -> None:
    shut = "table shut\nburn forgotten\nDealer: reports face-up-card cards 9H"
    table = told(HOIANA, shut).table
    assert [each.situation for each in table.told] == [Situation.FACE_UP_CARD]
    _, after = made(table, as_set_up(HOIANA, face_down=True))
    assert (after.told, after.shoe) == ((), None)


def test_credits_are_cashed_out_first() -> None:
    bought = TERMINALS + "Dealer: closes the table because the night is over\n"
    assert refused(told(SUPER_SIX, bought).table, as_set_up(TIGER)).reason is Refusal.CREDITS_REMAIN
    _, after = made(told(SUPER_SIX, bought + "T1: cashes out 100").table, as_set_up(TIGER))
    assert (after.setup.terminal, after.credits) == (False, ())


def test_only_the_table_itself_does_it_and_keeps_its_name() -> None:
    table = told(TIGER, CLOSED).table
    assert refused(table, table.setup, actor="Dealer").reason is Refusal.NOT_PERMITTED
    assert refused(table, as_set_up(TIGER, table="Other")).reason is Refusal.NOT_PERMITTED
    assert refused(table, as_set_up(TIGER, table="Other"), actor="Other").reason is Refusal.NOT_PERMITTED


def test_what_no_new_table_could_be_is_refused() -> None:
    table = told(TIGER, CLOSED).table
    assert refused(table, as_set_up(TIGER, decks=3)).reason is Refusal.DECKS_NOT_PERMITTED
    assert refused(table, as_set_up(TIGER, terminal=True)).reason is Refusal.TRAINING_ONLY
    _, after = made(table, as_set_up(TIGER, terminal=True, training=True))
    assert (after.setup.terminal, after.setup.training) == (True, True)
