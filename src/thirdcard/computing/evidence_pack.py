"""The evidence pack for an examiner: clauses with their proofs, odds, the shuffle, figures, and digests."""

import csv
import datetime
import hashlib
import io
import itertools
import json
import math
import platform
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from thirdcard import __version__
from thirdcard.cards import Rank
from thirdcard.computing.bad_input import BadInput
from thirdcard.computing.game import game
from thirdcard.computing.results import write_file
from thirdcard.devices.shuffle import shuffled
from thirdcard.messages import message, say
from thirdcard.odds.kernel import kernel
from thirdcard.odds.par import software_digest
from thirdcard.rulebook.pages.coverage import shipped_coverage
from thirdcard.rulebook.shelf import SHIPPED

CARDS, OF_A_RANK, SHOWN_POSITIONS = 416, 32, 6
MOST_ROUND_FILES = 12  # that are named beside a clause; the others are there too
ROUNDS, FIGURES = ("tests", "rounds"), ("reliability.md", "performance.md")
_GAME = re.compile(r"^game (.+)$", re.MULTILINE)
_CITED = re.compile(r"\[([^\[\]]+)\]\s*$", re.MULTILINE)
_CLAUSE = re.compile(r"\b\d+(?:\.\d+)+(?:\.T\d+)?\b")


class ShuffleStatistic(Struct, frozen=True):
    """A statistic of shuffled shoes beside its value for orders that are all as likely."""

    name: str
    value: float
    expected: float
    deviations: float | None
    chance: float | None  # of a value as far off, for a chi-square


def write_pack(folder: Path, *, made: datetime.date, shoes: int, checkout: Path | None) -> tuple[str, ...]:
    """Write the pack into an empty folder, and return the names of its files."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise BadInput(say(message("evidence-pack.not-empty", folder=str(folder))))
    if checkout is not None and not checkout.joinpath(*ROUNDS).is_dir():
        raise BadInput(say(message("evidence-pack.no-checkout", folder=str(checkout))))
    pack = _Pack(folder)
    rounds = {} if checkout is None else _copied_rounds(pack, checkout.joinpath(*ROUNDS))
    pack.write("clauses.csv", _clauses(rounds).encode())
    for book in SHIPPED.rulebooks:
        sheet, name = game(book.id).par_sheet(made=made), book.id.replace("/", "-")
        pack.write(f"odds/{name}.html", sheet.to_html().encode())
        pack.write(f"odds/{name}.json", sheet.to_json().encode())
        sheet.to_xlsx(pack.place(f"odds/{name}.xlsx"))
    pack.write("shuffle.json", json.dumps(_shuffle(shoes), indent=1).encode())
    if checkout is not None:
        for name in FIGURES:
            pack.write(f"figures/{name}", (checkout / "docs" / name).read_bytes())
    pack.write("software.json", json.dumps(_software(made), indent=1).encode())
    pack.write("README.txt", say(message("evidence-pack.readme", day=made.isoformat(), shoes=shoes)).encode())
    pack.write("SHA256SUMS", pack.sums().encode())
    return tuple(pack.names())


class _Pack:
    """A folder that is being filled."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def place(self, name: str) -> Path:
        """Return where a file goes; its folder is there."""
        path = self._folder / name
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            reason = error.strerror or ""
            raise BadInput(say(message("road.not-written", file=str(path), reason=reason))) from error
        return path

    def write(self, name: str, content: bytes) -> None:
        write_file(self.place(name), content)

    def names(self) -> list[str]:
        files = (each for each in self._folder.rglob("*") if each.is_file())
        return sorted(each.relative_to(self._folder).as_posix() for each in files)

    def sums(self) -> str:
        """Return a line for each file, as sha256sum reads it."""
        digests = {name: hashlib.sha256((self._folder / name).read_bytes()) for name in self.names()}
        return "".join(f"{digest.hexdigest()}  {name}\n" for name, digest in digests.items())


def _copied_rounds(pack: _Pack, folder: Path) -> dict[tuple[str, str], list[str]]:
    """Copy the round files; the names of those that cite a clause, by document and clause."""
    cited: dict[tuple[str, str], list[str]] = {}
    for file in sorted(folder.rglob("*.round")):
        text, name = file.read_text("utf-8"), f"rounds/{file.relative_to(folder).as_posix()}"
        pack.write(name, text.encode())
        for key in _cited_by(text):
            cited.setdefault(key, []).append(name)
    return cited


def _cited_by(text: str) -> set[tuple[str, str]]:
    """The documents and clauses that a round file cites; one of several games lists them by game."""
    found: set[tuple[str, str]] = set()
    games = [each.strip() for line in _GAME.findall(text)[:1] for each in line.split(",")]
    for grounds in _CITED.findall(text):
        for part in grounds.split("; "):
            names, colon, clauses = part.partition(": ")
            of = [each.strip() for each in names.split(",")] if colon else games
            cited = _CLAUSE.findall(clauses or part)
            found |= {(each.partition("/")[0], clause) for each in of for clause in cited}
    return found


def _clauses(rounds: dict[tuple[str, str], list[str]]) -> str:
    """A line for each clause: its kind, how far it is proven, by which evidence, and its round files."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    heads = ("document", "clause", "subject", "kind", "status", "evidence", "missing", "reason")
    writer.writerow((*heads, "round_files", "rounds"))
    for document in SHIPPED.documents:
        for clause, cover in shipped_coverage(document).items():
            files = rounds.get((document.id, str(clause)), [])
            pieces = (" ".join(each.value for each in part) for part in (cover.evidence, cover.missing))
            about = (document.id, clause, cover.subject, cover.kind.value, cover.status.value)
            told = " ".join(files[:MOST_ROUND_FILES])
            writer.writerow((*about, *pieces, cover.reason or "", len(files), told))
    return out.getvalue()


def _shuffle(shoes: int) -> dict[str, Any]:
    """Statistics of shoes from the shuffler that virtual shoes use."""
    orders = [shuffled(range(CARDS)) for _ in range(shoes)]
    told = [msgspec.to_builtins(each) for each in _statistics(orders)]
    return {"shoes": shoes, "cards": CARDS, "statistics": told}


def _statistics(orders: list[tuple[int, ...]]) -> Iterator[ShuffleStatistic]:
    """Statistics whose values for orders that are all as likely are known exactly."""
    shoes = len(orders)
    stayed = sum(card == place for order in orders for place, card in enumerate(order)) / shoes
    yield _mean("cards in the place where they were", stayed, 1.0, 1.0, shoes)
    falls = sum(one > other for order in orders for one, other in itertools.pairwise(order)) / shoes
    variance = (CARDS + 1) / 12
    yield _mean("neighbours that change their order", falls, (CARDS - 1) / 2, variance, shoes)
    for place in range(SHOWN_POSITIONS):
        counts = Counter(order[place] // OF_A_RANK for order in orders)
        fair = shoes / len(Rank)
        square = sum((counts[rank] - fair) ** 2 / fair for rank in range(len(Rank)))
        yield ShuffleStatistic(
            f"chi-square of the rank of card {place + 1}", square, len(Rank) - 1, None, _chance(square)
        )


def _mean(name: str, value: float, expected: float, variance: float, shoes: int) -> ShuffleStatistic:
    return ShuffleStatistic(name, value, expected, (value - expected) / math.sqrt(variance / shoes), None)


def _chance(square: float) -> float:
    """The chance of a chi-square with twelve degrees of freedom that is as large or larger."""
    half = square / 2
    return math.exp(-half) * sum(half**power / math.factorial(power) for power in range((len(Rank) - 1) // 2))


def _software(made: datetime.date) -> dict[str, Any]:
    found = kernel()
    return {
        "thirdcard": __version__,
        "digest": software_digest(),
        "made": made.isoformat(),
        "python": platform.python_version(),
        "machine": platform.machine(),
        "kernel": "numpy" if found is None else found.width.value,
        "rulebooks": {book.id: book.digest for book in SHIPPED.rulebooks},
    }
