"""Evidence for powers: which post used one, to which it was refused, and what the posts above may do."""

from collections.abc import Iterator

from msgspec import Struct

from thirdcard.game import events as ev
from thirdcard.refusals import Refusal, Refused
from thirdcard.roundfile.set_up import PlayedCommand
from thirdcard.rulebook.document import Document
from thirdcard.rulebook.house import House
from thirdcard.rulebook.pages.coverage import Piece, shipped_proof
from thirdcard.staff import Post

Given = tuple[str, Piece]  # a clause and the piece of its evidence

# refusals about the person, not about what was asked
ABOUT_THE_PERSON = (
    Refusal.NOT_AUTHORISED,
    Refusal.NOT_STAFF,
    Refusal.NOT_YOURS,
    Refusal.SECOND_PERSON_NEEDED,
)
# events that say what was found or awaited; nothing was done about it yet
FOUND = (
    ev.IrregularityReported,
    ev.CaseWaits,
    ev.AlarmRaised,
    ev.DeviceMismatch,
    ev.DifferentialExceeded,
    ev.FactsConfirmed,
    ev.FactsDisproved,
    ev.ReportWithdrawn,
    ev.CaseClosed,
)
# nor is a power used by what only becomes due
UNUSED = (*FOUND, ev.CardReplacementDue)


class Power(Struct, frozen=True):
    """The posts that a clause names, and whether those above them have the power too."""

    posts: frozenset[Post]
    or_above: bool


def powers_of(document: Document) -> dict[str, Power]:
    """The power that each clause of a document gives to posts."""
    general, above = document.authority.higher_posts is not None, set[str]()
    found: dict[str, set[Post]] = {
        clause: {post} for clause, post in shipped_proof(document.id).posts.items()
    }
    for value in _structs(document):
        clause = getattr(value, "clause", None)
        for name in ("post", "by", "in_presence_of"):
            post = getattr(value, name, None)
            if clause and isinstance(post, str):
                found.setdefault(clause, set()).add(Post(post))
                above |= {clause} if getattr(value, "or_above", False) else set()
    return {clause: Power(frozenset(posts), general or clause in above) for clause, posts in found.items()}


def _structs(value: object) -> Iterator[Struct]:
    if isinstance(value, Struct):
        yield value
        for name in value.__struct_fields__:
            yield from _structs(getattr(value, name))
    elif isinstance(value, tuple):
        for item in value:
            yield from _structs(item)


def given_by_person(
    step: PlayedCommand, powers: dict[str, Power], house: House, document: Document
) -> Iterator[Given]:
    """A power used by the post named, refused to the post below, and used by or refused to a higher one."""
    ladder = house.form.posts
    highest = max(_rank(ladder, step.posts), _rank(ladder, step.authoriser_posts))
    if isinstance(step.result, Refused):
        refused = step.result
        if refused.reason not in ABOUT_THE_PERSON:
            return
        required = dict(refused.params).get("post", "")
        for clause in refused.clauses:
            power = powers.get(clause)
            named = [str(required).removeprefix("@post.")] if required else power.posts if power else ()
            ranks = [ladder.index(Post(post)) for post in named if post in ladder]
            lowest = (
                min((ladder.index(post) for post in power.posts if post in ladder), default=None)
                if power
                else None
            )
            if highest + 1 in (*ranks, lowest):
                yield clause, Piece.LOWER_REFUSED
                if document.authority.higher_posts and highest >= 0:
                    yield document.authority.higher_posts, Piece.OTHER_SIDE
            if power and ranks and highest > max(ranks) and not power.or_above:
                yield clause, Piece.HIGHER
        return
    held = {*step.posts, *step.authoriser_posts}
    for clause in {clause for event in step.result if not _is_unused(event) for clause in event.clauses}:
        power = powers.get(clause)
        ranks = [ladder.index(post) for post in power.posts if post in ladder] if power else []
        if (power is None and held) or (power and held & power.posts):
            yield clause, Piece.USED
        elif power and ranks and highest > min(ranks) and power.or_above:
            yield clause, Piece.HIGHER


def _is_unused(event: ev.Event) -> bool:
    return isinstance(event, UNUSED) or (isinstance(event, ev.EffectCarriedOut) and event.statement)


def _rank(ladder: tuple[Post, ...], posts: tuple[Post, ...]) -> int:
    """The place of somebody's highest post in the ladder; below it for a patron."""
    return max((ladder.index(post) for post in posts if post in ladder), default=-1)
