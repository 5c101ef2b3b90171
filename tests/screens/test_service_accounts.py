"""Service accounts in the pit: two people make one, its secret is shown once, and one revokes it."""

import re
from collections.abc import Iterator

import httpx
import pytest
from limits import LONG_ENOUGH
from screens.browser import WIDTHS
from screens.conftest import Visit
from screens.disputing import approve, asked_for
from screens.floors import GAMES, demonstration, table
from screens.test_pit import Pit
from server.served import Server


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A floor with one table."""
    server = demonstration(tmp_path_factory.mktemp("accounts"), table("terminals", GAMES["super-six"]))
    yield server
    server.kill()


def answer(server: Server, secret: str, path: str) -> httpx.Response:
    """The answer to another system that shows a secret."""
    headers = {"authorization": f"Bearer {secret}"}
    address = server.address.rstrip("/")
    return httpx.get(f"{address}{path}", headers=headers, timeout=LONG_ENOUGH, trust_env=False)


def test_an_account_is_made_by_two_shown_once_and_revoked_by_one(visit: Visit, house: Server) -> None:
    pit = Pit(visit("/pit?floor", at=house, post="gaming-shift-manager", size=WIDTHS["phone"]))
    panel = pit.panel("Service accounts")
    panel.get_by_text("No other system comes in by a service account.").wait_for()
    panel.get_by_role("button", name="Make a service account").click()
    dialog = pit.page.get_by_role("dialog", name="Make a service account", exact=True)
    dialog.get_by_label("Name of the other system").fill("Signage")
    dialog.get_by_label("Tables as the scoreboard shows them").check()
    dialog.get_by_label("Metrics").check()
    dialog.get_by_label("Days").fill("30")
    dialog.locator("footer").get_by_role("button").last.click()
    said = "Make the service account Signage: Tables as the scoreboard shows them, Metrics. Days: 30."
    asked_for(pit.screen).get_by_text(said).wait_for()
    approve(pit.screen, "Pit Manager")
    dialog.wait_for(state="hidden")
    shown = pit.page.get_by_role("dialog", name="Secret of Signage", exact=True)
    secret = shown.locator(".secret").inner_text()
    assert re.fullmatch(r"thirdcard-[\w-]{43}", secret), secret
    shown.get_by_role("button", name="Close").first.click()
    line = panel.locator(".line").filter(has_text="Signage")
    line.get_by_text("made by Gaming Shift Manager, Pit Manager").wait_for()
    assert secret not in pit.page.content()
    assert answer(house, secret, "/api/v1/tables").status_code == 200
    assert answer(house, secret, "/api/v1/alerts").json()["reason"] == "scope-missing"
    line.get_by_role("button", name="Revoke").click()
    pit.asked("Revoke the service account Signage", Reason="it was lost")
    line.get_by_text("over: it was lost").wait_for()
    assert answer(house, secret, "/api/v1/tables").json()["reason"] == "account-ended"


def test_a_manager_reads_who_makes_accounts(visit: Visit, house: Server) -> None:
    panel = Pit(visit("/pit?floor", at=house, post="pit-manager")).panel("Service accounts")
    panel.get_by_text("by somebody in a highest post and a second person").wait_for()
    assert panel.get_by_role("button", name="Make a service account").count() == 0
