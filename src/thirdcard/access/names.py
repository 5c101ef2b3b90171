"""Names that somebody who reads them would take for one another: nobody new gets such a name."""

from collections.abc import Iterable

from thirdcard.floor.decide import RESERVED
from thirdcard.floor.state import Floor
from thirdcard.refusals import Refusal, Refused, refuse
from thirdcard.spelling import SHOWN_AS_NOTHING, look_the_same


def refuse_look(floor: Floor, name: str, *besides: str) -> Refused | None:
    """Refuse a name that looks like one of the floor, or of those besides, or that is not shown as it is.

    One that begins with @ could be told as a word of ours, such as a post; one of characters that are not
    seen shows nothing. The floor itself refuses one that is taken. Records from before this was looked at
    stay good.
    """
    shown = any(each.isalnum() for each in SHOWN_AS_NOTHING.sub("", name)) and not name.startswith("@")
    alike = any(each != name and look_the_same(each, name) for each in (*_names(floor), *besides))
    return refuse(Refusal.NAME_TAKEN, name=name) if alike or not shown else None


def _names(floor: Floor) -> Iterable[str]:
    yield from RESERVED
    yield from (each.name for each in floor.people)
    yield from (each.setup.table for each in floor.tables)
    yield from (each.name for each in floor.accounts)
    for terminal in floor.terminals:
        yield terminal.id
        if terminal.patron:
            yield terminal.patron
