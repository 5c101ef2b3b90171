"""Whether other cards come: patrons choose where they may, and a post finds a set whole or not."""

from thirdcard.clauses import Clause
from thirdcard.game import commands as cmd
from thirdcard.game import events as ev
from thirdcard.game.attendance import is_here
from thirdcard.game.causes import Cause
from thirdcard.game.desk import Desk, QueryDesk
from thirdcard.game.irregularities.cases import see
from thirdcard.game.shoe import NewCards
from thirdcard.game.shoe_clauses import clauses_of_choice
from thirdcard.refusals import Refusal, Refused, refuse
from thirdcard.rulebook.document import Document
from thirdcard.rulebook.irregularity import CardNeed, ReplaceCards, Situation


def may_choose(desk: QueryDesk) -> bool:
    """Whether the patrons are asked now: the hand is over, and not all have said what they want."""
    shoe = desk.table.shoe
    return shoe is not None and shoe.patrons_choose and desk.round is None and not shoe.new_cards_due


def not_chosen(desk: QueryDesk) -> tuple[str, ...]:
    """The patrons who are still to choose; whoever has left is not waited for."""
    shoe = desk.table.shoe
    if shoe is None or not may_choose(desk):
        return ()
    said = {patron for patron, _ in shoe.chosen}
    return tuple(each for each in shoe.choosers if each not in said and is_here(desk, each))


def choose_cards(desk: Desk, body: cmd.ChooseCards) -> Refused | None:
    """Each patron says whether new cards come.

    Where none is left who was asked, the staff let the shoe go on, and new cards are up to the post of the
    house.
    """
    shoe = desk.table.shoe
    if shoe is not None and shoe.doubted_by is not None:
        return _look_through_cards(desk, shoe.doubted_by, replace_them=body.replace)
    if shoe is None or not may_choose(desk):
        return refuse(Refusal.NOT_AWAITED)
    asked = [each for each in shoe.choosers if is_here(desk, each)]
    staff = desk.is_staff(desk.actor)
    if not asked and staff:
        post = desk.house.form.new_cards_decided_by
        refused = desk.house_authority(post) if body.replace else None
        if refused is None:
            _go_by(desk, replace_them=body.replace)
        return refused
    patron = body.patron or (None if staff else desk.actor)
    if patron is None:
        return refuse(Refusal.FACTS_NEEDED, facts="patron")
    if patron not in asked:
        stranger = refuse(Refusal.UNKNOWN_PATRON, patron=patron)
        return refuse(Refusal.NOT_AWAITED) if is_here(desk, patron) else stranger
    if not staff and patron != desk.actor:
        return refuse(Refusal.NOT_YOURS, patron=patron)
    desk.emit(ev.CardsChosen(patron=patron, replace=body.replace, clauses=clauses_of_choice(desk)))
    return conclude(desk)


def end_choice(desk: Desk) -> Refused | None:
    """The time is up: whoever has said nothing lets the shoe go on."""
    shoe = desk.table.shoe
    if shoe is not None and may_choose(desk) and not any(is_here(desk, each) for each in shoe.choosers):
        _go_by(desk, replace_them=False)
    for patron in not_chosen(desk):
        desk.emit(ev.CardsChosen(patron=patron, replace=False, clauses=clauses_of_choice(desk)))
    return conclude(desk)


def conclude(desk: Desk) -> Refused | None:
    """When all have chosen it goes by what they want; where they disagree no clause says who is right."""
    shoe = desk.table.shoe
    if shoe is None or not may_choose(desk) or not_chosen(desk) or desk.table.open_cases:
        return None
    wishes = {new for patron, new in shoe.chosen if is_here(desk, patron)}
    if len(wishes) > 1:
        not_covered = cmd.ReportIrregularity(situation=Situation.NOT_COVERED)
        return see(desk, not_covered, Cause.PATRONS_DISAGREE)
    for wish in wishes:
        _go_by(desk, replace_them=wish)
    return None


def _go_by(desk: Desk, *, replace_them: bool) -> None:
    need = NewCards.SHALL if replace_them else NewCards.KEEP
    desk.emit(ev.CardReplacementDue(need=need, clauses=clauses_of_choice(desk)))


def _refuse_whole(desk: QueryDesk, clause: Clause) -> Refused | None:
    """Refuse that a set is whole of which somebody has taken cards along who has not come back."""
    current = desk.table.round
    if current is None or Situation.PATRON_LEFT_WITH_CARDS not in current.noted:
        return None
    for each in (*current.declined, *current.had):
        if not is_here(desk, each.patron):
            return refuse(Refusal.CARDS_TAKEN_ALONG, clause, patron=each.patron)
    return None


def _look_through_cards(desk: Desk, clause: Clause, *, replace_them: bool) -> Refused | None:
    """A post says that the set of cards is whole, or that new ones come."""
    refused = desk.house_authority(desk.house.form.new_cards_decided_by)
    refused = refused or (None if replace_them else _refuse_whole(desk, clause))
    if refused:
        return refused
    need = NewCards.SHALL if replace_them else NewCards.WHOLE
    procedure = _found_by(desk.document)
    clauses = () if procedure else (clause,)
    desk.emit(ev.CardReplacementDue(need=need, procedure=procedure, clauses=clauses))
    return None


def _found_by(document: Document) -> str | None:
    """The procedure of the house by which a set is found whole; none where a clause asks for whole decks."""
    effects = (effect for row in document.irregularities for effect in row.effects)
    asks = (each for each in effects if isinstance(each, ReplaceCards) and each.need is CardNeed.WHOLE_OR_NEW)
    return next((each.procedure for each in asks), None)
