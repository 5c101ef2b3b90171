"""Disputes in the browser: resolved at the first level, complained about after closing, awarded and paid."""

import re

from playwright.sync_api import Locator
from screens.browser import Screen
from screens.conftest import Visit
from screens.dealing import A_CODE, Table, felt
from screens.disputing import approve, asked_for, decides, takes_down
from screens.floors import GAMES
from screens.patrons import Patron
from server.served import Server

HOIANA = ("resolved", "complained", "handed", "blank", "gone", "long-ago")
AT_TERMINALS = ("credited", "in-part", "at-any-time")


TABLES = "".join(
    (
        *(felt(name, GAMES["hoiana-tiger"]) for name in HOIANA),
        *(felt(name, GAMES["super-six"], "terminal = true") for name in AT_TERMINALS),
        felt("coming", GAMES["hoiana-tiger"], "terminal = true"),
        felt("courtesy", GAMES["tiger"]),
    )
)


def dealt(visit: Visit, house: Server, name: str, *patrons: str) -> Table:
    """A table with a dealer, some patrons and a round behind it."""
    dealer = visit(None, at=house, post="dealer")
    return Table(dealer, name).staffed().opened().seated(*patrons)


def pit_at(visit: Visit, house: Server, name: str, post: str) -> Screen:
    """The console of somebody who is on duty at a table."""
    pit = visit(f"/pit?table={name}", at=house, post=post)
    pit.button("Come on duty").click()
    pit.page.get_by_role("article").get_by_text("on duty:").wait_for()
    return pit


def on_duty(visit: Visit, house: Server, name: str, *posts: str) -> None:
    """Have others come on duty who approve something, each once: a code of a second factor is good once."""
    for post in posts:
        Table(visit(None, at=house, post=post), name).staffed(post=post)


def dispute(pit: Screen, number: int, patron: str) -> Locator:
    """A dispute at the console."""
    return pit.page.get_by_role("region", name=f"Dispute {number} of {patron}")


def test_the_first_level_resolves_a_dispute(visit: Visit, house: Server) -> None:
    here = dealt(visit, house, "resolved", "Ann", "Bob").round()
    pit = pit_at(visit, house, "resolved", "pit-supervisor")
    on_duty(visit, house, "resolved", "assistant-director")
    pit.page.get_by_role("region", name="Disputes").get_by_role("button", name="Open a dispute").click()
    asked = pit.page.get_by_role("dialog", name="Open a dispute")
    asked.get_by_label("Patron").select_option("Ann")
    asked.get_by_label("Round").select_option("1")
    asked.get_by_label("What it is about").fill("I said Banker")
    asked.get_by_role("button", name="Open a dispute").click()
    one = dispute(pit, 1, "Ann")
    one.get_by_text("I said Banker").wait_for()
    one.get_by_text("Dealer Inspector or Pit Supervisor").first.wait_for()  # either of them, by 8.1
    deciding = decides(pit, one, "Banker was said after the call")
    pit.says("opened this dispute, or complained in it, for the patron")
    assert deciding.get_by_label("Decision").input_value() == "Banker was said after the call"  # it stays
    deciding.get_by_role("button", name="Close").click()
    here.do("open-dispute", patron="Bob", about="The call was late", round=1)
    # whoever opened it does not decide it; the Dealer opened this one, and the Pit Supervisor decides
    two = dispute(pit, 2, "Bob")
    takes_down(pit, two, "nobody had called", "Bob", "accounts of both parties")
    takes_down(pit, two, "it came in time", "Dealer", "accounts of both parties")
    decides(pit, two, "The call came in time")
    two.get_by_text("The call came in time").wait_for()
    two.get_by_role("button", name="Patron agrees").click()
    approve(pit, "Assistant Director of Gaming Operations")  # who decided is not the only witness
    two.get_by_role("button", name="Close the dispute").click()
    two.get_by_text("closed").wait_for()
    assert two.get_by_role("list", name="Left to do").count() == 0


def test_a_complaint_after_the_closing_is_answered(visit: Visit, house: Server) -> None:
    here = dealt(visit, house, "complained", "Ann").round()
    here.do("open-dispute", patron="Ann", about="I wanted my seat", round=1)
    pit = pit_at(visit, house, "complained", "pit-manager")
    on_duty(visit, house, "complained", "shift-manager")
    one = dispute(pit, 1, "Ann")
    one.get_by_role("button", name="Send to the next level").click()
    left = one.get_by_role("list", name="Left to do")
    left.get_by_text("Inform surveillance").first.wait_for()
    one.get_by_role("button", name="Inform surveillance").click()
    one.get_by_role("button", name="Not possible").click()
    dialog = pit.page.get_by_role("dialog", name="Not possible")
    dialog.get_by_label("Why").fill("the pictures must be found")
    dialog.get_by_role("button", name="Not possible").click()
    one.get_by_text("the pictures must be found").wait_for()
    takes_down(pit, one, "she sat there first", "Ann", "accounts of both parties")
    takes_down(pit, one, "the seat was kept", "Dealer", "accounts of both parties")
    decides(pit, one, "The seat was kept")
    one.get_by_role("button", name="Patron disagrees").click()
    approve(pit, "Shift Manager")
    one.get_by_role("button", name="Close the dispute").click()
    pit.says("told of the right to complain")
    one.get_by_role("button", name="Tell the patron of the right to complain").click()
    one.get_by_role("button", name="Tell the patron of the right to complain").wait_for(state="detached")
    one.get_by_role("button", name="Close the dispute").click()
    one.get_by_text("closed").wait_for()
    one.get_by_role("button", name="File a complaint").click()
    dialog = pit.page.get_by_role("dialog", name="File a complaint")
    dialog.get_by_label("Complaint").fill("The pictures were not shown")
    dialog.get_by_label("Who helped to write it").select_option("pit-manager")
    dialog.get_by_role("button", name="File a complaint").click()
    one.get_by_text("The pictures were not shown").wait_for()
    one.get_by_role("button", name="Receive the complaint").click()
    asked_for(pit).get_by_role("button", name="Not now").click()  # only Senior Management receives it
    senior = pit_at(visit, house, "complained", "senior-management")
    hers = dispute(senior, 1, "Ann")
    hers.get_by_role("button", name="Receive the complaint").click()
    hers.get_by_role("button", name="Answer the complaint").click()
    dialog = senior.page.get_by_role("dialog", name="Answer the complaint")
    dialog.get_by_label("Answer", exact=True).fill("We are sorry")
    dialog.get_by_role("button", name="Answer the complaint").click()
    one.get_by_text("We are sorry").wait_for()


def test_an_award_is_paid_to_credits_and_confirmed(visit: Visit, house: Server) -> None:
    here = dealt(visit, house, "credited")
    patron = Patron(visit, house, "credited", 1).sit()
    here.do("open-betting")
    patron.betting()
    patron.wagers("Tie", "100")
    here.do("close-betting")
    here.draws("9H 2D KS 5C")
    here.do("call-outcome", winner="player")
    patron.screen.until(lambda: patron.own()["credits"] == 90_000)
    patron.screen.button("Disputes").click()
    dialog = patron.page.get_by_role("dialog")
    assert dialog.get_by_label("Which round?").input_value() == "1"
    dialog.get_by_label("Which wager?").select_option("tie")
    dialog.get_by_label("What do you disagree with?").fill("I saw a tie")
    dialog.get_by_role("button", name="Open a dispute").click()
    dialog.get_by_role("heading", name="Dispute 1").wait_for()
    pit = pit_at(visit, house, "credited", "pit-supervisor")
    on_duty(visit, house, "credited", "pit-manager", "gaming-shift-manager")
    one = dispute(pit, 1, patron.name)
    decides(pit, one, "A courtesy", award="20")
    asked_for(pit).get_by_text(re.compile(r"Decide dispute 1: A courtesy \(award SGD.20\.00\)")).wait_for()
    approve(pit, "Pit Manager")
    dialog.get_by_text("It is not paid yet.").wait_for()
    assert patron.own()["credits"] == 90_000
    glance = visit("/pit", at=house, post="pit-manager")
    glance.page.get_by_role("region", name="Needs attention").get_by_text("Pay the award").wait_for()
    one.get_by_role("button", name="Pay to the credits").click()
    approve(pit, "Gaming Shift Manager")
    patron.screen.until(lambda: patron.own()["credits"] == 92_000)
    dialog.get_by_role("button", name="I have received SGD 20.00").click()
    dialog.get_by_text("You have received it.").wait_for()
    one.get_by_text("patron has it").wait_for()
    dialog.get_by_role("button", name="I do not agree").click()
    dialog.get_by_text("You did not agree.").wait_for()
    auditor = visit(None, at=house, post="auditor")
    meters = auditor.ask("/tables/credited/meters", "staff")
    for meter in (meters["table"], meters["patrons"][patron.name], meters["wagers"]["tie"]):
        assert (meter["awarded"], meter["credited"]) == (2_000, 2_000)
    rounds = auditor.ask("/tables/credited/rounds?disputed=1", "staff")["rounds"]
    assert [each["number"] for each in rounds] == [1]


def test_a_patron_disputes_during_a_case_and_during_a_pause(visit: Visit, house: Server) -> None:
    """A dispute waits for nothing, and belongs to the round that it is about."""
    here = dealt(visit, house, "at-any-time").round()
    patron = Patron(visit, house, "at-any-time", 1).sit()
    here.do("open-betting")
    patron.betting()
    patron.wagers("Player", "100")
    here.do("close-betting")
    here.draws("9H 2D")
    here.do("report-irregularity", situation="foreign-card")
    patron.screen.button("Disputes").click()
    dialog = patron.page.get_by_role("dialog")
    dialog.get_by_label("Which round?").select_option("2")
    dialog.get_by_label("What do you disagree with?").fill("the card is not foreign")
    dialog.get_by_role("button", name="Open a dispute").click()
    dialog.get_by_role("heading", name="Dispute 1").wait_for()
    here.do("pause-table", reason="a lamp is changed")
    dialog.get_by_label("What do you disagree with?").fill("why do we wait")
    dialog.get_by_label("Which round?").select_option("0")
    dialog.get_by_role("button", name="Open a dispute").click()
    dialog.get_by_role("heading", name="Dispute 2").wait_for()
    assert patron.screen.flaws() == []
    disputes = [each["dispute"] for each in here.view["disputes"]["disputes"]]
    assert [(each["patron"], each["round"]) for each in disputes] == [(patron.name, 2), (patron.name, 0)]
    pit = pit_at(visit, house, "at-any-time", "pit-supervisor")
    dispute(pit, 1, patron.name).get_by_text("the card is not foreign").wait_for()


def test_an_award_is_handed_over_by_a_named_payout(visit: Visit, house: Server) -> None:
    here = dealt(visit, house, "handed", "Ann").round()
    here.do("open-dispute", patron="Ann", about="My tie was swept away", round=1, wager="tie")
    pit = pit_at(visit, house, "handed", "pit-supervisor")
    on_duty(visit, house, "handed", "senior-management")
    one = dispute(pit, 1, "Ann")
    decides(pit, one, "Paid again", award="80")
    one.get_by_role("button", name="Pay out").click()
    dialog = pit.page.get_by_role("dialog", name="Pay out")
    assert dialog.get_by_label("Paid to").input_value() == "Ann"
    dialog.get_by_label("How").fill("in chips at the table")
    dialog.get_by_role("button", name="Pay out").click()
    approve(pit, "Senior Management")
    one.get_by_text(
        re.compile("paid to Ann, in chips at the table.*by Pit Supervisor and Senior Management", re.DOTALL)
    ).first.wait_for()
    one.get_by_role("button", name="Patron has it").click()
    asked_for(pit).get_by_role("button", name="Not now").click()  # by somebody who neither decided nor paid
    here.do("confirm-receipt", id=1, confirmed_by="Ann")
    one.get_by_text("patron has it").wait_for()


def test_a_second_person_comes_on_duty_with_the_approval(visit: Visit, house: Server) -> None:
    """Nothing that was typed is lost, and only posts of this house are offered."""
    dealt(visit, house, "courtesy", "Ann").round().do("open-dispute", patron="Ann", about="slow", round=1)
    pit = pit_at(visit, house, "courtesy", "pit-supervisor")
    one = dispute(pit, 1, "Ann")
    deciding = decides(pit, one, "A courtesy", award="20")
    approval = asked_for(pit)
    posts = approval.get_by_role("group").get_by_role("button")
    posts.first.wait_for()
    offered = posts.all_inner_texts()
    assert "Gaming Shift Manager" in offered
    assert not {"Dealer Inspector", "Shift Manager", "Senior Management"} & {*offered}
    approval.get_by_label("Name").fill("pit-manager")
    approval.get_by_label("Password").fill("wrong")
    approval.get_by_role("button", name="Approve").click()
    approval.get_by_text("Name, password or code is wrong").wait_for()
    approval.get_by_role("button", name="Not now").click()
    assert deciding.get_by_label("Decision").input_value() == "A courtesy"
    deciding.get_by_role("button", name="Decide").click()
    asked_for(pit).get_by_label("Name").fill("gaming-shift-manager")
    approval.get_by_text("brings this person on duty").wait_for()
    house.move(A_CODE)
    approve(pit, "Gaming Shift Manager")
    deciding.wait_for(state="hidden")
    one.get_by_text("Pit Supervisor and Gaming Shift Manager").wait_for()


def test_blank_texts_are_not_sent_and_long_ones_stay_short(visit: Visit, house: Server) -> None:
    here = dealt(visit, house, "blank", "Ann").round()
    refused = here.send("open-dispute", patron="Ann", about="\t ", round=1)
    assert refused["reason"] == "text-needed"
    assert here.send("open-dispute", patron="Ann", about="x" * 3000)["reason"] == "text-too-long"
    here.do("open-dispute", patron="Ann", about="  It was slow. " + "Very slow. " * 80, round=1)
    pit = pit_at(visit, house, "blank", "pit-manager")
    one = dispute(pit, 1, "Ann")
    assert one.locator("blockquote").inner_text().startswith("It was slow. Very slow.")
    alert = pit.page.get_by_role("region", name="Alerts").get_by_text("Dispute 1 of Ann")
    assert len(alert.inner_text()) < 200
    one.get_by_role("button", name="Send to the next level").click()
    one.get_by_role("button", name="Take down information").click()
    dialog = pit.page.get_by_role("dialog", name="Take down information")
    dialog.get_by_label("What is known").fill("   ")
    assert dialog.get_by_role("button", name="Take down information").is_disabled()
    dialog.get_by_role("button", name="Cancel").click()
    one.get_by_role("button", name="Give a time frame").click()
    dialog = pit.page.get_by_role("dialog", name="Give a time frame")
    dialog.get_by_label("The patron gets an answer in").fill("yesterday")
    assert dialog.get_by_role("button", name="Give a time frame").is_disabled()
    dialog.get_by_label("The patron gets an answer in").fill("91")
    dialog.get_by_label("Minutes, hours or days").select_option("days")
    dialog.get_by_role("button", name="Give a time frame").click()
    pit.says("Say in how many minutes the patron gets an answer")
    dialog.get_by_label("The patron gets an answer in").fill("2")
    dialog.get_by_role("button", name="Give a time frame").click()
    dialog.wait_for(state="hidden")
    one.get_by_role("button", name="Inform surveillance").click()
    one.get_by_text("by Pit Manager").wait_for()


def test_an_award_that_is_paid_in_part_says_what_is_open(visit: Visit, house: Server) -> None:
    here = dealt(visit, house, "in-part")
    patron = Patron(visit, house, "in-part", 1).sit()
    here.round()
    patron.screen.button("Disputes").click()
    dialog = patron.page.get_by_role("dialog")
    dialog.get_by_label("What do you disagree with?").fill("   ")
    assert dialog.get_by_role("button", name="Open a dispute").is_disabled()
    dialog.get_by_label("What do you disagree with?").fill("It was slow")
    dialog.get_by_role("button", name="Open a dispute").click()
    pit = pit_at(visit, house, "in-part", "pit-manager")
    one = dispute(pit, 1, patron.name)
    decides(pit, one, "A courtesy", award="20")
    house.move(A_CODE)
    approve(pit, "Gaming Shift Manager")
    one.get_by_role("button", name="Pay to the credits").click()
    house.move(A_CODE)
    approve(pit, "Gaming Shift Manager")
    dialog.get_by_role("button", name="I have received SGD 20.00").click()
    dialog.get_by_role("button", name="I do not agree").click()
    one.get_by_role("button", name="Send to the next level").click()
    one.get_by_role("button", name="Inform surveillance").click()
    takes_down(pit, one, "an hour passed", patron.name, "accounts of both parties")
    deciding = decides(pit, one, "More of it")
    pit.says("Somebody else takes the complaint about it, or decides anew")
    deciding.get_by_role("button", name="Close").click()
    shift = visit("/pit?table=in-part", at=house, post="gaming-shift-manager")  # on duty since the approval
    on_duty(visit, house, "in-part", "assistant-casino-manager")
    decides(shift, dispute(shift, 1, patron.name), "More of it", award="30")
    approve(shift, "Assistant Casino Manager")
    dialog.get_by_text("SGD 20.00 is paid, SGD 10.00 is not paid yet.").wait_for()
    assert dialog.get_by_role("button", name="I have received").count() == 0
    award = one.locator(".award").inner_text().replace("\xa0", " ")
    assert award.startswith("Awarded: SGD 30.00 · SGD 20.00 paid to the credits")
    assert award.endswith("patron has it · SGD 10.00 not paid yet")
    assert pit.grave_findings() == []


def test_somebody_who_has_left_disputes_the_round_that_takes_wagers(visit: Visit, house: Server) -> None:
    """At Hoiana a round begins with its first card (2.2.13); a dispute may be about it before."""
    here = dealt(visit, house, "gone", "Ann", "Bob").round()
    here.do("leave-table", patron="Bob")
    here.do("open-betting")
    pit = pit_at(visit, house, "gone", "pit-supervisor")
    pit.page.get_by_role("region", name="Disputes").get_by_role("button", name="Open a dispute").click()
    asked = pit.page.get_by_role("dialog", name="Open a dispute")
    assert asked.get_by_label("Round").input_value() == "1"
    asked.get_by_label("Patron").select_option(label="Somebody who has left")
    asked.get_by_label("Round").select_option("2")
    asked.get_by_label("What it is about").fill("My chips were moved")
    asked.get_by_text("Say whose dispute it is.").wait_for()
    assert asked.get_by_role("button", name="Open a dispute").is_disabled()
    asked.get_by_label("Name of who has left").fill("Bob")
    asked.get_by_role("button", name="Open a dispute").click()
    dispute(pit, 1, "Bob").get_by_text("My chips were moved").wait_for()
    dealer = visit("/dealer?table=gone", at=house, post="dealer")
    dealer.page.get_by_role("button", name=re.compile("Ann")).click()
    sheet = dealer.page.get_by_role("dialog", name="Ann")
    sheet.get_by_label("Round").select_option("2")
    sheet.get_by_label("Disputes something").fill("The call was early")
    sheet.get_by_role("button", name="Record the dispute").click()
    dispute(pit, 2, "Ann").get_by_text("The call was early").wait_for()
    disputes = [each["dispute"] for each in here.view["disputes"]["disputes"]]
    assert sorted((each["patron"], each["round"]) for each in disputes) == [("Ann", 2), ("Bob", 2)]


def test_a_patron_disputes_the_round_that_takes_wagers(visit: Visit, house: Server) -> None:
    here = dealt(visit, house, "coming")
    patron = Patron(visit, house, "coming", 1).sit()
    here.round()
    here.do("open-betting")
    patron.betting()
    patron.screen.button("Disputes").click()
    dialog = patron.page.get_by_role("dialog")
    dialog.get_by_label("Which round?").select_option("2")
    dialog.get_by_label("What do you disagree with?").fill("my chips went back")
    dialog.get_by_role("button", name="Open a dispute").click()
    dialog.get_by_role("heading", name="Dispute 1").wait_for()
    assert [each["dispute"]["round"] for each in here.view["disputes"]["disputes"]] == [2]


def test_a_round_of_long_ago_is_disputed_by_its_number(visit: Visit, house: Server) -> None:
    here = dealt(visit, house, "long-ago", "Ann")
    for _ in range(21):
        here.round()
    pit = pit_at(visit, house, "long-ago", "pit-supervisor")
    pit.page.get_by_role("region", name="Disputes").get_by_role("button", name="Open a dispute").click()
    asked = pit.page.get_by_role("dialog", name="Open a dispute")
    listed = asked.get_by_label("Round").locator("option").all_inner_texts()
    assert listed[-2:] == ["2", "No particular round"]
    asked.get_by_label("Number, if it was longer ago").fill("1")
    asked.get_by_label("What it is about").fill("I said Banker")
    asked.get_by_role("button", name="Open a dispute").click()
    dispute(pit, 1, "Ann").get_by_role("link", name="Round 1").wait_for()
