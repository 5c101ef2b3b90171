"""Makes a route: the refusals and the cost that go with it."""

from collections.abc import Callable
from typing import Any

from thirdcard.access.endpoints import EVERY_CALLER, GUEST, LOCAL, MAY_CALL, STRANGER, Endpoint
from thirdcard.server import (
    exercises,
    feeds,
    handlers,
    led_training,
    pricing,
    records,
    reports,
    training,
    training_records,
)
from thirdcard.server.http import Call, Handle, Route
from thirdcard.server.openapi import JSON_MEDIA, Described, HttpMethod, Parameter

LANGUAGE = Parameter("language", "The language of the reader, such as zh-Hans; without it English")


def _fixed(cost: int) -> Callable[[Call], int]:
    return lambda _: cost


# what reads much costs as many records as could be read meanwhile
COSTS: dict[Handle, Callable[[Call], int]] = {
    handlers.tables: _fixed(20),
    handlers.table: _fixed(20),
    handlers.messages: handlers.asked_messages,
    handlers.history: _fixed(100),
    feeds.feed: _fixed(100),
    handlers.roads: _fixed(50),
    handlers.clauses: _fixed(20),
    handlers.meters: _fixed(20),
    handlers.all_meters: _fixed(200),
    handlers.meters_csv: _fixed(200),
    handlers.irregularity: _fixed(20),
    handlers.alerts: _fixed(20),
    records.audit_records: records.cost_of_records,
    records.audit_verify: _fixed(500),
    records.rounds: _fixed(200),
    records.search: _fixed(500),
    records.round_: _fixed(200),
    records.dossier: _fixed(500),
    reports.report: _fixed(500),
    reports.report_file: _fixed(500),
    pricing.odds: _fixed(200),
    training.drills: _fixed(50),
    training.begin: _fixed(100),
    training.look: _fixed(20),
    training.command: _fixed(20),
    training.irregularity: _fixed(20),
    training.call_post: _fixed(20),
    training.go_on: _fixed(20),
    training.finish: _fixed(50),
    exercises.games: _fixed(50),
    exercises.begin_fault: _fixed(200),
    exercises.begin_exercise: _fixed(100),
    exercises.look_at_exercise: _fixed(20),
    exercises.answer: _fixed(20),
    exercises.go_on_from: _fixed(20),
    led_training.games: _fixed(20),
    led_training.begin: _fixed(100),
    led_training.tables: _fixed(20),
    led_training.look: _fixed(20),
    led_training.strike: _fixed(50),
    led_training.end: _fixed(50),
    training_records.record: _fixed(50),
    training_records.record_file: _fixed(200),
}


GIVE_TOKENS = (handlers.sign_in, handlers.claim_terminal, handlers.demo_seat)  # in a cookie


def route(  # noqa: PLR0913 - a path has many sides
    endpoint: Endpoint,
    method: HttpMethod,
    path: str,
    handle: Handle,
    answer: Any = None,
    *,
    form: Any = None,
    query: tuple[Parameter, ...] = (),
    refused: tuple[int, ...] = (),
    media: str | tuple[str, ...] = JSON_MEDIA,
    name: str | None = None,
    follows: bool = False,
) -> Route:
    """A route with the refusals that any route of its kind can give."""
    statuses = {400, 429, 503, *refused}
    if MAY_CALL[endpoint] != EVERY_CALLER:
        statuses |= {401, 403}
    if form is not None:
        statuses |= {413, 422}
    if method != "GET":
        statuses |= {403}
    says = (handle.__doc__ or "").strip().splitlines()[0].rstrip(".")
    described_answers: dict[int, Any] = {
        200 if answer is not None else 204: answer,
        **dict.fromkeys(sorted(statuses)),
    }
    described = Described(
        endpoint=name or endpoint.value,
        method=method,
        path=path,
        says=says,
        form=form,
        answers=described_answers,
        query=query,
        media=(media,) if isinstance(media, str) else media,
        open=any(each in MAY_CALL[endpoint] for each in (STRANGER, LOCAL, GUEST)),
        gives_token=handle in GIVE_TOKENS,
    )
    return Route(endpoint, described, handle, COSTS.get(handle), follows)
