"""Every value of a setting of the house is carried out."""

import datetime

import pytest
from msgspec.structs import replace

from thirdcard.game import commands as cmd
from thirdcard.game import events as ev
from thirdcard.game.decide import decide
from thirdcard.game.table_setup import Device, Setup
from thirdcard.refusals import Refusal, Refused
from thirdcard.roundfile.parse import RoundRules, parse
from thirdcard.roundfile.play import Played, play
from thirdcard.rulebook.house import House, SuppliedLayout
from thirdcard.rulebook.irregularity import Area
from thirdcard.rulebook.read import house_of
from thirdcard.rulebook.shelf import SHIPPED

T3 = "mbs-tiger-v3"
NOW = datetime.datetime(2025, 6, 2, 20, tzinfo=datetime.UTC)
MBS = ("mbs-tiger-nc-v4", "mbs-tiger-v3", "mbs-dragon-tiger-nc-2023")
S6 = "mbs-super-six-etg-v3"
HOIANA = ("hoiana-tiger-2024/commission", "hoiana-tiger-2024/non-commission")


def with_settings(game: str, **settings: str | int) -> House:
    form = SHIPPED.house(SHIPPED.rulebook(game).document.house).form
    return house_of(replace(form, settings=replace(form.settings, **settings)))


def told(game: str, lines: str, **settings: str | int) -> Played:
    house = with_settings(game, **settings)
    return play(parse(f"game {game}\n{lines}", RoundRules(house=house)), SHIPPED.rulebook(game), house)


def reasons(story: Played) -> list[Refusal]:
    return [refused.reason for refused in story.refusals]


# layouts that a document lists without their drawing


def set_up(house: House, positions: int, *, training: bool = False) -> Refusal | None:
    """Why no table of Tiger, version 3, can be set up with layout H."""
    setup = Setup(
        table="T",
        game=T3,
        house=house.id,
        layout="H",
        positions=positions,
        area=Area.MAIN_FLOOR,
        device=Device.PLAIN,
        decks=8,
        terminal=False,
        face_down=False,
        automatic=(),
        limits=(),
        differential=0,
        training=training,
    )
    envelope = cmd.Envelope(actor="T", received_at=NOW, command_id="1")
    result = decide(SHIPPED.rulebook(T3), house, None, cmd.Command(cmd.SetUpTable(setup=setup), envelope))
    return result.reason if isinstance(result, Refused) else None


def test_real_table_needs_the_drawing_of_its_layout() -> None:
    """2.2 lists Appendix H, and the document ends with a description instead of its drawing."""
    house = SHIPPED.house("marina-bay-sands")
    assert set_up(house, 7) is Refusal.DRAWING_NOT_SUPPLIED
    assert set_up(house, 7, training=True) is None


def test_supplied_drawing_says_how_many_positions_a_layout_has() -> None:
    drawing = SuppliedLayout(T3, "H", least=2, most=7, drawing="approval of 1 June 2025, sheet 3")
    other = SuppliedLayout("mbs-tiger-nc-v4", "H", least=1, most=9, drawing="another document")
    form = SHIPPED.house("marina-bay-sands").form
    for layouts, refused in (((other,), True), ((other, drawing), False)):
        house = house_of(replace(form, layouts=layouts))
        assert (set_up(house, 7) is Refusal.DRAWING_NOT_SUPPLIED) is refused
    assert [set_up(house, positions) for positions in (2, 3, 6, 7)] == [None] * 4
    assert [set_up(house, positions) for positions in (1, 8)] == [Refusal.POSITIONS_NOT_OFFERED] * 2


# wagers of one patron on both hands

BOTH = (
    "patrons Ann at 1, Bob at 2\nDealer: opens betting\nAnn: 100 on player at 1\nAnn: 100 on banker at 2\n"
    "Bob: 100 on banker at 2\nBob: 50 on banker at 2\nBob: 10 on tie at 2\nBob: 100 on player at 1\n"
)


@pytest.mark.parametrize("game", MBS)
def test_patron_backs_both_hands_where_the_house_allows_it(game: str) -> None:
    story = told(game, BOTH)
    assert story.refusals == ()
    assert [each.stake for each in story.table.wagers] == [10000, 10000, 15000, 1000, 10000]


@pytest.mark.parametrize("game", MBS)
def test_patron_backs_one_hand_where_the_house_forbids_both(game: str) -> None:
    """The documents are silent; the second hand is refused in either order, everything else is taken."""
    story = told(game, BOTH, both_hands="forbid")
    assert reasons(story) == [Refusal.ONE_HAND_ONLY] * 2
    assert [each.stake for each in story.table.wagers] == [10000, 15000, 1000]


@pytest.mark.parametrize("game", MBS)
def test_patron_changes_hands_where_the_house_forbids_both(game: str) -> None:
    story = told(
        game,
        "patrons Ann at 1\nDealer: opens betting\nAnn: 100 on player at 1\nAnn: takes 100 off player at 1\n"
        "Ann: 100 on banker at 1\n",
        both_hands="forbid",
    )
    assert story.refusals == ()
    assert [each.wager for each in story.table.wagers] == ["banker"]


@pytest.mark.parametrize("game", HOIANA)
def test_house_cannot_forbid_what_hoiana_allows(game: str) -> None:
    """4.5: a patron may back as many kinds of wager as they like."""
    assert told(game, BOTH, both_hands="forbid").refusals == ()


def test_house_cannot_forbid_what_super_six_allows() -> None:
    """3.5: every wager stands by itself."""
    lines = "patrons T1\nT1: buys 500 credits\nDealer: opens betting\nT1: 100 on player\nT1: 100 on banker\n"
    assert told(S6, lines, both_hands="forbid").refusals == ()


# rounds after the cutting card

CUT = (
    "patrons Ann at 1\nDealer: opens betting\nDealer: closes betting\nDealer: draws 9\n"
    "Dealer: sees the cutting card\nDealer: draws 2 K 5\n"
)
ROUND = "Dealer: opens betting\nDealer: closes betting\nDealer: draws 9 2 K 5\n"


@pytest.mark.parametrize("game", [*MBS, *HOIANA])
@pytest.mark.parametrize("after", [0, 1])
def test_so_many_rounds_follow_the_one_with_the_cutting_card(game: str, after: int) -> None:
    """N4 3.17, T3 3.22, DT 3.17: the round is completed; how many follow is said nowhere."""
    story = told(game, CUT + ROUND * (after + 1), rounds_after_cutting_card=after)
    assert reasons(story)[:1] == [Refusal.SHOE_PLAYED_OUT]
    began = [event.number for event in story.events if isinstance(event, ev.RoundBegan)]
    assert began == list(range(1, after + 2))


@pytest.mark.parametrize("game", [*MBS, *HOIANA])
@pytest.mark.parametrize("after", [0, 1])
def test_cutting_card_before_the_first_card_makes_its_round_the_last(game: str, after: int) -> None:
    first = (
        "patrons Ann at 1\nDealer: opens betting\nDealer: closes betting\nDealer: sees the cutting card\n"
        "Dealer: draws 9 2 K 5\nDealer: opens betting\n"
    )
    story = told(game, first, rounds_after_cutting_card=after)
    assert reasons(story) == [Refusal.SHOE_PLAYED_OUT]


# the burn


@pytest.mark.parametrize("game", HOIANA)
@pytest.mark.parametrize(("first", "cards"), [("A", 2), ("7", 8), ("9", 10), ("10", 11), ("K", 11)])
def test_first_card_says_how_many_are_burned(game: str, first: str, cards: int) -> None:
    """2.2.2 and 7.11.1: in accordance with procedures; here the card itself and as many as it is worth."""
    story = told(game, f"burn forgotten\npatrons Ann at 1\nDealer: burns by {first}\n")
    assert [each.cards for each in story.events if isinstance(each, ev.CardsBurned)] == [cards]


@pytest.mark.parametrize("game", HOIANA)
@pytest.mark.parametrize("fixed", [1, 2, 19, 20])
@pytest.mark.parametrize("burn", ["burns", "burns by K"])
def test_fixed_number_of_cards_is_burned(game: str, fixed: int, burn: str) -> None:
    story = told(game, f"burn forgotten\npatrons Ann at 1\nDealer: {burn}\n", burn=fixed)
    assert [each.cards for each in story.events if isinstance(each, ev.CardsBurned)] == [fixed]
    assert story.table.shoe is not None
    assert story.table.shoe.left == 416 - fixed


# counter-clockwise


@pytest.mark.parametrize("game", MBS)
@pytest.mark.parametrize(
    ("way", "order"),
    [("ascending", ["Ann at 3", "Bob at 5", "Cy at 1"]), ("descending", ["Ann at 3", "Cy at 1", "Bob at 5"])],
)
def test_cards_go_counter_clockwise_as_positions_are_numbered(game: str, way: str, order: list[str]) -> None:
    """N4 3.9.5, T3 and DT 3.10.5: among equals the cards go round the table one way."""
    names = [each.split()[0] for each in order]
    declines = "".join(f"{name}: declines player\n" for name in names)
    story = told(
        game,
        "method A\nautomatic none\npatrons Ann at 3, Bob at 5, Cy at 1\nDealer: opens betting\n"
        "Ann: 500 on player at 3\nBob: 500 on player at 5\nCy: 500 on player at 1\nDealer: closes betting\n"
        f"Dealer: draws 9 2 K 5\n{declines}",
        counter_clockwise=way,
    )
    assert story.refusals == ()
    assert [each.patron for each in story.events if isinstance(each, ev.CardsDeclined)] == names


def test_the_round_after_the_cutting_card_is_said_to_be_the_last() -> None:
    """Tiger 3.22: the round in which the card comes is played to its end, and the house has one more."""
    one = "Dealer: opens betting\nDealer: closes betting\nDealer: draws 9 2\n{}Dealer: draws K 5\n"
    rounds = one.format("") + one.format("Dealer: sees the cutting card\n") + one.format("")
    story = told("mbs-tiger-v3", f"patrons Ann at 1\n{rounds}", rounds_after_cutting_card=1)
    assert story.refusals == ()
    assert [each.last for each in story.events if isinstance(each, ev.RoundBegan)] == [False, False, True]
