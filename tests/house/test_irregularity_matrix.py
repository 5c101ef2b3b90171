"""Every situation under every document, typed in from the documents: its own clause, or referred."""

import pytest

from generated_pages import matrix_cell
from irregularity_stages import answer_in
from thirdcard.rulebook.irregularity import Situation
from thirdcard.rulebook.shelf import SHIPPED

SHIFT = "referred: Gaming Shift Manager"
HOUSE = "referred: post set by the house"
DIRECTOR = "referred: Assistant Director of Gaming Operations"

TABLE_GAMES = {
    "foreign-card": "5.1",
    "extra-card": "5.1",
    "missing-card": "5.1",
    "unshuffled-cards": "5.1",
    "order-altered": "5.2, 5.12",
    "too-few-cards": "5.3",
    "late-wager": "5.4",
    "late-withdrawal": "5.5",
    "face-up-card": "5.6",
    "next-card-known": SHIFT,
    "wrong-order": f"5.7, {SHIFT}",
    "misdeal": SHIFT,
    "wrong-delivery": "5.7, 5.7.1",
    "not-delivered": "5.7.1",
    "exposed-in-error": "5.7.1",
    "cards-together": "5.8, 5.8.2",
    "device-reset": f"5.9, {SHIFT}",
    "patron-absent": "5.10",
    "patron-left-with-cards": "5.10, 5.11",
    "exposed-in-movement": "5.12",
    "unauthorised-player-card": f"5.7, {SHIFT}",
    "unauthorised-banker-card": SHIFT,
    "wrong-number-of-cards": SHIFT,
    "power-failure": "5.17",
    "burn-forgotten": SHIFT,
    "cutting-card-first": "3.17.1, 3.17",
    "wrong-call": "3.15",
    "wrong-display": "6.3",
    "wrong-payment": f"3.15, {SHIFT}",
    "under-minimum": "5.14",
    "over-maximum": "5.15",
    "old-limit-mistake": "5.16",
    "differential-exceeded": f"5.18, {SHIFT}",
    "not-covered": SHIFT,
}
SUPER_SIX = {situation.value: HOUSE for situation in Situation} | {
    "foreign-card": "5.1",
    "wrong-number-of-cards": "5.2",
    "unauthorised-player-card": "5.2",
    "unauthorised-banker-card": "5.2",
    "cards-together": f"5.3, {HOUSE}",
    "order-altered": "5.4",
    "too-few-cards": "5.5",
    "late-wager": "3.2",
    "wrong-call": "3.10",
    "wrong-display": "3.10",
    "wrong-payment": f"3.10, {HOUSE}",
}
HOIANA = {situation.value: DIRECTOR for situation in Situation} | {
    "foreign-card": f"7.1, {DIRECTOR}",
    "extra-card": f"7.1, {DIRECTOR}",
    "missing-card": f"7.1, {DIRECTOR}",
    "unshuffled-cards": f"7.1, {DIRECTOR}",
    "too-few-cards": "7.2",
    "misdeal": "7.3, 7.9",
    "face-up-card": "7.4, 7.5",
    "next-card-known": "7.5",
    "exposed-in-movement": "7.5",
    "unauthorised-player-card": "7.6",
    "unauthorised-banker-card": f"7.7, {DIRECTOR}",
    "wrong-order": "7.3, 7.9",
    "wrong-delivery": "7.10",
    "burn-forgotten": "7.11",
    "cards-together": "7.12, 7.13",
    "patron-absent": "7.14",
    "not-delivered": "7.15",
    "wrong-call": "7.16",
    "wrong-display": "6.1",
    "wrong-payment": f"6.1, {DIRECTOR}",
    "under-minimum": "7.17",
    "over-maximum": "7.18",
    "differential-exceeded": "4.3.1, 7.19",
    "late-wager": "4.6",
}
EXPECTED = {
    "mbs-tiger-nc-v4": TABLE_GAMES,
    "mbs-tiger-v3": TABLE_GAMES
    | {"cutting-card-first": "3.22.1, 3.22", "wrong-call": "3.16", "wrong-payment": f"3.16, {SHIFT}"},
    "mbs-dragon-tiger-nc-2023": TABLE_GAMES,
    "mbs-super-six-etg-v3": SUPER_SIX,
    "hoiana-tiger-2024": HOIANA,
}


@pytest.mark.parametrize("name", EXPECTED)
def test_each_situation_has_its_own_clause_or_is_referred(name: str) -> None:
    document = SHIPPED.document(name)
    found = {situation.value: matrix_cell(document, situation) for situation in Situation}
    assert found == EXPECTED[name]


def test_free_hands_exist_at_hoiana_alone_and_super_six_voids_only_for_foreign_cards() -> None:
    for name in EXPECTED:
        effects = {
            str(effect.__struct_config__.tag)
            for row in SHIPPED.document(name).irregularities
            for effect in row.effects
        }
        assert ("free-hand" in effects) is (name == "hoiana-tiger-2024")
    wrong_cards = {"foreign-card", "extra-card", "missing-card", "unshuffled-cards"}
    voiding = {
        row.situation.value
        for row in SHIPPED.document("mbs-super-six-etg-v3").irregularities
        for effect in row.effects
        if effect.__struct_config__.tag == "void-round" and row.situation.value in wrong_cards
    }
    assert voiding == {"foreign-card"}


# cells typed in from the documents: the stage decides which clause holds, who decides, or that it cannot be
CELLS = [
    ("mbs-tiger-v3", "betting open", "foreign-card", "5.1"),  # 1.1.7: the round begins with the opening call
    ("mbs-tiger-v3", "betting open", "late-wager", "cannot be (`not-in-this-phase`)"),
    ("mbs-tiger-v3", "closed", "late-wager", "5.4"),
    ("mbs-tiger-v3", "closed", "cards-together", "5.8, 5.8.2"),
    ("mbs-tiger-v3", "third card due", "unauthorised-player-card", "cannot be (`card-is-authorised`)"),
    ("mbs-tiger-v3", "outcome known", "unauthorised-player-card", SHIFT),
    ("mbs-tiger-v3", "hand with a patron", "patron-left-with-cards", "5.11"),
    ("mbs-tiger-v3", "outcome known", "patron-left-with-cards", "cannot be (`not-in-this-phase`)"),
    ("mbs-tiger-v3", "settled", "wrong-delivery", SHIFT),  # a concluded round does not continue
    ("hoiana-tiger-2024/commission", "closed", "foreign-card", DIRECTOR),  # 2.2.13: no round has begun
    ("hoiana-tiger-2024/commission", "initial deal", "foreign-card", "7.1"),
    ("hoiana-tiger-2024/commission", "hand with a patron", "patron-absent", "7.14"),
    ("mbs-super-six-etg-v3", "initial deal", "misdeal", HOUSE),
    ("mbs-super-six-etg-v3", "hand with a patron", "patron-absent", "no such stage"),
    # wagers outside the limits that are found once betting is closed; before, the chips go back
    ("mbs-tiger-v3", "betting open", "under-minimum", "cannot be (`no-wager-concerned`)"),
    ("mbs-tiger-v3", "outcome known", "under-minimum", "5.14"),
    ("mbs-tiger-v3", "closed", "over-maximum", "5.15"),
    ("hoiana-tiger-2024/commission", "closed", "under-minimum", "7.17"),
    ("hoiana-tiger-2024/commission", "outcome known", "over-maximum", "7.18"),
    # patrons alter their wagers before the cards; at Hoiana the settlement is pro rata after that
    ("mbs-tiger-v3", "closed", "differential-exceeded", "5.18"),
    ("hoiana-tiger-2024/commission", "closed", "differential-exceeded", "4.3.1"),
    ("hoiana-tiger-2024/commission", "first card", "differential-exceeded", "7.19"),
    # 7.11.1 to 7.11.3: before a card is seen, in the first hand, and later; no hand is passed before the burn
    ("hoiana-tiger-2024/commission", "first card", "burn-forgotten", "7.11"),
    ("hoiana-tiger-2024/commission", "next round open", "burn-forgotten", "7.11"),
    ("hoiana-tiger-2024/commission", "hand with a patron", "burn-forgotten", "cannot be (`burn-owed`)"),
    # the cutting card as the first card of a round, in the high-limit area
    ("mbs-tiger-v3", "closed", "cutting-card-first", "3.22.1"),
    ("mbs-tiger-v3", "first card", "cutting-card-first", "cannot be (`not-awaited`)"),
    # the cards decide where another result was called
    ("mbs-tiger-v3", "outcome known", "wrong-call", "cannot be (`not-called`)"),
    ("mbs-tiger-v3", "settled", "wrong-call", "3.16"),
    ("hoiana-tiger-2024/commission", "settled", "wrong-call", "7.16"),
]


@pytest.mark.parametrize(("game", "stage", "situation", "expected"), CELLS)
def test_cell_has_the_answer_of_its_stage(game: str, stage: str, situation: str, expected: str) -> None:
    assert answer_in(game, stage, Situation(situation)) == expected
