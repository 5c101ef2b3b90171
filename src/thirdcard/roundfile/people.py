"""The people of a round file: nobody acts under a name that is nearly that of a post."""

from collections.abc import Iterator

from thirdcard.game import commands as cmd
from thirdcard.messages import FIRST_LANGUAGE, message, say, sentences
from thirdcard.roundfile.parse import RoundFile, WrittenAct
from thirdcard.roundfile.values import BadLine
from thirdcard.rulebook.house import House
from thirdcard.rulebook.words import post_name
from thirdcard.spelling import NEARLY_SURE, nearest


def refuse_misspelt_posts(file: RoundFile, house: House) -> None:
    """Raise a bad line for the first name that is nearly that of a post, and of nobody who comes.

    A post that only other houses have is not misspelt; whether it may act is for the engine to say.
    """
    posts = [post_name(post) for post in house.form.posts]
    known = {*posts, *_post_names(), *(seat.name for seat in file.settings.patrons)}
    known |= {name for act, _ in file.acts for name in _newcomers(act)}
    for act, _ in file.acts:
        for name in _named(act):
            near = None if name in known else _beginning(name, posts) or nearest(name, posts, NEARLY_SURE)
            if near:
                raise BadLine(act.number, say(message("round.post-near", name=name, near=near)))


def _beginning(name: str, posts: list[str]) -> str | None:
    """Return the post whose first words a name is."""
    return next((post for post in posts if post.casefold().startswith(f"{name.casefold()} ")), None)


def _post_names() -> Iterator[str]:
    """The posts of all houses as people say them."""
    return (name for key, name in sentences(FIRST_LANGUAGE).items() if key.startswith("post."))


def _newcomers(act: WrittenAct) -> Iterator[str]:
    """Yield the names of those who come to the table or on duty with a line, or are appointed by it."""
    for body in act.bodies:
        match body:
            case cmd.ComeToTable():
                yield body.patron
            case cmd.ComeOnDuty() | cmd.AppointActing():
                yield body.person
            case _:
                pass


def _named(act: WrittenAct) -> Iterator[str]:
    """Yield the names of those who act or authorise with a line, or help with a complaint."""
    yield act.actor
    if act.authoriser:
        yield act.authoriser
    for body in act.bodies:
        if isinstance(body, cmd.FileComplaint):
            yield body.helper
