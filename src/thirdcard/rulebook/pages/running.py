"""The tables of a document about running a table: methods, limits, irregularities, posts."""

from collections.abc import Iterator

from thirdcard.clauses import Clause
from thirdcard.rulebook.deciders import decider_of
from thirdcard.rulebook.document import Document
from thirdcard.rulebook.irregularity import Irregularity, SettleProRata, effect_clauses
from thirdcard.rulebook.pages.lines import PageLine, PageTable, granted, item, ruled, table
from thirdcard.rulebook.procedure import DisputeSource, MethodOfDealing
from thirdcard.rulebook.words import (
    circumstances_in_words,
    decider_in_words,
    effect_in_words,
    name_of,
    post_name,
    text,
)


def methods(document: Document) -> PageTable:
    """The methods of dealing, who chooses each, and until when."""
    rules = document.methods

    def lines() -> Iterator[PageLine]:
        if rules is None:
            return
        for method in rules.method:
            clauses = (method.clause, method.drawn_clause, method.device_clause, method.opened_clause)
            once = tuple(dict.fromkeys((*clauses, method.chosen_by.clause)))
            yield PageLine((method.id.value,), (_method(method), granted(method.chosen_by)), once)
        until = text("show.changed-until", moment=f"@moment.{rules.change_until}")
        yield PageLine((text("show.all-methods"),), (until, ""), (rules.clause, rules.change_clause))

    return table("methods", ("method",), ("value", "chosen-by"), lines())


def _method(method: MethodOfDealing) -> str:
    who = {"drawn": method.drawn_by, "held": method.device_held_by, "opened": method.opened_by}
    areas = ", ".join(text(f"area.{area.value}") for area in method.areas)
    named = {name: f"@who.{each}" for name, each in who.items()}
    return text("show.method-text", areas=areas, device=f"@device.{method.device}", **named)


def control(document: Document) -> PageTable:
    """How a patron who draws the cards keeps and loses the dealing device."""

    def lines() -> Iterator[PageLine]:
        rules = document.methods.control if document.methods else None
        if rules is None:
            return
        clauses_only = [name for name in rules.__struct_fields__ if name != "without_wager"]
        yield from ruled("control", rules, *clauses_only)
        yield item("without-wager", granted(rules.without_wager), rules.without_wager.clause)

    return table("control", ("item",), ("value",), lines())


def squeezing(document: Document) -> PageTable:
    """Return the table of who may handle the cards, and how the patron is found."""

    def lines() -> Iterator[PageLine]:
        rules = document.squeezing
        if rules is None:
            return
        yield item("basis", text(f"squeeze-basis.{rules.basis}"))
        if rules.seated_only:
            yield item("seated-only", text("show.yes"))
        for rule in rules.order:
            who = post_name(rule.by) if rule.by else text("show.by-rule")
            name = text(f"squeeze.{rule.rule}")
            if rules.basis == "on-request" and rule.rule == "highest-wager":
                name = text("squeeze.highest-on-request")
            yield PageLine((name,), (who,), (rule.clause,))
        for name, grant in (("permission", rules.permission), ("prohibition", rules.prohibition)):
            if grant:
                yield PageLine((text(f"show.{name}"),), (granted(grant),), (grant.clause,))
        yield from ruled("squeezing", rules, "meaning", "request", "reveal_order", "third_cards")

    return table("squeezing", ("rule",), ("value",), lines())


def shoe(document: Document) -> PageTable:
    """Burning, the cutting card, and the free hand."""

    def lines() -> Iterator[PageLine]:
        yield from ruled("burn", document.burn)
        yield from ruled("cutting-card", document.cutting_card)
        yield from ruled("free-hand", document.free_hand)

    return table("shoe", ("item",), ("value",), lines())


def limits(document: Document) -> PageTable:
    """Posted limits, owners per playing area, wagers placed by staff, and the differential."""

    def lines() -> Iterator[PageLine]:
        rules = document.limits
        if rules is None:
            return
        yield item("posted", text("show.yes"), rules.posted)
        if rules.owners_per_area:
            owners = rules.owners_per_area
            yield item("owners", str(owners.most), owners.clause)
            yield item("fewer-owners", granted(owners.fewer), owners.fewer.clause)
        if rules.placed_by_staff:
            names = ", ".join(granted(grant) for grant in rules.placed_by_staff)
            clauses = dict.fromkeys(grant.clause for grant in rules.placed_by_staff)
            yield item("placed-by-staff", names, *clauses)
        if rules.differential:
            differential = rules.differential
            yield item("differential", differential.means, differential.clause, differential.limit_clause)

    return table("limits", ("item",), ("value",), lines())


def irregularities(document: Document) -> PageTable:
    """Return the table of what is done in each situation, and who decides."""

    def lines() -> Iterator[PageLine]:
        for row in document.irregularities:
            deciders = (decider_of(effect, document.authority.not_covered) for effect in row.effects)
            names = dict.fromkeys(decider_in_words(each) for each in deciders if each)
            who = "; ".join(names) or text("show.by-rule")
            effects = "; ".join(effect_in_words(effect) for effect in row.effects)
            about = (text(f"situation.{row.situation.value}"), circumstances_in_words(row))
            yield PageLine(about, (effects, who), tuple(dict.fromkeys(_clauses(row))))

    return table("irregularities", ("situation", "circumstances"), ("effects", "decides"), lines())


def _clauses(row: Irregularity) -> Iterator[Clause]:
    if row.clause:
        yield row.clause
    for effect in row.effects:
        yield from effect_clauses(effect)
        if isinstance(effect, SettleProRata):
            yield effect.exempt_under_minimum


def authority(document: Document) -> PageTable:
    """The posts, and who decides what no rule covers."""
    rules = document.authority

    def lines() -> Iterator[PageLine]:
        yield item("posts", ", ".join(post_name(post) for post in rules.posts))
        if rules.higher_posts:
            yield item("higher-posts", text("show.yes"), rules.higher_posts)
        grant = rules.not_covered
        if grant:
            yield item("not-covered", granted(grant), grant.clause)
        else:
            yield item("not-covered", text("show.house-post"))
        area = rules.high_limit_area
        if area:
            yield item("high-limit-area", ", ".join(area.rooms), area.clause)

    return table("authority", ("item",), ("value",), lines())


def displays(document: Document) -> PageTable:
    """Return the table of what displays are worth."""
    return table("displays", ("item",), ("value",), ruled("display", document.display))


def equipment(document: Document) -> PageTable:
    """The opening check list."""

    def lines() -> Iterator[PageLine]:
        for each in document.equipment:
            need = text("equipment.if-required" if each.if_required else "equipment.required")
            need = text("show.of-layout", need=need, layout=each.layout) if each.layout else need
            need = text("show.by-a-post", need=need) if each.confirmed else need
            yield PageLine((name_of("equipment", each.id),), (need,), (each.clause,))

    return table("equipment", ("item",), ("value",), lines())


def _source(source: DisputeSource) -> str:
    """A source of a decision, and what must have been gathered for it."""
    name = name_of("dispute", source.id)
    return f"{name} ({text(f'show.gathered-{source.needs}')})" if source.needs else name


def disputes(document: Document) -> PageTable:
    """How a dispute goes from the table to a decision and a complaint."""

    def lines() -> Iterator[PageLine]:
        dispute = document.dispute
        if dispute is None:
            return
        first = ", ".join(granted(grant) for grant in dispute.first_level)
        yield item("first-level", first, *dict.fromkeys(grant.clause for grant in dispute.first_level))
        yield item("escalates", granted(dispute.escalates_to), dispute.escalates_to.clause)
        yield item("gathers", granted(dispute.gathers_facts), dispute.gathers_facts.clause)
        yield item("surveillance", text("show.yes"), dispute.surveillance_informed)
        yield item("time-frame", text("show.yes"), dispute.time_frame)
        sources = ", ".join(map(_source, dispute.source))
        yield item("sources", sources, dispute.sources_cited, *(source.clause for source in dispute.source))
        yield item("complaint-right", text("show.yes"), dispute.complaint_right)
        yield item("complaint-help", text("show.yes"), dispute.complaint_help)
        if dispute.complaint_to is not None:
            to = dispute.complaint_to
            yield item("complaint-to", granted(to), to.clause)

    return table("disputes", ("step",), ("value",), lines())
