"""A rule document as tables that people read: pay tables, table of play, irregularities with who decides."""

from collections.abc import Iterator

from msgspec import Struct

from thirdcard.clauses import Clause, clause_order
from thirdcard.rulebook.citations import citations
from thirdcard.rulebook.document import Document, Layout, PayRow
from thirdcard.rulebook.facts import conditions
from thirdcard.rulebook.procedure import Announcement, Grant
from thirdcard.rulebook.table_of_play import NO_THIRD_CARD, Drawing, Step, spread
from thirdcard.rulebook.words import (
    circumstances_in_words,
    conditions_in_words,
    decider_in_words,
    effect_in_words,
    grant_in_words,
    name_of,
    post_name,
    text,
)


class Line(Struct, frozen=True):
    """One row: what it is about, what is said about it, and by which clauses."""

    about: tuple[str, ...]
    said: tuple[str, ...]
    clauses: tuple[Clause, ...] = ()


class Table(Struct, frozen=True):
    """A titled table; the clause column comes last and is not among the columns."""

    title: str
    about: tuple[str, ...]
    said: tuple[str, ...]
    lines: tuple[Line, ...]


def tables(document: Document) -> tuple[Table, ...]:
    """Everything a rulebook says, topic by topic; topics that it leaves out are left out."""
    all_tables = (
        _identity(document),
        _layouts(document),
        _round(document),
        _wagers(document),
        _table_of_play(document),
        _methods(document),
        _squeezing(document),
        _limits(document),
        _irregularities(document),
        _authority(document),
        _equipment(document),
        _disputes(document),
        _terms(document),
        _notes(document),
    )
    return tuple(table for table in all_tables if table.lines)


def find_clause(document: Document, wanted: str) -> Clause | None:
    """A clause by its number, or by the term that it defines."""
    if Clause(wanted) in document.clauses:
        return Clause(wanted)
    for clause, line in document.clauses.items():
        if line.term is not None and line.term.casefold() == wanted.casefold():
            return clause
    return None


def lines_citing(document: Document, clause: Clause) -> tuple[tuple[str, Line], ...]:
    """The rows that rest on a clause, each with the title of its table."""
    return tuple(
        (table.title, line) for table in tables(document) for line in table.lines if clause in line.clauses
    )


def keys_citing(document: Document, clause: Clause) -> tuple[str, ...]:
    """The keys of the rulebook file that cite a clause."""
    return tuple(citation.key for citation in citations(document) if citation.clause == clause)


def _table(title: str, about: tuple[str, ...], said: tuple[str, ...], lines: Iterator[Line]) -> Table:
    def heads(keys: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(text(f"show.{key}") for key in keys)

    return Table(text(f"show.{title}"), heads(about), heads(said), tuple(lines))


def _item(name: str, value: str, *clauses: Clause | None) -> Line:
    return Line((text(f"show.{name}"),), (value,), tuple(clause for clause in clauses if clause))


def _identity(document: Document) -> Table:
    def lines() -> Iterator[Line]:
        yield _item("name", document.name, document.clause)
        yield _item("operator", document.operator, document.clause)
        yield _item("jurisdiction", document.jurisdiction, document.clause)
        if document.version:
            yield _item("version", document.version, document.clause)
        yield _item("in-force", document.in_force.isoformat(), document.clause)
        yield _item("table", document.table, document.clause)
        if document.variants:
            names = ", ".join(variant.name for variant in document.variants)
            clauses = (clause for variant in document.variants for clause in variant.clauses)
            yield _item("variants", names, *clauses)
        decks = document.decks
        numbers = {"least": decks.least, "most": decks.most, "usual": decks.usual}
        yield _item("decks", text("show.decks-range", source=decks.source, **numbers), decks.clause)

    return _table("identity", ("item",), ("value",), lines())


def _layouts(document: Document) -> Table:
    def lines() -> Iterator[Line]:
        for layout in document.layouts.layout:
            yield Line((layout.id,), (_positions(layout),), (layout.clause,))

    return _table("layouts", ("layout",), ("positions",), lines())


def _positions(layout: Layout) -> str:
    key = "show.positions-exact" if layout.least == layout.most else "show.positions-range"
    variant = f", {layout.variant}" if layout.variant else ""
    assumed = text("show.assumed") if layout.assumed else ""
    return text(key, least=layout.least, most=layout.most) + variant + assumed


def _round(document: Document) -> Table:
    rules = document.round

    def lines() -> Iterator[Line]:
        yield _item("begins", text(f"moment.{rules.begins.at}"), rules.begins.clause)
        yield _item("ends", text(f"moment.{rules.ends.at}"), rules.ends.clause)
        yield _item("opens", _announced(rules.opening), rules.opening.clause)
        yield _item("closes", _announced(rules.closing), rules.closing.clause)
        if rules.closes_at_first_card:
            yield _item("first-card-closes", text("show.yes"), *rules.closes_at_first_card)

    return _table("round", ("item",), ("value",), lines())


def _announced(announcement: Announcement) -> str:
    calls = " / ".join(text(call) for call in announcement.calls)
    return text("show.call-by", calls=calls, by=f"@show.by-{announcement.by}")


def _wagers(document: Document) -> Table:
    def lines() -> Iterator[Line]:
        for wager in document.wagers:
            for stand_off in wager.stands_off:
                when = conditions_in_words(conditions(stand_off.when))
                yield Line((wager.name, when), (text("show.stands-off"),), stand_off.clauses)
            for row in wager.pays:
                when = conditions_in_words(conditions(row.when))
                variant = f" [{row.variant}]" if row.variant else ""
                commission = row.commission.clauses if row.commission else ()
                clauses = tuple(dict.fromkeys((row.clause, *row.also, *wager.won, *commission)))
                yield Line((wager.name, when + variant), (_odds(row),), clauses)

    return _table("wagers", ("wager", "when"), ("pays",), lines())


def _odds(row: PayRow) -> str:
    return text("show.gross", odds=row.odds, gross=row.commission.of) if row.commission else row.odds


def _table_of_play(document: Document) -> Table:
    drawing, _ = spread(document.table_of_play)

    def lines() -> Iterator[Line]:
        for total in range(10):
            yield _player_line(drawing, total)
        for total in range(10):
            yield _banker_line(drawing, total)

    return _table("table-of-play", ("hand", "total"), ("draws", "stands"), lines())


def _player_line(drawing: Drawing, total: int) -> Line:
    about = (text("hand.player"), str(total))
    if total in drawing.player_naturals:
        return Line(about, ("", text("show.natural")), (drawing.player_naturals[total],))
    cell = drawing.player[total]
    always = text("show.always")
    return Line(about, (always, "") if cell.step is Step.DRAWS else ("", always), (cell.clause,))


def _banker_line(drawing: Drawing, total: int) -> Line:
    about = (text("hand.banker"), str(total))
    if total in drawing.banker_naturals:
        return Line(about, ("", text("show.natural")), (drawing.banker_naturals[total],))
    after: dict[Step, list[str]] = {Step.DRAWS: [], Step.STANDS: []}
    clauses: dict[Clause, None] = {}
    for third in (*range(10), NO_THIRD_CARD):
        cell = drawing.banker[total, third]
        after[cell.step].append(text("show.player-stood") if third == NO_THIRD_CARD else str(third))
        clauses[cell.clause] = None
    said = tuple(text("show.always") if len(cases) == 11 else " ".join(cases) for cases in after.values())
    return Line(about, said, tuple(sorted(clauses, key=clause_order)))


def _methods(document: Document) -> Table:
    def lines() -> Iterator[Line]:
        for method in document.methods.method if document.methods else ():
            areas = ", ".join(text(f"area.{area.value}") for area in method.areas)
            params = {"drawn": method.drawn_by, "held": method.device_held_by, "opened": method.opened_by}
            said = text("show.method-text", areas=areas, device=method.device, **params)
            clauses = (method.clause, method.drawn_clause, method.opened_clause, method.chosen_by.clause)
            yield Line((method.id.value,), (said, _granted(method.chosen_by)), clauses)

    return _table("methods", ("method",), ("value", "chosen-by"), lines())


def _granted(grant: Grant) -> str:
    return grant_in_words(grant.post, or_above=grant.or_above)


def _squeezing(document: Document) -> Table:
    def lines() -> Iterator[Line]:
        squeezing = document.squeezing
        if squeezing is None:
            return
        for rule in squeezing.order:
            who = post_name(rule.by) if rule.by else text("show.by-rule")
            yield Line((text(f"squeeze.{rule.rule}"),), (who,), (rule.clause,))
        for name, grant in (("permission", squeezing.permission), ("prohibition", squeezing.prohibition)):
            if grant:
                yield Line((text(f"show.{name}"),), (_granted(grant),), (grant.clause,))

    return _table("squeezing", ("rule",), ("decides",), lines())


def _limits(document: Document) -> Table:
    def lines() -> Iterator[Line]:
        limits = document.limits
        if limits is None:
            return
        yield _item("posted", text("show.yes"), limits.posted)
        if limits.owners_per_area:
            owners = limits.owners_per_area
            yield _item("owners", str(owners.most), owners.clause)
            yield _item("fewer-owners", _granted(owners.fewer), owners.fewer.clause)
        if limits.placed_by_staff:
            names = ", ".join(_granted(grant) for grant in limits.placed_by_staff)
            clauses = dict.fromkeys(grant.clause for grant in limits.placed_by_staff)
            yield _item("placed-by-staff", names, *clauses)
        if limits.differential:
            differential = limits.differential
            yield _item("differential", differential.means, differential.clause, differential.limit_clause)

    return _table("limits", ("item",), ("value",), lines())


def _irregularities(document: Document) -> Table:
    grant = document.authority.not_covered
    not_covered = _granted(grant) if grant else text("show.house-post")

    def lines() -> Iterator[Line]:
        for row in document.irregularities:
            deciders = [decider_in_words(effect, not_covered) for effect in row.effects]
            who = "; ".join(dict.fromkeys(name for name in deciders if name)) or text("show.by-rule")
            effects = "; ".join(effect_in_words(effect) for effect in row.effects)
            own = [getattr(effect, "clause", None) for effect in row.effects]
            clauses = tuple(dict.fromkeys(clause for clause in (row.clause, *own) if clause))
            about = (text(f"situation.{row.situation.value}"), circumstances_in_words(row))
            yield Line(about, (effects, who), clauses)

    return _table("irregularities", ("situation", "circumstances"), ("effects", "decides"), lines())


def _authority(document: Document) -> Table:
    authority = document.authority

    def lines() -> Iterator[Line]:
        yield _item("posts", ", ".join(post_name(post) for post in authority.posts))
        if authority.higher_posts:
            yield _item("higher-posts", text("show.yes"), authority.higher_posts)
        grant = authority.not_covered
        if grant:
            yield _item("not-covered", _granted(grant), grant.clause)
        else:
            yield _item("not-covered", text("show.house-post"))
        area = authority.high_limit_area
        if area:
            yield _item("high-limit-area", ", ".join(area.rooms), area.clause)

    return _table("authority", ("item",), ("value",), lines())


def _equipment(document: Document) -> Table:
    def lines() -> Iterator[Line]:
        for item in document.equipment:
            need = text("equipment.if-required" if item.if_required else "equipment.required")
            yield Line((name_of("equipment", item.id),), (need,), (item.clause,))

    return _table("equipment", ("item",), ("value",), lines())


def _disputes(document: Document) -> Table:
    def lines() -> Iterator[Line]:
        dispute = document.dispute
        if dispute is None:
            return
        first = ", ".join(_granted(grant) for grant in dispute.first_level)
        yield _item("first-level", first, *dict.fromkeys(grant.clause for grant in dispute.first_level))
        yield _item("escalates", _granted(dispute.escalates_to), dispute.escalates_to.clause)
        yield _item("gathers", _granted(dispute.gathers_facts), dispute.gathers_facts.clause)
        yield _item("surveillance", text("show.yes"), dispute.surveillance_informed)
        yield _item("time-frame", text("show.yes"), dispute.time_frame)
        sources = ", ".join(name_of("dispute", source.id) for source in dispute.source)
        yield _item("sources", sources, dispute.sources_cited, *(source.clause for source in dispute.source))
        yield _item("complaint-right", text("show.yes"), dispute.complaint_right)
        yield _item("complaint-help", text("show.yes"), dispute.complaint_help)

    return _table("disputes", ("step",), ("value",), lines())


def _terms(document: Document) -> Table:
    def lines() -> Iterator[Line]:
        for clause, line in document.clauses.items():
            if line.term is not None:
                yield Line((line.term,), (line.says,), (clause,))

    return _table("terms", ("term",), ("meaning",), lines())


def _notes(document: Document) -> Table:
    def lines() -> Iterator[Line]:
        for note in document.text.notes:
            yield Line((note.clause,), (note.note,), (note.clause,))

    return _table("notes", ("clause",), ("note",), lines())
