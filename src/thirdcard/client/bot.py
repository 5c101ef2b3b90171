"""A bot that plays a terminal: sits down, buys credits, wagers at random, and cashes out at the end.

Where money is real, it waits for people: to enable the terminal, to open the session of its patron, to sell
credits, and to cash out what is left.
"""

import asyncio
import enum
import random
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from msgspec import Struct

from thirdcard.client.calls import Client
from thirdcard.client.errors import Trouble, WasRefused
from thirdcard.client.line import ClientSocket
from thirdcard.client.picture import Picture
from thirdcard.floor import commands as floor_cmd
from thirdcard.game import commands as cmd
from thirdcard.game.state import CardState, Phase
from thirdcard.money import Currency
from thirdcard.refusals import Refusal
from thirdcard.views.moments.in_round import RoundSettledMoment, RoundVoidedMoment
from thirdcard.views.sections.patron import OwnSection
from thirdcard.views.sections.public import WagerOffered
from thirdcard.views.sections.whole import View
from thirdcard.wire.answers import AcceptedAnswer, Me, MomentAt

READY_POLL_SECONDS = 0.5
MOST_MORE = 8  # a stake is the minimum and up to so many more units, or minimums where it is in chips


class StaffTask(enum.Enum):
    """The things that a bot waits for until people of the floor have done them."""

    ENABLE = "enable"
    OPEN_SESSION = "open-session"
    SELL = "sell"
    CASH_OUT = "cash-out"


class BotEnd(enum.Enum):
    """The reasons for which a bot stops playing."""

    ROUNDS_PLAYED = "rounds-played"
    CREDITS_USED_UP = "credits-used-up"


class NobodyCame(Trouble):
    """Nobody of the floor did in time what the bot waited for."""

    def __init__(self, task: StaffTask, terminal: str) -> None:
        super().__init__(task.value)
        self.task = task
        self.terminal = terminal


class BotPlan(Struct, frozen=True, kw_only=True):
    """How a bot plays: under which name, how many rounds, with how much, and by which dice."""

    patron: str
    rounds: int = 10
    buy_in: int = 1_000_000
    seed: int = 1
    wagers: int = 3  # a round at most
    in_chips: bool = False  # whether stakes are multiples of the minimum, as chips make them
    within: float = 600.0  # seconds for all of it but waiting for people
    staff_within: float = 600.0  # seconds in which people do what the bot waits for


class BotResult(Struct, kw_only=True):
    """The result of a bot; ``wagers`` were accepted, ``refused`` counts refused commands by their reason.

    ``bought`` and ``cashed_out`` are what the bot did itself; it had the credits ``began_with`` before its
    first wager and ``left_with`` after its last one, whoever sold and cashed them out. There is a
    ``currency`` where there are credits.
    """

    patron: str
    table: str
    rounds: int = 0
    wagers: int = 0
    staked: int = 0
    bought: int = 0
    cashed_out: int = 0
    began_with: int = 0
    left_with: int = 0
    currency: Currency | None = None
    ended: BotEnd = BotEnd.ROUNDS_PLAYED
    refused: dict[str, int] = {}


Told = Callable[[BotResult], None]
Waits = Callable[[StaffTask, str], None]


def random_stake(wager: WagerOffered, unit: int, dice: random.Random, *, in_chips: bool) -> int:
    """Return a stake within the limits: the minimum and some units, or minimums, more."""
    least = -(-wager.minimum // unit)
    step = least if in_chips else 1
    most = min(MOST_MORE, max(0, wager.maximum // unit - least) // step)
    return (least + dice.randint(0, most) * step) * unit


class Bot:
    """Plays one terminal that a client is."""

    def __init__(
        self, client: Client, plan: BotPlan, told: Told | None = None, waits: Waits | None = None
    ) -> None:
        self._client = client
        self._plan = plan
        self._told = told
        self._waits = waits
        self._dice = random.Random(plan.seed)
        self._line = ClientSocket(client)
        self._limit = asyncio.timeout(None)
        self._terminal = ""
        self._table = ""
        self._place: int | None = None
        self._trains = False  # a patron of a table for training moves credits without an attendant
        self._done = 0  # the sequence of the last command that was accepted
        self.played = BotResult(patron=plan.patron, table="", refused={})

    async def play(self) -> BotResult:
        """Play so many rounds, or as long as the credits last, and leave."""
        me = await self._ready()
        self._table, self._place, self._trains = me.table or "", me.position, me.training
        self.played.table, self.played.patron = self._table, me.patron or self._plan.patron
        self._limit = asyncio.timeout(self._plan.within)
        async with self._limit, self._line:
            picture = await self._line.watch(self._table, self._happened)
            await self._sit_down(picture)
            while self.played.rounds < self._plan.rounds and self.played.ended is BotEnd.ROUNDS_PLAYED:
                await self._turn(picture)
            await self._leave(picture, me.name)
        return self.played

    # coming and going

    async def _ready(self) -> Me:
        """Wait until the terminal is enabled and its patron has a session; what the server takes it for."""
        me = await self._client.me()
        self._terminal = me.name
        me = await self._until(lambda me: me.enabled, StaffTask.ENABLE, me)
        if me.training and me.patron is None:
            opened = floor_cmd.OpenPatronSession(terminal=me.name, patron=self._plan.patron)
            await self._client.floor_command(opened)
            return me
        return await self._until(lambda me: me.patron is not None, StaffTask.OPEN_SESSION, me)

    async def _until(self, holds: Callable[[Me], bool], task: StaffTask, me: Me) -> Me:
        """Wait until people have done what the terminal needs."""
        if holds(me):
            return me
        async with self._staff(task):
            while not holds(me):
                await asyncio.sleep(READY_POLL_SECONDS)
                me = await self._client.me()
        return me

    @asynccontextmanager
    async def _staff(self, task: StaffTask) -> AsyncIterator[None]:
        """Wait for people, in time of their own."""
        if self._waits is not None:
            self._waits(task, self._terminal)
        now, until = asyncio.get_running_loop().time, self._limit.when()
        begun = now()
        if until is not None:
            self._limit.reschedule(None)
        try:
            async with asyncio.timeout(self._plan.staff_within):
                yield
        except TimeoutError as error:
            raise NobodyCame(task, self._terminal) from error
        if until is not None:
            self._limit.reschedule(until + now() - begun)

    async def _sit_down(self, picture: Picture) -> None:
        await picture.until(lambda view: view.own is not None, self._plan.within)
        patron = self.played.patron
        if not _own(picture.view).here:
            await self._do(cmd.ComeToTable(patron=patron, position=self._place))
        await picture.until(lambda view: _own(view).here, self._plan.within)
        if picture.view.setup.terminal:
            await self._get_credits(picture)
            self.played.currency = picture.view.setup.currency
        self.played.began_with = _own(picture.view).credits or 0

    async def _get_credits(self, picture: Picture) -> None:
        """Buy credits, or where money is real wait until an attendant has sold enough for a wager."""
        if self._trains:
            await self._buy(picture)
        elif not _may_wager(picture.view):
            async with self._staff(StaffTask.SELL):
                while not _may_wager(picture.view):
                    await self._agree_or_wait(picture)

    async def _buy(self, picture: Picture) -> None:
        await self._do(cmd.BuyCredits(terminal=self.played.patron, amount=self._plan.buy_in))
        self.played.bought += self._plan.buy_in
        await self._see_own_commands(picture)

    async def _agree_or_wait(self, picture: Picture) -> None:
        """Confirm credits that people sell or cash out, or wait for something to change."""
        own = picture.view.own
        if own is not None and own.request is not None:
            await self._try(cmd.ConfirmCredits(id=own.request.id, agrees=True))
            await self._see_own_commands(picture)
        else:
            await picture.changes()

    async def _leave(self, picture: Picture, terminal: str) -> None:
        """Wait for the wagers that lie, take the credits, and go; people end the session of real money."""
        await self._see_own_commands(picture)
        while _own(picture.view).wagers or picture.view.phase.phase is Phase.DEALING:
            await self._turn(picture, wager=False)
        await self._cash_out(picture)
        patron = self.played.patron
        if _own(picture.view).here:
            await self._once_resumed(picture, cmd.LeaveTable(patron=patron))
        if self._trains:
            await self._client.floor_command(floor_cmd.ClosePatronSession(terminal=terminal))

    async def _cash_out(self, picture: Picture) -> None:
        """Cash the credits out, or where money is real wait until an attendant has done so."""
        patron, left = self.played.patron, _own(picture.view).credits or 0
        self.played.left_with = left
        if left and self._trains:
            await self._once_resumed(picture, cmd.CashOut(terminal=patron, amount=left))
            self.played.cashed_out += left
        elif left:
            async with self._staff(StaffTask.CASH_OUT):
                while _own(picture.view).credits:
                    await self._agree_or_wait(picture)

    def _happened(self, moment: MomentAt) -> None:
        """Rounds count in which a wager was settled or went back."""
        what = moment.what
        settled = isinstance(what, RoundSettledMoment) and what.settled
        if settled or (isinstance(what, RoundVoidedMoment) and what.returned):
            self.played.rounds += 1
            if self._told is not None:
                self._told(self.played)

    # playing

    async def _turn(self, picture: Picture, *, wager: bool = True) -> None:
        """Do what there is to do, then wait for something to change."""
        view = picture.view
        await self._handle_cards(view)
        own = _own(view)
        if own.request is not None:
            await self._try(cmd.ConfirmCredits(id=own.request.id, agrees=True))
        if own.offer is not None and not own.offer.answered:
            await self._try(cmd.AnswerOffer(patron=self.played.patron, withdraw=False))
        may_wager = view.phase.phase is Phase.BETTING and not view.phase.paused and view.phase.case is None
        if wager and may_wager and not own.wagers:
            if not _may_wager(view):
                if not self._trains:
                    self.played.ended = BotEnd.CREDITS_USED_UP
                    return
                await self._buy(picture)
                return
            await self._wager(view)
        if picture.view is view:
            await picture.changes()

    async def _handle_cards(self, view: View) -> None:
        """Look at a hand that lies here, and open it once its faces are to be seen."""
        for hand in _own(view).hands:
            if not hand.looked:
                await self._try(cmd.LookAtCards(hand=hand.hand, patron=self.played.patron))
            elif any(card.state is not CardState.EXPOSED for card in hand.cards):
                await self._try(cmd.ExposeCards(hand=hand.hand))

    async def _wager(self, view: View) -> None:
        """Place some wagers within the limits and the credits."""
        offered = self._dice.sample(view.setup.wagers, self._dice.randint(1, self._plan.wagers))
        left = _own(view).credits
        for wager in offered:
            amount = random_stake(wager, view.setup.unit, self._dice, in_chips=self._plan.in_chips)
            if left is not None and amount > left:
                continue
            body = cmd.PlaceWager(
                patron=self.played.patron, wager=wager.id, amount=amount, position=self._place
            )
            if await self._try(body) is not None:
                self.played.wagers += 1
                self.played.staked += amount
                left = None if left is None else left - amount
        if _own(view).may_request_squeeze:
            await self._try(cmd.RequestSqueeze(patron=self.played.patron))

    async def _do(self, body: cmd.Body) -> AcceptedAnswer:
        answer = await self._line.command(self._table, body)
        self._done = max(self._done, answer.sequence)
        return answer

    async def _see_own_commands(self, picture: Picture) -> None:
        """Wait until the view has everything that this bot did: an answer may come before its news."""
        await picture.reaches(self._done)

    async def _once_resumed(self, picture: Picture, body: cmd.Body) -> None:
        """Send a command, and again after a pause: a table may be paused at any time."""
        while True:
            try:
                await self._do(body)
            except WasRefused as refused:
                if refused.reason is not Refusal.TABLE_PAUSED:
                    raise
                await picture.until(lambda view: not view.phase.paused, self._plan.within)
            else:
                return

    async def _try(self, body: cmd.Body) -> AcceptedAnswer | None:
        """Send a command that may come too late, and count what is refused."""
        try:
            return await self._do(body)
        except WasRefused as refused:
            reason = refused.code
            self.played.refused[reason] = self.played.refused.get(reason, 0) + 1
            return None


async def play_terminal(
    url: str,
    plan: BotPlan,
    *,
    terminal: str | None = None,
    code: str | None = None,
    told: Told | None = None,
    waits: Waits | None = None,
) -> BotResult:
    """Play a terminal of the demonstration floor by its name, or one that was enrolled by its code."""
    async with Client(url) as client:
        await (client.seat(terminal) if terminal is not None else client.claim(code or ""))
        return await Bot(client, plan, told, waits).play()


def _may_wager(view: View) -> bool:
    """Whether the credits are enough for the lowest wager, where there are credits."""
    left = _own(view).credits
    return left is None or left >= min(each.minimum for each in view.setup.wagers)


def _own(view: View) -> OwnSection:
    assert view.own is not None
    return view.own
