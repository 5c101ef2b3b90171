"""Messages that wait for a socket are sent or dropped when the socket ends."""

from thirdcard.server.hub import Mailbox


async def test_a_client_still_gets_what_waits_when_the_server_goes() -> None:
    mailbox = Mailbox()
    mailbox.put("settled")
    mailbox.put("next round")
    mailbox.close(drop=False)
    assert not mailbox.put("too late")
    assert [await mailbox.take() for _ in range(3)] == ["settled", "next round", None]


async def test_nothing_more_goes_to_a_client_that_must_leave() -> None:
    mailbox = Mailbox()
    mailbox.put("news")
    mailbox.close()
    assert await mailbox.take() is None


async def test_a_client_that_reads_too_slowly_is_given_up() -> None:
    mailbox = Mailbox(most=1)
    assert mailbox.put("first")
    assert not mailbox.put("second")
    assert await mailbox.take() is None
