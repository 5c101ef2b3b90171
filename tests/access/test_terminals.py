"""Terminals: enrolled with a code, known by a token, of no use until somebody enables them."""

import datetime

from access.signing import SETUP, lobby, why
from msgspec.structs import replace
from streams.openings import KEYS

from thirdcard.access.actors import AtTerminal
from thirdcard.access.terminals import LETTERS, Claimed, Enrolment, digest_of_code
from thirdcard.floor import commands as cmd
from thirdcard.floor.standing import COMMAND_LINE
from thirdcard.floor.state import TableDefinition
from thirdcard.refusals import Refusal, Refused


async def test_a_terminal_is_enrolled_enabled_and_used() -> None:
    async with lobby() as here:
        enrolment = await here.terminals.enrol("E1", table="T1", position=3, by="Max", second="Gil")
        assert isinstance(enrolment, Enrolment)
        assert len(enrolment.code) == 9
        assert set(enrolment.code) <= {*LETTERS, "-"}
        assert enrolment.ends - here.clock.now().moment == datetime.timedelta(minutes=10)
        claimed = await here.terminals.claim(enrolment.code.lower().replace("-", " "), address="10.0.0.7")
        assert isinstance(claimed, Claimed)
        assert claimed.terminal == "E1"
        known = AtTerminal(terminal="E1", table="T1", enabled=False, training=False, position=3)
        assert here.terminals.who(claimed.token) == known
        await here.do(cmd.EnableTerminal(terminal="E1"))
        await here.do(cmd.OpenPatronSession(terminal="E1", patron="Ann"), "Tom")
        assert here.terminals.who(claimed.token) == replace(known, enabled=True, patron="Ann")
        training = TableDefinition(setup=replace(SETUP, training=True))
        await here.do(cmd.DefineTables(file="f", digest="e", tables=(training,)))
        assert here.terminals.who(claimed.token) == replace(known, enabled=True, patron="Ann", training=True)


async def test_the_journal_has_neither_code_nor_token_and_a_digest_needs_the_key() -> None:
    async with lobby() as here:
        enrolment = await here.terminals.enrol("E1", table="T1", by="Max", second="Gil")
        assert isinstance(enrolment, Enrolment)
        claimed = await here.terminals.claim(enrolment.code, address="10.0.0.7")
        assert isinstance(claimed, Claimed)
        written = b"".join(each.body for each in await here.store.read("floor"))
        for secret in (enrolment.code, enrolment.code.replace("-", ""), claimed.token):
            assert secret.encode() not in written
        assert digest_of_code(KEYS, enrolment.code).encode() in written


async def test_a_code_is_good_once_and_for_ten_minutes() -> None:
    async with lobby() as here:
        late, early = [await here.terminals.enrol(name, table="T1", by=COMMAND_LINE) for name in ("E1", "E2")]
        assert isinstance(late, Enrolment)
        assert isinstance(early, Enrolment)
        here.clock.jump(599)
        assert isinstance(await here.terminals.claim(early.code, address="a"), Claimed)
        assert why(await here.terminals.claim(early.code, address="a")) is Refusal.WRONG_CODE
        here.clock.jump(1)
        assert why(await here.terminals.claim(late.code, address="a")) is Refusal.WRONG_CODE


async def test_a_terminal_that_is_enrolled_anew_is_known_by_its_new_token_alone() -> None:
    async with lobby() as here:
        tokens = []
        for _ in range(2):
            enrolment = await here.terminals.enrol("E1", table="T1", by="Max", second="Gil")
            assert isinstance(enrolment, Enrolment)
            claimed = await here.terminals.claim(enrolment.code, address="a")
            assert isinstance(claimed, Claimed)
            tokens.append(claimed.token)
        assert why(here.terminals.who(tokens[0])) is Refusal.NOT_SIGNED_IN
        assert not isinstance(here.terminals.who(tokens[1]), Refused)


async def test_codes_are_not_guessed_without_end() -> None:
    async with lobby() as here:
        enrolment = await here.terminals.enrol("E1", table="T1", by="Max", second="Gil")
        assert isinstance(enrolment, Enrolment)
        for _ in range(10):
            assert why(await here.terminals.claim("AAAA-AAAA", address="a")) is Refusal.WRONG_CODE
        assert why(await here.terminals.claim(enrolment.code, address="a")) is Refusal.TOO_MANY_REQUESTS
        assert isinstance(await here.terminals.claim(enrolment.code, address="b"), Claimed)


async def test_only_who_may_enrols_and_only_at_tables_that_are_there() -> None:
    async with lobby() as here:
        assert why(await here.terminals.enrol("E1", table="T1", by="Dana")) is Refusal.NOT_PERMITTED
        assert why(await here.terminals.enrol("E1", table="T1", by="Max")) is Refusal.SECOND_PERSON_NEEDED
        assert (
            why(await here.terminals.enrol("E1", table="T9", by="Max", second="Gil")) is Refusal.NO_SUCH_TABLE
        )
        assert (
            why(await here.terminals.enrol("Dana", table="T1", by="Max", second="Gil")) is Refusal.NAME_TAKEN
        )
        assert why(here.terminals.who("made up")) is Refusal.NOT_SIGNED_IN


async def test_a_terminal_has_a_position_that_its_table_has() -> None:
    """A patron at another one could buy credits, and place no wager."""
    async with lobby() as here:
        for position in (0, -1, 9):
            refused = await here.terminals.enrol("E1", table="T1", by=COMMAND_LINE, position=position)
            assert isinstance(refused, Refused)
            assert refused.reason is Refusal.UNKNOWN_POSITION
            assert dict(refused.params) == {"position": position, "most": 8}
        assert isinstance(
            await here.terminals.enrol("E1", table="T1", by=COMMAND_LINE, position=8), Enrolment
        )
