"""The checks of a file once it has the right form; every problem says where, what and what to do."""

import itertools
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator

from msgspec import Struct
from msgspec.structs import replace

from thirdcard.messages import Message, knows, message, say
from thirdcard.money import parse_odds
from thirdcard.rulebook.book import wager_rows
from thirdcard.rulebook.citations import citations
from thirdcard.rulebook.document import Document, WagerForm
from thirdcard.rulebook.facts import Facts, conditions, hold, reachable
from thirdcard.rulebook.house import (
    HouseForm,
    setting_exists,
)
from thirdcard.rulebook.irregularity import (
    CardNeed,
    Effect,
    FreeHand,
    GiveCardToBanker,
    Irregularity,
    ReplaceCards,
    circumstances,
    row_labels,
)
from thirdcard.rulebook.table_of_play import Drawing, holes, spread
from thirdcard.spelling import NEARLY_SURE, nearest


class Problem(Struct, frozen=True):
    """One thing wrong with a file: at which key, by which clause, what, and what to do about it."""

    file: str
    key: str
    what: Message
    remedy: Message
    clause: str | None = None

    def __str__(self) -> str:
        clause = f" (clause {self.clause})" if self.clause else ""
        return f"{self.file}: {self.key}{clause}: {say(self.what)} {say(self.remedy)}"


def problem(name: str, file: str, key: str, clause: str | None = None, /, **params: str | int) -> Problem:
    """A problem by its name in the language files."""
    what, remedy = (message(f"problem.{name}.{part}", **params) for part in ("what", "do"))
    return Problem(file, key, what, remedy, clause)


def unknown(
    name: str,
    file: str,
    key: str,
    clause: str | None = None,
    /,
    *,
    word: str,
    choices: Collection[str],
    **params: str | int,
) -> Problem:
    """A problem with a word that is none of the choices; the one that was perhaps meant is the remedy."""
    found, near = problem(name, file, key, clause, **params), nearest(word, choices)
    return found if near is None else replace(found, remedy=message("round.perhaps", near=near))


def check_fit(file: str, document: Document, house: HouseForm) -> tuple[Problem, ...]:
    """Return what keeps a document from being played at a house: posts that it lacks or has in another order.

    By another order a power would pass to a post below the one that a clause names.
    """
    names = {"rulebook": document.id, "house": house.id}
    key = "authority.posts"
    missing = dict.fromkeys(post for _, post, _ in _named_posts(document) if post not in house.posts)
    strange = [post for post in house.posts if post not in document.authority.posts]
    meant = {post: tuple(filter(None, (nearest(post, strange, NEARLY_SURE),))) for post in missing}
    ladder = [post for post in document.authority.posts if post in house.posts]
    own = [post for post in house.posts if post in ladder]
    turned = (each for each in itertools.pairwise(own) if ladder.index(each[0]) > ladder.index(each[1]))
    return (
        *(
            unknown("missing-post", file, key, word=post, choices=meant[post], post=post, **names)
            for post in missing
        ),
        *(problem("order-of-posts", file, key, post=a, above=b, **names) for a, b in turned),
    )


def check_house_wagers(file: str, house: HouseForm, wagers: Collection[str]) -> tuple[Problem, ...]:
    """Limits of a house for single wagers that are none of those on offer."""
    listed = ", ".join(wagers)
    strange = {wager: f"limits.wager.{wager}" for wager in house.limits.wager if wager not in wagers}
    return tuple(
        unknown("wager-of-no-game", file, key, word=wager, choices=wagers, wager=wager, wagers=listed)
        for wager, key in strange.items()
    )


def check_supplied(file: str, house: HouseForm, documents: Iterable[Document]) -> Iterator[Problem]:
    """Yield the layouts that a house supplies to documents that do not list them."""
    listed = {each.id: [layout.id for layout in each.layouts.layout] for each in documents}
    for layout in house.layouts:
        key = f"layout[{layout.id}]"
        if layout.rulebook not in listed:
            params = {"rulebook": layout.rulebook, "rulebooks": ", ".join(listed)}
            yield unknown(
                "unknown-rulebook", file, f"{key}.rulebook", word=layout.rulebook, choices=listed, **params
            )
        elif layout.id not in listed[layout.rulebook]:
            params = {"layout": layout.id, "rulebook": layout.rulebook}
            yield problem(
                "unknown-layout", file, f"{key}.id", layouts=", ".join(listed[layout.rulebook]), **params
            )


def check_document(file: str, document: Document) -> tuple[Problem, ...]:
    """Everything wrong with a document that has the right form."""
    found = [
        *_clauses(file, document),
        *_identity(file, document),
        *_names(file, document),
        *_posts(file, document),
        *_irregularities(file, document),
        *_readings(file, document),
        *_odds(file, document),
    ]
    drawing, drawing_problems = _table_of_play(file, document)
    found += drawing_problems
    if not found:
        found += (*_wagers(file, document), *_pay_rows(file, document, drawing))
    if not found:
        found += _unaccounted(file, document)
    return tuple(found)


def _clauses(file: str, document: Document) -> Iterator[Problem]:
    for citation in citations(document):
        if citation.clause not in document.clauses:
            yield problem("unknown-clause", file, citation.key, citation.clause, clause=citation.clause)
    for clause, line in document.clauses.items():
        if line.shown is not None and line.not_modelled is not None:
            yield problem("shown-and-not-modelled", file, f"clauses.{clause}", clause)


def _unaccounted(file: str, document: Document) -> Iterator[Problem]:
    resting = {each.clause for each in citations(document) if each.section not in ("reading", "document")}
    for clause, line in document.clauses.items():
        if clause not in resting and line.shown is None and line.not_modelled is None:
            yield problem("clause-unaccounted", file, f"clauses.{clause}", clause)


def _wagers(file: str, document: Document) -> Iterator[Problem]:
    for form in document.wagers:
        key = f"wager[{form.id}]"
        if form.allow_patron_edge is not None and not form.allow_patron_edge.strip():
            yield problem("empty-reason", file, f"{key}.allow_patron_edge", form.area)
        variants: list[str | None] = [each.id for each in document.variants] or [None]
        for variant in variants:
            if not any(row.variant in (None, variant) for row in form.pays):
                yield problem("no-pay-row", file, key, form.area, wager=form.id, variant=variant or "-")
        for index, row in enumerate(form.pays):
            odds, gross = parse_odds(row.odds), parse_odds(row.commission.of) if row.commission else None
            if odds and gross and gross.gain * odds.stake < odds.gain * gross.stake:
                yield problem("commission-below-odds", file, f"{key}.pays[{index}].commission.of", row.clause)
            asks_pairs = {"player_pair", "banker_pair", "pairs"} & {name for name, _ in conditions(row.when)}
            if asks_pairs and document.pairs is None:
                yield problem("pairs-not-defined", file, f"{key}.pays[{index}].when", row.clause)


def _identity(file: str, document: Document) -> Iterator[Problem]:
    names = {"id": document.id} | {f"wager[{form.id}].id": form.id for form in document.wagers}
    for key, name in names.items():
        if not _PLAIN_ID.fullmatch(name):
            yield problem("id-not-plain", file, key, name=name)
    if not _DIGEST.fullmatch(document.text.sha256):
        yield problem("no-digest", file, "document.sha256")
    if document.in_force.tzinfo is None:
        yield problem("no-time-zone", file, "in_force", document.clause)
    decks = document.decks
    if not 1 <= decks.least <= decks.usual <= decks.most <= _MOST_DECKS:
        yield problem("decks-out-of-range", file, "decks", decks.clause, most=_MOST_DECKS)
    variants = {variant.id for variant in document.variants}
    for layout in document.layouts.layout:
        key = f"layouts.layout[{layout.id}]"
        if not 1 <= layout.least <= layout.most:
            yield problem("positions-out-of-range", file, key, layout.clause)
        if layout.variant is not None and layout.variant not in variants:
            yield problem("unknown-variant", file, key, layout.clause, variant=layout.variant)
    for form in document.wagers:
        for index, row in enumerate(form.pays):
            if row.variant is not None and row.variant not in variants:
                key = f"wager[{form.id}].pays[{index}]"
                yield problem("unknown-variant", file, key, row.clause, variant=row.variant)


def _rows(file: str, document: Document) -> Iterator[Problem]:
    """The rows of playing areas name wagers of the document."""
    offered = [form.id for form in document.wagers]
    for key, rows in (("rows", document.layouts.rows), ("narrow_rows", document.layouts.narrow_rows)):
        for name in (each for row in rows for each in row if each not in offered):
            told = {"game": document.id, "wager": name, "wagers": ", ".join(offered)}
            yield unknown("unknown-wager", file, f"layouts.{key}", word=name, choices=offered, **told)


def _names(file: str, document: Document) -> Iterator[Problem]:
    lists = {
        "wager": [form.id for form in document.wagers],
        "variant": [variant.id for variant in document.variants],
        "layouts.layout": [layout.id for layout in document.layouts.layout],
        "layouts.rows": [name for row in document.layouts.rows for name in row],
        "layouts.narrow_rows": [name for row in document.layouts.narrow_rows for name in row],
        "reading": [reading.id for reading in document.readings],
    }
    for key, ids in lists.items():
        for name, times in Counter(ids).items():
            if times > 1:
                yield problem("twice", file, f"{key}[{name}]", name=name, times=times)
    yield from _rows(file, document)
    announcements = {"opening": document.round.opening, "closing": document.round.closing}
    for name, announcement in announcements.items():
        for call in announcement.calls:
            if not (call.startswith("call.") and knows(call)):
                key = f"round.{name}.calls"
                yield problem("unknown-call", file, key, announcement.clause, call=call)


def _posts(file: str, document: Document) -> Iterator[Problem]:
    posts = document.authority.posts
    for key, post, clause in _named_posts(document):
        if post not in posts:
            params = {"post": post, "posts": ", ".join(posts)}
            yield unknown("unknown-post", file, key, clause, word=post, choices=posts, **params)
    for post, times in Counter(posts).items():
        if times > 1:
            yield problem("twice", file, "authority.posts", name=post, times=times)


def _named_posts(document: Document) -> Iterator[tuple[str, str, str | None]]:
    """Every post that a section names, with its key and clause."""
    rows = document.irregularities
    for label, row in zip(row_labels([row.situation for row in rows]), rows, strict=True):
        yield from _grants(f"irregularity[{label}]", row)
    for section in ("methods", "squeezing", "limits", "authority", "dispute"):
        yield from _grants(section, getattr(document, section))


def _grants(key: str, value: object) -> Iterator[tuple[str, str, str | None]]:
    if isinstance(value, tuple):
        for index, item in enumerate(value):
            yield from _grants(f"{key}[{index}]", item)
    elif isinstance(value, Struct):
        for name in value.__struct_fields__:
            item = getattr(value, name)
            if name in ("post", "by", "in_presence_of") and item is not None:
                yield f"{key}.{name}", item, getattr(value, "clause", None)
            else:
                yield from _grants(f"{key}.{name}", item)


def _irregularities(file: str, document: Document) -> Iterator[Problem]:
    rows = document.irregularities
    labels = row_labels([row.situation for row in rows])
    known = {reading.id for reading in document.readings}
    for index, row in enumerate(rows):
        key = f"irregularity[{labels[index]}]"
        for reading in row.readings:
            if reading not in known:
                yield problem("unknown-reading", file, key, row.clause, reading=reading)
        if not row.effects:
            yield problem("no-effects", file, key, row.clause, situation=row.situation.value)
        if document.free_hand is None and any(_brings_a_free_hand(effect) for effect in row.effects):
            yield problem("free-hand-not-defined", file, key, row.clause)
        if any(isinstance(effect, ReplaceCards) and not _rests_on_one(effect) for effect in row.effects):
            yield problem("new-cards-by-what", file, key, row.clause)
        named = circumstances(row)
        if not all(named.values()):
            yield problem("never-holds", file, key, row.clause)
        for earlier, other in enumerate(rows[:index]):
            if _overlap(row, other):
                params = {"situation": row.situation.value, "other": f"irregularity[{labels[earlier]}]"}
                yield problem("rows-overlap", file, key, row.clause, **params)


def _rests_on_one(effect: ReplaceCards) -> bool:
    """Whether new cards come by a clause, or, where they must, by a procedure of the house.

    A set is doubted by a clause, and by a procedure of the house found whole where no clause says that.
    """
    if effect.procedure is None or effect.need is CardNeed.WHOLE_OR_NEW:
        return effect.clause is not None
    return effect.clause is None and (effect.need, effect.on) == (CardNeed.SHALL, "always")


def _brings_a_free_hand(effect: Effect) -> bool:
    return isinstance(effect, GiveCardToBanker) or (isinstance(effect, FreeHand) and effect.round == "next")


def _overlap(row: Irregularity, other: Irregularity) -> bool:
    if row.situation is not other.situation:
        return False
    if row.device and other.device and row.device != other.device:
        return False
    ours, theirs = circumstances(row), circumstances(other)
    return all(ours[name] & theirs[name] for name in ours.keys() & theirs.keys())


def _readings(file: str, document: Document) -> Iterator[Problem]:
    for reading in document.readings:
        key = f"reading[{reading.id}]"
        clause = reading.clauses[0] if reading.clauses else None
        if reading.setting is not None and not setting_exists(reading.setting):
            yield problem("unknown-setting", file, key, clause, setting=reading.setting)
        if (reading.source == "house") != (reading.setting is not None):
            yield problem("setting-without-house", file, key, clause)


def _odds(file: str, document: Document) -> Iterator[Problem]:
    for form in document.wagers:
        for index, row in enumerate(form.pays):
            texts = {"odds": row.odds}
            if row.commission:
                texts["commission.of"] = row.commission.of
            for name, text in texts.items():
                if parse_odds(text) is None:
                    key = f"wager[{form.id}].pays[{index}].{name}"
                    yield problem("odds-not-exact", file, key, row.clause, odds=text)


def _table_of_play(file: str, document: Document) -> tuple[Drawing, list[Problem]]:
    drawing, clashes = spread(document.table_of_play)
    clause = document.table_of_play.clause
    found = [problem("draw-twice", file, "table_of_play", by, place=place) for by, place in clashes]
    found += [problem("draw-hole", file, "table_of_play", clause, place=place) for place in holes(drawing)]
    return drawing, found


def _pay_rows(file: str, document: Document, drawing: Drawing) -> list[Problem]:
    endings = reachable(drawing)
    found: dict[Problem, None] = {}
    variants: tuple[str | None, ...] = tuple(variant.id for variant in document.variants) or (None,)
    for variant in variants:
        for form in document.wagers:
            found |= dict.fromkeys(_rows_of(file, form, variant, endings))
    return list(found)


def _rows_of(file: str, form: WagerForm, variant: str | None, endings: frozenset[Facts]) -> Iterator[Problem]:
    rows, keys = wager_rows(form, variant), _row_keys(form, variant)
    held: Counter[int] = Counter()
    clashes: set[tuple[int, int]] = set()
    for facts in endings:
        holding = [index for index, row in enumerate(rows) if hold(row.conditions, facts)]
        held.update(holding[:1] if form.ordered else holding)
        if len(holding) > 1 and not form.ordered:
            clashes.add((holding[0], holding[1]))
    for index, row in enumerate(rows):
        if not held[index]:
            yield problem("never-holds", file, keys[index], row.clauses[0])
    for first, second in sorted(clashes):
        params = {"situation": form.id, "other": keys[first]}
        yield problem("rows-overlap", file, keys[second], rows[second].clauses[0], **params)


def _row_keys(form: WagerForm, variant: str | None) -> list[str]:
    """Where the rows of a wager stand in the file; a variant leaves out those of the others."""
    keys = [f"stands_off[{index}]" for index, _ in enumerate(form.stands_off)]
    keys += [f"pays[{index}]" for index, row in enumerate(form.pays) if row.variant in (None, variant)]
    return [f"wager[{form.id}].{key}" for key in keys]


# a shoe of more decks than this is a slip of the pen
_MOST_DECKS = 20
_PLAIN_ID = re.compile("[a-z0-9]+(-[a-z0-9]+)*")
_DIGEST = re.compile("[0-9a-f]{64}")
