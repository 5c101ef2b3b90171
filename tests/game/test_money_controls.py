"""Money outside a round: two people, as the house file says, and an alert until somebody else sees it."""

from typing import Any

import pytest
from msgspec.structs import replace
from story import HO, N4, NOW, S6, T3, asked, happened, refused, told

from thirdcard.cards import Card, Rank
from thirdcard.game import commands as cmd
from thirdcard.game import events as ev
from thirdcard.game.apply import apply_all
from thirdcard.game.decide import decide
from thirdcard.game.dispute_steps import AwardWay
from thirdcard.game.state import Table
from thirdcard.money import MOST_AMOUNT
from thirdcard.refusals import Refusal, Refused
from thirdcard.rulebook.house import House, MoneyAct, MoneyControl
from thirdcard.rulebook.irregularity import Situation
from thirdcard.rulebook.shelf import SHIPPED
from thirdcard.staff import Post

ALONE = 500_000  # up to 5,000.00 one person sells or cashes out credits, as the houses say
WITH_CREDITS = "patrons T1, T2\nT1: buys 9000 credits\n"
FELT = "patrons Ann at 1, Bob at 2\nDealer: opens betting\nAnn: 100 on player at 1\nDealer: closes betting\n"


def terminals() -> Table:
    return told(S6, WITH_CREDITS).table


def after(table: Table, body: cmd.Body, actor: str, second: str | None = None, game: str = S6) -> Table:
    events = asked(game, table, body, actor, second)
    assert not isinstance(events, Refused), events
    return apply_all(table, events)


def in_house(
    house: House, table: Table, body: cmd.Body, actor: str = "Dealer", second: str | None = None
) -> Any:
    book = SHIPPED.rulebook(S6)
    envelope = cmd.Envelope(actor=actor, received_at=NOW, command_id="c", authoriser=second)
    found = decide(book, house, table, cmd.Command(body, envelope))
    return found.reason if isinstance(found, Refused) else found


def house_with(*controls: MoneyControl) -> House:
    house = SHIPPED.house("marina-bay-sands")
    return replace(house, form=replace(house.form, controls=controls))


def sale(amount: int, terminal: str = "T2") -> cmd.BuyCredits:
    return cmd.BuyCredits(terminal=terminal, amount=amount)


# credits


def test_patron_at_the_own_terminal_needs_nobody() -> None:
    """Super Six 1.1.5."""
    table = after(terminals(), sale(MOST_AMOUNT, "T2"), "T2")
    assert table.credits_of("T2") == MOST_AMOUNT
    assert table.unseen == ()
    table = after(terminals(), cmd.CashOut(terminal="T1", amount=900_000), "T1")
    assert (table.credits_of("T1"), table.unseen) == (0, ())


def test_table_itself_is_nobody_whose_acts_somebody_must_see() -> None:
    table = terminals()
    table = after(table, sale(100), table.setup.table)
    assert (table.credits_of("T2"), table.unseen) == (100, ())


@pytest.mark.parametrize("actor", ["Tom", "Dealer", "Pit Manager", "Gaming Shift Manager"])
def test_one_person_sells_credits_only_up_to_the_amount(actor: str) -> None:
    assert refused(S6, terminals(), sale(ALONE + 1), actor).reason is Refusal.SECOND_PERSON_NEEDED
    table = after(terminals(), sale(ALONE), actor)
    assert table.credits_of("T2") == ALONE


def test_small_sales_that_nobody_has_seen_count_together() -> None:
    table = after(terminals(), sale(300_000), "Tom")
    assert refused(S6, table, sale(200_001, "T1"), "Tom").reason is Refusal.SECOND_PERSON_NEEDED
    table = after(table, sale(200_000, "T1"), "Tom")
    assert refused(S6, table, sale(1), "Tom").reason is Refusal.SECOND_PERSON_NEEDED
    assert not isinstance(asked(S6, table, sale(1), "Dealer"), Refused)
    for act in table.unseen:
        table = after(table, cmd.AcknowledgeAlert(sequence=1, act=act.id), "Pit Supervisor")
    assert table.unseen == ()
    assert not isinstance(asked(S6, table, sale(ALONE), "Tom"), Refused)


def test_second_person_has_the_post_that_the_house_names() -> None:
    body = sale(ALONE + 1)
    table = told(S6, WITH_CREDITS + "Zed: comes on duty as dealer\n").table
    assert refused(S6, table, body, "Tom", "Zed").reason is Refusal.NOT_AUTHORISED
    assert refused(S6, table, body, "Dealer", "Zed").params == (("post", "@post.pit-supervisor"),)
    assert refused(S6, table, body, "Tom", "Tom").reason is Refusal.SECOND_PERSON_NEEDED
    assert refused(S6, table, body, "Tom", "Nobody").reason is Refusal.SECOND_PERSON_NEEDED
    (bought,) = asked(S6, table, body, "Tom", "Pit Supervisor")
    assert (bought.by, bought.second) == ("Tom", "Pit Supervisor")
    assert not isinstance(asked(S6, table, body, "Pit Manager", "Dealer"), Refused)


def test_patron_confirms_at_the_terminal_what_staff_cash_out() -> None:
    table = after(terminals(), cmd.CashOut(terminal="T1", amount=ALONE), "Tom")
    assert (table.credits_of("T1"), table.unseen) == (900_000, ())
    (request,) = table.credit_requests
    confirm = cmd.ConfirmCredits(id=request.id, agrees=True)
    for actor in ("Tom", "T2", "Dealer"):
        assert refused(S6, table, confirm, actor).reason is Refusal.NOT_AWAITED
    table = after(table, confirm, "T1")
    assert (table.credits_of("T1"), table.credit_requests) == (400_000, ())
    (act,) = table.unseen
    assert (act.act, act.by, act.patron, act.amount) == (MoneyAct.CASH_OUT, "Tom", "T1", ALONE)


def test_patron_may_decline_what_staff_want_to_cash_out() -> None:
    table = after(terminals(), cmd.CashOut(terminal="T1", amount=1), "Tom")
    table = after(table, cmd.ConfirmCredits(id=1, agrees=False), "T1")
    assert (table.credits_of("T1"), table.credit_requests, table.unseen) == (900_000, (), ())
    assert refused(S6, table, cmd.ConfirmCredits(id=1, agrees=True), "T1").reason is Refusal.NOT_AWAITED


def test_later_request_takes_the_place_of_an_earlier_one() -> None:
    table = after(terminals(), cmd.CashOut(terminal="T1", amount=1), "Tom")
    table = after(table, cmd.CashOut(terminal="T1", amount=2), "Tom")
    assert [(each.id, each.amount) for each in table.credit_requests] == [(2, 2)]
    assert refused(S6, table, cmd.ConfirmCredits(id=1, agrees=True), "T1").reason is Refusal.NOT_AWAITED


def test_credits_that_are_gone_are_not_confirmed() -> None:
    table = after(terminals(), cmd.CashOut(terminal="T1", amount=900_000), "Tom", "Pit Manager")
    table = replace(table, credits=())
    assert refused(S6, table, cmd.ConfirmCredits(id=1, agrees=True), "T1").reason is Refusal.CREDITS_SHORT


def test_what_waits_for_a_patron_counts_as_moved_alone() -> None:
    story = WITH_CREDITS + "T2: buys 9000 credits\n"
    table = after(told(S6, story).table, cmd.CashOut(terminal="T1", amount=ALONE), "Tom")
    more = refused(S6, table, cmd.CashOut(terminal="T2", amount=1), "Tom")
    assert more.reason is Refusal.SECOND_PERSON_NEEDED


def test_two_people_cash_out_what_a_patron_left() -> None:
    table = told(S6, WITH_CREDITS + "T1: leaves the table\n").table
    body = cmd.CashOut(terminal="T1", amount=100)
    assert refused(S6, table, body, "Tom").reason is Refusal.SECOND_PERSON_NEEDED
    assert after(table, body, "Tom", "Pit Supervisor").credits_of("T1") == 899_900


def test_patron_who_leaves_is_asked_no_more() -> None:
    table = after(terminals(), cmd.CashOut(terminal="T1", amount=1), "Tom")
    assert after(table, cmd.LeaveTable(patron="T1"), "T1").credit_requests == ()


def test_terminal_never_has_more_credits_than_every_reader_keeps_whole() -> None:
    table = after(terminals(), sale(MOST_AMOUNT - 900_000, "T1"), "T1")
    assert table.credits_of("T1") == MOST_AMOUNT < 2**53
    assert refused(S6, table, sale(1, "T1"), "T1").reason is Refusal.TOO_MANY_CREDITS


def test_house_can_have_the_patron_confirm_a_sale() -> None:
    house = house_with(MoneyControl(MoneyAct.BUY_IN, Post("pit-supervisor"), above="100", patron=True))
    (asks,) = in_house(house, terminals(), sale(10_000), "Tom")
    table = apply_all(terminals(), (asks,))
    (bought,) = in_house(house, table, cmd.ConfirmCredits(id=1, agrees=True), "T2")
    assert (bought.terminal, bought.amount, bought.by) == ("T2", 10_000, "Tom")


def test_house_can_ask_for_a_reason() -> None:
    house = house_with(MoneyControl(MoneyAct.BUY_IN, Post("pit-supervisor"), above="5000", reason=True))
    assert in_house(house, terminals(), sale(1), "Tom") is Refusal.REASON_NEEDED
    assert in_house(house, terminals(), replace(sale(1), reason=" . "), "Tom") is Refusal.REASON_NEEDED
    (bought,) = in_house(house, terminals(), replace(sale(1), reason=" new chips "), "Tom")
    assert bought.reason == "new chips"


@pytest.mark.parametrize("act", [each for each in MoneyAct if each is not MoneyAct.RULING])
def test_act_that_a_house_does_not_name_takes_two_people_always(act: MoneyAct) -> None:
    house = house_with()
    control = house.control(act)
    assert house.most_alone(control) == 0
    assert control.post == house.form.alarms_acknowledged_by
    assert control.patron is (act is MoneyAct.CASH_OUT)
    assert in_house(house, terminals(), sale(1), "Tom") is Refusal.SECOND_PERSON_NEEDED


# what lay on the felt

FOUND = cmd.FindWager(patron="Bob", wager="player", amount=5000, position=2, reason="seen by both")
WRONG = cmd.CorrectWager(patron="Ann", wager="player", amount=10000, position=1, reason="seen by both")
CARD = cmd.CorrectCard(number=1, card=Card(Rank.ACE), reason="seen by both")


@pytest.mark.parametrize("game", [T3, HO, N4])
@pytest.mark.parametrize("body", [FOUND, WRONG, CARD], ids=lambda body: type(body).__name__)
def test_entry_is_put_right_by_two_with_a_reason(game: str, body: cmd.FindWager | cmd.CorrectWager) -> None:
    table = told(game, FELT + "Zed: comes on duty as dealer\nDealer: draws K\n").table
    assert refused(game, table, body, "Dealer").reason is Refusal.SECOND_PERSON_NEEDED
    assert refused(game, table, body, "Dealer", "Zed").reason is Refusal.NOT_AUTHORISED
    without = replace(body, reason=" ")
    assert refused(game, table, without, "Dealer", "Pit Supervisor").reason is Refusal.REASON_NEEDED
    done = after(table, body, "Dealer", "Pit Supervisor", game)
    assert done.unseen[-1].people == ("Dealer", "Pit Supervisor")


def test_wrong_payment_is_told_by_two_of_whom_one_has_the_post() -> None:
    """Super Six has no clause for it."""
    lines = "patrons T1\nZed: comes on duty as dealer\nT1: buys 100 credits\nDealer: opens betting\n"
    lines += "T1: 50 on player\nDealer: closes betting\nDealer: draws 9 2 K 5\n"
    table = told(S6, lines).table
    body = cmd.ReportIrregularity(situation=Situation.WRONG_PAYMENT, patron="T1", amount=1000)
    assert refused(S6, table, body, "Dealer").reason is Refusal.SECOND_PERSON_NEEDED
    assert refused(S6, table, body, "Dealer", "Zed").reason is Refusal.NOT_AUTHORISED
    assert not isinstance(asked(S6, table, body, "Dealer", "Pit Supervisor"), Refused)


# who has seen it


def test_nobody_acknowledges_the_own_act() -> None:
    table = after(told(T3, FELT).table, FOUND, "Dealer", "Pit Supervisor", T3)
    seen = cmd.AcknowledgeAlert(sequence=9, act=1)
    assert refused(T3, table, seen, "Pit Supervisor").reason is Refusal.OWN_ACT
    assert refused(T3, table, seen, "Dealer", "Pit Manager").reason is Refusal.OWN_ACT
    assert refused(T3, table, seen, "Pit Manager", "Dealer").reason is Refusal.OWN_ACT
    assert after(table, seen, "Pit Manager", game=T3).unseen == ()
    other = cmd.AcknowledgeAlert(sequence=9, act=2)
    assert refused(T3, table, other, "Pit Manager").reason is Refusal.NOT_AWAITED


def test_alert_without_money_is_acknowledged_as_before() -> None:
    table = after(told(T3, FELT).table, cmd.AcknowledgeAlert(sequence=3), "Pit Supervisor", game=T3)
    assert table.unseen == ()


def test_more_of_the_same_is_acknowledged_only_as_it_is_by_now() -> None:
    table = after(terminals(), sale(100), "Tom")
    table = after(table, sale(200), "Tom")
    (act,) = table.unseen
    assert (act.id, act.amount, act.times) == (2, 300, 2)
    stale = cmd.AcknowledgeAlert(sequence=1, act=1)
    assert refused(S6, table, stale, "Pit Manager").reason is Refusal.NOT_AWAITED


# what a post decides

REFERRED = FELT + "Dealer: draws 9\nDealer: reports not-covered because so\n"


@pytest.mark.parametrize(
    ("game", "post"), [(T3, "Gaming Shift Manager"), (HO, "Assistant Director of Gaming Operations")]
)
def test_post_of_a_clause_decides_alone_and_is_seen(game: str, post: str) -> None:
    """MBS 6.1, Hoiana 7.20: stakes that go back by one person's word are an alert, and wait for nobody."""
    table = told(game, REFERRED + f"{post}: rules void-round because of rain\n").table
    (act,) = table.unseen
    assert (act.act, act.people) == (MoneyAct.RULING, (post,))


def test_ruling_that_two_stand_for_is_no_such_alert() -> None:
    table = told(T3, REFERRED + "Dealer with Gaming Shift Manager: rules void-round because of rain\n").table
    assert table.unseen == ()


def test_payment_that_one_post_decides_is_seen() -> None:
    """MBS 6.1."""
    story = told(T3, REFERRED + "Gaming Shift Manager: rules pay paying Ann 20 because of rain\n")
    paid = happened(story, ev.PaymentCorrected)
    assert [each.amount for each in paid] == [-2000]
    assert [(each.act, each.by, each.amount) for each in story.table.unseen] == [
        (MoneyAct.PAYMENT, "Gaming Shift Manager", 2000)
    ]


# awards

HOIANA_DISPUTE = """
patrons Ann at 1
Dealer: opens betting
Ann: 100 on player at 1
Dealer: closes betting
Dealer: draws 9 2 K 5
"""


def disputed(opened_by: str) -> Table:
    """A dispute of Ann at Hoiana with all that a decision needs."""
    table = told(HO, HOIANA_DISPUTE).table
    steps: tuple[tuple[cmd.Body, str], ...] = (
        (cmd.OpenDispute(patron="Ann", about="a card", round=1), opened_by),
        (cmd.EscalateDispute(id=1), "Pit Supervisor"),
        (cmd.InformSurveillance(id=1), "Pit Manager"),
        (
            cmd.GatherInformation(id=1, what="lost", given_by="Ann", source="accounts-of-both-parties"),
            "Pit Manager",
        ),
        (
            cmd.GatherInformation(id=1, what="won", given_by="Dealer", source="accounts-of-both-parties"),
            "Pit Manager",
        ),
        (
            cmd.GatherInformation(id=1, what="film", given_by="CCTV", source="surveillance-evidence"),
            "Pit Manager",
        ),
        (cmd.GatherInformation(id=1, what="none", given_by="CCTV", source="other-evidence"), "Pit Manager"),
    )
    for body, actor in steps:
        table = after(table, body, actor, game=HO)
    return table


def decision(award: int) -> cmd.DecideDispute:
    dispute = SHIPPED.rulebook(HO).document.dispute
    assert dispute is not None
    return cmd.DecideDispute(
        id=1, decision="paid", sources=tuple(each.id for each in dispute.source), award=award
    )


def test_award_of_a_named_post_is_seen_and_waits_for_nobody() -> None:
    """Hoiana 8.4."""
    table = after(disputed("Ann"), decision(5000), "Pit Manager", game=HO)
    (act,) = table.unseen
    assert (act.act, act.patron, act.amount, act.people) == (MoneyAct.AWARD, "Ann", 5000, ("Pit Manager",))


def test_decision_without_an_award_moves_nothing() -> None:
    assert after(disputed("Ann"), decision(0), "Pit Manager", game=HO).unseen == ()


def test_whoever_opened_a_dispute_for_a_patron_does_not_decide_it() -> None:
    table = disputed("Pit Manager")
    assert refused(HO, table, decision(5000), "Pit Manager").reason is Refusal.OPENED_THE_DISPUTE
    assert not isinstance(asked(HO, table, decision(5000), "Shift Manager"), Refused)


def test_award_is_paid_by_two_and_seen_by_a_third() -> None:
    table = after(disputed("Ann"), decision(5000), "Pit Manager", game=HO)
    pays = cmd.PayAward(id=1, way=AwardWay.PAYOUT, to="Ann", how="chips")
    for alone in ("Pit Manager", "Shift Manager"):
        assert refused(HO, table, pays, alone).reason is Refusal.SECOND_PERSON_NEEDED
    table = after(table, pays, "Pit Manager", "Dealer", HO)
    assert [each.act for each in table.unseen] == [MoneyAct.AWARD, MoneyAct.AWARD_PAYMENT]
    assert table.unseen[-1].people == ("Pit Manager", "Dealer")


def test_whoever_decided_never_pays_alone() -> None:
    """Whatever a house lets one person pay."""
    house = SHIPPED.house("hoiana")
    control = MoneyControl(MoneyAct.AWARD_PAYMENT, Post("pit-manager"), above="1000")
    house = replace(house, form=replace(house.form, controls=(control,)))
    table = after(disputed("Ann"), decision(5000), "Pit Manager", game=HO)
    pays = cmd.PayAward(id=1, way=AwardWay.PAYOUT, to="Ann", how="chips")

    def paid(actor: str) -> object:
        envelope = cmd.Envelope(actor=actor, received_at=NOW, command_id="c")
        return decide(SHIPPED.rulebook(HO), house, table, cmd.Command(pays, envelope))

    own = paid("Pit Manager")
    assert isinstance(own, Refused)
    assert own.reason is Refusal.SECOND_PERSON_NEEDED
    assert not isinstance(paid("Shift Manager"), Refused)


# names


@pytest.mark.parametrize("name", ["ANN", "Ａnn"])
def test_patrons_whose_names_look_alike_do_not_sit_together(name: str) -> None:
    table = told(T3, FELT).table
    body = cmd.ComeToTable(patron=name, position=3)
    assert refused(T3, table, body).reason is Refusal.NAME_TAKEN
    assert not isinstance(asked(T3, table, cmd.ComeToTable(patron="Ann", position=3)), Refused)
