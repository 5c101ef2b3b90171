"""The duties of a table are one list of next steps, from the engine's state; it empties as they are taken."""

import pytest
from folds.stories import HOIANA, SUPER_SIX, TIGER, Story, tell

from thirdcard.rulebook.irregularity import Situation
from thirdcard.views.sections.cases import Answerer, Duty, DutyKind, OpenCase

WAGERS = (
    "automatic expose\npatrons Ann at 1, Bob at 2\nDealer: opens betting\n"
    "Ann: 100 on player at 1\nBob: 100 on banker at 2\nDealer: closes betting\n"
)


def duties(story: Story) -> tuple[Duty, ...]:
    assert story.staff.desk is not None
    return story.staff.desk.duties


def cases(story: Story) -> tuple[OpenCase, ...]:
    assert story.staff.desk is not None
    return story.staff.desk.cases


def kinds(story: Story) -> list[DutyKind]:
    return [each.kind for each in duties(story)]


def test_nothing_is_owed_at_a_plain_table() -> None:
    assert kinds(tell(WAGERS + "Dealer: draws 9 2\n")) == []


def test_void_waits_for_the_facts() -> None:
    """Clause 5.1: the house's post confirms the facts before the round is void."""
    (duty,) = duties(tell(WAGERS + "Dealer: draws 9 2\nDealer: reports foreign-card\n"))
    assert (duty.kind, duty.clauses, duty.post) == (DutyKind.CONFIRM_FACTS, ("5.1.1",), "pit-manager")
    assert not duty.optional


def test_each_patron_is_struck_off_by_the_answer() -> None:
    """Clause 5.8.1: the order is known, so that patrons may withdraw single wagers."""
    lines = WAGERS + "Dealer: draws 2 2 2 A\nDealer: draws 9 6 together, order known\n"
    (duty,) = duties(tell(lines))
    assert (duty.kind, duty.clauses) == (DutyKind.ASK_PATRONS, ("5.8.1",))
    assert duty.patrons == (Answerer("Ann", answered=False), Answerer("Bob", answered=False))
    (duty,) = duties(tell(lines + "Ann: stays\n"))
    assert duty.patrons == (Answerer("Ann", answered=True), Answerer("Bob", answered=False))
    assert duties(tell(lines + "Ann: stays\nBob: stays\n")) == ()


def test_gravest_case_stands_first() -> None:
    """A foreign card (5.1) that comes to light during an offer (5.8.1) may void the round."""
    lines = (
        WAGERS + "Dealer: draws 2 2 2 A\nDealer: draws 9 6 together, order known\n"
        "Dealer: reports foreign-card\nDealer: reports not-covered because so\n"
    )
    found = cases(tell(lines))
    assert [each.situation for each in found] == [
        *(Situation.FOREIGN_CARD, Situation.NOT_COVERED, Situation.CARDS_TOGETHER),
    ]
    assert [each.current for each in found] == [True, False, False]
    assert all(each.blocks for each in found)
    # nothing else is decided before the facts are confirmed
    assert kinds(tell(lines)) == [DutyKind.CONFIRM_FACTS, DutyKind.ASK_PATRONS]


def test_permission_holds_nobody_up() -> None:
    """Clause 7.9: the Shift Manager may let patrons withdraw."""
    lines = (
        "face-down\nautomatic expose\npatrons Ann at 1\nDealer: opens betting\nAnn: 300 on player at 1\n"
        "Ann: asks to squeeze\nDealer: closes betting\nDealer: draws 9 2 K 5\n"
        "Dealer: passes player to Ann\nAnn: opens player\n"
        "Dealer: reports wrong-delivery of Ann banker hand\n"
    )
    (duty,) = duties(tell(lines, HOIANA))
    assert (duty.kind, duty.post, duty.optional) == (DutyKind.PERMIT, "shift-manager", True)
    assert [each.blocks for each in cases(tell(lines, HOIANA))] == [False]


def test_burn_is_owed_until_it_is_made() -> None:
    """Clause 7.11.1: no card was viewed, so the cards go back and the burn is made up for."""
    lines = (
        "automatic expose\nburn forgotten\npatrons Ann at 1\nDealer: opens betting\nAnn: 100 on player at 1\n"
        "Dealer: closes betting\nDealer: draws ?\n"
    )
    story = tell(lines, HOIANA)
    assert kinds(story) == [DutyKind.BURN, DutyKind.PLAY_KNOWN_CARDS]
    assert [each.cards for each in duties(story)] == [0, 1]
    assert kinds(tell(lines + "Dealer: burns by 5\n", HOIANA)) == []


def test_free_hand_is_owed_with_the_card_that_waits() -> None:
    """Clause 7.6: a third card that Player may not have opens the next hand, which is free."""
    lines = (
        WAGERS + "Dealer: draws K K 7 6\nDealer: draws 5 to player\n"  # Player stands on 7
    )
    (during,) = duties(tell(lines, HOIANA))
    assert (during.kind, during.clauses, during.cards) == (DutyKind.FREE_HAND, ("7.6",), 1)
    assert during.optional
    (after,) = duties(tell(lines + "Dealer: calls player\n", HOIANA))
    assert not after.optional
    assert kinds(tell(lines + "Dealer: calls player\nDealer: deals the free hand\n", HOIANA)) == []


def test_differential_is_asked_lowered_and_removed() -> None:
    """Clauses 5.18.1 and 5.18.3: patrons are asked first, and the Pit Manager removes what is left."""
    lines = (
        "differential 1000\npatrons Ann at 1, Bob at 2\nDealer: opens betting\n"
        "Ann: 3000 on player at 1\nBob: 500 on banker at 2\nDealer: closes betting\n"
    )
    (asked,) = duties(tell(lines))
    assert (asked.kind, asked.amount) == (DutyKind.ASK_TO_DECREASE, 150_000)
    (lower,) = duties(tell(lines + "Dealer: asks to decrease\n"))
    assert (lower.kind, lower.patrons) == (DutyKind.LOWER_WAGERS, (Answerer("Ann", answered=False),))
    lower, remove = duties(tell(lines + "Dealer: asks to decrease\nAnn: takes 500 off player at 1\n"))
    assert lower.patrons == (Answerer("Ann", answered=True),)
    assert (remove.kind, remove.clauses, remove.post) == (
        *(DutyKind.REMOVE_WAGERS, ("5.18.3",), "pit-manager"),
    )
    assert remove.amount == 100_000
    met = "Dealer: asks to decrease\nAnn: takes 500 off player at 1\n"
    assert kinds(tell(lines + met + "Pit Manager: removes 1000 of Ann on player at 1\n")) == []


def test_wagers_are_altered_at_hoiana() -> None:
    """Clause 4.3.1: patrons are required to alter their wagers, and no post removes any."""
    lines = (
        "differential 1000\npatrons Ann at 1\nDealer: opens betting\nAnn: 3000 on player at 1\n"
        "Dealer: closes betting\n"
    )
    (duty,) = duties(tell(lines, HOIANA))
    assert (duty.kind, duty.clauses, duty.patrons) == (DutyKind.LOWER_WAGERS, ("4.3", "4.3.1"), ())


def test_new_cards_are_due_or_the_set_is_found_whole() -> None:
    """Clause 5.1 leaves the set in doubt: a post finds it whole, or the cards are replaced (2.1)."""
    lines = WAGERS + "Dealer: draws 9 2\nDealer: reports foreign-card\nPit Manager: confirms\n"
    assert kinds(tell(lines)) == [DutyKind.FIND_WHOLE]
    assert duties(tell(lines))[0].post == "pit-manager"
    assert kinds(tell(lines + "Pit Manager: chooses new cards\n")) == [DutyKind.NEW_CARDS]


def test_patrons_choose_new_cards() -> None:
    """Clause 7.11.2.1: after the hand the players are offered new cards."""
    lines = (
        "automatic expose\nburn forgotten\npatrons Ann at 1\nDealer: opens betting\nAnn: 100 on player at 1\n"
        "Dealer: closes betting\nDealer: draws 9 2 K 5\n"
    )
    (later,) = duties(tell(lines, HOIANA))
    assert (later.kind, later.optional) == (DutyKind.CHOOSE_CARDS, True)
    lines += "Dealer: calls player\n"
    (duty,) = duties(tell(lines, HOIANA))
    assert (duty.kind, duty.clauses, duty.optional) == (DutyKind.CHOOSE_CARDS, ("7.11.2.1",), False)
    assert duty.patrons == (Answerer("Ann", answered=False),)
    assert kinds(tell(lines + "Ann: keeps the cards\n", HOIANA)) == []


def test_wrong_payment_of_an_earlier_round_is_to_be_corrected() -> None:
    """After the next opening the post of 6.1 decides whether a wrong payment is corrected."""
    lines = (
        WAGERS + "Dealer: draws 9 2 K 5\nDealer: calls player\nDealer: opens betting\n"
        "Dealer with Pit Manager: reports wrong-payment of Ann amount 50, previous round\n"
    )
    decide, correct = duties(tell(lines))
    assert (decide.kind, decide.post) == (DutyKind.DECIDE, "gaming-shift-manager")
    assert (correct.kind, correct.amount) == (DutyKind.CORRECT_PAYMENT, 5_000)
    assert correct.patrons == (Answerer("Ann", answered=False),)


def test_surveillance_is_informed_of_an_escalated_dispute() -> None:
    """Clause 8.2 of Hoiana."""
    lines = "patrons Ann at 1\nAnn: disputes the payment\nPit Supervisor: escalates dispute 1\n"
    (duty,) = duties(tell(lines, HOIANA))
    assert (duty.kind, duty.clauses) == (DutyKind.INFORM_SURVEILLANCE, ("8.2",))
    assert kinds(tell(lines + "Shift Manager: informs surveillance of dispute 1\n", HOIANA)) == []
    (duty,) = duties(tell(lines, TIGER))  # by the house
    assert (duty.kind, duty.clauses) == (DutyKind.INFORM_SURVEILLANCE, ())


def test_surveillance_is_not_informed_of_a_dispute_decided_at_the_first_level() -> None:
    """Clause 8.2 of Hoiana is about what was escalated."""
    lines = (
        "patrons Ann at 1\nAnn: disputes the payment\nPit Supervisor: decides dispute 1 as right citing "
        "game-rules, published-information, operating-procedures, control-standards, law lacking "
        "accounts-of-both-parties (none), surveillance-evidence (none), other-evidence (none)\n"
    )
    assert kinds(tell(lines, HOIANA)) == []


def test_case_says_who_can_take_it_back() -> None:
    (case,) = cases(tell(WAGERS + "Dealer: draws 9 2\nDealer: reports foreign-card\n"))
    assert (case.by, case.can_be_withdrawn, case.withdrawn_by_two) == ("Dealer", True, False)
    assert (case.can_be_disproved, case.disproved_by, case.disproved_by_two) == (True, "pit-manager", False)


def test_what_two_people_reported_is_disproved_by_two() -> None:
    """Clause 5.9: patrons may withdraw when the device is reset; with a card known two people report it."""
    lines = WAGERS + "Dealer: draws 2 2 2 A\nDealer with Pit Manager: reports device-reset\n"
    (case,) = cases(tell(lines))
    assert (case.second, case.withdrawn_by_two, case.disproved_by_two) == ("Pit Manager", True, True)


def test_table_is_not_mistaken_about_what_it_saw() -> None:
    """Clause 7.9: a card at the wrong hand is a mistake in the order of dealing."""
    (case,) = cases(tell(WAGERS + "Dealer: draws 9 to banker\n", HOIANA))
    assert (case.by, case.situation) == (None, Situation.WRONG_ORDER)
    assert not case.can_be_withdrawn
    assert not case.can_be_disproved


def test_what_the_table_dealt_with_stays_to_be_read() -> None:
    """Clause 5.7: a card at the wrong hand is put right at once, and staff read what was done."""
    desk = tell(WAGERS + "Dealer: draws 9 to banker\n").staff.desk
    assert desk is not None
    (done,) = desk.dealt_with
    assert (done.situation, done.clause) == (Situation.WRONG_ORDER, "5.7")
    assert done.effects == ("reconstruct-cards", "continue")


def test_house_decides_about_money_by_two_people() -> None:
    """Super Six has no clause for what no rule covers, so nobody alone moves money."""
    lines = (
        "automatic expose\npatrons Ann\nAnn: buys 1000 credits\nDealer: opens betting\n"
        "Ann: 100 on player\nDealer: closes betting\nDealer: draws 9 2\n"
        "Dealer: reports not-covered because so\n"
    )
    (case,) = cases(tell(lines, SUPER_SIX))
    assert "void-round" in case.decided_by_two
    assert "continue" not in case.decided_by_two


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ("Dealer: draws 9 2 K\n", [(1, "hand"), (2, "hand"), (3, "hand")]),
        ("Dealer: draws ? 2\n", [(2, "hand")]),
        (
            "Dealer: draws K K 7 6\nDealer: draws 5 to player\n",
            [(n, "hand") for n in range(1, 5)] + [(5, "aside")],
        ),
    ],
)
def test_cards_have_the_numbers_by_which_they_are_corrected(
    lines: str, expected: list[tuple[int, str]]
) -> None:
    desk = tell(WAGERS + lines).staff.desk
    assert desk is not None
    assert [(each.number, each.place) for each in desk.cards_out] == expected


def test_card_aside_has_the_face_that_was_told() -> None:
    """A correction names the card: without its face nobody knows which of two it is."""
    desk = tell(WAGERS + "Dealer: draws K K 7 6\nDealer: draws 5 to player\n").staff.desk
    assert desk is not None
    assert [each.card.text for each in desk.cards_out if each.card] == ["5"]


def test_face_that_a_device_read_is_not_told() -> None:
    lines = "device card-reading\n" + WAGERS + "Dealer: draws K K 7 6\nDealer: draws 5 to player\n"
    desk = tell(lines).staff.desk
    assert desk is not None
    assert [(each.place, each.card) for each in desk.cards_out][-1] == ("aside", None)


def test_choices_that_exclude_each_other_are_told() -> None:
    """Clause 6.1: one decision may have several parts, but a void round does not go on."""
    (case,) = cases(tell(WAGERS + "Dealer: draws 9 2\nDealer: reports not-covered because a glass fell\n"))
    assert "continue" in case.excludes["void-round"]
    assert "void-round" in case.excludes["continue"]
    assert case.excludes["pay"] == ("take-back",)
    assert "replace-cards" not in case.excludes["continue"]


def test_referral_rests_on_the_clause_of_its_post() -> None:
    """Clauses 6.1 of Marina Bay Sands and 7.20 of Hoiana."""
    lines = "patrons Ann at 1\nDealer: opens betting\n"
    lines += "Dealer: reports not-covered because a drink was spilled\n"
    for game, clause in ((TIGER, "6.1"), (HOIANA, "7.20")):
        story = tell(lines, game)
        (duty,), (case,) = duties(story), cases(story)
        assert (duty.kind, duty.clauses) == (DutyKind.DECIDE, (clause,))
        assert (case.clause, case.note) == (clause, "a drink was spilled")
