"""Where a decision is made: the rules, the table as it is by now, and the events so far."""

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


class Desk:
    """Collects the events of one command; each is applied at once, for the next to build on."""

    def __init__(self, rulebook: Rulebook, house: House, table: Table, envelope: Envelope) -> None:
        self.rulebook = rulebook
        self.document: Document = rulebook.document
        self.house = house
        self.table = table
        self.envelope = envelope
        self.actor = envelope.actor
        self.events: list[Event] = []
        self.tables: list[Table] = []

    @property
    def round(self) -> Round | None:
        """The round that is under way; one that has ended is not."""
        current = self.table.round
        return None if current is None or current.ended else current

    def emit(self, event: Event) -> None:
        """Add an event and let the table feel it."""
        self.events.append(event)
        self.table = apply(self.table, event)
        self.tables.append(self.table)

    def posts(self, person: str) -> list[Post]:
        """The posts that a person holds at the instant of the command: their own, then acting ones."""
        held = [each.post for each in self.table.staff if each.person == person]
        if self.table.acting:
            now = self.envelope.received_at
            acting = (each for each in self.table.acting if each.person == person)
            held += [each.post for each in acting if each.start <= now < each.end]
        return held

    def is_staff(self, person: str) -> bool:
        """Whether somebody is on duty at this table, or is the table itself acting by its own clock."""
        return bool(self.posts(person)) or person == self.table.setup.table

    def authority(self, grant: Grant) -> tuple[Clause, ...] | Refused:
        """The clauses by which the actor, or who authorises, may use a power; or the refusal.

        A power belongs to its post; a higher post has it where the document, or the clause itself, says so.
        """
        general = self.document.authority.higher_posts
        for person in (self.actor, self.envelope.authoriser):
            posts = self.posts(person) if person else []
            if grant.post in posts:
                acting = [each.person for each in self.table.acting if each.post == grant.post]
                return (grant.clause, general) if person in acting and general else (grant.clause,)
            ladder = self.house.form.posts
            above = any(stands_at_or_above(ladder, post=post, required=grant.post) for post in posts)
            if above and general is not None:
                return (grant.clause, general)
            if above and grant.or_above:
                return (grant.clause,)
        required = f"@post.{grant.post}"
        return refuse(Refusal.NOT_AUTHORISED, grant.clause, post=required)

    def house_authority(self, post: Post) -> Refused | None:
        """Whether the actor, or who authorises, holds a post that the house names, or a higher one."""
        for person in (self.actor, self.envelope.authoriser):
            for held in self.posts(person) if person else ():
                if stands_at_or_above(self.house.form.posts, post=held, required=post):
                    return None
        return refuse(Refusal.NOT_AUTHORISED, post=f"@post.{post}")
