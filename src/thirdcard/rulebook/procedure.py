"""The rules of a document for running the table: rounds, methods, squeezing, limits, authority, disputes."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from thirdcard.clauses import Clause
from thirdcard.rulebook.irregularity import Area, Method
from thirdcard.staff import Post


class Grant(Struct, frozen=True, forbid_unknown_fields=True):
    """A power that a clause gives to a post."""

    post: Post
    clause: Clause
    or_above: bool = False


class ClauseMoment(Struct, frozen=True, forbid_unknown_fields=True):
    """An instant of the round and the clause that names it."""

    at: Literal["opening-call", "first-card", "settled"]
    clause: Clause


class Announcement(Struct, frozen=True, forbid_unknown_fields=True):
    """A call, or a text that is shown, and by whom; several texts are alternatives."""

    calls: Annotated[tuple[str, ...], Meta(min_length=1)]
    by: Literal["dealer", "terminal"]
    clause: Clause


class RoundProcedure(Struct, frozen=True, forbid_unknown_fields=True):
    """When a round begins and ends, and when wagers are taken."""

    begins: ClauseMoment
    ends: ClauseMoment
    opening: Announcement
    closing: Announcement
    closes_at_first_card: tuple[Clause, ...] = ()
    result_call: tuple[Clause, ...] = ()
    chips_only: Clause | None = None
    credits: Clause | None = None
    void: Clause | None = None


class MethodOfDealing(Struct, frozen=True, forbid_unknown_fields=True):
    """One method: who chooses it, where, with which device, who draws, holds and opens."""

    id: Method
    clause: Clause
    chosen_by: Grant
    areas: tuple[Area, ...]
    device: Literal["any", "card-reading"]
    device_held_by: Literal["dealer", "patron"]
    device_clause: Clause
    drawn_by: Literal["dealer", "patron"]
    drawn_clause: Clause
    opened_by: Literal["squeezer", "dealer", "drawer-or-squeezer"]
    opened_clause: Clause


class DeviceControl(Struct, frozen=True, forbid_unknown_fields=True):
    """How a patron who draws the cards keeps and loses the dealing device."""

    kept: Clause
    given_up: Clause
    wager_loses: Clause
    without_wager: Grant
    passed_through_dealer: Clause
    opened_hands_placed: Clause
    third_cards: Clause
    opened_cards_placed: Clause
    in_view: Clause | None = None


class Methods(Struct, frozen=True, forbid_unknown_fields=True):
    """The methods of dealing and until when they may be changed."""

    clause: Clause
    change_until: Literal["opening-call"]
    change_clause: Clause
    method: tuple[MethodOfDealing, ...]
    control: DeviceControl


class SqueezeRule(Struct, frozen=True, forbid_unknown_fields=True):
    """One step in finding the patron who handles the cards of a hand."""

    rule: Literal["highest-wager", "next-highest", "first-placed", "counter-clockwise", "ruling"]
    clause: Clause
    by: Post | None = None


class Squeezing(Struct, frozen=True, forbid_unknown_fields=True):
    """The rules of who may squeeze: by right of the wager, by permission, or on request."""

    basis: Literal["by-wager", "on-request"]
    order: tuple[SqueezeRule, ...]
    meaning: Clause | None = None
    seated_only: bool = False
    request: Clause | None = None
    permission: Grant | None = None
    prohibition: Grant | None = None
    reveal_order: Clause | None = None
    third_cards: Clause | None = None


class CuttingCard(Struct, frozen=True, forbid_unknown_fields=True):
    """The rule about what happens when the cutting card comes."""

    clause: Clause


class Burn(Struct, frozen=True, forbid_unknown_fields=True):
    """That cards are burned before the first round of a shoe."""

    clause: Clause


class OwnersPerArea(Struct, frozen=True, forbid_unknown_fields=True):
    """How many patrons may have a wager on one playing area, and who may lower the number."""

    most: Annotated[int, Meta(ge=1)]
    clause: Clause
    fewer: Grant


class Differential(Struct, frozen=True, forbid_unknown_fields=True):
    """The meaning of "table differential" in the document: the measured gap, or the limit for it."""

    means: Literal["gap", "limit"]
    clause: Clause
    limit_clause: Clause


class Limits(Struct, frozen=True, forbid_unknown_fields=True):
    """Posted limits, owners per playing area, and wagers placed by staff."""

    posted: Clause
    owners_per_area: OwnersPerArea | None = None
    placed_by_staff: tuple[Grant, ...] = ()
    differential: Differential | None = None


class FreeHandPolicy(Struct, frozen=True, forbid_unknown_fields=True):
    """How a free hand is dealt."""

    meaning: Clause
    wagers_removed: Clause
    cards: Clause
    as_last_hand: Clause


class HighLimitArea(Struct, frozen=True, forbid_unknown_fields=True):
    """The rooms that count as the high-limit area."""

    rooms: tuple[str, ...]
    clause: Clause


class Authority(Struct, frozen=True, forbid_unknown_fields=True):
    """The posts from the lowest up, whether a higher post may always act, and who decides the rest."""

    posts: tuple[Post, ...]
    higher_posts: Clause | None = None
    not_covered: Grant | None = None
    high_limit_area: HighLimitArea | None = None


class Display(Struct, frozen=True, forbid_unknown_fields=True):
    """The rules about what displays are worth."""

    cards_prevail: Clause | None = None
    scoreboard: Clause | None = None


class EquipmentItem(Struct, frozen=True, forbid_unknown_fields=True):
    """One item of the opening check list; one of a ``layout`` is for its tables alone.

    One that is ``confirmed`` is ticked by the post of the house that confirms facts.
    """

    id: str
    clause: Clause
    if_required: bool = False
    layout: str | None = None
    confirmed: bool = False


# what must have been gathered before a decision can say that it considered a source
DisputeEvidence = Literal["both-parties", "piece"]


class DisputeSource(Struct, frozen=True, forbid_unknown_fields=True):
    """Something that a decision of a dispute must have regard to; evidence ``needs`` to be gathered first."""

    id: str
    clause: Clause
    needs: DisputeEvidence | None = None


class DisputeProcedure(Struct, frozen=True, forbid_unknown_fields=True):
    """How a dispute goes from the table to a decision and a complaint."""

    first_level: Annotated[tuple[Grant, ...], Meta(min_length=1)]
    escalates_to: Grant
    gathers_facts: Grant
    surveillance_informed: Clause
    time_frame: Clause
    sources_cited: Clause
    source: tuple[DisputeSource, ...]
    complaint_right: Clause
    complaint_help: Clause
    complaint_to: Grant | None = None
