"""Two desks at a table: one answers questions, the other decides a command and collects its events."""

import datetime

from thirdcard.clauses import Clause
from thirdcard.game.apply import apply
from thirdcard.game.commands import Body, CountDrop, Envelope
from thirdcard.game.events import Event
from thirdcard.game.interests import is_at_stake, is_concerned
from thirdcard.game.state import Hand, Round, Table
from thirdcard.refusals import Refusal, Refused, refuse
from thirdcard.rulebook.book import Rulebook
from thirdcard.rulebook.deciders import decider_of_the_rest
from thirdcard.rulebook.document import Document
from thirdcard.rulebook.house import House
from thirdcard.rulebook.procedure import Grant
from thirdcard.staff import Post, stands_at_or_above

DEALER = Post("dealer")


# the hand that takes the next card of a round, with its clauses, or why none does
DueHand = tuple[Hand, tuple[Clause, ...]] | Refused
KnownDue = tuple[Round, DueHand]


class QueryDesk:
    """Answers questions about a table by its rules and its house; nobody commands anything here."""

    __slots__ = ("document", "due", "house", "rulebook", "table")

    def __init__(self, rulebook: Rulebook, house: House, table: Table) -> None:
        self.rulebook = rulebook
        self.document: Document = rulebook.document
        self.house = house
        self.table = table
        self.due: KnownDue | None = None

    @property
    def round(self) -> Round | None:
        """The round that is under way; one that has ended is not."""
        current = self.table.round
        return None if current is None or current.ended else current

    def posts_at(self, person: str, instant: datetime.datetime) -> tuple[Post, ...]:
        """Return the posts in which a person may act at an instant.

        Whoever has money of their own at stake acts in none.
        """
        held = self.table.posts_at(person, instant)
        return () if held and self.has_own_interest(person) else held

    def has_own_interest(self, person: str) -> bool:
        """Whether somebody is a patron at this table, so that no post is theirs to act in."""
        return is_at_stake(self.table, person)

    def not_covered(self) -> tuple[Post, Clause | None]:
        """Return the post that decides what no rule covers, and the clause that says so."""
        grant = self.document.authority.not_covered
        return decider_of_the_rest(grant).post_at(self.house.form), grant.clause if grant else None

    def is_staff_at(self, person: str, instant: datetime.datetime) -> bool:
        """Whether somebody is on duty at this table, or is the table itself acting by its own clock."""
        return bool(self.posts_at(person, instant)) or person == self.table.setup.table

    def deals_at(self, person: str, instant: datetime.datetime) -> bool:
        """Whether somebody deals here: the Dealer, the table itself, or a higher post by a clause."""
        own = person == self.table.setup.table or DEALER in self.posts_at(person, instant)
        higher = self.document.authority.higher_posts is not None
        return own or (higher and self.is_staff_at(person, instant))


class Desk(QueryDesk):
    """Decides one command and collects its events; each is applied at once, for the next to build on."""

    __slots__ = ("_posts", "actor", "body", "envelope", "events", "tables")

    def __init__(
        self, rulebook: Rulebook, house: House, table: Table, envelope: Envelope, body: Body
    ) -> None:
        self.rulebook, self.document, self.house, self.table = rulebook, rulebook.document, house, table
        self.envelope, self.body = envelope, body
        self.due = None
        self.actor = envelope.actor
        self.events: list[Event] = []
        self.tables: list[Table] = []
        self._posts: dict[str, tuple[Table, tuple[Post, ...]]] = {}

    def emit(self, event: Event) -> None:
        """Add an event and apply it to the table."""
        self.events.append(event)
        self.table = apply(self.table, event)
        self.tables.append(self.table)

    def posts(self, person: str) -> tuple[Post, ...]:
        """The posts in which a person may act at the instant of the command; some ask again and again."""
        known = self._posts.get(person)
        if known is not None and known[0] is self.table:
            return known[1]
        found = self.table.posts_at(person, self.envelope.received_at)
        if found and is_concerned(self.table, self.body, person):
            found = ()
        self._posts[person] = (self.table, found)
        return found

    def is_staff(self, person: str) -> bool:
        """Whether somebody is on duty, or is the table itself, at the instant of the command."""
        return bool(self.posts(person)) or person == self.table.setup.table

    def has_own_interest(self, person: str) -> bool:
        """Whether somebody has a wager, a claim or a dispute of their own in what the command is about."""
        return is_concerned(self.table, self.body, person)

    def refuse_interest(self, person: str, clauses: tuple[str, ...]) -> Refused | None:
        """Refuse somebody who is on duty and has an interest of their own in the matter."""
        held = self.table.posts_at(person, self.envelope.received_at)
        own = bool(held) and self.has_own_interest(person)
        return refuse(Refusal.OWN_INTEREST, *clauses, person=person) if own else None

    def refuse_interests(self, clauses: tuple[str, ...]) -> Refused | None:
        """Refuse the first of the two people of a command who has an interest of their own."""
        second = self.envelope.authoriser
        of_second = self.refuse_interest(second, clauses) if second else None
        return self.refuse_interest(self.actor, clauses) or of_second

    def refuse_second(self) -> Refused | None:
        """Refuse a second person who is the actor, or is nobody on duty here, or has an own interest.

        A drop box is counted by people who are not of the table.
        """
        second = self.envelope.authoriser
        here = isinstance(self.body, CountDrop) or (second is not None and self.posts(second))
        if second is None or (second != self.actor and here):
            return None
        return refuse(Refusal.SECOND_PERSON_NEEDED)

    def refuse_other_than_staff(self, *clauses: Clause) -> Refused | None:
        """Refuse what is for anybody on duty, or for the table itself, to anybody else."""
        return None if self.is_staff(self.actor) else refuse(Refusal.NOT_STAFF, *clauses)

    def refuse_other_than_dealer(self, clauses: tuple[Clause, ...]) -> Refused | None:
        """Refuse what is the Dealer's, or the table's own, to anybody else.

        A higher post has it where the document says so.
        """
        if not self.is_staff(self.actor):
            return refuse(Refusal.NOT_STAFF, *clauses)
        own = self.actor == self.table.setup.table or DEALER in self.posts(self.actor)
        if own or self.document.authority.higher_posts is not None:
            return None
        return refuse(Refusal.DEALER_ONLY, *clauses)

    def authority(self, grant: Grant) -> tuple[Clause, ...] | Refused:
        """The clauses by which the actor, or who authorises, may use a power; or the refusal.

        A power belongs to its post; a higher post has it where the document, or the clause itself, says so.
        Only staff enter what a post decides.
        """
        by = self._power(grant, self.actor)
        if by:  # who has a post is on duty
            return by
        second = self.envelope.authoriser
        by = self._power(grant, second) if second else ()
        if by:
            return self.refuse_other_than_staff(grant.clause) or by
        required = f"@post.{grant.post}"
        return refuse(Refusal.NOT_AUTHORISED, grant.clause, post=required)

    def _power(self, grant: Grant, person: str) -> tuple[Clause, ...]:
        """The clauses by which one person may use a power; none if they may not."""
        posts = self.posts(person)
        if grant.post in posts and not self.table.acting:
            return (grant.clause,)
        general = self.document.authority.higher_posts
        if grant.post in posts:
            acting = [each.person for each in self.table.acting if each.post == grant.post]
            return (grant.clause, general) if person in acting and general else (grant.clause,)
        if not self._is_above(grant.post, posts):
            return ()
        if general is not None:
            return (grant.clause, general)
        return (grant.clause,) if grant.or_above else ()

    def decider(self, grant: Grant | None, house_post: Post) -> str:
        """Return who of the two decides: who enters it, unless the post is the other's alone."""
        second = self.envelope.authoriser
        if second is None:
            return self.actor
        if grant is not None:
            own, others = bool(self._power(grant, self.actor)), bool(self._power(grant, second))
        else:
            own, others = self.stands(house_post, self.actor), self.stands(house_post, second)
        return second if others and not own else self.actor

    def stands(self, post: Post, person: str) -> bool:
        """Whether somebody may act in a post of the house, or in one above it."""
        return self._is_above(post, self.posts(person))

    def _is_above(self, post: Post, held: tuple[Post, ...]) -> bool:
        """Whether one of the posts that somebody holds is a post, or stands above it."""
        ladder = self.house.form.posts
        for each in held:  # noqa: SIM110 - most wagers ask
            if stands_at_or_above(ladder, post=each, required=post):
                return True
        return False

    def two_people(self) -> Refused | None:
        """Why an act that no clause gives to anybody is not done: two of the staff must stand for it.

        The table itself is nobody.
        """
        second = self.envelope.authoriser
        if not self.is_staff(self.actor):
            return refuse(Refusal.NOT_STAFF)
        if second is None or self.actor in (second, self.table.setup.table) or not self.posts(second):
            return refuse(Refusal.SECOND_PERSON_NEEDED)
        return None

    def house_authority(self, post: Post) -> Refused | None:
        """Refuse what neither the actor nor who authorises may do in a post of the house, or above it."""
        if any(self.stands(post, person) for person in (self.actor, self.envelope.authoriser) if person):
            return self.refuse_other_than_staff()
        return refuse(Refusal.NOT_AUTHORISED, post=f"@post.{post}")
