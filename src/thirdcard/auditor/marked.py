"""The ends of streams by marks that were kept elsewhere, against which a journal is held."""

from pathlib import Path

from thirdcard.auditor.stored_rules import PublicKeys
from thirdcard.floor.state import StreamEnd
from thirdcard.journal.marks import MarkUnusable, given_up_ends, latest_ends, mark_is_genuine, read_marks
from thirdcard.journal.store import Store
from thirdcard.messages import Message


async def marked_in(store: Store, file: Path, public_keys: dict[str, bytes] | None) -> tuple[StreamEnd, ...]:
    """Return the ends by the newest marks of a file, but for those that two people have given up.

    The record by which they did so is proven with the stream of the floor.
    """
    keys, found = PublicKeys(store, public_keys), []
    for mark in read_marks(file):
        known = await keys.find(mark.key_id)
        if isinstance(known, Message) or not mark_is_genuine(mark, known):
            raise MarkUnusable(f"{file}: a mark in it is not signed by a key of this floor")
        found.append(mark)
    given_up = await given_up_ends(store, lambda _: True)
    return tuple(end for end in latest_ends(found) if end not in given_up)
