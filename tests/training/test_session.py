"""Drills as somebody goes through them: what is told, what others do, and how it is graded."""

import pytest
from trainees import drills, expert, rehearsal_of, session

from thirdcard.game import commands as cmd
from thirdcard.messages import languages, say, speaking
from thirdcard.refusals import Refusal, Refused
from thirdcard.roundfile.actions import bodies_of
from thirdcard.rulebook.irregularity import Situation
from thirdcard.staff import Post
from thirdcard.training.drill import read_drill
from thirdcard.training.grade import Aspect
from thirdcard.training.rehearsal import Level, Rehearsal
from thirdcard.training.session import DrillSession, NothingForPost
from thirdcard.training.training_table import TrainingTable

TOGETHER = """title Two third cards
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
FOREIGN = """title Another back
game mbs-tiger-v3
patrons Ann at 1
Dealer: opens betting
Ann: 300 on player at 1
Dealer: closes betting
Dealer: draws 2 2
? Dealer: reports foreign-card
? Pit Manager: confirms
"""


def drill_of(text: str) -> Rehearsal:
    return rehearsal_of(read_drill("a drill", text)[0])


def do(drill: DrillSession, line: str, authoriser: str | None = None) -> None:
    for body in bodies_of(line, drill.name, drill.rehearsal.house.currency) or ():
        drill.send(body, authoriser)


def said(drill: DrillSession) -> list[str]:
    return [each.said() for each in drill.acts()]


def wrong(drill: DrillSession) -> set[Aspect]:
    return {aspect for aspect, right in drill.grade().aspects.items() if not right}


def test_table_is_for_training() -> None:
    assert session(drill_of(FOREIGN), "dealer").table.setup.training


def test_acts_do_not_name_the_situation() -> None:
    drill = session(drill_of(FOREIGN), "dealer")
    assert said(drill)[-1] == "One card has another back than all the others."
    assert said(drill) == []


def test_first_level_says_that_something_happened() -> None:
    drill = session(drill_of(FOREIGN), "dealer", Level.NAMED)
    assert said(drill)[-2:] == [
        "Something is wrong here. What is it, and what do you do?",
        "One card has another back than all the others.",
    ]


def test_dealer_deals_the_whole_round_at_the_highest_level() -> None:
    drill = session(drill_of(FOREIGN), "dealer", Level.DEALING)
    assert drill.table.round is None
    for line in ("opens betting", "closes betting", "draws 2", "draws 2", "reports foreign-card"):
        do(drill, line)
    drill.call(Post("pit-manager"))
    assert drill.over
    assert drill.grade().passed
    assert Aspect.TIME in drill.grade().aspects


def test_another_way_to_say_the_same_counts() -> None:
    drill = session(drill_of(TOGETHER), "dealer")
    do(drill, "reports cards-together cards 9 6, order unknown")
    drill.call(Post("pit-manager"))
    assert drill.over
    assert drill.grade().passed


def test_patrons_answer_by_themselves() -> None:
    drill = session(drill_of(TOGETHER), "pit-manager")
    do(drill, "rules order 6 9")
    assert drill.over
    assert drill.grade().passed
    assert "300.00 of Player goes back to Ann." in said(drill)


def test_a_higher_post_may_be_called_where_it_may_act() -> None:
    drill = session(drill_of(FOREIGN), "dealer")
    do(drill, "reports foreign-card")
    assert drill.call(Post("gaming-shift-manager"))
    assert drill.grade().passed


def test_a_post_that_may_not_act_is_the_wrong_one() -> None:
    drill = session(drill_of(FOREIGN), "dealer")
    do(drill, "reports foreign-card")
    assert not drill.call(Post("pit-supervisor"))
    assert wrong(drill) == {Aspect.POST}


def test_nothing_done_is_nothing_noticed() -> None:
    drill = session(drill_of(FOREIGN), "dealer")
    assert wrong(drill) == {
        Aspect.NOTICED,
        Aspect.SITUATION,
        Aspect.POST,
        Aspect.ORDER,
        Aspect.CARRIED_OUT,
    }


def test_wrong_situation_is_noticed_and_wrong() -> None:
    drill = session(drill_of(FOREIGN), "dealer")
    drill.send(cmd.ReportIrregularity(situation=Situation.POWER_FAILURE))
    aspects = drill.grade().aspects
    assert aspects[Aspect.NOTICED]
    assert not aspects[Aspect.SITUATION]


def test_wrong_facts_are_another_row() -> None:
    drill = session(drill_of(TOGETHER), "dealer")
    do(drill, "draws 9 6 together, order known")
    assert Aspect.SITUATION in wrong(drill)


def test_a_card_that_did_not_come_is_claimed() -> None:
    drill = session(drill_of(TOGETHER), "dealer")
    do(drill, "draws 5")
    assert {Aspect.CLAIMS, Aspect.ORDER} <= wrong(drill)


def test_a_person_who_was_not_called_is_claimed() -> None:
    drill = session(drill_of(FOREIGN), "dealer")
    do(drill, "reports foreign-card", "Pit Manager")
    assert Aspect.CLAIMS in wrong(drill)


def test_doing_the_work_of_another_post_is_wrong() -> None:
    drill = session(drill_of(TOGETHER), "dealer")
    do(drill, "draws 9 6 together, order unknown")
    do(drill, "rules order 9 6")
    drill.call(Post("pit-manager"))
    assert wrong(drill) == {Aspect.POST}


def test_going_on_with_the_game_is_out_of_turn() -> None:
    drill = session(drill_of(FOREIGN), "dealer")
    do(drill, "reports foreign-card")
    do(drill, "draws 5")
    drill.call(Post("pit-manager"))
    assert wrong(drill) == {Aspect.ORDER}


def test_over_is_over() -> None:
    drill = session(drill_of(FOREIGN), "dealer")
    drill.finish()
    refused = drill.send(cmd.ReportIrregularity(situation=Situation.FOREIGN_CARD))
    assert isinstance(refused, Refused)
    assert refused.reason is Refusal.NOT_AWAITED


def test_time_is_taken_from_the_first_act() -> None:
    times = iter([10.0, 95.0])
    rehearsal = drill_of(f"seconds 80\n{FOREIGN}")
    drill = DrillSession(rehearsal, Post("pit-manager"), clock=lambda: next(times), level=Level.DEALING)
    do(drill, "confirms")
    grade = drill.grade()
    assert grade.seconds == 85
    assert not grade.aspects[Aspect.TIME]


def test_expert_has_full_marks_in_every_post() -> None:
    for text in (TOGETHER, FOREIGN):
        rehearsal = drill_of(text)
        for post in rehearsal.posts():
            for level in Level:
                grade = expert(rehearsal, post, level)
                assert (grade.points, grade.passed) == (grade.most, True)


def test_right_way_has_sentences_and_clauses() -> None:
    way = session(drill_of(FOREIGN), "dealer").grade().right_way
    assert [(each.actor, each.own) for each in way] == [("Dealer", True), ("Pit Manager", False)]
    assert way[0].sentences[0][1] == ("5.1",)
    assert way[1].sentences[1][1] == ("5.1.1",)


def test_a_post_without_anything_to_do_has_no_drill() -> None:
    with pytest.raises(NothingForPost):
        session(drill_of(TOGETHER), "gaming-shift-manager")


def test_a_drill_that_is_over_does_not_go_on() -> None:
    drill = session(drill_of(FOREIGN), "dealer")
    drill.finish()
    drill.pass_on()
    drill.finish()
    assert drill.over
    assert drill.due is None


def test_somebody_may_be_called_before_anything_is_reported() -> None:
    drill = session(drill_of(FOREIGN), "dealer")
    assert not drill.call(Post("pit-manager"))
    assert said(drill)[-1] == "The Pit Manager is at the table."
    do(drill, "reports foreign-card")
    assert drill.grade().passed


def test_a_post_below_the_one_that_acts_is_as_wrong_early_as_when_it_is_due() -> None:
    drill = session(drill_of(FOREIGN), "dealer")
    for post in ("pit-supervisor", "pit-manager", "gaming-shift-manager"):  # everybody, to be sure
        drill.call(Post(post))
    do(drill, "reports foreign-card")
    assert drill.over
    grade = drill.grade()
    assert [each.said() for each in grade.findings if not each.right] == [
        "Was called and could do nothing about it: Pit Supervisor"
    ]


def test_a_higher_post_may_be_called_early() -> None:
    drill = session(drill_of(FOREIGN), "dealer")
    drill.call(Post("gaming-shift-manager"))
    do(drill, "reports foreign-card")
    drill.call(Post("pit-manager"))
    assert drill.grade().passed


def test_what_is_entered_while_a_post_is_awaited_is_no_play() -> None:
    drill = session(drill_of(FOREIGN), "dealer")
    do(drill, "reports foreign-card")
    assert drill.waits_for == "Pit Manager"
    drill.send(cmd.LeaveTable(patron="Ann"))
    assert wrong(drill) >= {Aspect.CLAIMS}


def test_a_step_that_was_done_early_is_not_asked_for() -> None:
    drill = session(drill_of(f"{FOREIGN}? Dealer: loads 8 decks\nAnn: leaves the table\n"), "dealer")
    do(drill, "reports foreign-card")
    drill.call(Post("pit-manager"))
    assert drill.due is not None
    do(drill, "loads 8 decks")
    assert drill.over
    assert drill.grade().passed


def test_a_table_for_training_has_views() -> None:
    drill = session(drill_of(FOREIGN), "dealer")
    player = drill.player
    assert isinstance(player, TrainingTable)
    assert player.sources.table is drill.table
    assert player.sources.history.rounds == ()


def test_play_that_came_too_early_counts_in_its_turn_and_is_out_of_order() -> None:
    lines = "title Early\ngame mbs-tiger-v3\npatrons Ann at 1\n? Dealer: raises the alarm misread\n"
    drill = session(drill_of(f"{lines}? Dealer: opens betting\n"), "dealer")
    do(drill, "opens betting")
    do(drill, "raises the alarm misread")
    assert drill.over
    assert wrong(drill) == {Aspect.ORDER}


def test_a_drill_goes_on_where_the_trainee_does_nothing() -> None:
    drill = session(drill_of(TOGETHER), "dealer")
    drill.pass_on()
    drill.pass_on()
    assert drill.over
    assert {Aspect.NOTICED, Aspect.CARRIED_OUT, Aspect.POST} <= wrong(drill)


def test_a_set_that_is_found_whole_is_a_step() -> None:
    text = f"{FOREIGN}? Pit Manager: keeps the cards\n"
    assert expert(drill_of(text), "dealer").passed
    assert expert(drill_of(text), "pit-manager").passed


def test_whoever_has_acted_is_at_the_table() -> None:
    drill = session(drill_of(FOREIGN), "dealer")
    assert drill.here == {"Dealer"}
    do(drill, "reports foreign-card")
    drill.call(Post("pit-manager"))
    assert drill.here == {"Dealer", "Pit Manager"}


def test_two_people_make_a_report_whoever_of_them_notices() -> None:
    text = FOREIGN.replace("? Dealer: reports", "? Dealer with Pit Supervisor: reports")
    assert drill_of(text).own_steps(Post("pit-supervisor"), Level.SHOWN) == frozenset()
    assert expert(drill_of(text), "gaming-shift-manager").passed


def test_a_mistake_that_is_taken_back_stays_a_mistake() -> None:
    drill = session(drill_of(FOREIGN), "dealer")
    do(drill, "reports extra-card")
    do(drill, "withdraws the report")
    do(drill, "reports foreign-card")
    drill.call(Post("pit-manager"))
    assert drill.over
    assert wrong(drill) == {Aspect.SITUATION}


def test_time_is_a_minute_for_a_gap_and_seconds_for_a_card() -> None:
    """Level 3: opening and closing betting and two cards are 6 s each, the gap is 60 s."""
    assert session(drill_of(FOREIGN), "dealer", Level.DEALING).limit == 4 * 6 + 60
    assert session(drill_of(FOREIGN), "dealer").limit is None


@pytest.mark.parametrize("language", sorted(languages()))
def test_a_drill_is_gone_through_in_every_language(language: str) -> None:
    with speaking(language):
        rehearsal = drill_of(TOGETHER)
        assert rehearsal.posts() == ("dealer", "pit-manager")
        drill = session(rehearsal, "dealer")
        told = said(drill)[-2:]
        assert expert(rehearsal, "dealer").passed
    english = "Out of the dealing device come at once: 9 6."
    assert (english in told) == (language == "en")


def test_wagers_and_odds_are_told_in_the_language_of_the_reader() -> None:
    with speaking("zh-Hans"):
        drill = session(drill_of(TOGETHER), "pit-manager")
        assert "Ann 在闲加注 300.00。" in said(drill)
        do(drill, "rules order 6 9")
        assert "Bob 的庄以 1 赔 0.95 赢得 190.00，退回 200.00。" in said(drill)


def test_ruling_is_told_in_the_language_of_whoever_reads_it() -> None:
    drill = session(drill_of(TOGETHER), "dealer")
    do(drill, "draws 9 6 together, order unknown")
    drill.call(Post("pit-manager"))
    told = drill.acts()
    assert "Pit Manager rules: the cards count in the order 9 6." in [each.said() for each in told]
    with speaking("zh-Hans"):
        assert "赌区经理 裁定：牌按此顺序计：9 6。" in [each.said() for each in told]
        way = drill.grade().right_way[1]
        assert "赌区经理 裁定：牌按此顺序计：9 6。" in [say(what) for what, _ in way.sentences]


def test_table_is_named_in_the_language_of_the_reader() -> None:
    text = drills()["dealing/out-of-the-dealing-device-2, mbs-tiger-v3"]
    with speaking("ko"):
        way = expert(rehearsal_of(text), "dealer").right_way
        said_of = [say(what) for each in way for what, _ in each.sentences]
    assert any(each.startswith("테이블: 보고") for each in said_of)
    assert not any("Table" in each for each in said_of)
