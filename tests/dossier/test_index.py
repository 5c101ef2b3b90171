"""Rounds of a table in a list, found by when, by what, by whom and for how much."""

import textwrap
from decimal import Decimal

import pytest
from journal.journals import EVENING, Evening, told_evening, write
from msgspec.structs import replace

from thirdcard.dossier.index import RoundIndex, RoundLine, Sought
from thirdcard.journal.memory import MemoryStore
from thirdcard.money import Currency
from thirdcard.server.proofs import Amounts

FLOORED = textwrap.dedent("""
    game mbs-tiger-v3
    patrons Ann at 1, Bob at 2
    Dealer: opens betting
    Ann: 300 on player at 1
    Bob: 100 on tie at 2
    Bob: 50 on tie at 2
    Dealer: closes betting
    Dealer: draws 9H 2D KS 5C
    Dealer: calls player
    Dealer: opens betting
    Bob: 1000 on banker at 2
    Dealer: closes betting
    Dealer: draws 9H 2D KS 5C
    Dealer: calls player
""")


async def index_of(text: str) -> RoundIndex:
    store, index = MemoryStore(), RoundIndex("table-1")
    await write(store, told_evening("table-1", text))
    await index.renew(store)
    return index


def numbers(lines: tuple[RoundLine, ...]) -> list[int]:
    return [each.number for each in lines]


@pytest.mark.parametrize(
    ("sought", "found"),
    [
        (Sought(least=30_000), [2, 1]),
        (Sought(least=30_001), [2]),
        (Sought(highest=30_000), [1]),
        (Sought(least=15_000, highest=30_000), [1]),
        (Sought(wager="tie"), [1]),
        (Sought(wager="banker"), [2]),
        (Sought(wager="tiger"), []),
        (Sought(person="Ann"), [1]),
        (Sought(person="Bob"), [2, 1]),
        (Sought(person="Dealer"), [2, 1]),
        (Sought(person="Pit Manager"), []),
        (Sought(person="bob "), [2, 1]),
        (Sought(person="DEALER"), [2, 1]),
        (Sought(person="Bo"), []),
        (Sought(shoe=1), [2, 1]),
        (Sought(shoe=2), []),
    ],
)
async def test_rounds_are_found_by_their_facts(sought: Sought, found: list[int]) -> None:
    assert numbers((await index_of(FLOORED)).find(sought)) == found


async def test_rounds_are_found_by_when_they_began() -> None:
    index = await index_of(FLOORED)
    first, second = (index.line(number) for number in (1, 2))
    assert first is not None
    assert second is not None
    assert numbers(index.find(Sought(since=second.began))) == [2]
    assert numbers(index.find(Sought(until=first.began))) == [1]
    assert numbers(index.find(Sought(since=first.began + 1, until=second.began - 1))) == []


async def test_who_approved_is_found_too() -> None:
    index = await index_of(EVENING.read_text("utf-8"))
    assert numbers(index.find(Sought(person="Pit Manager"))) == [3, 2]


async def test_wagers_of_one_patron_on_one_kind_count_together() -> None:
    line = (await index_of(FLOORED)).line(1)
    assert line is not None
    assert (line.largest, line.staked, line.wagers) == (30_000, 45_000, ("player", "tie"))


async def test_a_round_keeps_its_shoe_while_records_are_read_on() -> None:
    whole = told_evening("table-1", FLOORED)
    store, index = MemoryStore(), RoundIndex("table-1")
    for part in parts(whole):
        await write_on(store, part)
        await index.renew(store)
    assert {each.shoe for each in index.find(Sought())} == {1}
    assert index.currency == Currency("SGD", 2)


def parts(evening: Evening) -> tuple[Evening, Evening]:
    """An evening up to the middle, and whole."""
    half = len(evening.deeds) // 2
    return replace(evening, deeds=evening.deeds[:half]), evening


async def write_on(store: MemoryStore, evening: Evening) -> None:
    """Write an evening into a store that has its beginning."""
    whole = MemoryStore()
    await write(whole, evening)
    last = (await store.head("table-1")).sequence
    rest = await whole.read("table-1", after=last, most=1_000)
    for digest in {rest[0].rulebook, rest[0].house}:
        await store.keep_content(digest, await whole.content(digest) or b"")
    await store.append(rest)


@pytest.mark.parametrize(
    ("exponent", "least", "highest"),
    [(2, 150_050, 200_000), (0, 1_501, 2_000)],
)
def test_amounts_are_those_of_the_currency_of_a_table(exponent: int, least: int, highest: int) -> None:
    sought = Amounts(Decimal("1500.50"), Decimal(2000)).of(Sought(), Currency("CUR", exponent))
    assert (sought.least, sought.highest) == (least, highest)
    assert Amounts().of(Sought(), None) == Sought()
