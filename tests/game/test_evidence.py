"""A round gives a piece of evidence only if the engine did in it what the piece says."""

import pytest
from collected import Collected, SettledExample
from evidence import given_by_round
from golden import FILES, Golden, golden

from thirdcard.roundfile.parse import parse
from thirdcard.roundfile.play import play
from thirdcard.rulebook.book import Rulebook
from thirdcard.rulebook.facts import Facts, Pairs, Winner
from thirdcard.rulebook.pages.coverage import Piece
from thirdcard.rulebook.shelf import find_rulebook, shelf_house

T3, HO, S6 = "mbs-tiger-v3", "hoiana-tiger-2024-commission", "mbs-super-six-etg-v3"
# a round, a clause, and the pieces of its evidence that the round was written for
CLAIMS = [
    (T3, "3.9.2-one-post-lower-and-higher", "3.9.2", "lower-refused higher"),
    (T3, "3.10.1-a-patron-draws-and-calls", "3.10.1", "done left-out"),
    (T3, "3.10.3-passed-over", "3.10.3", "done left-out"),
    (T3, "3.10.4.1-a-higher-post-chooses", "3.10.4.1", "lower-refused higher"),
    (T3, "3.10.5-passed-over", "3.10.5", "done left-out"),
    (T3, "3.10.6-who-chooses-the-order", "3.10.6", "lower-refused higher"),
    (T3, "3.10.7-a-third-card-stays-face-down", "3.10.7", "done left-out"),
    (T3, "3.12.2-a-higher-post-permits", "3.12.2", "lower-refused higher"),
    (T3, "3.12.3-through-the-dealer", "3.12.3", "done left-out"),
    (T3, "3.12.6-the-dealer-draws-none", "3.12.6", "left-out"),
    (T3, "3.21-one-post-lower-and-higher", "3.21", "lower-refused higher"),
    (T3, "3.22-the-round-is-finished", "3.22", "left-out"),
    (T3, "3.22.1-who-allows-it", "3.22.1", "lower-refused higher"),
    (T3, "5.1.1-play-is-held", "5.1.1", "done left-out"),
    (T3, "5.2-play-is-held", "5.2", "done left-out"),
    (T3, "5.8.2.1-play-is-held", "5.8.2.1", "done left-out"),
    (T3, "5.8.2.2-one-post-lower-and-higher", "5.8.2.2", "offered taken-up withheld lower-refused higher"),
    (T3, "5.9-no-card-before-the-answers", "5.9", "offered taken-up declined withheld"),
    (T3, "5.10-the-hand-stays-closed", "5.10", "left-out"),
    (T3, "5.11.4-another-card", "5.11.4", "done left-out"),
    (T3, "5.12.1-another-card", "5.12.1", "done left-out"),
    (T3, "5.17.1-no-card-before-the-answers", "5.17.1", "offered taken-up declined withheld"),
    (T3, "5.17.2-the-round-is-not-left", "5.17.2", "done left-out"),
    (T3, "5.18.1-nobody-was-asked", "5.18.1", "done left-out"),
    (T3, "5.18.2-the-lighter-hand-may-raise", "5.18.2", "offered taken-up"),
    (T3, "5.18.3-one-post-lower-and-higher", "5.18.3", "lower-refused higher"),
    (T3, "6.1-one-post-lower", "6.1", "used lower-refused"),
    (T3, "6.3-the-call-follows-the-display", "6.3", "left-out"),
    (T3, "1.1.10-the-gap-is-within-the-limit", "1.1.10", "this-side other-side"),
    (T3, "2.2-outside-the-areas", "2.2.7", "this-side other-side"),
    (T3, "3.12.8-keeping-the-device", "3.12.8.2", "this-side other-side"),
    (T3, "3.13-no-call-before-both-hands-are-dealt", "3.13", "done left-out"),
    (T3, "5.1-found-not-so", "5.1", "this-side other-side"),
    (T3, "5.1.2-nobody-reverses-an-earlier-round", "5.1.2", "attempted"),
    (T3, "5.3-play-is-held", "5.3", "done left-out"),
    (T3, "5.7-nobody-passes-the-correction-by", "5.7", "done left-out"),
    (T3, "5.7.1-no-wrong-delivery-and-no-void", "5.7.1", "done left-out"),
    (T3, "5.12.2-play-is-held", "5.12.2", "done left-out"),
    (T3, "5.13-new-cards-after-a-void", "5.13", "used"),
    (T3, "5.16-nothing-is-claimed-back", "5.16", "attempted"),
    (T3, "6.2-acting", "6.2", "this-side other-side"),
    (T3, "App.D-positions", "App.D", "this-side other-side"),
    (S6, "1.1.7-the-round-is-not-over", "1.1.7", "this-side other-side"),
    (S6, "3.6-no-call-before-both-hands-are-dealt", "3.7", "done left-out"),
    (S6, "5.1.1-play-is-held", "5.1.1", "done left-out"),
    (S6, "5.1.2-nobody-reverses-an-earlier-round", "5.1.2", "attempted"),
    (S6, "5.3-play-is-held", "5.3", "done left-out"),
    (S6, "5.5-play-is-held", "5.5", "done left-out"),
    (S6, "5.4-play-is-held", "5.4", "done left-out"),
    (S6, "3.9-totals-left-out", "3.9", "done left-out"),
    (HO, "4.4-outside-the-limits", "4.4", "done left-out"),
    (HO, "4.8-one-post-lower", "4.8", "used lower-refused"),
    (HO, "7.1-found-not-so", "7.1", "this-side other-side"),
    (HO, "7.1.1-play-is-held", "7.1.1", "done left-out"),
    (HO, "7.1.2-nobody-reverses-an-earlier-round", "7.1.2", "attempted"),
    (HO, "7.2-play-is-held", "7.2", "done left-out"),
    (HO, "7.3-play-is-held", "7.3", "done left-out"),
    (HO, "7.9-a-call-without-the-reconstruction", "7.9", "done left-out"),
    (HO, "7.10-the-round-is-not-left", "7.10", "done left-out"),
    (HO, "7.10.1-a-higher-post", "7.10.1", "higher"),
    (HO, "7.10.2-one-post-lower-and-higher", "7.10.2", "lower-refused higher"),
    (HO, "7.11.2-the-hand-is-not-left", "7.11.2", "done left-out"),
    (HO, "7.11.2-the-hand-is-not-left", "7.11.2.1", "offered declined"),
    (HO, "7.12-one-post-lower-and-higher", "7.12", "lower-refused higher"),
    (HO, "7.12-a-call-without-the-reconstruction", "7.12", "done left-out"),
    (HO, "7.13-a-higher-post-and-no-card-before-the-answers", "7.13", "higher"),
    (HO, "7.13-a-higher-post-and-no-card-before-the-answers", "7.13.1", "offered taken-up declined withheld"),
    (HO, "7.13-a-higher-post-and-no-card-before-the-answers", "7.13.2", "offered taken-up declined withheld"),
    (HO, "7.14-the-hand-stays-closed", "7.14", "left-out"),
    (HO, "7.15-no-wrong-delivery-and-no-void", "7.15", "done left-out"),
    (HO, "7.16-wrong-call", "7.16", "done left-out"),
    (HO, "7.20-a-higher-post", "7.20", "lower-refused higher"),
]


@pytest.mark.parametrize(("folder", "name", "clause", "pieces"), CLAIMS)
def test_a_round_gives_the_evidence_for_which_it_was_written(
    folder: str, name: str, clause: str, pieces: str
) -> None:
    given = pieces_of(golden(f"{folder}/{name}.round"), clause)
    assert {Piece(piece) for piece in pieces.split()} <= given


def told(text: str) -> Golden:
    file = parse(text)
    rulebook = find_rulebook(file.settings.game)
    assert isinstance(rulebook, Rulebook)
    house = shelf_house(rulebook.document.house)
    return Golden(text, file, rulebook, house, play(file, rulebook, house))


def pieces_of(round_: Golden, clause: str) -> set[Piece]:
    return {piece for each, piece in given_by_round(round_) if each == clause}


OPENED = """game mbs-tiger-v3
{head}patrons Ann at 1
Dealer: opens betting
Ann: 100 on player at 1
Dealer: closes betting
"""


def after_closing(*lines: str, head: str = "") -> Golden:
    return told(OPENED.format(head=head) + "\n".join((*lines, "")))


def test_a_post_two_steps_lower_is_not_the_post_below() -> None:
    lower = "{}: rules void-round because a drink was poured over the cards"
    case = ("Dealer: draws 9", "Dealer: reports not-covered because so")
    assert Piece.LOWER_REFUSED not in pieces_of(after_closing(*case, lower.format("Pit Manager")), "6.1")
    below = after_closing(*case, lower.format("Assistant Casino Manager"))
    assert Piece.LOWER_REFUSED in pieces_of(below, "6.1")


def test_a_power_that_somebody_was_refused_is_not_used() -> None:
    assert Piece.USED not in pieces_of(golden(f"{T3}/3.21-one-post-lower-and-higher.round"), "3.21")


def test_a_power_is_not_used_by_what_only_becomes_due() -> None:
    assert Piece.USED not in pieces_of(golden(f"{T3}/5.2-order-lost.round"), "5.13")


def test_a_round_that_is_void_already_leaves_no_void_out() -> None:
    over = golden("examined/a-report-about-the-set-outlasts-a-void.round")
    assert Piece.LEFT_OUT not in pieces_of(over, "7.1.1")


def test_a_void_is_done_only_when_the_round_is_void() -> None:
    reported = ("Dealer: draws 9 2", "Dealer: reports foreign-card")
    assert pieces_of(after_closing(*reported), "5.1.1") == set()
    assert Piece.DONE in pieces_of(after_closing(*reported, "Pit Manager: confirms"), "5.1.1")


def test_a_round_that_continues_must_be_settled() -> None:
    failed = ("Dealer: draws 2 9 3 4", "Dealer: reports power-failure")
    assert Piece.DONE not in pieces_of(after_closing(*failed), "5.17.2")
    void = ("Dealer: reports foreign-card", "Pit Manager: confirms")
    assert Piece.DONE not in pieces_of(after_closing(*failed, *void), "5.17.2")
    assert Piece.DONE in pieces_of(after_closing(*failed, "Dealer: draws K K"), "5.17.2")


def test_new_cards_are_there_only_when_they_are_loaded() -> None:
    due = golden(f"{T3}/5.11.4-another-card.round")
    loaded = golden(f"{T3}/5.11.1-card-value-unknown.round")
    assert Piece.DONE not in pieces_of(due, "5.11.5")
    assert Piece.DONE in pieces_of(loaded, "5.11.5")


def test_a_card_that_was_seen_must_be_dealt() -> None:
    seen = ("Dealer: draws 9", "Dealer: reports face-up-card cards 2")
    assert Piece.DONE not in pieces_of(after_closing(*seen), "5.6")
    assert Piece.DONE in pieces_of(after_closing(*seen, "Dealer: draws 2"), "5.6")


def test_a_free_hand_that_is_due_must_be_dealt() -> None:
    seen = """game hoiana-tiger-2024/commission
patrons Ann at 1
Dealer: reports next-card-known cards 9
Dealer: opens betting
"""
    assert pieces_of(told(seen), "7.5") >= {Piece.LEFT_OUT}
    assert Piece.DONE in pieces_of(told(seen + "Dealer: deals the free hand\n"), "7.5")


def test_a_statement_is_no_attempt() -> None:
    stands = golden(f"{T3}/5.1.2-found-between-rounds.round")
    assert Piece.ATTEMPTED not in pieces_of(stands, "5.1.2")
    settled = golden(f"{T3}/5.16-old-limit-mistake.round")
    assert Piece.ATTEMPTED not in pieces_of(settled, "5.16")


@pytest.mark.parametrize(
    ("name", "clause"),
    [("5.3-too-few-cards", "5.3"), ("5.7-wrong-order", "5.7"), ("5.7.1-not-delivered", "5.7.1")],
)
def test_a_case_that_opens_leaves_its_own_clause_not_out(name: str, clause: str) -> None:
    given = pieces_of(golden(f"{T3}/{name}.round"), clause)
    assert Piece.DONE in given
    assert Piece.LEFT_OUT not in given


def test_play_that_is_held_shows_nothing_but_what_is_still_to_be_done() -> None:
    held = golden(f"{T3}/5.8-together-order-known.round")
    assert Piece.LEFT_OUT in pieces_of(held, "5.8")
    found = ("Dealer: draws 9 2", "Dealer: reports foreign-card", "Dealer: draws K")
    assert Piece.OTHER_SIDE not in pieces_of(after_closing(*found), "5.1")


def test_a_wrong_call_alone_does_not_leave_out_that_the_cards_decide() -> None:
    called = golden(f"{HO}/7.16-wrong-call-reported.round")
    assert Piece.LEFT_OUT in pieces_of(called, "4.17")
    assert Piece.LEFT_OUT not in pieces_of(called, "7.16")


def test_a_display_that_nobody_follows_leaves_nothing_out() -> None:
    assert Piece.LEFT_OUT not in pieces_of(golden(f"{T3}/6.3-the-display-is-wrong.round"), "6.3")


def test_no_event_lies_on_both_sides_of_a_clause() -> None:
    handed_back = after_closing("Ann: 100 on banker at 1")
    assert Piece.OTHER_SIDE in pieces_of(handed_back, "5.4")
    assert Piece.THIS_SIDE not in pieces_of(handed_back, "5.4")


def test_a_wager_elsewhere_is_not_the_other_side_of_a_playing_area() -> None:
    collected = Collected()
    collected.add_round(golden(f"{T3}/2.2-playing-areas.round"))
    assert collected.evidence()[T3]["2.2.7"] == ["this-side"]
    collected.add_round(golden(f"{T3}/2.2-outside-the-areas.round"))
    assert collected.evidence()[T3]["2.2.7"] == ["this-side", "other-side"]


def test_a_report_that_is_refused_shows_nothing() -> None:
    held = ("Dealer: draws 9 2 K 5", "Dealer: passes player to Ann")
    report = "Dealer: reports wrong-delivery of Ann player hand"
    round_ = after_closing(*held, report, head="method A\n")
    assert round_.played.refusals
    assert Piece.LEFT_OUT not in pieces_of(round_, "3.10.2")


def test_what_a_patron_is_refused_is_not_a_right_withheld() -> None:
    asked = ("Dealer: draws 9", "Dealer with Pit Manager: reports power-failure")
    part = pieces_of(after_closing(*asked, "Ann: withdraws player at 1"), "5.17.1")
    assert Piece.WITHHELD not in part
    assert Piece.WITHHELD in pieces_of(after_closing(*asked, "Dealer: draws 2"), "5.17.1")


def test_a_right_call_leaves_nothing_out() -> None:
    right = told("""game hoiana-tiger-2024/commission
automatic expose
patrons Ann at 1
Dealer: opens betting
Ann: 100 on player at 1
Dealer: closes betting
Dealer: draws 9 2 K 5
Dealer: calls player
""")
    assert pieces_of(right, "4.17") == {Piece.DONE, Piece.THIS_SIDE, Piece.USED}


def test_the_table_itself_attests_nothing() -> None:
    assert Piece.ATTESTED not in pieces_of(after_closing("Dealer: draws 9 2 K 5"), "3.12.7")
    check = golden(f"{HO}/3.2-opening-check.round")
    assert Piece.ATTESTED in pieces_of(check, "3.2.3")


def test_taking_a_round_away_takes_its_evidence_away() -> None:
    only = f"{T3}/5.17.1-no-card-before-the-answers.round"
    with_it, without = Collected(), Collected()
    for name in FILES:
        if name.startswith(T3):
            with_it.add_round(golden(name))
            if name != only:
                without.add_round(golden(name))
    assert "withheld" in with_it.evidence()[T3]["5.17.1"]
    assert "withheld" not in without.evidence()[T3]["5.17.1"]


def test_a_pay_row_needs_an_ending_on_which_each_fact_fails_alone() -> None:
    def ending(winner: str, banker: int, cards: int) -> Facts:
        player = 6 if winner == "tie" else 5
        return Facts(Winner(winner), player, banker, 3, cards, cards - 1, False, False, Pairs.NONE)

    collected = Collected()
    collected.add(T3, [("4.3.T3", Piece.THIS_SIDE), ("4.3.T3", Piece.OTHER_SIDE)])
    for facts in (ending("banker", 6, 2), ending("banker", 6, 3), ending("tie", 6, 2)):
        collected.add_wager(T3, SettledExample(T3, "small-tiger", facts, ()), "lost")
    assert collected.evidence()[T3]["4.3.T3"] == ["this-side"]
    collected.add_wager(T3, SettledExample(T3, "small-tiger", ending("banker", 7, 2), ()), "lost")
    assert collected.evidence()[T3]["4.3.T3"] == ["this-side", "other-side"]
