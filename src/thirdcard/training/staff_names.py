"""The staff of a drill: everybody has the name of a post, as round files write it, in whatever language."""

from collections.abc import Callable

from thirdcard.messages import FIRST_LANGUAGE, speaking
from thirdcard.roundfile.head import RoundFileHead
from thirdcard.roundfile.set_up import TABLE_NAME, Player, set_up
from thirdcard.rulebook.house import House
from thirdcard.rulebook.words import post_name
from thirdcard.staff import Post


def staff_name(post: Post) -> str:
    """Return the name of whoever holds a post in a drill."""
    with speaking(FIRST_LANGUAGE):
        return post_name(post)


def posts_by_name(house: House) -> dict[str, Post]:
    """Return the posts of a house by the names of those who hold them, the lowest first."""
    return {staff_name(post): post for post in house.form.posts}


def naming_at(house: House) -> Callable[[str], str]:
    """Return how whoever acts is named in a sentence: staff by their post, in the language of the reader."""
    names = {name: f"@post.{post}" for name, post in posts_by_name(house).items()}
    names[TABLE_NAME] = "@train.table"
    return lambda name: names.get(name, name)


def set_up_for_training(player: Player, head: RoundFileHead) -> None:
    """Set a table up with staff under the names of their posts."""
    with speaking(FIRST_LANGUAGE):
        set_up(player, head)
