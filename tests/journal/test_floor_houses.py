"""Records of the floor name the houses that decided them, and are decided again by these."""

import pytest
from journal.journals import rechained
from msgspec.structs import replace
from streams.openings import serving

from thirdcard.auditor.findings import Finding
from thirdcard.auditor.replay import FloorStep, replay
from thirdcard.auditor.stored_rules import FLOOR_HOUSES_FORM
from thirdcard.auditor.verify import verify
from thirdcard.floor import commands as cmd
from thirdcard.floor.standing import COMMAND_LINE
from thirdcard.floor.state import Secret
from thirdcard.journal.codec import (
    content_of_house,
    content_of_house_list,
    digest_of_content,
)
from thirdcard.journal.memory import MemoryStore
from thirdcard.messages import say
from thirdcard.refusals import Refusal, Refused
from thirdcard.rulebook import shelf
from thirdcard.rulebook.house import House
from thirdcard.rulebook.read import house_of
from thirdcard.rulebook.shelf import SHIPPED
from thirdcard.staff import Post

FLOOR = "floor"
FACTOR = Secret("key", b"secret")


def stricter(house: House) -> House:
    """A house in which only the highest post manages anything."""
    highest = house.form.posts[-1]
    return house_of(replace(house.form, facts_confirmed_by=highest, not_covered_decided_by=highest))


def change_shelf(monkeypatch: pytest.MonkeyPatch) -> tuple[House, ...]:
    """Put stricter houses on the shelf."""
    changed = {house.id: stricter(house) for house in SHIPPED.houses}
    monkeypatch.setattr(shelf, "_shipped_house", changed.__getitem__)
    return SHIPPED.houses


async def disable(store: MemoryStore, command_id: str) -> Refusal | None:
    """Have the pit manager disable the floor; why that is refused, or nothing."""
    async with serving(store) as service:
        answer = await service.floor.send(cmd.Disable(reason="night"), actor="Max", command_id=command_id)
        return answer.reason if isinstance(answer, Refused) else None


async def floor_of_a_pit_manager() -> MemoryStore:
    """A floor whose pit manager has disabled it."""
    store, post = MemoryStore(), Post("pit-manager")
    person = cmd.AddPerson(name="Max", posts=(post,), password="hash", second_factor=FACTOR)
    async with serving(store) as service:
        added = await service.floor.send(person, actor=COMMAND_LINE, command_id="add")
        assert not isinstance(added, Refused)
    assert await disable(store, "disable") is None
    return store


async def findings(store: MemoryStore) -> list[str]:
    """Everything that replaying the floor finds wrong, in words."""
    found: list[str] = []
    async for step in replay(store, FLOOR):
        whats = (step.what,) if isinstance(step, Finding) else (*step.verdict.wrong, *step.verdict.odd)
        found += [say(what) for what in whats]
    return found


async def rewritten(store: MemoryStore, *, version: int, house: str) -> MemoryStore:
    """The floor as records of another form that name other houses, chained anew."""
    other, made = MemoryStore(), await store.read(FLOOR)
    await other.append(
        rechained(made, {each.sequence: replace(each, version=version, house=house) for each in made})
    )
    return other


async def test_a_record_of_the_floor_names_its_houses() -> None:
    store = await floor_of_a_pit_manager()
    contents = [content_of_house(house) for house in SHIPPED.houses]
    listed = tuple(digest_of_content(content) for content in contents)
    for record in await store.read(FLOOR):
        assert record.rulebook == ""
        assert await store.content(record.house) == content_of_house_list(listed)
    assert [await store.content(digest) for digest in listed] == contents


async def test_a_changed_house_does_not_change_decisions_of_the_floor(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    store = await floor_of_a_pit_manager()
    change_shelf(monkeypatch)
    assert await findings(store) == []
    assert (await verify(store, FLOOR)).findings == ()


async def test_each_record_is_decided_again_by_its_own_houses(monkeypatch: pytest.MonkeyPatch) -> None:
    store = await floor_of_a_pit_manager()
    with monkeypatch.context() as for_a_while:
        change_shelf(for_a_while)
        assert await disable(store, "too-late") is Refusal.NOT_PERMITTED
    assert await disable(store, "once-more") is None
    records = await store.read(FLOOR)
    assert len({record.house for record in records}) == 2
    assert await findings(store) == []


async def test_an_older_record_goes_by_the_houses_of_the_package(monkeypatch: pytest.MonkeyPatch) -> None:
    store = await rewritten(await floor_of_a_pit_manager(), version=FLOOR_HOUSES_FORM - 1, house="")
    assert await findings(store) == []
    change_shelf(monkeypatch)
    (found,) = await findings(store)
    assert "not-permitted" in found


async def test_a_record_without_houses_is_found() -> None:
    store = await rewritten(await floor_of_a_pit_manager(), version=FLOOR_HOUSES_FORM, house="")
    (found,) = await findings(store)
    assert found.startswith("Record 1 names neither a rulebook nor houses")


async def test_houses_that_are_not_stored_are_found() -> None:
    store = await floor_of_a_pit_manager()
    absent = digest_of_content(b"absent")
    house_list = content_of_house_list((absent,))
    other = await rewritten(store, version=FLOOR_HOUSES_FORM, house=digest_of_content(house_list))
    await other.keep_content(digest_of_content(house_list), house_list)
    (found,) = await findings(other)
    assert found.startswith(f"The content {absent} is not stored")


async def test_a_list_that_is_none_is_found() -> None:
    store = await floor_of_a_pit_manager()
    other = await rewritten(store, version=FLOOR_HOUSES_FORM, house=digest_of_content(b"{}"))
    await other.keep_content(digest_of_content(b"{}"), b"{}")
    (found,) = await findings(other)
    assert "cannot be read as a rulebook, a house or a list of houses" in found


async def test_a_step_of_the_floor_has_the_floor_after_it() -> None:
    steps = [step async for step in replay(await floor_of_a_pit_manager(), FLOOR)]
    assert [isinstance(step, FloorStep) and len(step.state.disabled) for step in steps] == [0, 1]
