"""The whole API from its own description: whatever is sent, no answer is a fault or undocumented."""

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import hypothesis
import msgspec
import pytest
import requests
import schemathesis
from hypothesis import strategies as st
from lengths import sized
from schemathesis.checks import not_a_server_error
from schemathesis.core.result import Ok
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)
from server.served import Served, timers

from thirdcard.floor import commands as floor_cmd
from thirdcard.game import commands as cmd
from thirdcard.server.openapi import describe
from thirdcard.server.routes import ROUTES
from thirdcard.staff import Post
from thirdcard.wire.refusals import RefusedMessage

SIX, FELT = "Six", "Felt"
TABLES = f"""
[[table]]
name = "{SIX}"
game = "mbs-super-six-etg-v3"
training = true
virtual_shoe = true
automatic_dealer = true
{timers()}

[[table]]
name = "{FELT}"
game = "mbs-tiger-v3"
"""
TERMINALS: dict[str, tuple[str, int | None]] = {"E1": (SIX, None), "E2": (SIX, None)}
CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]
EXAMPLES = sized(8, 200)  # for each operation, sent by every caller
pytestmark = pytest.mark.sweep
DOCUMENT = msgspec.json.decode(
    msgspec.json.encode(describe(tuple(r.described for r in ROUTES), RefusedMessage))
)
SCHEMA = schemathesis.openapi.from_dict(DOCUMENT)
OPERATIONS = {
    (operation.method.upper(), operation.path): operation
    for operation in (found.ok() for found in SCHEMA.get_all_operations() if isinstance(found, Ok))
}
REAL = {
    "table": st.sampled_from((SIX, FELT)),
    "stream": st.sampled_from((SIX, "floor")),
    "number": st.just(1),
}


class Callers:
    """A server, and the headers of everybody who calls it."""

    def __init__(self, folder: Path) -> None:
        self.served = Served(folder, TABLES)
        self.headers: dict[str, dict[str, str]] = {}
        self.session = requests.Session()
        self.session.trust_env = False

    async def come(self) -> None:
        await self.served.prepare(TERMINALS)
        await asyncio.to_thread(self.served.server)
        for name, post in (("Dana", "dealer"), ("Gil", "gaming-shift-manager"), ("Vic", None)):
            client = await self.served.staff(name)
            self.headers[name] = client.headers
            if post is not None:
                for table in (SIX, FELT):
                    await client.command(table, cmd.ComeOnDuty(person=name, post=Post(post)))
        ann = self.served.terminal("E1")
        await ann.floor_command(floor_cmd.OpenPatronSession(terminal="E1", patron="Ann"))
        await ann.command(SIX, cmd.ComeToTable(patron="Ann"))
        await ann.command(SIX, cmd.BuyCredits(terminal="Ann", amount=10**8))
        self.headers["Ann"] = ann.headers
        self.headers["nobody"] = self.served.nobody().headers
        await self.served.leave()

    @property
    def address(self) -> str:
        return self.served.servers[0].address.rstrip("/")


@pytest.fixture(scope="module")
def callers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callers]:
    """Everybody who calls."""
    found = Callers(tmp_path_factory.mktemp("fuzz"))
    asyncio.run(found.come())
    yield found
    log = found.served.servers[0].log
    found.session.close()
    found.served.servers[0].kill()
    assert "Traceback" not in log, log


@pytest.mark.parametrize("operation", OPERATIONS, ids=" ".join)
def test_no_answer_is_a_fault_or_undocumented(callers: Callers, operation: tuple[str, str]) -> None:
    described = OPERATIONS[operation]
    sound = described.as_strategy(generation_mode=schemathesis.GenerationMode.POSITIVE)
    broken = described.as_strategy(generation_mode=schemathesis.GenerationMode.NEGATIVE)
    signs_out = operation[1].endswith("/sign-out")  # whoever does is nobody for the rest

    @hypothesis.settings(
        max_examples=EXAMPLES,
        suppress_health_check=list(hypothesis.HealthCheck),
        phases=[hypothesis.Phase.generate],
    )
    @hypothesis.given(case=st.one_of(sound, broken), data=st.data())
    def fuzz(case: "schemathesis.Case[Any]", data: st.DataObject) -> None:
        for name, real in REAL.items():
            if case.path_parameters and name in case.path_parameters and data.draw(st.booleans()):
                case.path_parameters[name] = data.draw(real)
        for who in ("nobody",) if signs_out else tuple(callers.headers):
            response = case.call(
                base_url=callers.address, session=callers.session, headers=callers.headers[who]
            )
            case.validate_response(response, checks=CHECKS)

    fuzz()
