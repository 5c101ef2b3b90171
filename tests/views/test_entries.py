"""Entries of staff beside the next step: the section has them where the engine takes them, and not else."""

import datetime

import pytest
from folds.stories import HOIANA, SUPER_SIX, Story, tell

from thirdcard.game import commands as cmd
from thirdcard.game.alarm_kinds import AlarmKind
from thirdcard.game.decide import decide
from thirdcard.game.desk import QueryDesk
from thirdcard.game.state import Hand
from thirdcard.messages import say
from thirdcard.refusals import Refused
from thirdcard.rulebook.facts import Winner
from thirdcard.rulebook.irregularity import Situation
from thirdcard.views.questions import Required, ToldFacts, lead
from thirdcard.views.sections.staff import EntriesSection, OpensFirst, SaidTotals, WagerEntry

NOW = datetime.datetime(2026, 11, 16, 20, tzinfo=datetime.UTC)
DRAGON = "mbs-dragon-tiger-nc-2023"
SEATS = "automatic expose\npatrons Ann at 1, Bob at 2\nDealer: opens betting\n"
WAGERS = SEATS + "Ann: 200 on player at 1\nBob: 100 on banker at 2\n"
CLOSED = WAGERS + "Dealer: closes betting\n"
SETTLED = CLOSED + "Dealer: draws 9 2 K 5\nDealer: calls player\n"
METHOD_A = "method A\n" + SEATS + "Ann: 200 on player at 1\nBob: 100 on tie at 2\nDealer: closes betting\n"
METHOD_C = "device card-reading\narea high-limit\nmethod C\n" + SEATS


def entries(lines: str, game: str = "mbs-tiger-v3") -> EntriesSection:
    found = tell(lines, game).staff.entries
    assert found is not None
    return found


def taken(story: Story, body: cmd.Body) -> bool:
    """Whether the engine takes a command of the Dealer with the Pit Manager."""
    sources = story.watch.sources(story.table)
    envelope = cmd.Envelope(
        actor="Dealer",
        received_at=NOW,
        command_id="1",
        authoriser="Pit Manager",
    )
    return not isinstance(
        decide(sources.rulebook, sources.house, story.table, cmd.Command(body, envelope)), Refused
    )


# the closing call


def test_closing_call_can_be_made_after_the_first_card() -> None:
    """Clauses 3.2 and 6.1, also while the post decides."""
    story = tell(WAGERS + "Dealer: draws 9\n")
    found = story.staff.entries
    assert found is not None
    assert found.late_call is not None
    assert (found.late_call.calls, found.late_call.clause) == (("call.no-more-bets",), "3.2")
    assert taken(story, cmd.CloseBetting())
    called = entries(WAGERS + "Dealer: draws 9\nDealer: closes betting\n")
    assert called.late_call is None


@pytest.mark.parametrize(
    "lines", [WAGERS, CLOSED, WAGERS + "Dealer: draws 9\nDealer: pauses the table because so\n"]
)
def test_no_late_call_in_time_nor_while_paused(lines: str) -> None:
    assert entries(lines).late_call is None


# wagers


@pytest.mark.parametrize(
    ("lines", "patrons"),
    [
        (WAGERS, []),
        (CLOSED, ["Ann", "Bob"]),
        (CLOSED + "Dealer: draws 9 2\n", ["Ann", "Bob"]),
        (SETTLED, ["Ann", "Bob"]),
        (SETTLED + "Dealer: draws 3 to banker\n", []),
        (SETTLED + "Dealer: opens betting\n", []),
        (CLOSED + "Dealer: pauses the table because so\n", []),
        (CLOSED + "Dealer: holds player of Ann at 1 as suspected\n", ["Bob"]),
        (CLOSED + "Dealer: reports late-wager of Bob amount 50 on banker at 2\n", ["Ann", "Bob"]),
    ],
)
def test_wagers_whose_entry_can_be_corrected(lines: str, patrons: list[str]) -> None:
    story = tell(lines)
    found = story.staff.entries
    assert found is not None
    assert [each.patron for each in found.correctable] == patrons
    first = cmd.CorrectWager(
        reason="seen on the felt", patron="Ann", wager="player", position=1, amount=10000
    )
    assert taken(story, first) is ("Ann" in patrons)
    for each in found.correctable:
        body = cmd.CorrectWager(
            reason="seen on the felt",
            patron=each.patron,
            wager=each.wager,
            position=each.position,
            amount=each.amount,
        )
        assert taken(story, body)


def test_wager_of_an_open_case_is_not_corrected() -> None:
    """Clause 5.4 at Hoiana waits for nobody; where a post decides about a wager, it decides alone."""
    lines = WAGERS + "Dealer: draws 9\nDealer: reports late-wager of Ann amount 50 on player at 1\n"
    assert [each.patron for each in entries(lines).correctable] == ["Bob"]


def test_terminal_has_what_was_entered_there() -> None:
    lines = "patrons Ann\nAnn: buys 1000 credits\nDealer: opens betting\nAnn: 100 on player\n"
    lines += "Dealer: closes betting\n"
    found = entries(lines, SUPER_SIX)
    assert (found.correctable, found.pulled) == ((), ())


@pytest.mark.parametrize(
    ("lines", "can_be"),
    [
        (WAGERS, False),
        (CLOSED, True),
        (CLOSED + "Dealer: draws 9 2\n", True),
        (SETTLED, True),
        (SETTLED + "Dealer: draws 3 to banker\n", False),
        (SETTLED + "Dealer: opens betting\n", False),
        (CLOSED + "Dealer: pauses the table because so\n", False),
    ],
)
def test_wager_that_was_overlooked(lines: str, can_be: bool) -> None:
    story = tell(lines)
    found = story.staff.entries
    assert found is not None
    assert found.overlooked is can_be
    assert (
        taken(
            story,
            cmd.FindWager(reason="seen on the felt", patron="Ann", wager="tie", position=1, amount=5000),
        )
        is can_be
    )


def test_chips_that_were_booked_as_pulled_and_lost() -> None:
    found = entries(CLOSED + "Bob: takes 50 off banker at 2\nDealer: draws 9 2 K 5\n")
    assert [(each.patron, each.pulled) for each in found.pulled] == [("Bob", 5000)]


def test_chips_that_were_booked_as_pulled() -> None:
    found = entries(CLOSED + "Ann: takes 50 off player at 1\n")
    assert found.pulled == (WagerEntry(patron="Ann", wager="player", position=1, amount=15000, pulled=5000),)
    assert entries(CLOSED).pulled == ()


def test_all_kinds_are_lowered_while_betting_is_open() -> None:
    assert set(entries(WAGERS).lowered) >= {"player", "banker", "tie"}
    assert entries(CLOSED).lowered == ()
    assert entries(CLOSED).raised == {}


def test_differential_lets_patrons_lower_and_raise_once_they_were_asked() -> None:
    """Clauses 5.18.1 and 5.18.2."""
    lines = "differential 1000\n" + SEATS + "Ann: 3000 on player at 1\nBob: 100 on banker at 2\n"
    lines += "Bob: 50 on tie at 2\nDealer: closes betting\n"
    assert (entries(lines).lowered, entries(lines).raised) == ((), {})
    asked = entries(lines + "Dealer: asks to decrease\n")
    assert (asked.lowered, asked.raised) == (("player",), {"Bob": ("banker",)})


def test_wagers_that_can_be_held_lie_there_or_are_being_paid() -> None:
    def patrons(lines: str, game: str = "mbs-tiger-v3") -> list[str]:
        found = tell(lines, game).staff.wagers
        assert found is not None
        return [each.patron for each in found.to_hold]

    assert patrons(WAGERS) == ["Ann", "Bob"]
    assert patrons(SETTLED) == ["Ann", "Bob"]
    assert patrons(SEATS + "Dealer: closes betting\nDealer: draws 9 2 K 5\nDealer: calls player\n") == []
    assert patrons("patrons Ann\n", SUPER_SIX) == []


# hands


def test_hand_that_nobody_backs_can_be_given_to_anybody_here() -> None:
    """Clause 3.10.4.1."""
    dealt = METHOD_A + "Dealer: draws ? ? ? ?\n"
    assert entries(METHOD_A + "Dealer: draws ? ? ?\n", DRAGON).hands == ()
    (banker,) = entries(dealt, DRAGON).hands
    assert (banker.hand, banker.patrons) == (Hand.BANKER, ("Ann", "Bob"))
    assert (banker.post, banker.clause) == ("pit-supervisor", "3.10.4.1")
    assert entries(dealt + "Pit Supervisor: chooses Bob for banker\n", DRAGON).hands == ()
    assert entries(dealt + "Dealer: pauses the table because so\n", DRAGON).hands == ()
    assert entries(CLOSED, DRAGON).hands == ()


def test_of_equal_wagers_only_those_who_back_the_hand_are_offered() -> None:
    """Clause 3.10.4.1: the order of two wagers of the same amount is not known."""
    lines = (
        "method A\nautomatic expose\npatrons Ann at 1, Bob at 2, Cy at 3\nDealer: opens betting\n"
        "Ann: 100 on player at 1\nCy: 100 on banker at 3\nDealer: closes betting\n"
        "Dealer with Pit Manager: finds Bob 100 on player at 2\nDealer: draws ? ? ? ?\n"
    )
    (player,) = entries(lines, DRAGON).hands
    assert (player.hand, player.patrons) == (Hand.PLAYER, ("Ann", "Bob"))


def test_those_may_draw_who_have_a_wager_or_are_permitted() -> None:
    lines = METHOD_C + "Ann: 100 on tie at 1\n"
    assert entries(lines, DRAGON).drawers == ("Ann",)
    assert entries(lines + "Assistant Casino Manager: permits Bob to draw\n", DRAGON).drawers == (
        "Ann",
        "Bob",
    )
    assert entries(lines + "Ann: takes the device\n", DRAGON).drawers == ()
    assert entries(WAGERS, DRAGON).drawers == ()


@pytest.mark.parametrize(
    ("lines", "game", "found"),
    [
        ("face-down\n" + WAGERS, HOIANA, ("request", "forbid")),
        (WAGERS, HOIANA, ("forbid",)),
        ("face-down\n" + CLOSED + "Dealer: draws ?\n", HOIANA, ("forbid",)),
        (METHOD_A, DRAGON, ("permit",)),
        (WAGERS, DRAGON, ()),
        (SETTLED, HOIANA, ()),
        ("patrons Ann\n", SUPER_SIX, ()),
    ],
)
def test_what_can_be_said_about_squeezing(lines: str, game: str, found: tuple[str, ...]) -> None:
    assert entries(lines, game).squeezing == found


def test_hand_that_nobody_took_along_is_opened_before_the_cards_are_sorted() -> None:
    """Clause 5.11.2: nobody knows the faces that Ann took along, and those of Banker lie there."""
    lines = METHOD_A + "Dealer: draws ? ? ? ?\nDealer: reports patron-left-with-cards of Ann, value unknown\n"
    reserved = lines + "Gaming Shift Manager: reserves 9D 6C\n"
    opened = reserved + "Dealer: opens banker KD 2H\n"

    def first(told: str) -> OpensFirst | None:
        desk = tell(told, DRAGON).staff.desk
        assert desk is not None
        return desk.opens_first

    assert first(lines) is None
    assert first(reserved) == OpensFirst(Hand.BANKER, None, 2)
    assert first(opened) is None


# calls and cards


def test_totals_are_announced_once_when_four_cards_lie_open() -> None:
    dealt = CLOSED + "Dealer: draws 2 2 3 3\n"
    assert entries(CLOSED + "Dealer: draws 2 2 3\n").totals is None
    assert entries(dealt).totals == SaidTotals(player=5, banker=5)
    assert entries(dealt + "Dealer: announces 5 to 5\n").totals is None
    assert entries(METHOD_A + "Dealer: draws ? ? ? ?\n", DRAGON).totals is None


def test_cutting_card_comes_once_in_a_shoe() -> None:
    assert not entries("patrons Ann at 1\n").cutting_card
    assert entries(WAGERS).cutting_card
    assert not entries(CLOSED + "Dealer: draws 9\nDealer: sees the cutting card\n").cutting_card
    assert not entries(CLOSED + "Dealer: pauses the table because so\n").cutting_card


def test_device_that_reads_cards_shows_a_result() -> None:
    read = "device card-reading\n" + SETTLED
    assert entries(read).device_result
    assert taken(tell(read), cmd.ReportDeviceResult(winner=Winner.BANKER))
    assert not entries(SETTLED).device_result
    assert not entries("device card-reading\n" + CLOSED).device_result


def test_alarms_are_about_the_cards_and_what_reads_them() -> None:
    assert entries(CLOSED).alarms == (AlarmKind.NEW_DECK_ORDER,)
    assert AlarmKind.READER_SILENT in entries("device card-reading\n" + CLOSED).alarms


# decisions


def words(lines: str, game: str = "mbs-tiger-v3") -> dict[str, str]:
    """The decisions of the post in the case that is dealt with, in words."""
    desk = tell(lines, game).staff.desk
    assert desk is not None
    (case,) = [each for each in desk.cases if each.current]
    assert tuple(case.words) == case.choices
    return {choice: say(message) for choice, message in case.words.items()}


def test_case_without_cards_burns_the_next_one() -> None:
    found = words(CLOSED + "Dealer: draws 2 3\nDealer: reports not-covered because so\n")
    assert found["burn-card"] == "the next card of the dealing device is burned"
    assert "play-card" not in found


def test_case_with_a_card_speaks_of_it() -> None:
    found = words(SETTLED + "Dealer: draws 3 to banker\n")
    assert found["burn-card"] == "the card is burned"


def test_case_with_several_cards_speaks_of_all() -> None:
    found = words(CLOSED + "Dealer: draws 9 2 K 5\nDealer: draws 3 4 together, order known\n")
    assert found["burn-card"] == "the cards are burned"


def test_what_is_required_offers_only_what_the_case_can_do() -> None:
    """Clause 5.12 leaves a card to the post; where none was seen, there is none to keep or to burn."""
    story = tell(CLOSED + "Dealer: draws 2 3\n")
    sources = story.watch.sources(story.table)
    desk = QueryDesk(sources.rulebook, sources.house, sources.table)
    found = lead(desk, ToldFacts(situation=Situation.NOT_COVERED), by="Dealer", at=NOW)
    assert isinstance(found, Required)
    (step,) = found.steps
    said = dict(zip(step.choices, map(say, step.words), strict=True))
    assert said["burn-card"] == "the next card of the dealing device is burned"
    assert not {"play-card", "keep-as-next-card"} & {*step.choices}


# what a patron can say about a decision

DECIDED = (
    "as no citing game-rules, operating-procedures, law lacking accounts-of-both-parties (none), "
    "surveillance-evidence (none), other-evidence (none)\n"
)
TOLD = "Pit Manager: explains the right to complain in dispute 1\n"
ESCALATED = (
    "patrons Ann at 1\nAnn: disputes that\nPit Supervisor: escalates dispute 1\n"
    "Pit Manager: informs surveillance of dispute 1\n"
    "Pit Manager: gathers for dispute 1 from Ann that it was so\n"
    "Pit Manager: decides dispute 1 " + DECIDED
)
FIRST_LEVEL = "patrons Ann at 1\nAnn: disputes that\nPit Supervisor: decides dispute 1 " + DECIDED


@pytest.mark.parametrize(
    ("lines", "may_answer", "may_complain"),
    [
        ("patrons Ann at 1\nAnn: disputes that\n", False, False),
        (ESCALATED, True, False),
        (ESCALATED + TOLD, True, True),
        (ESCALATED + "Ann: disagrees with dispute 1\n" + TOLD, False, True),
        (FIRST_LEVEL + TOLD, True, False),  # what the first level has not resolved is escalated
    ],
)
def test_patron_is_offered_what_can_be_said(lines: str, may_answer: bool, may_complain: bool) -> None:
    (dispute,) = tell(lines).own("Ann").disputes
    assert (dispute.may_answer, dispute.may_complain) == (may_answer, may_complain)
