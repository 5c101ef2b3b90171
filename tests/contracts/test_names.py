"""A name that no store could keep is refused before it comes to one, and stops no table."""

from contracts.stores import Opening
from streams.openings import Guide, serving

from thirdcard.game import commands as cmd
from thirdcard.messages import say
from thirdcard.refusals import Refusal, Refused
from thirdcard.streams.ahead import Accepted
from thirdcard.streams.stream import LONGEST_ID

UNFIT = (
    "",
    " ",
    "a\x00b",
    "\x00",
    "a\nb",
    "a\tb",
    "a\x1b[31m",
    "a\x7f",
    "a\u200e",
    "a\ud800",
    " a",
    "a ",
    "a" * 201,
)
FIT = ("a", "Ng Thị Ánh", "a b", "☃", "a" * LONGEST_ID, "☃" * LONGEST_ID)


async def test_ids_and_names_that_cannot_be_kept_are_refused(opening: Opening) -> None:
    """NUL, other control characters, half a character, blanks at the ends, nothing at all, and too much."""
    async with opening() as store, serving(store) as service:
        stream = service.table("T1")
        guide = Guide(stream)
        await guide.open("mbs-tiger-v3")
        before = await store.head("T1")
        for name in UNFIT:
            for command_id, actor, authoriser in (
                (name, "Dealer", None),
                ("c", name, None),
                ("c", "Dealer", name),
            ):
                answer = await stream.send(
                    cmd.OpenBetting(), actor=actor, command_id=command_id, authoriser=authoriser
                )
                assert isinstance(answer, Refused)
                assert answer.reason is Refusal.UNFIT_NAME
                assert say(answer.message).isprintable()
            elsewhere = await service.table(name).send(cmd.OpenBetting(), actor="Dealer", command_id="c")
            assert isinstance(elsewhere, Refused)
            assert elsewhere.reason is Refusal.UNFIT_NAME
        assert stream.stopped is None
        assert await store.head("T1") == before
        assert await store.streams() == ("T1",)


async def test_ids_and_names_of_any_writing_are_kept(opening: Opening) -> None:
    async with opening() as store:
        async with serving(store) as service:
            stream = service.table("T1")
            await Guide(stream).open("mbs-tiger-v3")
            for name in FIT:
                body = cmd.ComeToTable(patron=name, position=None, seated=False)
                assert isinstance(await stream.send(body, actor=name, command_id=name), Accepted)
        for name in FIT:
            found = await store.find(name)
            assert found is not None
            assert found.command_id == name


async def test_text_that_cannot_be_seen_is_kept_where_it_is_no_name(opening: Opening) -> None:
    async with opening() as store, serving(store) as service:
        guide = Guide(service.table("T1"))
        await guide.open("mbs-tiger-v3")
        await guide.do(cmd.PauseTable(reason="a\x00b\nc"))
        assert guide.table.pause_reason == "a\x00b\nc"
