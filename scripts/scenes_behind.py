"""Scenes of those behind the tables: the pit, and the records that an auditor reads and proves."""

import re

from screens.browser import WIDTHS
from screens.dealing import Table, felt
from screens.floors import GAMES

from scenes import PATIENT, Scene, Stage
from scenes_staff import EIGHT, NAMES, WAGERS

WAITS = 150  # seconds that a decision has waited


def pit(stage: Stage) -> None:
    """Tables at a glance, a decision that is awaited, and a dispute."""
    busy = stage.dealt("tiger-1").rounds(14, seed=31).table.seated(*NAMES)
    wrong = stage.dealt("tiger-2").rounds(9, seed=32).table.seated("Aisha", "Ben")
    shoe = stage.dealt("hoiana").rounds(11, seed=33)
    last = stage.dealt("dragon-tiger").rounds(7, seed=34).table
    manager = stage.visit("/sign-in", post="pit-manager")
    busy.do("open-betting")
    busy.wagers(**WAGERS)
    wrong.do("open-betting")
    wrong.wagers(Aisha={"banker": 600, "tiger": 50}, Ben={"player": 400})
    wrong.do("close-betting")
    wrong.draws("9H 2D")
    wrong.do("report-irregularity", situation="foreign-card", note="a card with a blue back")
    shoe.table.seated("Linh", "Marco").do("open-betting")
    shoe.table.wagers(Linh={"player": 200}, Marco={"banker": 300})
    shoe.round("2H 9D KS KC 4D")
    disputed = Table(manager, "hoiana").staffed(post="pit-manager")
    disputed.do("open-dispute", patron="Marco", about="My 300 lay on Player when the call came", round=12)
    disputed.do("escalate-dispute", id=1)
    disputed.do("inform-surveillance", id=1)
    last.do("open-betting")
    stage.server.move(WAITS)
    glance = stage.visit("/pit", post="pit-manager")
    glance.page.get_by_role("region", name="Needs attention").get_by_text("Foreign card").wait_for()
    stage.take(glance, "pit")
    stage.take(stage.visit("/pit", post="pit-manager", size=WIDTHS["phone"], room="dim"), "pit-phone")
    Table(manager, "tiger-2").staffed(post="pit-manager")
    ruled = stage.visit("/pit?table=tiger-2", post="pit-manager", room="dim")
    ruled.page.get_by_role("region", name="Irregularity under way").wait_for()
    stage.take(ruled, "pit-decision")
    screen = stage.visit("/pit?table=hoiana", post="pit-manager")
    panel = screen.page.get_by_role("region", name=re.compile("^Dispute")).first
    panel.scroll_into_view_if_needed()
    stage.take(screen, "pit-dispute")


def records(stage: Stage) -> None:
    """Rounds to find, one of them replayed, the journal, and its proof."""
    manager = stage.visit("/sign-in", post="pit-manager")
    shoe = stage.dealt("tiger").rounds(9, seed=41)
    table = shoe.table.seated(*NAMES[:4])
    Table(manager, "tiger").staffed(post="pit-manager")
    table.do("open-betting")
    table.wagers(**{name: WAGERS[name] for name in NAMES[:4]})
    shoe.round("KS AC 5H 2H TD 3S")
    table.do("open-betting")
    table.wagers(Mei={"player": 300}, Arun={"banker": 200})
    table.do("close-betting")
    table.draws("9H 2D")
    table.do("report-irregularity", situation="foreign-card", note="a card with a blue back")
    Table(manager, "tiger").do("confirm-facts")
    Table(manager, "tiger").do("choose-cards", replace=False)
    shoe.rounds(4, seed=42)
    found = stage.visit("/records?table=tiger", post="auditor")
    rounds = found.page.get_by_role("region", name="Rounds").get_by_role("listitem")
    rounds.filter(has_text="Foreign card").wait_for()
    rounds.get_by_role("button").filter(has_text="Foreign card").click()
    found.heading("Round 11").wait_for()
    stage.take(found, "records")
    replayed = stage.visit("/records?table=tiger&part=rounds&round=10", post="auditor", room="dim")
    replay = replayed.page.get_by_role("group", name="Replay")
    replay.get_by_role("button", name="To the first step").click()
    cards = replayed.page.get_by_role("region", name="Round 10").get_by_role("img")
    while cards.count() < 5:
        replay.get_by_role("button", name="One step on").click()
    stage.take(replayed, "records-replay")
    journal = stage.visit("/records?table=tiger&part=journal", post="auditor")
    row = journal.page.get_by_role("region", name="Journal").get_by_role("group").first
    row.locator("summary").click()
    stage.take(journal, "records-journal")
    proof = stage.visit("/records?table=tiger&part=verify", post="auditor")
    proof.button("Verify everything").click()
    proof.says(re.compile("The record is whole"))
    stage.take(proof, "records-proof")


BEHIND: tuple[Scene, ...] = (
    Scene(
        "pit",
        "".join(
            (
                felt("tiger-1", GAMES["tiger"], EIGHT, PATIENT),
                felt("tiger-2", GAMES["tiger"], EIGHT, PATIENT),
                felt("hoiana", GAMES["hoiana-tiger"], timers=PATIENT),
                felt("dragon-tiger", GAMES["dragon-tiger"], timers=PATIENT),
                felt("super-six", GAMES["super-six"], timers=PATIENT),
            )
        ),
        pit,
    ),
    Scene("records", felt("tiger", GAMES["tiger"], EIGHT, PATIENT), records),
)
