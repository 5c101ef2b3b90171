"""Webhooks in the pit: two people set one up, and one resumes it where it was given up."""

from collections.abc import Iterator

import pytest
from screens.browser import WIDTHS
from screens.conftest import Visit
from screens.disputing import approve, asked_for
from screens.floors import GAMES, demonstration, table
from screens.test_pit import Pit
from server.receiver import Receiver
from server.served import Server

from thirdcard.server.webhooks import LONGEST_DELAY, MOST_ATTEMPTS

MOVES = 10  # of the clock between two attempts


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A floor with one table."""
    server = demonstration(tmp_path_factory.mktemp("webhooks"), table("terminals", GAMES["super-six"]))
    yield server
    server.kill()


@pytest.mark.timed
def test_a_webhook_is_set_up_by_two_given_up_and_resumed(visit: Visit, house: Server) -> None:
    receiver = Receiver().start()
    receiver.status = 500
    pit = Pit(visit("/pit?floor", at=house, post="gaming-shift-manager", size=WIDTHS["phone"]))
    panel = pit.panel("Webhooks")
    panel.get_by_text("Nothing is posted to other systems.").wait_for()
    panel.get_by_role("button", name="Set up a webhook").click()
    dialog = pit.page.get_by_role("dialog", name="Set up a webhook", exact=True)
    dialog.get_by_label("Name").fill("Alarm desk")
    dialog.get_by_label("Web address").fill(receiver.url)
    dialog.get_by_label("What it is told").select_option("records")
    dialog.locator("footer").get_by_role("button").last.click()
    said = f"Post what happens at all tables to {receiver.url} as Alarm desk: what an auditor sees"
    asked_for(pit.screen).get_by_text(said).wait_for()
    approve(pit.screen, "Pit Manager")
    dialog.wait_for(state="hidden")
    shown = pit.page.get_by_role("dialog", name="Secret of Alarm desk", exact=True)
    assert shown.locator(".secret").inner_text().startswith("thirdcard-hook-")
    shown.get_by_role("button", name="Close").first.click()
    line = panel.locator(".line").filter(has_text="Alarm desk")
    stopped = line.get_by_text("Nothing is delivered: HTTP 500")
    opens_tables(pit, house)

    def given_up() -> bool:
        """Move the clock to the next attempt, and no further: a console that nobody uses rests."""
        if len(receiver.posted) < MOST_ATTEMPTS:
            house.move(min(LONGEST_DELAY, 2.0 ** len(receiver.posted)) / MOVES)
        return stopped.is_visible()

    pit.screen.until(given_up)
    receiver.status = 200
    line.get_by_role("button", name="Resume").click()
    stopped.wait_for(state="hidden")
    pit.screen.until(lambda: bool(receiver.taken))
    line.get_by_role("button", name="Remove").click()
    pit.asked("Remove the webhook Alarm desk", Reason="moved")
    panel.get_by_text("Nothing is posted to other systems.").wait_for()
    receiver.kill()


def opens_tables(pit: Pit, house: Server) -> None:
    """Something is recorded at a table: somebody comes on duty."""
    body = {"type": "come-on-duty", "person": "gaming-shift-manager", "post": "gaming-shift-manager"}
    command = {"command_id": "webhook-test-1", "command": body}
    address = f"{house.address}api/v1/tables/terminals/commands"
    answer = pit.page.request.post(address, data=command, headers={"x-thirdcard": "staff"})
    assert answer.ok, answer.text()
