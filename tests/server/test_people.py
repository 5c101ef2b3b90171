"""People let in and changed over HTTP while the server runs, by two of them."""

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager

import httpx
import pytest
from limits import LONG_ENOUGH
from server.served import Served, open_for_many

from thirdcard.access.credentials import STEP, code_at
from thirdcard.client.calls import Client
from thirdcard.client.errors import WasRefused
from thirdcard.floor import commands as floor_cmd
from thirdcard.game import commands as cmd
from thirdcard.refusals import Refusal
from thirdcard.staff import Post
from thirdcard.wire.paths import API, OWN_HEADER

TABLES = """
[[table]]
name = "Felt"
game = "mbs-tiger-nc-v4"
[[table]]
name = "Six"
game = "mbs-super-six-etg-v3"
"""
PASSWORD = "correct horse battery staple"


@pytest.fixture(scope="module")
def floor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A floor whose people change."""
    with open_for_many(tmp_path_factory.mktemp("people"), TABLES, {"E1": ("Six", None)}) as served:
        yield served


@asynccontextmanager
async def asking(served: Served, client: Client) -> AsyncIterator[httpx.AsyncClient]:
    """Somebody's way to the server without a client of ours."""
    headers = {OWN_HEADER: "1", "authorization": f"Bearer {client.token}"}
    base = f"{served.servers[0].address.rstrip('/')}{API}"
    async with httpx.AsyncClient(
        base_url=base, headers=headers, timeout=LONG_ENOUGH, trust_env=False
    ) as http:
        yield http


async def credentials(served: Served, name: str) -> dict[str, str]:
    """The credentials of somebody, as they are sent."""
    shown = await served.shown(name)
    return {"name": shown.name, "password": shown.password, "code": shown.code}


async def test_a_person_who_was_added_by_two_signs_in_with_the_second_factor(floor: Served) -> None:
    async with floor.visited() as served, asking(served, await served.staff("Gil")) as gil:
        form = {"name": "Kim", "posts": ["pit-manager"], "password": PASSWORD}
        assert (await gil.post("/people", json=form)).status_code == 400  # nobody stands behind it
        own = await gil.post("/people", json={**form, "authoriser": await credentials(served, "Gil")})
        assert own.json()["reason"] == "second-person-needed"
        low = await gil.post("/people", json={**form, "authoriser": await credentials(served, "Sue")})
        assert low.json()["reason"] == "second-person-needed"
        made = await gil.post("/people", json={**form, "authoriser": await credentials(served, "Max")})
        assert made.status_code == 200, made.text
        factor = made.json()["factor"]
        assert {len(row) for row in factor["picture"]} == {len(factor["picture"])}
        code = code_at(factor["secret"], int(served.clock.wall) // STEP)
        kim = served.nobody()
        assert (await kim.sign_in("Kim", PASSWORD, code)).posts == ("pit-manager",)


async def test_a_reset_password_ends_sessions_and_a_manager_cannot_reset(floor: Served) -> None:
    async with floor.visited() as served:
        dana = await served.staff("Dana")
        async with asking(served, await served.staff("Max")) as max_:
            form = {"password": PASSWORD, "authoriser": await credentials(served, "Gil")}
            assert (await max_.post("/people/Dana/password", json=form)).status_code == 403
        async with asking(served, await served.staff("Gil")) as gil:
            weak = {"password": "1234567890", "authoriser": await credentials(served, "Max")}
            assert (await gil.post("/people/Dana/password", json=weak)).json()[
                "reason"
            ] == "password-too-weak"
            form = {"password": PASSWORD, "authoriser": await credentials(served, "Max")}
            assert (await gil.post("/people/Dana/password", json=form)).json() == {"factor": None}
            assert (await dana.me()).kind == "guest"
            unknown = {"authoriser": await credentials(served, "Max")}
            assert (await gil.post("/people/Nobody/factor", json=unknown)).status_code == 404


async def test_nobody_is_given_a_password_or_a_second_factor_at_their_own_console(floor: Served) -> None:
    """Somebody at the console of a senior who went away could make themselves that senior."""
    async with floor.visited() as served, asking(served, await served.staff("Gil")) as gil:
        for second in ("Tom", "Max"):
            with_second = {"authoriser": await credentials(served, second)}
            factor = await gil.post("/people/Gil/factor", json=with_second)
            assert factor.json()["reason"] == "second-person-needed"
            both = {"password": PASSWORD, "authoriser": await credentials(served, second)}
            password = await gil.post("/people/Gil/password", json=both)
            assert password.json()["reason"] == "second-person-needed"


async def test_a_patron_with_a_name_that_looks_like_another_one_gets_no_session(floor: Served) -> None:
    """Neither at a terminal nor at the felt: the second letter is Cyrillic."""
    async with floor.visited() as served:
        tom, sue = await served.staff("Tom"), await served.staff("Sue")
        await sue.command("Felt", cmd.ComeOnDuty(person="Sue", post=Post("pit-supervisor")))
        await sue.command("Felt", cmd.ComeToTable(patron="Ben"))
        sits = floor_cmd.OpenPatronSession(terminal="E1", patron="M\u0430x")
        for refused_ in (
            tom.floor_command(sits),
            sue.command("Felt", cmd.ComeToTable(patron="M\u0430x")),
            sue.command("Felt", cmd.ComeToTable(patron="B\u0435n")),
        ):
            with pytest.raises(WasRefused) as refused:
                await refused_
            assert refused.value.reason is Refusal.NAME_TAKEN
        await tom.floor_command(floor_cmd.OpenPatronSession(terminal="E1", patron="Ann"))
