"""The posts of a house and who stands above whom."""

import datetime
from typing import NewType

from msgspec import Struct

Post = NewType("Post", str)


class Acting(Struct, frozen=True):
    """A person acting in a post from one instant until another."""

    person: str
    post: Post
    start: datetime.datetime
    end: datetime.datetime


def stands_at_or_above(ladder: tuple[Post, ...], *, post: Post, required: Post) -> bool:
    """Whether a post may do what the rules give to another: the same post, or one higher on the ladder."""
    return post in ladder and required in ladder and ladder.index(post) >= ladder.index(required)
