"""Reports of irregularities, and the effects on the table."""

import pytest
from msgspec.structs import replace
from story import ASSISTANT_DIRECTOR, HO, S6, T3, asked, happened, reasons, refused, told

from thirdcard.cards import Card, Rank
from thirdcard.game import commands as cmd
from thirdcard.game import events as ev
from thirdcard.game.alarm_kinds import AlarmKind
from thirdcard.game.apply import apply_all
from thirdcard.game.desk import QueryDesk
from thirdcard.game.irregularities.rulings import choices_of
from thirdcard.game.shoe import Seal
from thirdcard.game.state import Hand, Phase
from thirdcard.refusals import Refusal
from thirdcard.rulebook.book import rulebooks
from thirdcard.rulebook.irregularity import KeepAsNextCard, Situation
from thirdcard.rulebook.shelf import SHIPPED

BETTING = """
    automatic expose
    patrons Ann at 1, Bob at 2
    Dealer: opens betting
    Ann: 100 on player at 1
"""
CLOSED = BETTING + "Dealer: closes betting\n"
DEALT = CLOSED + "Dealer: draws 9 2 K 5\n"


# facts that are not so


def test_only_a_report_under_way_is_disproved() -> None:
    story = told(T3, DEALT + "Pit Manager: finds that it is not so because the card is ours")
    assert reasons(story) == [Refusal.NOT_AWAITED]


def test_a_fact_is_disproved_by_what_was_found() -> None:
    table = told(T3, DEALT + "Dealer: reports foreign-card").table
    result = refused(T3, table, cmd.DisproveFacts(found=" "), "Pit Manager")
    assert result.reason is Refusal.DECISION_NEEDS_TEXT


@pytest.mark.parametrize("who", ["Pit Manager", "Gaming Shift Manager with Pit Manager"])
def test_somebody_else_disproves_a_report(who: str) -> None:
    story = told(
        T3, DEALT + f"Pit Manager: reports foreign-card\n{who}: finds that it is not so because of it"
    )
    assert reasons(story) == [Refusal.ANOTHER_PERSON_NEEDED]


def test_a_void_cannot_be_declined() -> None:
    story = told(T3, DEALT + "Dealer: reports foreign-card\nPit Manager: rules continue because I say so")
    assert reasons(story) == [Refusal.NOT_AWAITED]  # 5.1.1
    assert story.table.case is not None


# decisions about what no rule covers


def test_a_payment_that_is_decided_goes_to_somebody_at_the_table() -> None:
    rules = "Gaming Shift Manager: rules pay"
    story = told(
        T3,
        DEALT
        + f"""
        Dealer: reports not-covered because so
        {rules} because it is fair
        {rules} paying Zed 50 because it is fair
        {rules} paying Bob 50 because it is fair
        """,
    )
    assert reasons(story) == [Refusal.FACTS_NEEDED, Refusal.UNKNOWN_PATRON]
    assert [(each.patron, each.amount) for each in happened(story, ev.PaymentCorrected)] == [("Bob", -5000)]


def test_a_free_hand_can_be_decided_where_the_document_knows_one() -> None:
    decides = "Dealer: reports not-covered because so\n{}: rules free-hand because of the lamp\n"
    story = told(HO, DEALT + decides.format(ASSISTANT_DIRECTOR))
    assert story.table.free_hand_by == "7.20"
    assert reasons(told(T3, DEALT + decides.format("Gaming Shift Manager"))) == [Refusal.NO_SUCH_CHOICE]


def test_cards_that_lie_on_the_table_open_no_round() -> None:
    reports = "Dealer: reports wrong-order cards 2 9 K 5\n"
    rules = "Gaming Shift Manager: rules keep-as-next-card because they are out\n"
    story = told(T3, DEALT + "Dealer: calls player\n" + reports + rules)
    assert reasons(story) == [Refusal.NO_SUCH_CHOICE]  # 6.1
    assert story.table.strays == ()


def test_a_free_hand_that_is_decided_begins_with_a_card_of_the_shoe() -> None:
    reports = "Dealer: reports wrong-order cards 2 9 K 5\n"
    rules = f"{ASSISTANT_DIRECTOR}: rules free-hand because it is fair\n"
    story = told(HO, DEALT + "Dealer: calls player\n" + reports + rules)
    assert (story.table.free_hand_by, story.table.strays) == ("7.20", ())


def test_withdrawal_is_no_choice_where_every_wager_is_decided() -> None:
    dealt = "patrons Ann at 1\nDealer: opens betting\nAnn: 100 on tiger-pair at 1\nDealer: closes betting\n"
    decides = (
        "Dealer: reports not-covered because so\nGaming Shift Manager: rules offer-withdrawal because so\n"
    )
    assert reasons(told(T3, dealt + "Dealer: draws 2 3 K 4\n" + decides)) == [Refusal.NO_SUCH_CHOICE]


# effects


DECIDED = """
    automatic expose
    patrons Ann at 1
    Dealer: opens betting
    Ann: 100 on tiger-pair at 1
    Dealer: closes betting
    Dealer: draws 2 3 K 4
"""


def test_nobody_is_asked_where_no_wager_remains() -> None:
    unknown = "Dealer: draws 5 6 together, order unknown\nPit Manager: rules order 5 6\n"
    story = told(T3, DECIDED + unknown)
    assert not happened(story, ev.OfferOpened)
    asked = [each for each in happened(story, ev.EffectCarriedOut) if each.effect == "offer-withdrawal"]
    assert [each.done for each in asked] == [False]  # 5.8.2.2 speaks of remaining wagers


def test_a_decided_wager_may_be_withdrawn_where_the_clause_excepts_none() -> None:
    story = told(T3, DECIDED + "Dealer: draws 5 6 together, order known\nAnn: withdraws\n")
    assert [each.offer.asked for each in happened(story, ev.OfferOpened)] == [("Ann",)]  # 5.8.1
    assert story.patrons["Ann"].back == 10000


def test_patrons_who_were_asked_to_decrease_are_not_asked_again() -> None:
    story = told(
        T3,
        "differential 100\nmain 50 5000\n"
        + CLOSED.replace("Ann: 100", "Ann: 500")
        + "Dealer: asks to decrease\nDealer: reports differential-exceeded\n",
    )
    assert len(happened(story, ev.DecreaseAsked)) == 1  # 5.18.1


def test_a_wager_that_is_not_there_is_not_removed() -> None:
    story = told(
        T3,
        "differential 100\nmain 50 5000\n"
        + CLOSED.replace("Ann: 100", "Ann: 500")
        + "Dealer: asks to decrease\nAnn: stays\nPit Manager: removes 100 of Bob on player at 2\n",
    )
    assert reasons(story) == [Refusal.NO_SUCH_WAGER]  # 5.18.3


@pytest.mark.parametrize(
    ("choice", "reason"),
    [("continue", Refusal.CARDS_IN_DOUBT), ("replace-cards and continue", Refusal.NEW_CARDS_DUE)],
)
def test_no_card_comes_from_cards_that_are_in_doubt(choice: str, reason: Refusal) -> None:
    story = told(
        HO,
        CLOSED
        + f"""
        Dealer: reports foreign-card
        {ASSISTANT_DIRECTOR}: rules {choice} because nobody minds
        Dealer: draws 9
        """,
    )
    assert reasons(story) == [reason]  # 7.1
    assert story.table.phase is Phase.CLOSED


def test_a_row_may_let_a_card_open_the_next_round() -> None:
    document = SHIPPED.rulebook(T3).document
    rows = tuple(
        replace(row, effects=(KeepAsNextCard(),))
        if row.situation is Situation.UNAUTHORISED_BANKER_CARD
        else row
        for row in document.irregularities
    )
    (book,) = rulebooks(replace(document, irregularities=rows))
    story = told(T3, DEALT + "Dealer: draws 6 to banker", book)
    assert [card.text for card in story.table.strays if card] == ["6"]


# cards as they lie


def test_a_card_that_came_instead_of_none_that_was_known_gives_no_alarm() -> None:
    story = told(T3, CLOSED + "Dealer: draws 9 instead")
    assert not happened(story, ev.AlarmRaised)


def test_a_card_that_came_instead_of_another_gives_alarm() -> None:
    reset = "Dealer: draws 2H\nDealer with Pit Manager: reports device-reset\nAnn: stays\n"
    decided = "Gaming Shift Manager: rules continue because it is one card\nDealer: closes betting\n"
    story = told(T3, "device electronic\n" + CLOSED + reset + decided + "Dealer: draws 9C instead")
    assert [each.alarm.kind for each in happened(story, ev.AlarmRaised)] == [AlarmKind.OTHER_CARD_CAME]


def test_a_third_card_at_the_banker_while_the_player_draws_is_the_players() -> None:
    story = told(T3, CLOSED + "Dealer: draws 2 3 K K\nDealer: draws 5 to banker")
    (rebuilt,) = happened(story, ev.CardsReconstructed)
    assert (rebuilt.cards[4].hand, rebuilt.clauses) == (Hand.PLAYER, ("5.7",))


def test_squeezing_is_forbidden_to_one_patron_and_the_other_keeps_the_cards() -> None:
    story = told(
        HO,
        """
        face-down
        patrons Ann at 1, Bob at 2
        Dealer: opens betting
        Ann: 100 on player at 1
        Ann: asks to squeeze
        Dealer: closes betting
        Dealer: draws ? ? ? ?
        Dealer: passes player to Ann
        Pit Manager: forbids Bob to squeeze
        """,
    )
    assert story.table.round is not None
    assert [each.patron for each in story.table.round.holdings] == ["Ann"]  # 4.8


def test_new_cards_come_with_wagers_down_only_if_they_must() -> None:
    loads = "Pit Manager: loads 8 decks\n"
    assert reasons(told(HO, CLOSED + loads)) == [Refusal.NOT_IN_THIS_PHASE]
    decided = f"{ASSISTANT_DIRECTOR}: rules replace-cards because it is not ours\n"
    story = told(HO, CLOSED + "Dealer: reports foreign-card\n" + decided + loads + "Dealer: burns\n")
    assert not story.refusals  # 7.1, 7.20
    assert (story.table.phase, story.table.shoes) == (Phase.CLOSED, 2)


def test_a_holder_of_the_device_who_is_not_at_the_table_draws_nothing() -> None:
    story = told(
        T3,
        """
        area high-limit
        device card-reading
        method C
        patrons Ann at 1
        Dealer: opens betting
        Dealer: closes betting
        """,
    )
    table = replace(story.table, device_holder="Zed", drawing_permitted=("Zed",))
    found = refused(T3, table, cmd.DrawCard(card=Card(Rank.NINE)), "Zed")
    assert (found.reason, found.clauses) == (Refusal.UNKNOWN_PATRON, ("3.12.8",))


def test_nobody_draws_who_is_not_at_the_table() -> None:
    story = told(
        T3,
        """
        area high-limit
        device card-reading
        method C
        patrons Ann at 1
        Assistant Casino Manager: permits Zed to draw
        Zed: takes the device
        Dealer: opens betting
        Dealer: closes betting
        Zed: draws 9
        """,
    )
    assert [(each.reason, each.clauses) for each in story.refusals] == [
        (Refusal.UNKNOWN_PATRON, ("3.12.2",)),
        (Refusal.UNKNOWN_PATRON, ("3.12.2",)),
        (Refusal.NOT_THE_DRAWER, ("3.12.1",)),
    ]


def test_a_case_that_waits_for_facts_has_no_choices() -> None:
    table = told(S6, "patrons T1\nDealer: opens betting\nDealer: reports foreign-card").table
    book = SHIPPED.rulebook(S6)
    assert table.case is not None
    assert choices_of(QueryDesk(book, SHIPPED.house(book.document.house), table), table.case) == ()


MISPLACED = CLOSED + "Dealer: draws 2 3 K\nDealer: draws 4 to player\n"  # 7.9: waits for the Shift Manager


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("Dealer: reports unauthorised-player-card cards 5, seen", Refusal.NOT_IN_THIS_PHASE),
        ("Dealer: reports cards-together cards 5 6, order known", Refusal.IRREGULARITY_UNDER_WAY),
    ],
)
def test_cards_at_the_wrong_hand_are_laid_again_first(line: str, reason: Refusal) -> None:
    assert reasons(told(HO, MISPLACED + line)) == [reason]


def test_a_card_is_corrected_while_another_lies_at_the_wrong_hand() -> None:
    story = told(HO, MISPLACED + "Dealer with Pit Manager: corrects card 1 to 9\nShift Manager: rules deny\n")
    (rebuilt,) = happened(story, ev.CardsReconstructed)
    assert [each.card.text for each in rebuilt.cards if each.card] == ["9", "3", "K", "4"]
    assert story.table.phase is Phase.OUTCOME  # 4.13: Player has a natural


def test_a_card_that_no_decision_moves_goes_by_its_turn() -> None:
    bought = (
        "patrons T1\nT1: buys 100 credits\nDealer: opens betting\nT1: 100 on player\nDealer: closes betting\n"
    )
    decided = "Gaming Shift Manager with Dealer: rules replace-cards because it fell\n"
    story = told(S6, bought + "Dealer: draws 2 to banker\n" + decided)
    assert story.table.round is not None
    assert [each.hand for each in story.table.round.cards] == [Hand.PLAYER]


def test_a_card_that_waited_face_down_is_known_once_it_is_drawn() -> None:
    story = told(
        T3,
        DEALT
        + """
        Dealer: reports unauthorised-banker-card, unseen
        Gaming Shift Manager: rules keep-as-next-card because nobody saw it
        Dealer: calls player
        Dealer: opens betting
        Dealer: closes betting
        Dealer: draws 6
        """,
    )
    assert not story.refusals
    assert story.table.shoe is not None
    assert [card.text for card in story.table.shoe.drawn] == ["9", "2", "K", "5", "6"]


def test_a_terminal_takes_and_gives_nothing_after_closing() -> None:
    bought = (
        "patrons T1\nT1: buys 100 credits\nDealer: opens betting\nT1: 50 on player\nDealer: closes betting\n"
    )
    story = told(S6, bought + "Dealer with Pit Manager: reports late-withdrawal of T1 amount 50\n")
    assert [(each.reason, each.clauses) for each in story.refusals] == [
        (Refusal.NO_LATE_WITHDRAWAL, ("3.2",))
    ]


def test_a_shoe_that_is_kept_is_played_to_its_end() -> None:
    hand = "Dealer: opens betting\nDealer: draws 9 2 K 5\n"
    loads = "Pit Manager: loads 8 decks\n"
    kept = "burn forgotten\npatrons Ann at 1\n" + hand + "Ann: keeps the cards\n"
    story = told(HO, kept + loads + "Dealer: announces the last hand\n" + hand + loads)
    assert [(each.reason, each.clauses) for each in story.refusals] == [(Refusal.SHOE_IS_KEPT, ("7.11.2.1",))]
    assert story.table.shoes == 2


NONE_LEFT = """
left 4
patrons Ann at 1
Dealer: opens betting
Ann: 100 on player at 1
Dealer: closes betting
Dealer: draws 2 2 2 2
Dealer: draws 5
"""


@pytest.mark.parametrize("game", [T3, "mbs-dragon-tiger-nc-2023", S6, HO])
def test_a_card_that_is_found_puts_the_count_right(game: str) -> None:
    """5.3, 5.5, 7.2: the cards must be insufficient."""
    head = NONE_LEFT.replace("Ann: 100", "Ann: buys 1000 credits\nAnn: 100") if game == S6 else NONE_LEFT
    story = told(game, head.replace("100 on", "500 on"))
    assert [each.case.by for each in happened(story, ev.IrregularityReported)] == [story.table.setup.table]
    shoe = story.table.shoe
    assert shoe is not None
    found = asked(game, story.table, cmd.DisproveFacts(found="one more"), "Pit Manager")
    table = apply_all(story.table, found)
    assert table.shoe is not None
    assert (table.shoe.left, table.shoe.discards) == (1, shoe.discards - 1)
    assert not table.open_cases


def test_no_card_is_found_in_a_sealed_shoe_that_has_none() -> None:
    story = told(T3, NONE_LEFT)
    shoe = story.table.shoe
    assert shoe is not None
    seal = Seal(root="00" * 32, cards=416, behind_cutting_card=16, key_id="k", content="")
    table = replace(story.table, shoe=replace(shoe, seal=seal))
    found = refused(T3, table, cmd.DisproveFacts(found="one more"), "Pit Manager")
    assert found.reason is Refusal.SEALED_CARD


def test_a_card_of_a_sealed_shoe_came() -> None:
    story = told(T3, CLOSED + "Dealer: draws 9 8 K K\nDealer: draws 5C to banker\n")
    shoe = story.table.shoe
    assert shoe is not None
    seal = Seal(root="00" * 32, cards=416, behind_cutting_card=16, key_id="k", content="")
    table = replace(story.table, shoe=replace(shoe, seal=seal))
    found = refused(T3, table, cmd.DisproveFacts(found="it never came"), "Pit Manager")
    assert found.reason is Refusal.SEALED_CARD


def test_a_power_failure_after_a_round_is_not_about_it() -> None:
    ruled = f"Dealer: reports power-failure\n{ASSISTANT_DIRECTOR}: rules continue because it is back\n"
    over = told(HO, CLOSED + "Dealer: draws 9 2\n" + ruled + "Dealer: draws K 5\nDealer: calls player\n")
    again = told(
        HO, CLOSED + "Dealer: draws 9 2\n" + ruled + "Dealer: draws K 5\nDealer: calls player\n" + ruled
    )
    assert over.table.round is not None
    assert over.table.round.judged
    assert again.table.round == over.table.round


def test_a_wager_that_goes_back_by_a_ruling_can_leave_the_differential_exceeded() -> None:
    """MBS 5.18, 6.1: 600 on Player against nothing is over the limit of 500, which nobody has to report."""
    story = told(
        T3,
        """
        differential 500
        patrons Ann at 1, Bob at 2
        Dealer: opens betting
        Ann: 600 on player at 1
        Bob: 600 on banker at 2
        Dealer: closes betting
        Dealer: draws 3 2
        Dealer: reports not-covered of Bob on banker at 2 because he fell
        Gaming Shift Manager: rules return-wagers because he was asked to leave
        """,
    )
    assert [each.situation for each in story.table.open_cases] == [Situation.DIFFERENTIAL_EXCEEDED]


def test_what_a_person_decides_is_no_statement() -> None:
    """MBS 5.8.2.2, 5.11.1: the Pit Manager found an order, and two cards were set aside: both were done."""
    order = "Dealer: draws 2 2 2 A\nDealer: draws 9 6 together, order unknown\nPit Manager: rules order 9 6\n"
    taken = """
        Dealer: draws ? ? ? ?
        Dealer: passes player to Ann
        Dealer: reports patron-left-with-cards of Ann, value unknown
        Gaming Shift Manager: reserves 9D 6C
    """
    for text, effect in ((order, "determine-card-order"), ("method A\n" + taken, "reserve-cards")):
        head, _, lines = text.rpartition("method A\n")
        story = told(T3, head + ("method A" if "method A" in text else "") + CLOSED + lines)
        done = [each for each in happened(story, ev.EffectCarriedOut) if each.effect == effect]
        assert [(each.done, each.statement) for each in done] == [(True, False)]
