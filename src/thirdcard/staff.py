"""The posts of a house and who stands above whom."""

from typing import NewType

Post = NewType("Post", str)


def stands_at_or_above(ladder: tuple[Post, ...], *, post: Post, required: Post) -> bool:
    """Whether a post may do what the rules give to another: the same post, or one higher on the ladder."""
    return post in ladder and required in ladder and ladder.index(post) >= ladder.index(required)
