"""The promises of every store, over each of them."""

import asyncio
import contextlib

from contracts.stores import Opening, chain, draft, first_up
from msgspec.structs import replace

from thirdcard.journal.groups import GroupSignatures
from thirdcard.journal.keys import KeyPair, KeyRing
from thirdcard.journal.merkle import Frontier
from thirdcard.journal.record import EMPTY, GENESIS, Head, head_of, place
from thirdcard.journal.sqlite.store import SqliteStore
from thirdcard.journal.store import (
    Appended,
    Checkpoint,
    Conflict,
    KnownCommand,
    News,
    Snapshot,
    Store,
    records,
)

KEYS = KeyRing((KeyPair(bytes(range(32)), bytes(range(32, 64))),))


async def test_what_is_appended_can_be_read_as_it_was(opening: Opening) -> None:
    async with opening() as store:
        made = chain(3)
        assert await store.append(made) == Appended(made)
        assert await store.read("table-1") == made
    async with opening() as store:
        assert await store.read("table-1") == made
        assert await store.head("table-1") == head_of(made[-1])


async def test_what_is_appended_for_a_signer_is_signed(opening: Opening) -> None:
    async with opening() as store:
        made = chain(3)
        answer = await store.append(made, KEYS)
        assert isinstance(answer, Appended)
        assert [each.digest for each in answer.records] == [each.digest for each in made]
        assert all(GroupSignatures(KEYS.public_keys).is_genuine(each) for each in answer.records)
        assert answer.head == head_of(made[-1])
    async with opening() as store:
        assert await store.read("table-1") == answer.records
        assert await store.find(made[1].command_id) == answer.records[1]


async def test_appends_that_wait_together_have_one_signature_if_they_share_a_transaction(
    opening: Opening,
) -> None:
    async with opening() as store:
        pending = [store.append(chain(2, stream=f"table-{number}"), KEYS) for number in range(20)]
        answers = await asyncio.gather(*pending)
        signatures = GroupSignatures(KEYS.public_keys)
        groups: dict[bytes, set[int]] = {}
        for number, answer in enumerate(answers):
            assert isinstance(answer, Appended)
            assert await store.read(f"table-{number}") == answer.records
            for record in answer.records:
                assert signatures.is_genuine(record)
                groups.setdefault(record.group_signature, set()).add(record.group_index)
                assert record.group_index < record.group_size
        assert sum(map(len, groups.values())) == 40  # every leaf of every group is one record


async def test_one_that_fails_leaves_the_others_signed(opening: Opening) -> None:
    async with opening() as store:
        await store.append(chain(1), KEYS)
        pending = [store.append(chain(2, stream=f"table-{number}"), KEYS) for number in range(1, 40)]
        answers = await asyncio.gather(*pending)
        signatures = GroupSignatures(KEYS.public_keys)
        for number, answer in list(enumerate(answers, start=1))[1:]:
            assert isinstance(answer, Appended)
            stored = await store.read(f"table-{number}")
            assert stored == answer.records
            assert all(signatures.is_genuine(record) for record in stored)


async def test_an_empty_stream_ends_at_the_beginning(opening: Opening) -> None:
    async with opening() as store:
        assert await store.head("nothing") == EMPTY == Head(0, GENESIS)
        assert await store.read("nothing") == ()
        assert await store.streams() == ()


async def test_a_long_stream_is_read_page_by_page(opening: Opening) -> None:
    async with opening() as store:
        made = chain(2500)
        await store.append(made)
        assert await store.read("table-1", after=10, most=2) == made[10:12]
        assert tuple([each async for each in records(store, "table-1", after=5)]) == made[5:]


async def test_streams_are_apart(opening: Opening) -> None:
    async with opening() as store:
        one, two = chain(2, stream="table-2"), chain(3, stream="floor")
        await store.append(one)
        await store.append(two)
        assert await store.streams() == ("floor", "table-2")
        assert await store.read("floor") == two


async def test_of_two_that_claim_a_place_one_gets_it(opening: Opening) -> None:
    async with opening() as store:
        ours, theirs = chain(2, ids="a"), chain(2, ids="b")
        answers = await asyncio.gather(store.append(ours), store.append(theirs))
        assert {type(answer) for answer in answers} == {Appended, Conflict}
        assert await store.read("table-1") in (ours, theirs)


async def test_a_record_cannot_leave_a_gap(opening: Opening) -> None:
    async with opening() as store:
        made = chain(3)
        await store.append(made[:1])
        assert await store.append(made[2:]) == Conflict()
        assert await store.read("table-1") == made[:1]


async def test_a_record_must_name_the_digest_before_it(opening: Opening) -> None:
    async with opening() as store:
        made = chain(1)
        await store.append(made)
        stray = place(draft(command_id="stray"), Head(1, b"x" * 32))
        assert await store.append((stray,)) == Conflict()


async def test_a_first_record_follows_nothing(opening: Opening) -> None:
    async with opening() as store:
        stray = place(draft(command_id="stray"), Head(0, b"x" * 32))
        assert await store.append((stray,)) == Conflict()


async def test_a_command_id_is_recorded_once_in_the_whole_journal(opening: Opening) -> None:
    async with opening() as store:
        first = chain(1)
        await store.append(first)
        again = place(draft("table-2", first[0].command_id), EMPTY)
        assert await store.append((again,)) == KnownCommand(first[0].command_id)
        assert await store.find(first[0].command_id) == first[0]
        assert await store.find("unknown") is None
    async with opening() as store:
        assert await store.append((again,)) == KnownCommand(first[0].command_id)


async def test_a_batch_is_appended_whole_or_not_at_all(opening: Opening) -> None:
    async with opening() as store:
        await store.append(chain(1, stream="other"))
        made = chain(3)
        spoilt = (*made[:2], place(draft(command_id="other-c1"), head_of(made[1])))
        assert await store.append(spoilt) == KnownCommand("other-c1")
        assert await store.read("table-1") == ()


async def test_one_that_fails_takes_no_other_with_it(opening: Opening) -> None:
    """Appends that wait together share a transaction; a conflict among them is nobody else's."""
    async with opening() as store:
        await store.append(chain(1))
        pending = [store.append(chain(2, stream=f"table-{number}")) for number in range(1, 40)]
        answers = await asyncio.gather(*pending)
        assert isinstance(answers[0], KnownCommand | Conflict)
        assert all(isinstance(answer, Appended) for answer in answers[1:])


async def test_contents_are_kept_once(opening: Opening) -> None:
    async with opening() as store:
        await store.keep_content("ab", b"first")
        await store.keep_content("ab", b"second")
        assert await store.content("ab") == b"first"
        assert await store.content("cd") is None


def checkpoint(sequence: int, reason: str = "round-end") -> Checkpoint:
    return Checkpoint(
        stream="table-1",
        sequence=sequence,
        digest=b"d" * 32,
        root=b"r" * 32,
        wall_time=5,
        reason=reason,
        key_id="key",
        signature=b"s" * 64,
    )


async def test_the_first_checkpoint_at_a_sequence_stays(opening: Opening) -> None:
    async with opening() as store:
        for each in (checkpoint(9), checkpoint(4), checkpoint(9, "shoe-end")):
            await store.keep_checkpoint(each)
        assert await store.checkpoints("table-1") == (checkpoint(4), checkpoint(9))
        assert await store.checkpoints("table-2") == ()


async def test_checkpoints_are_read_page_by_page(opening: Opening) -> None:
    async with opening() as store:
        for sequence in (3, 7, 9, 12):
            await store.keep_checkpoint(checkpoint(sequence))
        found = await store.checkpoints("table-1", after=3, most=2)
        assert [each.sequence for each in found] == [7, 9]
        assert [each.sequence for each in await store.checkpoints("table-1", after=7)] == [9, 12]


async def test_a_stream_of_which_only_checkpoints_are_left_is_still_named(opening: Opening) -> None:
    async with opening() as store:
        await store.append(chain(1, stream="floor"))
        await store.keep_checkpoint(checkpoint(3))
        assert await store.streams() == ("floor", "table-1")


async def test_the_newest_snapshot_is_kept_until_it_is_dropped(opening: Opening) -> None:
    async with opening() as store:
        newer = Snapshot(
            stream="table-1",
            head=Head(3, b"d" * 32),
            tree=Frontier().grown(b"1" * 32).grown(b"2" * 32).grown(b"3" * 32),
            state=b"{}",
            key_id="key",
            signature=b"s" * 64,
        )
        older = replace(newer, head=Head(2, b"e" * 32), tree=Frontier().grown(b"1" * 32).grown(b"2" * 32))
        assert await store.snapshot("table-1") is None
        for each in (older, newer, older):
            await store.keep_snapshot(each)
        assert await store.snapshot("table-1") == newer
        await store.drop_snapshots()
        assert await store.snapshot("table-1") is None


async def test_news_tells_how_far_a_stream_has_grown(opening: Opening) -> None:
    async with opening() as store:
        news = store.news()
        await store.append(chain(3))
        if isinstance(store, SqliteStore):  # nobody else appends to its file
            assert [each async for each in news] == []
            return
        assert await anext(news) == News("table-1", 3)
        await store.append(chain(1, stream="table-2"))
        assert await anext(news) == News("table-2", 1)


async def test_one_at_a_time_does_what_is_exclusive(opening: Opening) -> None:
    inside = most = done = 0

    async def work(store: Store) -> None:
        nonlocal inside, most, done
        async with store.exclusive():
            inside, most = inside + 1, max(most, inside + 1)
            await store.append(chain(1, stream=f"table-{done}"))
            inside, done = inside - 1, done + 1

    async with opening() as store:
        await asyncio.gather(*(work(store) for _ in range(8)))
        assert (inside, most, done) == (0, 1, 8)


async def test_what_fails_while_it_is_exclusive_holds_up_nobody(opening: Opening) -> None:
    async with opening() as store:
        with contextlib.suppress(KeyError):
            async with store.exclusive():
                raise KeyError
        async with store.exclusive():
            assert isinstance(await store.append(chain(1)), Appended)


async def test_a_store_on_its_own_is_the_first_one_up(opening: Opening) -> None:
    async with opening() as store:
        assert await first_up(store)
