"""``thirdcard shoe``: checks what a table published about a virtual shoe."""

import secrets
from pathlib import Path
from typing import Annotated

import msgspec
from cyclopts import App, Parameter
from cyclopts.validators import Number

from thirdcard.cards import NEW_DECK
from thirdcard.cli.arguments import Flag
from thirdcard.cli.output import NEGATIVE_ANSWER, BadInput, console, print_json
from thirdcard.devices.shuffle import below, shuffled
from thirdcard.journal.sealed_shoe import (
    SECRET,
    Contents,
    Opening,
    ShoeFile,
    check,
    prove,
    root_of_shoe,
)
from thirdcard.messages import message, say
from thirdcard.rulebook.words import text

app = App(name="shoe", help="Check virtual shoes.", help_format="plaintext")
PROVEN = 6  # cards of the first round


@app.command
def verify(file: Path, *, json: Flag = False) -> int:
    """Check a shoe that was laid open, and proofs of single cards, against the root that was published.

    Exit status 1 if something is not as it was sealed; the first bad position is named.
    docs/shoe.md explains the file, and how to check it without thirdcard.

    Parameters
    ----------
    file
        A file about a shoe.
    json
        Print JSON: whether all is good, what is wrong, and how many cards were looked at.
    """
    shoe = _read(file)
    wrong = [say(each) for each in check(shoe)]
    looked_at = {
        "opened": len(shoe.opened.order) if shoe.opened else 0,
        "proofs": len(shoe.proofs),
        "dealt": sum(card is not None for card in shoe.dealt),
    }
    if json:
        print_json({"good": not wrong, "wrong": wrong, **looked_at})
    else:
        console().print("\n".join(wrong) or text("shoe.good", **looked_at))
    return NEGATIVE_ANSWER if wrong else 0


@app.command
def make(file: Path, *, decks: Annotated[int, Parameter(validator=Number(gte=1, lte=10))] = 8) -> None:
    """Shuffle and seal a shoe, cut it, deal six cards with their proofs, and lay it open: a file to check.

    Parameters
    ----------
    file
        Where to write it.
    decks
        How many decks it has, 1 to 10.
    """
    contents = Contents(shuffled(NEW_DECK * decks), secrets.token_bytes(SECRET))
    cards = len(contents.order)
    cut = 1 + below(cards - 1)
    positions = [(cut + place) % cards for place in range(PROVEN)]
    shoe = ShoeFile(
        format=1,
        root=root_of_shoe(contents),
        cards=cards,
        cut=cut,
        opened=Opening(tuple(card.text for card in contents.order), contents.secret.hex()),
        proofs=tuple(prove(contents, position) for position in positions),
        dealt=tuple(contents.order[position].text for position in positions),
    )
    try:
        file.write_bytes(msgspec.json.encode(shoe) + b"\n")
    except OSError as error:
        reason = error.strerror or ""
        raise BadInput(say(message("road.not-written", file=str(file), reason=reason))) from error
    console().print(text("shoe.made", file=str(file), cards=cards, cut=cut))


def _read(file: Path) -> ShoeFile:
    try:
        return msgspec.json.decode(file.read_bytes(), type=ShoeFile)
    except OSError as error:
        raise BadInput(text("cli.no-file", file=str(file), reason=error.strerror or "")) from error
    except msgspec.DecodeError as error:
        raise BadInput(text("shoe.bad-file", file=str(file), error=str(error))) from error
