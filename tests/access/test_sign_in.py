"""Signing in: who is right is let in, who is not is counted, and whoever guesses learns nothing."""

import asyncio
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from statistics import median

import pytest
from access.signing import CHEAP, STAFF, lobby, password_of, why
from moved_clock import MovedClock
from msgspec.structs import replace
from streams.openings import KEYS

from thirdcard.access.actors import Staff
from thirdcard.access.attempts import Buckets
from thirdcard.access.credentials import PASSWORD_CHECKS_AT_ONCE, Cost, CredentialKeeper, weak
from thirdcard.access.people import Made, Two
from thirdcard.access.sign_in import MOST_WAITING, OpenedSession, SessionLimits
from thirdcard.floor import commands as cmd
from thirdcard.floor.standing import COMMAND_LINE
from thirdcard.floor.state import ADDRESSES_KEPT, Person
from thirdcard.journal.keys import KeyRing, new_keys
from thirdcard.journal.record import Record
from thirdcard.journal.store import Appended, Conflict, KnownCommand, StoreFailed
from thirdcard.refusals import Refusal, Refused, refuse
from thirdcard.staff import Post
from thirdcard.streams.ahead import Accepted


async def test_everybody_who_is_right_is_let_in_and_known_by_their_token() -> None:
    async with lobby() as here:
        for name, post in STAFF.items():
            entered = await here.enter(name)
            assert entered.staff == Staff(name, (Post(post),), "C1", entered.staff.session)
            assert here.desk.who(entered.token) == entered.staff
        assert len({each.id for each in here.sessions()}) == len(STAFF)


async def test_the_journal_has_neither_token_nor_password_nor_second_factor() -> None:
    async with lobby() as here:
        entered = await here.enter("Max")
        await here.desk.sign_in(here.attempt("Max", password="some other password"))
        await here.desk.sign_in(here.attempt("not a name but a password"))
        written = b"".join(each.body + each.envelope for each in await here.store.read("floor"))
        for secret in (entered.token, password_of("Max"), here.secrets["Max"], "some other", "not a name"):
            assert secret.encode() not in written
        assert b"argon2" not in written


@pytest.mark.parametrize(
    ("name", "password", "code"),
    [
        ("Max", "wrong password", None),
        ("Max", None, "000000"),
        ("Max", None, ""),
        ("Max", "", ""),
        ("Max", "x" * 5000, None),
        ("Max", "\udcff\x00", None),
        ("Max", None, "١٢٣٤٥٦"),
        ("max", None, None),
        ("Nobody", "wrong password", None),
        ("", "", ""),
        ("command line", "wrong password", None),
        ("server", "wrong password", None),
    ],
)
async def test_whatever_is_wrong_the_answer_is_the_same(name: str, password: str, code: str) -> None:
    async with lobby() as here:
        answer = await here.desk.sign_in(here.attempt(name, password, code))
        assert answer == Refused(Refusal.SIGN_IN_FAILED)
        (failed,) = await here.failures()
        assert failed.name == (name if name in STAFF else "")
        assert here.sessions() == []


async def test_a_locked_person_gets_the_same_answer_with_the_right_password() -> None:
    async with lobby() as here:
        await here.do(cmd.LockPerson(name="Sue", reason="left"))
        assert await here.desk.sign_in(here.attempt("Sue")) == Refused(Refusal.SIGN_IN_FAILED)
        assert await here.desk.sign_in(here.attempt("Sue", "wrong")) == Refused(Refusal.SIGN_IN_FAILED)


async def test_failures_lock_nobody_and_end_no_session() -> None:
    async with lobby() as here:
        inside = await here.enter("Sue")
        await here.desk.sign_in(here.attempt("Sue", "wrong", address="10.0.0.1"))
        await here.desk.approve(here.attempt("Sue", "wrong", address="10.0.0.2"), besides="Dana")
        await here.desk.sign_in_again(inside.token, here.attempt("Sue", "wrong", address="10.0.0.3"))
        person = here.floor.person("Sue")
        assert person is not None
        assert (person.locked, person.failures) == (None, 3)
        assert isinstance(here.desk.who(inside.token), Staff)
        again = await here.enter("Sue")
        assert again.failures == 3  # the person is told
        assert (await here.enter("Sue")).failures == 0


async def test_a_name_waits_at_an_address_after_three_failures_and_not_elsewhere() -> None:
    async with lobby() as here:
        for _ in range(3):
            wrong = here.attempt("Sue", "wrong", address="10.0.0.2")
            assert why(await here.desk.sign_in(wrong)) is Refusal.SIGN_IN_FAILED
        refused = await here.desk.sign_in(here.attempt("Sue", address="10.0.0.2"))
        assert refused == refuse(Refusal.TOO_MANY_REQUESTS, seconds=60)
        await here.enter("Sue")
        here.clock.jump(59)
        refused = await here.desk.sign_in(here.attempt("Sue", address="10.0.0.2"))
        assert why(refused) is Refusal.TOO_MANY_REQUESTS
        here.clock.jump(1)
        assert isinstance(await here.desk.sign_in(here.attempt("Sue", address="10.0.0.2")), OpenedSession)


async def test_guesses_from_many_addresses_delay_a_name_only_where_it_never_signed_in() -> None:
    async with lobby() as here:
        await here.desk.sign_in(here.attempt("Sue", address="10.0.0.7"))
        wrong = [here.attempt("Sue", f"guess {at}", address=f"10.0.1.{at}") for at in range(25)]
        answers = await asyncio.gather(*(here.desk.sign_in(each) for each in wrong))
        counted = Counter(why(each) for each in answers)
        assert counted == {Refusal.SIGN_IN_FAILED: 20, Refusal.TOO_MANY_REQUESTS: 5}
        new = await here.desk.sign_in(here.attempt("Sue", address="10.0.2.1"))
        assert new == refuse(Refusal.TOO_MANY_REQUESTS, seconds=30)
        assert isinstance(await here.desk.sign_in(here.attempt("Sue", address="10.0.0.7")), OpenedSession)
        here.clock.jump(30)
        assert isinstance(await here.desk.sign_in(here.attempt("Sue", address="10.0.2.1")), OpenedSession)


async def test_somebody_is_known_at_an_address_after_a_restart() -> None:
    """Guesses under a name from elsewhere keep nobody out where they signed in or approved before."""
    async with lobby() as here:
        await here.desk.sign_in(here.attempt("Sue", address="10.0.0.7"))
        await here.desk.approve(here.attempt("Sue", address="10.0.0.8"), besides="Dana")
        restarted = here.another_desk()
        for at in range(25):
            await restarted.sign_in(here.attempt("Sue", f"guess {at}", address=f"10.0.1.{at}"))
        new = await restarted.sign_in(here.attempt("Sue", address="10.0.2.1"))
        assert why(new) is Refusal.TOO_MANY_REQUESTS
        for address in ("10.0.0.7", "10.0.0.8"):
            assert isinstance(await restarted.sign_in(here.attempt("Sue", address=address)), OpenedSession)


async def test_a_person_is_known_at_the_addresses_that_were_used_last() -> None:
    async with lobby() as here:
        used = [f"10.0.0.{number}" for number in range(ADDRESSES_KEPT + 2)]
        for address in (*used, used[3]):
            assert isinstance(await here.desk.sign_in(here.attempt("Sue", address=address)), OpenedSession)
        person = here.floor.person("Sue")
        assert person is not None
        assert person.addresses == (*used[2:3], *used[4:], used[3])


async def test_an_attempt_that_has_to_wait_counts_nowhere_else() -> None:
    async with lobby() as here:
        for _ in range(30):
            await here.desk.sign_in(here.attempt("Sue", "wrong", address="10.0.0.2"))
        assert isinstance(await here.desk.sign_in(here.attempt("Sue", address="10.0.0.3")), OpenedSession)
        assert isinstance(await here.desk.sign_in(here.attempt("Dana", address="10.0.0.2")), OpenedSession)


@pytest.mark.parametrize(
    "password",
    [
        "aaaaaaaaaa",
        "1234567890",
        "password123",
        "qwertyuiop",
        "abcabcabcabc",
        "baccarat2026",
        "baccaratbaccarat",
    ],
)
async def test_a_common_or_repeated_password_is_refused(password: str) -> None:
    async with lobby() as here:
        made = await here.people.add("New", (Post("dealer"),), password, by=COMMAND_LINE)
        assert why(made) is Refusal.PASSWORD_TOO_WEAK


async def test_an_address_that_fails_too_often_waits_and_others_do_not() -> None:
    async with lobby() as here:
        for number in range(10):
            await here.desk.sign_in(here.attempt(f"Nobody {number}", "wrong"))
        refused = await here.desk.sign_in(here.attempt("Dana"))
        assert why(refused) is Refusal.TOO_MANY_REQUESTS
        assert isinstance(refused, Refused)
        assert dict(refused.params)["seconds"] == 20
        await here.desk.sign_in(here.attempt("Dana", address="10.0.0.2"))
        here.clock.jump(20)
        await here.enter("Dana")


async def test_who_is_right_may_sign_in_as_often_as_they_like() -> None:
    async with lobby() as here:
        for _ in range(30):
            await here.enter("Dana")


async def test_more_guesses_than_there_are_places_to_wait_are_turned_away() -> None:
    async with lobby() as here:
        here.credentials.waiting = MOST_WAITING
        assert why(await here.desk.sign_in(here.attempt("Dana"))) is Refusal.TOO_MANY_REQUESTS


async def test_checking_a_password_does_not_hold_up_anything_else() -> None:
    credentials = CredentialKeeper(KEYS, Cost(passes=4, memory=65_536, lanes=1))
    checking, turns = asyncio.create_task(credentials.is_right(None, "guess")), 0
    while not checking.done():
        await asyncio.sleep(0)
        turns += 1
    credentials.close()
    assert turns > 100  # of the loop: one that had to wait for the check would come to a few


async def test_unknown_names_take_about_as_long_as_known_ones() -> None:
    """By the work of this process, which other programs do not change."""
    async with lobby(cost=Cost(passes=1, memory=4096, lanes=1)) as here:

        async def seconds(name: str, at: int) -> float:
            begun = time.process_time()
            assert why(await here.desk.sign_in(here.attempt(name, "guess", address=f"{name} {at}"))) is (
                Refusal.SIGN_IN_FAILED
            )
            return time.process_time() - begun

        pairs = [(await seconds("Dana", at), await seconds("Nobody", at)) for at in range(20)]
    known, unknown = (median(side) for side in zip(*pairs, strict=True))
    assert 0.4 < known / unknown < 2.5


@contextmanager
def busy(credentials: CredentialKeeper) -> Iterator[None]:
    """Keep every thread that checks passwords waiting."""
    done = threading.Event()
    for _ in range(PASSWORD_CHECKS_AT_ONCE):
        credentials._threads.submit(done.wait)
    try:
        yield
    finally:
        done.set()


async def test_a_store_in_trouble_lets_nobody_in_and_counts_nothing() -> None:
    async with lobby() as here:
        append = here.store.append

        async def fails(
            records: tuple[Record, ...], signer: KeyRing | None = None
        ) -> Appended | Conflict | KnownCommand:
            raise StoreFailed("the disk is full")

        here.store.append = fails  # type: ignore[method-assign]
        for password in (None, "wrong"):
            answer = await here.desk.sign_in(here.attempt("Dana", password))
            assert why(answer) is Refusal.TABLE_STOPPED
        here.store.append = append  # type: ignore[method-assign]
        here.clock.jump(2)
        await here.enter("Dana")
        assert await here.failures() == []


async def test_a_console_is_recorded_with_no_more_than_a_name() -> None:
    async with lobby() as here:
        await here.desk.sign_in(replace(here.attempt("Dana"), console="x" * 10_000))
        assert here.sessions()[0].console == "x" * 64


# second factors


@pytest.mark.parametrize(("steps", "good"), [(-2, False), (-1, True), (0, True), (1, True), (2, False)])
async def test_a_code_is_good_in_its_own_half_minute_and_its_neighbours(steps: int, good: bool) -> None:
    async with lobby() as here:
        answer = await here.desk.sign_in(here.attempt("Max", code=here.code("Max", steps)))
        assert isinstance(answer, Refused) is not good


async def test_a_code_is_good_once_at_any_desk_and_for_anything() -> None:
    async with lobby() as here:
        inside = await here.enter("Max")
        again = here.attempt("Max")
        for answer in (
            await here.desk.sign_in(again),
            await here.another_desk().approve(again, besides="Dana"),
        ):
            assert why(answer) is Refusal.SIGN_IN_FAILED
        here.clock.jump(30)
        assert not isinstance(await here.desk.approve(here.attempt("Max"), besides="Dana"), Refused)
        here.clock.jump(30)
        assert not isinstance(await here.desk.sign_in_again(inside.token, here.attempt("Max")), Refused)


async def test_codes_may_be_typed_with_a_space_and_need_their_own_secret() -> None:
    async with lobby() as here:
        code = here.code("Max")
        assert why(await here.desk.sign_in(here.attempt("Gil", code=code))) is Refusal.SIGN_IN_FAILED
        spaced = here.attempt("Max", code=f"{code[:3]} {code[3:]}")
        assert not isinstance(await here.desk.sign_in(spaced), Refused)


async def test_what_is_kept_for_one_person_is_of_no_use_for_another() -> None:
    credentials = CredentialKeeper(KEYS, CHEAP)
    kept, factor = await credentials.keep("Dana", "open sesame"), credentials.new_factor("Dana")
    thief = Person(name="Thief", posts=(), password=kept, second_factor=factor.kept)
    assert not await credentials.is_right(thief, "open sesame")
    for password in ("", "no colon", f"{KEYS.key_id}:!!", f"{KEYS.key_id}:AAAA"):
        broken = Person(name="Dana", posts=(), password=password)
        assert not await credentials.is_right(broken, "open sesame")
    other = CredentialKeeper(KeyRing((new_keys(),)), CHEAP)
    assert not await other.is_right(Person(name="Dana", posts=(), password=kept), "open sesame")
    credentials.close()
    other.close()


def test_second_factor_is_named_as_releases_of_pyotp_from_2_12_on_want_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """They take the name by its keyword alone: a wheel that was installed anew could add no Pit Manager."""

    def by_keyword(_: object, *, name: str | None = None, issuer_name: str | None = None) -> str:
        return f"otpauth://totp/{issuer_name}:{name}"

    monkeypatch.setattr("pyotp.TOTP.provisioning_uri", by_keyword)
    assert CredentialKeeper(KEYS, CHEAP).new_factor("Max").uri == "otpauth://totp/thirdcard:Max"


def test_a_second_factor_is_shown_as_text_and_as_an_address() -> None:
    factor = CredentialKeeper(KEYS, CHEAP).new_factor("Max Müller")
    assert len(factor.text) == 32
    assert factor.uri.startswith("otpauth://totp/thirdcard:Max%20M%C3%BCller?secret=")
    assert factor.text in factor.uri


# sessions


async def test_a_dealer_is_asked_again_after_five_minutes_and_others_after_thirty() -> None:
    async with lobby() as here:
        dealer, manager = await here.enter("Dana"), await here.enter("Max")
        here.clock.jump(299)
        assert not isinstance(here.desk.who(dealer.token), Refused)
        here.clock.jump(300)
        assert why(here.desk.who(dealer.token)) is Refusal.SESSION_IDLE
        assert why(here.desk.who(dealer.token)) is Refusal.SESSION_IDLE  # asking does not wake it
        here.clock.jump(1200)
        assert not isinstance(here.desk.who(manager.token, active=False), Refused)
        here.clock.jump(1)
        assert why(here.desk.who(manager.token)) is Refusal.SESSION_IDLE
        assert {each.person: each.idle for each in here.desk.sessions(manager.staff)} == {
            "Dana": True,
            "Max": True,
        }
        assert await here.desk.sign_in_again(dealer.token, here.attempt("Dana")) == dealer.staff
        assert here.desk.who(dealer.token) == dealer.staff


async def test_nobody_else_goes_on_with_a_session() -> None:
    async with lobby() as here:
        dealer = await here.enter("Dana")
        here.clock.jump(400)
        answer = await here.desk.sign_in_again(dealer.token, here.attempt("Max"))
        assert why(answer) is Refusal.NOT_SIGNED_IN
        assert why(await here.desk.sign_in_again("made up", here.attempt("Dana"))) is Refusal.NOT_SIGNED_IN
        wrong = await here.desk.sign_in_again(dealer.token, here.attempt("Dana", "wrong"))
        assert why(wrong) is Refusal.SIGN_IN_FAILED
        assert why(here.desk.who(dealer.token)) is Refusal.SESSION_IDLE


async def test_a_session_that_is_ended_while_a_password_is_checked_does_not_come_back() -> None:
    async with lobby() as here:
        dealer = await here.enter("Dana")
        assert dealer.staff.session is not None
        with busy(here.credentials):
            again = asyncio.create_task(here.desk.sign_in_again(dealer.token, here.attempt("Dana")))
            await asyncio.sleep(0)
            await here.do(cmd.EndSession(session=dealer.staff.session, reason="shift is over"))
        assert why(await again) is Refusal.NOT_SIGNED_IN


async def test_after_a_restart_only_young_sessions_are_awake() -> None:
    async with lobby() as here:
        old = await here.enter("Dana")
        here.clock.jump(299)
        assert not isinstance(here.desk.who(old.token), Refused)
        here.clock.jump(2)
        young = await here.enter("Dana")
        desk = here.another_desk()
        assert why(desk.who(old.token)) is Refusal.SESSION_IDLE
        assert not isinstance(desk.who(young.token), Refused)


DAY = 24 * 3600.0


async def test_a_clock_that_is_put_forward_ends_no_session() -> None:
    async with lobby() as here:
        dealer = await here.enter("Dana")
        here.clock.step_wall(DAY)
        assert not isinstance(here.desk.who(dealer.token), Refused)
        assert await here.desk.end_old() == 0


async def test_a_session_of_a_clock_that_was_ahead_lasts_no_longer() -> None:
    async with lobby() as here:
        here.clock.step_wall(DAY)
        dealer = await here.enter("Dana")
        here.clock.step_wall(-DAY)
        here.clock.jump(12 * 3600)
        assert why(here.desk.who(dealer.token)) is Refusal.NOT_SIGNED_IN
        assert await here.desk.end_old() == 1


async def test_a_session_from_the_future_counts_from_the_restart() -> None:
    async with lobby() as here:
        here.clock.step_wall(DAY)
        dealer = await here.enter("Dana")
        here.clock.step_wall(-DAY)
        desk = here.another_desk()
        assert not isinstance(desk.who(dealer.token), Refused)
        here.clock.jump(12 * 3600)
        assert why(desk.who(dealer.token)) is Refusal.NOT_SIGNED_IN


async def test_times_are_set_by_post_and_the_shortest_counts() -> None:
    patience = SessionLimits(idle_by_post=(("dealer", 60), ("attendant", 10)), idle=100, most=150)
    assert patience.idle_for(("dealer", "attendant", "auditor")) == 10
    assert patience.idle_for(("auditor",)) == 100
    assert patience.idle_for(()) == 100
    async with lobby(patience) as here:
        manager = await here.enter("Max")
        here.clock.jump(99)
        assert not isinstance(here.desk.who(manager.token), Refused)
        here.clock.jump(50)
        assert not isinstance(here.desk.who(manager.token), Refused)
        here.clock.jump(1)
        assert why(here.desk.who(manager.token)) is Refusal.NOT_SIGNED_IN  # its whole time is over
        assert why(await here.desk.sign_in_again(manager.token, here.attempt("Max"))) is Refusal.NOT_SIGNED_IN
        young = await here.enter("Dana")
        assert await here.desk.end_old() == 1
        assert [each.id for each in here.sessions()] == [young.staff.session]
        assert await here.desk.end_old() == 0


async def test_sessions_are_listed_and_ended() -> None:
    async with lobby() as here:
        dealer, attendant, manager = [await here.enter(name) for name in ("Dana", "Tom", "Max")]
        assert [each.person for each in here.desk.sessions(dealer.staff)] == ["Dana"]
        assert [each.person for each in here.desk.sessions(manager.staff)] == ["Dana", "Tom", "Max"]
        listed = here.desk.sessions(dealer.staff)[0]
        assert (listed.console, listed.opened_at) == ("C1", here.clock.now().moment)
        others = here.desk.sessions(manager.staff)[1].id
        assert why(await here.desk.end(others, by=dealer.staff, reason="x")) is Refusal.NOT_PERMITTED
        assert isinstance(await here.desk.end(others, by=manager.staff, reason="left"), Accepted)
        assert why(here.desk.who(attendant.token)) is Refusal.NOT_SIGNED_IN
        assert isinstance(await here.desk.sign_out(dealer.token), Accepted)
        assert why(await here.desk.sign_out(dealer.token)) is Refusal.NOT_SIGNED_IN
        assert why(here.desk.who(dealer.token)) is Refusal.NOT_SIGNED_IN


async def test_another_post_counts_at_once() -> None:
    async with lobby() as here:
        dealer = await here.enter("Dana")
        await here.do(cmd.ChangePosts(name="Dana", posts=(Post("pit-supervisor"),)))
        who = here.desk.who(dealer.token)
        assert isinstance(who, Staff)
        assert who.posts == ("pit-supervisor",)


# a second person, and passwords


async def test_a_second_person_approves_at_the_same_console_and_is_not_signed_in() -> None:
    async with lobby() as here:
        dealer = await here.enter("Dana")
        approved = await here.desk.approve(here.attempt("Max"), besides="Dana")
        assert approved == Staff("Max", (Post("pit-manager"),), "C1")
        assert [each.person for each in here.sessions()] == ["Dana"]
        assert not isinstance(here.desk.who(dealer.token), Refused)
        oneself = await here.desk.approve(here.attempt("Dana"), besides="Dana")
        assert why(oneself) is Refusal.SECOND_PERSON_NEEDED


async def test_a_password_is_changed_by_who_knows_the_old_one_and_ends_their_sessions() -> None:
    async with lobby() as here:
        dealer = await here.enter("Dana")
        wrong = await here.desk.change_password(here.attempt("Dana", "wrong"), "another password")
        assert why(wrong) is Refusal.SIGN_IN_FAILED
        short = await here.desk.change_password(here.attempt("Dana"), "short")
        assert why(short) is Refusal.PASSWORD_TOO_WEAK
        changed = await here.desk.change_password(here.attempt("Dana"), "another password")
        assert isinstance(changed, Accepted)
        assert why(here.desk.who(dealer.token)) is Refusal.NOT_SIGNED_IN
        assert why(await here.desk.sign_in(here.attempt("Dana"))) is Refusal.SIGN_IN_FAILED
        again = await here.desk.sign_in(here.attempt("Dana", "another password"))
        assert not isinstance(again, Refused)


async def test_a_password_that_changes_while_it_is_checked_is_checked_for_nothing() -> None:
    async with lobby() as here:
        with busy(here.credentials):
            checking = asyncio.create_task(here.desk.sign_in(here.attempt("Dana")))
            await asyncio.sleep(0)
            await here.do(cmd.ChangePassword(name="Dana", password="another"))
        assert why(await checking) is Refusal.SIGN_IN_FAILED


async def test_people_are_given_passwords_and_factors_by_two_others() -> None:
    two = Two("Gil", "Max")
    async with lobby() as here:
        made = await here.people.change_password("Dana", "a new password", by=two)
        assert made == Made()
        assert not isinstance(await here.desk.sign_in(here.attempt("Dana", "a new password")), Refused)
        assert why(await here.people.change_password("Dana", "short", by=two)) is Refusal.PASSWORD_TOO_WEAK
        refused = await here.people.change_password("Dana", "a new password", by=Two("Max", "Gil"))
        assert why(refused) is Refusal.NOT_PERMITTED
        alone = await here.people.change_password("Dana", "a new password", by="Gil")
        assert why(alone) is Refusal.SECOND_PERSON_NEEDED
        assert why(await here.people.renew_factor("Max", by=two)) is Refusal.SECOND_PERSON_NEEDED
        renewed = await here.people.renew_factor("Max", by=COMMAND_LINE)
        assert isinstance(renewed, Made)
        assert why(await here.desk.sign_in(here.attempt("Max"))) is Refusal.SIGN_IN_FAILED
        assert renewed.factor is not None
        here.secrets["Max"] = renewed.factor.text
        await here.enter("Max")
        weakly = await here.people.add("New", (Post("dealer"),), "newcomer's own", by=two)
        assert why(weakly) is Refusal.PASSWORD_TOO_WEAK
        wished = await here.people.add("Kim", (Post("dealer"),), "a new password", by=two, factor=True)
        assert isinstance(wished, Made)
        assert wished.factor is not None


STRONG = "correct horse battery staple"


@pytest.mark.parametrize(
    ("password", "good"),
    [
        ("Kx9#mQ2!v", False),
        ("Kx9#mQ2!vb", True),
        (STRONG + "x" * (128 - len(STRONG)), True),
        (STRONG + "x" * (129 - len(STRONG)), False),
        ("my DANA password", False),
    ],
)
def test_what_a_password_must_be(password: str, good: bool) -> None:
    assert (weak("Dana", password) is None) is good


# buckets


def test_a_bucket_empties_refills_and_is_forgotten_last_in_use() -> None:
    clock = MovedClock()
    buckets = Buckets(clock, burst=2, every=3.0, most=2)
    assert [buckets.take("a") for _ in range(3)] == [None, None, 3]
    clock.jump(1.5)
    assert buckets.take("a") == 2
    clock.jump(1.5)
    assert buckets.take("a") is None
    buckets.give_back("a")
    assert buckets.take("a") is None
    assert buckets.take("b") is None
    assert buckets.take("c") is None  # a is forgotten
    assert [buckets.take("a") for _ in range(3)] == [None, None, 3]
    clock.jump(3600)
    assert [buckets.take("a") for _ in range(3)] == [None, None, 3]
