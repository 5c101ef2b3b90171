"""Refusals as they go out, over HTTP and over a socket."""

from msgspec import Struct

from thirdcard.messages import Params, say
from thirdcard.refusals import Refusal, Refused


class RefusedMessage(Struct, frozen=True, kw_only=True, tag_field="type", tag="refused"):
    """A refusal: a stable code, the clauses, and a sentence with the values that stand in it.

    Over a socket it has the id of the command, or the table that cannot be watched.
    """

    reason: Refusal
    clauses: tuple[str, ...]
    message: str
    params: Params = ()
    command_id: str | None = None
    table: str | None = None


def refused_message(
    refused: Refused, *, command_id: str | None = None, table: str | None = None
) -> RefusedMessage:
    """Put a refusal into the form in which it goes out."""
    return RefusedMessage(
        reason=refused.reason,
        clauses=refused.clauses,
        message=say(refused.message),
        params=refused.params,
        command_id=command_id,
        table=table,
    )
