"""The procedure for disputes that holds at a table: that of its document, or else that of its house."""

from msgspec import Struct

from thirdcard.clauses import Clause
from thirdcard.rulebook.document import Document
from thirdcard.rulebook.house import DISPUTE_AWARD, HouseDispute, HouseForm, HouseSource
from thirdcard.rulebook.procedure import DisputeEvidence, DisputeProcedure, Grant
from thirdcard.staff import Post


class DisputePower(Struct, frozen=True):
    """A post that takes a step of a dispute, by a clause or, without one, by the house."""

    post: Post
    clauses: tuple[Clause, ...] = ()
    or_above: bool = False


class RegardedSource(Struct, frozen=True):
    """A source that a decision must have regard to, and what must have been gathered for it."""

    id: str
    clauses: tuple[Clause, ...] = ()
    needs: DisputeEvidence | None = None


class DisputeRules(Struct, frozen=True, kw_only=True):
    """The posts that take the steps of a dispute, and the clauses of each step; a house has no clauses.

    ``first_level`` resolves what it can, ``in_charge`` has what was escalated, ``complaints_to`` answers
    complaints. ``awards_paid_by`` is the post that the house names.
    """

    first_level: tuple[DisputePower, ...]
    in_charge: DisputePower
    complaints_to: DisputePower
    awards_paid_by: DisputePower
    sources: tuple[RegardedSource, ...]
    surveillance: bool
    inspector: bool = False
    complaint_days: int | None = None
    taken: tuple[Clause, ...] = ()
    escalated: tuple[Clause, ...] = ()
    gathered: tuple[Clause, ...] = ()
    surveillance_told: tuple[Clause, ...] = ()
    time_frame: tuple[Clause, ...] = ()
    regarded: tuple[Clause, ...] = ()
    complaint_right: tuple[Clause, ...] = ()
    complaint_help: tuple[Clause, ...] = ()

    @property
    def names_the_post(self) -> bool:
        """Whether clauses name who decides; else two people stand for money."""
        return bool(self.in_charge.clauses)


def dispute_rules(document: Document, house: HouseForm) -> DisputeRules:
    """Return the procedure of a document, or that of the house where the document has none."""
    own = house.dispute or _silent(house)
    pays = next(DisputePower(each.post) for each in house.procedures if each.id == DISPUTE_AWARD)
    return _by_house(own, pays) if document.dispute is None else _by_document(document.dispute, own, pays)


def _silent(house: HouseForm) -> HouseDispute:
    """The procedure of a house that says nothing: the post that confirms facts takes every step."""
    post = house.facts_confirmed_by
    return HouseDispute((post,), post, house.not_covered_decided_by, (HouseSource("game-rules"),))


def _by_house(own: HouseDispute, pays: DisputePower) -> DisputeRules:
    return DisputeRules(
        first_level=tuple(DisputePower(post) for post in own.first_level),
        in_charge=DisputePower(own.in_charge),
        complaints_to=DisputePower(own.complaints_to),
        awards_paid_by=pays,
        sources=tuple(RegardedSource(each.id, (), each.needs) for each in own.sources),
        surveillance=own.surveillance,
        inspector=own.inspector,
        complaint_days=own.complaint_days,
    )


def _by_document(rule: DisputeProcedure, own: HouseDispute, pays: DisputePower) -> DisputeRules:
    to, right = rule.complaint_to, rule.complaint_right
    return DisputeRules(
        first_level=tuple(map(_power, rule.first_level)),
        in_charge=_power(rule.gathers_facts),
        complaints_to=_power(to) if to else DisputePower(own.complaints_to, (right,), or_above=True),
        awards_paid_by=pays,
        sources=tuple(RegardedSource(each.id, (each.clause,), each.needs) for each in rule.source),
        surveillance=True,
        taken=(rule.first_level[0].clause,),
        escalated=(rule.escalates_to.clause,),
        gathered=(rule.gathers_facts.clause,),
        surveillance_told=(rule.surveillance_informed,),
        time_frame=(rule.time_frame,),
        regarded=(rule.sources_cited,),
        complaint_right=(right,),
        complaint_help=(rule.complaint_help,),
    )


def _power(grant: Grant) -> DisputePower:
    return DisputePower(grant.post, (grant.clause,), grant.or_above)
