"""A shoe has a shuffle record, and is counted at its end (Hoiana 3.2.3, 3.2.5, 7.1)."""

from msgspec.structs import replace

from thirdcard.game import events as ev
from thirdcard.game.alarm_kinds import AlarmKind
from thirdcard.refusals import Refusal
from thirdcard.roundfile.parse import RoundRules, parse
from thirdcard.roundfile.play import Played, play
from thirdcard.rulebook.house import House
from thirdcard.rulebook.shelf import SHIPPED

HOIANA = "hoiana-tiger-2024/commission"
RECORD = ", shuffled by MD3-7 batch 112 at 2025-06-02T18:00:00+00:00"


def told(lines: str, *, required: bool = False, game: str = HOIANA) -> Played:
    book = SHIPPED.rulebook(game)
    house = SHIPPED.house(book.document.house)
    if required:
        settings = replace(house.form.settings, shuffle_record="required")
        house = House(replace(house.form, settings=settings), house.unit)
    return play(parse(f"game {game}\nshoe empty\n{lines}", RoundRules(house=house)), book, house)


def alarms(story: Played) -> list[tuple[AlarmKind, tuple[str, ...]]]:
    return [(each.alarm.kind, (*each.clauses,)) for each in story.events if isinstance(each, ev.AlarmRaised)]


def test_cards_without_a_shuffle_record_give_alarm_where_the_house_asks_for_one() -> None:
    story = told("Dealer: loads 8 decks\n", required=True)
    assert alarms(story) == [(AlarmKind.NO_SHUFFLE_RECORD, ("3.2.5",))]


def test_cards_with_a_shuffle_record_give_no_alarm() -> None:
    story = told(f"Dealer: loads 8 decks{RECORD}\n", required=True)
    assert alarms(story) == []
    assert story.table.shoe is not None
    assert story.table.shoe.shuffle is not None
    assert (story.table.shoe.shuffle.shuffler, story.table.shoe.shuffle.by) == ("MD3-7", "Dealer")


def test_a_house_that_does_not_ask_for_a_record_gives_no_alarm() -> None:
    assert alarms(told("Dealer: loads 8 decks\n")) == []


def test_a_sealed_shoe_needs_no_shuffle_record() -> None:
    assert alarms(told("Dealer: loads 8 decks, sealed\n", required=True)) == []


def test_a_sealed_shoe_is_not_counted() -> None:
    story = told("Dealer: loads 8 decks, sealed\nDealer: counts 416 cards\n")
    assert [each.reason for each in story.refusals] == [Refusal.NOT_AWAITED]


def test_no_shoe_is_counted_where_none_is() -> None:
    story = told("Dealer: counts 416 cards\n")
    assert [each.reason for each in story.refusals] == [Refusal.NO_CARDS_LOADED]


def test_a_count_that_is_right_gives_no_alarm() -> None:
    story = told("Dealer: loads 8 decks\nPit Supervisor: counts 416 cards\n")
    assert (alarms(story), story.table.open_cases) == ([], ())


def test_unshuffled_cards_without_a_record_need_no_finding() -> None:
    story = told("Dealer: loads 8 decks\nDealer: reports unshuffled-cards\n")
    assert story.refusals == ()


def test_a_table_for_training_opens_although_the_approval_names_another_game() -> None:
    # Front.2 of Tiger Baccarat: nothing is real at a table for training
    real = told("confirmation by hand\ntable shut\nDealer: opens the table\n", game="mbs-tiger-v3")
    assert [(each.reason, each.clauses) for each in real.refusals] == [
        (Refusal.APPROVAL_NOT_CONFIRMED, ("Front.2",))
    ]
    head = "training\nconfirmation by hand\ntable shut\n"
    assert told(f"{head}Dealer: opens the table\n", game="mbs-tiger-v3").refusals == ()
