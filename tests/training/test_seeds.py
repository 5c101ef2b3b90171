"""Faults and exercises by seed: the same ones every time, and right by other arithmetic."""

import itertools
from fractions import Fraction

import pytest
from trainees import expert, rehearsal_of

from thirdcard.messages import say, speaking
from thirdcard.roundfile.parse import SHIPPED_RULES
from thirdcard.rulebook.shelf import SHIPPED
from thirdcard.staff import Post
from thirdcard.training.by_chance import (
    MOST_LOOKS,
    FaultSeed,
    NothingToDo,
    possible_faults,
    rehearsal_by_chance,
    rehearsal_by_seed,
)
from thirdcard.training.dealing import DealingQuestion, Skill, exercise_by_seed
from thirdcard.training.faults import FAULTS, NoFault, drill_by_seed
from thirdcard.training.rehearsal import Level
from thirdcard.training.shipped_words import pack_in_words, title_in_words, title_of

GAMES = [rulebook.id for rulebook in SHIPPED.rulebooks]
SEEDS = range(4)


@pytest.mark.parametrize("game", GAMES)
def test_expert_solves_what_a_seed_brings(game: str) -> None:
    rulebook = SHIPPED.rulebook(game)
    house = SHIPPED.house(rulebook.document.house)
    for seed in SEEDS:
        rehearsal = rehearsal_of(drill_by_seed(rulebook, house, seed, SHIPPED_RULES))
        for post in rehearsal.posts():
            assert expert(rehearsal, post, Level.DEALING).passed, (seed, post)


def test_seed_stands_for_one_drill() -> None:
    rulebook = SHIPPED.rulebook("mbs-tiger-v3")
    house = SHIPPED.house("marina-bay-sands")
    texts = [drill_by_seed(rulebook, house, seed, SHIPPED_RULES).file.lines for seed in (4, 4, 5)]
    assert texts[0] == texts[1] != texts[2]


# what cannot happen there: chips at terminals, cards in the hands of patrons, a burn
NOT_THERE = {
    ("late-chip", "mbs-super-six-etg-v3"),
    ("differential", "mbs-super-six-etg-v3"),
    ("left-with-cards", "mbs-super-six-etg-v3"),
    *(("forgotten-burn", game) for game in GAMES if game.startswith("mbs")),
}


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize(
    "fault",
    [
        *("wrong-hand", "together", "late-chip", "wrong-call"),
        *("left-with-cards", "forgotten-burn", "differential", "power-failure"),
    ],
)
def test_each_fault_comes_where_it_can(game: str, fault: str) -> None:
    assert fault in FAULTS
    rulebook = SHIPPED.rulebook(game)
    house = SHIPPED.house(rulebook.document.house)
    if (fault, game) in NOT_THERE:
        with pytest.raises(NoFault):
            drill_by_seed(rulebook, house, 1, SHIPPED_RULES, fault)
        return
    for seed in SEEDS:
        rehearsal = rehearsal_of(drill_by_seed(rulebook, house, seed, SHIPPED_RULES, fault))
        assert expert(rehearsal, "dealer", Level.SHOWN).passed, seed


def test_a_card_goes_to_the_wrong_hand_only_where_one_is_due() -> None:
    rulebook, house = SHIPPED.rulebook("mbs-tiger-v3"), SHIPPED.house("marina-bay-sands")
    for seed in range(30):
        text = drill_by_seed(rulebook, house, seed, SHIPPED_RULES, "wrong-hand").file.lines
        assert any(" to player" in line or " to banker" in line for line in text)


def questions(game: str, skill: Skill, rounds: int = 12) -> list[DealingQuestion]:
    rulebook = SHIPPED.rulebook(game)
    house = SHIPPED.house(rulebook.document.house)
    return [each for each in exercise_by_seed(rulebook, house, 7, rounds) if each.skill is skill]


@pytest.mark.parametrize("game", GAMES)
def test_every_skill_is_asked_for(game: str) -> None:
    for skill in Skill:
        assert questions(game, skill)


def points(cards: str) -> int:
    return sum(min("A23456789".find(each[0]) + 1, 9) for each in cards.split()) % 10


def test_player_draws_by_the_table_of_play() -> None:
    """3.15.T1 to T3: Player stands on 6 and 7, and nobody draws against a natural."""
    asked = questions("mbs-tiger-v3", Skill.THIRD_CARD, 60)
    for each in asked:
        params = dict(each.asks.params)
        player, banker = str(params["player"]), str(params["banker"])
        if len(player.split()) == 2:
            natural = max(points(player), points(banker)) >= 8
            assert (each.right == "player") == (points(player) <= 5 and not natural)


def test_main_wagers_pay_even_money_but_for_the_commission() -> None:
    """4.1.T1, 4.1.T2: Player 1 to 1, Banker 0.95 to 1."""
    rates = {"player": Fraction(1), "banker": Fraction(95, 100)}
    asked = questions("mbs-tiger-v3", Skill.PAYOUT, 60)
    mains = [each for each in asked if dict(each.asks.params)["wager"] in rates]
    assert mains
    for each in mains:
        params = dict(each.asks.params)
        stake = Fraction(str(params["amount"]))
        assert Fraction(each.right) == stake * rates[str(params["wager"])]


def test_answers_may_be_typed_in_short() -> None:
    currency = SHIPPED.house("marina-bay-sands").currency
    third, take = (
        questions("mbs-tiger-v3", Skill.THIRD_CARD)[0],
        questions("mbs-tiger-v3", Skill.TAKES_AND_PAYS)[0],
    )
    assert third.is_right(third.right[0], currency)
    assert not third.is_right("", currency)
    assert take.is_right(take.right.upper(), currency)
    entry, payout = questions("mbs-tiger-v3", Skill.ENTRY)[0], questions("mbs-tiger-v3", Skill.PAYOUT)[0]
    assert entry.is_right(entry.right.lower(), currency)
    assert not entry.is_right(entry.right[:-3], currency)
    assert payout.is_right(payout.right.removesuffix(".00"), currency)
    assert say(payout.asks)


# by chance


def test_a_post_gets_a_seed_that_has_something_to_do() -> None:
    rulebook, house = SHIPPED.rulebook("mbs-super-six-etg-v3"), SHIPPED.house("marina-bay-sands")
    seeds = itertools.count()
    fault, rehearsal = rehearsal_by_chance(
        rulebook, house, SHIPPED_RULES, Post("pit-supervisor"), lambda: next(seeds)
    )
    assert "pit-supervisor" in rehearsal.posts()
    assert rehearsal_by_seed(rulebook, house, SHIPPED_RULES, fault).drill == rehearsal.drill
    for seed in range(fault.seed):  # those before it had nothing
        earlier = rehearsal_by_seed(rulebook, house, SHIPPED_RULES, FaultSeed(seed))
        assert "pit-supervisor" not in earlier.posts()


def test_a_post_that_has_nothing_to_do_is_told_who_has() -> None:
    rulebook, house = SHIPPED.rulebook("mbs-tiger-v3"), SHIPPED.house("marina-bay-sands")
    seeds = itertools.count()
    with pytest.raises(NothingToDo) as caught:
        rehearsal_by_chance(
            rulebook, house, SHIPPED_RULES, Post("pit-manager"), lambda: next(seeds), "late-chip"
        )
    assert caught.value.posts == ("dealer",)
    assert next(seeds) == MOST_LOOKS


@pytest.mark.parametrize("game", GAMES)
def test_faults_that_can_happen_are_those_that_come(game: str) -> None:
    rulebook = SHIPPED.rulebook(game)
    found = possible_faults(rulebook, SHIPPED.house_of(rulebook), SHIPPED_RULES)
    assert found == tuple(each for each in FAULTS if (each, game) not in NOT_THERE)


def test_a_title_is_in_the_language_of_the_reader() -> None:
    rulebook, house = SHIPPED.rulebook("mbs-tiger-v3"), SHIPPED.house("marina-bay-sands")
    for only in (None, "late-chip"):
        drill = drill_by_seed(rulebook, house, 17, SHIPPED_RULES, only)
        assert (drill.title, drill.pack) == ("By chance, seed 17", "faults-by-seed")
        with speaking("ko"):
            assert title_of(drill) == "무작위, 시드 17"
    assert title_in_words("faults-by-seed/a folder of somebody", "Mine") == "Mine"
    with speaking("zh-Hant"):
        assert title_in_words("with-a-trainer/mbs-tiger-v3", "With a trainer") == "與培訓師練習"
    assert title_in_words("cards/extra-2", "An extra card") == "An extra card"


def test_a_pack_of_seeds_has_a_name_and_a_folder_its_own() -> None:
    with speaking("vi"):
        assert pack_in_words("dealing-by-seed") == "Chia bài thường ngày"
    assert pack_in_words("our-evening") == "our-evening"
