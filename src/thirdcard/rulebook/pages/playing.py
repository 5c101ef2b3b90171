"""The tables of a document about the game: identity, layouts, rounds, cards, wagers, table of play."""

from collections.abc import Iterator

from thirdcard.clauses import Clause, clause_order
from thirdcard.rulebook.document import Document, Layout, PayRow, WagerForm
from thirdcard.rulebook.facts import conditions
from thirdcard.rulebook.pages.lines import PageLine, PageTable, item, ruled, table
from thirdcard.rulebook.procedure import Announcement
from thirdcard.rulebook.table_of_play import NO_THIRD_CARD, Drawing, DrawStep, spread
from thirdcard.rulebook.words import conditions_in_words, text


def identity(document: Document) -> PageTable:
    """Return the table of whose game it is, from when, and with how many decks."""

    def lines() -> Iterator[PageLine]:
        yield item("name", document.name, document.clause)
        yield item("game", document.game, document.clause)
        yield item("operator", document.operator, document.clause)
        yield item("jurisdiction", document.jurisdiction, document.clause)
        if document.version:
            yield item("version", document.version, document.clause)
        yield item("in-force", document.in_force.isoformat(), document.clause)
        if document.approval:
            yield item("approval", text("show.yes"), document.approval)
        regulator = document.regulator
        if regulator:
            yield item("approved-by", regulator.authority, document.approval)
            yield item("approved-under", regulator.section, document.approval)
        if regulator and regulator.approves:
            named = text("show.approved-as-text", title=regulator.approves)
            yield item("approved-as", named, document.approval)
        yield item("table", document.table, document.clause)
        if document.seats:
            yield item("seats", text("show.seats-text"), document.seats)
        yield item("house", document.house)
        if document.variants:
            names = ", ".join(
                dict.fromkeys(name for each in document.variants for name in (each.name, each.id))
            )
            clauses = (clause for variant in document.variants for clause in variant.clauses)
            yield item("variants", names, *clauses)
        decks = document.decks
        numbers = {"least": decks.least, "most": decks.most, "usual": decks.usual}
        yield item("decks", text("show.decks-range", source=decks.source, **numbers), decks.clause)

    return table("identity", ("item",), ("value",), lines())


def layouts(document: Document) -> PageTable:
    """The layouts with their positions, and what is printed on them where the document says so."""

    def lines() -> Iterator[PageLine]:
        for layout in document.layouts.layout:
            yield PageLine((layout.id,), (_positions(layout),), (layout.clause,))
        terminal = document.table == "terminal"
        where = text("show.on-screen" if terminal else "show.areas")
        yield item("all-layouts", where, *document.layouts.clauses)
        yield from (item("rows", _rows(each)) for each in (document.layouts.rows,) if each)
        yield from (item("narrow-rows", _rows(each)) for each in (document.layouts.narrow_rows,) if each)

    return table("layouts", ("layout",), ("positions",), lines())


def _rows(rows: tuple[tuple[str, ...], ...]) -> str:
    return "; ".join(", ".join(row) for row in rows)


def _positions(layout: Layout) -> str:
    key = "show.positions-exact" if layout.least == layout.most else "show.positions-range"
    variant = f", {layout.variant}" if layout.variant else ""
    assumed = text("show.assumed") if layout.assumed else ""
    labels = "".join(
        f"; {language}: " + ", ".join(f"{wager} {label}" for wager, label in printed.items())
        for language, printed in layout.labels.items()
    )
    return text(key, least=layout.least, most=layout.most) + variant + assumed + labels


def rounds(document: Document) -> PageTable:
    """When a round begins and ends, and when and how wagers are taken."""
    rules = document.round

    def lines() -> Iterator[PageLine]:
        yield item("begins", text(f"moment.{rules.begins.at}"), rules.begins.clause)
        yield item("ends", text(f"moment.{rules.ends.at}"), rules.ends.clause)
        yield item("opens", _announced(rules.opening), rules.opening.clause)
        yield item("closes", _announced(rules.closing), rules.closing.clause)
        if rules.closes_at_first_card:
            yield item("first-card-closes", text("show.yes"), *rules.closes_at_first_card)
        yield from ruled("round", rules, "chips_only", "credits", "result_call", "void")

    return table("round", ("item",), ("value",), lines())


def _announced(announcement: Announcement) -> str:
    calls = " / ".join(text(call) for call in announcement.calls)
    return text("show.call-by", calls=calls, by=f"@show.by-{announcement.by}")


def cards(document: Document) -> PageTable:
    """How cards are dealt and counted, which hand wins, and what a pair is."""

    def lines() -> Iterator[PageLine]:
        yield from ruled("deal", document.deal)
        yield from ruled("counting", document.counting)
        drawing = document.table_of_play
        yield from ruled("drawing", drawing, "clause", "natural_clause", "player_clause", "banker_clause")
        yield from ruled("outcome", document.outcome)
        if document.pairs:
            yield item("pair", text(f"pair-rule.{document.pairs.rule}"), *document.pairs.clauses)

    return table("cards", ("item",), ("value",), lines())


def offered(document: Document) -> PageTable:
    """The wagers on offer, and whether each may be placed alone."""

    def lines() -> Iterator[PageLine]:
        for wager in document.wagers:
            clauses = dict.fromkeys((wager.area, *wager.offered, *((wager.alone,) if wager.alone else ())))
            said = (wager.id, text(f"wager-kind.{wager.kind}"), _remarks(wager))
            yield PageLine((wager.name,), said, tuple(clauses))

    return table("offered", ("wager",), ("id", "kind", "remarks"), lines())


def _remarks(wager: WagerForm) -> str:
    alone = text("show.alone") if wager.alone else None
    ordered = text("show.ordered") if wager.ordered else None
    edge = text("show.patron-edge", reason=wager.allow_patron_edge) if wager.allow_patron_edge else None
    return "; ".join(each for each in (alone, ordered, edge) if each)


def wagers(document: Document) -> PageTable:
    """When each wager stands off, what it pays, and where it loses."""

    def lines() -> Iterator[PageLine]:
        for wager in document.wagers:
            for stand_off in wager.stands_off:
                when = conditions_in_words(conditions(stand_off.when))
                yield PageLine((wager.name, when), (text("show.stands-off"),), stand_off.clauses)
            for row in wager.pays:
                when = conditions_in_words(conditions(row.when))
                variant = f" [{row.variant}]" if row.variant else ""
                commission = row.commission.clauses if row.commission else ()
                clauses = tuple(dict.fromkeys((row.clause, *row.also, *wager.won, *commission)))
                yield PageLine((wager.name, when + variant), (_odds(row),), clauses)
            yield PageLine((wager.name, text("show.otherwise")), (text("show.loses"),), wager.lost)

    return table("wagers", ("wager", "when"), ("pays",), lines())


def _odds(row: PayRow) -> str:
    return text("show.gross", odds=row.odds, gross=row.commission.of) if row.commission else row.odds


def table_of_play(document: Document) -> PageTable:
    """Return the table of which hand takes a third card on which total."""
    drawing, _ = spread(document.table_of_play)

    def lines() -> Iterator[PageLine]:
        for total in range(10):
            yield _player_line(drawing, total)
        for total in range(10):
            yield _banker_line(drawing, total)

    return table("table-of-play", ("hand", "total"), ("draws", "stands"), lines())


def _player_line(drawing: Drawing, total: int) -> PageLine:
    about = (text("hand.player"), str(total))
    if total in drawing.player_naturals:
        return PageLine(about, ("", text("show.natural")), (drawing.player_naturals[total],))
    cell = drawing.player[total]
    always = text("show.always")
    return PageLine(about, (always, "") if cell.step is DrawStep.DRAWS else ("", always), (cell.clause,))


def _banker_line(drawing: Drawing, total: int) -> PageLine:
    about = (text("hand.banker"), str(total))
    if total in drawing.banker_naturals:
        return PageLine(about, ("", text("show.natural")), (drawing.banker_naturals[total],))
    after: dict[DrawStep, list[str]] = {DrawStep.DRAWS: [], DrawStep.STANDS: []}
    clauses: dict[Clause, None] = {}
    for third in (*range(10), NO_THIRD_CARD):
        cell = drawing.banker[total, third]
        after[cell.step].append(text("show.player-stood") if third == NO_THIRD_CARD else str(third))
        clauses[cell.clause] = None
    said = tuple(text("show.always") if len(cases) == 11 else " ".join(cases) for cases in after.values())
    return PageLine(about, said, tuple(sorted(clauses, key=clause_order)))
