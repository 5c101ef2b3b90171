"""``thirdcard serve``: a floor of tables that people reach with a browser."""

import asyncio
import datetime
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import uvloop
from cyclopts import Parameter
from msgspec.structs import replace

from thirdcard.cli.arguments import Flag, Texts
from thirdcard.cli.floors import USUAL_FLOOR, FloorPlace, run
from thirdcard.cli.listening import USUAL_LISTEN, certificate_of, parse_listen
from thirdcard.cli.output import BadInput, print_table
from thirdcard.clockwork.floor_file import FloorFile, read_floor_file
from thirdcard.roundfile.values import BadLine
from thirdcard.rulebook.read import UnreadableFile
from thirdcard.rulebook.shelf import Shelf
from thirdcard.rulebook.words import text
from thirdcard.server.drills import check_packs
from thirdcard.server.exposure import BadCertificate
from thirdcard.server.logs import set_up_logs
from thirdcard.server.security import Guard
from thirdcard.server.serve import CannotListen, Serving, Wanted
from thirdcard.server.serve import serve as serve_floor
from thirdcard.server.training_room import TrainingFiles

_TOKEN = re.compile(r"[!-~]{16,}")
WITHOUT_BOTS = ("fast",)  # a table where a visitor plays alone


@Parameter(name="*")
@dataclass(frozen=True)
class TrainingPlace:
    """The files of training.

    Parameters
    ----------
    packs
        A folder with drills of your own for training, beside those that are shipped.
    training_record
        The file of the record of training; without one it lies beside the folder of the data.
    """

    packs: Path | None = None
    training_record: Path | None = None


USUAL_TRAINING = TrainingPlace()


def serve(
    *,
    where: FloorPlace = USUAL_FLOOR,
    listen: str = USUAL_LISTEN,
    demo: Flag = False,
    empty: Flag = False,
    floor: Path | None = None,
    readers: str | None = None,
    proxy: Texts = (),
    host: Texts = (),
    origin: Texts = (),
    tls_cert: Path | None = None,
    tls_key: Path | None = None,
    metrics_token: Path | None = None,
    witness: str | None = None,
    training: TrainingPlace = USUAL_TRAINING,
    log_json: Flag = False,
) -> None:
    """Serve a floor of tables until Ctrl-C.

    Parameters
    ----------
    listen
        The address and port to listen at; only this machine reaches the usual one.
    demo
        Open the demonstration floor: a training table for each game, with sign-ins that are printed.
    empty
        Leave the bots away that play at the demonstration floor, and free no seats there.
    floor
        A floor file whose tables are taken over first; with --demo they take the place of the usual ones.
    readers
        The address and port at which card readers connect; without it none can.
    proxy
        A network of proxies that are trusted to say where a request comes from; may be repeated.
    host
        A name under which the server is called; may be repeated, and without one any name is taken.
    origin
        An origin besides our own whose pages may send commands; may be repeated.
    tls_cert
        A file with the certificate of the server and its chain, for TLS without a proxy.
    tls_key
        A file with the private key of the certificate.
    metrics_token
        A file with a token that lets a Prometheus on another machine read /metrics.
    witness
        The address of a `thirdcard witness` on another machine, which gets marks and checkpoints.
    log_json
        Write the log as lines of JSON.
    """
    set_up_logs(as_json=log_json)
    here = where.place_of(demo=demo)
    file = _read(floor, here.shelf) if floor else None
    wanted = Wanted(
        where=replace(here, shelf=file.shelf) if file else here,
        listen=parse_listen(listen),
        demo=demo,
        living=demo and not empty,
        file=file,
        readers=parse_listen(readers) if readers else None,
        guard=Guard(proxies=proxy, hosts=host, origins=origin),
        witness=witness,
        tls=certificate_of(tls_cert, tls_key),
        monitor=_read_token(metrics_token) if metrics_token else None,
        training=TrainingFiles(training.packs, training.training_record),
    )
    if training.packs is not None:
        _check(training.packs, wanted.where.shelf)
    with _in_words():
        run(here, lambda: _serve(wanted), uvloop.new_event_loop)


@contextmanager
def _in_words() -> Iterator[None]:
    """Say in a sentence why nothing can be served."""
    try:
        yield
    except BadCertificate as error:
        raise BadInput(text("serve.bad-certificate", problem=str(error))) from error
    except CannotListen as error:
        raise BadInput(text("serve.cannot-listen", problem=str(error))) from error


async def _serve(wanted: Wanted) -> None:
    """Serve a floor, with bots where it is a living demonstration."""
    company: list[asyncio.Task[None]] = []

    def told(serving: Serving) -> None:
        _tell(serving)
        if wanted.living:
            company.extend(_bots_of(serving))

    try:
        await serve_floor(wanted, told)
    finally:
        for each in company:
            each.cancel()
        await asyncio.gather(*company, return_exceptions=True)


def _bots_of(serving: Serving) -> tuple[asyncio.Task[None], ...]:
    """Let bots play at a demonstration; where their library is missing there are none, and it says so."""
    try:
        from thirdcard.client.company import Company  # noqa: PLC0415 - an extra that may not be there
    except ImportError:
        print(text("bot.needs-client"), file=sys.stderr)
        return ()
    return (asyncio.create_task(Company(serving.address, serving.watched).keep(without=WITHOUT_BOTS)),)


def _read_token(file: Path) -> str:
    """Return the token in a file; one that is easily guessed is refused."""
    try:
        token = file.read_text("ascii").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"{file}: {error}") from error
    if not _TOKEN.fullmatch(token):
        raise BadInput(text("serve.bad-token", file=str(file)))
    return token


def _check(packs: Path, shelf: Shelf) -> None:
    """Refuse a folder with a drill that cannot be gone through."""
    try:
        check_packs(packs, shelf)
    except (BadLine, OSError, UnicodeDecodeError) as error:
        raise BadInput(f"{packs}: {error}") from error


def _read(floor: Path, shelf: Shelf) -> FloorFile:
    try:
        return read_floor_file(floor, datetime.datetime.now(datetime.UTC), shelf)
    except UnreadableFile as error:
        raise BadInput(str(error)) from error


def _tell(serving: Serving) -> None:
    print(text("serve.open", address=serving.address))
    for reason in serving.closed:
        print(text("serve.closed", reason=reason))
    if serving.closed:
        print(text("record-check.accept"))
    for warning in serving.warnings:
        print(warning)
    if serving.held:
        print(text("serve.held", tables=", ".join(serving.held)))
    if serving.demo is not None:
        print(text("serve.demo"))
        now = datetime.datetime.now(datetime.UTC)
        columns = text("serve.name"), text("serve.password"), text("serve.code")
        rows = [(each.name, each.password, each.code_at(now)) for each in serving.demo.people]
        print_table(text("serve.sign-ins"), columns, rows)
        print(text("serve.sit"))
    print(text("serve.stop"))
    sys.stdout.flush()
