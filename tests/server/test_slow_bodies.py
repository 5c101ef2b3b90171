"""A request whose body comes slowly: whoever may not send it any more when it is whole, has sent nothing."""

from collections.abc import AsyncIterator
from pathlib import Path

import msgspec
import pytest
from server.in_process import TABLE, Here, floor_here

from thirdcard.access.accounts import MadeAccount
from thirdcard.access.sign_in import Attempt, OpenedSession
from thirdcard.floor import commands as floor_cmd
from thirdcard.floor.standing import COMMAND_LINE
from thirdcard.floor.state import Scope
from thirdcard.refusals import Refused
from thirdcard.wire.paths import API, OWN_HEADER

SALE = {"type": "buy-credits", "terminal": "Ann", "amount": 100}
ON_DUTY = {"type": "come-on-duty", "person": "dealer", "post": "dealer"}


async def account(here: Here) -> tuple[str, floor_cmd.FloorBody]:
    """The secret of a service account that sells credits, and what ends it."""
    made = await here.accounts.add("Cage", (Scope.CREDITS,), 30, by=COMMAND_LINE)
    assert isinstance(made, MadeAccount)
    return made.secret, floor_cmd.RevokeAccount(name="Cage", reason="lost")


async def session(here: Here) -> tuple[str, floor_cmd.FloorBody]:
    """The token of a dealer who is signed in, and what ends that."""
    assert here.demo is not None
    dealer = next(each for each in here.demo.people if each.name == "dealer")
    opened = await here.desk.sign_in(Attempt(dealer.name, dealer.password, "test", "", ""))
    assert isinstance(opened, OpenedSession)
    return opened.token, floor_cmd.LockPerson(name="dealer", reason="left the house")


@pytest.mark.parametrize(
    ("who", "body", "reason"),
    [("account", SALE, "account-ended"), ("session", ON_DUTY, "not-signed-in")],
)
async def test_who_is_revoked_while_a_body_comes_has_sent_nothing(
    tmp_path: Path, who: str, body: dict[str, object], reason: str
) -> None:
    async with floor_here(tmp_path) as here, here.client() as client:
        token, end = await (account(here) if who == "account" else session(here))
        whole = msgspec.json.encode({"command_id": "slow-command", "command": body})

        async def slowly() -> AsyncIterator[bytes]:
            yield whole[:20]
            ended = await here.floor.service.floor.send(end, actor=COMMAND_LINE, command_id="end-of-them")
            assert not isinstance(ended, Refused), ended
            yield whole[20:]

        head = {OWN_HEADER: "staff", "authorization": f"Bearer {token}"}
        answer = await client.post(f"{API}/tables/{TABLE}/commands", content=slowly(), headers=head)
        assert (answer.status_code, answer.json()["reason"]) == (401, reason)
