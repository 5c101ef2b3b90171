"""Service accounts over HTTP and sockets: each opens what its scopes name, until it is revoked or over."""

import asyncio
import contextlib
from collections.abc import Iterator

import httpx
import pytest
from limits import LONG_ENOUGH
from server.served import Served, open_for_many

from thirdcard.client.calls import Client
from thirdcard.client.errors import LineEnded, WasRefused
from thirdcard.client.line import ClientSocket
from thirdcard.floor import commands as floor_cmd
from thirdcard.floor.state import Scope
from thirdcard.game import commands as cmd
from thirdcard.refusals import Refusal
from thirdcard.staff import Post
from thirdcard.wire.forms import Credentials
from thirdcard.wire.paths import API

SIX, ALONE, DAY = "Six", 500_000, 24 * 3600.0
TABLES = f"""
[[table]]
name = "{SIX}"
game = "mbs-super-six-etg-v3"
"""
TERMINALS: dict[str, tuple[str, int | None]] = {"E1": (SIX, None)}
ACCOUNTS: dict[str, tuple[Scope, ...]] = {
    "Cage": (Scope.CREDITS,),
    "Lost": (Scope.TABLES,),
    "Sign": (Scope.TABLES,),
}


@pytest.fixture(scope="module")
def floor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A floor with other systems, where money is real."""
    folder = tmp_path_factory.mktemp("accounts")
    with open_for_many(folder, TABLES, TERMINALS, accounts=ACCOUNTS) as served:
        yield served


async def why(client: Client, body: cmd.Body) -> Refusal | None:
    """Return why a command to the table is refused, if it is."""
    try:
        await client.command(SIX, body)
    except WasRefused as refused:
        return refused.reason
    return None


async def get(client: Client, path: str, **headers: str) -> httpx.Response:
    """A request as another system sends it, without a client of ours."""
    async with httpx.AsyncClient(timeout=LONG_ENOUGH, trust_env=False) as http:
        shown = {"authorization": f"Bearer {client.token}", **headers}
        return await http.get(f"{client.address}{path}", headers=shown)


async def end_of(socket: ClientSocket) -> str:
    """Return why the server ends a socket, which must come soon."""
    try:
        async with asyncio.timeout(LONG_ENOUGH):
            while True:
                with contextlib.suppress(WasRefused):
                    await socket.command(SIX, cmd.OpenBetting())
    except LineEnded as ended:
        return ended.reason


async def test_two_people_make_an_account_whose_secret_is_shown_once(floor: Served) -> None:
    async with floor.visited() as served:
        gil = await served.staff("Gil")
        with pytest.raises(WasRefused) as alone:
            await gil.add_account("Prometheus", (Scope.METRICS,), 30, authoriser=await served.shown("Gil"))
        assert alone.value.reason is Refusal.SECOND_PERSON_NEEDED
        made = await gil.add_account("Prometheus", (Scope.METRICS,), 30, authoriser=await served.shown("Max"))
        assert (made.account.by, made.account.second) == ("Gil", "Max")
        system = served.nobody()
        system.token = made.secret
        me = await system.me()
        assert (me.kind, me.name, me.scopes) == ("account", "Prometheus", (Scope.METRICS,))
        lines = {each.name: each for each in await gil.accounts()}
        assert lines["Prometheus"] == made.account
        listed = await get(gil, f"{API}/accounts")
        assert made.secret not in listed.text
        # from another machine, where nobody is signed in
        answer = await get(system, "/metrics", **{"x-forwarded-for": "203.0.113.9"})
        assert answer.status_code == 200
        assert "thirdcard_requests_total" in answer.text
        refused = await get(system, f"{API}/tables")
        assert (refused.status_code, refused.json()["reason"]) == (403, "scope-missing")
        assert refused.json()["message"] == (
            "The service account Prometheus lacks a scope for this. It needs: tables."
        )


async def test_a_manager_makes_no_account_and_no_browser_sends_one_to_the_floor(floor: Served) -> None:
    async with floor.visited() as served:
        boss = await served.staff("Max")
        with pytest.raises(WasRefused) as low:
            await boss.add_account("Mine", (Scope.CREDITS,), 1, authoriser=await served.shown("Gil"))
        assert low.value.reason is Refusal.NOT_PERMITTED
        gil = await served.staff("Gil")
        body = floor_cmd.AddAccount(name="Mine", scopes=(Scope.CREDITS,), token="mine", days=1)
        with pytest.raises(WasRefused) as direct:
            await gil.floor_command(body, authoriser=await served.shown("Max"))
        assert direct.value.reason is Refusal.NOT_PERMITTED


async def test_a_cashier_sells_under_the_controls_of_the_house(floor: Served) -> None:
    """Marina Bay Sands: 5,000 alone for a sale, and a patron confirms what is cashed out."""
    async with floor.visited() as served:
        tom, cage, terminal = await served.staff("Tom"), served.terminal("Cage"), served.terminal("E1")
        await tom.floor_command(floor_cmd.OpenPatronSession(terminal="E1", patron="Ann"))
        await terminal.command(SIX, cmd.ComeToTable(patron="Ann"))
        more = cmd.BuyCredits(terminal="Ann", amount=ALONE + 1)
        assert await why(cage, more) is Refusal.SECOND_PERSON_NEEDED
        sold = await cage.command(SIX, cmd.BuyCredits(terminal="Ann", amount=ALONE))
        assert sold.receipt is not None
        assert sold.receipt.actor == "Cage"
        assert (await cage.receipt(sold.command_id)).digest == sold.receipt.digest
        assert await why(cage, cmd.BuyCredits(terminal="Ann", amount=1)) is Refusal.SECOND_PERSON_NEEDED
        # a supervisor on duty approves at the cashier's console; another account cannot
        sue = await served.staff("Sue")
        await sue.command(SIX, cmd.ComeOnDuty(person="Sue", post=Post("pit-supervisor")))
        one = cmd.BuyCredits(terminal="Ann", amount=1)
        await cage.command(SIX, one, authoriser=await served.shown("Sue"))
        shown = Credentials(name="Sign", password=served.tokens["Sign"])
        with pytest.raises(WasRefused) as wrong:
            await cage.command(SIX, one, authoriser=shown)
        assert wrong.value.reason is Refusal.SIGN_IN_FAILED
        await cage.command(SIX, cmd.CashOut(terminal="Ann", amount=100))  # which only asks the patron
        view = (await terminal.table(SIX)).view
        assert view.own is not None
        assert view.own.credits == ALONE + 1
        assert view.own.request is not None
        assert view.own.request.amount == 100
        assert await why(cage, cmd.ConfirmCredits(id=1, agrees=True)) is Refusal.NOT_FOR_ACCOUNTS
        assert await why(cage, cmd.OpenBetting()) is Refusal.NOT_FOR_ACCOUNTS


async def test_who_saw_the_secret_of_a_cashier_approves_none_of_its_sales(floor: Served) -> None:
    async with floor.visited() as served:
        gil, boss = await served.staff("Gil"), await served.staff("Amy")
        await gil.command(SIX, cmd.ComeOnDuty(person="Gil", post=Post("gaming-shift-manager")))
        await boss.command(SIX, cmd.ComeOnDuty(person="Amy", post=Post("assistant-casino-manager")))
        made = await gil.add_account("Cage 2", (Scope.CREDITS,), 1, authoriser=await served.shown("Amy"))
        cage = served.nobody()
        cage.token = made.secret
        big = cmd.BuyCredits(terminal="Ann", amount=ALONE + 1)
        for name in ("Gil", "Amy"):
            with pytest.raises(WasRefused) as own:
                await cage.command(SIX, big, authoriser=await served.shown(name))
            assert own.value.reason is Refusal.SECOND_PERSON_NEEDED


async def test_a_revoked_account_ends_with_its_sockets(floor: Served) -> None:
    async with floor.visited() as served:
        lost, boss = served.terminal("Lost"), await served.staff("Max")
        async with ClientSocket(lost) as socket:
            await socket.watch(SIX)
            assert socket.me is not None
            assert socket.me.kind == "account"
            with pytest.raises(WasRefused) as dealt:
                await socket.command(SIX, cmd.OpenBetting())
            assert dealt.value.reason is Refusal.SCOPE_MISSING
            await boss.floor_command(floor_cmd.RevokeAccount(name="Lost", reason="lost"))
            assert await end_of(socket) == "account-ended"
        answer = await get(lost, f"{API}/tables")
        assert (answer.status_code, answer.json()["reason"]) == (401, "account-ended")


async def test_a_secret_counts_in_no_cookie(floor: Served) -> None:
    async with floor.visited() as served:
        sign = served.terminal("Sign")
        async with httpx.AsyncClient(timeout=LONG_ENOUGH, trust_env=False) as http:
            shown = {"cookie": f"thirdcard-staff={sign.token}; thirdcard-terminal={sign.token}"}
            answer = await http.get(f"{sign.address}{API}/tables", headers=shown)
        assert answer.json()["reason"] == "not-signed-in"


async def test_an_account_ends_with_its_days_while_the_server_runs(floor: Served) -> None:
    """Setting the wall clock back in between gives it no day more."""
    async with floor.visited() as served:
        sign = served.terminal("Sign")
        server = served.servers[0]
        async with ClientSocket(sign) as socket:
            await socket.watch(SIX)
            server.step_wall(-40 * DAY)
            assert (await sign.me()).kind == "account"
            server.move(30 * DAY)
            assert await end_of(socket) == "account-ended"
        with pytest.raises(WasRefused) as over:
            await sign.tables()
        assert over.value.reason is Refusal.ACCOUNT_ENDED
