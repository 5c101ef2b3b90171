"""Everything that the server sends to each kind of client, and what each may know, from the journal."""

import asyncio
from collections.abc import Iterator
from typing import Any

import httpx
import msgspec
from limits import LONG_ENOUGH
from msgspec import Struct
from server.served import Served
from websockets.asyncio.client import connect

from thirdcard.client.calls import Client
from thirdcard.game import events as ev
from thirdcard.game.apply import fold
from thirdcard.game.state import CardState, DealtCard, Table
from thirdcard.journal.codec import table_result_of
from thirdcard.journal.record import Record
from thirdcard.journal.store import records
from thirdcard.streams.opening import open_store
from thirdcard.wire.paths import API

EVERY = 0.1  # real seconds between two rounds of questions: others have something to do as well
BEHIND = {"desk", "wagers", "people", "disputes", "balances", "alerts"}
# balances are so many, and nothing else that goes out is: not limits, nor times in microseconds
LEAST_BALANCE, MOST_BALANCE = 5 * 10**8, 10**14


class Heard(Struct):
    """Something that came from the server: who asked, at which address or socket, and what came.

    ``by`` is the last record of its table soon after it had come, where it does not say so itself.
    """

    who: str
    where: str
    what: Any
    by: int = 0


class Ear:
    """One kind of client, with a socket that watches everything, and questions over HTTP."""

    def __init__(self, who: str, client: Client, tables: tuple[str, ...], paths: tuple[str, ...]) -> None:
        self.who = who
        self.heard: list[Heard] = []
        self._client = client
        self._tables = tables
        self._paths = paths
        self._tasks: list[asyncio.Task[None]] = []
        self._begun = 0  # rounds of questions
        self._ended = asyncio.Condition()

    def start(self) -> None:
        self._tasks = [asyncio.create_task(self._listen()), asyncio.create_task(self._ask())]

    async def stop(self) -> None:
        for task in self._tasks:
            task.cancel()
        for outcome in await asyncio.gather(*self._tasks, return_exceptions=True):
            if isinstance(outcome, Exception):
                raise outcome

    async def asks_everything(self) -> None:
        """Wait until every question was asked and answered once more."""
        next_one = self._begun + 1
        async with self._ended:
            await self._ended.wait_for(lambda: self._begun > next_one)

    def _hear(self, where: str, content: bytes | str, by: int = 0) -> None:
        self.heard.append(Heard(self.who, where, msgspec.json.decode(content), by))

    async def _listen(self) -> None:
        address = f"ws{self._client.address.removeprefix('http')}{API}/socket"
        async with connect(address, additional_headers=self._client.headers, max_size=None) as socket:
            await socket.send('{"type":"watch-lobby"}')
            for table in self._tables:
                await socket.send(msgspec.json.encode({"type": "watch", "table": table}).decode())
            async for text in socket:
                self._hear("socket", text)

    async def _ask(self) -> None:
        async with httpx.AsyncClient(timeout=LONG_ENOUGH, trust_env=False) as http:
            while True:
                self._begun += 1
                async with self._ended:
                    self._ended.notify_all()
                for path in self._paths:
                    content = await self._answer(http, path)
                    self._hear(path, content, await self._by(http, path))
                await asyncio.sleep(EVERY)

    async def _answer(self, http: httpx.AsyncClient, path: str) -> bytes:
        response = await http.get(f"{self._client.address}{API}{path}", headers=self._client.headers)
        assert response.status_code in (200, 403, 404, 409), (path, response.text)
        return response.content

    async def _by(self, http: httpx.AsyncClient, path: str) -> int:
        """The last record of a table after its records or a round were told."""
        if "/audit/" not in path and "/rounds/" not in path:
            return 0
        shown = msgspec.json.decode(await self._answer(http, f"/tables/{path.split('/')[2]}"))
        return int(shown["sequence"])


class Truth:
    """Every table as it was after each of its records, from the journal alone."""

    def __init__(self) -> None:
        self.records: dict[str, list[Record]] = {}
        self.events: dict[str, list[tuple[ev.Event, ...]]] = {}
        self.states: dict[str, list[Table | None]] = {}

    @classmethod
    async def read(cls, served: Served, tables: tuple[str, ...]) -> "Truth":
        truth = cls()
        store = await open_store(served.place, writing=False)
        try:
            for table in tables:
                state: Table | None = None
                truth.records[table], truth.events[table], truth.states[table] = [], [], []
                async for record in records(store, table):
                    events = table_result_of(record).events
                    for event in events:
                        state = fold(state, event)
                    truth.records[table].append(record)
                    truth.events[table].append(events)
                    truth.states[table].append(state)
        finally:
            await store.close()
        return truth

    def at(self, table: str, sequence: int) -> Table:
        """A table after a record."""
        state = self.states[table][sequence - 1]
        assert state is not None
        return state

    def happened(self, table: str, sequence: int, kind: str) -> list[ev.Event]:
        """The events of a kind in a record."""
        return [each for each in self.events[table][sequence - 1] if str(each.__struct_config__.tag) == kind]


# looking through what came


def walk(value: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Everything in a value, with the names that lead to it."""
    yield path, value
    if isinstance(value, dict):
        for name, each in value.items():
            yield from walk(each, (*path, name))
    elif isinstance(value, list):
        for each in value:
            yield from walk(each, path)


def faces_in(value: Any) -> list[Any]:
    """Every face of a card in a value."""
    return [each for _, each in walk(value) if isinstance(each, dict) and "rank" in each]


def face_of(dealt: DealtCard) -> Any:
    """The face of a card as it goes out."""
    return msgspec.json.decode(msgspec.json.encode(dealt.card))


def _json(value: object) -> Any:
    return msgspec.json.decode(msgspec.json.encode(value))


class Rules:
    """The things that one client may know."""

    def __init__(
        self,
        truth: Truth,
        *,
        names: set[str],
        staff: bool = False,
        patron: str | None = None,
        table: str | None = None,
        bought: int = 0,
    ) -> None:
        self.truth = truth
        self.bought = bought
        self.patron = patron
        self.table = table
        self.staff = staff
        self.others = names - {patron}
        self.holder_saw = 0  # faces that the holder of a hand saw before the table did

    def check(self, heard: Heard) -> None:
        """Hold something that came against what may be known."""
        what = heard.what
        self._names(what)
        self._money(what)
        self._shoe(what)
        if isinstance(what, dict) and what.get("type") == "refused":
            assert faces_in(what) == [], what
        elif isinstance(what, dict) and "sections" in what:
            self._sections(what["table"], what["sequence"], what["sections"])
            self._moments(what["table"], what["moments"])
        elif isinstance(what, dict) and "view" in what:
            self._sections(what["table"], what["sequence"], what["view"])
        elif "/messages" in heard.where:
            self._moments(heard.where.split("/")[2], what["moments"])
        elif heard.where.endswith("/history"):
            self._history(what)
        else:
            assert faces_in(what) == [], (heard.where, what)

    def _names(self, what: Any) -> None:
        """No name of anybody else, unless for staff."""
        if self.staff:
            return
        for path, each in walk(what):
            assert each not in self.others if isinstance(each, str) else True, (path, each)
            assert not self.others & set(each) if isinstance(each, dict) else True, path

    def _money(self, what: Any) -> None:
        """No balance of anybody else, unless for staff."""
        for path, each in walk(what):
            if not self.staff and isinstance(each, int) and LEAST_BALANCE < each < MOST_BALANCE:
                assert abs(each - self.bought) < LEAST_BALANCE, (path, each)

    def _shoe(self, what: Any) -> None:
        """Never what is left, which cards came, or in which order they will."""
        for path, each in walk(what):
            if isinstance(each, dict):
                assert not {"left", "drawn", "places", "discards", "last_shoe", "secret"} & set(each), path
                assert not isinstance(each.get("order"), list), path

    def _sections(self, table: str, sequence: int, sections: dict[str, Any]) -> None:
        state = self.truth.at(table, sequence)
        assert self.staff or not BEHIND & {name for name, each in sections.items() if each is not None}
        for name, section in sections.items():
            if section is None:
                continue
            if name == "cards":
                self._cards(state, section)
            elif name == "outcome":
                open_ = all(each.state is CardState.EXPOSED for each in _lying(state))
                assert section["facts"] is None or open_, section
            elif name == "own":
                self._own(table, state, section)
            else:
                assert faces_in(section) == [], (name, section)

    def _cards(self, state: Table, section: dict[str, Any]) -> None:
        lying = _lying(state)
        assert len(section["cards"]) == len(lying)
        for shown, dealt in zip(section["cards"], lying, strict=True):
            known = face_of(dealt) if dealt.state is CardState.EXPOSED else None
            assert shown["card"] == known, (shown, dealt)
        for hand in ("player", "banker"):
            own = [each.state for each in lying if each.hand.value == hand]
            whole = bool(own) and set(own) == {CardState.EXPOSED}
            assert section[hand] is None or whole, (hand, section)

    def _own(self, table: str, state: Table, section: dict[str, Any]) -> None:
        assert table == self.table
        assert section["patron"] == self.patron
        current = state.round
        for hand in section["hands"]:
            assert current is not None
            holding = [each for each in current.holdings if each.hand.value == hand["hand"]]
            assert [each.patron for each in holding] == [self.patron]
            looked = holding[0] in current.looked
            lying = [each for each in current.cards if each.hand.value == hand["hand"]]
            for shown, dealt in zip(hand["cards"], lying, strict=True):
                seen = looked and dealt.state is CardState.SEEN
                may = seen or dealt.state is CardState.EXPOSED
                assert shown["card"] == (face_of(dealt) if may else None), (shown, dealt)
                self.holder_saw += seen
        rest = {name: each for name, each in section.items() if name != "hands"}
        assert faces_in(rest) == [], rest

    def _moments(self, table: str, moments: list[Any]) -> None:
        for moment in moments:
            faces = faces_in(moment["what"])
            if faces:
                told = self.truth.happened(table, moment["sequence"], moment["what"]["kind"])
                assert all(face in _opened_by(told) for face in faces), moment

    def _history(self, what: Any) -> None:
        for told in what["rounds"]:
            for card in told["cards"]:
                assert card["card"] is None or card["state"] == "exposed", card
            rest = {name: each for name, each in told.items() if name != "cards"}
            assert faces_in(rest) == [], rest


def _lying(state: Table) -> tuple[DealtCard, ...]:
    return state.round.cards if state.round else ()


def _opened_by(events: list[ev.Event]) -> list[Any]:
    """The faces that events lay open."""
    found: list[Any] = []
    for event in events:
        match event:
            case ev.CardDrawn(state=CardState.EXPOSED):
                found.append(_json(event.card))
            case ev.CardsExposed():
                found += _json(event.cards)
            case ev.CardsReconstructed() | ev.CardsSubstituted():
                found += [_json(each.card) for each in event.cards if each.state is CardState.EXPOSED]
            case _:
                pass
    return found


def check_records(truth: Truth, heard: Heard) -> int:
    """Records that were read tell no face that was not open when they had come; how many told some."""
    table = heard.where.split("/")[2]
    state = truth.at(table, heard.by)
    current = state.round
    hidden = any(each.state is not CardState.EXPOSED for each in _lying(state))
    under_way = current.number if current is not None and not current.ended and hidden else None
    kept = _kept(truth, table, heard.by) if state.strays or state.reserved else None
    told = 0
    for line in heard.what.get("records", ()):
        faces = faces_in([line["command"], line["events"]])
        assert not faces or under_way is None or _round_of(truth, table, line["sequence"]) != under_way, line
        assert line["sequence"] != kept, line
        told += bool(faces)
    return told


def check_stories(truth: Truth, heard: Heard) -> int:
    """A round is told when all of its cards may be known; how many were."""
    if heard.what.get("type") == "refused":
        return 0
    table = heard.where.split("/")[2]
    state = truth.at(table, heard.by)
    assert not state.strays, heard.where
    assert not state.reserved, heard.where
    return 1


def _kept(truth: Truth, table: str, by: int) -> int:
    """The record by which cards were kept for later."""
    return next(
        record.sequence
        for record, events in reversed([*zip(truth.records[table], truth.events[table], strict=True)])
        if record.sequence <= by
        and any(isinstance(each, ev.StrayCardsKept | ev.CardsReserved) for each in events)
    )


def _round_of(truth: Truth, table: str, sequence: int) -> int | None:
    state = truth.states[table][sequence - 1]
    return state.round.number if state and state.round else None
