"""Kinds of arguments that several commands take."""

import re
from collections.abc import Sequence
from typing import Annotated

from cyclopts import CoercionError, Parameter, Token

_DIGITS = re.compile("-?[0-9]{1,18}")


def _whole(_: object, tokens: Sequence[Token]) -> int:
    """Digits and nothing else: the library would also take 1.5 and round it."""
    (token,) = tokens
    if not _DIGITS.fullmatch(token.value):
        raise CoercionError(token=token, target_type=int)
    return int(token.value)


Flag = Annotated[bool, Parameter(negative=(), show_default=False)]
Several = Parameter(negative=(), show_default=False)  # an option that may be repeated
Texts = Annotated[tuple[str, ...], Several]
WholeNumber = Annotated[int, Parameter(converter=_whole)]
