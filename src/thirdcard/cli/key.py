"""``thirdcard key``: the keys that sign and encrypt for a floor."""

from pathlib import Path

from cyclopts import App

from thirdcard.cli.arguments import Flag
from thirdcard.cli.output import BadInput, print_json, print_table
from thirdcard.journal.keys import KeyFileUnusable, KeyRing, open_key_file, renew_key_file
from thirdcard.rulebook.words import text
from thirdcard.streams.opening import usual_key

app = App(name="key", help="See to the keys of a floor.", help_format="plaintext")


@app.command
def show(*, key: Path | None = None, json: Flag = False) -> None:
    """Show the ids of the keys and their public keys, never the secret ones.

    Parameters
    ----------
    key
        The file with the floor's keys; without one $THIRDCARD_KEYS, or the usual place for a user's settings.
    json
        Print JSON.
    """
    ring = _ring(_file(key))
    if json:
        rows = [
            {"id": each, "public": public.hex(), "newest": each == ring.key_id}
            for each, public in ring.public_keys.items()
        ]
        print_json(rows)
        return
    lines = [
        (each, public.hex(), text("key.newest") if each == ring.key_id else text("key.older"))
        for each, public in ring.public_keys.items()
    ]
    print_table(None, (text("key.id"), text("key.public"), text("key.use")), lines)


@app.command
def renew(*, key: Path | None = None) -> None:
    """Add new keys, which sign and encrypt from the next start on; the old ones stay for what they did.

    Parameters
    ----------
    key
        The file with the floor's keys; without one $THIRDCARD_KEYS, or the usual place for a user's settings.
    """
    file = _file(key)
    _ring(file)
    print(text("key.renewed", file=str(file), id=renew_key_file(file).key_id))


def _file(key: Path | None) -> Path:
    file = key or usual_key()
    if not file.exists():
        raise BadInput(text("cli.no-key-file", file=str(file)))
    return file


def _ring(file: Path) -> KeyRing:
    try:
        return open_key_file(file)
    except KeyFileUnusable as error:
        raise BadInput(str(error)) from error
