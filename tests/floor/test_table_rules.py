"""The rules that join the floor and a table, as values."""

import datetime
import typing

import pytest
from access.matrices import bodies
from floor.test_floor import SETUP
from msgspec.structs import replace

from thirdcard.clauses import Clause
from thirdcard.floor import commands as floor_cmd
from thirdcard.floor.state import Disabled, Floor, Proposal, TableDefinition
from thirdcard.floor.table_rules import (
    SessionChange,
    coming_rulebook,
    pending_change,
    refuse_alone_elsewhere,
    refuse_new_round,
    refuse_proposal,
    refuse_session,
)
from thirdcard.game import commands as cmd
from thirdcard.game.desk import QueryDesk
from thirdcard.game.money_state import CreditRequest, UnseenMoney
from thirdcard.game.planned import change_of
from thirdcard.game.state import Balance, HeldMoney, Phase, PlacedWager, Table
from thirdcard.game.table_setup import Setup
from thirdcard.messages import say
from thirdcard.refusals import Refusal
from thirdcard.roundfile.parse import parse
from thirdcard.roundfile.play import play
from thirdcard.rulebook.house import MoneyAct
from thirdcard.rulebook.shelf import SHIPPED, Shelf

ALL = Floor(disabled=(Disabled(None, "Max", "fire"),))
ONE = Floor(disabled=(Disabled("T1", "Max", "damp"),))


def test_only_commands_that_begin_a_round_are_refused_at_a_disabled_table() -> None:
    tried = bodies("d", "dealer", "Ann")
    assert {type(body) for body in tried} == {*typing.get_args(cmd.Body)}
    refused = {type(body) for body in tried if refuse_new_round(ALL, "T1", body)}
    assert refused == {cmd.OpenBetting, cmd.DealFreeHand}


def test_the_reason_of_disabling_is_said() -> None:
    refused = refuse_new_round(ONE, "T1", cmd.OpenBetting())
    assert refused is not None
    assert refused.reason is Refusal.TABLE_DISABLED
    assert "damp" in say(refused.message)


def test_a_table_begins_rounds_while_another_one_is_disabled() -> None:
    assert refuse_new_round(ONE, "T2", cmd.OpenBetting()) is None
    assert refuse_new_round(Floor(), "T1", cmd.OpenBetting()) is None


CLOSE = floor_cmd.ClosePatronSession(terminal="E1")
ENROL = floor_cmd.EnrolTerminal(
    terminal="E1", table="T1", code="c", code_ends=datetime.datetime(2026, 1, 1, tzinfo=datetime.UTC)
)


OPEN = floor_cmd.OpenPatronSession(terminal="E1", patron="Ann")


@pytest.mark.parametrize("body", [CLOSE, ENROL, OPEN])
def test_a_session_changes_once_neither_credits_nor_wagers_are_left(
    body: SessionChange,
) -> None:
    setup = replace(SETUP, training=False)
    table = Table(setup=setup, method=None, owners_per_area=None)
    ann = replace(table, credits=(Balance("Ann", 1),))
    lying = PlacedWager(id=1, patron="Ben", position=None, wager="player", stake=100, order=1)
    ben = replace(table, wagers=(lying,), credits=(Balance("Ben", 0),))
    assert refuse_session(table, "Ann", body) is None
    for place, patron, other in ((ann, "Ann", "Ben"), (ben, "Ben", "Ann")):
        refused = refuse_session(place, patron, body)
        assert refused is not None
        assert refused.reason is Refusal.CREDITS_REMAIN
        assert refuse_session(place, other, body) is None


def test_a_terminal_for_training_gets_another_session_at_any_time() -> None:
    setup = replace(SETUP, training=True)
    ann = Table(setup=setup, method=None, owners_per_area=None, credits=(Balance("Ann", 1),))
    assert refuse_session(ann, "Ann", ENROL) is None
    assert refuse_session(ann, "Ann", OPEN) is None
    assert refuse_session(ann, "Ann", CLOSE) is not None


LIMIT = 500_000  # what one person moves alone at Marina Bay Sands, in cents
HOUSE = SHIPPED.house("marina-bay-sands")
MBS = replace(SETUP, house=HOUSE.id, training=False)


def moved(amount: int, by: str = "Tom", act: MoneyAct = MoneyAct.BUY_IN, second: str | None = None) -> Table:
    """A table at which somebody has moved credits that nobody else has acknowledged."""
    unseen = (UnseenMoney(1, act, by, second, "Ann", amount),)
    return Table(setup=MBS, method=None, owners_per_area=None, unseen=unseen)


def refused_alone(amount: int, others: tuple[Table, ...], here: Table | None = None) -> bool:
    body = cmd.BuyCredits(terminal="Ann", amount=amount)
    found = refuse_alone_elsewhere(
        SHIPPED.house("marina-bay-sands"), here or moved(0, by="Mia"), others, body, "Tom"
    )
    assert found is None or found.reason is Refusal.SECOND_PERSON_NEEDED
    return found is not None


def test_credits_that_one_person_moves_count_at_all_tables_together() -> None:
    """Ten tables do not let one person move ten times as much."""
    assert refused_alone(1, (moved(LIMIT),))
    assert refused_alone(100_001, (moved(300_000),), here=moved(100_000))
    assert not refused_alone(100_000, (moved(300_000),), here=moved(100_000))


@pytest.mark.parametrize(
    "other",
    [
        moved(LIMIT, by="Mia"),
        moved(LIMIT, second="Mia"),
        moved(LIMIT, act=MoneyAct.CASH_OUT),
        replace(moved(LIMIT), setup=replace(MBS, training=True)),
        replace(moved(LIMIT), setup=replace(MBS, house="hoiana")),
    ],
)
def test_credits_of_others_or_of_another_kind_do_not_count(other: Table) -> None:
    assert not refused_alone(LIMIT, (other,))


def test_a_cash_out_that_a_patron_is_to_confirm_counts_at_other_tables() -> None:
    request = CreditRequest(1, MoneyAct.CASH_OUT, "Ann", LIMIT, "Tom", None, "")
    asked = Table(setup=MBS, method=None, owners_per_area=None, credit_requests=(request,))
    body = cmd.CashOut(terminal="Bob", amount=1)
    here = moved(0, by="Mia")
    assert refuse_alone_elsewhere(HOUSE, here, (asked,), body, "Tom") is not None
    assert refuse_alone_elsewhere(HOUSE, here, (asked,), body, "Bob") is None  # the patron in person
    training = replace(here, setup=replace(MBS, training=True))
    assert refuse_alone_elsewhere(HOUSE, training, (asked,), body, "Tom") is None


# definitions that a game allows, and those that a table does not have yet

NOW = datetime.datetime(2026, 11, 18, 20, tzinfo=datetime.UTC)
TIGER = "mbs-tiger-v3"


def tiger() -> Table:
    """A table of Tiger Baccarat between rounds."""
    book = SHIPPED.rulebook(TIGER)
    return play(parse(f"game {TIGER}\npatrons Ann"), book, SHIPPED.house(book.document.house)).table


def desk_of(table: Table) -> QueryDesk:
    return QueryDesk(SHIPPED.rulebook(TIGER), SHIPPED.house("marina-bay-sands"), table)


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"decks": 99}, Refusal.DECKS_NOT_PERMITTED),
        ({"positions": 99}, Refusal.POSITIONS_NOT_OFFERED),
        ({"limits": ()}, Refusal.LIMITS_NOT_POSTED),
        ({"game": "faro"}, Refusal.NO_RULEBOOK_IN_FORCE),
        ({"house": "nowhere"}, Refusal.NO_RULEBOOK_IN_FORCE),
    ],
)
def test_a_table_that_its_game_forbids_is_neither_proposed_nor_approved(
    changes: dict[str, object], reason: Refusal
) -> None:
    unfit = TableDefinition(setup=replace(tiger().setup, **changes))
    floor = Floor(proposals=(Proposal(1, "Max", unfit),))
    for body in (floor_cmd.ProposeTable(definition=unfit), floor_cmd.ApproveProposal(id=1)):
        refused = refuse_proposal(SHIPPED, floor, body, NOW)
        assert refused is not None
        assert refused.reason is reason
    assert refuse_proposal(SHIPPED, floor, floor_cmd.ApproveProposal(id=2), NOW) is None
    fit = floor_cmd.ProposeTable(definition=TableDefinition(setup=tiger().setup))
    assert refuse_proposal(SHIPPED, floor, fit, NOW) is None


def raised(setup: Setup) -> Setup:
    first, *others = setup.limits
    return replace(setup, limits=(replace(first, minimum=first.minimum * 2), *others))


def test_the_next_version_of_a_rulebook_comes_with_the_clauses_that_it_changes() -> None:
    own = replace(SHIPPED.document(TIGER), id="own")
    known, new = Clause("4.1"), Clause("9.9")
    line = replace(own.clauses[known], says="Tie pays 9 to 1.")
    later = replace(own, in_force=NOW, clauses={**own.clauses, known: line, new: line})
    found = coming_rulebook(Shelf([own, later]), own)
    assert found is not None
    assert found.in_force == round(NOW.timestamp() * 1_000_000)
    assert [(each.clause, each.says) for each in found.clauses] == [
        (known, "Tie pays 9 to 1."),
        (new, "Tie pays 9 to 1."),
    ]
    assert coming_rulebook(Shelf([own, later]), later) is None
    assert coming_rulebook(SHIPPED, own) is None


def test_other_limits_wait_for_the_next_round() -> None:
    table = tiger()
    setup = replace(raised(table.setup), differential=5_000, decks=6)
    planned = replace(table, change=change_of(setup))
    pending = pending_change(SHIPPED, TableDefinition(setup=setup), desk_of(planned), NOW)
    assert (pending.anew, pending.why_not) == (False, None)
    assert [each.wager for each in pending.limits] == [setup.limits[0].wager]
    assert (pending.differential, pending.decks, pending.positions) == (5_000, 6, None)


def test_other_limits_that_a_table_cannot_have_say_why() -> None:
    table = tiger()
    pending = pending_change(
        SHIPPED, TableDefinition(setup=replace(table.setup, decks=99)), desk_of(table), NOW
    )
    assert pending.why_not is not None
    assert pending.why_not.reason is Refusal.DECKS_NOT_PERMITTED


def test_other_positions_wait_until_the_table_is_closed_and_owes_nobody() -> None:
    table = tiger()
    definition = TableDefinition(setup=replace(table.setup, positions=table.setup.positions - 1))
    pending = pending_change(SHIPPED, definition, desk_of(table), NOW)
    assert (pending.anew, pending.positions, pending.why_not) == (True, definition.setup.positions, None)
    shut = replace(table, phase=Phase.SHUT)
    owing = replace(shut, credits=(Balance("Ann", 1),))
    held = replace(shut, held=(HeldMoney(1, "Ann", 100, 1),))
    for closed, reason in (
        (shut, None),
        (owing, Refusal.CREDITS_REMAIN),
        (held, Refusal.MONEY_IS_HELD),
    ):
        found = pending_change(SHIPPED, definition, desk_of(closed), NOW)
        assert (found.why_not.reason if found.why_not else None) is reason
