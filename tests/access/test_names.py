"""Names that look the same: whoever comes later gets another one."""

from access.signing import lobby, why

from thirdcard.access.accounts import AccountDesk
from thirdcard.access.names import refuse_look
from thirdcard.access.terminals import Enrolment
from thirdcard.floor import commands as cmd
from thirdcard.floor.standing import COMMAND_LINE
from thirdcard.floor.state import Scope
from thirdcard.refusals import Refusal
from thirdcard.staff import Post

PASSWORD = "violet tram pickle quarry"


async def test_nobody_gets_a_name_that_looks_like_one_of_the_floor() -> None:
    async with lobby() as here:
        alike = "D\u0430na"  # the dealer is Dana
        posts = (Post("pit-supervisor"),)
        assert why(await here.people.add(alike, posts, PASSWORD, by=COMMAND_LINE)) is Refusal.NAME_TAKEN
        assert why(await here.terminals.enrol("Т1", table="T1", by=COMMAND_LINE)) is Refusal.NAME_TAKEN
        accounts = AccountDesk(here.service.floor, here.clock)
        assert why(await accounts.add(alike, (Scope.CREDITS,), 1, by=COMMAND_LINE)) is Refusal.NAME_TAKEN
        expected = await here.terminals.enrol("E1", table="T1", by=COMMAND_LINE)
        assert isinstance(expected, Enrolment)
        await here.terminals.claim(expected.code, address="")
        await here.do(cmd.EnableTerminal(terminal="E1"))
        await here.do(cmd.OpenPatronSession(terminal="E1", patron="Ann"), "Tom")
        floor = here.service.floor.state
        assert floor is not None
        assert refuse_look(floor, "\u0410nn") is not None
        assert refuse_look(floor, "Ben") is None
        assert refuse_look(floor, "B\u0435n", "Ben") is not None
        assert refuse_look(floor, "Ann") is None  # whether it is taken is for the floor to say


async def test_a_name_shows_something_and_nothing_else() -> None:
    """A name that begins with @ is told as a word of ours: a person could be called Auditor."""
    async with lobby() as here:
        for name in ("\u3164", "\u115f\u1160", "\u2800", "--", "@post.auditor"):
            assert (
                why(await here.people.add(name, (Post("dealer"),), PASSWORD, by=COMMAND_LINE))
                is Refusal.NAME_TAKEN
            )
