"""People and their credentials, as the command line and the server give them out."""

import secrets

from msgspec import Struct

from thirdcard.access.credentials import CredentialKeeper, NewFactor, weak
from thirdcard.access.names import refuse_look
from thirdcard.floor import commands as cmd
from thirdcard.floor.events import FloorEvent
from thirdcard.floor.standing import needs_second_factor
from thirdcard.floor.state import Floor
from thirdcard.refusals import Refused
from thirdcard.rulebook.house import House
from thirdcard.staff import Post
from thirdcard.streams.ahead import Accepted
from thirdcard.streams.service import FloorStream


class Made(Struct, frozen=True):
    """It is recorded; a second factor that came with it is shown once."""

    factor: NewFactor | None = None


class Two(Struct, frozen=True):
    """The two people by whom something is done: who asks for it, and who stands behind it."""

    actor: str
    authoriser: str | None


class People:
    """Adds people and changes what they sign in with, in the name of one who may do so alone, or of two."""

    def __init__(self, floor: FloorStream, credentials: CredentialKeeper, houses: tuple[House, ...]) -> None:
        self._floor = floor
        self._credentials = credentials
        self._houses = houses

    async def add(
        self, name: str, posts: tuple[Post, ...], password: str, *, by: Two | str, factor: bool = False
    ) -> Made | Refused:
        """Add a person, with a second factor where a post needs one or one is wished for."""
        refused = weak(name, password) or refuse_look(self._floor.state or Floor(), name)
        if refused:
            return refused
        needed = factor or needs_second_factor(self._houses, posts)
        new = self._credentials.new_factor(name) if needed else None
        kept = await self._credentials.keep(name, password)
        second = new.kept if new else None
        body = cmd.AddPerson(name=name, posts=posts, password=kept, second_factor=second)
        return await self._send(body, by, new)

    async def change_password(self, name: str, password: str, *, by: Two | str) -> Made | Refused:
        """Give a person another password, which ends their sessions."""
        refused = weak(name, password)
        if refused:
            return refused
        kept = await self._credentials.keep(name, password)
        return await self._send(cmd.ChangePassword(name=name, password=kept), by)

    async def renew_factor(self, name: str, *, by: Two | str) -> Made | Refused:
        """Give a person another second factor, which ends their sessions."""
        new = self._credentials.new_factor(name)
        return await self._send(cmd.SetSecondFactor(name=name, second_factor=new.kept), by, new)

    async def _send(
        self, body: cmd.FloorBody, by: Two | str, factor: NewFactor | None = None
    ) -> Made | Refused:
        two = Two(by, None) if isinstance(by, str) else by
        answer: Accepted[FloorEvent] | Refused = await self._floor.send(
            body,
            actor=two.actor,
            authoriser=two.authoriser,
            command_id=f"people-{secrets.token_hex(16)}",
        )
        return answer if isinstance(answer, Refused) else Made(factor)
