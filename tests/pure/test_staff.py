"""The powers of posts, and the people who may use them."""

import pytest

from thirdcard.staff import Post, stands_at_or_above

LADDER = tuple(Post(post) for post in ("dealer", "pit-supervisor", "pit-manager"))


@pytest.mark.parametrize(
    ("post", "required", "may"),
    [
        ("pit-supervisor", "pit-supervisor", True),
        ("pit-manager", "pit-supervisor", True),
        ("pit-manager", "dealer", True),
        ("dealer", "pit-supervisor", False),
        ("pit-supervisor", "pit-manager", False),
        ("guest", "dealer", False),
        ("pit-manager", "owner", False),
        ("owner", "owner", False),
    ],
)
def test_the_same_post_or_a_higher_one_of_the_ladder_may_act(post: str, required: str, may: bool) -> None:
    assert stands_at_or_above(LADDER, post=Post(post), required=Post(required)) is may
