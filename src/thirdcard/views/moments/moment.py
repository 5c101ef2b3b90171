"""The base of all moments."""

import re

from msgspec import Struct

from thirdcard.clauses import Clause


def _kind(name: str) -> str:
    """Name a kind of moment as its event is named: wager-placed for ``WagerPlacedMoment``."""
    return re.sub("(?<!^)(?=[A-Z])", "-", name.removesuffix("Moment")).lower()


class AnyMoment(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="kind", tag=_kind):
    """A moment; an absent field is not for this viewer, or the event has no value for it."""

    clauses: tuple[Clause, ...] = ()

    @property
    def kind(self) -> str:
        """The kind, which is the name of the event."""
        return str(self.__struct_config__.tag)
