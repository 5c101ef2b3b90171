"""``thirdcard accept-restore`` and ``accept-shelf``: two people accept what keeps tables closed."""

import getpass
import sys

from thirdcard.access.credentials import CredentialKeeper
from thirdcard.access.sign_in import Attempt, SignInDesk
from thirdcard.auditor.verify import Against, streams_of, verify
from thirdcard.cli.arguments import Flag
from thirdcard.cli.floors import USUAL_FLOOR, FloorPlace, run
from thirdcard.cli.output import NEGATIVE_ANSWER, BadInput, complain
from thirdcard.floor.standing import COMMAND_LINE
from thirdcard.messages import say
from thirdcard.refusals import Refused
from thirdcard.rulebook.words import text
from thirdcard.server.reporting import WitnessUnreachable, ask_witness
from thirdcard.streams.opening import OpenFloor, accept_floor, open_floor


def accept_restore(
    *,
    by: str,
    second: str,
    reason: str,
    credentials_stdin: Flag = False,
    witness: str | None = None,
    where: FloorPlace = USUAL_FLOOR,
) -> int:
    """Accept a journal that is behind its mark, after a backup was restored; two people give up what is lost.

    The journal must be whole as far as it goes. What is missing is said, then the password and the code of
    both people are asked for. It is recorded with both names, and tables open at the next start. Stop the
    server first.

    Parameters
    ----------
    by
        Who accepts: somebody of the highest posts.
    second
        The second person: a manager or higher.
    reason
        Why records are lost; it is recorded.
    credentials_stdin
        Take a password and a code for each of the two from four lines of standard input instead of asking.
    witness
        The address of the witness, whose marks are compared too.
    """
    try:
        witnessed = ask_witness(witness) if witness else ()
    except WitnessUnreachable as error:
        raise BadInput(str(error)) from error

    async def work() -> int:
        opened = open_floor(where.place, tables=False, accepting=True, witnessed=witnessed)
        async with opened as floor:
            if not set(floor.service.closed) - set(floor.service.unaccepted):
                raise BadInput(text("restore.nothing-missing"))
            await _require_whole(floor)
            for each in floor.service.closed:
                print(say(each))
            refused = await _require_both(floor, (by, second), from_input=credentials_stdin)
            answer = refused or await accept_floor(where.place, floor, reason, by=by, second=second)
            return _told(answer, text("restore.accepted", by=by, second=second))

    return run(where.place, work)


def accept_shelf(
    *, by: str, second: str, credentials_stdin: Flag = False, where: FloorPlace = USUAL_FLOOR
) -> int:
    """Accept rulebooks and houses of one's own that are new, changed or gone; two people do it.

    They are said first, then the password and the code of both people are asked for. Posts count as they did
    before. It is recorded with both names and the digest of each file, and tables open at the next start.
    Stop the server first.

    Parameters
    ----------
    by
        Who accepts: somebody of the highest posts.
    second
        The second person: a manager or higher.
    credentials_stdin
        Take a password and a code for each of the two from four lines of standard input instead of asking.
    """

    async def work() -> int:
        async with open_floor(where.place, tables=False, accepting=True) as floor:
            if not floor.service.unaccepted:
                raise BadInput(text("restore.shelf-accepted"))
            for each in floor.service.unaccepted:
                print(say(each))
            refused = await _require_both(floor, (by, second), from_input=credentials_stdin)
            answer = refused or await floor.service.accept_shelf(by=by, second=second)
            return _told(answer, text("restore.accepted-shelf", by=by, second=second))

    return run(where.place, work)


def _told(refused: Refused | None, accepted: str) -> int:
    """Say what came of it; the exit status."""
    if refused is not None:
        complain(say(refused.message))
        return NEGATIVE_ANSWER
    print(accepted)
    return 0


async def _require_whole(floor: OpenFloor) -> None:
    """Refuse a journal whose records this floor has not signed, as far as it goes."""
    against = Against(floor.keys.public_keys)
    for name in await streams_of(floor.store, against):
        report = await verify(floor.store, name, against, chain_only=True)
        if report.findings:
            raise BadInput(text("restore.not-whole", stream=name, problem=say(report.findings[0].what)))


async def _require_both(floor: OpenFloor, names: tuple[str, str], *, from_input: bool) -> Refused | None:
    """Have two people show who they are; the first who cannot is refused."""
    credentials = CredentialKeeper(floor.keys)
    desk = SignInDesk(floor.service.floor, credentials, floor.service.houses, floor.clock)
    try:
        for name, other in (names, names[::-1]):
            password = _asked("people.ask-password", name, from_input=from_input)
            code = _asked("restore.ask-code", name, from_input=from_input)
            attempt = Attempt(name, password, COMMAND_LINE, COMMAND_LINE, code)
            found = await desk.approve(attempt, besides=other)
            if isinstance(found, Refused):
                return found
    finally:
        credentials.close()
    return None


def _asked(question: str, name: str, *, from_input: bool) -> str:
    if from_input:
        return sys.stdin.readline().rstrip("\r\n")
    if not sys.stdin.isatty():
        raise BadInput(text("cli.no-terminal-to-ask"))
    return getpass.getpass(text(question, name=name))
