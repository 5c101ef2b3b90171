"""Two desks at a table: one answers questions, the other decides a command and collects its events."""

import datetime

from thirdcard.clauses import Clause
from thirdcard.game.apply import apply
from thirdcard.game.commands import Envelope
from thirdcard.game.events import Event
from thirdcard.game.state import Round, Table
from thirdcard.refusals import Refusal, Refused, refuse
from thirdcard.rulebook.book import Rulebook
from thirdcard.rulebook.document import Document
from thirdcard.rulebook.house import House
from thirdcard.rulebook.procedure import Grant
from thirdcard.staff import Post, stands_at_or_above


class QueryDesk:
    """Answers questions about a table by its rules and its house; nobody commands anything here."""

    __slots__ = ("document", "house", "rulebook", "table")

    def __init__(self, rulebook: Rulebook, house: House, table: Table) -> None:
        self.rulebook = rulebook
        self.document: Document = rulebook.document
        self.house = house
        self.table = table

    @property
    def round(self) -> Round | None:
        """The round that is under way; one that has ended is not."""
        current = self.table.round
        return None if current is None or current.ended else current

    def is_staff_at(self, person: str, instant: datetime.datetime) -> bool:
        """Whether somebody is on duty at this table, or is the table itself acting by its own clock."""
        return bool(self.table.posts_at(person, instant)) or person == self.table.setup.table


class Desk(QueryDesk):
    """Decides one command and collects its events; each is applied at once, for the next to build on."""

    __slots__ = ("actor", "envelope", "events", "tables")

    def __init__(self, rulebook: Rulebook, house: House, table: Table, envelope: Envelope) -> None:
        self.rulebook, self.document, self.house, self.table = rulebook, rulebook.document, house, table
        self.envelope = envelope
        self.actor = envelope.actor
        self.events: list[Event] = []
        self.tables: list[Table] = []

    def emit(self, event: Event) -> None:
        """Add an event and apply it to the table."""
        self.events.append(event)
        self.table = apply(self.table, event)
        self.tables.append(self.table)

    def posts(self, person: str) -> tuple[Post, ...]:
        """The posts that a person holds at the instant of the command."""
        return self.table.posts_at(person, self.envelope.received_at)

    def is_staff(self, person: str) -> bool:
        """Whether somebody is on duty, or is the table itself, at the instant of the command."""
        return self.is_staff_at(person, self.envelope.received_at)

    def authority(self, grant: Grant) -> tuple[Clause, ...] | Refused:
        """The clauses by which the actor, or who authorises, may use a power; or the refusal.

        A power belongs to its post; a higher post has it where the document, or the clause itself, says so.
        """
        by = self._power(grant, self.actor)
        second = self.envelope.authoriser
        if not by and second:
            by = self._power(grant, second)
        if by:
            return by
        required = f"@post.{grant.post}"
        return refuse(Refusal.NOT_AUTHORISED, grant.clause, post=required)

    def _power(self, grant: Grant, person: str) -> tuple[Clause, ...]:
        """The clauses by which one person may use a power; none if they may not."""
        posts = self.table.posts_at(person, self.envelope.received_at)
        if grant.post in posts and not self.table.acting:
            return (grant.clause,)
        general = self.document.authority.higher_posts
        if grant.post in posts:
            acting = [each.person for each in self.table.acting if each.post == grant.post]
            return (grant.clause, general) if person in acting and general else (grant.clause,)
        ladder = self.house.form.posts
        above = any(stands_at_or_above(ladder, post=post, required=grant.post) for post in posts)
        if above and general is not None:
            return (grant.clause, general)
        return (grant.clause,) if above and grant.or_above else ()

    def decider(self, grant: Grant | None, house_post: Post) -> str:
        """Return who of the two decides: who enters it, unless the post is the other's alone."""
        second = self.envelope.authoriser
        if second is None:
            return self.actor
        if grant is not None:
            own, others = bool(self._power(grant, self.actor)), bool(self._power(grant, second))
        else:
            own, others = self._stands(house_post, self.actor), self._stands(house_post, second)
        return second if others and not own else self.actor

    def _stands(self, post: Post, person: str) -> bool:
        ladder = self.house.form.posts
        return any(stands_at_or_above(ladder, post=held, required=post) for held in self.posts(person))

    def two_people(self) -> Refused | None:
        """Why an act that no clause gives to anybody is not done: two of the staff must stand for it."""
        second = self.envelope.authoriser
        if not self.is_staff(self.actor):
            return refuse(Refusal.NOT_STAFF)
        if second is None or second == self.actor or not self.posts(second):
            return refuse(Refusal.SECOND_PERSON_NEEDED)
        return None

    def house_authority(self, post: Post) -> Refused | None:
        """Whether the actor, or who authorises, holds a post that the house names, or a higher one."""
        if any(self._stands(post, person) for person in (self.actor, self.envelope.authoriser) if person):
            return None
        return refuse(Refusal.NOT_AUTHORISED, post=f"@post.{post}")
