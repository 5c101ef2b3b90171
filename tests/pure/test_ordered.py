"""A set that keeps the order in which its members came."""

from thirdcard.ordered import OrderedSet


def test_members_are_there_once_in_the_order_in_which_they_came() -> None:
    found: OrderedSet[str] = OrderedSet()
    for name in ("Dana", "Ann", "Max", "Ann"):
        found.add(name)
    assert (list(found), len(found)) == (["Dana", "Ann", "Max"], 3)
    assert "Ann" in found


def test_a_member_that_comes_again_comes_last() -> None:
    found: OrderedSet[str] = OrderedSet()
    for name in ("Dana", "Ann"):
        found.add(name)
    found.discard("Dana")
    found.discard("nobody")
    found.add("Dana")
    assert list(found) == ["Ann", "Dana"]
