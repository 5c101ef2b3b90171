"""Whole journals are proven from end to end, and memory does not grow with them."""

import gc
import random
import re
import tracemalloc
from pathlib import Path

import pytest
from auditor.random_rounds import play_round
from contracts.stores import sqlite
from golden import NAMES, TEXTS
from journal.journals import (
    KEYS,
    TRAINING,
    Evening,
    RecordedTable,
    random_evening,
    rechained,
    records_of,
    sealed_evening,
    told_evening,
    write,
)
from msgspec.structs import replace

from thirdcard.auditor.exported import BadExport, Exported, line_of_key
from thirdcard.auditor.findings import Finding
from thirdcard.auditor.replay import ReplayStep, replay
from thirdcard.auditor.verify import LISTED_FINDINGS, Against, StreamReport, streams_of, verify
from thirdcard.cards import Suit
from thirdcard.folds.snapshot import TableSnapshot
from thirdcard.game.events import CardDrawn, CreditsBought, Event, ShoeOpened, TableSetUp, WagerPlaced
from thirdcard.journal.checkpoints import line_of
from thirdcard.journal.codec import CommandResult, digest_of_content, encode, table_result_of
from thirdcard.journal.forms.steps import FORM
from thirdcard.journal.memory import MemoryStore
from thirdcard.journal.record import Record
from thirdcard.journal.software import ENGINE
from thirdcard.journal.store import Appended, Store
from thirdcard.messages import say
from thirdcard.rulebook.book import rulebooks
from thirdcard.rulebook.read import house_of
from thirdcard.rulebook.shelf import SHIPPED

# no command runs a shoe down, and the seals of round files bind nothing
GOLDEN = [name for name in NAMES if not re.search(r"\nleft |, sealed", TEXTS[name])]


def told(report: StreamReport) -> list[tuple[int, str]]:
    return [(each.sequence, say(each.what)) for each in report.findings]


def noted(report: StreamReport) -> list[tuple[int, str]]:
    return [(each.sequence, say(each.what)) for each in report.notes]


def evening() -> Evening:
    return told_evening("table-1", TRAINING)


@pytest.mark.parametrize("game", [book.id for book in SHIPPED.rulebooks])
async def test_a_random_evening_of_each_game_is_whole(game: str, tmp_path: Path) -> None:
    async with sqlite(tmp_path)() as store:
        played = random_evening("table-1", 40, 12, game)
        made = await write(store, played, snapshot=150)
        report = await verify(store, "table-1")
        assert (told(report), noted(report)) == ([], [])
        assert report.records == report.signed_until == len(made)
        assert report.rounds == len(played.rounds) > 30
        assert report.wagers is not None
        assert report.wagers > 20
        assert (await verify(store, "table-1", chain_only=True)).digest == report.digest


@pytest.mark.parametrize("folder", sorted({name.partition("/")[0] for name in GOLDEN}))
async def test_the_golden_rounds_are_whole_in_one_journal(folder: str) -> None:
    names = [name for name in GOLDEN if name.startswith(f"{folder}/")]
    store = MemoryStore()
    for name in names:
        await write(store, told_evening(name, TEXTS[name]))
    assert await store.streams() == tuple(names)
    for name in names:
        report = await verify(store, name)
        assert (name, told(report), noted(report)) == (name, [], [])


async def test_progress_is_told_record_by_record() -> None:
    store, seen = MemoryStore(), list[int]()
    made = await write(store, evening())
    await verify(store, "table-1", progress=seen.append)
    assert sum(seen) == len(made)


async def test_memory_does_not_grow_with_the_journal() -> None:
    async def peak(rounds: int) -> tuple[int, int]:
        store = MemoryStore()
        made = await write(store, random_evening("table-1", rounds, 3, "mbs-super-six-etg-v3"))
        await verify(store, "table-1")
        alive: list[int] = []

        def look(_: int) -> None:
            gc.collect()  # and with it the blocks that the interpreter keeps for later
            alive.append(tracemalloc.get_traced_memory()[0])

        tracemalloc.start()
        try:
            assert (await verify(store, "table-1", progress=look)).whole
            return len(made), max(alive)
        finally:
            tracemalloc.stop()

    # a state knows the rounds of its shoe, so that the shorter one is as long as a shoe
    short, small = await peak(40)
    long, large = await peak(130)
    assert long > 2 * short
    assert large < small + 300_000


async def test_findings_are_listed_up_to_a_number_and_then_counted() -> None:
    store = MemoryStore()
    made = await write(store, random_evening("table-1", 30, 3, "mbs-tiger-v3"))
    other = MemoryStore()
    forged = rechained(made, {each.sequence: replace(each, kind="fold") for each in made})
    await copy_contents(store, other, made)
    await other.append(forged, KEYS)
    report = await verify(other, "table-1")
    assert len(report.findings) == LISTED_FINDINGS
    assert report.more_findings == len(made) - LISTED_FINDINGS
    assert told(report)[0] == (1, "Record 1 is said to be of the kind fold, and holds another command.")


async def copy_contents(store: Store, other: Store, made: tuple[Record, ...]) -> None:
    for digest in {made[0].rulebook, made[0].house, KEYS.key_id}:
        content = await store.content(digest)
        assert content is not None
        await other.keep_content(digest, content)


async def keep_keys(store: Store) -> None:
    for key_id, public in KEYS.public_keys.items():
        await store.keep_content(key_id, public)


async def forged(others: dict[int, Record]) -> Store:
    """The evening with some records forged, chained and signed, by somebody who has the key."""
    store, other = MemoryStore(), MemoryStore()
    made = await write(store, evening())
    await copy_contents(store, other, made)
    assert isinstance(await other.append(rechained(made, others), KEYS), Appended)
    return other


def rewritten(made: tuple[Record, ...], sequence: int, event: Event, *more: Event) -> Record:
    """A record in which something else happened."""
    record = made[sequence - 1]
    result = table_result_of(record)
    return replace(record, body=encode(CommandResult(result.command, (event, *more))))


def event_of(made: tuple[Record, ...], sequence: int) -> Event:
    record = made[sequence - 1]
    return table_result_of(record).events[0]


async def test_a_command_that_is_decided_otherwise_is_a_finding_within_a_release() -> None:
    made = records_of(evening())
    drawn = event_of(made, 42)
    assert isinstance(drawn, CardDrawn)
    other = rewritten(made, 42, replace(drawn, by="Pit Manager"))
    said = (
        'Record 42 (draw-card) is decided otherwise: recorded card-drawn with by "Pit Manager"; '
        'decided again card-drawn with by "Dealer".'
    )
    report = await verify(await forged({42: other}), "table-1")
    assert (told(report), noted(report), report.first_bad) == ([(42, said)], [], 42)
    by_an_older_one = {
        each.sequence: replace(each, software="0.0.1") for each in (*made[:41], other, *made[42:])
    }
    report = await verify(await forged(by_an_older_one), "table-1")
    assert (told(report), noted(report), report.first_bad) == ([], [(42, said)], None)


async def test_more_and_fewer_events_and_other_refusals_are_told_apart() -> None:
    made = records_of(evening())
    first = event_of(made, 11)
    both = table_result_of(made[10]).events
    fewer, more = rewritten(made, 11, first), rewritten(made, 11, *both, both[1])
    refused = replace(made[30], body=made[30].body.replace(b"not-authorised", b"not-staff"))
    said = {}
    for sequence, record in ((11, fewer), (11, more), (31, refused)):
        report = await verify(await forged({sequence: record}), "table-1")
        said[record.body] = told(report)[0]
    assert list(said.values()) == [
        (11, "Record 11 (open-betting) is decided otherwise: recorded 1 events; decided again round-began."),
        (11, "Record 11 (open-betting) is decided otherwise: recorded round-began; decided again 2 events."),
        (
            31,
            "Record 31 (rule) is decided otherwise: recorded refused: not-staff 5.8.2.2; "
            "decided again refused: not-authorised 5.8.2.2.",
        ),
    ]


async def test_a_record_that_contradicts_itself_is_found() -> None:
    made = records_of(evening())
    spaced = replace(made[11], body=made[11].body.replace(b":", b": ", 1))
    envelope = replace(made[12], envelope=made[12].envelope.replace(b"table-1-c13", b"table-1-c31"))
    result = table_result_of(made[30])
    both = replace(made[30], body=encode(replace(result, events=(event_of(made, 12),))))
    report = await verify(await forged({12: spaced, 13: envelope, 31: both}), "table-1")
    assert told(report)[:3] == [
        (12, "Record 12 is not written in the canonical form."),
        (13, "Record 13 has another command id than its envelope."),
        (31, "Record 31 is refused and yet something happened."),
    ]


async def test_an_event_that_fits_no_table_ends_the_replay_and_nothing_else() -> None:
    made = records_of(evening())
    early = rewritten(made, 1, event_of(made, 12))
    report = await verify(await forged({1: early}), "table-1")
    ((sequence, said),) = told(report)[-1:]
    assert (sequence, said) == (
        1,
        "Record 1 does not fit the table: AssertionError().",
    )
    assert report.records == 48


async def test_a_command_that_cannot_be_decided_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def stumble(*_: object) -> None:
        raise ArithmeticError("no such thing")

    monkeypatch.setattr("thirdcard.auditor.replay.decide_and_apply", stumble)
    report = await verify(await forged({}), "table-1")
    said = "Record 1 (set-up-table) cannot be decided again: ArithmeticError('no such thing')."
    assert told(report)[0] == (1, said)


async def test_events_that_cannot_be_recounted_are_found() -> None:
    made = records_of(evening())
    placed = event_of(made, 12)
    assert isinstance(placed, WagerPlaced)
    setup = event_of(made, 1)
    assert isinstance(setup, TableSetUp)
    unlimited = replace(setup, setup=replace(setup.setup, game="mbs-tiger-v3/none"))
    report = await verify(await forged({1: rewritten(made, 1, unlimited)}), "table-1")
    said = dict(reversed(told(report)))
    assert said[2] == "The stored document does not have the game mbs-tiger-v3/none of the table."


async def test_tray_and_drop_box_that_are_not_what_was_booked_are_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("thirdcard.auditor.money.in_tray", lambda *_: 5)
    monkeypatch.setattr("thirdcard.auditor.money.DROP", "nowhere")
    store = MemoryStore()
    await write(store, told_evening("table-1", TEXTS["examined/a-day-of-chips-and-cash.round"]))
    found = [what for _, what in told(await verify(store, "table-1"))]
    assert found[0] == (
        "5 is booked as lying in the tray, but 1000000 must lie there (in the smallest unit)."
    )
    drop = "0 is booked as lying in the drop boxes, but 100000 must lie there (in the smallest unit)."
    assert drop in found


async def test_money_from_nowhere_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("thirdcard.auditor.money.entries", lambda _: (("felt", 5), ("house", -4)))
    report = await verify(await forged({}), "table-1")
    assert (1, "The entries of table-set-up do not sum to zero.") in told(report)
    assert (1, "5 is booked as lying on the table, but 0 lies there (in the smallest unit).") in told(report)


async def test_a_terminal_below_zero_or_with_a_wrong_meter_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    played = random_evening("table-1", 12, 3, "mbs-super-six-etg-v3")
    made = records_of(played)
    store, other = MemoryStore(), MemoryStore()
    await write(store, played)
    await copy_contents(store, other, made)
    bought = next(
        (each.sequence, event)
        for each in made
        for event in table_result_of(each).events
        if isinstance(event, CreditsBought) and event.terminal == "Bob"
    )
    less = rewritten(made, bought[0], replace(bought[1], amount=1))
    await other.append(rechained(made, {less.sequence: less}), KEYS)
    report = await verify(other, "table-1")
    assert any(say(each.what).startswith("The terminal Bob stands at -") for each in report.findings)
    monkeypatch.setattr("thirdcard.auditor.money.entries", lambda _: (("patron:Ann", 7), ("house", -7)))
    report = await verify(store, "table-1")
    assert told(report)[0] == (1, "The terminal Ann shows 0, but 7 is booked (in the smallest unit).")


async def test_a_sealed_shoe_that_is_laid_open_otherwise_is_found() -> None:
    """Two cards change places in what was laid open; the chain is recomputed."""
    played = sealed_evening("table-1")
    store, other = MemoryStore(), MemoryStore()
    made = await write(store, played)
    assert told(await verify(store, "table-1")) == []
    record = made[-1]
    result = table_result_of(record)
    (opened,) = result.events
    assert isinstance(opened, ShoeOpened)
    at = next(at for at in range(416) if opened.order[at] != opened.order[at + 1])
    order = list(opened.order)
    order[at], order[at + 1] = order[at + 1], order[at]
    command = replace(result.command, order=tuple(order))
    body = encode(CommandResult(command, (replace(opened, order=tuple(order)),)))
    await copy_contents(store, other, made)
    await other.append(rechained(made, {record.sequence: replace(record, body=body)}), KEYS)
    report = await verify(other, "table-1")
    assert [each.what.key for each in report.findings] == ["shoe.wrong-root"]
    assert report.first_bad == record.sequence


async def test_a_dealt_card_that_was_exchanged_with_the_key_is_found_by_the_sealed_shoe() -> None:
    """The suit of a card decides nothing here: deciding and recounting find nothing, the opened shoe does."""
    played = sealed_evening("table-1")
    store, other = MemoryStore(), MemoryStore()
    made = await write(store, played)
    record = next(each for each in made if each.kind == "draw-card")
    (drawn, *rest) = table_result_of(record).events
    assert isinstance(drawn, CardDrawn)
    assert drawn.card is not None
    suit = next(each for each in Suit if each is not drawn.card.suit)
    exchanged = replace(drawn.card, suit=suit)
    command = replace(table_result_of(record).command, card=exchanged)
    body = encode(CommandResult(command, (replace(drawn, card=exchanged), *rest)))
    await copy_contents(store, other, made)
    await other.append(rechained(made, {record.sequence: replace(record, body=body)}), KEYS)
    report = await verify(other, "table-1")
    assert [each.what.key for each in report.findings] == ["shoe.dealt-differs"]


# rules


async def test_a_journal_is_judged_by_the_rules_that_it_stored() -> None:
    """A rulebook and a house that have changed since: Player pays double, and payments round up to a unit."""
    book = next(each for each in SHIPPED.rulebooks if each.id == "mbs-tiger-v3")
    house = SHIPPED.house(book.document.house)
    document = book.document
    generous = tuple(
        replace(form, pays=tuple(replace(row, odds="2 to 1") for row in form.pays))
        if form.id == "player"
        else form
        for form in document.wagers
    )
    (other,) = rulebooks(replace(document, wagers=generous))
    coarse = house_of(replace(house.form, rounding=replace(house.form.rounding, smallest_unit="1")))
    table = RecordedTable("table-1", random.Random(8), other, coarse)
    for _ in range(20):
        play_round(table)
    store = MemoryStore()
    made = await write(store, Evening("table-1", other, coarse, tuple(table.deeds)))
    assert made[0].rulebook != book.digest
    report = await verify(store, "table-1")
    assert told(report) == []
    async for step in replay(store, "table-1"):
        assert isinstance(step, ReplayStep)
        assert step.verdict.wrong == ()


async def test_rules_may_change_between_records() -> None:
    """After some rounds the house rounds otherwise; each record is judged by the rules that it names."""
    before = random_evening("table-1", 6, 2, "mbs-tiger-v3")
    rounding = replace(before.house.form.rounding, smallest_unit="1")
    coarse = house_of(replace(before.house.form, rounding=rounding))
    table = RecordedTable("table-1", random.Random(2), before.rulebook, before.house)
    for _ in range(6):
        play_round(table)
    changed = len(table.deeds)
    table.house = coarse
    for _ in range(24):
        play_round(table)
    store, later = MemoryStore(), MemoryStore()
    await write(store, before)
    whole = Evening("table-1", before.rulebook, before.house, tuple(table.deeds))
    made = records_of(whole)
    await write(later, Evening("table-1", before.rulebook, coarse, before.deeds))
    by = {
        each.sequence: replace(each, house=digest_of_content(encode(coarse.form)))
        for each in made
        if each.sequence > changed
    }
    content = await later.content(digest_of_content(encode(coarse.form)))
    assert content is not None
    other = MemoryStore()
    await copy_contents(store, other, made)
    await other.keep_content(digest_of_content(content), content)
    await other.append(rechained(made, by), KEYS)
    assert told(await verify(other, "table-1")) == []
    wrong = MemoryStore()
    await copy_contents(store, wrong, made)
    await wrong.append(made, KEYS)
    assert told(await verify(wrong, "table-1")) != []


SCALED = (
    "game hoiana-tiger-2024/commission\ndifferential 200\npatrons Ann at 1, Bob at 2, Cy at 3\n"
    "Dealer: opens betting\nDealer: closes betting\nDealer: draws 9\n"
    "Dealer with Pit Manager: finds Ann 100 on player at 1\n"
    "Dealer with Pit Manager: finds Bob 100 on player at 2\n"
    "Dealer with Pit Manager: finds Cy 100 on player at 3\nDealer: draws 2 K 5\n"
)


@pytest.mark.parametrize(("engine", "recounted"), [(1, "66.67"), (2, "66.66"), (ENGINE, "66.66")])
async def test_scaled_stakes_are_recounted_as_their_engine_scaled_them(engine: int, recounted: str) -> None:
    """Engines before the second rounded each stake: three of 66.67 where the limit is 200."""
    store, round_ = MemoryStore(), told_evening("table-1", SCALED)
    await write(store, round_, software=f"0.1.0+form{FORM}.engine{engine}")
    found = [what for _, what in told(await verify(store, "table-1")) if "in action" in what]
    expected = f"player of Cy: in action is recorded as 66.66, recounted {recounted}."
    assert found == ([] if recounted == "66.66" else [expected])


async def test_a_content_that_is_no_rulebook_is_found() -> None:
    store = MemoryStore()
    made = records_of(evening())
    nonsense = b'{"id":"mbs-tiger-v3"}'
    await keep_keys(store)
    await store.keep_content(digest_of_content(nonsense), nonsense)
    await store.append(
        rechained(
            made,
            {
                each.sequence: replace(
                    each, rulebook=digest_of_content(nonsense), house=digest_of_content(nonsense)
                )
                for each in made
            },
        ),
        KEYS,
    )
    ((sequence, said),) = told(await verify(store, "table-1"))
    assert sequence == 1
    unread = "cannot be read as a rulebook, a house or a list of houses"
    assert said.startswith(f"The content {digest_of_content(nonsense)} {unread}: ")


async def test_a_table_that_names_no_rulebook_is_no_floor() -> None:
    made = records_of(evening())
    bare = rechained(made, {each.sequence: replace(each, rulebook="", house="") for each in made})
    store = MemoryStore()
    await keep_keys(store)
    await store.append(bare, KEYS)
    report = await verify(store, "table-1")
    ((sequence, said),) = told(report)
    assert (sequence, report.records, report.state) == (1, 48, None)
    assert said.startswith("Record 1 names neither a rulebook nor houses")


async def test_a_table_that_names_houses_is_no_floor() -> None:
    made, houses = records_of(evening()), encode(())
    forged = {each.sequence: replace(each, rulebook="", house=digest_of_content(houses)) for each in made}
    store = MemoryStore()
    await store.keep_content(digest_of_content(houses), houses)
    await keep_keys(store)
    await store.append(rechained(made, forged), KEYS)
    ((sequence, said),) = told(await verify(store, "table-1"))
    assert sequence == 1
    assert said.startswith("Record 1 cannot be understood: ")


# replay


async def test_a_replay_knows_the_table_after_every_record() -> None:
    store = MemoryStore()
    await write(store, evening())
    steps = [each async for each in replay(store, "table-1", until=33)]
    assert len(steps) == 33
    last = steps[-1]
    assert isinstance(last, ReplayStep)
    assert isinstance(last.state, TableSnapshot)
    assert [(each.patron, each.wager, each.stake) for each in last.state.table.wagers] == [
        ("Ann", "tiger-pair", 1000),
        ("Bob", "banker", 33_300),
    ]
    assert last.state.table.offer is not None
    assert last.state.table.offer.answered == ("Ann",)


async def test_a_replay_ends_at_a_record_that_cannot_be_read() -> None:
    made = records_of(evening())
    store = await forged({30: replace(made[29], body=b"{}")})
    steps = [each async for each in replay(store, "table-1")]
    assert len(steps) == 30
    assert isinstance(steps[-1], Finding)
    assert say(steps[-1].what).startswith("Record 30 cannot be understood: ")


# a server at work


async def test_what_a_server_writes_meanwhile_is_no_finding() -> None:
    """A checkpoint that is seen before its records: the end is read once more."""
    played = evening()
    whole = MemoryStore()
    made = await write(whole, played)

    class Growing(MemoryStore):
        """Its last records come only after somebody has read to the end."""

        async def read(self, stream: str, *, after: int = 0, most: int = 1000) -> tuple[Record, ...]:
            found = await super().read(stream, after=after, most=most)
            if not found and (await self.head(stream)).sequence == 40:
                await self.append(made[40:], KEYS)
            return found

    store = Growing()
    await copy_contents(whole, store, made)
    await store.append(made[:40], KEYS)
    for checkpoint in await whole.checkpoints("table-1"):
        await store.keep_checkpoint(checkpoint)
    report = await verify(store, "table-1")
    assert (told(report), report.records, report.signed_until) == ([], 48, 48)


# checkpoints kept elsewhere


async def exported(store: Store, path: Path) -> Exported:
    lines = [line_of_key(public) for public in KEYS.public_keys.values()]
    lines += [line_of(each) for each in await store.checkpoints("table-1")]
    path.write_bytes(b"".join(reversed(lines)))
    return Exported(path)


async def test_an_exported_file_may_be_in_any_order_and_names_its_streams(tmp_path: Path) -> None:
    store = MemoryStore()
    await write(store, evening())
    kept = await exported(store, tmp_path / "kept.jsonl")
    assert kept.streams == {"table-1"}
    assert kept.public_keys == KEYS.public_keys
    assert tuple(kept.of("table-1")) == await store.checkpoints("table-1")
    assert list(kept.of("table-2")) == []
    assert await streams_of(MemoryStore(), Against(kept=kept)) == ("table-1",)
    report = await verify(store, "table-1", Against(kept=kept))
    assert (told(report), report.kept, report.kept_until) == ([], 5, 48)


async def test_a_forged_line_in_the_file_kept_elsewhere_is_told_apart(tmp_path: Path) -> None:
    store, path = MemoryStore(), tmp_path / "kept.jsonl"
    await write(store, evening())
    await exported(store, path)
    path.write_bytes(path.read_bytes().replace(b"round-end", b"round-eve", 1))
    report = await verify(store, "table-1", Against(kept=Exported(path)))
    said = "in the file kept elsewhere is not genuine: its signature is not that of its key."
    assert told(report) == [(44, f"The checkpoint at record 44 {said}")]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (b"nonsense", "JSON is malformed: invalid character (byte 4)"),
        (b'{"public_key":"xy"}', "non-hexadecimal number found in fromhex() arg at position 0"),
        (
            b'{"checkpoint":2,"digest":"","key_id":"","reason":"","root":"","sequence":1,"signature":"",'
            b'"stream":"t","wall_time":1}',
            "checkpoint 2 is of a newer form",
        ),
    ],
)
def test_a_file_that_is_no_export_is_refused_with_its_line(tmp_path: Path, line: bytes, said: str) -> None:
    path = tmp_path / "kept.jsonl"
    path.write_bytes(b"\n" + line + b"\n")
    with pytest.raises(BadExport) as caught:
        Exported(path)
    assert str(caught.value) == f"{path}, line 2: {said}"
    with pytest.raises(BadExport, match="cannot be read: No such file or directory"):
        Exported(tmp_path / "nothing.jsonl")
