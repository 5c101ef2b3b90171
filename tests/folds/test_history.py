"""Finished rounds, as a fold of the events of a table."""

import msgspec
import pytest
from folds.stories import HOIANA, SUPER_SIX, Story, numbers_of, tell
from msgspec.structs import replace

from thirdcard.cards import Card, Rank
from thirdcard.folds import history as module
from thirdcard.folds.history import (
    CaseAct,
    History,
    RoundTold,
    Ruling,
    as_it_stood,
    choice_shown,
    history_after,
    last_rounds,
    told_to,
)
from thirdcard.folds.record_place import Recorded
from thirdcard.folds.viewers import DISPLAY, STAFF_VIEWER, patron_viewer
from thirdcard.game import events as ev
from thirdcard.game.apply import apply, begin
from thirdcard.rulebook.facts import Winner
from thirdcard.rulebook.irregularity import Situation

PATRONS = "patrons Ann at 1, Bob at 2\n"
OPEN = "Dealer: opens betting\n"
WAGERS = "Ann: 600 on player at 1\nBob: 500 on banker at 2\n"
CARDS = "Dealer: closes betting\nDealer: draws 9 2 K 5\n"
ROUND = OPEN + WAGERS + CARDS
CREDITS = "patrons T1\nT1: buys 1000 credits\n"
PLAYED = CREDITS + OPEN + "T1: 100 on player\nDealer: closes betting\nDealer: draws K 2 7 3 A\n"


def rounds(story: Story) -> tuple[RoundTold, ...]:
    return story.watch.history.rounds


def test_a_round_is_told_from_its_opening_call_to_its_end() -> None:
    story = tell(PATRONS + ROUND)
    (told,) = rounds(story)
    assert (told.number, told.shoe, told.void, told.free, told.last_hand) == (1, 1, False, False, False)
    assert [told.first.sequence] == numbers_of(story, ev.BettingOpened)
    assert [told.last.sequence] == numbers_of(story, ev.RoundEnded)
    assert told.last.wall_time == 1_000_000 * told.last.sequence
    assert [each.card for each in told.cards] == [
        Card(r) for r in (Rank.NINE, Rank.TWO, Rank.KING, Rank.FIVE)
    ]
    assert told.facts is not None
    assert (told.facts.winner, told.called, told.bead) == (Winner.PLAYER, Winner.PLAYER, 0)
    assert [(each.patron, each.result) for each in told.wagers] == [("Ann", "won"), ("Bob", "lost")]


def test_a_round_that_begins_with_its_first_card_is_told_from_its_opening_call_as_well() -> None:
    story = tell("patrons Ann at 1\n" + OPEN + "Ann: 300 on player at 1\n" + CARDS, HOIANA)
    (told,) = rounds(story)
    assert [told.first.sequence] == numbers_of(story, ev.BettingOpened)


def test_rounds_stand_on_the_bead_plate_in_their_order() -> None:
    story = tell(PATRONS + ROUND * 3)
    assert [(each.number, each.bead) for each in rounds(story)] == [(1, 0), (2, 1), (3, 2)]
    assert [each.winner for each in story.watch.history.board] == [Winner.PLAYER] * 3


def test_a_patron_sees_their_own_wagers_and_no_names() -> None:
    story = tell(PATRONS + ROUND)
    (told,) = rounds(story)
    assert [each.patron for each in told_to(told, patron_viewer("Bob")).wagers] == ["Bob"]
    assert told_to(told, DISPLAY).wagers == ()
    assert told_to(told, STAFF_VIEWER) is told
    assert [each.wagers for each in last_rounds(story.watch.history, "Ann")] == [told.wagers[:1]]
    assert last_rounds(story.watch.history, "Cy") == ()


def test_a_void_round_tells_what_went_back_and_leaves_the_board() -> None:
    lost = "Dealer: draws 9 2\nDealer: reports order-altered, not reconstructable\nPit Manager: confirms\n"
    story = tell(PATRONS + OPEN + WAGERS + "Dealer: closes betting\n" + lost)
    (told,) = rounds(story)
    assert (told.void, told.bead, told.shown, told.wagers) == (True, None, None, ())
    assert [(each.patron, each.stake) for each in told.returned] == [("Ann", 60000), ("Bob", 50000)]
    (irregular,) = told.irregularities
    assert (irregular.situation, irregular.clause, irregular.closed) == (Situation.ORDER_ALTERED, "5.2", True)
    assert irregular.effects == ("void-round", "replace-cards")
    assert [irregular.sequence] == numbers_of(story, ev.IrregularityReported)


def test_a_round_that_is_void_after_its_end_is_told_anew() -> None:
    void = "Dealer: reports wrong-number-of-cards, not reconstructable\nPit Manager: confirms\n"
    story = tell(PLAYED + void, SUPER_SIX)
    (told,) = rounds(story)
    assert (told.void, told.wagers, told.bead, story.watch.history.board) == (True, (), None, ())
    assert [(each.patron, each.stake) for each in told.returned] == [("T1", 10000)]
    assert [told.last.sequence] == numbers_of(story, ev.RoundVoided)
    (mine,) = last_rounds(story.watch.history, "T1")
    assert mine.void
    assert [each.situation for each in mine.irregularities] == [Situation.WRONG_NUMBER_OF_CARDS]


def test_a_round_of_the_shoe_before_that_is_void_is_told_anew_to_its_patrons() -> None:
    new_cards = "Pit Manager: loads 8 decks\n"
    void = "Dealer: reports wrong-number-of-cards, not reconstructable\nPit Manager: confirms\n"
    story = tell(PLAYED + new_cards + new_cards + void, SUPER_SIX)
    (mine,) = last_rounds(story.watch.history, "T1")
    assert (mine.void, mine.wagers, mine.bead, mine.shown) == (True, (), None, None)
    assert [(each.patron, each.stake) for each in mine.returned] == [("T1", 10000)]
    assert as_it_stood(story.watch.history, 1) is None
    assert [board.rounds for board in story.watch.history.earlier] == [()]


def test_a_corrected_round_stands_as_corrected() -> None:
    story = tell(PLAYED + "Dealer with Pit Manager: corrects card 5 to 4\n", SUPER_SIX)
    (told,) = rounds(story)
    assert told.facts is not None
    assert (told.number, told.facts.winner, told.bead) == (1, Winner.BANKER, 0)
    assert [each.result for each in told.wagers] == ["lost"]
    assert told.first.sequence == numbers_of(story, ev.BettingOpened)[0]
    assert [each.number for each in last_rounds(story.watch.history, "T1")] == [1]
    assert [each.winner for each in story.watch.history.board] == [Winner.BANKER]


def test_a_round_comes_on_the_board_with_its_call() -> None:
    story = tell("automatic expose\n" + PATRONS + ROUND)
    assert story.watch.history.board == ()
    story = tell("automatic expose\n" + PATRONS + ROUND + "Dealer: calls player\n")
    assert [each.winner for each in story.watch.history.board] == [Winner.PLAYER]


def test_the_cards_decide_what_the_board_shows() -> None:
    """Clause 6.3: another result was called than the cards have."""
    story = tell("automatic expose\n" + PATRONS + ROUND + "Dealer: calls banker\n")
    assert [each.winner for each in story.watch.history.board] == [Winner.PLAYER]


def test_a_corrected_round_is_off_the_board_until_it_is_called_again() -> None:
    """Clause 6.3: the settlement is taken back, and the result called anew."""
    corrected = "Dealer: calls player\nDealer with Pit Manager: corrects card 1 to 7\n"
    story = tell("automatic expose\n" + PATRONS + ROUND + corrected)
    assert story.watch.history.board == ()
    story = tell("automatic expose\n" + PATRONS + ROUND + corrected + "Dealer: calls tie\n")
    assert [each.winner for each in story.watch.history.board] == [Winner.TIE]


def test_a_corrected_round_of_the_shoe_before_is_not_on_the_board_of_this_one() -> None:
    corrected = "Pit Manager: loads 8 decks\nDealer with Pit Manager: corrects card 5 to 4\n"
    story = tell(PLAYED + corrected, SUPER_SIX)
    assert [each.called for each in rounds(story)] == [Winner.BANKER]
    assert story.watch.history.board == ()


def test_a_card_that_is_corrected_later_shows_the_card_that_lay_there() -> None:
    """3.16: after the next opening the record alone is corrected, for the patrons of that round as well."""
    lines = "Dealer with Pit Manager: corrects card 2 of round 1 to 3\n"
    story = tell(PATRONS + ROUND + ROUND + "Dealer: opens betting\n" + lines)
    first, second = rounds(story)
    cards = [each.card.text if each.card else "?" for each in first.cards]
    before = [each.card.text if each.card else "?" for each in second.cards]
    assert (cards[1], [*cards[:1], *cards[2:]]) == ("3", [*before[:1], *before[2:]])
    mine, _ = last_rounds(story.watch.history, "Ann")
    assert mine.cards == first.cards


def test_a_card_of_an_earlier_shoe_is_corrected_for_the_patrons_of_its_round() -> None:
    """3.16: the table knows nothing of that round any more, and its patrons do."""
    lines = "Pit Manager: loads 8 decks\nDealer with Pit Manager: corrects card 2 of round 1 to 3\n"
    story = tell(PATRONS + ROUND + ROUND + lines)
    first, _ = last_rounds(story.watch.history, "Ann")
    assert [each.card.text for each in first.cards if each.card][1] == "3"


def test_chips_that_were_taken_away_do_not_go_back_with_a_void_round() -> None:
    taken = "Dealer: closes betting\nAnn: takes 50 off player at 1\nDealer: draws 9 2\n"
    void = "Dealer: reports foreign-card\nPit Manager: confirms\n"
    (told,) = rounds(tell(PATRONS + OPEN + WAGERS + taken + void))
    assert {each.patron: each.stake for each in told.returned}["Ann"] == 55000


def test_a_card_that_nobody_opened_stays_face_down_when_it_is_corrected() -> None:
    lines = "Dealer: closes betting\nDealer: draws ? 2\nDealer: reports not-covered because so\n"
    void = lines + "Gaming Shift Manager: rules void-round because the light went out\n"
    corrected = "Dealer with Pit Manager: corrects card 1 of round 1 to 9\n"
    (told,) = rounds(tell("method A\n" + PATRONS + OPEN + WAGERS + void + OPEN + corrected))
    assert told.cards[0].card is None


@pytest.mark.parametrize(
    "lines",
    [
        "Dealer: withdraws the report\n",
        "Pit Manager: finds that it is not so because nothing is wrong\n",
    ],
    ids=["taken back", "disproved"],
)
def test_what_was_not_so_is_told_as_unfounded(lines: str) -> None:
    (told,) = rounds(
        tell(PATRONS + OPEN + WAGERS + "Dealer: reports not-covered because so\n" + lines + CARDS)
    )
    assert [(each.closed, each.unfounded) for each in told.irregularities] == [(True, True)]


def folded(story: Story, first: int, last: int) -> History:
    """The history of some events of a story, with the table as it was after each."""
    history, table = History(), None
    for number, event in enumerate(story.watch.events[:last], start=1):
        table = begin(event) if isinstance(event, ev.TableSetUp) else apply(table, event) if table else None
        assert table is not None
        if number >= first:
            recorded = Recorded(number, number)
            history = history_after(history, event, table, story.watch.rulebook, recorded)
    return history


def test_while_a_settlement_is_taken_back_its_round_is_not_over() -> None:
    wrong = "Dealer with Pit Manager: corrects card 5 to 4\n"
    story = tell(PLAYED + wrong, SUPER_SIX)
    history = folded(story, 1, numbers_of(story, ev.SettlementReversed)[0])
    assert history.now is not None
    assert (history.now.number, history.rounds, history.recent["T1"]) == (1, (), ())


def test_a_ruling_is_told_and_its_reason_to_staff_alone() -> None:
    lines = (
        "Dealer: reports not-covered because so\nGaming Shift Manager: rules continue because Ann agreed\n"
    )
    story = tell(PATRONS + OPEN + WAGERS + lines + CARDS)
    (told,) = rounds(story)
    (ruling,) = told.irregularities[0].rulings
    assert (ruling.choice, ruling.text, ruling.by) == ("continue", "Ann agreed", "Gaming Shift Manager")
    (seen,) = told_to(told, DISPLAY).irregularities[0].rulings
    assert seen == Ruling("continue", ruling.clauses)


def test_the_note_of_a_report_is_for_staff_alone() -> None:
    lines = (
        "Dealer: reports not-covered because so\nGaming Shift Manager: rules continue because it is nothing\n"
    )
    story = tell(PATRONS + OPEN + WAGERS + lines + CARDS)
    (told,) = rounds(story)
    (irregular,) = told.irregularities
    noted = replace(told, irregularities=(replace(irregular, note="a patron shouted"),))
    assert told_to(noted, STAFF_VIEWER).irregularities[0].note == "a patron shouted"
    assert told_to(noted, DISPLAY).irregularities[0].note == ""
    assert told_to(noted, patron_viewer("Ann")).irregularities[0].note == ""


def test_what_was_typed_as_a_choice_is_not_shown_to_everybody() -> None:
    assert choice_shown("burn-card") == "burn-card"
    assert choice_shown("9H first") == "order"


def test_what_is_noticed_between_rounds_is_told_with_the_round_before() -> None:
    lines = (
        "Dealer: reports not-covered because so\nGaming Shift Manager: rules continue because it is late\n"
    )
    (told,) = rounds(tell(PATRONS + ROUND + lines))
    assert [each.closed for each in told.irregularities] == [True]
    assert rounds(tell(PATRONS + lines)) == ()
    first, second = rounds(tell(PATRONS + ROUND + lines + ROUND))
    assert (len(first.irregularities), len(second.irregularities)) == (1, 0)


def test_a_new_shoe_begins_a_new_list_and_patrons_keep_their_rounds() -> None:
    story = tell(PATRONS + ROUND + "Pit Manager: loads 8 decks\n" + ROUND)
    assert [(each.number, each.shoe, each.bead) for each in rounds(story)] == [(2, 2, 0)]
    assert [each.shoe for each in last_rounds(story.watch.history, "Ann")] == [1, 2]


def test_the_board_as_it_stood_after_a_round_is_kept_for_the_last_shoes() -> None:
    banker = OPEN + WAGERS + "Dealer: closes betting\nDealer: draws 2 9 5 K\n"
    story = tell(PATRONS + ROUND + banker + ROUND + "Pit Manager: loads 8 decks\n" + banker)
    history = story.watch.history
    stood = [as_it_stood(history, number) for number in (1, 2, 3, 4)]
    winners = ["".join(each.winner.value[0] for each in board or ()) for board in stood]
    assert winners == ["p", "pb", "pbp", "b"]
    assert as_it_stood(history, 5) is None


def test_boards_of_shoes_long_gone_are_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    shoe = "Pit Manager: loads 8 decks\n"
    story = tell(PATRONS + ROUND + shoe + ROUND + shoe + shoe + ROUND)
    assert [each.shoe for each in story.watch.history.earlier] == [1, 2]
    monkeypatch.setattr(module, "KEPT_SHOES", 1)
    history = folded(story, 1, len(story.watch.events))
    assert [each.shoe for each in history.earlier] == [2]
    assert as_it_stood(history, 1) is None


def test_a_void_round_has_no_board_of_its_own() -> None:
    lost = "Dealer: draws 9 2\nDealer: reports order-altered, not reconstructable\nPit Manager: confirms\n"
    story = tell(PATRONS + OPEN + WAGERS + "Dealer: closes betting\n" + lost)
    assert as_it_stood(story.watch.history, 1) is None


def test_the_last_ten_rounds_of_each_patron_are_kept() -> None:
    story = tell(PATRONS + ROUND * 12 + OPEN + "Bob: 500 on banker at 2\n" + CARDS)
    assert [each.number for each in last_rounds(story.watch.history, "Ann")] == list(range(3, 13))
    assert [each.number for each in last_rounds(story.watch.history, "Bob")] == list(range(4, 14))


def test_of_very_many_patrons_those_who_played_last_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    story = tell(PATRONS + ROUND + OPEN + "Ann: 600 on player at 1\n" + CARDS)
    assert set(story.watch.history.recent) == {"Bob", "Ann"}
    monkeypatch.setattr(module, "KEPT_PATRONS", 1)
    assert list(folded(story, 1, len(story.watch.events)).recent) == ["Ann"]


def test_a_free_hand_is_no_round_of_the_board() -> None:
    story = tell(
        "patrons Ann at 1\nDealer: reports next-card-known cards 9\nDealer: deals the free hand\n"
        "Dealer: draws 2 K 5\n",
        HOIANA,
    )
    (told,) = rounds(story)
    assert (told.free, told.bead, told.shown) == (True, None, None)
    assert story.watch.history.board == ()


def test_a_fold_that_begins_with_the_end_of_a_round_tells_what_it_saw() -> None:
    story = tell(PATRONS + ROUND)
    (at,) = numbers_of(story, ev.RoundEnded)
    (told,) = folded(story, at, at).rounds
    assert (told.number, told.first, told.last) == (1, Recorded(at, at), Recorded(at, at))


def test_a_fold_that_begins_with_a_void_tells_what_it_saw() -> None:
    lost = "Dealer: draws 9 2\nDealer: reports order-altered, not reconstructable\nPit Manager: confirms\n"
    story = tell(PATRONS + OPEN + WAGERS + "Dealer: closes betting\n" + lost)
    (at,) = numbers_of(story, ev.RoundVoided)
    begun = folded(story, at, at).now
    assert begun is not None
    assert (begun.number, begun.first, len(begun.returned)) == (1, Recorded(at, at), 2)


def test_a_fold_that_begins_with_a_correction_tells_what_it_saw() -> None:
    wrong = "Dealer with Pit Manager: corrects card 5 to 4\n"
    story = tell(PLAYED + "Pit Manager: loads 8 decks\n" + PLAYED.removeprefix(CREDITS) + wrong, SUPER_SIX)
    (at,) = numbers_of(story, ev.SettlementReversed)
    begun = folded(story, at, at).now
    assert begun is not None
    assert (begun.number, begun.first) == (2, Recorded(at, at))


def test_a_history_can_be_written_and_read() -> None:
    history = tell(PATRONS + ROUND * 2).watch.history
    assert msgspec.json.decode(msgspec.json.encode(history), type=History) == history


@pytest.mark.parametrize(
    ("lines", "acts"),
    [
        (
            "Dealer: reports not-covered because a glass fell\n"
            "Pit Manager: finds that it is not so because Ann was right\n",
            [CaseAct("reported", "Dealer"), CaseAct("disproved", "Pit Manager", text="Ann was right")],
        ),
        (
            "Dealer: reports not-covered because a glass fell\nDealer: withdraws the report\n",
            [CaseAct("reported", "Dealer"), CaseAct("withdrawn", "Dealer")],
        ),
        (
            "Dealer with Pit Manager: reports not-covered because a glass fell\n"
            "Dealer with Pit Manager: withdraws the report\n",
            [CaseAct("reported", "Dealer", "Pit Manager"), CaseAct("withdrawn", "Dealer", "Pit Manager")],
        ),
    ],
)
def test_people_who_had_a_word_in_an_irregularity_are_told_to_staff(lines: str, acts: list[CaseAct]) -> None:
    (told,) = rounds(tell(PATRONS + OPEN + WAGERS + lines + CARDS))
    assert list(told.irregularities[0].acts) == acts
    assert told_to(told, DISPLAY).irregularities[0].acts == ()


def test_whoever_confirmed_a_void_is_told() -> None:
    story = tell(
        PATRONS
        + OPEN
        + WAGERS
        + "Dealer: closes betting\nDealer: draws 9\nDealer: reports foreign-card\nPit Manager: confirms\n"
    )
    acts = [each for told in rounds(story) for each in told.irregularities[0].acts]
    assert acts == [CaseAct("reported", "Dealer"), CaseAct("confirmed", "Pit Manager")]


def test_whoever_entered_and_approved_a_ruling_is_told() -> None:
    lines = (
        "Dealer: reports not-covered because a glass fell\n"
        "Dealer with Gaming Shift Manager: rules continue because Ann agreed\n"
    )
    (told,) = rounds(tell(PATRONS + OPEN + WAGERS + lines + CARDS))
    (ruling,) = told.irregularities[0].rulings
    assert (ruling.by, ruling.entered_by, ruling.second) == ("Gaming Shift Manager", "Dealer", None)
