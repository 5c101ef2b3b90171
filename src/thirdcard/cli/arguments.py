"""Kinds of arguments that several commands take."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

from cyclopts import CoercionError, Parameter, Token

from thirdcard.cli.output import BadInput
from thirdcard.rulebook.read import UnreadableFile
from thirdcard.rulebook.shelf import SHIPPED, Shelf, open_shelf

_DIGITS = re.compile("-?[0-9]{1,18}")


def _whole(_: object, tokens: Sequence[Token]) -> int:
    """Digits and nothing else: the library would also take 1.5 and round it."""
    (token,) = tokens
    if not _DIGITS.fullmatch(token.value):
        raise CoercionError(token=token, target_type=int)
    return int(token.value)


def _shelf(_: object, tokens: Sequence[Token]) -> Shelf:
    """The shelf with the rulebooks and houses of a folder."""
    (token,) = tokens
    if not token.value:
        return SHIPPED
    try:
        return open_shelf(Path(token.value))
    except UnreadableFile as error:
        raise BadInput(str(error)) from error


Flag = Annotated[bool, Parameter(negative=(), show_default=False)]
Several = Parameter(negative=(), show_default=False)  # an option that may be repeated
Texts = Annotated[tuple[str, ...], Several]
WholeNumber = Annotated[int, Parameter(converter=_whole)]
GameOrFile = Annotated[str, Parameter(help="The id of a game, or a rulebook file.")]
Readings = Annotated[
    tuple[str, ...],
    Parameter(negative=(), show_default=False, help="How an unclear place is read, such as AMB-01=a."),
]
WholeShoe = Annotated[
    int | None,
    Parameter(converter=_whole, help="A whole shoe of so many decks, 4 to 10; 8 where nothing is said."),
]
OwnShelf = Annotated[
    Shelf,
    Parameter(
        name="--shelf",
        metavar="PATH",
        converter=_shelf,
        n_tokens=1,
        accepts_keys=False,
        env_var="THIRDCARD_SHELF",
        show_default=False,
        help="A folder with rulebooks and houses of your own, beside those that are shipped.",
    ),
]
