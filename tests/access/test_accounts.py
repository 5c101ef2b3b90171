"""Service accounts at the desk: the secret is known once, and time ends them whatever clocks are set to."""

from access.signing import lobby, why
from moved_clock import NOON, MovedClock

from thirdcard.access.accounts import EXPIRED, SECRET_PREFIX, AccountDesk, MadeAccount
from thirdcard.access.actors import ByAccount
from thirdcard.access.directory import digest_of_token
from thirdcard.access.people import Two
from thirdcard.floor import commands as cmd
from thirdcard.floor.standing import COMMAND_LINE
from thirdcard.floor.state import Floor, Scope
from thirdcard.journal.memory import MemoryStore
from thirdcard.refusals import Refusal
from thirdcard.streams.service import Service

DAY = 24 * 3600.0
GIL_AND_MAX = Two("Gil", "Max")


async def made(desk: AccountDesk, name: str = "Cage", days: int = 30) -> MadeAccount:
    """An account that two people make."""
    answer = await desk.add(name, (Scope.CREDITS,), days, by=GIL_AND_MAX)
    assert isinstance(answer, MadeAccount), answer
    return answer


async def test_a_secret_is_known_by_its_digest_alone() -> None:
    async with lobby() as at:
        desk = AccountDesk(at.service.floor, at.clock)
        cage = await made(desk)
        assert cage.secret.startswith(SECRET_PREFIX)
        assert cage.account.token == digest_of_token(cage.secret)
        assert desk.who(cage.secret) == ByAccount("Cage", (Scope.CREDITS,))
        assert why(desk.who(SECRET_PREFIX + "another")) is Refusal.NOT_SIGNED_IN
        everything = b"".join([each.body + each.envelope for each in await at.store.read("floor")])
        assert cage.secret.encode() not in everything
        assert digest_of_token(cage.secret).encode() in everything


async def test_an_account_takes_two_people() -> None:
    async with lobby() as at:
        desk = AccountDesk(at.service.floor, at.clock)
        alone = await desk.add("Cage", (Scope.CREDITS,), 1, by="Gil")
        assert why(alone) is Refusal.SECOND_PERSON_NEEDED
        assert isinstance(await desk.add("Cage", (Scope.CREDITS,), 1, by=COMMAND_LINE), MadeAccount)


async def test_a_revoked_account_is_over_at_once() -> None:
    async with lobby() as at:
        desk = AccountDesk(at.service.floor, at.clock)
        cage = await made(desk)
        await at.do(cmd.RevokeAccount(name="Cage", reason="lost"), "Max")
        assert why(desk.who(cage.secret)) is Refusal.ACCOUNT_ENDED


async def test_an_account_ends_when_its_days_are_over() -> None:
    async with lobby() as at:
        desk = AccountDesk(at.service.floor, at.clock)
        cage, other = await made(desk, days=2), await made(desk, "Other", days=3)
        at.clock.jump(2 * DAY - 1)
        assert isinstance(desk.who(cage.secret), ByAccount)
        assert await desk.end_expired() == 0
        at.clock.jump(1)
        assert why(desk.who(cage.secret)) is Refusal.ACCOUNT_ENDED
        assert isinstance(desk.who(other.secret), ByAccount)
        assert await desk.end_expired() == 1
        assert [each.ended for each in at.floor.accounts] == [EXPIRED, None]
        assert await desk.end_expired() == 0


async def test_setting_the_clock_moves_no_end_while_the_server_runs() -> None:
    async with lobby() as at:
        desk = AccountDesk(at.service.floor, at.clock)
        cage = await made(desk, days=2)
        at.clock.step_wall(10 * DAY)
        assert isinstance(desk.who(cage.secret), ByAccount)
        at.clock.step_wall(-20 * DAY)
        at.clock.jump(2 * DAY)
        assert why(desk.who(cage.secret)) is Refusal.ACCOUNT_ENDED


async def test_a_clock_that_was_set_back_brings_no_account_back() -> None:
    """Once its end is recorded it is over, and before that the last record says that time has gone by."""
    async with lobby() as at:
        desk = AccountDesk(at.service.floor, at.clock)
        cage, other = await made(desk, days=2), await made(desk, "Other", days=10)
        at.clock.jump(9 * DAY)
        assert await desk.end_expired() == 1
        at.clock.step_wall(-9 * DAY)
        later = AccountDesk(at.service.floor, at.clock)  # as after a restart
        await later.begin(at.store)
        assert why(later.who(cage.secret)) is Refusal.ACCOUNT_ENDED
        assert isinstance(later.who(other.secret), ByAccount)
        at.clock.jump(1 * DAY)
        assert why(later.who(other.secret)) is Refusal.ACCOUNT_ENDED


async def test_a_clock_from_before_an_account_was_made_gives_it_no_more_than_its_days() -> None:
    async with lobby() as at:
        cage = await made(AccountDesk(at.service.floor, at.clock), days=2)
        at.clock.step_wall(-100 * DAY)
        later = AccountDesk(at.service.floor, at.clock)
        assert isinstance(later.who(cage.secret), ByAccount)
        at.clock.jump(2 * DAY)
        assert why(later.who(cage.secret)) is Refusal.ACCOUNT_ENDED


async def test_a_floor_without_records_has_no_account() -> None:
    store = MemoryStore()
    clock = MovedClock(wall=NOON)
    async with lobby() as at:
        desk = AccountDesk(at.service.floor, clock)
        await desk.begin(store)
        assert why(desk.who(SECRET_PREFIX)) is Refusal.NOT_SIGNED_IN
        assert (at.service.floor.state or Floor()).accounts == ()
        assert isinstance(at.service, Service)
