"""``thirdcard doctor``: what is in use here, in which version, and where things are kept."""

import importlib.metadata
import importlib.resources
import platform
import sys

from thirdcard import __version__
from thirdcard.cli.arguments import Flag
from thirdcard.cli.output import NEGATIVE_ANSWER, print_json, print_table
from thirdcard.odds.kernel import LIBRARY, NoKernel, Width, kernel, widths
from thirdcard.rulebook.words import text
from thirdcard.streams.opening import place

LIBRARIES = (
    *("msgspec", "numpy", "apsw", "cryptography", "cyclopts", "rich", "starlette", "uvicorn", "uvloop"),
    *("distributed", "asyncpg", "duckdb", "httpx"),
)


def doctor(*, json: Flag = False) -> int:
    """Say which kernel computes odds and simulations here, with versions and places.

    Exit status 1 if a kernel is forced that does not work here.

    Parameters
    ----------
    json
        Print JSON.
    """
    try:
        found = kernel()
        used, status = found.width.value if found else Width.NUMPY.value, 0
    except NoKernel as error:
        used, status = str(error), NEGATIVE_ANSWER
    package = importlib.resources.files("thirdcard")
    screens = package.joinpath("screens")
    where = place()
    facts: dict[str, str] = {
        "version": __version__,
        "python": f"{sys.version.split()[0]}, {platform.system()} {platform.machine()}",
        "kernel": used,
        "kernels": ", ".join(width.value for width in widths()),
        "library": str(LIBRARY) if LIBRARY.exists() else text("doctor.not-built"),
        "rulebooks": str(package.joinpath("rulebooks")),
        "data": str(where.data),
        "journal": str(where.journal),
        "keys": str(where.key),
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


def _version(name: str) -> str | None:
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return None
