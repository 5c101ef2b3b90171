"""Irregularity rows are reached through the questions of the dealer console.

Every answer that the rules turn on and every kind of effect is reached in every run, and every row of
every game by ``scripts/soak sweeps``. That each row is reached by its questions,
tests/views/test_questions.py shows without a browser.
"""

import re
from collections.abc import Callable, Iterator

import pytest
from lengths import sized
from playwright.sync_api import Locator
from screens.conftest import Visit
from screens.dealing import Dealer, Table, card, felt
from screens.floors import GAMES, demonstration
from server.served import Server

from thirdcard.rulebook.irregularity import (
    Irregularity,
    Refer,
    Situation,
    Stage,
    circumstances,
    effect_clauses,
)
from thirdcard.rulebook.shelf import SHIPPED
from thirdcard.rulebook.words import effect_in_words, text

PATRON_DRAWS = 'area = "high-limit"\ndevice = "card-reading"\nmethod = "C"'


def _dealt(table: Table, cards: str) -> None:
    """A round so far: cards drawn by the dealer, or by the patron who controls the device."""
    table.do("open-betting")
    table.do("close-betting")
    if table.view["phase"]["method"] == "C":
        table.do("come-to-table", patron="Ann", position=1)
        table.do("permit-drawing", patron="Ann")
    table.draws(cards)


def _wagered(table: Table) -> Table:
    """Betting is closed, with a wager where patrons have chips."""
    table.do("open-betting")
    if not table.view["setup"]["terminal"]:
        table.wagers(Ann={"player": 1000})
    table.do("close-betting")
    return table


def _played(table: Table, called: str = "player") -> Table:
    """A whole round that Player wins, whatever was called."""
    _wagered(table).draws("9H 2D KS 5C").do("call-outcome", winner=called)
    return table


def _closed(table: Table) -> Table:
    """Four cards lie face down, the Player hand to be passed to Ann; Bob is there as well."""
    table.do("come-to-table", patron="Bob", position=2)
    table.do("open-betting")
    table.wagers(Ann={"player": 1000})
    if table.view["phase"]["method"] is None:
        table.do("request-squeeze", patron="Ann")
    table.do("close-betting")
    return table.draws("? ? ? ?")


def _opened(table: Table) -> None:
    """The Dealer has opened both hands, although the Player hand was Ann's."""
    _closed(table)
    for hand, cards in (("player", "9H KS"), ("banker", "2D 5C")):
        table.do("expose-cards", hand=hand, cards=[card(each) for each in cards.split()])


def _passed(table: Table) -> None:
    """The Player hand lies face down with a patron."""
    _closed(table).do("pass-cards", hand="player", patron="Ann")


# what the table knows by itself at each point at which something can go wrong
Known = dict[str, object]
POINTS: dict[str, tuple[Known, Callable[[Table], object]]] = {
    "idle": ({"stage": "between-rounds"}, lambda table: table),
    "played": ({"stage": "between-rounds", "first_round_of_shoe": False}, _played),
    "called": (
        {"stage": "before-first-card", "first_round_of_shoe": False, "next_round_opened": True},
        lambda table: _played(table).do("open-betting"),
    ),
    "two": (
        {"stage": "initial-deal", "first_round_of_shoe": True, "decided": False},
        lambda table: _dealt(table, "? ?"),
    ),
    "four": (
        {"stage": "subsequent-deal", "banker_must_draw": True, "first_round_of_shoe": True},
        lambda table: _dealt(table, "7H 2D KS 3C"),
    ),
    "outcome": (
        {"stage": "outcome-known", "banker_must_draw": False, "decided": True, "first_round_of_shoe": True},
        lambda table: _dealt(table, "7H 6D KS KC"),
    ),
    "second": (
        {"stage": "initial-deal", "first_round_of_shoe": False, "decided": False},
        lambda table: _dealt(table.round(), "? ?"),
    ),
    "wagered": ({"stage": "before-first-card"}, _wagered),
    "miscalled": ({"stage": "between-rounds"}, lambda table: _played(table, "banker")),
    "passed": ({"stage": "initial-deal"}, _passed),
    "closed": ({"stage": "initial-deal"}, _closed),
    "opened": ({"stage": "outcome-known"}, _opened),
}
FACE_DOWN = ("passed", "closed", "opened")
# the table contradicts these at every other point
AT: dict[Situation, str] = {
    Situation.LATE_WAGER: "wagered",
    Situation.LATE_WITHDRAWAL: "wagered",
    Situation.WRONG_CALL: "miscalled",
    Situation.PATRON_ABSENT: "passed",
    Situation.PATRON_LEFT_WITH_CARDS: "passed",
    Situation.WRONG_DELIVERY: "closed",
    Situation.NOT_DELIVERED: "closed",
    Situation.UNAUTHORISED_BANKER_CARD: "outcome",
}
# the table notices these by itself, or only after a wager was found against the limits
NOT_ASKED_ABOUT = frozenset(
    {
        *(Situation.TOO_FEW_CARDS, Situation.CUTTING_CARD_FIRST, Situation.DIFFERENTIAL_EXCEEDED),
        *(Situation.UNDER_MINIMUM, Situation.OVER_MAXIMUM),
    }
)
ASKED = {
    "Can the right order be reconstructed?": "reconstructable",
    "Is the order of the cards known?": "order_known",
    "Is the value of the cards known?": "value_known",
    "Were the cards seen?": "seen",
    "Is it about the round before": "next_round_opened",
    "Was it too little?": "underpaid",
}
MOST_QUESTIONS = 6
TYPED = "2h3d4s5c"
TWO_CARDS = frozenset(
    {
        *(Situation.CARDS_TOGETHER, Situation.WRONG_ORDER, Situation.MISDEAL),
        *(Situation.PATRON_ABSENT, Situation.PATRON_LEFT_WITH_CARDS),
    }
)


Rows = dict[str, list[Irregularity]]  # by the point at which they are reached


def rows_of(game: str) -> tuple[Irregularity, ...]:
    """The irregularity rows of a game."""
    rulebook = SHIPPED.rulebook(game)
    return rulebook.document.irregularities


def forms_of(row: Irregularity) -> set[object]:
    """Return what the console draws of a row: answers, kinds of effects, clause or none."""
    effects = {type(effect) for effect in row.effects}
    return {*circumstances(row).items(), *effects, row.clause is None}


def _is_noticed(game: str, situation: Situation) -> bool:
    """Whether nobody has to report a situation; a terminal itself takes nothing after closing."""
    at_terminal = game == GAMES["super-six"] and situation is Situation.LATE_WAGER
    return at_terminal or situation in NOT_ASKED_ABOUT


def rows_to_reach() -> dict[str, Rows]:
    """Return the rows of each game: all at length, else those with something that no row before them has."""
    every = sized(in_every_run=False, at_length=True)
    seen: set[object] = set()
    found: dict[str, Rows] = {}
    for name, game in GAMES.items():
        for row in rows_of(game):
            if _is_noticed(game, row.situation):
                continue
            if every or forms_of(row) - seen:
                seen |= forms_of(row)
                found.setdefault(name, {}).setdefault(_point_of(row), []).append(row)
    return found


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A floor with a table of each game for each point at which rows are reached."""
    tables = (
        felt(f"{name}-{point}", GAMES[name], _settings(GAMES[name], point))
        for name, rows in rows_to_reach().items()
        for point in rows
    )
    server = demonstration(tmp_path_factory.mktemp("rows"), "".join(tables))
    yield server
    server.kill()


def _settings(game: str, point: str) -> str:
    """The settings of a table for a point: patrons draw, or handle cards that lie face down."""
    if point in FACE_DOWN:
        return 'method = "A"' if game.startswith("mbs") else "face_down = true"
    return PATRON_DRAWS if point == "drawn" else ""


def _point_of(row: Irregularity) -> str:
    """Where the table must be for a row: the point whose knowledge fits, and at which it can be reported."""
    named = {
        name: {getattr(value, "value", value) for value in allowed}
        for name, allowed in circumstances(row).items()
    }
    if named.get("method") == {"C"} or named.get("area") == {"high-limit"}:
        return "drawn"
    known_late = named.get("seen") == {True} or named.get("stage") == {"outcome-known"}
    if row.situation is Situation.WRONG_DELIVERY and known_late:
        return "opened"
    if row.situation in AT:
        return AT[row.situation]
    for point, (known, _) in POINTS.items():
        fits = all(known[name] in allowed for name, allowed in named.items() if name in known)
        told = {"reconstructable", "order_known", "seen", "value_known", "area", "method"}
        knows = all(name in known or name in told or name == "next_round_opened" for name in named)
        later = named.get("next_round_opened") == {True}
        if fits and knows and (not later or "next_round_opened" in known) and _can_be(row.situation, point):
            return point
    raise AssertionError(row)


def _can_be(situation: Situation, point: str) -> bool:
    """Whether a situation can be reported at a point: much is about cards that lie there."""
    with_cards = {
        *("face-up-card", "wrong-order", "misdeal", "cards-together", "wrong-delivery", "not-delivered"),
        *("exposed-in-error", "exposed-in-movement", "patron-absent", "patron-left-with-cards"),
        *("order-altered", "device-reset", "too-few-cards", "burn-forgotten"),
    }
    third = {"unauthorised-player-card", "unauthorised-banker-card"}
    with_round = {
        "wrong-number-of-cards",
        "wrong-call",
        "wrong-display",
        "wrong-payment",
        "old-limit-mistake",
    }
    if situation.value in third:
        return point in ("four", "outcome")
    if situation.value in with_cards:
        return point in ("two", "four", "outcome", "second")
    return situation.value not in with_round or point != "idle"


def _answer(dealer: Dealer, dialog: Locator, row: Irregularity) -> None:
    """Answer one question as the row has it; what only tells more is left out."""
    question = dialog.get_by_role("heading", level=3).inner_text()
    name = next((name for text, name in ASKED.items() if question.startswith(text)), None)
    if name is not None:
        allowed = circumstances(row).get(name, frozenset({False}))
        dealer.press("y" if True in allowed else "n")
    elif question.startswith("Are chips of this round still"):
        lasts = Stage.BETWEEN_ROUNDS not in circumstances(row).get("stage", {Stage.BETWEEN_ROUNDS})
        dealer.press("y" if lasts else "n")
    elif question.startswith("Which hand"):
        dealer.press("p")
    elif question.startswith("Which patron") and row.situation is Situation.WRONG_DELIVERY:
        dealer.press("2")  # the hand is Ann's
    elif dialog.get_by_role("button", name=re.compile("^Leave out")).is_visible():
        dialog.get_by_role("button", name=re.compile("^Leave out")).click()
    elif question.startswith("Which patron"):
        dealer.press("1")
    elif question.startswith("What amount"):
        dialog.get_by_role("textbox").fill("50")
        dealer.press("Enter")
    elif question.startswith("How many"):
        dealer.press("0")
    else:
        dealer.types(_typed(row.situation))
        dealer.press("Enter")


def _typed(situation: Situation) -> str:
    """The cards that are told: two that came or lie in another order, one more than there were, or one."""
    if situation is Situation.WRONG_NUMBER_OF_CARDS:
        return "9h2dks5c3h"
    return TYPED[:4] if situation in TWO_CARDS else TYPED[:2]


def reach(dealer: Dealer, row: Irregularity) -> Locator:
    """Go through the questions until what the rulebook requires is shown."""
    dialog = dealer.wrong(text(f"situation.{row.situation.value}"))
    heading = dialog.get_by_role("heading", level=3)
    required = dialog.get_by_text("The rulebook requires")
    dealer.screen.until(lambda: not heading.inner_text().startswith("What went wrong"))
    for _ in range(MOST_QUESTIONS):
        if required.is_visible():
            return dialog
        before = heading.inner_text()
        _answer(dealer, dialog, row)
        dealer.screen.until(lambda: required.is_visible() or heading.inner_text() != before)  # noqa: B023
    assert required.is_visible(), dialog.inner_text()
    return dialog


def shown(dialog: Locator) -> tuple[str, list[str]]:
    """The clause and the steps that are shown."""
    head = dialog.get_by_role("heading", level=3).locator("xpath=..").inner_text()
    return head, [" ".join(each.split()) for each in dialog.get_by_role("listitem").all_inner_texts()]


@pytest.mark.sweep
@pytest.mark.parametrize(("name", "rows"), rows_to_reach().items(), ids=rows_to_reach())
def test_rows_are_reached_by_the_questions_of_the_console(
    visit: Visit, house: Server, name: str, rows: Rows
) -> None:
    screen = visit(None, at=house, post="dealer")
    for point, here in rows.items():
        table = Table(screen, f"{name}-{point}").staffed().opened()
        if point == "drawn":
            _drawn(table)
        else:
            if not table.view["setup"]["terminal"]:
                table.seated("Ann")
            POINTS[point][1](table)
        dealer = Dealer(screen.open(f"/dealer?table={name}-{point}"), table, house)
        dealer.step.wait_for()
        for row in here:
            if row.device:  # its clause is about a device that these tables do not have
                continue
            if row.situation is Situation.BURN_FORGOTTEN:  # the table notices it by itself
                continue
            if row.situation is Situation.OLD_LIMIT_MISTAKE:  # no wager here was outside its limits
                continue
            dialog = reach(dealer, row)
            head, steps = shown(dialog)
            about = f"{name} {row.situation.value} {circumstances(row)}"
            assert (f"§\u200a{row.clause}" in head) == (row.clause is not None), (about, head, steps)
            effects = [step for step in steps if "The facts are confirmed" not in step]
            assert len(effects) == len(row.effects), (about, steps)
            for effect, step in zip(row.effects, effects, strict=True):
                said = "decides: " if isinstance(effect, Refer) else effect_in_words(effect)
                assert said in step, (about, step)
                assert all(f"§ {each}" in step for each in effect_clauses(effect)), (about, step)
            dealer.press("Escape")
            dialog.wait_for(state="hidden")


def _drawn(table: Table) -> None:
    """Two cards drawn by a patron, in the high-limit area."""
    table.do("come-to-table", patron="Ann", position=1)
    table.do("open-betting")
    table.wagers(Ann={"player": 1000})
    table.do("take-device", patron="Ann")
    table.do("close-betting")
    table.draws("? ?", by="Ann")
