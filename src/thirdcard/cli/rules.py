"""``thirdcard rules``: what the rulebooks say, how they differ, and whether one is sound."""

from collections.abc import Iterator
from pathlib import Path

from cyclopts import App

from thirdcard.cli.arguments import Flag, OwnShelf
from thirdcard.cli.number_forms import FOR_PEOPLE, NumberForm
from thirdcard.cli.output import (
    BAD_INPUT,
    NEGATIVE_ANSWER,
    BadInput,
    complain,
    console,
    print_json,
    print_rulebook_table,
    print_table,
    read_bytes,
)
from thirdcard.computing.checking import Checked, CheckedRulebooks, GameEdges
from thirdcard.computing.game import game as open_game
from thirdcard.computing.games import find_house
from thirdcard.messages import message, say
from thirdcard.odds.edge import Edge, edges_by_decks
from thirdcard.rulebook.book import game_ids, rulebooks
from thirdcard.rulebook.check import check_fit, problem
from thirdcard.rulebook.document import Document
from thirdcard.rulebook.house import House
from thirdcard.rulebook.pages.coverage import (
    Coverage,
    Piece,
    Status,
    kind_totals,
    shipped_coverage,
    subject_totals,
    totals,
)
from thirdcard.rulebook.pages.diff import Difference, diff
from thirdcard.rulebook.pages.show import find_clause, keys_citing, lines_citing, tables
from thirdcard.rulebook.read import UnreadableFile, parse_document
from thirdcard.rulebook.shelf import SHIPPED, Shelf
from thirdcard.spelling import no_such

app = App(name="rules", help="Ask the rulebooks.", help_format="plaintext")


def _text(key: str, **params: str | int) -> str:
    return say(message(key, **params))


def _columns(*names: str) -> tuple[str, ...]:
    return tuple(_text(f"show.{name}") for name in names)


def _document(name: str, shelf: Shelf) -> Document:
    """A rulebook by its id or that of a game of it; with ``@DAY`` the version in force from that day on."""
    wanted, _, day = name.partition("@")
    for document in shelf.versions if day else shelf.documents:
        begins = document.in_force.date().isoformat() if day else ""
        if begins == day and wanted in (document.id, *game_ids(document)):
            return document
    keys, ids = ("cli.no-such-rulebook", "cli.rulebook-near"), shelf.document_ids
    raise BadInput(say(no_such(*keys, name, ids, rulebook=name, rulebooks=", ".join(ids))))


def _instant(document: Document) -> str:
    return document.in_force.isoformat(sep=" ", timespec="minutes")


def _documents(rulebook: str | None, shelf: Shelf) -> tuple[Document, ...]:
    return (_document(rulebook, shelf),) if rulebook else shelf.documents


@app.command(name="list")
def list_(*, shelf: OwnShelf = SHIPPED, json: Flag = False) -> None:
    """List the rulebooks with operator, version and the instant from which they are in force.

    Parameters
    ----------
    json
        Print JSON.
    """
    documents = shelf.versions
    if json:
        print_json(
            [
                {
                    "id": each.id,
                    "games": game_ids(each),
                    "name": each.name,
                    "operator": each.operator,
                    "jurisdiction": each.jurisdiction,
                    "version": each.version,
                    "in_force": each.in_force,
                    "table": each.table,
                    "house": each.house,
                    "clauses": len(each.clauses),
                }
                for each in documents
            ]
        )
        return
    rows = [
        ("\n".join(game_ids(each)), each.name, each.operator, each.version or "", _instant(each))
        for each in documents
    ]
    print_table(None, _columns("game", "name", "operator", "version", "in-force"), rows)


@app.command
def show(rulebook: str, clause: str | None = None, *, shelf: OwnShelf = SHIPPED, json: Flag = False) -> None:
    """Show a rulebook's tables, or one clause and what rests on it.

    Parameters
    ----------
    rulebook
        The id of a rulebook, or of one of its games.
    clause
        A clause as printed in the document, such as 5.8.2.2, or a term that it defines.
    json
        Print JSON.
    """
    document = _document(rulebook, shelf)
    if clause is not None:
        _show_clause(shelf, document, clause, json=json)
        return
    if json:
        print_json({"id": document.id, "tables": tables(document)})
        return
    for table in tables(document):
        print_rulebook_table(table)


def _show_clause(shelf: Shelf, document: Document, wanted: str, *, json: bool) -> None:
    clause = find_clause(document, wanted)
    if clause is None:
        raise BadInput(_text("cli.no-such-clause", rulebook=document.id, clause=wanted))
    line = document.clauses[clause]
    cover = None if shelf.is_own(document.id) else shipped_coverage(document)[clause]
    resting = lines_citing(document, clause)
    readings = [reading for reading in document.readings if clause in reading.clauses]
    notes = [note.note for note in document.text.notes if note.clause == clause]
    if json:
        print_json(
            {
                "rulebook": document.id,
                "clause": clause,
                "kind": line.kind,
                "term": line.term,
                "says": line.says,
                **(_cover_fields(cover) if cover else {}),
                "keys": keys_citing(document, clause),
                "rows": [{"table": title, "about": row.about, "said": row.said} for title, row in resting],
                "readings": readings,
                "notes": notes,
            }
        )
        return
    out = console()
    term = f" {line.term}:" if line.term else ""
    out.print(f"{document.id} {clause} ({line.kind}):{term} {line.says}", soft_wrap=True)
    for about in _cover_lines(cover) if cover else ():
        out.print(about, soft_wrap=True)
    for title, row in resting:
        out.print(f"{title}: {' · '.join((*row.about, *row.said))}", soft_wrap=True)
    for reading in readings:
        out.print(f"{reading.id}: {reading.question} {reading.answer}", soft_wrap=True)
    for note in notes:
        out.print(f"{_text('show.note')}: {note}", soft_wrap=True)


def _cover_fields(cover: Coverage) -> dict[str, object]:
    return {
        "proof": cover.kind,
        "also": cover.also,
        "status": cover.status.value,
        "evidence": cover.evidence,
        "missing": cover.missing,
        "waived": cover.waived,
        "reason": cover.reason,
    }


def _cover_lines(cover: Coverage) -> Iterator[str]:
    yield f"{_text('show.status')}: {_text(f'status.{cover.status.value}')}"
    for name, said in zip(_columns("proof", "evidence", "missing", "reason"), _evidence(cover), strict=True):
        if said:
            yield f"{name}: {said}"


@app.command(name="diff")
def diff_(
    left: str,
    right: str,
    *,
    edge: Flag = False,
    shelf: OwnShelf = SHIPPED,
    form: NumberForm = FOR_PEOPLE,
) -> None:
    """Say topic by topic what differs between two rulebooks and what only moved its clause number.

    Parameters
    ----------
    left
        The id of a rulebook, or of one of its games; with @DAY its version in force from that day on.
    right
        The id of another.
    edge
        Instead: the exact house edge of every wager of both, and what the change costs, with 8 decks.
    """
    form.check()
    if edge:
        compared = open_game(left, shelf=shelf).compare(open_game(right, shelf=shelf))
        cells = [tuple("" if cell is None else _in_words(cell) for cell in row) for row in compared.rows]
        heads = tuple(column.title for column in compared.columns)
        form.tell(compared, lambda: print_table(compared.title, heads, cells))
        return
    if form.csv or form.xlsx:
        raise BadInput(_text("cli.edges-only"))
    topics = diff(_document(left, shelf), _document(right, shelf))
    if form.json:
        print_json({"left": left, "right": right, "topics": topics})
        return
    rows = [
        (topic.title, str(topic.same), str(len(topic.moved)), str(len(topic.differs))) for topic in topics
    ]
    heads = ("cli.topic", "cli.same", "cli.moved", "cli.differs")
    print_table(None, tuple(_text(head) for head in heads), rows)
    for topic in topics:
        if topic.differs:
            cells = [_difference(each) for each in topic.differs]
            print_table(f"{topic.title}: {_text('cli.differs')}", (_text("show.item"), left, right), cells)
    for topic in topics:
        if topic.moved:
            moves = [
                (" · ".join(each.about), ", ".join(each.left_clauses), ", ".join(each.right_clauses))
                for each in topic.moved
            ]
            print_table(f"{topic.title}: {_text('cli.moved')}", (_text("show.item"), left, right), moves)


def _in_words(cell: object) -> str:
    return f"{cell:.4f}" if isinstance(cell, float) else str(cell)


def _difference(each: Difference) -> tuple[str, str, str]:
    def side(said: tuple[str, ...] | None, clauses: tuple[str, ...]) -> str:
        if said is None:
            return _text("cli.silent")
        cited = f" [{', '.join(clauses)}]" if clauses else ""
        return "; ".join(part for part in said if part) + cited

    left = side(each.left, each.left_clauses)
    return " · ".join(each.about), left, side(each.right, each.right_clauses)


@app.command
def check(
    file: Path | None = None,
    *,
    house: str | None = None,
    shelf: OwnShelf = SHIPPED,
    form: NumberForm = FOR_PEOPLE,
) -> int:
    """Check a rulebook file, or all rulebooks on the shelf: form, clauses, rows, and the exact house edge.

    Exit status 1 if a rulebook is refused.

    Parameters
    ----------
    file
        A rulebook of your own; without one the shelf is checked.
    house
        The house to play it at, by its id or as a file; without one the house that the rulebook names.
    """
    form.check()
    try:
        documents = {_file_of(each, shelf): each for each in shelf.versions} if file is None else _read(file)
        places = [find_house(house or document.house, shelf, own=document) for document in documents.values()]
    except (UnreadableFile, BadInput) as error:
        return _refused(file, error, json=form.json)
    results = [
        _edges(name, document, place)
        for (name, document), place in zip(documents.items(), places, strict=True)
    ]
    problems = [text for result in results for text in result.problems]
    for text in problems:
        complain(text)
    form.tell(CheckedRulebooks(tuple(results)), lambda: _print_checks(results))
    return NEGATIVE_ANSWER if problems else 0


def _file_of(document: Document, shelf: Shelf) -> str:
    """The name under which a version is checked; the day stands in it where there are several."""
    day = f"@{document.in_force.date().isoformat()}" if len(shelf.versions_of(document.id)) > 1 else ""
    return f"{document.id}{day}.toml"


def _read(file: Path) -> dict[str, Document]:
    return {file.name: parse_document(file.name, read_bytes(file))}


def _refused(file: Path | None, error: UnreadableFile | BadInput, *, json: bool) -> int:
    """Say why a file cannot be checked: what is wrong with it, or that it is not there."""
    problems = tuple(map(str, error.problems)) if isinstance(error, UnreadableFile) else (str(error),)
    if json:
        print_json([Checked(file.name if file else None, None, (), problems)])
    for text in problems:
        complain(text)
    return NEGATIVE_ANSWER if isinstance(error, UnreadableFile) else BAD_INPUT


def _edges(file: str, document: Document, house: House) -> Checked:
    games: list[GameEdges] = []
    problems = {str(each): None for each in check_fit(file, document, house.form)}
    for rulebook in rulebooks(document):
        table: dict[str, dict[int, float]] = {}
        for edge in edges_by_decks(rulebook, rulebook.pair_rule(house)):
            table.setdefault(edge.wager, {})[edge.decks] = round(float(edge.edge * 100), 4)
            if edge.refused:
                problems[_refusal(file, document, edge)] = None
        games.append(GameEdges(rulebook.id, table))
    return Checked(file, document.id, tuple(games), tuple(problems))


def _refusal(file: str, document: Document, edge: Edge) -> str:
    form = next(form for form in document.wagers if form.id == edge.wager)
    percent = f"{float(edge.edge * 100):.4f}"
    key, clause = f"wager[{edge.wager}]", form.pays[0].clause
    return str(problem("patron-edge", file, key, clause, wager=edge.wager, decks=edge.decks, edge=percent))


def _print_checks(results: list[Checked]) -> None:
    for game in (game for checked in results for game in checked.games):
        decks = next(iter(game.edges.values()))
        rows = [
            (wager, *(f"{edge:.4f}" for edge in by_decks.values())) for wager, by_decks in game.edges.items()
        ]
        columns = (_text("show.wager"), *(str(number) for number in decks))
        print_table(f"{game.game}: {_text('cli.check-edges')}", columns, rows)


@app.command(name="coverage")
def coverage_(rulebook: str | None = None, *, json: Flag = False) -> int:
    """Say how far every clause of a shipped rulebook, or of all, is proven, by which evidence.

    Exit status 1 if a clause about irregularities, limits, authority, disputes or dealing is not proven and
    no reason is given. docs/coverage.md explains the words.

    Parameters
    ----------
    rulebook
        The id of a rulebook, or of one of its games.
    json
        Print JSON.
    """
    covers = {each.id: shipped_coverage(each) for each in _documents(rulebook, SHIPPED)}
    unproven = [
        f"{document} {clause}"
        for document, clauses in covers.items()
        for clause, cover in clauses.items()
        if cover.is_open
    ]
    if json:
        counts = {
            "documents": totals(covers),
            "kinds": kind_totals(covers),
            "subjects": subject_totals(covers),
        }
        print_json({"clauses": covers, **counts})
    elif rulebook:
        (clauses,) = covers.values()
        columns = _columns("clause", "subject", "proof", "status", "evidence", "missing", "reason")
        lines = [(clause, *_cover_row(cover)) for clause, cover in clauses.items()]
        print_table(None, columns, lines)
    else:
        statuses = tuple(_text(f"status.{each.value}") for each in Status)
        books = [(name, *(str(count[each]) for each in Status)) for name, count in totals(covers).items()]
        print_table(None, (*_columns("rulebook"), *statuses), books)
        kinds = [
            (_text(f"proof-kind.{kind.value}"), *(str(count[each]) for each in Status))
            for kind, count in kind_totals(covers).items()
        ]
        print_table(None, (*_columns("proof"), *statuses), kinds)
    if unproven:
        complain(_text("cli.unproven", count=len(unproven), first=", ".join(unproven[:5])))
    return NEGATIVE_ANSWER if unproven else 0


def _cover_row(cover: Coverage) -> tuple[str, ...]:
    proof, *evidence = _evidence(cover)
    return cover.subject, proof, _text(f"status.{cover.status.value}"), *evidence


def _evidence(cover: Coverage) -> tuple[str, str, str, str]:
    """The kinds of proof, the evidence there is, the evidence that is missing, and the reasons."""
    waived = [
        _text("show.waived", piece=_text(f"piece.{piece.value}"), reason=reason)
        for piece, reason in cover.waived.items()
    ]
    reasons = "\n".join([*([cover.reason] if cover.reason else []), *waived])
    kinds = ", ".join(_text(f"proof-kind.{each.value}") for each in (cover.kind, cover.also) if each)
    return kinds, _pieces(cover.evidence), _pieces(cover.missing), reasons


def _pieces(pieces: tuple[Piece, ...]) -> str:
    return ", ".join(_text(f"piece.{piece.value}") for piece in pieces)


@app.command
def readings(rulebook: str | None = None, *, shelf: OwnShelf = SHIPPED, json: Flag = False) -> None:
    """Show how the unclear places of a rulebook, or of all, are read.

    Parameters
    ----------
    rulebook
        The id of a rulebook, or of one of its games.
    json
        Print JSON.
    """
    documents = _documents(rulebook, shelf)
    if json:
        print_json({each.id: each.readings for each in documents})
        return
    for document in documents:
        rows = [
            (
                reading.id,
                f"{reading.question}\n{reading.answer}",
                ", ".join(reading.clauses),
                f"{reading.source}\n{reading.setting or _text('show.fixed')}",
            )
            for reading in document.readings
        ]
        columns = (*_columns("id"), *_columns("readings"), *_columns("clause", "source"))
        print_table(document.id, columns, rows)
