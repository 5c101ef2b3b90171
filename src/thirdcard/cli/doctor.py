"""``thirdcard doctor``: what is in use here, in which version, and where things are kept."""

import importlib.metadata
import importlib.resources
import platform
import sys
from pathlib import Path

from thirdcard import __version__
from thirdcard.cli.arguments import Flag
from thirdcard.cli.floor_check import FloorCheck, FloorToCheck, check_floor, worst
from thirdcard.cli.floors import USUAL_FLOOR, FloorPlace
from thirdcard.cli.listening import USUAL_LISTEN, certificate_of, parse_listen
from thirdcard.cli.output import NEGATIVE_ANSWER, print_json, print_table
from thirdcard.odds.kernel import LIBRARY, NoKernel, Width, has_numpy, kernel, widths
from thirdcard.rulebook.words import text

LIBRARIES = (
    *(
        "apsw",
        "argon2-cffi",
        "cryptography",
        "cyclopts",
        "httptools",
        "msgspec",
        "prometheus-client",
        "pyotp",
    ),
    *("rich", "segno", "starlette", "uvicorn", "uvloop", "websockets", "zxcvbn"),
    *("asyncpg", "distributed", "duckdb", "httpx", "numpy", "reportlab", "XlsxWriter"),
)


def doctor(
    *,
    where: FloorPlace = USUAL_FLOOR,
    floor: Path | None = None,
    listen: str = USUAL_LISTEN,
    tls_cert: Path | None = None,
    tls_key: Path | None = None,
    json: Flag = False,
) -> int:
    """Say what is in use here, in which version and where; with --floor, whether a floor can be opened.

    Exit status 1 if a kernel is forced that does not work here, or if something is in the way of the floor.
    Nothing is written.

    Parameters
    ----------
    floor
        A floor file: check it with its shelf, houses and keys, the folders, the journal and its archive, the
        disk, the port and the certificate, as `thirdcard serve` would use them with the same options.
    listen
        The address and port at which the server is to listen.
    tls_cert
        A file with the certificate of the server and its chain.
    tls_key
        A file with the private key of the certificate.
    json
        Print JSON.
    """
    if floor is not None:
        tls = certificate_of(tls_cert, tls_key)
        wanted = FloorToCheck(where.place, floor, parse_listen(listen), tls)
        return _tell_floor(check_floor(wanted), json=json)
    try:
        found = kernel()
        counted = Width.NUMPY.value if has_numpy() else text("doctor.enumeration")
        used, status = found.width.value if found else counted, 0
    except NoKernel as error:
        used, status = str(error), NEGATIVE_ANSWER
    package = importlib.resources.files("thirdcard")
    screens = package.joinpath("screens")
    here = where.place
    facts: dict[str, str] = {
        "version": __version__,
        "python": f"{sys.version.split()[0]}, {platform.system()} {platform.machine()}",
        "kernel": used,
        "kernels": ", ".join(width.value for width in widths()),
        "library": str(LIBRARY) if LIBRARY.exists() else text("doctor.not-built"),
        "rulebooks": str(package.joinpath("rulebooks")),
        "data": str(here.data),
        "journal": str(here.journal) if here.postgres is None else here.address,
        "archive": str(here.archive),
        "keys": str(here.key),
        "marks": str(here.mark_file.path.parent),
        "screens": str(screens) if screens.joinpath("index.html").is_file() else text("doctor.not-built"),
    }
    versions = {name: _version(name) for name in LIBRARIES}
    if json:
        print_json({**facts, "libraries": versions})
        return status
    rows = [(text(f"doctor.{name}"), fact) for name, fact in facts.items()]
    rows += [(name, version or text("doctor.not-installed")) for name, version in versions.items()]
    print_table(None, (text("show.item"), text("show.value")), rows)
    return status


def _tell_floor(found: tuple[FloorCheck, ...], *, json: bool) -> int:
    if json:
        print_json({"ready": not worst(found), "checks": found})
    else:
        columns = tuple(text(key) for key in ("check.about", "check.result", "check.says"))
        rows = [
            (text(f"check.about-{each.about}"), text(f"check.{each.result.value}"), each.says)
            for each in found
        ]
        print_table(None, columns, rows)
    return NEGATIVE_ANSWER if worst(found) else 0


def _version(name: str) -> str | None:
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return None
