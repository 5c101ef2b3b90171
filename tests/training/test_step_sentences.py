"""The steps of the right way as sentences: each kind of command in words, in every language."""

import pytest
from msgspec.structs import replace
from trainees import drills, idle_novice, rehearsal_of, rehearsed

from thirdcard.messages import Message, languages, say, say_all, sentences, speaking
from thirdcard.roundfile.actions import bodies_of
from thirdcard.roundfile.parse import SHIPPED_RULES
from thirdcard.rulebook.shelf import SHIPPED
from thirdcard.training.drill import read_drill
from thirdcard.training.faults import drill_by_seed
from thirdcard.training.grade import Aspect
from thirdcard.training.rehearsal import Level, Rehearsal
from thirdcard.training.step_sentences import step_sentences

GAMES = [rulebook.id for rulebook in SHIPPED.rulebooks]
SEEDS = range(200)


def steps_of(rehearsal: Rehearsal) -> dict[str, tuple[Message, ...]]:
    """Return the sentences of each gap, and of all that some post does of its own at the highest level."""
    own = {at for post in rehearsal.posts() for at in rehearsal.own_steps(post, Level.DEALING)}
    return {
        each.step.act.text: step_sentences(rehearsal, each)
        for at, each in enumerate(rehearsal.steps)
        if each.step.gap or at in own
    }


def said(name: str, line: str) -> str:
    return say_all(steps_of(rehearsed(name))[line])


def without_a_sentence(steps: dict[str, tuple[Message, ...]]) -> list[str]:
    """Return the lines that are said by the name of the deed alone, or not in every language."""
    own = ("train-step.", "train-fact.", "train-act.")
    return [
        line
        for line, what in steps.items()
        if not what
        or not what[0].key.startswith("train-step.")
        or not all(each.key.startswith(own) for each in what)
        or any("@" in say_all(what, each) or "{" in say_all(what, each) for each in languages())
        or any(
            sentences(language)[each.key] == sentences("en")[each.key]
            for each in what
            for language in languages() - {"en"}
        )
    ]


@pytest.mark.sweep
@pytest.mark.parametrize("name", sorted(drills()))
def test_every_step_of_a_shipped_drill_has_a_sentence_of_its_kind(name: str) -> None:
    steps = steps_of(rehearsed(name))
    assert steps
    assert without_a_sentence(steps) == []


@pytest.mark.sweep
@pytest.mark.parametrize("game", GAMES)
def test_every_step_of_a_fault_by_seed_has_a_sentence_of_its_kind(game: str) -> None:
    rulebook = SHIPPED.rulebook(game)
    house = SHIPPED.house(rulebook.document.house)
    for seed in SEEDS[GAMES.index(game) :: len(GAMES)]:
        steps = steps_of(rehearsal_of(drill_by_seed(rulebook, house, seed, SHIPPED_RULES)))
        assert steps
        assert without_a_sentence(steps) == [], seed


TEXT = """title A test
game mbs-tiger-v3
patrons Ann at 1, Bob at 2
Dealer: opens betting
Ann: 300 on player at 1
Bob: 200 on banker at 2
Dealer: closes betting
Dealer: draws 2 2 2 A
? Dealer: draws 9 6 together, order unknown
? Pit Manager: rules order 9 6
Ann: withdraws
Bob: stays
"""


@pytest.mark.parametrize(
    ("name", "line", "sentence"),
    [
        (
            "results/taking-and-paying-4, mbs-super-six-etg-v3",
            "Dealer with Pit Manager: reports wrong-payment of T1 amount 30, underpaid",
            "Report: Wrong payment. Patron: T1. Amount: 30.00. It was too little. "
            "Together with: Pit Manager.",
        ),
        (
            "dealing/cards-for-two-hands-2, hoiana-tiger-2024/commission",
            "Dealer with Pit Manager: reports misdeal cards 7 2 K 4, reconstructable",
            "Report: Misdeal. In truth they came out in this order: 7 2 K 4. "
            "The right order can still be told. Together with: Pit Manager.",
        ),
        (
            "cards/a-spilled-drink, hoiana-tiger-2024/commission",
            "Assistant Director of Gaming Operations: rules void-round "
            "because the wagers cannot be told apart",
            "Rule: the round is void. Give the reason. "
            "Any other decision that the rules allow is right as well.",
        ),
        (
            "dealing/out-of-the-dealing-device-2, mbs-dragon-tiger-nc-2023",
            "Gaming Shift Manager: rules burn-card because both were seen",
            "Rule: the cards are burned. Give the reason. "
            "Any other decision that the rules allow is right as well.",
        ),
        (
            "dealing/before-the-call-1, mbs-super-six-etg-v3",
            "Dealer: draws 4 to banker",
            "Enter the card that lies on the side of Banker: 4.",
        ),
        (
            "cards/a-spilled-drink, hoiana-tiger-2024/commission",
            "Dealer: draws ?",
            "Draw 1 card face down.",
        ),
        (
            "dealing/cards-for-two-hands-2, hoiana-tiger-2024/commission",
            "Dealer: calls player",
            "Call: Player wins.",
        ),
        ("cards/a-fresh-shoe-5, hoiana-tiger-2024/commission", "Dealer: burns", "Burn cards."),
        (
            "wagers/chips-under-a-sleeve, mbs-tiger-v3",
            "Dealer with Pit Manager: finds Ann 20 on player at 1",
            "Enter what Ann had on Player before the closing call: 20.00. Together with: Pit Manager.",
        ),
    ],
)
def test_step_is_said_in_words(name: str, line: str, sentence: str) -> None:
    assert said(name, line) == sentence


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("shows banker", "Report what the dealing device shows: Banker wins."),
        ("opens player", "Open the cards of Player."),
        ("opens player K 4", "Open the cards of Player: K 4."),
        ("corrects card 2 to 7", "Correct card 2: it is 7."),
        ("withdraws", "Enter for Dealer: the wager is withdrawn."),
        ("stays", "Enter for Dealer: the wager stays."),
        ("burns by 7", "Burn cards by the first one: 7."),
        ("counts 415 cards", "Enter the count of the set: 415."),
        ("reserves 7 K", "Set the next cards aside: 7 K."),
        ("enters lacking K", "Sort the cards into decks and enter those that are missing: K."),
        ("substitutes K", "Put equal cards from a whole deck in place of the missing ones: K."),
        (
            "reports wrong-delivery of Ann player hand",
            "Report: Cards delivered to the wrong patron. Patron: Ann. Hand: Player.",
        ),
        (
            "reports late-withdrawal of Ann amount 50 on player at 1",
            "Report: Wager withdrawn too late. Patron: Ann. Wager: Player. Amount: 50.00.",
        ),
        (
            "rules pay paying Ann 50 because the lamp fell",
            "Rule: a payment is made. Patron: Ann. Amount: 50.00. Give the reason. "
            "Any other decision that the rules allow is right as well.",
        ),
    ],
)
def test_command_is_said_in_words_wherever_it_is_a_step(line: str, sentence: str) -> None:
    rehearsal = rehearsal_of(read_drill("x", TEXT)[0])
    bodies = bodies_of(line, "Dealer", rehearsal.house.currency)
    assert bodies is not None
    each = rehearsal.steps[0]
    step = replace(each.step, act=replace(each.step.act, bodies=bodies))
    assert say_all(step_sentences(rehearsal, replace(each, step=step))) == sentence


def test_ruling_about_the_next_card_of_the_device_says_how_many() -> None:
    text = TEXT.partition("? Dealer: draws")[0] + (
        "? Dealer: reports not-covered because a shout\n"
        "? Gaming Shift Manager: rules burn-card because the cards were touched\n"
    )
    steps = steps_of(rehearsal_of(read_drill("x", text)[0]))
    assert say_all(list(steps.values())[-1]) == (
        "Rule: the next card of the dealing device is burned. Give the reason. "
        "Any other decision that the rules allow is right as well."
    )


def test_right_way_is_words_beside_the_line_that_is_typed() -> None:
    grade = idle_novice(rehearsal_of(read_drill("x", TEXT)[0]), "dealer", Level.DEALING)
    assert [(each.typed, say_all(each.says)) for each in grade.right_way] == [
        ("opens betting", "Open betting."),
        ("closes betting", "Close betting."),
        ("draws 2 2 2 A", "Draw: 2 2 2 A."),
        (
            "draws 9 6 together, order unknown",
            "Enter the cards that came out at once: 9 6. Nobody can say which of them lay in front.",
        ),
        ("rules order 9 6", "Rule in which order the cards count: 9 6."),
    ]
    with speaking("zh-Hans"):
        assert say_all(grade.right_way[3].says) == "录入同时出来的牌：9 6。没有人说得出哪一张在前。"


def test_what_was_to_be_done_is_found_in_words() -> None:
    grade = idle_novice(rehearsal_of(read_drill("x", TEXT)[0]), "dealer")
    found = [each.said() for each in grade.findings if each.aspect is Aspect.CARRIED_OUT]
    assert found == ["Enter the cards that came out at once: 9 6. Nobody can say which of them lay in front."]


def test_rare_kind_is_said_by_the_name_of_its_deed() -> None:
    text = TEXT.partition("Dealer: opens")[0] + "? Dealer: announces the last hand\n? Dealer: opens betting\n"
    steps = steps_of(rehearsal_of(read_drill("x", text)[0]))
    assert [say(each[0]) for each in steps.values()] == ["Announced the last hand", "Open betting."]


def test_second_person_stands_before_the_typed_line() -> None:
    grade = idle_novice(rehearsed("wagers/a-quick-hand, mbs-tiger-v3"), "dealer")
    first = grade.right_way[0]
    assert first.typed == "with Pit Manager: for Ann takes 50 off player at 1"
    assert say_all(first.says) == "Enter that Ann took 50.00 off Player. Together with: Pit Manager."
