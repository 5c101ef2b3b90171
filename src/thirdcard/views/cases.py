"""The open irregularities as staff see them: the gravest first, who reported each, and what can be done."""

from collections.abc import Mapping

from msgspec.structs import replace

from thirdcard.folds.case_clause import clause_of
from thirdcard.game.case_cards import AFTER_THE_ROUND, is_noticed
from thirdcard.game.desk import QueryDesk
from thirdcard.game.irregularities.confirming import (
    can_be_disproved,
    can_be_withdrawn,
    is_disproved_by_two,
    is_withdrawn_by_two,
    reporters_of,
)
from thirdcard.game.irregularities.nobody_alone import is_decided_by_two
from thirdcard.game.irregularities.rulings import choices_of, excluded_by
from thirdcard.game.named_cases import closed_in_doubt
from thirdcard.game.offers import is_beyond_the_hands, on_offer
from thirdcard.game.state import Case, Offer, Phase, Table, Wait
from thirdcard.rulebook.irregularity import VoidRound, effect_clauses
from thirdcard.rulebook.words import effect_message
from thirdcard.views.next_actions import deciding_post
from thirdcard.views.questions import choice_words
from thirdcard.views.sections.cases import CaseStep, OfferEntries, OpenCase

# a case that voids the round goes before all others; then what a post decides, cards, permissions, offers
_GRAVITY = (
    Wait.CONFIRMATION,
    Wait.DECISION,
    Wait.CARD_ORDER,
    Wait.RESERVED_CARDS,
    Wait.SORTED_CARDS,
    Wait.SUBSTITUTES,
    Wait.PERMISSION,
)


def open_cases(desk: QueryDesk, notes: Mapping[int, str]) -> tuple[OpenCase, ...]:
    """Every open case with its note, the gravest first."""
    return tuple(_open_case(desk, each, notes.get(each.id, "")) for each in in_order_of_gravity(desk.table))


def doubtful_cases(desk: QueryDesk, notes: Mapping[int, str]) -> tuple[OpenCase, ...]:
    """Return the closed cases whose reports can still be found not so, or taken back, by two people."""
    in_doubt = {
        "can_be_withdrawn": True,
        "withdrawn_by_two": True,
        "can_be_disproved": True,
        "disproved_by_two": True,
    }
    shown = (_open_case(desk, each, notes.get(each.id, "")) for each in closed_in_doubt(desk.table))
    return tuple(replace(each, **in_doubt) for each in shown)


def in_order_of_gravity(table: Table) -> list[Case]:
    """The open cases: what play waits for first, and of that what voids the round."""
    return sorted(table.open_cases, key=lambda case: _rank(table, case))


def steps_of(case: Case) -> tuple[CaseStep, ...]:
    """The effects of a case in their order, and which are done."""
    return tuple(
        CaseStep(
            str(effect.__struct_config__.tag), effect_message(effect), effect_clauses(effect), at < case.done
        )
        for at, effect in enumerate(case.effects)
    )


def is_waited_for(table: Table, case: Case) -> bool:
    """Whether play waits for a case; some wait for the end of the round, and a permission need not come."""
    playing = table.phase in (Phase.DEALING, Phase.OUTCOME)
    after = playing and case.situation in AFTER_THE_ROUND
    return not after and case.waits is not Wait.PERMISSION


def _rank(table: Table, case: Case) -> tuple[bool, bool, int, int]:
    voids = any(isinstance(effect, VoidRound) for effect in case.effects[case.done :])
    weight = _GRAVITY.index(case.waits) if case.waits in _GRAVITY else len(_GRAVITY)
    return not is_waited_for(table, case), not voids, weight, -case.id


def _offer_entries(desk: QueryDesk, case: Case, offer: Offer) -> OfferEntries:
    return OfferEntries(
        wagers=offer.wagers,
        clause=offer.clause,
        asked=offer.asked,
        answered=offer.answered,
        entered=offer.entered,
        withdrawable=tuple(each.id for each in on_offer(desk, case)),
    )


def _open_case(desk: QueryDesk, case: Case, note: str) -> OpenCase:
    table, choices = desk.table, choices_of(desk, case)
    return OpenCase(
        id=case.id,
        situation=case.situation,
        clause=clause_of(desk.document, case),
        cause=case.cause,
        steps=steps_of(case),
        waits=case.waits,
        post=deciding_post(desk, case),
        by=None if is_noticed(table, case) else case.by,
        second=case.second,
        note=note,
        patron=case.patron,
        hand=case.hand,
        wager=case.wager,
        position=case.position,
        amount=case.amount,
        current=table.case is case,
        answerable=(
            table.case is case
            or case.waits is Wait.CONFIRMATION
            or (case.offer is not None and not is_beyond_the_hands(desk, case))
        ),
        blocks=is_waited_for(table, case),
        offer=_offer_entries(desk, case, case.offer) if case.offer else None,
        can_be_withdrawn=can_be_withdrawn(desk, case),
        withdrawn_by=reporters_of(table, case),
        withdrawn_by_two=is_withdrawn_by_two(desk, case),
        can_be_disproved=can_be_disproved(desk, case),
        disproved_by=desk.house.form.facts_confirmed_by,
        not_disproved_by=case.by,
        disproved_by_two=is_disproved_by_two(desk, case),
        choices=choices,
        decided_by_two=tuple(each for each in choices if is_decided_by_two(desk, case, {each})),
        excludes={each: excluded_by(desk, case, each) for each in choices if case.waits is Wait.DECISION},
        words=choice_words(desk, case, choices) if case.waits is Wait.DECISION else {},
    )
