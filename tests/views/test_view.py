"""The view of each viewer of a table, section by section."""

from copy import copy

import msgspec
import pytest
from folds.stories import HOIANA, SUPER_SIX, TIGER, tell
from msgspec.structs import replace

from thirdcard.cards import Card, Rank
from thirdcard.clauses import Clause
from thirdcard.floor.state import Disabled
from thirdcard.folds.faces import CardShown
from thirdcard.folds.meters import Meters
from thirdcard.folds.scoreboard import next_marks
from thirdcard.folds.viewers import AUDITOR, DISPLAY, STAFF_VIEWER, Viewer, ViewerKind, patron_viewer
from thirdcard.game.dispute_steps import Dispute, DisputeStep
from thirdcard.game.state import CardState, Hand, Phase, Wait
from thirdcard.messages import say
from thirdcard.rulebook.book import Kind
from thirdcard.rulebook.facts import Winner
from thirdcard.rulebook.house import MoneyAct
from thirdcard.rulebook.irregularity import Situation, Withdrawable
from thirdcard.staff import Post
from thirdcard.views.lobby import LobbyLine
from thirdcard.views.moments.kinds import Moment
from thirdcard.views.sections.patron import OwnOffer, OwnRequest, OwnSection
from thirdcard.views.sections.public import Example, Fact, Pay, WagerTotal
from thirdcard.views.sections.staff import DisputeShown
from thirdcard.views.sections.whole import Section, View
from thirdcard.views.view import (
    PUBLIC_PARTS,
    SECTIONS,
    STAFF_PARTS,
    SectionEncoder,
    ShownViews,
    changes,
    show,
    view_of,
)

PATRONS = "patrons Ann at 1, Bob at 2\n"
BETTING = PATRONS + "Dealer: opens betting\nAnn: 600 on player at 1\nBob: 500 on player at 2\n"
ROUND = BETTING + "Dealer: closes betting\nDealer: draws 9 2 K 5\n"
LOST = (
    BETTING
    + "Dealer: closes betting\nDealer: draws 9 2\nDealer: reports order-altered, not reconstructable\n"
)
SQUEEZED = "method A\nautomatic none\n" + ROUND + "Dealer: passes player to Ann\n"
FACE_DOWN = (CardShown(Hand.PLAYER, CardState.FACE_DOWN),) * 2
SEEN = (CardShown(Hand.PLAYER, CardState.SEEN),) * 2
FACES = tuple(CardShown(Hand.PLAYER, CardState.SEEN, Card(rank)) for rank in (Rank.NINE, Rank.KING))


def sections_of(view: View) -> set[str]:
    return {name for name in SECTIONS if getattr(view, name) is not None}


def test_a_display_sees_what_everybody_sees_and_a_patron_what_is_their_own_as_well() -> None:
    story = tell(ROUND)
    assert sections_of(story.public) == set(PUBLIC_PARTS)
    assert sections_of(story.seen_by(patron_viewer("Ann"))) == {*PUBLIC_PARTS, "own"}
    assert sections_of(story.seen_by(Viewer(ViewerKind.PATRON))) == set(PUBLIC_PARTS)


def test_staff_and_those_who_watch_see_everything_but_what_is_a_patrons_own() -> None:
    story = tell(ROUND)
    assert sections_of(story.staff) == {*PUBLIC_PARTS, *STAFF_PARTS}
    assert story.seen_by(AUDITOR) == story.staff


def test_the_setup_names_limits_and_pays_of_every_wager() -> None:
    setup = tell("main 100 2000\nside 20 300\n").public.setup
    assert (setup.game, setup.house, setup.decks, setup.terminal) == (TIGER, "marina-bay-sands", 8, False)
    assert (setup.currency.code, setup.unit, setup.differential) == ("SGD", 1, 1000000)
    player, tie = (next(each for each in setup.wagers if each.id == name) for name in ("player", "tie"))
    assert (player.name, player.kind, player.minimum, player.maximum) == ("Player", Kind.MAIN, 10000, 200000)
    assert player.pays == (
        Pay(None, (Fact("winner", ("tie",)),), (Clause("3.16.1"),), Example(10000, 0, 0)),
        Pay(
            "1 to 1",
            (Fact("winner", ("player",)),),
            (Clause("4.1.T2"), Clause("3.16")),
            Example(10000, 10000, 0),
        ),
    )
    assert (tie.kind, tie.minimum, tie.maximum, tie.lost) == (Kind.SIDE, 2000, 30000, ("1.1.12",))


def test_an_example_of_each_pay_is_on_a_hundred_where_the_limits_allow_it() -> None:
    def examples(limits: str) -> dict[str | None, Example]:
        wagers = tell(limits).public.setup.wagers
        return {pay.odds: pay.example for wager in wagers if wager.id == "banker" for pay in wager.pays}

    assert examples("main 50 2000\n")["0.95 to 1"] == Example(10000, 9500, 500)
    assert examples("main 200 2000\n")["0.95 to 1"] == Example(20000, 19000, 1000)
    assert examples("main 5 20\n")["0.95 to 1"] == Example(2000, 1900, 100)


def test_a_layout_shows_what_is_printed_on_it_in_other_languages() -> None:
    assert tell("").public.setup.labels == {}
    labels = tell("layout J\n", "mbs-dragon-tiger-nc-2023").public.setup.labels
    assert labels["zh-Hans"]["small-dragon"] == "小龙"
    assert tell("patrons T1\n", SUPER_SIX).public.setup.labels == {}


def test_a_live_game_at_terminals_is_shown_as_training_and_to_each_patron_their_credits() -> None:
    assert not tell(ROUND).public.setup.training
    assert tell(ROUND).own("Ann").credits is None
    bought = "terminal\ntraining\n" + PATRONS + "Ann: buys 1000 credits\nBob: buys 700 credits\n"
    story = tell(bought + ROUND.removeprefix(PATRONS))
    assert (story.public.setup.terminal, story.public.setup.training) == (True, True)
    assert (story.own("Ann").credits, story.own("Bob").credits) == (160000, 120000)
    assert story.own("Ann").position == 1


def test_a_document_without_a_differential_shows_none() -> None:
    assert tell("patrons T1\n", SUPER_SIX).public.setup.differential is None


def test_facts_of_a_pay_row_are_plain_values() -> None:
    wagers = tell("").public.setup.wagers
    rows = {fact for wager in wagers for pay in wager.pays for fact in pay.when}
    assert Fact("banker_total", (6,)) in rows
    assert Fact("pairs", ("twin",)) in rows


def test_everybody_sees_totals_and_staff_every_wager() -> None:
    story = tell(BETTING + "Bob: 20 on tie at 2\n")
    assert story.public.totals.totals == (WagerTotal("player", 110000, 2), WagerTotal("tie", 2000, 1))
    assert story.staff.wagers is not None
    assert [(each.patron, each.position, each.stake) for each in story.staff.wagers.lying] == [
        ("Ann", 1, 60000),
        ("Bob", 2, 50000),
        ("Bob", 2, 2000),
    ]
    assert [(each.wager, each.stake) for each in story.own("Bob").wagers] == [
        ("player", 50000),
        ("tie", 2000),
    ]


def test_a_hand_lies_face_down_for_everybody_until_it_is_opened() -> None:
    story = tell(SQUEEZED)
    for view in (story.public, story.staff, story.seen_by(patron_viewer("Ann"))):
        assert [each.card for each in view.cards.cards] == [None] * 4
        assert (view.cards.player, view.cards.banker, view.cards.held) == (None, None, (Hand.PLAYER,))
    opened = tell(SQUEEZED + "Ann: opens player\n").public.cards
    assert [each.card for each in opened.cards] == [Card(Rank.NINE), None, Card(Rank.KING), None]
    assert (opened.player, opened.banker) == (9, None)


def test_the_holder_sees_the_faces_only_after_beginning_to_look_and_nobody_else_does() -> None:
    before = tell(SQUEEZED)
    (hand,) = before.own("Ann").hands
    assert (hand.hand, hand.looked, hand.cards) == (Hand.PLAYER, False, FACE_DOWN)
    after = tell(SQUEEZED + "Ann: looks at player\n")
    (hand,) = after.own("Ann").hands
    assert (hand.looked, hand.cards) == (True, FACES)
    assert after.own("Bob").hands == ()
    for view in (after.public, after.staff, after.seen_by(patron_viewer("Bob"))):
        assert {each.card for each in view.cards.cards} == {None}


def test_who_gets_a_hand_that_another_has_seen_must_look_first_as_well() -> None:
    passed = SQUEEZED + "Ann: looks at player\nAnn: declines player\nDealer: passes player to Bob\n"
    story = tell(passed)
    assert story.own("Ann").hands == ()
    (hand,) = story.own("Bob").hands
    assert (hand.looked, hand.cards) == (False, SEEN)
    (hand,) = tell(passed + "Bob: looks at player\n").own("Bob").hands
    assert (hand.looked, hand.cards) == (True, FACES)


def test_a_third_card_must_be_looked_at_as_well() -> None:
    opened = (
        "method A\nautomatic none\n" + BETTING + "Dealer: closes betting\nDealer: draws 2 K 3 6\n"
        "Dealer: passes player to Ann\nAnn: looks at player\nAnn: opens player\nDealer: opens banker\n"
        "Dealer: draws 4\n"
    )
    faces = [each.card for each in tell(opened).own("Ann").hands[0].cards]
    assert faces == [Card(Rank.TWO), Card(Rank.THREE), None]
    looked = tell(opened + "Ann: looks at player\n")
    assert looked.own("Ann").hands[0].cards[2].card == Card(Rank.FOUR)
    assert looked.public.cards.cards[4].card is None


def test_an_open_card_of_a_hand_is_open_to_its_holder_without_looking() -> None:
    story = tell("method A\nautomatic none\n" + ROUND + "Dealer: passes player to Ann\n")
    current = story.table.round
    assert current is not None
    first = replace(current.cards[0], state=CardState.EXPOSED)
    table = replace(story.table, round=replace(current, cards=(first, *current.cards[1:])))
    own = view_of(show(story.watch.sources(table)), patron_viewer("Ann")).own
    assert own is not None
    assert own.hands[0].cards == (
        CardShown(Hand.PLAYER, CardState.EXPOSED, Card(Rank.NINE)),
        CardShown(Hand.PLAYER, CardState.FACE_DOWN),
    )


def test_the_outcome_stands_until_the_next_round_with_its_special_results() -> None:
    before = tell(BETTING).public.outcome
    assert (before.round, before.facts, before.ended) == (1, None, False)
    outcome = tell(ROUND).public.outcome
    assert outcome.facts is not None
    assert (outcome.facts.winner, outcome.called, outcome.ended) == (Winner.PLAYER, Winner.PLAYER, True)
    tiger = tell(BETTING + "Dealer: closes betting\nDealer: draws 2 K K 6 3\n").public.outcome
    assert tiger.marks == ("tiger-2", "small-tiger")


def test_a_round_that_takes_wagers_before_it_begins_has_its_number() -> None:
    begun = tell(BETTING).public.phase
    assert (begun.round, begun.next_round) == (1, None)
    waiting = tell("Dealer: opens betting\n", game=HOIANA).public.phase
    assert (waiting.round, waiting.next_round) == (None, 1)


def test_marks_that_come_next_are_shown_where_the_floor_wants_them() -> None:
    story = tell(ROUND)
    sources = story.watch.sources(story.table)
    usual = show(sources)
    assert view_of(usual, DISPLAY).scoreboard.next_marks is None
    told = view_of(show(replace(sources, next_marks=True), usual), DISPLAY).scoreboard.next_marks
    assert told == next_marks(sources.history.board)
    assert b"next_marks" not in msgspec.json.encode(view_of(usual, DISPLAY).scoreboard)


def test_a_void_round_has_no_outcome() -> None:
    outcome = tell(LOST + "Pit Manager: confirms\n").public.outcome
    assert (outcome.void, outcome.facts) == (True, None)


def test_a_table_without_cards_shows_no_shoe() -> None:
    public = tell("shoe empty\n").public
    assert (public.shoe.number, public.outcome.round, public.cards.cards) == (None, None, ())


def test_the_shoe_shows_what_was_announced_and_never_what_is_left() -> None:
    shoe = tell(PATRONS + "Ann: cuts at 100\nDealer: burns by 7\n").public.shoe
    assert (shoe.number, shoe.decks, shoe.cut, shoe.burned, shoe.rounds) == (1, 8, 100, 8, 0)
    assert not {"left", "drawn", "discards", "places"} & set(shoe.__struct_fields__)


def test_the_root_of_a_sealed_shoe_is_for_everybody_and_nothing_else_of_its_seal() -> None:
    lines = PATRONS + "Pit Manager: loads 8 decks, sealed\n"
    shoe = tell("shoe empty\n" + lines).public.shoe
    assert (shoe.seal, shoe.opened) == ("00" * 32, False)
    assert tell("").public.shoe.seal is None
    assert tell("shoe empty\n" + lines + "Pit Manager: lays the shoe open as 8 decks\n").public.shoe.opened


def names_in(schema: object) -> set[str]:
    """Every name of a property in a schema."""
    if isinstance(schema, list):
        return {name for each in schema for name in names_in(each)}
    if not isinstance(schema, dict):
        return set()
    own = set(schema.get("properties", {}))
    return own | {name for each in schema.values() for name in names_in(each)}


def test_nothing_that_leaves_the_server_has_a_field_for_what_is_in_the_shoe() -> None:
    _, components = msgspec.json.schema_components([View, Moment, LobbyLine, Meters])
    names = names_in(components)
    assert {"totals", "own", "clauses"} <= names
    assert not {"left", "drawn", "discards", "places", "secret", "missing"} & names


def test_the_scoreboard_is_that_of_the_shoe() -> None:
    statistics = tell(ROUND + "Dealer: opens betting\n").public.scoreboard.statistics
    assert (statistics.rounds, statistics.player, statistics.naturals) == (1, 1, 1)


def test_a_pause_is_for_everybody_and_its_reason_for_staff() -> None:
    story = tell("Dealer: pauses the table because Ann quarrels\n")
    assert (story.public.phase.paused, story.public.phase.held) == (True, False)
    assert story.staff.desk is not None
    assert story.staff.desk.pause_reason == "Ann quarrels"
    assert tell("Dealer: pauses the table because restart\n").public.phase.held


def test_staff_see_what_is_held_as_suspected_and_what_can_be_decided() -> None:
    wagered = "patrons Ann at 1\nDealer: opens betting\nAnn: 100 on player at 1\n"
    held = tell(wagered + "Dealer: holds player of Ann at 1 as suspected\n", HOIANA).staff.desk
    assert held is not None
    (wager,) = held.held
    assert (wager.patron, wager.amount, wager.wager, wager.position) == ("Ann", 10_000, "player", 1)
    assert wager.choices == ("release", "hand-back", "seize")
    cash = tell("patrons Ann at 1\nDealer: holds 500 from Ann as suspected\n", HOIANA).staff.desk
    assert cash is not None
    assert [(each.amount, each.wager, each.choices) for each in cash.held] == [
        (50_000, None, ("hand-back", "seize"))
    ]


def test_staff_learn_why_a_table_is_stopped_or_disabled() -> None:
    sources = tell("").watch.sources(tell("").table)
    stopped = show(replace(sources, stopped="disk full", disabled=Disabled(None, "Eve", "fire")))
    public, staff = view_of(stopped, DISPLAY), view_of(stopped, STAFF_VIEWER)
    assert (public.phase.stopped, public.phase.disabled) == (True, True)
    assert staff.desk is not None
    assert (staff.desk.stopped_reason, staff.desk.disabled_reason) == ("disk full", "fire")
    assert b"disk full" not in msgspec.json.encode(public)


OFFERED = (
    BETTING
    + "Dealer: closes betting\nDealer: draws 2 K\nDealer: reports cards-together cards 3 9, order known\n"
)


def test_an_offer_is_a_question_to_each_patron_and_a_count_for_everybody() -> None:
    story = tell(OFFERED + "Bob: stays\n")
    offer = story.public.phase.offer
    assert offer is not None
    assert (offer.wagers, offer.clause, offer.asked, offer.answered) == (Withdrawable.SINGLE, "5.8.1", 2, 1)
    assert story.own("Ann").offer == OwnOffer(Withdrawable.SINGLE, offer.clause, answered=False, case=1)
    assert story.own("Bob").offer == OwnOffer(Withdrawable.SINGLE, offer.clause, answered=True, case=1)
    assert story.own("Cy").offer is None
    assert [each.withdrawable for each in story.own("Ann").wagers] == [True]
    assert [each.withdrawable for each in story.own("Bob").wagers] == [False]
    assert story.staff.desk is not None
    entries = story.staff.desk.cases[0].offer
    assert entries is not None
    assert (entries.asked, entries.answered) == (("Ann", "Bob"), ("Bob",))
    assert entries.withdrawable == (1, 2)


def test_who_has_answered_the_last_offer_is_asked_by_the_one_before() -> None:
    """5.17.1 during 5.8.1: both are open, and an answer is to one of them."""
    failure = OFFERED + "Dealer with Pit Manager: reports power-failure\n"
    last = OwnOffer(Withdrawable.ALL, Clause("5.17.1"), answered=False, case=2)
    assert tell(failure).own("Ann").offer == last
    first = OwnOffer(Withdrawable.SINGLE, Clause("5.8.1"), answered=False, case=1)
    assert tell(failure + "Ann: stays\n").own("Ann").offer == first
    kept = OFFERED + "Ann: stays\nDealer with Pit Manager: reports power-failure\nAnn: stays\n"
    assert tell(kept).own("Ann").offer == replace(first, answered=True)


def test_an_irregularity_shows_its_steps_and_who_must_decide() -> None:
    story = tell(LOST)
    case = story.public.phase.case
    assert case is not None
    assert (case.situation, case.waits, case.post) == (
        Situation.ORDER_ALTERED,
        Wait.CONFIRMATION,
        "pit-manager",
    )
    assert [(step.effect, step.done) for step in case.steps] == [
        ("void-round", False),
        ("replace-cards", False),
    ]
    assert story.staff.desk is not None
    assert [each.choices for each in story.staff.desk.cases] == [()]


def test_staff_see_the_choices_of_a_ruling() -> None:
    story = tell(BETTING + "Dealer: reports not-covered of Ann because so\n")
    assert story.staff.desk is not None
    (case,) = story.staff.desk.cases
    assert case.choices == (
        *("void-round", "continue", "offer-withdrawal", "replace-cards", "burn-card", "pay", "take-back"),
    )
    assert (case.patron, case.by, case.current) == ("Ann", "Dealer", True)
    assert story.public.phase.case is not None
    assert story.public.phase.case.post == "gaming-shift-manager"


def test_staff_see_how_many_cards_an_order_is_needed_for() -> None:
    # clause 5.8.2.2: two cards at once after the initial deal, their order unknown
    story = tell(
        BETTING + "Dealer: closes betting\nDealer: draws 2 2 2 A\n"
        "Dealer: reports cards-together cards 9 6, order unknown\n"
    )
    assert story.public.phase.case is not None
    assert story.public.phase.case.waits is Wait.CARD_ORDER
    assert story.staff.desk is not None
    assert story.staff.desk.cards_needed == 2


def test_people_are_for_staff() -> None:
    people = tell(PATRONS).staff.people
    assert people is not None
    assert [each.name for each in people.patrons] == ["Ann", "Bob"]
    assert "pit-manager" in {each.post for each in people.staff}


def test_staff_on_duty_are_named_with_their_posts_and_those_they_act_in_now() -> None:
    story = tell("Pit Manager: appoints Eve acting pit-manager until 2025-06-03T04:00:00+00:00\n")
    sources = story.watch.sources(story.table)
    later, now = (show(replace(sources, acting=acting)).staff.people for acting in ((), story.table.acting))
    assert later is not None
    assert now is not None
    assert later.on_duty["Dealer"] == ("dealer",)
    assert "Eve" not in later.on_duty
    assert now.on_duty == {**later.on_duty, "Eve": ("pit-manager",)}


def test_rules_say_whose_approval_can_be_asked_for() -> None:
    rules = tell(PATRONS).staff.rules
    assert rules is not None
    assert rules.stands_for[rules.posts[0]] == rules.posts
    assert rules.stands_for[rules.posts[-1]] == rules.posts[-1:]
    assert Post("dealer") not in rules.stands_for[Post("pit-manager")]


def test_case_names_those_who_may_take_the_report_back() -> None:
    desk = tell(LOST).staff.desk
    assert desk is not None
    (case,) = desk.cases
    assert (case.withdrawn_by, case.not_disproved_by) == (("Dealer",), "Dealer")


def test_case_that_the_table_noticed_is_nobodys_report() -> None:
    story = tell(BETTING + "Dealer: draws 9\n")  # without the closing call
    assert story.staff.desk is not None
    assert [each.withdrawn_by for each in story.staff.desk.cases] == [()]


CREDITS = (
    "patrons T1, T2\nT1: buys 1000 credits\nT2: buys 70 credits\nDealer: opens betting\nT1: 100 on player\n"
)


def test_credits_are_ones_own_and_all_of_them_are_for_staff() -> None:
    story = tell(CREDITS, SUPER_SIX)
    assert (story.own("T1").credits, story.own("T2").credits, story.own("T3").credits) == (90000, 7000, 0)
    assert tell(PATRONS).own("Ann").credits is None
    assert story.staff.balances is not None
    assert [(each.terminal, each.credits) for each in story.staff.balances.balances] == [
        ("T1", 90000),
        ("T2", 7000),
    ]


def test_the_last_result_of_a_patron_says_why_and_stays() -> None:
    last = tell(ROUND + "Dealer: opens betting\n").own("Ann").last
    assert last is not None
    assert (last.round, last.winner, last.void, last.returned) == (1, Winner.PLAYER, False, ())
    (line,) = last.lines
    assert (line.settled.odds, line.settled.paid, line.settled.clauses) == (
        "1 to 1",
        60000,
        ("4.1.T2", "3.16"),
    )
    assert say(line.why) == "Ann wins 600.00 on player at 1 to 1, 600.00 back."
    assert tell(ROUND).own("Cy").last is None


def test_a_void_round_tells_the_patron_what_went_back() -> None:
    last = tell(LOST + "Pit Manager: confirms\n").own("Ann").last
    assert last is not None
    assert (last.void, last.winner, last.lines) == (True, None, ())
    assert [(each.wager, each.stake) for each in last.returned] == [("player", 60000)]


def test_where_a_patron_sits_and_that_they_left_their_wagers() -> None:
    own = tell(BETTING).own("Ann")
    assert (own.here, own.position, own.seated, own.marked) == (True, 1, True, None)
    assert not tell(BETTING + "Ann: leaves the table\n").own("Ann").here
    assert not tell(PATRONS).own("Cy").here


def test_a_patron_sees_the_steps_of_their_own_dispute_and_staff_all() -> None:
    story = tell(PATRONS + "Ann: disputes the tie\nPit Supervisor: escalates dispute 1\n")
    (dispute,) = story.own("Ann").disputes
    assert (dispute.id, dispute.about, dispute.step.value) == (1, "the tie", "escalated")
    assert story.own("Bob").disputes == ()
    assert story.staff.disputes is not None
    (shown,) = story.staff.disputes.disputes
    assert [each.duty.value for each in shown.due] == ["gather", "surveillance", "time-frame", "decide"]


ESCALATED = PATRONS + "Ann: disputes the tie\nPit Supervisor: escalates dispute 1\n"


def disputed(text: str, game: str = TIGER) -> DisputeShown:
    disputes = tell(text, game).staff.disputes
    assert disputes is not None
    (shown,) = disputes.disputes
    return shown


def test_each_duty_of_a_dispute_has_its_posts_and_clauses() -> None:
    rules = tell(ESCALATED).staff.disputes
    assert rules is not None
    (gather, *_) = disputed(ESCALATED).due
    assert (gather.posts, gather.clauses) == ((rules.rules.in_charge.post,), rules.rules.gathered)
    (resolve,) = disputed(PATRONS + "Ann: disputes the tie\n").due
    assert resolve.posts == tuple(each.post for each in rules.rules.first_level)
    assert resolve.clauses == rules.rules.taken


def test_dispute_names_the_sources_for_which_nothing_was_gathered() -> None:
    rules = tell(ESCALATED).staff.disputes
    assert rules is not None
    needing = tuple(each.id for each in rules.rules.sources if each.needs)
    assert needing
    assert disputed(ESCALATED).lacking == needing


def shown_with(*disputes: Dispute) -> ShownViews:
    """A table as it is shown with these disputes."""
    sources = tell(PATRONS).showing.ground.sources
    return show(replace(sources, table=replace(sources.table, disputes=disputes)), None)


def test_views_have_room_for_so_many_disputes() -> None:
    """A patron who disputes everything makes neither the consoles nor their own terminal slow."""
    over = tuple(Dispute(number, "Ann", "that", step=DisputeStep.CLOSED) for number in range(1, 41))
    owed = replace(over[0], award=100)
    open_ones = tuple(Dispute(number, "Ann", "x" * 1000) for number in range(41, 441))
    shown = shown_with(owed, *over[1:], *open_ones)
    staff = shown.staff.disputes
    assert staff is not None
    assert [each.dispute.id for each in staff.disputes] == [1, *range(31, 41), *range(41, 70)]
    assert staff.more == 440 - 40
    own = view_of(shown, patron_viewer("Ann")).own
    assert own is not None
    assert [each.id for each in own.disputes] == [1, *range(31, 41), *range(41, 70)]
    assert len(msgspec.json.encode(shown.staff)) < 200_000


def test_few_disputes_are_all_shown() -> None:
    staff = shown_with(*(Dispute(number, "Ann", "that") for number in range(1, 12))).staff.disputes
    assert staff is not None
    assert (len(staff.disputes), staff.more) == (11, 0)


def test_award_goes_to_credits_only_where_the_patron_has_some() -> None:
    assert [each.value for each in disputed(ESCALATED).ways] == ["payout"]
    at_terminal = disputed("patrons T1\nT1: disputes the tie\n", SUPER_SIX)
    assert [each.value for each in at_terminal.ways] == ["credits", "payout"]


def test_nobody_complains_before_there_is_a_decision() -> None:
    assert not disputed(ESCALATED).may_complain


def test_a_patron_may_ask_to_squeeze_before_the_cards_where_they_lie_face_down() -> None:
    lines = "face-down\npatrons Ann at 1\nDealer: opens betting\nAnn: 600 on player at 1\n"
    assert tell(lines, HOIANA).own("Ann").may_request_squeeze
    assert not tell(lines.removeprefix("face-down\n"), HOIANA).own("Ann").may_request_squeeze
    assert (
        not tell(lines + "Ann: asks to squeeze\nDealer: closes betting\nDealer: draws ?\n", HOIANA)
        .own("Ann")
        .may_request_squeeze
    )
    assert not tell(lines + "Pit Manager: forbids squeezing\n", HOIANA).own("Ann").may_request_squeeze


def test_a_patron_knows_that_a_hand_comes_to_them_and_that_the_device_is_theirs() -> None:
    story = tell("method A\nautomatic none\n" + ROUND)
    assert (story.own("Ann").squeeze, story.own("Bob").squeeze) == ((Hand.PLAYER,), ())
    device = "area high-limit\ndevice card-reading\nmethod C\n" + BETTING + "Ann: takes the device\n"
    assert (tell(device).own("Ann").controls_device, tell(device).own("Bob").controls_device) == (True, False)


def test_a_patron_knows_when_the_device_may_be_taken() -> None:
    def may_take(lines: str) -> tuple[bool, bool]:
        story = tell(f"area high-limit\ndevice card-reading\nmethod C\n{lines}")
        return story.own("Ann").may_take_device, story.own("Bob").may_take_device

    betting = PATRONS + "Dealer: opens betting\nAnn: 600 on player at 1\nBob: 20 on tie at 2\n"
    assert may_take(betting) == (True, False)
    assert may_take(betting + "Assistant Casino Manager: permits Bob to draw\n") == (True, True)
    assert may_take(betting + "Ann: takes the device\n") == (False, False)
    assert may_take(betting + "Pit Manager: pauses the table because of a fire alarm\n") == (False, False)
    assert may_take(betting + "Dealer: reports not-covered because so\n") == (False, False)
    drawing = betting + "Ann: takes the device\nDealer: closes betting\nAnn: draws 9\n"
    assert may_take(drawing + "Ann: gives up the device\n") == (False, False)
    assert not tell(betting).own("Ann").may_take_device


def after(lines: str, viewer: Viewer, game: str = TIGER) -> dict[str, Section | None]:
    """The changes for a viewer when more is done."""
    start, more = tell(lines.partition("|")[0], game), tell(lines.replace("|", ""), game)
    first = show(start.watch.sources(start.table))
    return changes(view_of(first, viewer), view_of(show(more.watch.sources(more.table), first), viewer))


@pytest.mark.parametrize(
    ("viewer", "sections"),
    [
        (DISPLAY, {"totals"}),
        (patron_viewer("Bob"), {"totals", "own"}),
        (patron_viewer("Ann"), {"totals"}),
        (STAFF_VIEWER, {"totals", "wagers", "exposure"}),
    ],
)
def test_a_wager_changes_no_more_than_it_must(viewer: Viewer, sections: set[str]) -> None:
    lines = BETTING + "|Bob: 20 on tie at 2\n"
    assert set(after(lines, viewer)) == sections


def test_who_may_not_squeeze_is_told_at_once() -> None:
    lines = "face-down\n" + BETTING + "|Pit Manager: forbids Ann to squeeze\n"
    ann = after(lines, patron_viewer("Ann"), HOIANA)["own"]
    assert isinstance(ann, OwnSection)
    assert not ann.may_request_squeeze
    assert "own" not in after(lines, patron_viewer("Bob"), HOIANA)


MAY_COMPLAIN = (
    "patrons Ann at 1, Bob at 2\nAnn: disputes that\nPit Supervisor: escalates dispute 1\n"
    "Pit Manager: informs surveillance of dispute 1\n"
    "Pit Manager: gathers for dispute 1 from Ann that it was so\n"
    "Pit Manager: decides dispute 1 as no citing game-rules, operating-procedures, law lacking "
    "accounts-of-both-parties (none), surveillance-evidence (none), other-evidence (none)\n"
)


def test_a_patron_who_may_complain_sees_who_can_help() -> None:
    explains = "|Pit Manager: explains the right to complain in dispute 1\n"
    before = tell(MAY_COMPLAIN).seen_by(patron_viewer("Ann")).own
    assert before is not None
    assert before.helpers == ()
    ann = after(MAY_COMPLAIN + explains, patron_viewer("Ann"))["own"]
    assert isinstance(ann, OwnSection)
    assert ("Pit Manager", "pit-manager") in [(each.person, each.post) for each in ann.helpers]
    told = MAY_COMPLAIN + explains.removeprefix("|")
    comes = after(told + "|Eve: comes on duty as dealer\n", patron_viewer("Ann"))["own"]
    assert isinstance(comes, OwnSection)
    assert comes.helpers[-1].person == "Eve"
    assert "own" not in after(told + "|Eve: comes on duty as dealer\n", patron_viewer("Bob"))


ALONE = (
    "terminal\ntraining\npatrons Ann at 1\nDealer: goes off duty\nAnn: buys 1000 credits\n"
    "Table: opens betting\n"
)


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        ("", False),
        ("Ann: 100 on player at 1\n", True),
        ("Ann: 100 on player at 1\nAnn: takes 100 off player at 1\n", False),
        ("Ann: 100 on player at 1\nBob: comes to the table at 2\n", False),
        ("Ann: 100 on player at 1\nBob: comes to the table at 2\nBob: leaves the table\n", True),
        ("Ann: 100 on player at 1\nPit Manager: pauses the table because of an alarm\n", False),
        ("Ann: 100 on player at 1\nTable: closes betting\n", False),
        ("Ann: 100 on player at 1\nEve: comes on duty as dealer\n", None),
    ],
)
def test_a_patron_is_told_when_the_cards_can_be_had_at_once(lines: str, told: bool | None) -> None:
    story, before = tell(ALONE + lines), tell(ALONE)
    sources = replace(before.watch.sources(before.table), dealt_by_itself=True)
    first = show(sources)
    assert view_of(first, patron_viewer("Ann")).own is not None
    now = replace(story.watch.sources(story.table), dealt_by_itself=True)
    for shown in (show(now), show(now, first)):  # anew, and from what was shown before
        own = view_of(shown, patron_viewer("Ann")).own
        assert own is not None
        assert own.may_deal_now is told
    own = view_of(show(story.watch.sources(story.table)), patron_viewer("Ann")).own
    assert own is not None
    assert own.may_deal_now is None


def test_what_did_not_change_is_the_very_same_section() -> None:
    story = tell(BETTING)
    sources = story.watch.sources(story.table)
    first = show(sources)
    own, behind = view_of(first, patron_viewer("Ann")).own, first.staff
    again = show(replace(sources, table=replace(story.table)), first)
    for name in SECTIONS:
        assert getattr(again.staff, name) is getattr(behind, name)
    assert view_of(again, patron_viewer("Ann")).own is own
    assert changes(view_of(first, STAFF_VIEWER), view_of(again, STAFF_VIEWER)) == {}


def test_the_first_view_is_sent_whole_and_a_section_that_goes_is_sent_as_nothing() -> None:
    public = tell(BETTING).public
    own = tell(BETTING).seen_by(patron_viewer("Ann"))
    assert set(changes(None, public)) == set(PUBLIC_PARTS)
    assert changes(own, public) == {"own": None}
    assert msgspec.json.encode(SectionEncoder().encode(changes(own, public))) == b'{"own":null}'


def test_what_is_written_is_the_view_as_json() -> None:
    story, encoder = tell(ROUND), SectionEncoder()
    for viewer in (DISPLAY, STAFF_VIEWER, patron_viewer("Ann"), DISPLAY, patron_viewer("Bob")):
        view = story.seen_by(viewer)
        assert msgspec.json.encode(encoder.encode(changes(None, view))) == msgspec.json.encode(view)


def test_a_table_that_is_shut_shows_its_check_list_to_staff() -> None:
    desk = tell("equipment by hand\ntable shut\nDealer: ticks scoreboard\n", HOIANA).staff.desk
    assert desk is not None
    assert "scoreboard" not in desk.missing_equipment
    assert desk.missing_equipment
    assert tell("table shut\n").public.phase.phase is Phase.SHUT


def test_nobody_is_told_to_pay_a_wager_that_is_held() -> None:
    wagered = (
        "patrons Ann at 1, Bob at 2\nDealer: opens betting\nAnn: 100 on player at 1\n"
        "Bob: 100 on banker at 2\nDealer: closes betting\n"
    )
    hold = "Dealer with Pit Manager: holds player of Ann at 1 as suspected\n"
    void = "Dealer: draws 9\nDealer: reports foreign-card\nShift Manager: confirms\n"
    for lines in (f"{hold}Dealer: draws 9 2 K 5\n", f"Dealer: draws 9 2 K 5\n{hold}", f"{hold}{void}"):
        settlement = tell(wagered + lines, HOIANA).staff.settlement
        assert settlement is not None
        assert ([each.patron for each in settlement.lines], settlement.balances) == (["Bob"], True)


def test_only_the_patron_is_asked_about_credits_that_staff_cash_out() -> None:
    story = tell("patrons T1, T2\nT1: buys 900 credits\nDealer: cashes out 400 of T1\n", SUPER_SIX)
    asked, other = (story.seen_by(patron_viewer(name)).own for name in ("T1", "T2"))
    assert asked is not None
    assert asked.request == OwnRequest(1, MoneyAct.CASH_OUT, 40_000)
    assert other is not None
    assert other.request is None


def test_under_other_rules_every_section_is_made_again() -> None:
    story = tell(PATRONS + "Dealer: opens betting\n")
    assert story.watch.showing is not None
    before = story.watch.sources(story.table)
    kept, again = (
        show(replace(before, rulebook=rulebook), story.watch.showing).public.cards
        for rulebook in (before.rulebook, copy(before.rulebook))
    )
    assert kept is story.watch.showing.public.cards
    assert again is not kept
