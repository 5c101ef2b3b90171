"""``thirdcard witness``: keeps marks and checkpoints of a floor on another machine."""

import asyncio
import sys
from pathlib import Path

from thirdcard.cli.journals import public_keys
from thirdcard.cli.listening import parse_listen
from thirdcard.cli.output import BadInput
from thirdcard.journal.marks import MarkUnusable
from thirdcard.rulebook.words import text
from thirdcard.server.witness import run_witness


def witness(folder: Path, *, key: Path, listen: str = "127.0.0.1:8334") -> None:
    """Receive marks and checkpoints of a floor until Ctrl-C, and keep them append-only; docs/rollback.md.

    Only what a key of the floor has signed is kept. `thirdcard serve --witness` sends it here and asks at its
    start; `thirdcard audit verify` reads marks.jsonl and checkpoints.jsonl of the folder.

    Parameters
    ----------
    folder
        The folder in which to keep them; it is made where it is not there.
    key
        A file with the public keys of the floor, in hexadecimal, one a line.
    listen
        The address and port to listen at; only this machine reaches the usual one.
    """
    where, keys = parse_listen(listen), public_keys(key)
    print(text("witness.open", address=f"http://{listen}/", folder=str(folder)))
    sys.stdout.flush()
    try:
        asyncio.run(run_witness(folder, keys, where.host, where.port))
    except (OSError, MarkUnusable) as error:
        raise BadInput(str(error)) from error
