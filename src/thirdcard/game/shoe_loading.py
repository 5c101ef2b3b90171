"""The cards of a table"""

from thirdcard.clauses import Clause
from thirdcard.game import commands as cmd
from thirdcard.game import events as ev
from thirdcard.game.alarm_kinds import Alarm, AlarmKind
from thirdcard.game.desk import Desk, QueryDesk
from thirdcard.game.planned import Stop
from thirdcard.game.shoe import CARDS_IN_A_DECK, Shoe
from thirdcard.game.shoe_clauses import (
    clauses_of_choice,
    clauses_of_played_out,
    refuse_new_cards_due,
    shuffled_by,
)
from thirdcard.game.state import Phase, Table
from thirdcard.refusals import Refusal, Refused, refuse
from thirdcard.rulebook.document import Document
from thirdcard.rulebook.irregularity import FreeHand


def refuse_decks(document: Document, decks: int) -> Refused | None:
    """Refuse a number of decks that the document does not permit."""
    rule = document.decks
    if rule.least <= decks <= rule.most:
        return None
    clauses = (rule.clause,) if rule.clause else ()
    return refuse(Refusal.DECKS_NOT_PERMITTED, *clauses, decks=decks, least=rule.least, most=rule.most)


def load_shoe(desk: Desk, body: cmd.LoadShoe) -> Refused | None:
    """Load new cards; while a shoe is in use only the post that decides on new cards may.

    Without a void or another reason a shoe that must be finished is kept. With wagers down new cards come
    only because these must go.
    """
    clause = desk.document.decks.clause
    clauses = (clause,) if clause else ()
    refused = (
        _fit_for_a_shoe(desk.document, body, clauses)
        or may_replace_cards(desk)
        or _with_wagers_down(desk.table)
        or refuse_free_hand_owed(desk.table)
        or refuse_kept_shoe(desk.table)
        or still_sealed(desk)
    )
    if refused:
        return refused
    cards = body.decks * CARDS_IN_A_DECK
    if body.seal is not None and body.seal.cards != cards:
        return refuse(Refusal.WRONG_NUMBER_OF_CARDS, *clauses, needed=cards)
    number = desk.table.shoes + 1
    loaded = ev.ShoeLoaded(
        number=number,
        decks=body.decks,
        cards=cards,
        seal=body.seal,
        shuffle=body.shuffle,
        clauses=(*clauses, *shuffled_by(desk.document)) if body.shuffle else clauses,
    )
    gone = dict.fromkeys(each.clause for each in desk.table.free_hands if each.places)
    desk.emit(loaded)
    if body.shuffle is None and body.seal is None and desk.house.form.settings.shuffle_record == "required":
        alarm = Alarm(AlarmKind.NO_SHUFFLE_RECORD)
        desk.emit(ev.AlarmRaised(alarm=alarm, by=desk.actor, clauses=shuffled_by(desk.document)))
    for each in gone:
        desk.emit(no_free_hand(each))
    return None


def no_free_hand(clause: Clause) -> ev.EffectCarriedOut:
    """Say that a free hand is not given, because the cards that were to begin it do not wait any more."""
    tag = str(FreeHand.__struct_config__.tag)
    return ev.EffectCarriedOut(effect=tag, done=False, lapsed=True, clauses=(clause,))


def _fit_for_a_shoe(document: Document, body: cmd.LoadShoe, clauses: tuple[Clause, ...]) -> Refused | None:
    refused = refuse_decks(document, body.decks)
    if refused:
        return refused
    if body.jokers:
        return refuse(Refusal.JOKERS_NOT_PERMITTED, *clauses)
    if not body.same_backs:
        return refuse(Refusal.BACKS_MUST_BE_ALIKE, *clauses)
    return None


def may_replace_cards(desk: Desk) -> Refused | None:
    """Anybody on duty, and the table itself, where no shoe is in use; else who decides on new cards."""
    refused = desk.refuse_other_than_staff()
    if refused:
        return refused
    if not is_in_use(desk.table.shoe):
        return None
    return desk.house_authority(desk.house.form.new_cards_decided_by)


def is_to_close(table: Table) -> bool:
    """Whether the table closes as soon as its shoe is open: no round is under way, nor owed from it."""
    closes = table.stop is not None and table.stop.stop is Stop.CLOSE and table.phase is Phase.IDLE
    return closes and not (table.open_cases or refuse_free_hand_owed(table) or refuse_kept_shoe(table))


def is_in_use(shoe: Shoe | None) -> bool:
    """Whether a shoe is neither opened nor over, nor to be replaced."""
    over = shoe is None or shoe.opened or shoe.doubted_by is not None or shoe.new_cards_due
    return shoe is not None and not over and shoe.rounds_left != 0 and shoe.left != 0


def still_sealed(desk: QueryDesk) -> Refused | None:
    """A sealed shoe is laid open before anything takes its place, so that none is ever put away unseen."""
    shoe = desk.table.shoe
    sealed = shoe is not None and shoe.seal is not None and not shoe.opened
    return refuse(Refusal.SHOE_NOT_OPENED) if sealed else None


def _with_wagers_down(table: Table) -> Refused | None:
    shoe = table.shoe
    between = table.phase in (Phase.SHUT, Phase.IDLE)
    due = shoe is not None and (shoe.new_cards_due or shoe.doubted_by is not None)
    if between or due:
        return None
    return refuse(Refusal.NOT_IN_THIS_PHASE, phase=f"@phase.{table.phase.value}")


def refuse_free_hand_owed(table: Table) -> Refused | None:
    """A free hand that is owed is dealt from this shoe, unless its cards must go."""
    shoe = table.shoe
    owed = table.free_hand_by is not None and shoe is not None and shoe.left > 0
    if not owed or shoe is None or shoe.new_cards_due or shoe.doubted_by is not None:
        return None
    return refuse(Refusal.FREE_HAND_DUE, *((table.free_hand_by,) if table.free_hand_by else ()))


def refuse_kept_shoe(table: Table) -> Refused | None:
    """A shoe that a clause keeps is played to its end, unless another asks for new cards."""
    shoe = table.shoe
    if shoe is None or shoe.keep_by is None or shoe.doubted_by is not None:
        return None
    if shoe.new_cards_due or shoe.rounds_left == 0:
        return None
    return refuse(Refusal.SHOE_IS_KEPT, shoe.keep_by)


def open_shoe(desk: Desk, body: cmd.OpenShoe) -> Refused | None:
    """Lay a sealed shoe open, which ends it; before its end only the post that decides on new cards may.

    Where the table is to close, that post has decided before.
    """
    shoe = desk.table.shoe
    own = desk.refuse_other_than_staff() if is_to_close(desk.table) else may_replace_cards(desk)
    refused = own or _with_wagers_down(desk.table)
    if refused:
        return refused
    if shoe is None:
        return refuse(Refusal.NO_CARDS_LOADED)
    if shoe.seal is None or shoe.opened:
        return refuse(Refusal.NOT_AWAITED)
    kept = refuse_kept_shoe(desk.table)
    if kept:
        return kept
    if len(body.order) != shoe.seal.cards:
        return refuse(Refusal.WRONG_NUMBER_OF_CARDS, needed=shoe.seal.cards)
    desk.emit(ev.ShoeOpened(number=shoe.number, order=body.order, secret=body.secret))
    return None


def cut_cards(desk: Desk, body: cmd.CutCards) -> Refused | None:
    """Cut the cards before the first one leaves the shoe; a sealed shoe is cut once."""
    shoe = desk.table.shoe
    if shoe is None:
        return refuse(Refusal.NO_CARDS_LOADED)
    cards = tuple(item.clause for item in desk.document.equipment if item.id == "cutting-card")
    if shoe.places.faces or (shoe.seal is not None and shoe.cut_depth is not None):
        return refuse(Refusal.NOT_AWAITED, *cards)
    most = shoe.decks * CARDS_IN_A_DECK - 1
    if not 1 <= body.depth <= most:
        return refuse(Refusal.CUT_OUT_OF_RANGE, *cards, most=most)
    desk.emit(ev.CardsCut(by=desk.actor, depth=body.depth, clauses=cards))
    return None


def not_cut(desk: QueryDesk) -> Refused | None:
    """A sealed shoe is cut before a card is taken from it, so that nobody can have chosen its first card."""
    shoe = desk.table.shoe
    uncut = shoe is not None and shoe.seal is not None and shoe.cut_depth is None and not shoe.rounds
    return refuse(Refusal.CARDS_NOT_CUT) if uncut else None


def may_begin(desk: QueryDesk) -> Refused | None:
    """Why no round can begin with these cards."""
    table, shoe = desk.table, desk.table.shoe
    if is_to_close(table):
        return refuse(Refusal.TABLE_CLOSES)
    if shoe is None:
        return refuse(Refusal.NO_CARDS_LOADED)
    if shoe.new_cards_due:
        return refuse_new_cards_due(shoe)
    if shoe.doubted_by is not None:
        return refuse(Refusal.CARDS_IN_DOUBT, shoe.doubted_by)
    if shoe.patrons_choose:
        return refuse(Refusal.PATRONS_CHOOSE_CARDS, *clauses_of_choice(desk))
    if shoe.rounds_left == 0 or (shoe.left == 0 and not table.strays):
        return refuse(Refusal.SHOE_PLAYED_OUT, *clauses_of_played_out(desk))
    assert table.phase is Phase.IDLE
    return not_cut(desk)
