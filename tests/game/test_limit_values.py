"""Every limit at its value and one unit to each side, typed in from the documents."""

import datetime

import pytest
from msgspec.structs import replace

import thirdcard as tc
from thirdcard.game import commands as cmd
from thirdcard.game import events as ev
from thirdcard.game.apply import apply
from thirdcard.game.decide import decide
from thirdcard.game.limits import gap_of, heavier_hand, in_action
from thirdcard.game.set_up import may_open
from thirdcard.game.state import Hand, PlacedWager, Table
from thirdcard.game.table_setup import Device, PostedLimit, Setup
from thirdcard.refusals import Refusal, Refused
from thirdcard.roundfile.parse import RoundRules, parse
from thirdcard.roundfile.play import Played, play
from thirdcard.rulebook.irregularity import Area, Situation
from thirdcard.rulebook.shelf import SHIPPED

N4, T3, DT = "mbs-tiger-nc-v4", "mbs-tiger-v3", "mbs-dragon-tiger-nc-2023"
S6 = "mbs-super-six-etg-v3"
HC, HN = "hoiana-tiger-2024/commission", "hoiana-tiger-2024/non-commission"
MBS, HOIANA = (N4, T3, DT), (HC, HN)
LIVE = (*MBS, *HOIANA)
ALL = (*LIVE, S6)
NOW = datetime.datetime(2025, 6, 2, 20, tzinfo=datetime.UTC)
POSTED = dict.fromkeys(MBS, "3.5.1") | dict.fromkeys(HOIANA, "4.4")


def told(game: str, lines: str) -> Played:
    book = SHIPPED.rulebook(game)
    house = SHIPPED.house(book.document.house)
    return play(parse(f"game {game}\n{lines}", RoundRules(house=house)), book, house)


def do(game: str, table: Table | None, body: cmd.Body, actor: str = "Pit Manager") -> object:
    """The events of a command, or its refusal."""
    book = SHIPPED.rulebook(game)
    envelope = cmd.Envelope(actor=actor, received_at=NOW, command_id="1")
    return decide(book, SHIPPED.house(book.document.house), table, cmd.Command(body, envelope))


def happened(story: Played, kind: type[ev.Event]) -> list[ev.Event]:
    return [event for event in story.events if isinstance(event, kind)]


def reasons(story: Played) -> list[Refusal]:
    return [refused.reason for refused in story.refusals]


def handed_back(story: Played) -> list[tuple[str, tuple[str, ...]]]:
    """Why wagers were handed back, with the clauses."""
    return [(each.why, (*each.clauses,)) for each in story.events if isinstance(each, ev.WagerHandedBack)]


def reason(result: object) -> Refusal | None:
    return result.reason if isinstance(result, Refused) else None


# the posted minimum and maximum of a wager


def placed(game: str, *amounts: str) -> tuple[int, list[tuple[str, tuple[str, ...]]]]:
    """The wagers after some amounts were put on Player with limits 50 and 5000, and those handed back."""
    lines = "".join(f"Ann: {amount} on player at 1\n" for amount in amounts)
    story = told(game, f"main 50 5000\npatrons Ann at 1\nDealer: opens betting\n{lines}")
    return sum(each.stake for each in story.table.wagers), handed_back(story)


@pytest.mark.parametrize("game", LIVE)
def test_wager_reaches_the_minimum(game: str) -> None:
    """MBS 3.5.1, Hoiana 4.4: a stake lies between the two posted amounts, both included."""
    assert placed(game, "49.99") == (0, [("under-minimum", (POSTED[game],))])
    assert placed(game, "50") == (5000, [])
    assert placed(game, "50.01") == (5001, [])


@pytest.mark.parametrize("game", LIVE)
def test_wager_stays_within_the_maximum(game: str) -> None:
    assert placed(game, "4999.99") == (499999, [])
    assert placed(game, "5000") == (500000, [])
    assert placed(game, "5000.01") == (0, [("over-maximum", (POSTED[game],))])


@pytest.mark.parametrize("game", LIVE)
def test_wager_is_raised_up_to_the_maximum(game: str) -> None:
    assert placed(game, "4900", "99.99") == (499999, [])
    assert placed(game, "4900", "100") == (500000, [])
    assert placed(game, "4900", "100.01") == (490000, [("over-maximum", (POSTED[game],))])


def test_terminal_takes_a_wager_within_the_limits() -> None:
    """Super Six names no limits; its terminals keep those of the house."""
    for amount, refused in [
        ("49.99", [Refusal.UNDER_MINIMUM]),
        ("50", []),
        ("50.01", []),
        ("4999.99", []),
        ("5000", []),
        ("5000.01", [Refusal.OVER_MAXIMUM]),
    ]:
        story = told(
            S6,
            "main 50 5000\npatrons T1\nT1: buys 9000 credits\nDealer: opens betting\n"
            f"T1: {amount} on player\n",
        )
        assert reasons(story) == refused, amount


@pytest.mark.parametrize("game", LIVE)
@pytest.mark.parametrize(
    ("off", "left"), [("49.99", 5001), ("50", 5000), ("50.01", None), ("99.99", None), ("100", 0)]
)
def test_wager_is_decreased_to_the_minimum_or_goes(game: str, off: str, left: int | None) -> None:
    story = told(
        game,
        "main 50 5000\npatrons Ann at 1\nDealer: opens betting\nAnn: 100 on player at 1\n"
        f"Ann: takes {off} off player at 1\n",
    )
    assert reasons(story) == ([Refusal.UNDER_MINIMUM] if left is None else [])
    assert sum(each.stake for each in story.table.wagers) == (10000 if left is None else left)


@pytest.mark.parametrize("game", LIVE)
@pytest.mark.parametrize(
    ("off", "refused"),
    [
        (0, Refusal.LESS_ON_THE_WAGER),
        (1, None),
        (9999, None),
        (10000, None),
        (10001, Refusal.LESS_ON_THE_WAGER),
    ],
)
def test_no_more_comes_off_than_lies_there(game: str, off: int, refused: Refusal | None) -> None:
    table = told(
        game, "main 0.01 5000\npatrons Ann at 1\nDealer: opens betting\nAnn: 100 on player at 1\n"
    ).table
    body = cmd.ReduceWager(patron="Ann", position=1, wager="player", amount=off)
    assert reason(do(game, table, body, "Ann")) is refused


@pytest.mark.parametrize("game", MBS)
@pytest.mark.parametrize(
    ("off", "refused"),
    [
        (0, Refusal.LESS_ON_THE_WAGER),
        (1, None),
        (1999999, None),
        (2000000, None),
        (2000001, Refusal.LESS_ON_THE_WAGER),
    ],
)
def test_no_more_is_removed_than_lies_there(game: str, off: int, refused: Refusal | None) -> None:
    """5.18.3: the Pit Manager picks what comes off."""
    table = told(
        game,
        "main 0.01 90000\ndifferential 10000\npatrons Ann at 1\nDealer: opens betting\n"
        "Ann: 20000 on player at 1\nDealer: closes betting\nDealer: asks to decrease\nAnn: stays\n",
    ).table
    body = cmd.RemoveWager(patron="Ann", position=1, wager="player", amount=off)
    assert reason(do(game, table, body)) is refused


@pytest.mark.parametrize("game", LIVE)
@pytest.mark.parametrize(("stake", "refused"), [("-0.01", True), ("0", True), ("0.01", False)])
def test_stake_is_above_nothing(game: str, stake: str, refused: bool) -> None:
    if refused:
        with pytest.raises(tc.BadInput):
            tc.game(game).settle("9 2 K 5", {"player": stake})
    else:
        assert tc.game(game).settle("9 2 K 5", {"player": stake}).wagers["player"].stake == stake


# limits at settlement


def lying(game: str, *wagers: tuple[str, str, int]) -> Table:
    """A table with limits 50 to 5000 and differential 200, and wagers as (patron, wager, minor units)."""
    table = told(game, "main 50 5000\ndifferential 200\n").table
    placed_wagers = tuple(
        PlacedWager(id=number, patron=patron, position=number, wager=wager, stake=stake, order=number)
        for number, (patron, wager, stake) in enumerate(wagers, start=1)
    )
    return replace(table, wagers=placed_wagers)


def acting(game: str, table: Table) -> list[tuple[int, tuple[str, ...], bool]]:
    """The part of each wager that acts, the clauses that cut it down, and whether its patron is marked."""
    book = SHIPPED.rulebook(game)
    found = in_action(book.document, SHIPPED.house(book.document.house), table)
    return [
        (found[each.id].amount, (*found[each.id].clauses,), found[each.id].marks) for each in table.wagers
    ]


ONCE = dict.fromkeys(MBS, "5.14") | dict.fromkeys(HOIANA, "7.17")
CAPPED = dict.fromkeys(MBS, "5.15") | dict.fromkeys(HOIANA, "7.18")


@pytest.mark.parametrize("game", LIVE)
def test_only_a_wager_under_the_minimum_is_paid_one_time_only(game: str) -> None:
    """MBS 5.14, Hoiana 7.17: a stake too small acts once."""
    assert acting(game, lying(game, ("Ann", "player", 4999))) == [(4999, (ONCE[game],), True)]
    assert acting(game, lying(game, ("Ann", "player", 5000))) == [(5000, (), False)]
    assert acting(game, lying(game, ("Ann", "player", 5001))) == [(5001, (), False)]


@pytest.mark.parametrize("game", LIVE)
def test_only_a_wager_under_the_minimum_of_a_marked_patron_is_returned(game: str) -> None:
    """MBS 5.14, Hoiana 7.17: later ones of a marked patron go back."""
    for stake, acts in [(4999, 0), (5000, 5000), (5001, 5001)]:
        table = lying(game, ("Ann", "player", stake))
        marked = replace(table, wagers=tuple(replace(each, marked=True) for each in table.wagers))
        assert [amount for amount, _, _ in acting(game, marked)] == [acts]
        assert gap_of(marked) == acts


@pytest.mark.parametrize("game", LIVE)
def test_only_what_is_over_the_maximum_is_out_of_action(game: str) -> None:
    """MBS 5.15, Hoiana 7.18: a stake too large acts up to the maximum."""
    for stake, clauses in [(499999, ()), (500000, ()), (500001, (CAPPED[game],))]:
        table = replace(lying(game), setup=replace(lying(game).setup, differential=10**9))
        table = replace(table, wagers=lying(game, ("Ann", "player", stake)).wagers)
        assert acting(game, table) == [(min(stake, 500000), clauses, False)]


@pytest.mark.parametrize("game", LIVE)
@pytest.mark.parametrize(
    ("situation", "found", "so"),
    [
        ("under-minimum", "49.99", True),
        ("under-minimum", "50", False),
        ("under-minimum", "50.01", False),
        ("over-maximum", "4999.99", False),
        ("over-maximum", "5000", False),
        ("over-maximum", "5000.01", True),
    ],
)
def test_report_of_a_wager_outside_the_limits_is_held_against_them(
    game: str, situation: str, found: str, so: bool
) -> None:
    """MBS 5.14 and 5.15, Hoiana 7.17 and 7.18: what is not outside the limits is not reported as that."""
    story = told(
        game,
        "main 50 5000\ndifferential 9000\npatrons Ann at 1\nDealer: opens betting\nDealer: closes betting\n"
        f"Dealer with Pit Manager: finds Ann {found} on player at 1\nDealer: reports {situation} of Ann\n",
    )
    assert reasons(story) == ([] if so else [Refusal.NO_WAGER_CONCERNED])


@pytest.mark.parametrize("game", MBS)
@pytest.mark.parametrize(
    ("told_again", "refused"),
    [
        ("0.01", [Refusal.EARLIER_ROUNDS_STAND]),
        ("399.99", [Refusal.EARLIER_ROUNDS_STAND]),
        ("400", [Refusal.EARLIER_ROUNDS_STAND]),
        ("400.01", []),
    ],
)
def test_limit_mistake_that_stands_is_no_wrong_payment(
    game: str, told_again: str, refused: list[Refusal]
) -> None:
    """5.16: of what was paid over the maximum in an earlier round 400 is settled."""
    story = told(
        game,
        "main 50 1000\npatrons Ann at 1\nDealer: opens betting\nDealer: closes betting\n"
        "Dealer with Pit Manager: finds Ann 2000 on player at 1\nDealer: draws 9 2 K 5\n"
        "Dealer: opens betting\nDealer with Pit Manager: reports old-limit-mistake of Ann amount 400\n"
        f"Dealer with Pit Manager: reports wrong-payment of Ann amount {told_again}, previous round\n",
    )
    assert reasons(story) == refused


@pytest.mark.parametrize("game", MBS)
@pytest.mark.parametrize(
    ("paid", "refused"),
    [("399.99", [Refusal.EARLIER_ROUNDS_STAND]), ("400", [Refusal.EARLIER_ROUNDS_STAND]), ("400.01", [])],
)
def test_limit_mistake_that_was_collected_is_not_made_good(
    game: str, paid: str, refused: list[Refusal]
) -> None:
    """5.16: of what was collected over the maximum in an earlier round 400 is settled."""
    story = told(
        game,
        "main 50 1000\npatrons Ann at 1\nDealer: opens betting\nDealer: closes betting\n"
        "Dealer with Pit Manager: finds Ann 2000 on player at 1\nDealer: draws 2 9 K K\n"
        "Dealer: opens betting\nDealer with Pit Manager: reports old-limit-mistake of Ann amount 400\n"
        "Dealer: reports not-covered, previous round because Ann was told otherwise\n"
        f"Gaming Shift Manager: rules pay paying Ann {paid} because she was told otherwise\n",
    )
    assert reasons(story) == refused


# the table differential


@pytest.mark.parametrize("game", LIVE)
@pytest.mark.parametrize(("on_banker", "exceeded"), [("800.01", False), ("800", False), ("799.99", True)])
@pytest.mark.parametrize("heavy", ["player", "banker"])
def test_differential_is_exceeded_above_its_limit(
    game: str, on_banker: str, exceeded: bool, heavy: str
) -> None:
    """MBS 5.18, Hoiana 2.2.17 and 4.3: 1000 against 800 with a limit of 200 is the largest difference."""
    light = "banker" if heavy == "player" else "player"
    story = told(
        game,
        "main 50 5000\ndifferential 200\npatrons Ann at 1, Bob at 2\nDealer: opens betting\n"
        f"Ann: 1000 on {heavy} at 1\nBob: {on_banker} on {light} at 2\nDealer: closes betting\n"
        "Dealer: draws 9\n",
    )
    flagged = [event for event in story.events if isinstance(event, ev.DifferentialExceeded)]
    assert [(each.gap, each.limit, each.heavier.value) for each in flagged] == (
        [(20001, 20000, heavy)] if exceeded else []
    )
    assert reasons(story) == ([Refusal.DIFFERENTIAL_MUST_BE_MET] if exceeded else [])
    assert bool(happened(story, ev.CardDrawn)) is not exceeded


@pytest.mark.parametrize("game", LIVE)
@pytest.mark.parametrize(("on_banker", "exceeded"), [("800.01", False), ("800", False), ("799.99", True)])
def test_differential_is_exceeded_in_the_deal_above_its_limit(
    game: str, on_banker: str, exceeded: bool
) -> None:
    """MBS 5.8.1 and 6.1, Hoiana 7.12 and 7.19: what is left after a withdrawal is held against the limit."""
    allows = "Shift Manager: rules allow\n" if game in HOIANA else ""
    story = told(
        game,
        "main 50 5000\ndifferential 200\npatrons Ann at 1, Bob at 2\nDealer: opens betting\n"
        f"Ann: 1000 on player at 1\nBob: {on_banker} on banker at 2\nBob: 50 on banker at 3\n"
        f"Dealer: closes betting\nDealer: draws 9 2 together, order known\n{allows}"
        "Bob: withdraws banker at 3\nBob: stays\nAnn: stays\n",
    )
    assert story.refusals == ()
    noticed = [each.case.situation for each in story.events if isinstance(each, ev.IrregularityReported)]
    assert noticed[1:] == ([Situation.DIFFERENTIAL_EXCEEDED] if exceeded else [])
    followed = [each for each in story.events if isinstance(each, ev.CaseWaits | ev.EffectCarriedOut)]
    said = "7.19" if game in HOIANA else "6.1"
    assert any(said in each.clauses for each in followed) is exceeded


@pytest.mark.parametrize("game", MBS)
@pytest.mark.parametrize(("on_banker", "refused"), [("800.01", True), ("800", True), ("799.99", False)])
def test_patrons_are_asked_to_decrease_above_the_limit(game: str, on_banker: str, refused: bool) -> None:
    """5.18.1 needs a differential that has been exceeded."""
    story = told(
        game,
        "main 50 5000\ndifferential 200\npatrons Ann at 1, Bob at 2\nDealer: opens betting\n"
        f"Ann: 1000 on player at 1\nBob: {on_banker} on banker at 2\nDealer: closes betting\n"
        "Dealer: asks to decrease\n",
    )
    assert reasons(story) == ([Refusal.NOT_AWAITED] if refused else [])


@pytest.mark.parametrize("game", MBS)
@pytest.mark.parametrize(("off", "left"), [("0.01", [99999]), ("0.02", [99998])])
def test_decrease_after_closing_ends_when_the_differential_is_met(
    game: str, off: str, left: list[int]
) -> None:
    """5.18.1: one cent meets the differential; every further cent is a late withdrawal (5.5)."""
    story = told(
        game,
        "main 50 5000\ndifferential 200\npatrons Ann at 1, Bob at 2\nDealer: opens betting\n"
        "Ann: 1000 on player at 1\nBob: 799.99 on banker at 2\nDealer: closes betting\n"
        f"Dealer: asks to decrease\nAnn: takes {off} off player at 1\nAnn: takes 0.01 off player at 1\n",
    )
    assert [each.stake for each in story.table.wagers if each.wager == "player"] == left
    assert [each.amount for each in story.events if isinstance(each, ev.WagerPulledLate)] == [1]


@pytest.mark.parametrize("game", MBS)
@pytest.mark.parametrize(("off", "refused"), [("0.01", True), ("0.02", False), ("200.02", False)])
def test_heavier_hand_may_increase_again_once_the_differential_is_met(
    game: str, off: str, refused: bool
) -> None:
    """5.18.2 holds while the differential is exceeded, here by 0.02; at equal totals no hand is heavier."""
    story = told(
        game,
        "main 50 5000\ndifferential 200\npatrons Ann at 1, Bob at 2\nDealer: opens betting\n"
        "Ann: 1000 on player at 1\nBob: 799.98 on banker at 2\nDealer: asks to decrease\n"
        f"Ann: takes {off} off player at 1\nAnn: 0.01 on player at 1\n",
    )
    assert reasons(story) == ([Refusal.HEAVIER_HAND_MAY_NOT_INCREASE] if refused else [])


@pytest.mark.parametrize("game", MBS)
def test_lighter_hand_increases_after_closing_while_the_differential_is_exceeded(game: str) -> None:
    """5.18.2, until it is met; then 5.4 bars every increase."""
    story = told(
        game,
        "main 50 5000\ndifferential 200\npatrons Ann at 1, Bob at 2\nDealer: opens betting\n"
        "Ann: 1000 on player at 1\nBob: 799.98 on banker at 2\nDealer: closes betting\n"
        "Dealer: asks to decrease\n" + "Bob: 0.01 on banker at 2\n" * 3,
    )
    assert [each.stake for each in story.table.wagers] == [100000, 80000]
    assert handed_back(story) == [("betting-closed", ("5.4",))]


@pytest.mark.parametrize("game", MBS)
@pytest.mark.parametrize(
    ("late", "refused"),
    [
        ("499.99", []),
        ("500", []),
        ("500.01", [Refusal.RAISE_WAS_ALLOWED]),
        ("799.99", [Refusal.RAISE_WAS_ALLOWED]),
        ("800", [Refusal.RAISE_WAS_ALLOWED]),
        ("800.01", [Refusal.LESS_ON_THE_WAGER]),
    ],
)
def test_raise_of_the_lighter_hand_is_not_late(game: str, late: str, refused: list[Refusal]) -> None:
    """5.18.2: of 800 the last 300 were raised by right; only the 500 before can have come too late (5.4)."""
    story = told(
        game,
        "main 50 5000\ndifferential 200\npatrons Ann at 1, Bob at 2\nDealer: opens betting\n"
        "Ann: 1000 on player at 1\nBob: 500 on banker at 2\nDealer: closes betting\n"
        "Dealer: asks to decrease\nBob: 300 on banker at 2\n"
        f"Dealer: reports late-wager of Bob amount {late} on banker at 2\n",
    )
    assert reasons(story) == refused


@pytest.mark.parametrize("game", MBS)
@pytest.mark.parametrize(("out", "closed"), [("0.01", False), ("0.02", True), ("0.03", True)])
def test_differential_that_a_correction_meets_is_asked_about_no_more(
    game: str, out: str, closed: bool
) -> None:
    """6.1: 1000.03 against 800.01 is 0.02 over the limit of 200; two people take out what never lay there."""
    story = told(
        game,
        "main 50 5000\ndifferential 200\npatrons Ann at 1, Bob at 2\nDealer: opens betting\n"
        "Ann: 1000 on player at 1\nBob: 800.01 on banker at 2\nDealer: closes betting\nDealer: draws 9\n"
        "Dealer with Pit Manager: finds Ann 0.03 on player at 1\n"
        f"Dealer with Pit Manager: corrects {out} of Ann on player at 1 to nothing\n",
    )
    assert story.refusals == ()
    assert len(happened(story, ev.IrregularityReported)) == 1
    assert bool(happened(story, ev.CaseClosed)) is closed


@pytest.mark.parametrize("game", MBS)
@pytest.mark.parametrize(
    ("first", "second", "refused"),
    [
        ("99.98", "0.01", None),
        ("99.99", "0.01", None),
        ("100", "0.01", Refusal.NO_SUCH_WAGER),
        ("99.99", "0.02", Refusal.LESS_ON_THE_WAGER),
    ],
)
def test_no_more_is_withdrawn_late_than_lies_there(
    game: str, first: str, second: str, refused: Refusal | None
) -> None:
    """5.5: any wager withdrawn stays in action, up to the 100 that lay there."""
    story = told(
        game,
        "main 50 5000\npatrons Ann at 1\nDealer: opens betting\nAnn: 100 on player at 1\n"
        f"Dealer: closes betting\nAnn: takes {first} off player at 1\nAnn: takes {second} off player at 1\n",
    )
    assert reasons(story) == ([refused] if refused else [])
    assert [each.stake for each in story.table.wagers] == [10000]


def test_heavier_hand_is_the_one_with_more_on_it() -> None:
    """5.18.1: the heavier hand."""
    for on_player, on_banker, heavier in [(101, 100, Hand.PLAYER), (100, 101, Hand.BANKER)]:
        table = lying(T3, ("Ann", "player", on_player), ("Bob", "banker", on_banker))
        assert heavier_hand(table) is heavier


@pytest.mark.parametrize("game", HOIANA)
@pytest.mark.parametrize("heavy", ["player", "banker"])
def test_stakes_are_scaled_above_the_differential(game: str, heavy: str) -> None:
    """7.19 with 2.2.17: 800 on one hand and a limit of 200 let 1000 act on the other."""
    light = "banker" if heavy == "player" else "player"
    for stake, clauses in [(99999, ()), (100000, ()), (100001, ("7.19",))]:
        table = lying(game, ("Ann", heavy, stake), ("Bob", light, 80000))
        assert acting(game, table) == [(min(stake, 100000), clauses, False), (80000, (), False)]


@pytest.mark.parametrize("game", HOIANA)
def test_scaled_stakes_meet_the_differential_exactly(game: str) -> None:
    """7.19: three stakes of 100 with a limit of 200; the cent left over goes to the first ones placed."""
    table = lying(game, *((name, "player", 10000) for name in ("Ann", "Bob", "Cy")))
    assert [amount for amount, _, _ in acting(game, table)] == [6667, 6667, 6666]


@pytest.mark.parametrize("game", HOIANA)
def test_cent_left_over_goes_to_the_largest_remainder(game: str) -> None:
    """7.19: of 200 the stakes 100, 200 and 300 get 33.333, 66.666 and 100."""
    table = lying(game, ("Ann", "player", 10000), ("Bob", "player", 20000), ("Cy", "player", 30000))
    assert [amount for amount, _, _ in acting(game, table)] == [3333, 6667, 10000]


@pytest.mark.parametrize("game", MBS)
def test_stakes_are_never_scaled_at_marina_bay_sands(game: str) -> None:
    table = lying(game, ("Ann", "player", 100001), ("Bob", "banker", 80000))
    assert acting(game, table) == [(100001, (), False), (80000, (), False)]


@pytest.mark.parametrize("game", HOIANA)
def test_only_a_wager_under_the_minimum_is_exempt_from_scaling(game: str) -> None:
    """7.19.1: small stakes are spared."""
    rest = ("Bob", "player", 40000)
    exempt = [(4999, ("7.17", "7.19.1"), True), (15001, ("7.19",), False)]
    assert acting(game, lying(game, ("Ann", "player", 4999), rest)) == exempt
    for stake in (5000, 5001):
        found = acting(game, lying(game, ("Ann", "player", stake), rest))
        assert [clauses for _, clauses, _ in found] == [("7.19",), ("7.19",)]
        assert sum(amount for amount, _, _ in found) == 20000


@pytest.mark.parametrize("game", HOIANA)
@pytest.mark.parametrize(("exempt", "left"), [(4999, 2), (5000, 1), (5001, 0), (5002, 0)])
def test_exempt_wagers_leave_the_others_no_less_than_nothing(game: str, exempt: int, left: int) -> None:
    """7.19.1: exempt wagers act in full even where they alone exceed the limit of 50.01."""
    table = lying(game, ("Ann", "player", exempt), ("Bob", "player", 60000))
    limits = tuple(PostedLimit(each.wager, 6000, each.maximum) for each in table.setup.limits)
    table = replace(table, setup=replace(table.setup, differential=5001, limits=limits))
    assert [amount for amount, _, _ in acting(game, table)] == [exempt, left]


@pytest.mark.parametrize("game", HOIANA)
def test_exempt_wagers_alone_act_in_full(game: str) -> None:
    """7.19.1: the pro rata settlement is not applied where every wager of the box is under the minimum."""
    table = lying(game, *((name, "player", 4999) for name in "ABCDEF"))
    assert acting(game, table) == [(4999, ("7.17", "7.19.1"), True)] * 6


# wagers per playing area


def sharing(game: str, most: int, owners: int) -> Played:
    names = [f"P{number}" for number in range(1, owners + 1)]
    fewer = f"Pit Manager: limits owners to {most}\n" if most < 3 else ""
    return told(
        game,
        f"patrons {', '.join(f'{name} at {at}' for at, name in enumerate(names, start=1))}\n{fewer}"
        "Dealer: opens betting\n" + "".join(f"{name}: 100 on player at 1\n" for name in names),
    )


@pytest.mark.parametrize("game", MBS)
@pytest.mark.parametrize("most", [1, 2, 3])
def test_playing_area_takes_so_many_wagers_and_no_more(game: str, most: int) -> None:
    """N4 3.6, T3 and DT 3.7: three patrons share an area at most; the Pit Manager may set fewer."""
    fewer = {N4: "3.6.1", T3: "3.7.1", DT: "3.7.1"}[game]
    clause = fewer if most < 3 else fewer.removesuffix(".1")
    for owners in (most - 1, most):
        if owners:
            assert sharing(game, most, owners).refusals == ()
    (refused,) = sharing(game, most, most + 1).refusals
    assert (refused.reason, refused.clauses) == (Refusal.PLAYING_AREA_FULL, (clause,))
    assert dict(refused.params) == {"most": most}


@pytest.mark.parametrize("game", MBS)
def test_wager_is_raised_on_a_full_playing_area(game: str) -> None:
    story = told(
        game,
        "patrons P1 at 1, P2 at 2, P3 at 3\nDealer: opens betting\n"
        + "".join(f"{name}: 100 on player at 1\n" for name in ("P1", "P2", "P3", "P1")),
    )
    assert story.refusals == ()
    assert [each.stake for each in story.table.wagers] == [20000, 10000, 10000]


@pytest.mark.parametrize("game", MBS)
def test_wager_says_who_of_the_staff_placed_it(game: str) -> None:
    """N4 3.7, T3 and DT 3.8: staff put chips down for a patron who asks."""
    story = told(
        game,
        "patrons Ann at 1\nDealer: opens betting\nAnn: 100 on player at 1\n"
        "Dealer: for Ann 100 on player at 1\n",
    )
    by = [each.placed_by for each in story.events if isinstance(each, ev.WagerPlaced)]
    assert by == [None, "Dealer"]


@pytest.mark.parametrize("game", MBS)
@pytest.mark.parametrize(
    ("most", "refused"),
    [(0, Refusal.OWNERS_OUT_OF_RANGE), (1, None), (2, None), (3, None), (4, Refusal.OWNERS_OUT_OF_RANGE)],
)
def test_pit_manager_restricts_a_playing_area_to_one_at_the_least(
    game: str, most: int, refused: Refusal | None
) -> None:
    """N4 3.6.1, T3 and DT 3.7.1: to less than three; three again lifts it, more than three never was."""
    assert reason(do(game, told(game, "").table, cmd.LimitOwners(most=most))) is refused


@pytest.mark.parametrize("game", HOIANA)
def test_playing_area_at_hoiana_has_no_cap(game: str) -> None:
    names = ("P1", "P2", "P3", "P4")
    story = told(
        game,
        "patrons P1 at 1, P2 at 2, P3 at 3, P4 at 4\nDealer: opens betting\n"
        + "".join(f"{name}: 100 on player at 1\n" for name in names),
    )
    assert story.refusals == ()


# cards left in the shoe

MISSING = dict.fromkeys(MBS, "5.3") | {S6: "5.5"} | dict.fromkeys(HOIANA, "7.2")
# a natural needs four cards, Player 6 against Banker 5 five, Player 4 against Banker 3 with a 5 six
HANDS = {4: "9 2 K 5", 5: "6 5 K K 2", 6: "4 3 K K 5 4"}


def dealt_from(game: str, left: int, cards: str) -> Played:
    seat, money, at = ("T1", "T1: buys 500 credits\n", "") if game == S6 else ("Ann at 1", "", " at 1")
    who = seat.split()[0]
    draws = "".join(f"Dealer: draws {card}\n" for card in cards.split())
    return told(
        game,
        f"left {left}\npatrons {seat}\n{money}Dealer: opens betting\n{who}: 100 on player{at}\n"
        f"Dealer: closes betting\n{draws}Pit Manager: confirms\n",
    )


@pytest.mark.parametrize("game", ALL)
@pytest.mark.parametrize("needed", HANDS)
def test_round_is_void_when_a_due_card_is_missing(game: str, needed: int) -> None:
    """MBS 5.3, Super Six 5.5, Hoiana 7.2: the shoe runs dry."""
    for left in (needed, needed + 1):
        story = dealt_from(game, left, HANDS[needed])
        assert len(happened(story, ev.RoundSettled)) == 1
        assert happened(story, ev.RoundVoided) == []
    story = dealt_from(game, needed - 1, HANDS[needed])
    (void,) = happened(story, ev.RoundVoided)
    assert void.clauses[0] == MISSING[game]
    assert happened(story, ev.RoundSettled) == []
    assert len(happened(story, ev.CardDrawn)) == needed - 1


@pytest.mark.parametrize("game", ALL)
def test_round_begins_with_too_few_cards_for_any_round(game: str) -> None:
    """The round is void when a due card is missing, not because fewer than four remain."""
    story = dealt_from(game, 1, "9")
    assert len(happened(story, ev.CardDrawn)) == 1
    assert happened(story, ev.RoundVoided) == []


@pytest.mark.parametrize("game", LIVE)
def test_no_card_is_due_after_the_last_one(game: str) -> None:
    """A natural takes four cards and no fifth, Player 6 against Banker 5 five and no sixth."""
    for needed, cards in HANDS.items():
        story = told(
            game,
            "automatic expose\npatrons Ann at 1\nDealer: opens betting\nDealer: closes betting\n"
            f"Dealer: draws {cards}\nDealer: draws 2\n",
        )
        assert len(happened(story, ev.CardDrawn)) == needed
        assert len(story.refusals) == 1


@pytest.mark.parametrize("game", HOIANA)
@pytest.mark.parametrize(("left", "comes"), [(4, False), (5, True), (6, True)])
@pytest.mark.parametrize("called", ["", "Dealer: calls player\n"], ids=["before the call", "after it"])
def test_card_in_error_comes_only_from_a_device_that_has_one(
    game: str, left: int, comes: bool, called: str
) -> None:
    """7.7: four cards make the round, and a fifth is the card in error."""
    story = told(
        game,
        f"left {left}\nautomatic expose\npatrons Ann at 1\nDealer: opens betting\nDealer: closes betting\n"
        f"Dealer: draws K K 7 6\n{called}Dealer: draws 5 to banker\n",
    )
    assert bool(happened(story, ev.CardsSetAside)) is comes
    assert len(story.refusals) == (0 if comes else 1)


# cutting and loading


@pytest.mark.parametrize("game", ALL)
@pytest.mark.parametrize(
    ("decks", "depth", "refused"),
    [
        (8, 0, Refusal.CUT_OUT_OF_RANGE),
        (8, 1, None),
        (8, 2, None),
        (8, 414, None),
        (8, 415, None),
        (8, 416, Refusal.CUT_OUT_OF_RANGE),
        (4, 207, None),
        (4, 208, Refusal.CUT_OUT_OF_RANGE),
    ],
)
def test_cut_leaves_a_card_on_each_side(game: str, decks: int, depth: int, refused: Refusal | None) -> None:
    table = told(game, f"decks {decks}\nburn forgotten\n" if game in HOIANA else f"decks {decks}\n").table
    assert reason(do(game, table, cmd.CutCards(depth=depth), "Dealer")) is refused


@pytest.mark.parametrize("game", LIVE)
def test_cards_are_cut_before_the_first_one_leaves_the_shoe(game: str) -> None:
    """Hoiana 3.2.8: in mid-shoe there is nothing to cut."""
    lines = "burn forgotten\n" if game in HOIANA else ""
    lines += "patrons Ann at 1\nAnn: cuts at 100\nDealer: cuts at 200\n"
    before = told(game, f"{lines}Dealer: opens betting\n")
    assert before.refusals == ()
    after = told(
        game,
        f"{lines}Dealer: opens betting\nDealer: closes betting\nDealer: draws 9 2 K 5\nDealer: cuts at 100\n",
    )
    assert [(each.reason, (*each.clauses,)) for each in after.refusals] == [
        (Refusal.NOT_AWAITED, ("3.2.8",) if game in HOIANA else ())
    ]


@pytest.mark.parametrize("game", HOIANA)
def test_cards_are_not_cut_after_the_burn(game: str) -> None:
    """2.2.2: the burn removes cards prior to the first round, so the cut comes before it."""
    story = told(game, "patrons Ann at 1\nAnn: cuts at 100\n")
    assert reasons(story) == [Refusal.NOT_AWAITED]


@pytest.mark.parametrize("game", HOIANA)
def test_patron_burns_no_cards(game: str) -> None:
    """7.11: the Dealer burns the cards."""
    story = told(game, "burn forgotten\npatrons Ann at 1\nAnn: burns by 7\nDealer: burns by 7\n")
    assert reasons(story) == [Refusal.NOT_STAFF]
    assert len(happened(story, ev.CardsBurned)) == 1


@pytest.mark.parametrize("game", ALL)
@pytest.mark.parametrize(
    ("cards", "refused"),
    [
        (-1, Refusal.WRONG_NUMBER_OF_CARDS),
        (0, None),
        (1, None),
        (831, None),
        (832, None),
        (833, Refusal.WRONG_NUMBER_OF_CARDS),
    ],
)
def test_count_is_of_no_card_to_twice_the_set(game: str, cards: int, refused: Refusal | None) -> None:
    """Hoiana 3.2.3: the discard holder; more than two sets are no count of one."""
    table = told(game, "decks 8\n").table
    assert reason(do(game, table, cmd.CountCards(cards=cards), "Dealer")) is refused


@pytest.mark.parametrize("game", ALL)
@pytest.mark.parametrize(
    ("cards", "differs"), [(415, Situation.MISSING_CARD), (416, None), (417, Situation.EXTRA_CARD)]
)
def test_count_differs_by_one_card(game: str, cards: int, differs: Situation | None) -> None:
    """2.1, 5.1, 7.1: eight decks have 416 cards."""
    result = do(game, told(game, "decks 8\n").table, cmd.CountCards(cards=cards), "Dealer")
    assert isinstance(result, tuple)
    reported = [each.case.situation for each in result if isinstance(each, ev.IrregularityReported)]
    assert reported == ([differs] if differs else [])


def set_up(
    game: str,
    *,
    layout: str | None = None,
    positions: int = 0,
    decks: int = 8,
    at: datetime.datetime = NOW,
) -> object:
    book = SHIPPED.rulebook(game)
    setup = Setup(
        table="T",
        game=game,
        house=book.document.house,
        layout=layout,
        positions=positions,
        area=Area.MAIN_FLOOR,
        device=Device.CARD_READING,
        decks=decks,
        terminal=game == S6,
        face_down=False,
        automatic=(),
        limits=(),
        differential=0,
    )
    envelope = cmd.Envelope(actor="T", received_at=at, command_id="1")
    command = cmd.Command(cmd.SetUpTable(setup=setup), envelope)
    return decide(book, SHIPPED.house(book.document.house), None, command)


FIRST_LAYOUT = dict.fromkeys(MBS, ("A", 8)) | {S6: (None, 0), HC: ("3", 4), HN: ("1", 4)}
DECKS = [(3, True), (4, False), (5, False), (9, False), (10, False), (11, True)]


@pytest.mark.parametrize("game", ALL)
@pytest.mark.parametrize(("decks", "refused"), DECKS)
def test_table_takes_4_to_10_decks(game: str, decks: int, refused: bool) -> None:
    """2.1 of the four MBS documents; Hoiana says nothing, and the same range is assumed."""
    layout, positions = FIRST_LAYOUT[game]
    result = set_up(game, layout=layout, positions=positions, decks=decks)
    assert reason(result) is (Refusal.DECKS_NOT_PERMITTED if refused else None)


@pytest.mark.parametrize("game", ALL)
@pytest.mark.parametrize(("decks", "refused"), DECKS)
def test_shoe_takes_4_to_10_decks(game: str, decks: int, refused: bool) -> None:
    table = told(game, "shoe empty\n").table
    result = do(game, table, cmd.LoadShoe(decks=decks))
    assert reason(result) is (Refusal.DECKS_NOT_PERMITTED if refused else None)


# positions of the layouts, typed in from the appendices

POSITIONS = [
    *((N4, layout, 1, 8) for layout in "ABC"),
    (N4, "D", 1, 9),
    (N4, "E", 8, 16),
    *((N4, layout, 1, 6) for layout in "FG"),
    *((T3, layout, 1, 8) for layout in "ABCFG"),
    (T3, "D", 1, 9),
    (T3, "E", 8, 16),
    *((DT, layout, 1, 8) for layout in "ABCFGHIJK"),
    (DT, "D", 1, 9),
    (DT, "E", 8, 16),
    (HN, "1", 4, 4),
    (HN, "2", 6, 6),
    (HC, "3", 4, 4),
    (HC, "4", 6, 6),
]


@pytest.mark.parametrize(("game", "layout", "least", "most"), POSITIONS)
def test_layout_has_its_positions(game: str, layout: str, least: int, most: int) -> None:
    for positions in {least, least + 1, most - 1, most} & set(range(least, most + 1)):
        made = set_up(game, layout=layout, positions=positions)
        assert isinstance(made, tuple)
        (event,) = made
        drawn = [clause for clause in event.clauses if clause.startswith("App.")]
        assert drawn == (["App.A", f"App.A.{layout}"] if game in HOIANA else [f"App.{layout}"])
    for positions in (least - 1, most + 1):
        result = set_up(game, layout=layout, positions=positions)
        assert reason(result) is Refusal.POSITIONS_NOT_OFFERED


@pytest.mark.parametrize("game", LIVE)
def test_wager_lies_at_a_position_of_the_table(game: str) -> None:
    layout, most = FIRST_LAYOUT[game]
    table = told(game, f"layout {layout}\npatrons Ann at 1\nDealer: opens betting\n").table
    for position, refused in [
        (0, Refusal.UNKNOWN_POSITION),
        (1, None),
        (2, None),
        (most - 1, None),
        (most, None),
        (most + 1, Refusal.UNKNOWN_POSITION),
    ]:
        body = cmd.PlaceWager(patron="Ann", position=position, wager="player", amount=10000)
        assert reason(do(game, table, body, "Ann")) is refused


@pytest.mark.parametrize("game", MBS)
@pytest.mark.parametrize(("position", "clauses"), [(8, ()), (9, ("App.A",))])
def test_layout_is_cited_only_beyond_its_positions(
    game: str, position: int, clauses: tuple[str, ...]
) -> None:
    """Appendix A has up to eight positions; a table of it may have fewer."""
    story = told(
        game,
        f"layout A\npositions 7\npatrons Ann at 1\nDealer: opens betting\nAnn: 100 on player at {position}\n",
    )
    assert [(each.reason, (*each.clauses,)) for each in story.refusals] == [
        (Refusal.UNKNOWN_POSITION, clauses)
    ]


# who handles the cards


@pytest.mark.parametrize("game", MBS)
@pytest.mark.parametrize(
    ("found", "refused"),
    [(["Ann 500"], False), (["Ann 500", "Bob 499.99"], False), (["Ann 500", "Bob 500"], True)],
)
def test_ruling_is_needed_where_two_highest_wagers_have_no_order(
    game: str, found: list[str], refused: bool
) -> None:
    """N4 3.9.4.1, T3 and DT 3.10.4.1: the parameters cannot be met with two equal ones, never with one."""
    lines = "".join(f"Dealer with Pit Manager: finds {each} on player at 1\n" for each in found)
    story = told(
        game,
        "method A\nautomatic none\npatrons Ann at 1, Bob at 2\nDealer: opens betting\n"
        "Dealer: closes betting\n"
        f"{lines}Dealer: draws ? ? ? ?\nDealer: passes player to Ann\n",
    )
    assert reasons(story) == ([Refusal.NOT_AUTHORISED] if refused else [])


# credits at a terminal


@pytest.mark.parametrize(("amount", "refused"), [("99.99", False), ("100", False), ("100.01", True)])
def test_terminal_stakes_no_more_than_its_credits(amount: str, refused: bool) -> None:
    """Super Six 1.1.5: credits stand for chips at a terminal."""
    story = told(S6, f"patrons T1\nT1: buys 100 credits\nDealer: opens betting\nT1: {amount} on player\n")
    assert reasons(story) == ([Refusal.CREDITS_SHORT] if refused else [])


@pytest.mark.parametrize(
    ("amount", "refused"),
    [
        (-1, Refusal.STAKE_NOT_POSITIVE),
        (0, Refusal.STAKE_NOT_POSITIVE),
        (1, None),
        (9999, None),
        (10000, None),
        (10001, Refusal.CREDITS_SHORT),
    ],
)
def test_terminal_cashes_out_no_more_than_its_credits(amount: int, refused: Refusal | None) -> None:
    table = told(S6, "patrons T1\nT1: buys 100 credits\n").table
    assert reason(do(S6, table, cmd.CashOut(terminal="T1", amount=amount), "T1")) is refused


@pytest.mark.parametrize(
    ("amount", "refused"), [(-1, Refusal.STAKE_NOT_POSITIVE), (0, Refusal.STAKE_NOT_POSITIVE), (1, None)]
)
def test_terminal_buys_credits_above_nothing(amount: int, refused: Refusal | None) -> None:
    table = told(S6, "patrons T1\n").table
    assert reason(do(S6, table, cmd.BuyCredits(terminal="T1", amount=amount), "T1")) is refused


# posted limits


@pytest.mark.parametrize(
    ("minimum", "maximum", "differential", "posted"),
    [
        (0, 100, 0, False),
        (1, 100, 0, True),
        (99, 100, 0, True),
        (100, 100, 0, True),
        (101, 100, 0, False),
        (1, 100, -1, False),
        (1, 100, 1, True),
    ],
)
def test_table_opens_with_posted_limits(minimum: int, maximum: int, differential: int, posted: bool) -> None:
    """3.5.1: between the two posted amounts."""
    table = told(T3, "table shut\nshoe empty\n").table
    limits = tuple(PostedLimit(each.wager, minimum, maximum) for each in table.setup.limits)
    table = replace(table, setup=replace(table.setup, limits=limits, differential=differential))
    assert reason(do(T3, table, cmd.OpenTable())) is (None if posted else Refusal.LIMITS_NOT_POSTED)


# instants

SECOND = datetime.timedelta(seconds=1)
IN_FORCE = {
    N4: "2020-01-23T00:00:00+08:00",
    T3: "2022-03-09T00:00:00+08:00",
    DT: "2023-12-07T00:00:00+08:00",
    S6: "2017-02-17T00:00:00+08:00",
    HC: "2024-10-01T00:00:00+07:00",
    HN: "2024-10-01T00:00:00+07:00",
}


@pytest.mark.parametrize("game", ALL)
def test_document_is_in_force_from_its_first_instant(game: str) -> None:
    """The front pages: with effect from; Dragon Tiger from 00:00 hrs."""
    document = SHIPPED.document(game.partition("/")[0])
    begins = datetime.datetime.fromisoformat(IN_FORCE[game])
    layout, positions = FIRST_LAYOUT[game]
    assert reason(may_open(document, begins - SECOND)) is Refusal.NOT_YET_IN_FORCE
    for at in (begins, begins + SECOND):
        assert may_open(document, at) is None
        assert reason(set_up(game, layout=layout, positions=positions, at=at)) is None


@pytest.mark.parametrize(
    ("start", "end", "acts"),
    [(1, 2, False), (0, 1, True), (-1, 1, True), (-2, 0, False), (-2, 1, True)],
    ids=["begins later", "begins now", "has begun", "ends now", "ends later"],
)
def test_acting_begins_with_its_first_instant_and_ends_before_its_last(
    start: int, end: int, acts: bool
) -> None:
    """6.2: whoever is appointed acts until the appointment ends."""
    table = told(T3, "patrons Ann at 1\n").table
    appointed = ev.ActingAppointed(
        person="Eve",
        post=SHIPPED.house("marina-bay-sands").form.posts[2],
        start=NOW + start * SECOND,
        end=NOW + end * SECOND,
        clauses=(),
    )
    result = do(T3, apply(table, appointed), cmd.LimitOwners(most=2), "Eve")
    assert reason(result) is (None if acts else Refusal.NOT_AUTHORISED)


@pytest.mark.parametrize(("wager", "raised"), [("banker", True), ("player", False), ("tie", False)])
def test_only_the_lighter_hand_is_raised_while_the_differential_is_exceeded(wager: str, raised: bool) -> None:
    """MBS 5.4, 5.18.2: after the closing call nothing goes up but wagers on the hand that has less."""
    story = told(
        T3,
        "differential 500\nside 10 1000\npatrons Ann at 1, Bob at 2\nDealer: opens betting\n"
        f"Ann: 900 on player at 1\nBob: 100 on {wager} at 2\nAnn: 100 on banker at 1\n"
        f"Dealer: closes betting\nDealer: asks to decrease\nBob: 20 on {wager} at 2\n",
    )
    stakes = [each.stake for each in story.table.wagers if each.patron == "Bob"]
    assert stakes == [12000 if raised else 10000]
