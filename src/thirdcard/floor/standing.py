"""The standing of people on a floor: nobody unseats a senior, and who can sign in is changed by two."""

import enum

from thirdcard.floor import commands as cmd
from thirdcard.floor.state import Floor, Office
from thirdcard.game.commands import Envelope
from thirdcard.refusals import Refusal, Refused, refuse
from thirdcard.rulebook.house import House, MoneyAct
from thirdcard.staff import Post, stands_at_or_above

COMMAND_LINE = "command line"  # whoever can use the machine itself
BOT = "Bot"  # how the names of bots begin
SERVER = "server"  # what a server does by its own clock
# offices that watch the others: only the highest posts touch them
WATCHING = (Office.SURVEILLANCE.value, Office.AUDITOR.value)


class FloorRank(enum.IntEnum):
    """How much somebody may do on the floor, whatever their house calls it."""

    NOBODY = 0
    ATTENDANT = 1
    DEALER = 2
    MANAGER = 3
    SENIOR = 4
    MACHINE = 5


def standing_of(houses: tuple[House, ...], floor: Floor, actor: str) -> FloorRank:
    """The standing of a person, in whichever house they have it."""
    if actor in (COMMAND_LINE, SERVER):
        return FloorRank.MACHINE
    person = floor.person(actor)
    if person is None or person.locked is not None:
        return FloorRank.NOBODY
    return max((standing_of_post(houses, post) for post in person.posts), default=FloorRank.NOBODY)


def standing_of_post(houses: tuple[House, ...], post: Post) -> FloorRank:
    """The standing that a post gives, in whichever house it gives most."""
    found = FloorRank.ATTENDANT if post == Office.ATTENDANT.value else FloorRank.NOBODY
    for house in houses:
        ladder = house.form.posts
        for required, standing in (
            (house.form.not_covered_decided_by, FloorRank.SENIOR),
            (house.form.facts_confirmed_by, FloorRank.MANAGER),
            (ladder[0], FloorRank.DEALER),
        ):
            if stands_at_or_above(ladder, post=post, required=required):
                found = max(found, standing)
                break
    return found


def known_posts(houses: tuple[House, ...]) -> tuple[str, ...]:
    """The posts and offices that a person can be given, from the lowest up, house by house."""
    offices = tuple(each.value for each in Office)
    return tuple(dict.fromkeys((*(post for house in houses for post in house.form.posts), *offices)))


def needs_second_factor(houses: tuple[House, ...], posts: tuple[Post, ...]) -> bool:
    """Whether somebody in these posts may void, correct or configure."""
    return any(standing_of_post(houses, post) >= FloorRank.MANAGER for post in posts)


def needs(floor: Floor, body: cmd.FloorBody, actor: str) -> FloorRank:
    """The standing that a command needs; what people do about themselves needs none."""
    match body:
        case cmd.SignIn() | cmd.ShowIdentity() | cmd.FailSignIn() | cmd.ClaimTerminal():
            return FloorRank.NOBODY
        case cmd.ChangePassword():
            return FloorRank.NOBODY if body.name == actor else FloorRank.SENIOR
        case cmd.EndSession():
            session = floor.session(body.session)
            return FloorRank.NOBODY if session and session.person == actor else FloorRank.MANAGER
        case cmd.OpenPatronSession() | cmd.ClosePatronSession():
            terminal = floor.terminal(body.terminal)
            table = floor.table(terminal.table) if terminal else None
            own = terminal is not None and terminal.id == actor and table is not None and table.setup.training
            return FloorRank.NOBODY if own else FloorRank.ATTENDANT
        case cmd.AddPerson() | cmd.ChangePosts() | cmd.SetSecondFactor() | cmd.UnlockPerson():
            return FloorRank.SENIOR
        case cmd.AcceptRestore() | cmd.AcceptShelf() | cmd.AddAccount() | cmd.AddWebhook():
            return FloorRank.SENIOR
        case cmd.DefineTables() | cmd.BeginSigning() | cmd.NoteClockStep():
            return FloorRank.MACHINE
        case cmd.StopWebhook() | cmd.NoteDelivered():
            return FloorRank.MACHINE
        case _:
            return FloorRank.MANAGER


def refuse_acting_on(
    houses: tuple[House, ...], floor: Floor, body: cmd.FloorBody, envelope: Envelope
) -> Refused | None:
    """Refuse what one may not do about another person: unseat a senior, or do alone what takes two people.

    One alone locks, and ends sessions of, people who stand below. All else that decides who can sign in takes
    a second person who is in charge of something, and neither of the two is the person it is about. Only a
    password one changes alone, who knows the old one.
    """
    own = standing_of(houses, floor, envelope.actor)
    name = _concerned(floor, body)
    if name is None or own is FloorRank.MACHINE:
        return None
    if name == envelope.actor:
        alone = isinstance(body, cmd.ChangePassword) and envelope.authoriser is None
        unseated = isinstance(body, cmd.LockPerson | cmd.EndSession)
        return None if alone or unseated else refuse(Refusal.SECOND_PERSON_NEEDED)
    guarded = _guarded(houses, floor, body, name)
    if own < guarded:
        return refuse(Refusal.NOT_PERMITTED)
    unseats = isinstance(body, cmd.LockPerson | cmd.EndSession)
    if unseats and own > guarded:
        return None
    second = envelope.authoriser
    least = guarded if unseats else FloorRank.MANAGER
    known = second is not None and second not in (envelope.actor, name) and floor.person(second) is not None
    if second is None or not known or standing_of(houses, floor, second) < least:
        return refuse(Refusal.SECOND_PERSON_NEEDED)
    return None


def refuse_terminal_alone(
    houses: tuple[House, ...], floor: Floor, body: cmd.FloorBody, envelope: Envelope
) -> Refused | None:
    """Refuse one person who enrols a terminal or lets patrons use it, where money is real.

    One of the two stands in the post that the house of its table names, or above it.
    """
    house = _house_of(houses, floor, body)
    own = standing_of(houses, floor, envelope.actor)
    if house is None or own is FloorRank.MACHINE:
        return None
    second = envelope.authoriser
    other = floor.person(second) if second and second != envelope.actor else None
    if other is None or other.locked is not None:
        return refuse(Refusal.SECOND_PERSON_NEEDED)
    first, post = floor.person(envelope.actor), house.control(MoneyAct.TERMINAL).post
    held = (*(first.posts if first else ()), *other.posts)
    ladder = house.form.posts
    if any(stands_at_or_above(ladder, post=each, required=post) for each in held):
        return None
    return refuse(Refusal.NOT_AUTHORISED, post=f"@post.{post}")


def _house_of(houses: tuple[House, ...], floor: Floor, body: cmd.FloorBody) -> House | None:
    """The house whose control a command about a terminal is under; none at a table for training."""
    match body:
        case cmd.EnrolTerminal():
            name = body.table
        case cmd.EnableTerminal():
            terminal = floor.terminal(body.terminal)
            name = terminal.table if terminal else ""
        case _:
            return None
    table = floor.table(name)
    if table is None or table.setup.training:
        return None
    return next((each for each in houses if each.id == table.setup.house), None)


def _concerned(floor: Floor, body: cmd.FloorBody) -> str | None:
    """The person whose way to sign in a command changes, if it does."""
    match body:
        case cmd.EndSession():
            session = floor.session(body.session)
            return session.person if session else None
        case (
            cmd.AddPerson()
            | cmd.ChangePosts()
            | cmd.ChangePassword()
            | cmd.SetSecondFactor()
            | cmd.LockPerson()
            | cmd.UnlockPerson()
        ):
            return body.name
        case _:
            return None


def _guarded(houses: tuple[House, ...], floor: Floor, body: cmd.FloorBody, name: str) -> FloorRank:
    """The standing below which nobody acts on a person: that of all posts they have, or get by this."""
    person = floor.person(name)
    posts = (*(person.posts if person else ()), *(getattr(body, "posts", ())))
    ranks = (FloorRank.SENIOR if post in WATCHING else standing_of_post(houses, post) for post in posts)
    return max(ranks, default=FloorRank.NOBODY)


def is_bot(patron: str) -> bool:
    """Whether a patron is a bot that keeps the demonstration floor company."""
    return patron.startswith(f"{BOT} ")
