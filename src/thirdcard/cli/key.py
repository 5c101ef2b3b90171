"""``thirdcard key``: the keys that sign and encrypt for a floor."""

from pathlib import Path

from cyclopts import App

from thirdcard.cli.arguments import Flag
from thirdcard.cli.journals import public_keys
from thirdcard.cli.output import BadInput, print_json, print_table
from thirdcard.journal.keys import (
    KeyFileUnusable,
    KeyRing,
    open_key_file,
    renew_key_file,
    replace_lost_keys,
    retire_keys,
)
from thirdcard.rulebook.words import text
from thirdcard.streams.opening import usual_key

USES = {"newest": "key.newest", "older": "key.older", "retired": "key.retired"}
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
    ring = open_ring(_file(key))
    if json:
        rows = [
            {"id": each, "public": public.hex(), "newest": each == ring.key_id, "use": _use(ring, each)}
            for each, public in ring.public_keys.items()
        ]
        print_json(rows)
        return
    lines = [(each, public.hex(), text(USES[_use(ring, each)])) for each, public in ring.public_keys.items()]
    print_table(None, (text("key.id"), text("key.public"), text("key.use")), lines)


@app.command
def renew(*, key: Path | None = None, json: Flag = False) -> None:
    """Add new keys, which sign and encrypt from the next start on; the old ones stay for what they did.

    Parameters
    ----------
    key
        The file with the floor's keys; without one $THIRDCARD_KEYS, or the usual place for a user's settings.
    json
        Print JSON.
    """
    file = _file(key)
    open_ring(file)
    _tell_new(renew_key_file(file), file, "key.renewed", json=json)


@app.command
def retire(key_id: str, *, key: Path | None = None) -> None:
    """Forget how to sign with older keys, so that whoever gets the file cannot sign as they did.

    What they signed can still be checked, and what they sealed can be opened. Renew first, restart every
    server, and publish which keys are retired.

    Parameters
    ----------
    key_id
        The id of the keys, as `thirdcard key show` has it.
    key
        The file with the floor's keys; without one $THIRDCARD_KEYS, or the usual place for a user's settings.
    """
    file = _file(key)
    open_ring(file)
    try:
        retire_keys(file, key_id)
    except KeyFileUnusable as error:
        raise BadInput(str(error)) from error
    print(text("key.was-retired", id=key_id, file=str(file)))


@app.command
def replace_lost(*, published: Path, key: Path | None = None, json: Flag = False) -> None:
    """Make new keys for a floor whose key file is lost; docs/keys.md says what else there is to do.

    Nobody can sign in with a password that the lost keys sealed, and sealed shoes cannot be opened.

    Parameters
    ----------
    published
        A file with the public keys of the floor as it has published them: by them its record can be checked.
    key
        The file to make; without one $THIRDCARD_KEYS, or the usual place for a user's settings.
    json
        Print JSON.
    """
    file = key or usual_key()
    try:
        ring = replace_lost_keys(file, tuple(public_keys(published).values()))
    except KeyFileUnusable as error:
        raise BadInput(str(error)) from error
    _tell_new(ring, file, "key.replaced", json=json)


def _tell_new(ring: KeyRing, file: Path, sentence: str, *, json: bool) -> None:
    """Tell which keys are new in a file."""
    if json:
        print_json({"file": str(file), "id": ring.key_id, "public": ring.public_keys[ring.key_id].hex()})
    else:
        print(text(sentence, file=str(file), id=ring.key_id))


def _use(ring: KeyRing, key_id: str) -> str:
    """Return the use that keys have by now."""
    if ring.is_retired(key_id):
        return "retired"
    return "newest" if key_id == ring.key_id else "older"


def _file(key: Path | None) -> Path:
    file = key or usual_key()
    if not file.exists():
        raise BadInput(text("cli.no-key-file", file=str(file)))
    return file


def open_ring(file: Path) -> KeyRing:
    """Return the keys in a file; one that cannot be used is bad input."""
    try:
        return open_key_file(file)
    except KeyFileUnusable as error:
        raise BadInput(str(error)) from error
