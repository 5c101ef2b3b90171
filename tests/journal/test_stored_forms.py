"""Stored records stay readable: every shape has a number, and no shape or decision changes under one."""

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from access.signing import SETUP
from journal import decisions, kept_journals, stored_shapes
from journal.decisions import Decided, Decisions
from journal.journals import rechained
from journal.kept_journals import copied
from journal.made_up_values import made_up
from journal.stored_shapes import complaints, described, digests_of, lines_of, same_number, text_of
from msgspec import Struct
from msgspec.structs import replace

import write_journal
from thirdcard.auditor.verify import verify
from thirdcard.floor.commands import DefineTables
from thirdcard.floor.events import TableDefined
from thirdcard.floor.state import Floor, TableDefinition
from thirdcard.folds.snapshot import TableSnapshot
from thirdcard.game.commands import AcknowledgeAlert, DrawCard, Envelope
from thirdcard.game.events import IrregularityReported
from thirdcard.game.state import Case
from thirdcard.journal import record as frames
from thirdcard.journal.checkpoints import CheckpointLine
from thirdcard.journal.codec import (
    CommandResult,
    FloorResult,
    TableResult,
    content_of_house,
    content_of_rulebook,
    decode_state,
    document_from,
    encode,
    encode_state,
    house_from,
)
from thirdcard.journal.forms import from_form_5, from_form_6
from thirdcard.journal.forms.steps import (
    FORM,
    ContentUpcaster,
    UnknownForm,
    Upcaster,
    is_canonical,
    upcast_floor_body,
    upcast_table_body,
)
from thirdcard.journal.memory import MemoryStore
from thirdcard.journal.record import Draft, Head, Record, digest_of, place
from thirdcard.journal.sealed_shoe import ShoeFile
from thirdcard.journal.software import SOFTWARE, Build, build_of
from thirdcard.journal.sqlite.store import SqliteStore
from thirdcard.refusals import Refusal, refuse
from thirdcard.rulebook.document import Document
from thirdcard.rulebook.house import HouseForm
from thirdcard.rulebook.irregularity import Situation
from thirdcard.rulebook.shelf import SHIPPED
from thirdcard.wire.receipts import Receipt

STORED = (
    Envelope,
    TableResult,
    FloorResult,
    TableSnapshot,
    Floor,
    Document,
    HouseForm,
    Receipt,
    ShoeFile,
    CheckpointLine,
)
MADE_UP = 60  # values of each type
Printed = pytest.CaptureFixture[str]


# the guard


async def test_stored_shapes_are_those_of_this_form() -> None:
    wrong = await kept_journals.complaints()
    assert not wrong, "\n".join(wrong)


async def test_rounds_are_decided_as_this_engine_decides_them() -> None:
    now, otherwise = await kept_journals.changed_decisions()
    assert not otherwise, "\n".join(["These go otherwise; raise ENGINE in journal/software.py:", *otherwise])
    assert kept_journals.DECISIONS.read_text("utf-8") == decisions.text_of(now), (
        "run scripts/write_journal.py"
    )


SHAPES = described()
KNOWN = {"1": {"record, form 1": "x"}, str(FORM): digests_of(SHAPES)}


def with_more(name: str) -> dict[str, list[str]]:
    """The stored shapes, one of them with a line more."""
    return {**SHAPES, name: [*SHAPES[name], ".new may be int"]}


def test_nothing_is_said_of_shapes_that_are_written_down() -> None:
    assert complaints(SHAPES, text_of(SHAPES), KNOWN, {1, FORM}) == []


@pytest.mark.parametrize("name", SHAPES)
def test_a_change_under_the_same_form_is_shown(name: str) -> None:
    first, *differences = complaints(with_more(name), text_of(SHAPES), KNOWN, {1, FORM})
    assert first.startswith(f"Stored shapes changed, and the form is still {FORM}. Add a step")
    assert "+.new may be int" in differences


def test_a_form_without_a_journal_is_named() -> None:
    (said,) = complaints(SHAPES, text_of(SHAPES), KNOWN, {1})
    assert said.startswith(f"No journal of form {FORM} is kept. Run scripts/write_journal.py.")


def test_a_new_form_must_be_written_down() -> None:
    (said,) = complaints(SHAPES, text_of(SHAPES), {"1": {}}, {FORM})
    assert said.startswith(f"Form {FORM} is not written down yet. Run scripts/write_journal.py.")


def test_a_rulebook_that_changes_needs_a_number_of_its_own() -> None:
    """A new form alone does not do: a rulebook is stored under its digest and says its own format."""
    before = {str(FORM - 1): digests_of(SHAPES)}
    name = next(each for each in SHAPES if each.startswith("rulebook, format "))
    _, said = complaints(with_more(name), text_of(SHAPES), before, {FORM})
    assert said.startswith(f"[{name}] is not what it was in form {FORM - 1}. Raise its own number")


def test_shapes_of_other_numbers_may_differ() -> None:
    assert same_number(SHAPES, {str(FORM - 1): {"house, format 1": "another"}}) == []


class Inner(Struct):
    """A part of a made-up shape."""

    amount: int


class Shape(Struct, tag="shape"):
    """A made-up shape."""

    name: str
    parts: tuple[Inner, ...] = ()


def _altered(**changes: Any) -> type[Struct]:
    fields: dict[str, tuple[Any, ...]] = {"name": (str,), "parts": (tuple[Inner, ...], ())}
    tag = changes.pop("tag", "shape")
    options = changes.pop("options", {})
    listed = [(name, *kind) for name, kind in (fields | changes).items() if kind]
    return msgspec.defstruct("Shape", listed, tag=tag, **options)


@pytest.mark.parametrize(
    "other",
    [
        _altered(more=(int, 0)),
        _altered(parts=()),
        _altered(name=(str | None,)),
        _altered(parts=(tuple[Inner, ...], None)),
        _altered(parts=(tuple[int, ...], ())),
        _altered(tag="other"),
        _altered(options={"omit_defaults": True}),
        _altered(options={"forbid_unknown_fields": True}),
        _altered(options={"rename": "upper"}),
    ],
    ids=["added", "removed", "optional", "default", "inner type", "tag", "omitted", "forbidden", "renamed"],
)
def test_a_description_notices_a_change(other: type[Struct]) -> None:
    assert lines_of(other) != lines_of(Shape)


def test_a_description_does_not_depend_on_names_and_order_in_the_code() -> None:
    another = msgspec.defstruct(
        "Another", [("parts", tuple[Inner, ...], ()), ("name", str)], tag="shape", kw_only=True
    )
    assert lines_of(another) == lines_of(Shape)


def changed(form: int, engine: int, *decided: str) -> bool:
    """Whether a round goes otherwise than the numbers of a build admit."""
    before = Decisions(2, 1, {"a.round": Decided("in", "events", "state")})
    return bool(decisions.changed(before, Decisions(form, engine, {"a.round": Decided(*decided)})))


def test_a_round_may_go_as_it_went() -> None:
    assert not changed(2, 1, "in", "events", "state")


def test_other_events_need_another_engine() -> None:
    assert changed(2, 1, "in", "other", "state")
    assert changed(3, 1, "in", "other", "state")
    assert not changed(2, 2, "in", "other", "state")


def test_another_state_needs_another_number() -> None:
    assert changed(2, 1, "in", "events", "other")
    assert not changed(3, 1, "in", "events", "other")
    assert not changed(2, 2, "in", "events", "other")


def test_another_round_may_go_otherwise() -> None:
    assert not changed(2, 1, "another round", "other", "other")


def test_a_new_field_that_is_never_used_is_no_other_decision() -> None:
    more = _altered(tip=(int, 0))
    assert decisions.without_defaults((more(name="a"),)) == decisions.without_defaults((Shape("a"),))
    assert decisions.without_defaults((more(name="a", tip=1),)) != decisions.without_defaults((Shape("a"),))
    assert decisions.without_defaults((_altered(tag="other")(name="a"),)) != decisions.without_defaults(
        (Shape("a"),)
    )


# the script


@pytest.fixture
def journals(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of what is kept, small: the journal of this form alone, and a few rounds."""
    few = shutil.copytree(decisions.ROUNDS / "manners", tmp_path / "rounds" / "manners")
    monkeypatch.setattr(decisions, "ROUNDS", few.parent)
    kept = tmp_path / "journals"
    kept.mkdir()
    for path in kept_journals.FOLDER.iterdir():
        if path.name.startswith(f"form-{FORM}.") or path.suffix in (".txt", ".json"):
            shutil.copy(path, kept)
    for name, file in (("SHAPES", "shapes.txt"), ("FORMS", "forms.json"), ("DECISIONS", "decisions.txt")):
        monkeypatch.setattr(kept_journals, name, kept / file)
    monkeypatch.setattr(kept_journals, "FOLDER", kept)
    return kept


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


async def test_a_journal_that_is_kept_is_never_rewritten(journals: Path, capsys: Printed) -> None:
    before = contents(journals)
    assert await write_journal.main([f"form-{FORM}"]) == 1
    assert "a journal that is kept is never rewritten" in capsys.readouterr().err
    assert contents(journals) == before


async def test_shapes_are_not_rewritten_under_the_same_form(
    journals: Path, capsys: Printed, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = contents(journals)
    shapes = described()
    envelope = f"envelope, form {FORM}"
    monkeypatch.setattr(stored_shapes, "described", lambda: {**shapes, envelope: [*shapes[envelope], "more"]})
    assert await write_journal.main([]) == 1
    assert f"the form is still {FORM}" in capsys.readouterr().err
    assert contents(journals) == before


async def test_decisions_are_not_rewritten_under_the_same_engine(journals: Path, capsys: Printed) -> None:
    kept = decisions.read_text(kept_journals.DECISIONS.read_text("utf-8"))
    name = next(each for each in kept.decided if each.startswith("manners/"))
    other = {**kept.decided, name: replace(kept.decided[name], decisions="0" * 16)}
    kept_journals.DECISIONS.write_text(decisions.text_of(replace(kept, decided=other)), "utf-8")
    before = contents(journals)
    assert await write_journal.main([]) == 1
    assert name in capsys.readouterr().err
    assert contents(journals) == before


async def test_a_form_is_added_with_its_journal(journals: Path, capsys: Printed) -> None:
    for path in journals.glob(f"form-{FORM}.*"):
        path.unlink()
    kept_journals.FORMS.write_bytes(b"{}")
    assert await write_journal.main([]) == 0
    assert f"form-{FORM}.sqlite" in capsys.readouterr().out
    assert kept_journals.known_forms() == {str(FORM): digests_of(described())}
    store = SqliteStore(journals / f"form-{FORM}.sqlite", writing=False)
    for stream in await store.streams():
        assert {(each.version, each.software) for each in await store.read(stream)} == {(FORM, SOFTWARE)}
    await store.close()


# steps


def add_field(value: dict[str, Any]) -> None:
    for event in value["events"]:
        if event["type"] == "settled":
            event.setdefault("rounded", 0)


def rename_field(value: dict[str, Any]) -> None:
    for event in value["events"]:
        if event["type"] == "settled":
            event["sum"] = event.pop("amount")


def replace_event(value: dict[str, Any]) -> None:
    value["events"] = [
        {"type": "closed", "of": "table"} if event["type"] == "table-closed" else event
        for event in value["events"]
    ]


OLD = b'{"events":[{"amount":5,"type":"settled"},{"type":"table-closed"}]}'


def test_older_forms_are_brought_up_to_date_step_by_step() -> None:
    upcast = Upcaster((add_field, None, rename_field, replace_event))
    assert upcast(OLD, 1) == (
        b'{"events":[{"rounded":0,"sum":5,"type":"settled"},{"of":"table","type":"closed"}]}'
    )
    assert upcast(OLD, 3) == b'{"events":[{"sum":5,"type":"settled"},{"of":"table","type":"closed"}]}'
    assert upcast(OLD, 4) == b'{"events":[{"amount":5,"type":"settled"},{"of":"table","type":"closed"}]}'


def test_what_has_not_changed_since_is_not_even_read() -> None:
    content = b"not JSON at all"
    assert Upcaster((add_field, None))(content, 3) is content
    assert Upcaster((add_field, None))(content, 2) is content


@pytest.mark.parametrize("form", [0, -1, 4])
def test_a_form_that_is_not_known_is_refused(form: int) -> None:
    with pytest.raises(UnknownForm):
        Upcaster((None, None))(OLD, form)


def test_a_content_says_its_own_format() -> None:
    def step(value: dict[str, Any]) -> None:
        value["format"], value["more"] = 2, True

    upcast = ContentUpcaster((step,))
    assert upcast.bring(b'{"format":1}') == b'{"format":2,"more":true}'
    assert upcast.bring(b'{"format":2}') == b'{"format":2}'
    with pytest.raises(UnknownForm):
        upcast.bring(b'{"format":3}')


def test_a_new_frame_leaves_older_records_as_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    def frame(draft: Draft, sequence: int, previous: bytes) -> bytes:
        return bytes(reversed(frames._first_frame(draft, sequence, previous)))

    draft = _draft()
    older = place(draft, Head(3, bytes(32)))
    monkeypatch.setattr(frames, "FRAMES", ((FORM + 1, frame), *frames.FRAMES))
    assert digest_of(older) == older.digest
    newer = place(replace(draft, version=FORM + 1), Head(3, bytes(32)))
    assert digest_of(newer) == newer.digest
    assert newer.digest == frame(newer, 4, bytes(32))


def _draft() -> Draft:
    return Draft(
        stream="T1",
        kind="open-betting",
        version=FORM,
        command_id="c",
        envelope=b"{}",
        body=b"{}",
        wall_time=1,
        monotonic=1,
        run="r",
        rulebook="b",
        house="h",
        software=SOFTWARE,
    )


def test_a_refused_number_of_an_alarm_is_read() -> None:
    """Alarms had numbers once; a number that none had is refused as something that is not awaited."""
    refused = {"reason": "no-such-alarm", "clauses": [], "params": []}
    old = {"command": {"type": "acknowledge-alarm", "id": 7}, "refused": refused}
    result = msgspec.json.decode(upcast_table_body(encode(old), 1), type=TableResult)
    assert result == CommandResult(AcknowledgeAlert(sequence=0), (), refuse(Refusal.NOT_AWAITED))


def test_training_moved_into_the_set_up_of_a_table() -> None:
    setup = msgspec.to_builtins(SETUP)
    del setup["training"]
    event = {
        "type": "table-defined",
        "definition": {"setup": setup, "training": True},
        "before": {"setup": setup, "training": False},
        "proposal": None,
    }
    command = {"type": "approve-proposal", "id": 1}
    old = encode({"command": command, "events": [event]})
    result = msgspec.json.decode(upcast_floor_body(old, 1), type=FloorResult)
    (defined,) = result.events
    assert isinstance(defined, TableDefined)
    assert defined.before is not None
    assert (defined.definition.setup.training, defined.before.setup.training) == (True, False)


def test_an_older_floor_has_no_gaming_day_and_no_pits() -> None:
    definition = msgspec.to_builtins(TableDefinition(setup=SETUP))
    del definition["pit"]
    command = {"type": "define-tables", "file": "f", "digest": "d", "tables": [definition]}
    event = {"type": "table-defined", "definition": definition, "before": None, "proposal": None}
    result = msgspec.json.decode(
        upcast_floor_body(encode({"command": command, "events": [event]}), 14), type=FloorResult
    )
    (defined,) = result.events
    assert isinstance(defined, TableDefined)
    assert isinstance(result.command, DefineTables)
    assert (result.command.day, result.command.tables[0].pit, defined.definition.pit) == (None, "", "")
    assert is_canonical(upcast_floor_body(encode({"command": command, "events": [event]}), 14))


def test_a_card_drawn_despite_the_differential_is_read_as_drawn() -> None:
    old = {"command": {"type": "draw-card", "card": None, "by": None, "despite_differential": True}}
    result = msgspec.json.decode(upcast_table_body(encode(old), 3), type=TableResult)
    assert result == CommandResult(DrawCard(card=None))


def test_an_irregularity_of_form_3_has_nobody_who_acted_on_it() -> None:
    case = msgspec.to_builtins(Case(1, Situation.POWER_FAILURE, (), None))
    for name in ("ahead", "wager", "position", "by", "acted", "withdrawn", "offer"):
        del case[name]
    event = {"type": "irregularity-reported", "case": case, "by": "Dealer", "note": "", "clauses": []}
    old = {"command": {"type": "confirm-facts"}, "events": [event]}
    result = msgspec.json.decode(upcast_table_body(encode(old), 3), type=TableResult)
    (reported,) = result.events
    assert isinstance(reported, IrregularityReported)
    assert reported.case == Case(1, Situation.POWER_FAILURE, (), None)


def test_a_house_of_form_5_brings_new_cards_by_the_post_that_decides_on_them() -> None:
    procedures = [{"id": "buy-in", "says": "Chips are bought.", "post": "dealer"}]
    older = {"format": 3, "new_cards_decided_by": "pit-manager", "procedure": procedures}
    for _ in range(2):  # one that it has already is left as it is
        from_form_5.house(older)
    assert older["format"] == 4
    assert [(each["id"], each["post"]) for each in procedures] == [
        ("buy-in", "dealer"),
        ("new-cards", "pit-manager"),
    ]


def test_a_free_hand_of_an_older_rulebook_is_a_further_hand() -> None:
    book = next(each for each in SHIPPED.rulebooks if each.document.free_hand)
    content = msgspec.json.decode(content_of_rulebook(book))
    free = [
        effect for row in content["irregularity"] for effect in row["effects"] if effect["do"] == "free-hand"
    ]
    for effect in free:
        effect["round"] = "this"
    document = document_from(encode({**content, "format": 1}))
    assert free
    assert document == book.document


@pytest.mark.parametrize(
    ("software", "build"),
    [
        ("0.1.0", Build(1, 0)),
        ("0.3.0+form12.engine7", Build(12, 7)),
        ("0.3.0+form12", Build(1, 0)),
        ("+form12.engine7", Build(1, 0)),
        ("0.3.0+form12.engine7 ", Build(1, 0)),
        ("0.3.0+form٣.engine7", Build(1, 0)),
        ("", Build(1, 0)),
    ],
)
def test_a_build_is_known_by_the_name_of_its_software(software: str, build: Build) -> None:
    assert build_of(software) == build


# what is written is read as it was


@pytest.mark.parametrize("kind", STORED, ids=lambda kind: kind.__name__)
def test_any_value_comes_back_from_its_bytes(kind: type[Any]) -> None:
    decoder = msgspec.json.Decoder(kind)
    for value in made_up(kind, MADE_UP):
        content = encode(value)
        assert decoder.decode(content) == value
        assert is_canonical(content)


def test_made_up_values_have_most_commands_and_events() -> None:
    kinds = set[str]()
    for result in made_up(TableResult, 4 * MADE_UP):
        kinds |= {str(each.__struct_config__.tag) for each in (result.command, *result.events)}
    assert len(kinds) > 120


@pytest.mark.parametrize("kind", [TableSnapshot, Floor])
def test_a_snapshot_holds_any_state(kind: type[Any]) -> None:
    decoder = msgspec.json.Decoder(kind)
    for state in made_up(kind, MADE_UP // 4):
        assert decode_state(encode_state(state), decoder) == state
        assert decode_state(encode(state), decoder) is None


def test_rules_on_the_shelf_come_back_from_their_contents() -> None:
    for house in SHIPPED.houses:
        assert house_from(content_of_house(house)) == house
    for book in SHIPPED.rulebooks:
        assert document_from(content_of_rulebook(book)) == book.document


# an older form is held against itself


async def old_records(tmp_path: Path) -> tuple[MemoryStore, tuple[Record, ...]]:
    """A table of form 1 with its contents, and its records."""
    store, kept = MemoryStore(), SqliteStore(copied("form-1-c", tmp_path).journal, writing=False)
    made = await kept.read("evening")
    for digest in {digest for record in made for digest in (record.rulebook, record.house)}:
        await store.keep_content(digest, await kept.content(digest) or b"")
    await kept.close()
    return store, made


def _unknown_field(body: bytes) -> bytes:
    value = msgspec.json.decode(body)
    value["events"][0]["tip"] = 100
    return encode(value)


def _unsorted(body: bytes) -> bytes:
    return msgspec.json.encode(dict(reversed(msgspec.json.decode(body).items())))


NOTHING_SIGNED = (1, "finding.nothing-signed")  # records are written down here without a key
FORGERIES: dict[str, Callable[[bytes], bytes]] = {
    "a field that no form has": _unknown_field,
    "a space": lambda body: body.replace(b":", b": ", 1),
    "another order": _unsorted,
    "a key twice": lambda body: body.replace(b'{"command":', b'{"command":{},"command":', 1),
    "another spelling": lambda body: body.replace(b"draw-card", b"draw\\u002dcard", 1),
}


@pytest.mark.parametrize("what", FORGERIES)
async def test_a_record_of_an_older_form_is_held_against_that_form(what: str, tmp_path: Path) -> None:
    store, made = await old_records(tmp_path)
    drawn = next(each for each in made if each.kind == "draw-card")
    assert drawn.version == 1
    other = replace(drawn, body=FORGERIES[what](drawn.body))
    assert other.body != drawn.body
    await store.append(rechained(made, {drawn.sequence: other}))
    report = await verify(store, "evening")
    assert [(each.sequence, each.what.key) for each in report.findings] == [
        (drawn.sequence, "finding.not-canonical"),
        NOTHING_SIGNED,
    ]


async def test_an_envelope_is_held_against_its_form(tmp_path: Path) -> None:
    store, made = await old_records(tmp_path)
    envelope = made[5].envelope.replace(b":", b": ", 1)
    await store.append(rechained(made, {6: replace(made[5], envelope=envelope)}))
    report = await verify(store, "evening")
    assert [(each.sequence, each.what.key) for each in report.findings] == [
        (6, "finding.not-canonical"),
        NOTHING_SIGNED,
    ]


async def test_the_kind_of_an_older_record_is_the_one_it_was_written_under(tmp_path: Path) -> None:
    """A command that has another name today had this one then."""
    store, made = await old_records(tmp_path)
    drawn = next(each for each in made if each.kind == "draw-card")
    await store.append(rechained(made, {drawn.sequence: replace(drawn, kind="draw-cards")}))
    report = await verify(store, "evening")
    assert [each.what.key for each in report.findings] == ["finding.other-kind", NOTHING_SIGNED[1]]


def test_before_form_7_a_wager_left_its_round_when_its_chips_were_held() -> None:
    wager = {"id": 1, "patron": "Ann", "position": 1, "wager": "player", "stake": 100, "order": 1}
    events: list[dict[str, Any]] = [
        {"type": "money-held", "wager": wager},
        {"type": "held-money-decided", "wager": None, "settled": {"id": 1}},
        {"type": "wager-reduced"},
        {"type": "wager-found"},
        {"type": "round-settled", "wagers": [{"id": 2}]},
        {"type": "settlement-reversed", "wagers": [{"id": 2}]},
        {"type": "answer-taken-back", "wagers": [{"id": 3}]},
        {"type": "round-voided", "returned": [{"id": 3}], "reversed": [{"id": 2}]},
        {"type": "offer-opened", "offer": {"withdrawn": [{"wager": {"id": 4}}]}},
        {"type": "irregularity-reported", "case": {"offer": {"withdrawn": [{"wager": {"id": 5}}]}}},
        {"type": "irregularity-reported", "case": {"offer": None}},
        {"type": "round-ended"},
    ]
    body: dict[str, Any] = {"command": {"type": "rule"}, "events": events}
    from_form_6.table_body(body)
    held, decided, reduced, found, settled, undone, back, voided, offer, reported, *_ = body["events"]
    assert (held["in_play"], held["settled"], held["wager"]["held"]) == (False, None, 0)
    assert (decided["apart"], decided["settled"]["held"]) == (False, 0)
    assert reduced["held"] == found["held"] == 0
    assert [each["wagers"][0]["held"] for each in (settled, undone, back)] == [0, 0, 0]
    assert [voided[name][0]["held"] for name in ("returned", "reversed")] == [0, 0]
    assert offer["offer"]["withdrawn"][0]["wager"]["held"] == 0
    assert reported["case"]["offer"]["withdrawn"][0]["wager"]["held"] == 0
