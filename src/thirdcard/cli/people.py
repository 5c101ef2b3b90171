"""``thirdcard people``: who may sign in, in which posts, with what."""

import getpass
import itertools
import sys
from collections.abc import Iterator
from typing import Annotated

from cyclopts import App, Parameter

from thirdcard.access.credentials import weak
from thirdcard.access.people import Made
from thirdcard.cli.arguments import Flag
from thirdcard.cli.floors import USUAL_FLOOR, FloorOffice, FloorPlace, do, look, send
from thirdcard.cli.output import NEGATIVE_ANSWER, BadInput, complain, print_json, print_table
from thirdcard.floor import commands as cmd
from thirdcard.floor.standing import COMMAND_LINE
from thirdcard.messages import say
from thirdcard.refusals import Refused
from thirdcard.rulebook.words import text
from thirdcard.staff import Post

app = App(name="people", help="See to the people of a floor.", help_format="plaintext")
QR_MARGIN = 2  # modules around the code
# two rows of a QR code, of which 1 is dark, in one line of a terminal
QR_HALVES = {("0", "0"): "█", ("0", "1"): "▀", ("1", "0"): "▄", ("1", "1"): " "}
Posts = Annotated[tuple[str, ...], Parameter(name="--post", negative=())]


@app.command
def add(
    name: str,
    *,
    post: Posts,
    password_stdin: Flag = False,
    second_factor: Flag = False,
    json: Flag = False,
    where: FloorPlace = USUAL_FLOOR,
) -> int:
    """Add a person; the password is asked for, and a second factor is shown where the post needs one.

    Parameters
    ----------
    name
        The name under which the person signs in.
    post
        A post of a house, or attendant, surveillance, auditor; may be repeated.
    password_stdin
        Take the password from the first line of standard input instead of asking.
    second_factor
        Give a second factor even where no post needs one.
    json
        Print JSON, with the secret of the second factor.
    """
    password = _password(name, from_input=password_stdin)
    posts = tuple(Post(each) for each in post)

    async def work(office: FloorOffice) -> Made | Refused:
        return await office.people.add(name, posts, password, by=COMMAND_LINE, factor=second_factor)

    return _tell_made(name, do(where, work), text("people.added", name=name), json=json)


@app.command(name="list")
def list_(*, json: Flag = False, where: FloorPlace = USUAL_FLOOR) -> None:
    """List the people with their posts, and whether they may sign in; also while a server runs.

    Parameters
    ----------
    json
        Print JSON.
    """
    floor = look(where)
    sessions = {each.name: sum(s.person == each.name for s in floor.sessions) for each in floor.people}
    if json:
        rows = [
            {
                "name": each.name,
                "posts": each.posts,
                "second_factor": each.second_factor is not None,
                "locked": each.locked,
                "failures": each.failures,
                "sessions": sessions[each.name],
            }
            for each in floor.people
        ]
        print_json(rows)
    elif not floor.people:
        print(text("people.none"))
    else:
        columns = (
            text("people.name"),
            text("people.posts"),
            text("people.second-factor"),
            text("people.state"),
            text("people.sessions"),
        )
        factor = {True: text("people.has-factor"), False: text("people.no-factor")}
        lines = [
            (
                each.name,
                ", ".join(each.posts),
                factor[each.second_factor is not None],
                text("people.open") if each.locked is None else text("people.locked", reason=each.locked),
                str(sessions[each.name]),
            )
            for each in floor.people
        ]
        print_table(None, columns, lines)


@app.command
def lock(name: str, *, reason: str, where: FloorPlace = USUAL_FLOOR) -> int:
    """Let a person sign in no more, and end their sessions.

    Parameters
    ----------
    name
        The name of the person.
    reason
        Why; it is recorded.
    """
    return send(where, cmd.LockPerson(name=name, reason=reason), text("people.was-locked", name=name))


@app.command
def unlock(name: str, *, where: FloorPlace = USUAL_FLOOR) -> int:
    """Let a person sign in again.

    Parameters
    ----------
    name
        The name of the person.
    """
    return send(where, cmd.UnlockPerson(name=name), text("people.was-unlocked", name=name))


@app.command
def password(name: str, *, password_stdin: Flag = False, where: FloorPlace = USUAL_FLOOR) -> int:
    """Give a person another password, which is asked for.

    Parameters
    ----------
    name
        The name of the person.
    password_stdin
        Take the password from the first line of standard input instead of asking.
    """
    new = _password(name, from_input=password_stdin)

    async def work(office: FloorOffice) -> Made | Refused:
        return await office.people.change_password(name, new, by=COMMAND_LINE)

    return _tell_made(name, do(where, work), text("people.password-changed", name=name))


@app.command
def posts(name: str, *, post: Posts, where: FloorPlace = USUAL_FLOOR) -> int:
    """Give a person other posts.

    Parameters
    ----------
    name
        The name of the person.
    post
        A post that the person has from now on; may be repeated.
    """
    body = cmd.ChangePosts(name=name, posts=tuple(Post(each) for each in post))
    return send(where, body, text("people.posts-changed", name=name, posts=", ".join(post)))


@app.command
def second_factor(name: str, *, json: Flag = False, where: FloorPlace = USUAL_FLOOR) -> int:
    """Give a person another second factor, which is shown once.

    Parameters
    ----------
    name
        The name of the person.
    json
        Print JSON, with the secret of the second factor.
    """

    async def work(office: FloorOffice) -> Made | Refused:
        return await office.people.renew_factor(name, by=COMMAND_LINE)

    return _tell_made(name, do(where, work), text("people.factor-changed", name=name), json=json)


def _tell_made(name: str, answer: Made | Refused, sentence: str, *, json: bool = False) -> int:
    if isinstance(answer, Refused):
        complain(say(answer.message))
        return NEGATIVE_ANSWER
    if json:
        factor = answer.factor and {"secret": answer.factor.text, "uri": answer.factor.uri}
        print_json({"name": name, "second_factor": factor})
        return 0
    print(sentence)
    if answer.factor is not None:
        print(text("people.factor-shown-once"))
        print(answer.factor.text)
        print(answer.factor.uri)
        if sys.stdout.isatty():
            for line in _qr_lines(answer.factor.picture):
                print(line)
    return 0


def _qr_lines(picture: tuple[str, ...]) -> Iterator[str]:
    """Yield the lines of a QR code, two rows in each, light where the terminal is dark as phones expect."""
    width = len(picture[0]) + 2 * QR_MARGIN
    margin = ("0" * width,) * QR_MARGIN
    rows = (*margin, *(f"{row:0^{width}}" for row in picture), *margin)
    for upper, lower in itertools.zip_longest(rows[::2], rows[1::2], fillvalue="0" * width):
        yield "".join(QR_HALVES[pair] for pair in zip(upper, lower, strict=True))


def _password(name: str, *, from_input: bool) -> str:
    """A password that is typed without being seen, or that is piped in; never an argument."""
    if from_input:
        given = sys.stdin.readline().rstrip("\r\n")
        if not given:
            raise BadInput(text("cli.no-password"))
    elif not sys.stdin.isatty():
        raise BadInput(text("cli.no-terminal-to-ask"))
    else:
        given = getpass.getpass(text("people.ask-password", name=name))
        if given != getpass.getpass(text("people.ask-password-again")):
            raise BadInput(text("cli.passwords-differ"))
    refused = weak(name, given)
    if refused is not None:
        raise BadInput(say(refused.message))
    return given
