"""Everything that the handlers of a server need, opened and closed together, and who is asking."""

import asyncio
import contextlib
import hmac
from collections.abc import Coroutine
from functools import partial

from thirdcard import __version__
from thirdcard.access.accounts import SECRET_PREFIX, AccountDesk
from thirdcard.access.actors import Actor, AtTerminal, ByAccount, Staff, Stranger
from thirdcard.access.credentials import Cost, CredentialKeeper
from thirdcard.access.directory import Directory
from thirdcard.access.people import People
from thirdcard.access.sign_in import SessionLimits, SignInDesk
from thirdcard.access.terminals import TerminalDesk
from thirdcard.access.webhooks import WebhookDesk
from thirdcard.clockwork.demo import Demo
from thirdcard.clockwork.readers import Readers
from thirdcard.clockwork.tables import Clockwork
from thirdcard.floor.state import Office, Scope
from thirdcard.folds.viewers import AUDITOR, DISPLAY, STAFF_VIEWER, Viewer, patron_viewer
from thirdcard.journal.sqlite.backup import backed_up_at
from thirdcard.journal.store import StoreFailed
from thirdcard.refusals import Refused
from thirdcard.server.back_office import BackOffice
from thirdcard.server.clock_watch import ClockWatch
from thirdcard.server.exercise_room import ExerciseRoom
from thirdcard.server.hub import Hub
from thirdcard.server.metrics import FloorFigures, Metrics
from thirdcard.server.open_calls import OpenCalls
from thirdcard.server.record_checks import RecordChecks
from thirdcard.server.reporting import WitnessReporter
from thirdcard.server.security import ShownTokens, is_local
from thirdcard.server.training_room import TrainingFiles, TrainingRoom
from thirdcard.server.webhooks import Deliveries
from thirdcard.streams.alone import AloneCredits
from thirdcard.streams.opening import OpenedPlace, OpenFloor
from thirdcard.training.results import USUAL_RECORD
from thirdcard.views.public_sections import MICROSECONDS_PER_SECOND
from thirdcard.wire.answers import Me
from thirdcard.wire.exercises import TrainedGamesAnswer
from thirdcard.wire.paths import Holder
from thirdcard.wire.training import DrillsAnswer

END_OLD_EVERY = 60.0  # seconds
ONLY_WATCH = {Office.SURVEILLANCE.value, Office.AUDITOR.value}


class ServerContext:
    """A floor that is open to the network."""

    def __init__(
        self,
        where: OpenedPlace,
        floor: OpenFloor,
        *,
        cost: Cost = Cost(),  # noqa: B008 - frozen
        patience: SessionLimits = SessionLimits(),  # noqa: B008 - frozen
        witness: str | None = None,
        monitor: str | None = None,
        training: TrainingFiles = TrainingFiles(),  # noqa: B008 - frozen
    ) -> None:
        self.where = where
        self.floor = floor
        self.demo: Demo | None = None
        self.alone = AloneCredits(floor.service)
        self.credentials = CredentialKeeper(floor.keys, cost)
        stream = floor.service.floor
        self.houses = floor.service.houses
        self.desk = SignInDesk(stream, self.credentials, self.houses, floor.clock, patience)
        self.terminals = TerminalDesk(stream, floor.keys, floor.clock)
        self.accounts = AccountDesk(stream, floor.clock)
        self.people = People(stream, self.credentials, self.houses)
        self.directory = Directory(stream)
        self.hub = Hub(floor)
        self.metrics = Metrics(self.hub.figures, self._figures)
        self._monitor = monitor
        self.back_office = BackOffice(where, floor.store)
        self.readers = Readers(floor.service, floor.clock)
        self.clockwork = Clockwork(floor.service, floor.keys, floor.clock)
        self.witness = WitnessReporter(witness, floor) if witness else None
        self.checks = RecordChecks(floor, self.back_office, self.witness)
        self.training = TrainingRoom(floor.clock)
        self.exercises = ExerciseRoom(floor.clock)
        self.packs = training.packs
        self.training_record = training.record or where.data.resolve().parent / USUAL_RECORD
        self.recording = asyncio.Lock()  # one result after another
        self.listing = asyncio.Lock()  # drills and games are listed once, whoever asks meanwhile
        self.drills: dict[str, DrillsAnswer] | None = None
        self.trained_games: TrainedGamesAnswer | None = None
        self.webhooks = WebhookDesk(stream, floor.keys, floor.store)
        self.deliveries = Deliveries(stream, self.hub, self.webhooks, floor.clock)
        self.calls = OpenCalls(partial(self.who, active=False), self.houses, stream, floor.clock)
        self.ready = False
        self._chores: list[asyncio.Task[None]] = []

    async def open(self) -> None:
        """Begin to serve: every table is loaded, and the clockwork goes."""
        with contextlib.suppress(StoreFailed):
            await self.accounts.begin(self.floor.store)
        await self.hub.load()
        self.hub.start()
        await self.clockwork.start()
        self.chore(self._end_old_sessions())
        self.chore(self.calls.run())
        self.chore(ClockWatch(self.floor.clock, self.floor.service.floor, self.metrics).run())
        self.deliveries.start()
        if self.witness is not None:
            self.witness.start()
        self.ready = True

    def _figures(self) -> FloorFigures:
        """The figures of the floor beside its tables; what was never done has no time."""
        state, backup = self.checks.state, backed_up_at(self.where.data)
        done = {"record_check": state.checked_at, "record_mark": state.marked_at}
        times = {name: at / MICROSECONDS_PER_SECOND for name, at in done.items() if at is not None}
        return FloorFigures(self.readers.connected, times | ({"backup": backup} if backup else {}))

    def chore(self, work: Coroutine[None, None, None]) -> None:
        """Have something done again and again until the end."""
        self._chores.append(asyncio.create_task(work))

    async def close(self) -> None:
        """Serve no more."""
        self.ready = False
        for chore in self._chores:
            chore.cancel()
        await asyncio.gather(*self._chores, return_exceptions=True)
        await self.readers.stop()
        await self.deliveries.stop()
        await self.clockwork.stop()
        await self.hub.stop()
        if self.witness is not None:
            await self.witness.stop()
        await self.back_office.close()
        self.credentials.close()

    async def _end_old_sessions(self) -> None:
        while True:
            await self.floor.clock.sleep(END_OLD_EVERY)
            with contextlib.suppress(StoreFailed):
                await self.desk.end_old()
                await self.accounts.end_expired()

    # who is asking

    def who(self, shown: ShownTokens, *, active: bool = True) -> Actor | Refused:
        """Return the sender of a request, by the tokens that it shows.

        A token that is good no more is a refusal; no token at all is a stranger. At the demonstration floor
        strangers are guests, unless they say that they are somebody. The secret of a service account counts
        in the header of a program alone.
        """
        if shown.bearer.startswith(SECRET_PREFIX):
            return self.accounts.who(shown.bearer)
        if self._monitor is not None and any(
            hmac.compare_digest(token, self._monitor) for _, token in shown.tokens if token.isascii()
        ):
            return Stranger(monitor=True)
        refused: Refused | None = None
        for holder, token in shown.tokens:
            staff = holder is Holder.STAFF
            found = self.desk.who(token, active=active) if staff else self.terminals.who(token)
            if not isinstance(found, Refused):
                return found
            refused = refused or found
        if self.demo is not None and not shown.named:
            return Stranger(local=is_local(shown.scope), guest=True)
        return refused or Stranger(local=is_local(shown.scope))

    async def who_by_now(self, shown: ShownTokens, *, active: bool = True) -> Actor | Refused:
        """Return the sender of a request, also where another server has let them in this moment."""
        found = self.who(shown, active=active)
        if not isinstance(found, Refused) or self.where.postgres is None:
            return found
        with contextlib.suppress(StoreFailed):
            await self.floor.service.floor.load()
        return self.who(shown, active=active)

    def me(self, actor: Staff | AtTerminal | ByAccount | Stranger) -> Me:
        """Return what an actor is told of themselves."""
        now, demo = self.floor.clock.now().wall_time, self.demo is not None
        if isinstance(actor, ByAccount):
            return Me(
                kind="account",
                name=actor.account,
                scopes=actor.scopes,
                demo=demo,
                now=now,
                version=__version__,
            )
        if isinstance(actor, Stranger):
            return Me(kind="guest", name="", demo=demo, now=now, version=__version__)
        if isinstance(actor, Staff):
            person = self.directory.person(actor.name)
            return Me(
                kind="staff",
                name=actor.name,
                posts=actor.posts,
                demo=demo,
                failures=person.failures if person else 0,
                now=now,
                version=__version__,
            )
        return Me(
            kind="terminal",
            name=actor.terminal,
            table=actor.table,
            position=actor.position,
            patron=actor.patron,
            enabled=actor.enabled,
            training=actor.training,
            demo=demo,
            now=now,
            version=__version__,
        )


def viewer_of(actor: Actor, table: str) -> Viewer:
    """As what somebody looks at a table: nobody sees more than their place there gives them."""
    match actor:
        case Staff():
            return AUDITOR if set(actor.posts) <= ONLY_WATCH else STAFF_VIEWER
        case ByAccount() if Scope.RECORDS in actor.scopes:
            return AUDITOR
        case AtTerminal(patron=str(patron)) if actor.table == table and actor.enabled:
            return patron_viewer(patron)
        case _:
            return DISPLAY
