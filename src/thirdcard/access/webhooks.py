"""Webhooks: web addresses to which feeds are posted, each with a secret by which its receiver knows us."""

import hashlib
import hmac
import secrets

from msgspec import Struct

from thirdcard.access.people import Two
from thirdcard.access.sign_in import TOKEN_BYTES
from thirdcard.floor import commands as cmd
from thirdcard.floor.events import FloorEvent, WebhookAdded
from thirdcard.floor.state import FeedPlace, Floor, Scope, Secret, Webhook
from thirdcard.journal.keys import KeyRing, Sealed
from thirdcard.journal.store import Store
from thirdcard.refusals import Refused
from thirdcard.streams.ahead import Accepted
from thirdcard.streams.service import FloorStream

HOOK_PREFIX = "thirdcard-hook-"  # no secret of a service account goes on like this


class MadeWebhook(Struct, frozen=True):
    """A webhook, and the secret with which its receiver checks what comes; nobody can read it again."""

    webhook: Webhook
    secret: str


class WebhookDesk:
    """Sets webhooks up, and signs what is posted to them."""

    def __init__(self, floor: FloorStream, keys: KeyRing, store: Store) -> None:
        self._floor = floor
        self._keys = keys
        self._store = store

    async def add(
        self, name: str, url: str, scopes: tuple[Scope, ...], *, by: Two | str
    ) -> MadeWebhook | Refused:
        """Set up a webhook that is told what happens from now on, in the name of two people."""
        secret = HOOK_PREFIX + secrets.token_urlsafe(TOKEN_BYTES)
        sealed = self._keys.encrypt(secret.encode(), bound_to=_bound(name))
        tables = [each.setup.table for each in (self._floor.state or Floor()).tables]
        heads = [(table, (await self._store.head(table)).sequence) for table in tables]
        two = Two(by, None) if isinstance(by, str) else by
        body = cmd.AddWebhook(
            name=name,
            url=url,
            scopes=scopes,
            secret=Secret(sealed.key_id, sealed.content),
            after=tuple(FeedPlace(table, sequence) for table, sequence in heads),
        )
        answer = await self.send(body, two.actor, two.authoriser)
        if isinstance(answer, Refused):
            return answer
        (added,) = answer.events
        assert isinstance(added, WebhookAdded)
        return MadeWebhook(added.webhook, secret)

    def signature(self, webhook: Webhook, body: bytes, seconds: int) -> str | None:
        """Sign what is posted at a time; nothing where the key is lost with which the secret was kept."""
        sealed = Sealed(webhook.secret.key_id, webhook.secret.content)
        secret = self._keys.decrypt(sealed, bound_to=_bound(webhook.name))
        return None if secret is None else signed(secret, body, seconds)

    async def send(
        self, body: cmd.FloorBody, actor: str, second: str | None = None
    ) -> Accepted[FloorEvent] | Refused:
        """Have the floor decide something about a webhook."""
        command_id = f"webhook-{secrets.token_hex(16)}"
        return await self._floor.send(body, actor=actor, command_id=command_id, authoriser=second)


def signed(secret: bytes, body: bytes, seconds: int) -> str:
    """Return the header that shows who posts a body, and when."""
    made = hmac.new(secret, b"%d." % seconds + body, hashlib.sha256).hexdigest()
    return f"t={seconds},v1={made}"


def _bound(name: str) -> bytes:
    return f"webhook of {name}".encode()
