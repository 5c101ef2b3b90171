"""A round gives a piece of evidence only if the engine did in it what the piece says."""

import pytest
from collected import Collected, SettledExample
from evidence import given_by_round
from golden import NAMES, Golden, golden

from thirdcard.roundfile.parse import parse
from thirdcard.roundfile.play import play
from thirdcard.rulebook.facts import Facts, Pairs, Winner
from thirdcard.rulebook.pages.coverage import Piece
from thirdcard.rulebook.shelf import SHIPPED

T3, HO, S6 = "mbs-tiger-v3", "hoiana-tiger-2024-commission", "mbs-super-six-etg-v3"
# a round, a clause, and the pieces of its evidence that the round was written for
CLAIMS = [
    (T3, "one-post-lower-does-not-choose-the-method", "3.9.2", "lower-refused higher"),
    (T3, "a-patron-neither-draws-nor-calls-under-method-a", "3.10.1", "done left-out"),
    (T3, "the-next-highest-wager-is-not-passed-over", "3.10.3", "done left-out"),
    (T3, "a-higher-post-chooses-who-gets-the-cards", "3.10.4.1", "lower-refused higher"),
    (T3, "the-next-one-counter-clockwise-is-not-passed-over", "3.10.5", "done left-out"),
    (T3, "the-dealer-or-a-higher-post-chooses-the-order-of-opening", "3.10.6", "lower-refused higher"),
    (T3, "a-third-card-of-a-squeezed-hand-stays-face-down", "3.10.7", "done left-out"),
    (T3, "a-higher-post-permits-a-patron-to-draw", "3.12.2", "lower-refused higher"),
    (T3, "cards-that-a-patron-drew-go-through-the-dealer", "3.12.3", "done left-out"),
    (T3, "the-dealer-draws-no-third-card-under-method-c", "3.12.6", "left-out"),
    (T3, "one-post-lower-does-not-permit-a-squeeze", "3.21", "lower-refused higher"),
    (T3, "the-round-of-the-cutting-card-is-finished", "3.22", "left-out"),
    (T3, "no-patron-allows-a-withdrawal-after-the-cutting-card", "3.22.1", "lower-refused higher"),
    (T3, "no-card-comes-before-a-foreign-card-is-confirmed", "5.1.1", "done left-out"),
    (T3, "no-card-comes-from-a-device-whose-order-is-lost", "5.2", "done left-out"),
    (T3, "no-round-goes-on-when-two-first-cards-have-no-order", "5.8.2.1", "done left-out"),
    (T3, "5.8.2.2-one-post-lower-and-higher", "5.8.2.2", "offered taken-up withheld lower-refused higher"),
    (T3, "no-card-before-the-answers-after-a-reset", "5.9", "offered taken-up declined withheld"),
    (T3, "no-third-card-before-the-hand-of-an-absent-patron-is-opened", "5.10", "left-out"),
    (T3, "the-round-is-finished-with-the-cards-set-aside", "5.11.4", "done left-out"),
    (T3, "a-card-shown-in-movement-is-the-one-that-is-played", "5.12.1", "done left-out"),
    (T3, "no-card-before-the-answers-after-a-power-failure", "5.17.1", "offered taken-up declined withheld"),
    (T3, "the-round-is-not-left-after-a-power-failure", "5.17.2", "done left-out"),
    (T3, "no-card-before-the-heavier-hand-was-asked", "5.18.1", "done left-out"),
    (T3, "the-lighter-hand-may-raise", "5.18.2", "offered taken-up"),
    (T3, "one-post-lower-does-not-remove-wagers", "5.18.3", "lower-refused higher"),
    (T3, "one-post-lower-does-not-decide-what-no-rule-covers", "6.1", "used lower-refused"),
    (T3, "the-cards-decide-where-the-call-follows-a-wrong-display", "6.3", "left-out"),
    (T3, "the-gap-is-within-the-limit", "1.1.10", "this-side other-side"),
    (T3, "chips-outside-the-areas-are-no-wager", "2.2.7", "this-side other-side"),
    (T3, "the-device-is-kept-and-lost", "3.12.8.2", "this-side other-side"),
    (T3, "no-call-before-both-hands-are-dealt", "3.13", "done left-out"),
    (T3, "a-foreign-card-that-is-none-leaves-the-round", "5.1", "this-side other-side"),
    (T3, "nobody-reverses-an-earlier-round", "5.1.2", "attempted"),
    (T3, "nobody-plays-on-a-round-for-which-the-cards-do-not-suffice", "5.3", "done left-out"),
    (T3, "5.7-nobody-passes-the-correction-by", "5.7", "done left-out"),
    (T3, "a-hand-that-the-dealer-opened-is-no-wrong-delivery", "5.7.1", "done left-out"),
    (T3, "no-card-comes-after-the-order-is-lost-in-movement", "5.12.2", "done left-out"),
    (T3, "new-cards-after-a-void-round", "5.13", "used"),
    (T3, "nothing-paid-over-the-maximum-is-claimed-back", "5.16", "attempted"),
    (T3, "an-acting-post-acts-until-its-time-is-over", "6.2", "this-side other-side"),
    (T3, "layout-d-has-nine-positions", "App.D", "this-side other-side"),
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
    given = pieces_of(round_of(folder, name), clause)
    assert {Piece(piece) for piece in pieces.split()} <= given


def round_of(folder: str, title: str) -> Golden:
    """A round by the folder of its game, or out of a file that names the game among others."""
    name = f"{folder}/{title}.round"
    return golden(name if name in NAMES else f"several/{title}.round, {folder.replace('2024-', '2024/')}")


def told(text: str) -> Golden:
    file = parse(text)
    rulebook = SHIPPED.rulebook(file.settings.game)
    house = SHIPPED.house(rulebook.document.house)
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
    assert Piece.USED not in pieces_of(round_of(T3, "one-post-lower-does-not-permit-a-squeeze"), "3.21")


def test_a_power_is_not_used_by_what_only_becomes_due() -> None:
    assert Piece.USED not in pieces_of(round_of(T3, "an-order-that-is-lost-makes-the-round-void"), "5.13")


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
    due = round_of(T3, "the-round-is-finished-with-the-cards-set-aside")
    loaded = round_of(T3, "a-patron-leaves-with-a-card-whose-value-is-unknown")
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
    stands = round_of(T3, "a-foreign-card-found-between-rounds-reverses-nothing")
    assert Piece.ATTEMPTED not in pieces_of(stands, "5.1.2")
    settled = round_of(T3, "an-old-limit-mistake-is-settled")
    assert Piece.ATTEMPTED not in pieces_of(settled, "5.16")


@pytest.mark.parametrize(
    ("name", "clause"),
    [
        ("too-few-cards-make-the-round-void", "5.3"),
        ("cards-in-the-wrong-order-are-put-right", "5.7"),
        ("a-hand-that-was-not-delivered-leaves-the-result", "5.7.1"),
    ],
)
def test_a_case_that_opens_leaves_its_own_clause_not_out(name: str, clause: str) -> None:
    given = pieces_of(round_of(T3, name), clause)
    assert Piece.DONE in given
    assert Piece.LEFT_OUT not in given


def test_play_that_is_held_shows_nothing_but_what_is_still_to_be_done() -> None:
    held = round_of(T3, "5.8-together-order-known")
    assert Piece.LEFT_OUT in pieces_of(held, "5.8")
    found = ("Dealer: draws 9 2", "Dealer: reports foreign-card", "Dealer: draws K")
    assert Piece.OTHER_SIDE not in pieces_of(after_closing(*found), "5.1")


def test_a_wrong_call_alone_does_not_leave_out_that_the_cards_decide() -> None:
    called = round_of(HO, "7.16-wrong-call-reported")
    assert Piece.LEFT_OUT in pieces_of(called, "4.17")
    assert Piece.LEFT_OUT not in pieces_of(called, "7.16")


def test_a_display_that_nobody_follows_leaves_nothing_out() -> None:
    assert Piece.LEFT_OUT not in pieces_of(round_of(T3, "a-wrong-display-changes-nothing"), "6.3")


def test_no_event_lies_on_both_sides_of_a_clause() -> None:
    handed_back = after_closing("Ann: 100 on banker at 1")
    assert Piece.OTHER_SIDE in pieces_of(handed_back, "5.4")
    assert Piece.THIS_SIDE not in pieces_of(handed_back, "5.4")


def test_a_wager_elsewhere_is_not_the_other_side_of_a_playing_area() -> None:
    collected = Collected()
    collected.add_round(round_of(T3, "2.2-playing-areas"))
    assert collected.evidence()[T3]["2.2.7"] == ["this-side"]
    collected.add_round(round_of(T3, "chips-outside-the-areas-are-no-wager"))
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
    check = round_of(HO, "the-table-is-checked-before-it-opens")
    assert Piece.ATTESTED in pieces_of(check, "3.2.3")


def test_taking_a_round_away_takes_its_evidence_away() -> None:
    only = f"several/no-card-before-the-answers-after-a-power-failure.round, {T3}"
    with_it, without = Collected(), Collected()
    for name in NAMES:
        if name.startswith(T3) or name.endswith(T3):
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
