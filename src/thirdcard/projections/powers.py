"""What the document and the house let staff do at a table: a console shows nothing that leads nowhere."""

from thirdcard.game.floor import suits
from thirdcard.projections.awaited import Due
from thirdcard.projections.questions import clauses_about, situations_of
from thirdcard.projections.sections import (
    ByPost,
    EquipmentShown,
    MethodShown,
    RulesSection,
    SituationShown,
)
from thirdcard.projections.sources import Sources
from thirdcard.rulebook.irregularity import RemoveWagers, SettleProRata
from thirdcard.rulebook.procedure import Grant


def rules_section(sources: Sources, _: Due) -> RulesSection:
    """What staff may do at this table, by whom and by which clause."""
    document, squeezing = sources.rulebook.document, sources.rulebook.document.squeezing
    owners = document.limits.owners_per_area if document.limits else None
    return RulesSection(
        posts=sources.house.form.posts,
        equipment=tuple(
            EquipmentShown(each.id, each.clause, each.if_required) for each in document.equipment
        ),
        least_decks=document.decks.least,
        most_decks=document.decks.most,
        burn=document.burn.clause if document.burn else None,
        cutting_card=document.cutting_card.clause if document.cutting_card else None,
        methods=_methods(sources),
        permits_drawing=_by(document.methods.control.without_wager) if document.methods else None,
        squeezed_on_request=squeezing.request if squeezing else None,
        permits_squeeze=_by(squeezing.permission) if squeezing else None,
        forbids_squeeze=_by(squeezing.prohibition) if squeezing else None,
        reveal_order=squeezing.reveal_order if squeezing else None,
        fewer_owners=_by(owners.fewer) if owners else None,
        removes_wagers=next(
            (ByPost(each.by, each.clause) for each in document.policies_of(RemoveWagers)), None
        ),
        settles_pro_rata=next((each.clause for each in document.policies_of(SettleProRata)), None),
        situations=tuple(
            SituationShown(each, clauses_about(document, each)) for each in situations_of(document)
        ),
    )


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
