"""The meaning of a card reader's readings at a table, and the alarms that they give."""

import datetime

import pytest
from msgspec import structs

from thirdcard.cards import Card, parse_card
from thirdcard.devices.reader_feed import Fed, Feed, named_otherwise, not_taken, see
from thirdcard.devices.reader_feed import take as take_at
from thirdcard.devices.reader_lines import (
    CardBurned,
    CardMisread,
    CardRead,
    CuttingCardCame,
    Fault,
    ReaderReading,
    ResultShown,
)
from thirdcard.floor.state import ReaderRole
from thirdcard.game import commands as cmd
from thirdcard.game import events as ev
from thirdcard.game.alarm_kinds import AlarmKind
from thirdcard.game.card_sources import RESERVE, STRAY
from thirdcard.game.state import CardState, Hand, Phase, Table
from thirdcard.roundfile.parse import RoundRules, parse
from thirdcard.roundfile.play import play
from thirdcard.rulebook.facts import Winner
from thirdcard.rulebook.shelf import SHIPPED
from thirdcard.staff import Acting, Post


def face(text: str) -> Card:
    card = parse_card(text)
    assert card is not None
    return card


def table(lines: str = "") -> Table:
    rulebook = SHIPPED.rulebook("mbs-tiger-v3")
    house = SHIPPED.house(rulebook.document.house)
    return play(parse(f"game mbs-tiger-v3\n{lines}", RoundRules(house=house)), rulebook, house).table


NOW = datetime.datetime(2025, 6, 2, 20, tzinfo=datetime.UTC)


def take(feed: Feed, reading: ReaderReading, at: Table) -> Fed:
    return take_at(feed, reading, at, NOW)


NINE, SIX = face("9H"), face("6C")
BETTING = table("Dealer: opens betting\n")
DEALS, CHECKS = Feed(shoe=("s", 1)), Feed(ReaderRole.CHECKS, shoe=("s", 1))


def alarm(kind: AlarmKind, card: Card | None = None, other: Card | None = None) -> cmd.RaiseAlarm:
    return cmd.RaiseAlarm(kind=kind, card=card, other=other)


POSTS = ("Dealer", "Pit Supervisor", "Pit Manager", "Assistant Casino Manager", "Gaming Shift Manager")
UNEXPECTED, MISREAD = AlarmKind.UNEXPECTED_CARD, AlarmKind.MISREAD
MISMATCH = AlarmKind.CARD_MISMATCH


@pytest.mark.parametrize(
    ("reading", "fed"),
    [
        (CardRead("s", NINE), Fed(DEALS, cmd.DrawCard(card=NINE), alarm(UNEXPECTED, NINE))),
        (CardMisread("s"), Fed(DEALS, cmd.DrawCard(card=None), alarm(UNEXPECTED), (alarm(MISREAD),))),
        (CardBurned("s", SIX), Fed(DEALS, cmd.BurnCards(first=SIX), alarm(UNEXPECTED, SIX))),
        (CuttingCardCame("s"), Fed(DEALS, cmd.SeeCuttingCard(), alarm(UNEXPECTED))),
        (ResultShown("s", Winner.TIE), Fed(DEALS, cmd.ReportDeviceResult(winner=Winner.TIE))),
        (Fault("s"), Fed(DEALS, alarms=(alarm(AlarmKind.READER_FAULT),))),
    ],
    ids=lambda each: type(each).__name__,
)
def test_a_reader_that_deals_means_a_command_by_each_reading(reading: ReaderReading, fed: Fed) -> None:
    assert take(DEALS, reading, BETTING) == fed


@pytest.mark.parametrize("feed", [DEALS, CHECKS])
def test_a_result_waits_until_the_outcome_is_known(feed: Feed) -> None:
    dealing = table("Dealer: opens betting\nDealer: closes betting\nDealer: draws 9\n")
    assert dealing.phase is Phase.DEALING
    waits = take(feed, ResultShown("s", Winner.TIE), dealing)
    assert (waits.command, waits.alarms) == (None, ())
    ended = table("Dealer: opens betting\nDealer: closes betting\nDealer: draws 9 2 K 5\n")
    assert ended.round is not None
    assert ended.round.facts is not None
    known = ev.OutcomeKnown(facts=ended.round.facts)
    assert see(waits.feed, (known,)) == Fed(feed, cmd.ReportDeviceResult(winner=Winner.TIE))


@pytest.mark.parametrize("feed", [DEALS, CHECKS])
def test_a_card_after_the_result_gives_one_alarm(feed: Feed) -> None:
    dealing = table("Dealer: opens betting\nDealer: closes betting\nDealer: draws 9\n")
    waits = take(feed, ResultShown("s", Winner.TIE), dealing).feed
    late = take(waits, CardRead("s", SIX), dealing)
    assert late.alarms == (alarm(AlarmKind.RESULT_MISMATCH),)
    assert take(late.feed, CardRead("s", SIX), dealing).alarms == ()


def test_a_result_waits_for_cards_that_the_dealer_has_not_entered_yet() -> None:
    ahead = take(CHECKS, CardRead("s", NINE), BETTING).feed
    assert take(ahead, ResultShown("s", Winner.TIE), BETTING).feed.result is Winner.TIE


def test_a_result_is_not_compared_with_another_round() -> None:
    dealing = table("Dealer: opens betting\nDealer: closes betting\nDealer: draws 9\n")
    waits = take(DEALS, ResultShown("s", Winner.TIE), dealing).feed
    assert see(waits, (ev.RoundVoided(number=1, returned=(), reversed=(), clauses=()),)).feed.result is None


def test_the_result_of_a_card_that_the_table_refused_is_compared_with_no_round() -> None:
    idle = table("Dealer: opens betting\nDealer: closes betting\nDealer: draws 9 2 K 5\n")
    refused, alarms = not_taken(DEALS, take(DEALS, CardRead("s", NINE), idle))
    assert alarms == (alarm(UNEXPECTED, NINE),)
    assert take(refused, ResultShown("s", Winner.TIE), idle) == Fed(DEALS)
    began = ev.RoundBegan(number=2, method=None, free=False, last=False, clauses=())
    assert see(refused, (began,)) == Fed(DEALS)


def test_a_card_that_was_misread_and_refused_gives_one_alarm() -> None:
    feed, alarms = not_taken(DEALS, take(DEALS, CardMisread("s"), table()))
    assert (feed.taken, alarms) == (False, (alarm(UNEXPECTED),))


def test_a_burn_that_the_table_refused_leaves_the_next_result_alone() -> None:
    feed, alarms = not_taken(DEALS, take(DEALS, CardBurned("s", SIX), BETTING))
    assert (feed.taken, alarms) == (True, (alarm(UNEXPECTED, SIX),))


def test_a_result_that_the_table_refused_gives_no_alarm() -> None:
    assert not_taken(DEALS, take(DEALS, ResultShown("s", Winner.TIE), BETTING)) == (DEALS, ())


@pytest.mark.parametrize("at", ["table shut\n", ""])
def test_a_result_of_cards_that_nobody_may_enter_is_compared_with_nothing(at: str) -> None:
    read = take(CHECKS, CardRead("s", NINE), table(at)).feed
    assert take(read, ResultShown("s", Winner.TIE), table(at)) == Fed(read)


@pytest.mark.parametrize("reading", [CardBurned("s", SIX), CuttingCardCame("s")])
def test_a_reader_that_checks_leaves_burn_and_cutting_card_to_the_dealer(reading: ReaderReading) -> None:
    assert take(CHECKS, reading, BETTING) == Fed(CHECKS)


def test_a_reader_that_checks_reports_results_and_faults_like_any_other() -> None:
    shown = take(CHECKS, ResultShown("s", Winner.TIE), BETTING)
    assert shown.command == cmd.ReportDeviceResult(winner=Winner.TIE)
    assert take(CHECKS, Fault("s"), BETTING).alarms == (alarm(AlarmKind.READER_FAULT),)


def drawn(*cards: str, by: str = "Dealer") -> tuple[ev.Event, ...]:
    return tuple(
        ev.CardDrawn(
            hand=Hand.PLAYER, card=None if card == "?" else face(card), state=CardState.EXPOSED, by=by
        )
        for card in cards
    )


def test_cards_read_and_entered_are_compared_in_pairs_whichever_comes_first() -> None:
    read = take(CHECKS, CardRead("s", NINE), BETTING)
    assert read.alarms == ()
    assert read.command is None
    assert see(read.feed, drawn("9H")) == Fed(CHECKS)
    assert see(read.feed, drawn("8H")).alarms == (alarm(MISMATCH, NINE, face("8H")),)
    entered = see(CHECKS, drawn("6C"))
    assert take(entered.feed, CardRead("s", SIX), BETTING).alarms == ()
    assert take(entered.feed, CardRead("s", NINE), BETTING).alarms == (alarm(MISMATCH, NINE, SIX),)


@pytest.mark.parametrize(
    ("entered", "right"), [("9H", True), ("9", True), ("?", True), ("9S", False), ("8", False)]
)
def test_a_rank_or_an_unknown_card_agrees_with_what_was_read(entered: str, right: bool) -> None:
    read = take(CHECKS, CardRead("s", NINE), BETTING)
    assert (see(read.feed, drawn(entered)).alarms == ()) is right


def test_a_misread_card_takes_its_place_in_the_order() -> None:
    misread = take(CHECKS, CardMisread("s"), BETTING)
    assert misread.alarms == (alarm(MISREAD),)
    read = take(misread.feed, CardRead("s", SIX), BETTING)
    assert see(read.feed, drawn("9H", "6C")) == Fed(CHECKS)


@pytest.mark.parametrize("by", [STRAY, RESERVE])
def test_a_card_that_left_the_shoe_earlier_is_not_read_again(by: str) -> None:
    assert see(CHECKS, drawn("9H", by=by)) == Fed(CHECKS)


def test_cards_that_are_more_than_a_round_apart_give_alarm_and_are_forgotten() -> None:
    feed = CHECKS
    for _ in range(6):
        fed = take(feed, CardRead("s", NINE), BETTING)
        assert fed.alarms == ()
        feed = fed.feed
    fed = take(feed, CardRead("s", NINE), BETTING)
    assert fed == Fed(CHECKS, alarms=(alarm(UNEXPECTED, NINE),))
    behind = see(CHECKS, drawn(*["6C"] * 7))
    assert behind == Fed(CHECKS, alarms=(alarm(UNEXPECTED, SIX),))


def test_a_new_shoe_begins_a_new_comparison() -> None:
    read = take(CHECKS, CardRead("s", NINE), BETTING)
    loaded = ev.ShoeLoaded(number=2, decks=8, cards=416)
    assert see(read.feed, (loaded,)) == Fed(CHECKS)


def test_what_the_dealer_enters_is_nothing_to_a_reader_that_deals() -> None:
    assert see(DEALS, drawn("9H")) == Fed(DEALS)


def test_reader_and_table_change_their_shoes_together() -> None:
    first = take(Feed(), CardRead("s", NINE), BETTING)
    assert first.feed.shoe == ("s", 1)
    assert first.alarms == ()
    second = table("Pit Manager: loads 8 decks\nDealer: opens betting\n")
    assert take(first.feed, CardRead("t", NINE), second).alarms == ()
    wrong = alarm(AlarmKind.WRONG_SHOE)
    other = take(first.feed, CardRead("t", NINE), BETTING)
    assert other.alarms == (wrong,)
    assert take(other.feed, CardRead("t", NINE), BETTING).alarms == ()
    assert take(first.feed, CardRead("s", NINE), second).alarms == (wrong,)


def test_before_any_cards_are_loaded_a_reading_has_a_shoe_of_its_own() -> None:
    empty = table("shoe empty\n")
    assert take(Feed(), CardRead("s", NINE), empty).feed.shoe == ("s", 0)


def test_a_hand_that_is_opened_with_other_cards_than_were_read_gives_alarm() -> None:
    squeezed = table(
        "automatic none\nmethod A\nDealer: opens betting\nDealer: closes betting\nDealer: draws 9H 2C ? 5C\n"
    )
    right = cmd.ExposeCards(hand=Hand.PLAYER, cards=(NINE, SIX))
    assert named_otherwise(squeezed, right) is None
    wrong = cmd.ExposeCards(hand=Hand.BANKER, cards=(face("2C"), SIX))
    assert named_otherwise(squeezed, wrong) == alarm(MISMATCH, face("5C"), SIX)
    assert named_otherwise(table(), right) is None


NOBODY = table("Dealer: opens betting\n" + "".join(f"{post}: goes off duty\n" for post in POSTS))


@pytest.mark.parametrize("reading", [CardRead("s", NINE), CardMisread("s"), CardBurned("s", SIX)])
def test_a_card_that_comes_while_nobody_is_on_duty_gives_alarm_once_a_shoe(reading: ReaderReading) -> None:
    # 3.12.4: a patron draws in full view of the table games staff at all times
    unattended = alarm(AlarmKind.NOBODY_ON_DUTY)
    assert unattended in take(DEALS, reading, NOBODY).alarms
    assert unattended not in take(DEALS, reading, BETTING).alarms
    assert NOBODY.shoe is not None
    given = structs.replace(NOBODY.shoe, alarms=(AlarmKind.NOBODY_ON_DUTY,))
    assert unattended not in take(DEALS, reading, structs.replace(NOBODY, shoe=given)).alarms


def test_a_reader_without_a_card_gives_no_alarm_while_nobody_is_on_duty() -> None:
    assert alarm(AlarmKind.NOBODY_ON_DUTY) not in take(DEALS, CuttingCardCame("s"), NOBODY).alarms


def test_somebody_who_acts_in_a_post_is_on_duty_until_it_ends() -> None:
    acting = Acting("Eve", Post("dealer"), NOW, NOW + datetime.timedelta(hours=1))
    watched = structs.replace(NOBODY, acting=(acting,))
    unattended = alarm(AlarmKind.NOBODY_ON_DUTY)
    assert unattended not in take_at(DEALS, CardRead("s", NINE), watched, NOW).alarms
    later = NOW + datetime.timedelta(hours=1)
    assert unattended in take_at(DEALS, CardRead("s", NINE), watched, later).alarms


def test_at_a_table_for_training_nobody_needs_to_be_on_duty() -> None:
    training = structs.replace(NOBODY, setup=structs.replace(NOBODY.setup, training=True))
    assert alarm(AlarmKind.NOBODY_ON_DUTY) not in take(DEALS, CardRead("s", NINE), training).alarms
