"""The actors who ask something of the floor or of a table, once it is known who they are."""

from msgspec import Struct

from thirdcard.floor.state import Scope
from thirdcard.refusals import Refusal, Refused, refuse
from thirdcard.staff import Post


class Staff(Struct, frozen=True):
    """A member of staff with the posts that the floor gives them; signed in, or shown to be themselves."""

    name: str
    posts: tuple[Post, ...]
    console: str
    session: str | None = None


class AtTerminal(Struct, frozen=True, kw_only=True):
    """A terminal by its own token, and the patron who uses it, if any."""

    terminal: str
    table: str
    enabled: bool
    training: bool
    patron: str | None = None
    position: int | None = None


class ByAccount(Struct, frozen=True):
    """Another system by the secret of its service account, with the scopes of that."""

    account: str
    scopes: tuple[Scope, ...]


class OfTable(Struct, frozen=True):
    """A table acting by its own clock, or its dealing device and reader."""

    table: str
    device: bool = False


class Stranger(Struct, frozen=True):
    """An actor who has shown no token; ``local`` where they come from the machine itself.

    ``guest`` is a stranger at the demonstration floor, who may look on; ``monitor`` a program with the token
    for the metrics.
    """

    local: bool = False
    guest: bool = False
    monitor: bool = False


Actor = Staff | AtTerminal | ByAccount | OfTable | Stranger


def refuse_account(actor: ByAccount, scopes: tuple[Scope, ...]) -> Refused:
    """Refuse what these scopes open, each of them, or none, to a service account that has none of them."""
    if not scopes:
        return refuse(Refusal.NOT_FOR_ACCOUNTS)
    named = ", ".join(each.value for each in scopes)
    return refuse(Refusal.SCOPE_MISSING, name=actor.account, scopes=named)
