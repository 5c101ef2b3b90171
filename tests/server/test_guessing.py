"""Guessing passwords, codes and tokens over real HTTP: whoever guesses learns nothing, and is stopped."""

import asyncio
import contextlib
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import httpx
import pytest
from limits import LONG_ENOUGH
from server.served import Served, open_for_many, password_of, serving

from thirdcard.client.errors import WasRefused
from thirdcard.game import commands as cmd
from thirdcard.refusals import Refusal
from thirdcard.server.security import Guard
from thirdcard.staff import Post
from thirdcard.wire.forms import Credentials
from thirdcard.wire.paths import API, OWN_HEADER

pytestmark = pytest.mark.timed

FELT = "Felt"
TABLES = f"""
[[table]]
name = "{FELT}"
game = "mbs-tiger-nc-v4"
"""
BEHIND_A_PROXY = Guard(proxies=("127.0.0.0/8",), per_second=0)


class Guesser:
    """Somebody at an address, as a proxy tells it, who tries things."""

    def __init__(self, served: Served, http: httpx.AsyncClient, address: str) -> None:
        self._url = f"{served.servers[0].address.rstrip('/')}{API}"
        self._http = http
        self._headers = {OWN_HEADER: "1", "x-forwarded-for": address}

    async def post(self, path: str, form: object) -> httpx.Response:
        return await self._http.post(f"{self._url}{path}", json=form, headers=self._headers)

    async def sign_in(self, name: str, password: str, code: str = "") -> httpx.Response:
        credentials = {"name": name, "password": password, "code": code}
        return await self.post("/sign-in", {"credentials": credentials})


@pytest.fixture(scope="module")
def floor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A floor at which every test has its own people and addresses."""
    folder = tmp_path_factory.mktemp("guessing")
    with open_for_many(folder, TABLES, {"E1": (FELT, 1)}, guard=BEHIND_A_PROXY) as served:
        yield served


@contextlib.asynccontextmanager
async def visit(floor: Served) -> AsyncIterator[tuple[Served, httpx.AsyncClient]]:
    async with floor.visited() as served, httpx.AsyncClient(timeout=LONG_ENOUGH, trust_env=False) as http:
        yield served, http


async def test_failures_delay_a_name_where_they_came_from_and_end_nothing(floor: Served) -> None:
    async with visit(floor) as (served, http):
        dana = await served.staff("Dana")
        guesser = Guesser(served, http, "198.51.100.1")
        answers = [await guesser.sign_in("Dana", "not the password") for _ in range(3)]
        elsewhere = Guesser(served, http, "198.51.100.9")
        answers.append(await elsewhere.sign_in("Nobody of this name", "not the password"))
        answers.append(await elsewhere.sign_in("Max", password_of("Max"), "000000"))
        assert {answer.status_code for answer in answers} == {401}
        assert len({answer.text for answer in answers}) == 1
        assert all("set-cookie" not in answer.headers for answer in answers)
        waits = await guesser.sign_in("Dana", password_of("Dana"))
        assert (waits.status_code, waits.headers["retry-after"]) == (429, "60")
        assert (await dana.me()).name == "Dana"  # nothing that was open ends
        right = await elsewhere.sign_in("Dana", password_of("Dana"))
        assert (right.status_code, right.json()["failures"]) == (200, 3)


async def test_guesses_at_once_from_many_addresses_are_few(floor: Served) -> None:
    async with visit(floor) as (served, http):
        known = Guesser(served, http, "203.0.113.9")
        assert (await known.sign_in("Tom", password_of("Tom"))).status_code == 200
        guesses = [
            Guesser(served, http, f"198.51.101.{number}").sign_in("Tom", f"guess number {number}")
            for number in range(40)
        ]
        answers = await asyncio.gather(*guesses)
        assert Counter(answer.status_code for answer in answers) == {401: 20, 429: 20}
        new = await Guesser(served, http, "203.0.113.1").sign_in("Tom", password_of("Tom"))
        assert (new.status_code, new.headers["retry-after"]) == (429, "30")
        assert (await known.sign_in("Tom", password_of("Tom"))).status_code == 200


async def test_an_address_that_keeps_failing_waits_and_others_do_not(floor: Served) -> None:
    async with visit(floor) as (served, http):
        guesser = Guesser(served, http, "198.51.102.7")
        answers = [await guesser.sign_in(f"Nobody {number}", "x") for number in range(12)]
        assert [answer.status_code for answer in answers] == [401] * 10 + [429] * 2
        assert int(answers[-1].headers["retry-after"]) > 0
        waits = await guesser.sign_in("Sue", password_of("Sue"))
        assert waits.status_code == 429
        assert (
            await Guesser(served, http, "198.51.102.8").sign_in("Sue", password_of("Sue"))
        ).status_code == 200


async def test_approving_at_another_console_counts_as_guessing(floor: Served) -> None:
    async with visit(floor) as (served, _):
        sue = await served.staff("Sue")
        await sue.command(FELT, cmd.ComeOnDuty(person="Sue", post=Post("pit-supervisor")))
        for _ in range(3):
            with pytest.raises(WasRefused) as refused:
                await sue.command(
                    FELT, cmd.OpenTable(), authoriser=Credentials(name="Lou", password="x", code="000000")
                )
            assert refused.value.reason is Refusal.SIGN_IN_FAILED
        with pytest.raises(WasRefused) as refused:
            await served.staff("Lou")
        assert refused.value.reason is Refusal.TOO_MANY_REQUESTS
        assert (await sue.me()).name == "Sue"


async def test_codes_of_terminals_and_tokens_are_not_guessed(floor: Served) -> None:
    async with visit(floor) as (served, http):
        zoe = await served.staff("Zoe")
        expected = await zoe.enrol("E2", FELT, 2, authoriser=await served.shown("Max"))
        guesser = Guesser(served, http, "198.51.100.7")
        answers = [
            await guesser.post("/terminals/claim", {"code": f"AAAA-BB{number:02}"}) for number in range(12)
        ]
        assert [answer.status_code for answer in answers] == [422] * 10 + [429] * 2
        assert (await guesser.post("/terminals/claim", {"code": expected.code})).status_code == 429
        right = Guesser(served, http, "198.51.100.8")
        assert (await right.post("/terminals/claim", {"code": expected.code})).status_code == 200
        assert (
            await right.post("/terminals/claim", {"code": expected.code})
        ).status_code == 422  # it is used up
        for token in ("", "x", "x" * 43, served.tokens["E1"][:-1], served.tokens["E1"] + "x"):
            nobody = served.nobody()
            nobody.token = token
            assert (await nobody.me()).kind == "guest"


async def test_a_client_that_asks_too_often_waits(tmp_path: Path) -> None:
    guard = Guard(proxies=("127.0.0.0/8",), burst=50, per_second=10.0)
    async with (
        serving(tmp_path, TABLES, guard=guard) as served,
        httpx.AsyncClient(timeout=LONG_ENOUGH, trust_env=False) as http,
    ):
        url = f"{served.servers[0].address}health"

        async def ask(address: str) -> httpx.Response:
            return await http.get(url, headers={"x-forwarded-for": address})

        answers = [await ask("198.51.100.7") for _ in range(60)]
        assert [answer.status_code for answer in answers] == [200] * 50 + [429] * 10
        assert answers[-1].headers["retry-after"] == "1"
        assert (await ask("198.51.100.8")).status_code == 200
        served.move(1)
        answers = [await ask("198.51.100.7") for _ in range(12)]
        assert [answer.status_code for answer in answers] == [200] * 10 + [429] * 2
