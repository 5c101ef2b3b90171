"""Conditions, circumstances, effects and posts in words."""

import pytest

from thirdcard.clauses import Clause
from thirdcard.rulebook.deciders import decider_of
from thirdcard.rulebook.facts import Pairs, When, Winner, conditions
from thirdcard.rulebook.irregularity import (
    Area,
    CardNeed,
    Circumstances,
    Continue,
    DetermineCardOrder,
    Effect,
    FreeHand,
    Irregularity,
    Method,
    OfferWithdrawal,
    Preset,
    Refer,
    RemoveWagers,
    ReplaceCards,
    ReserveCards,
    Situation,
    Stage,
    VoidRound,
    Withdrawable,
)
from thirdcard.rulebook.shelf import SHIPPED
from thirdcard.rulebook.words import (
    circumstances_in_words,
    conditions_in_words,
    decider_in_words,
    effect_in_words,
    grant_in_words,
    name_of,
    post_name,
)
from thirdcard.staff import Post

CLAUSE = Clause("5.1")
PIT_MANAGER, SHIFT_MANAGER = Post("pit-manager"), Post("shift-manager")


@pytest.mark.parametrize(
    ("when", "words"),
    [
        (When(), "always"),
        (When(winner=Winner.TIE), "tie"),
        (When(winner=(Winner.BANKER, Winner.PLAYER)), "Player wins or Banker wins"),
        (
            When(winner=Winner.BANKER, banker_total=6, banker_cards=3),
            "Banker wins, Banker total 6, with 3 cards in the Banker hand",
        ),
        (
            When(player_total=(9, 7, 8), player_cards=2),
            "Player total 7 or 8 or 9, with 2 cards in the Player hand",
        ),
        (When(third_cards=(2, 0)), "third cards drawn: 0 or 2"),
        (When(winner=Winner.PLAYER, margin=(9, 8), natural=False), "Player wins, by 8 or 9, natural no"),
        (When(player_pair=True, banker_pair=False), "Player pair yes, Banker pair no"),
        (When(pairs=(Pairs.TWIN, Pairs.NONE)), "hands with a pair: none or both, the same pair"),
    ],
)
def test_conditions_are_said_in_the_order_of_the_facts_and_of_their_values(when: When, words: str) -> None:
    assert conditions_in_words(conditions(when)) == words


@pytest.mark.parametrize(
    ("when", "words"),
    [
        (Circumstances(), "always"),
        (Circumstances(stage=Stage.OUTCOME_KNOWN, seen=False), "stage: outcome known; cards seen: no"),
        (
            Circumstances(method=(Method.C, Method.A), area=Area.HIGH_LIMIT),
            "method A or C; area: high-limit area",
        ),
        (
            Circumstances(stage=(Stage.INITIAL_DEAL, Stage.BETWEEN_ROUNDS)),
            "stage: between rounds or initial deal",
        ),
    ],
)
def test_circumstances_are_said_in_the_order_in_which_people_look_for_them(
    when: Circumstances, words: str
) -> None:
    row = Irregularity(Situation.MISDEAL, effects=(VoidRound(CLAUSE),), when=when)
    assert circumstances_in_words(row) == words


def test_the_dealing_device_that_a_row_needs_is_among_its_circumstances() -> None:
    row = Irregularity(Situation.DEVICE_RESET, (Continue(CLAUSE),), device="card-reading")
    assert circumstances_in_words(row) == "dealing device: card-reading"


@pytest.mark.parametrize(
    ("effect", "words"),
    [
        (VoidRound(CLAUSE), "the round is void"),
        (OfferWithdrawal(CLAUSE, Withdrawable.SINGLE), "patrons may withdraw single wagers"),
        (OfferWithdrawal(CLAUSE, Withdrawable.ALL_REMAINING), "patrons may withdraw all remaining wagers"),
        (FreeHand(CLAUSE), "free hand (next round)"),
        (FreeHand(CLAUSE, round="this"), "free hand (this round)"),
        (ReplaceCards(clause=CLAUSE, need=CardNeed.PATRONS_CHOOSE), "new cards: patrons choose"),
        (
            ReplaceCards(clause=CLAUSE, need=CardNeed.SHALL, on="all-withdrew"),
            "new cards: required, if all withdrew",
        ),
        (ReserveCards(CLAUSE, cards=2, in_presence_of=PIT_MANAGER), "2 cards are reserved"),
        (Refer((Preset.VOID_ROUND, Preset.BURN_CARD)), "referred (the round is void or the card is burned)"),
    ],
)
def test_an_effect_says_what_happens(effect: Effect, words: str) -> None:
    assert effect_in_words(effect) == words


@pytest.mark.parametrize(
    ("effect", "decider"),
    [
        (Continue(CLAUSE), None),
        (OfferWithdrawal(CLAUSE, Withdrawable.ALL), None),
        (
            OfferWithdrawal(CLAUSE, Withdrawable.ALL, by=SHIFT_MANAGER, or_above=True),
            "Shift Manager or above",
        ),
        (OfferWithdrawal(CLAUSE, Withdrawable.ALL, by=PIT_MANAGER), "Pit Manager"),
        (FreeHand(CLAUSE), None),
        (FreeHand(CLAUSE, by=SHIFT_MANAGER), "Shift Manager"),
        (RemoveWagers(CLAUSE, by=SHIFT_MANAGER), "Shift Manager"),
        (DetermineCardOrder(CLAUSE, by=PIT_MANAGER), "Pit Manager"),
        (RemoveWagers(CLAUSE, by=PIT_MANAGER, or_above=True), "Pit Manager or above"),
        (ReserveCards(CLAUSE, cards=2, in_presence_of=SHIFT_MANAGER), "in presence of Shift Manager"),
        (ReplaceCards(clause=CLAUSE, need=CardNeed.MAY), "post set by the house"),
        (ReplaceCards(clause=CLAUSE, need=CardNeed.SHALL), None),
        (Refer(()), "Gaming Shift Manager"),
    ],
)
def test_an_effect_names_the_post_that_it_waits_for(effect: Effect, decider: str | None) -> None:
    found = decider_of(effect, SHIPPED.document("mbs-tiger-v3").authority.not_covered)
    assert (decider_in_words(found) if found else None) == decider


def test_a_power_may_go_to_the_posts_above_too() -> None:
    assert grant_in_words("pit-supervisor", or_above=False) == "Pit Supervisor"
    assert grant_in_words("pit-supervisor", or_above=True) == "Pit Supervisor or above"


def test_what_the_language_files_do_not_know_is_called_by_its_id() -> None:
    assert post_name("assistant-director") == "Assistant Director of Gaming Operations"
    assert post_name("night-watch") == "Night Watch"
    assert name_of("equipment", "plunger") == "Plunger"
    assert name_of("equipment", "crystal-ball") == "crystal-ball"
