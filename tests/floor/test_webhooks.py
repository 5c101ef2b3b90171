"""Webhooks: two people set one up, the server gives up and records how far it is, one person resumes it."""

import pytest
from floor.test_floor import FACTOR, Manager, manager, webhook  # noqa: F401 - a fixture

from thirdcard.floor import commands as cmd
from thirdcard.floor import events as ev
from thirdcard.floor.decide import is_web_address
from thirdcard.floor.standing import COMMAND_LINE, SERVER
from thirdcard.floor.state import MOST_WEBHOOKS, FeedPlace, Scope, Webhook
from thirdcard.refusals import Refusal

SEVEN, NINE = (FeedPlace("T1", 7),), (FeedPlace("T1", 9),)


def test_two_people_set_up_a_webhook(manager: Manager) -> None:  # noqa: F811
    body = webhook("Desk", "http://10.0.0.9:8080/in?x=1", Scope.RECORDS, Scope.TABLES)
    for second in (None, "Gil", "Dana", "Tom", "Amy", COMMAND_LINE):
        assert manager.why(body, "Gil", second) is Refusal.SECOND_PERSON_NEEDED, second
    assert manager.why(body, "Max", "Gil") is Refusal.NOT_PERMITTED
    made = Webhook(
        name="Desk",
        url="http://10.0.0.9:8080/in?x=1",
        scopes=(Scope.TABLES, Scope.RECORDS),
        secret=FACTOR,
        by="Gil",
        second="Max",
        after=SEVEN,
    )
    assert manager.do(body, "Gil", "Max") == (ev.WebhookAdded(webhook=made),)
    assert manager.floor.webhook("Desk") == made
    assert manager.why(webhook("Desk")) is Refusal.NAME_TAKEN
    assert manager.why(webhook(" ")) is Refusal.NAME_TAKEN
    manager.do(webhook("Dana"))  # nobody acts under the name of a webhook
    assert manager.why(webhook("Other"), SERVER) is Refusal.SECOND_PERSON_NEEDED


@pytest.mark.parametrize(
    "url",
    [
        "",
        "desk.example",
        "ftp://desk.example/in",
        "file:///etc/passwd",
        "https://",
        "https:///in",
        "https://user:word@desk.example/in",
        "https://desk.example/in#part",
        "https://desk.example/in it",
        "https://desk.example\n/in",
        "https://desk.example/" + "x" * 500,
        "javascript:alert(1)",
        "https://d\u0435sk.example/in",
    ],
)
def test_a_webhook_has_a_plain_web_address(manager: Manager, url: str) -> None:  # noqa: F811
    assert not is_web_address(url)
    assert manager.why(webhook(url=url)) is Refusal.WEBHOOK_NOT_POSSIBLE


@pytest.mark.parametrize("url", ["http://[::1]:9000", "https://desk.example", "http://127.0.0.1/a/b?c=%20"])
def test_addresses_that_a_webhook_can_have(url: str) -> None:
    assert is_web_address(url)


@pytest.mark.parametrize("scopes", [(Scope.RECORDS,), (Scope.TABLES, Scope.CREDITS), (Scope.METRICS,)])
def test_a_webhook_is_told_what_a_feed_tells(manager: Manager, scopes: tuple[Scope, ...]) -> None:  # noqa: F811
    assert manager.why(webhook("Desk", "https://desk.example", *scopes)) is Refusal.WEBHOOK_NOT_POSSIBLE


def test_a_floor_has_so_many_webhooks_and_no_more(manager: Manager) -> None:  # noqa: F811
    for number in range(MOST_WEBHOOKS):
        manager.do(webhook(f"Desk {number}"))
    assert manager.why(webhook("Another")) is Refusal.WEBHOOK_NOT_POSSIBLE
    manager.do(cmd.RemoveWebhook(name="Desk 3", reason="gone"), "Max")
    assert manager.floor.webhook("Desk 3") is None
    manager.do(webhook("Another"))


def test_a_webhook_is_stopped_by_the_server_and_resumed_by_one_person(manager: Manager) -> None:  # noqa: F811
    manager.do(webhook())
    manager.do(webhook("Other"))
    stops = cmd.StopWebhook(name="Desk", reason="HTTP 500", after=NINE)
    resumes = cmd.ResumeWebhook(name="Desk")
    notes = cmd.NoteDelivered(name="Desk", after=NINE)
    assert manager.why(resumes, "Max") is Refusal.NOT_AWAITED
    assert manager.do(notes, SERVER) == (ev.FeedsDelivered(name="Desk", after=NINE),)
    assert manager.do(stops, SERVER) == (ev.WebhookStopped(name="Desk", reason="HTTP 500", after=NINE),)
    assert [each.stopped for each in manager.floor.webhooks] == ["HTTP 500", None]
    assert [each.after for each in manager.floor.webhooks] == [NINE, SEVEN]
    for again in (stops, notes):
        assert manager.why(again, SERVER) is Refusal.NOT_AWAITED
    assert manager.do(resumes, "Max") == (ev.WebhookResumed(name="Desk", by="Max"),)
    found = manager.floor.webhook("Desk")
    assert found is not None
    assert (found.stopped, found.after) == (None, NINE)


def test_a_webhook_that_there_is_not_is_neither_stopped_nor_removed(manager: Manager) -> None:  # noqa: F811
    for body in (
        cmd.RemoveWebhook(name="Desk", reason="x"),
        cmd.ResumeWebhook(name="Desk"),
        cmd.StopWebhook(name="Desk", reason="x", after=()),
        cmd.NoteDelivered(name="Desk", after=()),
    ):
        assert manager.why(body) is Refusal.NO_SUCH_WEBHOOK
