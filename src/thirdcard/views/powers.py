"""The powers of staff at a table by document and house: a console shows nothing that leads nowhere."""

from thirdcard.game.methods import suits
from thirdcard.game.set_up import check_list
from thirdcard.rulebook.deciders import decider_of_the_rest
from thirdcard.rulebook.irregularity import RemoveWagers, SettleProRata
from thirdcard.rulebook.procedure import EquipmentItem, Grant
from thirdcard.staff import Post, stands_at_or_above
from thirdcard.views.next_actions import Due
from thirdcard.views.questions import clauses_about
from thirdcard.views.sections.staff import (
    ApprovalShown,
    ByPost,
    EquipmentShown,
    MethodShown,
    RulesSection,
    SituationShown,
)
from thirdcard.views.sources import Sources


def rules_section(sources: Sources, _: Due) -> RulesSection:
    """Return the powers of staff at this table, by whom and by which clause."""
    document, squeezing = sources.rulebook.document, sources.rulebook.document.squeezing
    owners = document.limits.owners_per_area if document.limits else None
    return RulesSection(
        posts=sources.house.form.posts,
        stands_for=_stands_for(sources.house.form.posts),
        equipment=tuple(_item(sources, each) for each in check_list(document, sources.table.setup)),
        least_decks=document.decks.least,
        most_decks=document.decks.most,
        burn=document.burn.clause if document.burn else None,
        cutting_card=document.cutting_card.clause if document.cutting_card else None,
        methods=_methods(sources),
        permits_drawing=_by(document.methods.control.without_wager) if document.methods else None,
        seats=None if sources.table.setup.terminal else document.seats,
        squeezed_on_request=squeezing.request if squeezing else None,
        permits_squeeze=_by(squeezing.permission) if squeezing else None,
        forbids_squeeze=_by(squeezing.prohibition) if squeezing else None,
        reveal_order=squeezing.reveal_order if squeezing else None,
        fewer_owners=_by(owners.fewer) if owners else None,
        most_owners=owners.most if owners else 0,
        removes_wagers=next(
            (ByPost(each.by, each.clause) for each in document.policies_of(RemoveWagers)), None
        ),
        settles_pro_rata=next((each.clause for each in document.policies_of(SettleProRata)), None),
        approval=_approval(sources),
        decides_held=_decides_held(sources),
        shuffle_record=sources.house.form.settings.shuffle_record == "required",
        situations=tuple(SituationShown(each, clauses_about(document, each)) for each in document.situations),
    )


def _stands_for(ladder: tuple[Post, ...]) -> dict[Post, tuple[Post, ...]]:
    """Each post with itself and those above it."""
    return {
        required: tuple(each for each in ladder if stands_at_or_above(ladder, post=each, required=required))
        for required in ladder
    }


def _item(sources: Sources, item: EquipmentItem) -> EquipmentShown:
    by_a_post = item.confirmed and not sources.table.setup.training
    by = sources.house.form.facts_confirmed_by if by_a_post else None
    return EquipmentShown(item.id, item.clause, item.if_required, by)


def _approval(sources: Sources) -> ApprovalShown | None:
    """The approval of a real table that names another game."""
    document, named = sources.rulebook.document, sources.rulebook.document.names_another_game
    if named is None or sources.table.setup.training:
        return None
    return ApprovalShown(named, sources.house.form.not_covered_decided_by, document.approval)


def _decides_held(sources: Sources) -> Post:
    decider = decider_of_the_rest(sources.rulebook.document.authority.not_covered)
    return decider.post_at(sources.house.form)


def _by(grant: Grant | None) -> ByPost | None:
    return ByPost(grant.post, grant.clause) if grant else None


def _methods(sources: Sources) -> tuple[MethodShown, ...]:
    """The methods that suit the table's area and device."""
    document, setup = sources.rulebook.document, sources.table.setup
    methods = document.methods.method if document.methods else ()
    return tuple(
        MethodShown(each.id, ByPost(each.chosen_by.post, each.chosen_by.clause), each.drawn_by)
        for each in methods
        if suits(document, each, setup.area, setup.device) is None
    )
