"""Chips and cash of a live table: two people, slips in order, and a tray that is derivable at any time."""

import pytest
from journal.made_up_values import made_up
from msgspec.structs import replace
from story import HO, N4, NOW, S6, T3, asked, happened, reasons, refused, told

from thirdcard.folds.ledger import CAGE, DROP, HOUSE, OVER_SHORT, TRAY, balances, entries, in_tray
from thirdcard.game import commands as cmd
from thirdcard.game import events as ev
from thirdcard.game.apply import apply_all
from thirdcard.game.chip_folds import MOVES_CHIPS, to_tray
from thirdcard.game.decide import decide
from thirdcard.game.state import Table
from thirdcard.game.table_chips import DropBox, Pieces, sum_of
from thirdcard.game.table_setup import Setup
from thirdcard.money import MOST_AMOUNT
from thirdcard.refusals import Refusal, Refused
from thirdcard.roundfile.play import Played
from thirdcard.rulebook.house import House, HouseChips, MoneyAct
from thirdcard.rulebook.shelf import SHIPPED
from thirdcard.views.next_actions import NextStep, due_at

TWO = "Dealer with Pit Supervisor"
OPENER = f"patrons Ann at 1, Bob at 2\n{TWO}: counts the opener 50 x 100, 200 x 25\n"  # 10,000.00
ROUND = """\
Dealer: opens betting
Ann: 200 on player at 1
Bob: 100 on banker at 2
Dealer: closes betting
Dealer: draws 9 2 K 5
Dealer: calls player
"""  # the Player wins 9 to 7: Ann gets 200, and Bob's 100 are taken
DAY = f"""\
automatic expose
{OPENER}{TWO}: brings chips 20 x 500
Dealer: sells chips to Ann for 1000
{ROUND}{TWO}: sends back chips 3 x 1000
{TWO}: counts the closer 15 x 1000, 9 x 100
Carl with Cora: counts drop box 1, 9 x 100, 2 x 50
"""
HUNDRED = (Pieces(10_000, 1),)


def no_chips(house: House) -> House:
    return replace(house, form=replace(house.form, chips=None))


def chips_of(story: Played) -> list[ev.Event]:
    return [each for each in story.events if isinstance(each, ev.ChipsEvent)]


def test_day_of_a_table_ends_with_the_chips_that_must_lie_there() -> None:
    """10,000 + 10,000 - 1,000 for cash - 200 + 100 - 3,000 = 15,900."""
    story = told(T3, DAY)
    assert reasons(story) == []
    (closer,) = happened(story, ev.CloserCounted)
    assert (closer.amount, closer.expected) == (1_590_000, 1_590_000)
    (drop,) = happened(story, ev.DropCounted)
    assert (drop.amount, drop.expected) == (100_000, 100_000)
    win = closer.amount + 300_000 + drop.amount - 1_000_000 - 1_000_000
    assert win == -10_000 == balances(story.events)[HOUSE]
    assert [each.slip for each in chips_of(story)] == [1, 2, 3, 4, 5, 6]  # type: ignore[union-attr]
    assert story.table.chips.boxes == ()


def test_books_of_a_day_say_where_chips_and_cash_are() -> None:
    held = balances(told(T3, DAY).events)
    # the cage gave 20,000, and has 3,000 + 15,900 in chips and 1,000 in cash back
    assert (held[CAGE], held[TRAY], held[DROP], held[OVER_SHORT]) == (-10_000, 10_000, 0, 0)


def test_difference_of_a_closer_and_of_a_drop_stand_in_the_books() -> None:
    """The closer is 100 short and the drop 50 over."""
    text = DAY.replace("15 x 1000, 9 x 100", "15 x 1000, 8 x 100").replace("2 x 50", "3 x 50")
    story = told(T3, text)
    (closer,), (drop,) = happened(story, ev.CloserCounted), happened(story, ev.DropCounted)
    assert closer.amount - closer.expected == -10_000
    assert drop.amount - drop.expected == 5_000
    assert balances(story.events)[OVER_SHORT] == 5_000


def test_next_opener_is_held_against_the_closer_before() -> None:
    story = told(T3, f"{DAY}{TWO}: counts the opener 15 x 1000\n")
    first, second = happened(story, ev.OpenerCounted)
    assert (first.expected, second.expected) == (None, 1_590_000)
    assert (second.inventory, second.slip) == (2, 7)
    now = story.table.chips.open
    assert now is not None
    assert (now.number, now.tray, now.cash) == (2, 1_500_000, 0)


def test_count_is_kept_from_the_highest_value_down_with_each_value_once() -> None:
    story = told(T3, f"{TWO}: counts the opener 3 x 5, 2 x 1000, 4 x 5\n")
    (opener,) = happened(story, ev.OpenerCounted)
    assert opener.count == (Pieces(100_000, 2), Pieces(500, 7))
    assert opener.amount == sum_of(opener.count) == 203_500


# who, and when


@pytest.mark.parametrize("game", [T3, HO, N4])
def test_chips_are_counted_and_moved_by_two_people_and_never_by_one(game: str) -> None:
    table = told(game, OPENER).table
    for body in (cmd.FillChips(count=HUNDRED), cmd.ReturnChips(count=HUNDRED), cmd.CountCloser(count=())):
        assert refused(game, table, body).reason is Refusal.SECOND_PERSON_NEEDED
        assert refused(game, table, body, "Dealer", "Dealer").reason is Refusal.SECOND_PERSON_NEEDED
        assert refused(game, table, body, "Nobody", "Pit Manager").reason is Refusal.NOT_STAFF
    fresh = told(game, "").table
    assert refused(game, fresh, cmd.CountOpener(count=())).reason is Refusal.SECOND_PERSON_NEEDED


def test_large_fill_takes_the_higher_post_of_the_house() -> None:
    """100,000 and more takes a Pit Manager."""
    table = told(T3, OPENER).table
    small, large = (cmd.FillChips(count=(Pieces(1_000_000, number),)) for number in (9, 10))
    assert not isinstance(asked(T3, table, small, "Dealer", "Pit Supervisor"), Refused)
    why = refused(T3, table, large, "Dealer", "Pit Supervisor")
    assert (why.reason, dict(why.params)) == (Refusal.NOT_AUTHORISED, {"post": "@post.pit-manager"})
    assert not isinstance(asked(T3, table, large, "Dealer", "Pit Manager"), Refused)


def test_large_fill_takes_the_higher_post_in_parts_as_well() -> None:
    """60,000 and 40,000 that nobody else has acknowledged are 100,000."""
    table = told(T3, f"{OPENER}{TWO}: brings chips 6 x 10000\n").table
    part, least = (cmd.FillChips(count=(Pieces(500_000, number),)) for number in (8, 7))
    for people in (("Dealer", "Pit Supervisor"), ("Pit Supervisor", "Dealer")):
        assert refused(T3, table, part, *people).reason is Refusal.NOT_AUTHORISED
    for body in (least, cmd.ReturnChips(count=part.count)):
        assert not isinstance(asked(T3, table, body, "Dealer", "Pit Supervisor"), Refused)
    assert not isinstance(asked(T3, table, part, "Dealer", "Pit Manager"), Refused)
    seen = asked(T3, table, cmd.AcknowledgeAlert(sequence=1, act=table.unseen[-1].id), "Pit Manager")
    assert not isinstance(seen, Refused)
    table = apply_all(table, seen)
    assert not isinstance(asked(T3, table, part, "Dealer", "Pit Supervisor"), Refused)


def test_cash_is_taken_by_one_person_up_to_what_the_house_says() -> None:
    """5,000 alone, counted with all that nobody else has acknowledged."""
    table = told(T3, f"{OPENER}Dealer: sells chips to Ann for 3000\n").table
    body = cmd.BuyChips(patron="Bob", amount=200_001)
    assert refused(T3, table, body).reason is Refusal.SECOND_PERSON_NEEDED
    assert not isinstance(asked(T3, table, replace(body, amount=200_000)), Refused)
    (bought,) = asked(T3, table, body, "Dealer", "Pit Supervisor")
    assert (bought.by, bought.second, bought.procedure) == ("Dealer", "Pit Supervisor", "buy-in")
    assert table.unseen[-1].act is MoneyAct.BUY_IN


def test_drop_box_is_counted_by_nobody_who_was_on_duty_while_it_filled() -> None:
    closed = told(
        T3, f"{OPENER}Eve: comes on duty as dealer\nEve: goes off duty\n{TWO}: counts the closer nothing\n"
    )
    table, body = closed.table, cmd.CountDrop(inventory=1, count=())
    assert "Eve" in table.chips.boxes[0].people
    for actor, second in (("Eve", "Cora"), ("Carl", "Eve"), ("Dealer", "Cora")):
        assert refused(T3, table, body, actor, second).reason is Refusal.WORKED_AT_TABLE
    assert refused(T3, table, body, "Carl").reason is Refusal.SECOND_PERSON_NEEDED
    assert refused(T3, table, body, "Carl", "Carl").reason is Refusal.SECOND_PERSON_NEEDED
    assert not isinstance(asked(T3, table, body, "Carl", "Cora"), Refused)


def test_whoever_is_appointed_while_an_inventory_is_open_is_of_the_table() -> None:
    text = f"{OPENER}Pit Manager: appoints Eve acting pit-manager until 2025-06-03T04:00:00+00:00\n"
    now = told(T3, text).table.chips.open
    assert now is not None
    assert "Eve" in now.people


def test_opener_comes_first_and_once() -> None:
    table = told(T3, "patrons Ann at 1\n").table
    for body in (
        cmd.FillChips(count=HUNDRED),
        cmd.BuyChips(patron="Ann", amount=100),
        cmd.VoidSlip(slip=1, reason="so"),
        cmd.CountCloser(count=()),
    ):
        assert refused(T3, table, body, "Dealer", "Pit Manager").reason is Refusal.OPENER_NEEDED
    again = refused(T3, told(T3, OPENER).table, cmd.CountOpener(count=()), "Dealer", "Pit Manager")
    assert again.reason is Refusal.OPENER_IS_COUNTED


def test_counts_wait_until_the_round_is_over_and_fills_do_not() -> None:
    table = told(T3, f"automatic expose\n{OPENER}Dealer: opens betting\n").table
    why = refused(T3, table, cmd.CountCloser(count=()), "Dealer", "Pit Manager")
    assert why.reason is Refusal.NOT_IN_THIS_PHASE
    assert not isinstance(asked(T3, table, cmd.FillChips(count=HUNDRED), "Dealer", "Pit Manager"), Refused)
    lying = told(T3, f"{OPENER}Dealer: opens betting\nAnn: 200 on player at 1\n").table
    idle = replace(told(T3, OPENER).table, wagers=lying.wagers)
    assert refused(T3, idle, cmd.CountCloser(count=()), "Dealer", "Pit Manager").reason is Refusal.WAGERS_LIE


def test_no_chips_are_counted_at_terminals_or_where_the_house_lists_none() -> None:
    body = cmd.CountOpener(count=HUNDRED)
    at_terminals = told(S6, "").table
    assert refused(S6, at_terminals, body, "Dealer", "Pit Manager").reason is Refusal.CHIPS_NOT_HERE
    table, book = told(T3, "").table, SHIPPED.rulebook(T3)
    envelope = cmd.Envelope(actor="Dealer", received_at=NOW, command_id="c", authoriser="Pit Manager")
    found = decide(book, no_chips(SHIPPED.house("hoiana")), table, cmd.Command(body, envelope))
    assert isinstance(found, Refused)
    assert found.reason is Refusal.CHIPS_NOT_HERE


@pytest.mark.parametrize(
    ("body", "why"),
    [
        (cmd.FillChips(count=(Pieces(300, 1),)), Refusal.NO_SUCH_PIECE),
        (cmd.FillChips(count=()), Refusal.NOTHING_COUNTED),
        (cmd.FillChips(count=(Pieces(10_000, 10**12),)), Refusal.COUNT_TOO_HIGH),
        (cmd.CountCloser(count=(Pieces(1, 5), Pieces(2, 1))), Refusal.NO_SUCH_PIECE),
        (cmd.BuyChips(patron="Ann", amount=0), Refusal.NOTHING_COUNTED),
        (cmd.BuyChips(patron="Ann", amount=MOST_AMOUNT + 1), Refusal.COUNT_TOO_HIGH),
        (cmd.BuyChips(patron="Zed", amount=100), Refusal.UNKNOWN_PATRON),
        (cmd.VoidSlip(slip=1, reason="so"), Refusal.NO_SUCH_SLIP),
        (cmd.CountDrop(inventory=1, count=()), Refusal.NO_BOX_TO_COUNT),
    ],
)
def test_what_cannot_be_is_refused(body: cmd.Body, why: Refusal) -> None:
    assert refused(T3, told(T3, OPENER).table, body, "Dealer", "Pit Manager").reason is why


def test_pieces_that_there_are_not_are_refused_in_every_count() -> None:
    wrong = (Pieces(300, 1),)
    assert refused(T3, told(T3, "").table, cmd.CountOpener(count=wrong), "Dealer", "Pit Manager").reason is (
        Refusal.NO_SUCH_PIECE
    )
    closed = told(T3, f"{OPENER}{TWO}: counts the closer nothing\n").table
    drop = cmd.CountDrop(inventory=1, count=wrong)
    assert refused(T3, closed, drop, "Carl", "Cora").reason is Refusal.NO_SUCH_PIECE


# slips that are voided


def test_voided_slip_moves_nothing() -> None:
    text = (
        f"{OPENER}{TWO}: brings chips 20 x 500\n{TWO}: sends back chips 1 x 1000\n"
        "Dealer: sells chips to Ann for 1000\n"
        + "".join(f"{TWO}: voids slip {number} because it was wrong\n" for number in (2, 3, 4))
    )
    story = told(T3, text)
    assert reasons(story) == []
    now = story.table.chips.open
    assert now is not None
    assert (now.tray, now.cash, now.slips) == (1_000_000, 0, ())
    assert story.table.chips.slips == 4
    held = balances(story.events)
    assert (held[CAGE], held[TRAY], held[DROP], held["patron:Ann"]) == (-1_000_000, 1_000_000, 0, 0)


def test_voided_slip_is_acknowledged_by_somebody_who_had_no_part_in_it() -> None:
    table = told(
        T3, f"{OPENER}Dealer: sells chips to Ann for 100\n{TWO}: voids slip 2 because it was wrong\n"
    ).table
    sold, act = table.unseen
    table = apply_all(
        table, asked(T3, table, cmd.AcknowledgeAlert(sequence=1, act=sold.id), "Pit Supervisor")
    )
    assert (act.act, act.people, act.amount) == (MoneyAct.CORRECTION, ("Dealer", "Pit Supervisor"), 10_000)
    seen = cmd.AcknowledgeAlert(sequence=1, act=act.id)
    assert refused(T3, table, seen, "Pit Supervisor").reason is Refusal.OWN_ACT
    assert apply_all(table, asked(T3, table, seen, "Pit Manager")).unseen == ()


@pytest.mark.parametrize(
    ("lines", "act", "amount"),
    [
        ("{two}: brings chips 1 x 100\n", MoneyAct.FILL, 10_000),
        ("{two}: sends back chips 2 x 100\n", MoneyAct.CREDIT, 20_000),
        ("{two}: counts the closer 99 x 100\n", MoneyAct.CLOSER, 10_000),
        ("{two}: counts the closer 101 x 100\n", MoneyAct.CLOSER, 10_000),
    ],
)
def test_chips_that_moved_or_differ_are_acknowledged_by_somebody_who_had_no_part(
    lines: str, act: MoneyAct, amount: int
) -> None:
    table = told(T3, OPENER + lines.format(two=TWO)).table
    (moved,) = table.unseen
    assert (moved.act, moved.people, moved.amount) == (act, ("Dealer", "Pit Supervisor"), amount)
    seen = cmd.AcknowledgeAlert(sequence=1, act=moved.id)
    assert refused(T3, table, seen, "Pit Supervisor").reason is Refusal.OWN_ACT
    assert apply_all(table, asked(T3, table, seen, "Pit Manager")).unseen == ()


def test_count_that_is_right_waits_for_nobody() -> None:
    closed = f"{OPENER}{TWO}: counts the closer 100 x 100\n"
    assert told(T3, closed).table.unseen == ()
    (act,) = told(T3, f"{closed}Carl with Cora: counts drop box 1, 1 x 50\n").table.unseen
    assert (act.act, act.people, act.amount) == (MoneyAct.DROP_COUNT, ("Carl", "Cora"), 5_000)


def test_slip_is_voided_by_two_people_and_once() -> None:
    table = told(T3, f"{OPENER}Dealer: sells chips to Ann for 1000\n").table
    body = cmd.VoidSlip(slip=2, reason="so")
    assert refused(T3, table, body).reason is Refusal.SECOND_PERSON_NEEDED
    assert (
        refused(T3, table, replace(body, reason=" "), "Dealer", "Pit Manager").reason is Refusal.TEXT_NEEDED
    )
    voided = apply_all(table, asked(T3, table, body, "Dealer", "Pit Manager"))
    assert refused(T3, voided, body, "Dealer", "Pit Manager").reason is Refusal.NO_SUCH_SLIP


# the opener before the first call


def house_that_requires(opener: str = "required") -> House:
    house = SHIPPED.house("marina-bay-sands")
    assert house.form.chips is not None
    return replace(house, form=replace(house.form, chips=replace(house.form.chips, opener=opener)))


def calls_for_wagers(house: House, table: Table) -> bool:
    envelope = cmd.Envelope(actor="Dealer", received_at=NOW, command_id="c")
    found = decide(SHIPPED.rulebook(T3), house, table, cmd.Command(cmd.OpenBetting(), envelope))
    assert not isinstance(found, Refused) or found.reason is Refusal.OPENER_NEEDED
    return not isinstance(found, Refused)


def trained(setup: Setup) -> Setup:
    return replace(setup, training=True)


def test_no_wagers_are_called_for_before_the_opener_where_the_house_requires_it() -> None:
    before, after = told(T3, "").table, told(T3, OPENER).table
    required = house_that_requires()
    assert not calls_for_wagers(required, before)
    assert calls_for_wagers(required, after)
    assert calls_for_wagers(house_that_requires("optional"), before)
    assert calls_for_wagers(required, replace(before, setup=trained(before.setup)))


def test_table_waits_for_its_opener_where_the_house_requires_it() -> None:
    book = SHIPPED.rulebook(T3)
    steps = [due_at(book, house_that_requires(), told(T3, text).table).awaited for text in ("", OPENER)]
    assert [each.step if each else None for each in steps] == [NextStep.COUNT_OPENER, NextStep.OPEN_BETTING]


def test_table_set_up_anew_keeps_its_chips() -> None:
    table = told(T3, OPENER).table
    again = apply_all(table, (ev.TableSetUp(setup=table.setup, method=None, owners_per_area=None),))
    assert again.chips == table.chips


# the tray beside the books


def test_tray_of_a_table_is_what_the_books_say() -> None:
    """Every event that moves chips, made up by chance, moves the tray as the ledger does."""
    for kind in MOVES_CHIPS:
        for event in made_up(kind, 40):
            assert to_tray(event) == in_tray(event, entries(event)), event
    assert to_tray(ev.TableOpened()) == 0


@pytest.mark.parametrize("kind", [ev.AwardPaid, ev.AwardSetOff])
def test_award_leaves_the_tray_alone(kind: type[ev.Event]) -> None:
    """The cage pays it."""
    for event in made_up(kind, 40):
        assert to_tray(event) == in_tray(event, entries(event)) == 0


def test_held_chips_are_in_no_tray_until_they_are_decided_about() -> None:
    text = f"""\
automatic expose
{OPENER}Dealer: opens betting
Ann: 200 on banker at 1
Dealer: holds banker of Ann at 1 as suspected
Dealer: closes betting
Dealer: draws 9 2 K 5
Dealer: calls player
"""
    story = told(T3, text)
    assert reasons(story) == []
    now = story.table.chips.open
    assert now is not None
    assert now.tray == 1_000_000


def test_boxes_wait_until_they_are_counted() -> None:
    twice = f"{TWO}: counts the closer nothing\n{TWO}: counts the opener nothing\n"
    boxes = told(T3, f"{OPENER}{twice}{TWO}: counts the closer nothing\n").table.chips.boxes
    assert [each.inventory for each in boxes] == [1, 2]
    assert isinstance(boxes[0], DropBox)


def test_house_without_chips_has_no_values() -> None:
    bare = no_chips(SHIPPED.house("hoiana"))
    assert (bare.chip_values, bare.note_values) == ((), ())
    assert SHIPPED.house("hoiana").note_values == (10_000, 5_000, 2_000, 1_000, 500, 100)
    assert HouseChips(values=("1",), notes=("1",)).opener == "optional"
