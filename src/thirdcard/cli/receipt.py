"""``thirdcard receipt``: checks the receipts that a floor has signed."""

import datetime
import sys
from pathlib import Path
from typing import Annotated

from cyclopts import App, Parameter

from thirdcard.cli.arguments import Flag
from thirdcard.cli.journals import public_keys
from thirdcard.cli.output import NEGATIVE_ANSWER, BadInput, console, print_json, print_table, read_bytes
from thirdcard.rulebook.words import text
from thirdcard.streams.opening import usual_key
from thirdcard.wire.receipts import NotAReceipt, Receipt, read_receipt, receipt_is_genuine

STANDARD_INPUT = "-"

app = App(name="receipt", help="Check the receipts of a floor.", help_format="plaintext")


@app.command
def verify(
    file: Annotated[Path, Parameter(allow_leading_hyphen=True)],
    *,
    key: Path | None = None,
    json: Flag = False,
) -> int:
    """Check that the floor has signed a receipt, and that nothing in it was altered.

    Exit status 0 if the receipt is genuine, 1 if it is not or another key has signed it, 2 if it cannot be
    read. docs/audit.md explains it.

    Parameters
    ----------
    file
        A file with the receipt as the terminal copies it, or - for standard input.
    key
        A file with the public keys of the house, or the floor's key file; without one $THIRDCARD_KEYS, or the
        usual place for a user's settings.
    json
        Print JSON: whether the receipt is genuine, why not, and the receipt.
    """
    receipt = _read(file)
    keys = public_keys(_key_file(key))
    genuine = receipt_is_genuine(receipt, keys)
    if genuine:
        says = text("receipt-check.genuine", key=receipt.key_id)
    elif receipt.key_id in keys:
        says = text("receipt-check.not-genuine", key=receipt.key_id)
    else:
        says = text("receipt-check.other-key", key=receipt.key_id)
    if json:
        print_json({"genuine": genuine, "says": says, "receipt": receipt})
    else:
        console().print(says, soft_wrap=True)
        if genuine:
            print_table(None, (text("receipt-check.part"), text("receipt-check.content")), _rows(receipt))
    return 0 if genuine else NEGATIVE_ANSWER


def _read(file: Path) -> Receipt:
    from_input = str(file) == STANDARD_INPUT
    content = sys.stdin.buffer.read() if from_input else read_bytes(file)
    try:
        return read_receipt(content)
    except NotAReceipt as error:
        name = text("receipt-check.standard-input") if from_input else str(file)
        raise BadInput(text("receipt-check.unreadable", file=name, error=str(error))) from error


def _key_file(key: Path | None) -> Path:
    file = key or usual_key()
    if key is None and not file.exists():
        raise BadInput(text("receipt-check.no-keys", file=str(file)))
    return file


def _rows(receipt: Receipt) -> list[tuple[str, str]]:
    when = datetime.datetime.fromtimestamp(receipt.at / 1_000_000, datetime.UTC)
    return [
        (text("receipt-check.says"), receipt.says),
        (text("receipt-check.when"), f"{when:%Y-%m-%d %H:%M:%S} UTC"),
        (text("receipt-check.by"), receipt.actor),
        (
            text("receipt-check.record"),
            text("receipt-check.place", table=receipt.table, record=receipt.sequence),
        ),
        (text("receipt-check.digest"), receipt.digest),
        (text("receipt-check.command"), receipt.command_id),
    ]
