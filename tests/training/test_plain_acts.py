"""Commands as plain acts: each says what is seen, and none names its situation."""

import pytest
from trainees import do_step, rehearsal_of, session

from thirdcard.messages import say, sentences
from thirdcard.roundfile.actions import bodies_of
from thirdcard.rulebook.irregularity import Situation
from thirdcard.training.drill import read_drill
from thirdcard.training.plain_acts import plain_acts
from thirdcard.training.session import DrillSession

TEXT = """title A test
game mbs-tiger-v3
automatic expose
patrons Ann at 1
? Dealer: opens betting
Ann: 100 on player at 1
? Dealer: closes betting
? Dealer: draws 9 2 K 5
? Dealer: calls player
"""


def told(drill: DrillSession, line: str) -> list[str]:
    house = drill.rehearsal.house
    bodies = bodies_of(line, "Dealer", house.currency)
    assert bodies is not None
    return [say(each) for body in bodies for each in plain_acts(body, drill.table, house.currency)]


@pytest.fixture
def drill() -> DrillSession:
    return session(rehearsal_of(read_drill("x", TEXT)[0]), "dealer")


@pytest.mark.parametrize(
    ("line", "acts"),
    [
        ("draws 9H", ["Out of the dealing device comes: 9H."]),
        ("draws ?", ["A card comes out of the dealing device face down."]),
        ("draws 9H instead", ["The card that really comes is 9H."]),
        (
            "draws ? to banker",
            ["Out of the dealing device comes a card face down. It lies on the side of Banker now."],
        ),
        ("draws 9H to banker", ["Out of the dealing device comes 9H. It lies on the side of Banker now."]),
        (
            "draws 9 ? together, order known",
            ["Out of the dealing device come at once: 9 ?.", "They lay in this order."],
        ),
        ("shows tie", ["The dealing device shows: tie."]),
        ("sees the cutting card", ["Instead of a card comes the cutting card."]),
        ("for Ann 100 on player at 1", ["Ann puts down 100.00 for Player."]),
        ("for Ann takes 100 off player at 1", ["Ann takes away 100.00 from Player."]),
        ("closes betting", ["Nobody puts down any more chips."]),
        ("calls player", ["All cards lie open."]),
        (
            "corrects 20 of Ann on player at 1 to nothing",
            ["You look again: 20.00 of Ann on Player is entered, and not so on the table."],
        ),
        ("corrects card 3 to 9H", ["You look again at card 3: it is 9H."]),
        ("passes player to Ann instead", ["The cards of Player lie face down in front of Ann."]),
        ("passes player to Ann", []),
        ("opens player 9 K", ["The cards of Player are open: 9 K."]),
        ("opens player", []),
        ("for Ann stays", ["Ann says: I leave it."]),
        ("for Ann withdraws", ["Ann says: I take it back."]),
        ("finds that it is not so because it is ours", ["You look again: it is ours."]),
        ("withdraws the report", ["You look again: you were mistaken, nothing was wrong."]),
        ("reserves 9D 6C", ["The next cards of the dealing device, in their order: 9D 6C."]),
        ("enters lacking 9D 6C", ["Sorted into decks, the cards that are there lack: 9D 6C."]),
        ("substitutes 4H", ["From a whole deck you hold: 4H."]),
        ("counts 415 cards", ["You have counted the cards of the set: 415."]),
        ("loads 8 decks", ["New cards are on the table: 8 decks."]),
        ("burns by 7", ["The first card of the shoe is 7."]),
        ("burns", []),
    ],
)
def test_a_command_is_told_as_what_is_seen(drill: DrillSession, line: str, acts: list[str]) -> None:
    assert told(drill, line) == acts


def test_a_report_is_told_with_its_facts(drill: DrillSession) -> None:
    line = "reports face-up-card cards 9H behind 2, seen, previous round"
    assert told(drill, line) == [
        "In the dealing device a face looks at you.",
        "It is about: 9H.",
        "Cards that lie before it in the dealing device: 2.",
        "Somebody saw a face.",
        "It was in the round before.",
    ]
    assert told(drill, "reports misdeal cards 9 K, not reconstructable") == [
        "The cards of this deal do not lie at the hands for which they came.",
        "In truth they came out in this order: 9 K.",
        "Nobody can tell the right order any more.",
    ]
    assert told(drill, "reports wrong-payment of Ann amount 20, underpaid") == [
        "Ann got 20.00 less than the wager brought."
    ]


def test_a_result_that_was_said_wrongly_is_told(drill: DrillSession) -> None:
    for _ in range(3):
        do_step(drill)
    assert told(drill, "calls banker") == ["You hear yourself say: Banker wins."]
    assert told(drill, "calls player") == ["All cards lie open."]


@pytest.mark.parametrize("situation", list(Situation))
def test_no_plain_act_names_its_situation(situation: Situation) -> None:
    english = sentences("en")
    name = english[f"situation.{situation.value}"].casefold()
    assert name not in english[f"train-situation.{situation.value}"].casefold()
