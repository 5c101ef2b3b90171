"""Tables with a trainer: every strike at every point of a round, and trainees who see it and who do not."""

import random

import pytest
from lengths import sized
from trainees import call_if_due, do_step

from thirdcard.game import commands as cmd
from thirdcard.game.state import Phase
from thirdcard.roundfile.actions import bodies_of
from thirdcard.rulebook.irregularity import Situation
from thirdcard.rulebook.shelf import SHIPPED
from thirdcard.staff import Post
from thirdcard.training.faults import FAULTS, FaultWriter, NoFault
from thirdcard.training.grade import Aspect, Grade
from thirdcard.training.led_session import (
    MOST_STRIKES,
    MOST_TRAINING_ROUNDS,
    LedSession,
    StrikeState,
    TableKind,
    WhyNoStrike,
    kinds_at,
)

TIGER = "mbs-tiger-v3"
HOIANA = "hoiana-tiger-2024/commission"
TERMINALS = "mbs-super-six-etg-v3"
TABLES = [(each.id, kind) for each in SHIPPED.rulebooks for kind in kinds_at(each)]
# what can never happen at a table: no cards in the hands of patrons, no chips, nothing that is burned
NEVER = {
    TERMINALS: {"late-chip", "left-with-cards", "differential", "forgotten-burn"},
    **{
        each.id: {"forgotten-burn"}
        for each in SHIPPED.rulebooks
        if each.id.startswith("mbs") and each.id != TERMINALS
    },
}


def opened(game: str = TIGER, kind: TableKind = TableKind.BY_DEALER, seed: int = 5) -> LedSession:
    rulebook = SHIPPED.rulebook(game)
    house = SHIPPED.house(rulebook.document.house)
    return LedSession(rulebook, house, kind, seed=seed, clock=lambda: 0.0)


def go_on(led: LedSession, steps: int = 1) -> None:
    """Do so many things in the right way."""
    for _ in range(steps):
        if not led.over and not call_if_due(led):
            do_step(led)


def until(led: LedSession, phase: Phase) -> LedSession:
    """Deal until the table is so far."""
    while led.table.phase is not phase:
        go_on(led)
    return led


def until_seen(led: LedSession) -> None:
    """Deal until the last strike is to be handled."""
    while led.state_of(led.strikes[-1]) is StrikeState.COMING:
        go_on(led)


def until_handled(led: LedSession) -> None:
    """Deal until the last strike is handled."""
    while led.state_of(led.strikes[-1]) in (StrikeState.COMING, StrikeState.OPEN):
        go_on(led)


def do(led: LedSession, line: str) -> None:
    for body in bodies_of(line, led.name, led.rehearsal.house.currency) or ():
        led.send(body)


def wrong(grade: Grade) -> set[Aspect]:
    return {aspect for aspect, right in grade.aspects.items() if not right}


def said(led: LedSession) -> list[str]:
    return [each.said() for each in led.acts()]


@pytest.mark.parametrize(("game", "kind"), TABLES)
@pytest.mark.parametrize("fault", FAULTS)
def test_expert_handles_every_strike_at_every_point_of_a_round(
    game: str, kind: TableKind, fault: str
) -> None:
    phases = set()
    for steps in range(0, 16, sized(5, 1)):
        led = opened(game, kind, seed=steps)
        go_on(led, steps)
        phases.add(led.table.phase)
        if led.strike(fault, "Grace") is None:
            until_handled(led)
            assert led.state_of(led.strikes[-1]) is StrikeState.HANDLED
        until(led, Phase.IDLE)
        go_on(led, 3)  # and play goes on
        assert led.grade().passed, (steps, [each.what for each in led.grade().findings if not each.right])
    assert phases >= {Phase.IDLE, Phase.DEALING}


@pytest.mark.parametrize(("game", "kind"), TABLES)
@pytest.mark.parametrize("fault", FAULTS)
def test_nothing_is_told_of_a_strike_that_is_still_to_come(game: str, kind: TableKind, fault: str) -> None:
    for steps in range(14):
        led = opened(game, kind)
        go_on(led, steps)
        said(led)
        if led.strike(fault, "Grace") is None and led.state_of(led.strikes[-1]) is StrikeState.COMING:
            assert [each for each in said(led) if each != "Ann may squeeze."] == [], steps


@pytest.mark.parametrize(("game", "kind"), TABLES)
def test_each_strike_can_come_before_a_round_where_it_can_come_at_all(game: str, kind: TableKind) -> None:
    led = opened(game, kind)
    never = NEVER.get(game, set()) | ({"left-with-cards"} if kind is TableKind.BY_DEALER else set())
    assert led.table.phase is Phase.IDLE
    assert {fault: led.why_not(fault) for fault in FAULTS} == {
        fault: WhyNoStrike.NOT_HERE if fault in never else None for fault in FAULTS
    }


def test_strike_comes_in_the_same_round_or_waits_for_another_one() -> None:
    led = until(opened(), Phase.OUTCOME)
    late = {fault for fault in FAULTS if led.why_not(fault) is WhyNoStrike.TOO_LATE}
    assert late == {"wrong-hand", "together", "late-chip", "differential"}
    assert led.strike("late-chip", "Grace") is WhyNoStrike.TOO_LATE
    assert led.strikes == []
    until(led, Phase.IDLE)
    assert led.strike("late-chip", "Grace") is None


@pytest.mark.parametrize(
    ("fault", "game", "kind", "missed"),
    [
        ("wrong-hand", TIGER, TableKind.BY_DEALER, {Aspect.SITUATION}),
        ("late-chip", TIGER, TableKind.BY_DEALER, set()),  # it is entered, and the table knows the rule
        ("wrong-call", TIGER, TableKind.BY_DEALER, set()),
        ("power-failure", TIGER, TableKind.BY_DEALER, {Aspect.SITUATION}),
        ("together", TIGER, TableKind.BY_DEALER, {Aspect.SITUATION, Aspect.POST}),  # 5.8: somebody confirms
        ("left-with-cards", TIGER, TableKind.BY_PATRONS, {Aspect.SITUATION}),
        ("wrong-hand", HOIANA, TableKind.BY_DEALER, {Aspect.SITUATION, Aspect.POST}),  # somebody permits
        ("power-failure", HOIANA, TableKind.BY_DEALER, {Aspect.SITUATION, Aspect.POST}),
        ("differential", TIGER, TableKind.BY_DEALER, set()),
    ],
)
def test_novice_who_does_nothing_fails_where_the_strike_asks_for_something(
    fault: str, game: str, kind: TableKind, missed: set[Aspect]
) -> None:
    led = until(opened(game, kind, seed=2), Phase.BETTING)
    assert led.strike(fault, "Grace") is None
    until_seen(led)
    assert wrong(led.grade()) == {Aspect.NOTICED, Aspect.CARRIED_OUT, Aspect.TIME} | missed
    assert led.state_of(led.strikes[0]) is StrikeState.MISSED


def test_burn_that_nobody_misses_is_not_noticed() -> None:
    led = opened(HOIANA)
    assert led.strike("forgotten-burn", "Grace") is None
    assert "A colleague takes your place for a moment" in " ".join(said(led))
    assert led.table.phase is Phase.CLOSED  # a colleague opened and closed betting
    do(led, "burns")  # without a report
    assert Aspect.NOTICED in wrong(led.grade())


def test_trainee_is_told_what_happens_and_not_that_somebody_struck() -> None:
    led = until(opened(), Phase.BETTING)
    said(led)
    assert led.strike("power-failure", "Grace") is None
    assert said(led) == ["The lights go out, and everything that is driven by current stands still."]


def test_words_of_the_trainer_are_told_before_what_happens() -> None:
    led = until(opened(), Phase.BETTING)
    said(led)
    led.strike("power-failure", "Grace", "Thunder rolls.")
    assert said(led) == [
        "Thunder rolls.",
        "The lights go out, and everything that is driven by current stands still.",
    ]


def test_card_that_was_told_is_still_the_next_one() -> None:
    led = until(opened(), Phase.CLOSED)
    before = led.due
    assert before is not None
    assert led.strike("late-chip", "Grace") is None
    after = led.due
    assert after is not None
    assert after.step.act.text == before.step.act.text
    go_on(led)
    assert "puts down" in said(led)[-1]


def test_no_strike_while_another_one_is_open() -> None:
    led = opened()
    assert led.strike("together", "Grace") is None
    assert {led.why_not(fault) for fault in FAULTS} == {WhyNoStrike.STRIKE_OPEN, WhyNoStrike.NOT_HERE}
    until_seen(led)
    assert led.strike("late-chip", "Grace") is WhyNoStrike.STRIKE_OPEN
    until_handled(led)
    assert led.strike("late-chip", "Grace") is None


def test_no_strike_while_a_case_is_open() -> None:
    led = until(opened(), Phase.DEALING)
    do(led, "reports foreign-card")  # there is none
    assert led.why_not("late-chip") is WhyNoStrike.CASE_OPEN
    do(led, "withdraws the report")
    assert led.why_not("late-chip") in (None, WhyNoStrike.TOO_LATE)
    assert Aspect.SITUATION in wrong(led.grade())


def test_others_end_a_case_that_the_trainee_leaves() -> None:
    led = until(opened(), Phase.DEALING)
    do(led, "reports foreign-card")
    led.pass_on()
    assert led.table.case is None
    go_on(led, 20)
    assert not led.over
    assert led.table.rounds > 1


def test_no_strike_after_the_end() -> None:
    led = opened()
    led.finish()
    led.pass_on()
    assert led.strike("late-chip", "Grace") is WhyNoStrike.OVER
    assert led.table.phase is Phase.IDLE


def test_strikes_are_bounded() -> None:
    led = opened()
    for _ in range(MOST_STRIKES):
        assert led.strike("power-failure", "Grace") is None
        until_handled(led)
    assert led.strike("power-failure", "Grace") is WhyNoStrike.ENOUGH


def test_rounds_are_bounded() -> None:
    led = opened()
    while not led.over:
        go_on(led)
    assert led.table.rounds == MOST_TRAINING_ROUNDS
    assert led.grade().passed


def test_session_without_a_strike_is_graded_as_ordinary_dealing() -> None:
    led = until(opened(), Phase.OUTCOME)
    grade = led.grade()
    assert grade.passed
    assert set(grade.aspects) == {
        Aspect.NOTICED,
        Aspect.ORDER,
        Aspect.CARRIED_OUT,
        Aspect.CLAIMS,
        Aspect.TIME,
    }
    assert led.trainers == ()


def test_strike_that_play_never_reached_does_not_count() -> None:
    led = until(opened(), Phase.BETTING)
    led.strike("wrong-call", "Grace")
    assert led.grade().passed
    assert led.state_of(led.strikes[0]) is StrikeState.DROPPED
    assert led.trainers == ()


def test_wrong_card_is_wrong_and_play_goes_on_from_it() -> None:
    led = until(opened(), Phase.CLOSED)
    assert led.due is not None
    told = led.due.step.act.text
    do(led, "draws 2S" if "2S" not in told else "draws 3S")
    until(led, Phase.IDLE)
    go_on(led, 2)
    assert wrong(led.grade()) == {Aspect.CARRIED_OUT, Aspect.CLAIMS, Aspect.ORDER, Aspect.TIME}


def test_trainee_who_does_not_notice_deals_on() -> None:
    led = until(opened(), Phase.CLOSED)
    led.strike("wrong-hand", "Grace")
    until_seen(led)
    assert led.due is not None
    card = led.due.step.act.text.split()[2]
    do(led, f"draws {card}")  # to the hand for which it was due
    assert led.state_of(led.strikes[0]) is StrikeState.MISSED
    until(led, Phase.IDLE)
    assert {Aspect.NOTICED, Aspect.SITUATION, Aspect.CLAIMS} <= wrong(led.grade())


def test_trainee_goes_on_without_reporting_a_late_chip() -> None:
    led = until(opened(), Phase.CLOSED)
    led.strike("late-chip", "Grace")
    until_seen(led)
    led.pass_on()
    assert led.state_of(led.strikes[0]) is StrikeState.MISSED
    until(led, Phase.IDLE)
    assert wrong(led.grade()) == {Aspect.NOTICED, Aspect.CARRIED_OUT, Aspect.TIME}


def test_a_post_is_called_anew_in_each_round() -> None:
    led = opened(HOIANA)
    for _ in range(2):
        assert led.strike("power-failure", "Grace") is None
        until_seen(led)
        do_step(led)
        assert led.waits_for == "Assistant Director of Gaming Operations"
        until_handled(led)
        until(led, Phase.IDLE)
        go_on(led)
    assert led.grade().passed


def test_time_ends_with_what_the_trainee_did_last() -> None:
    now = [10.0]
    rulebook = SHIPPED.rulebook(TIGER)
    house = SHIPPED.house(rulebook.document.house)
    led = LedSession(rulebook, house, TableKind.BY_DEALER, seed=1, clock=lambda: now[0])
    now[0] = 22.0
    go_on(led)
    now[0] = 4_000.0
    assert led.grade().seconds == 12


def test_trainers_of_a_session_are_named_once() -> None:
    led = opened()
    for trainer in ("Grace", "Henry", "Grace"):
        led.strike("power-failure", trainer)
        until_handled(led)
    assert led.trainers == ("Grace", "Henry")


def test_strike_that_is_to_come_outlasts_another_entry() -> None:
    led = until(opened(), Phase.CLOSED)
    assert led.strike("late-chip", "Grace") is None
    led.send(cmd.ComeToTable(patron="Cid", seated=False))  # nobody came
    assert led.state_of(led.strikes[0]) is StrikeState.COMING
    until_handled(led)
    assert led.state_of(led.strikes[0]) is StrikeState.HANDLED
    assert wrong(led.grade()) == {Aspect.CLAIMS}


def test_strike_for_which_there_is_no_card_any_more_does_not_come() -> None:
    """A fourth card that was entered wrongly makes a natural, so that no fifth one is due (3.15)."""
    led = next(filter(None, map(_struck_before_a_fifth_card, range(40))))
    round_ = led.table.round
    assert round_ is not None
    banker = next(each.card for each in round_.cards if each.hand.value == "banker")
    assert banker is not None
    points = "A23456789".find(banker.text[0]) + 1
    do(led, f"draws {'KA23456789'[9 - points]}S")
    assert led.state_of(led.strikes[0]) is StrikeState.DROPPED
    assert led.trainers == ()
    until(led, Phase.IDLE)
    assert led.strike("wrong-hand", "Grace") is None


def _struck_before_a_fifth_card(seed: int) -> LedSession | None:
    """A table at which the fifth card is to go to the wrong hand; nothing where none will be due."""
    led = opened(seed=seed)
    while led.table.round is None or len(led.table.round.cards) < 3:
        go_on(led)
    return led if led.strike("wrong-hand", "Grace") is None else None


def test_table_that_the_trainee_pauses_goes_on() -> None:
    led = until(opened(), Phase.BETTING)
    do(led, "pauses the table because of a quarrel")
    go_on(led, 12)
    assert led.table.rounds > 1
    assert not led.over


def test_table_that_the_trainee_closes_ends_the_session() -> None:
    led = opened()
    led.send(cmd.CloseTable(reason="the night is over"), "Pit Manager")
    assert led.over
    led.finish()
    assert led.grade().seconds == 0


def test_strike_may_follow_a_burn_that_is_made_good() -> None:
    """2.2.2 of Hoiana: the shoe is burned, and then the cards come."""
    led = opened(HOIANA)
    led.strike("forgotten-burn", "Grace")
    until_handled(led)
    assert led.due is not None
    assert led.due.step.act.text == "Dealer: burns"
    assert led.strike("wrong-hand", "Grace") is None
    until_handled(led)
    assert led.grade().passed


def test_burn_that_was_forgotten_before_needs_no_new_cards() -> None:
    writer = written(HOIANA, "burn forgotten")
    FAULTS["forgotten-burn"][0](writer)
    assert not any("loads" in line for line in writer.lines)


def test_table_that_calls_the_result_itself_has_no_wrong_call() -> None:
    with pytest.raises(NoFault):
        FAULTS["wrong-call"][0](written(TIGER))


def test_case_without_a_choice_has_no_right_way() -> None:
    with pytest.raises(NoFault):
        written(TIGER).decide("Pit Manager", (), gap=True)


def written(game: str, *head: str) -> FaultWriter:
    rulebook = SHIPPED.rulebook(game)
    house = SHIPPED.house(rulebook.document.house)
    return FaultWriter(rulebook, house, random.Random(1), head)


@pytest.mark.sweep
@pytest.mark.parametrize(("game", "kind"), TABLES)
def test_table_stays_in_step_whatever_is_struck_and_done(game: str, kind: TableKind) -> None:
    """A trainee who does the right thing, a wrong one or none: play goes on until its end, and is graded."""
    for seed in range(sized(6, 120)):
        chance, led = random.Random(seed), opened(game, kind, seed)
        for _ in range(150):
            if led.over:
                break
            if chance.random() < 0.2:
                fault = chance.choice(tuple(FAULTS))
                assert led.strike(fault, "Grace") is led.why_not(fault) or led.strikes[-1].fault == fault
            _does_something(led, chance)
        states = {led.state_of(each) for each in led.strikes}
        assert led.over or led.due is not None or led.waits_for is not None or led.table.case is not None
        grade = led.grade()
        assert StrikeState.OPEN not in {led.state_of(each) for each in led.strikes}
        assert grade.points <= grade.most
        assert states <= set(StrikeState)


def _does_something(led: LedSession, chance: random.Random) -> None:
    """Do the right thing mostly, and otherwise anything that a trainee may do."""
    match chance.randrange(12):
        case 0:
            led.pass_on()
        case 1:
            do(led, f"draws {chance.choice(('2S', '9H', 'KD', '5C'))}")
        case 2:
            situation = chance.choice((Situation.FOREIGN_CARD, Situation.POWER_FAILURE, Situation.MISDEAL))
            led.send(cmd.ReportIrregularity(situation=situation, reconstructable=chance.random() < 0.5))
        case 3:
            do(led, chance.choice(("withdraws the report", "calls tie", "closes betting", "burns")))
        case 4:
            led.call(Post(chance.choice(led.rehearsal.house.form.posts)))
        case _ if led.waits_for:
            call_if_due(led)
        case _ if led.due:
            do_step(led)
        case _:
            led.pass_on()
