"""Opening and closing of bets, and everything that happens to a wager before the cards."""

from thirdcard.clauses import Clause, each_once
from thirdcard.game import commands as cmd
from thirdcard.game import events as ev
from thirdcard.game.attendance import is_here
from thirdcard.game.chips import refuse_without_opener
from thirdcard.game.desk import DEALER, Desk, QueryDesk
from thirdcard.game.limits import gap_of, heavier_hand
from thirdcard.game.set_up import clauses_beyond, posting
from thirdcard.game.settlement import refuse_wager
from thirdcard.game.shoe_loading import may_begin
from thirdcard.game.state import Hand, Phase, PlacedWager, Table
from thirdcard.game.terminal_credits import about_credits
from thirdcard.money import format_amount
from thirdcard.refusals import Refusal, Refused, refuse
from thirdcard.rulebook.document import Document
from thirdcard.rulebook.house import BOTH_HANDS, HAND_BACK
from thirdcard.rulebook.irregularity import (
    AllowIncrease,
    Irregularity,
    RefuseWager,
    RequireAlteration,
    Situation,
    Stage,
    circumstances,
)

SCANNER = "uv-scanner"


def open_betting(desk: Desk) -> Refused | None:
    """The opening call; at most houses it begins the round."""
    refused = may_begin(desk)
    new_cards = refused is not None and refused.reason in (Refusal.NEW_CARDS_DUE, Refusal.CARDS_IN_DOUBT)
    if desk.table.free_hand_by is not None and not new_cards:
        return refuse(Refusal.FREE_HAND_DUE, desk.table.free_hand_by)
    refused = refused or refuse_without_opener(desk)
    if refused:
        return refused
    rules = desk.document.round
    if desk.table.change is not None:
        desk.emit(ev.TableChanged(change=desk.table.change, clauses=posting(desk.document)))
    desk.emit(ev.BettingOpened(call=rules.opening.calls[0], clauses=(rules.opening.clause,)))
    if rules.begins.at == "opening-call":
        begin_round(desk, free=False)
    return None


def begin_round(desk: Desk, *, free: bool) -> None:
    """The round begins and gets its number; the method is fixed with it.

    One that has begun, and of which no card is out, begins again as a free hand.
    """
    shoe, methods = desk.table.shoe, desk.document.methods
    assert shoe is not None
    last = shoe.rounds_left == 1 or (desk.table.last_announced and shoe.rounds_left != 0)
    clauses = (desk.document.round.begins.clause, *((methods.clause,) if methods else ()))
    number = desk.round.number if desk.round is not None else desk.table.rounds + 1
    began = ev.RoundBegan(number=number, method=desk.table.method, free=free, last=last, clauses=clauses)
    desk.emit(began)


def close_betting(desk: Desk) -> Refused | None:
    """The closing call, also after a first card that came without it; an exceeded differential is flagged."""
    closing, before_cards = desk.document.round.closing, desk.table.phase is Phase.BETTING
    desk.emit(ev.BettingClosed(call=closing.calls[0], clauses=(closing.clause,)))
    if before_cards:
        flag_differential(desk)
    return None


def deal_now(desk: Desk, body: cmd.DealNow) -> Refused | None:
    """End betting for its only patron, at a table without a Dealer; other patrons have the whole time."""
    if desk.actor != body.patron:
        return refuse(Refusal.NOT_YOURS, patron=body.patron)
    if has_dealer(desk.table):
        return refuse(Refusal.DEALER_ONLY, desk.document.round.closing.clause)
    if not is_here(desk, body.patron):
        return refuse(Refusal.UNKNOWN_PATRON, patron=body.patron)
    if concerned(desk.table) != {body.patron}:
        return refuse(Refusal.NOT_ALONE)
    if not desk.table.wagers:
        return refuse(Refusal.HAS_NO_WAGER, patron=body.patron)
    return close_betting(desk)


def has_dealer(table: Table) -> bool:
    """Whether a Dealer is on duty."""
    return any(each.post == DEALER for each in table.staff)


def concerned(table: Table) -> set[str]:
    """Return the patrons who are here or have a wager here."""
    here = {each.name for each in table.patrons if not each.gone}
    return here | {each.patron for each in table.wagers}


def is_call_owed(table: Table) -> bool:
    """Whether the closing call can still be made, after a first card that came without it."""
    return table.uncalled and table.phase in (Phase.CLOSED, Phase.DEALING, Phase.OUTCOME)


def flag_differential(desk: Desk) -> None:
    """Say that the differential is exceeded, if it is."""
    limits, limit = desk.document.limits, desk.table.setup.differential
    if limits and limits.differential and (gap := gap_of(desk.table)) > limit:
        clauses = (limits.differential.clause, limits.differential.limit_clause)
        heavier = heavier_hand(desk.table)
        desk.emit(ev.DifferentialExceeded(gap=gap, limit=limit, heavier=heavier, clauses=clauses))


def place_wager(desk: Desk, body: cmd.PlaceWager) -> Refused | None:
    """Place a wager or add to it; too late at the felt it is handed back, at a terminal it is refused."""
    by = placed_by(desk, body.patron)
    if isinstance(by, Refused):
        return by
    refused = _form(desk, body) or refuse_place(desk, body.patron, body.position)
    if refused:
        return refused
    refused = refuse_wager(desk.rulebook, desk.house, body.wager, body.amount)
    if refused:
        return refused
    table = desk.table
    lying = wagers_at(desk, body.wager, body.position)
    existing = own_wager(lying, body.patron) if lying else None
    if existing is not None and existing.held:
        return refuse_held(desk, existing)
    if table.phase is not Phase.BETTING and not may_increase(desk, body.patron, body.wager, body.position):
        heavier = _refuse_raise(desk, body) if existing and _altering(desk) else None
        return heavier or _too_late(desk, body)  # a new wager is late, on whichever hand
    free = no_wagers(desk)
    if free:
        return _not_taken(desk, body, free)
    others = 0 if existing else len(lying)
    refused = _owners(desk, others) if others else None
    if desk.house.form.settings.both_hands != "allow":
        refused = refused or _other_hand(desk, body)
    refused = refused or (_refuse_raise(desk, body) if table.decrease_asked else None)
    if refused:
        return refused
    if table.setup.terminal and table.credits_of(body.patron) < body.amount:
        return refuse(Refusal.CREDITS_SHORT, *about_credits(desk))
    breach = _limits(desk, body, body.amount + existing.stake if existing else body.amount)
    if breach:
        return _not_taken(desk, body, breach)
    placed = ev.WagerPlaced(
        id=existing.id if existing else table.next_wager,
        patron=body.patron,
        position=body.position,
        wager=body.wager,
        amount=body.amount,
        placed_by=desk.actor if desk.actor != body.patron else None,
        clauses=placing_clauses(desk, body.wager, by),
    )
    desk.emit(placed)
    return None


def refuse_held(desk: QueryDesk, wager: PlacedWager) -> Refused:
    """Refuse chips that come to a wager, or are taken from it, while it is held as suspected."""
    clauses = suspicion_clauses(desk.document)
    return refuse(Refusal.HELD_AS_SUSPECTED, *clauses, patron=wager.patron, wager=wager.wager)


def suspicion_clauses(document: Document) -> tuple[Clause, ...]:
    """The clause about suspected money, and the one by which it is decided, where the document has them."""
    scanned = tuple(item.clause for item in document.equipment if item.id == SCANNER)
    post = document.authority.not_covered
    return (*scanned, *((post.clause,) if post else ()))


def placing_clauses(desk: QueryDesk, wager: str, by: tuple[Clause, ...]) -> tuple[Clause, ...]:
    """Return the clauses by which a wager is placed, with those that let it be increased after closing."""
    placed = desk.rulebook.wagers[wager].placed
    closed = desk.table.phase is Phase.CLOSED
    allowed = increase_clauses(desk) if closed and _altering(desk) else ()
    return each_once((*placed, *by, *allowed)) if by or allowed else placed


def wagers_at(desk: QueryDesk, wager: str, position: int | None) -> list[PlacedWager]:
    """Every wager of a kind at a position."""
    return [each for each in desk.table.wagers if each.position == position and each.wager == wager]


def own_wager(lying: list[PlacedWager], patron: str) -> PlacedWager | None:
    """A patron's wager among those at a position; chips that were taken away do not lie there any more."""
    for each in lying:
        if each.patron == patron and each.stake > each.pulled:
            return each
    return None


def placed_by(desk: Desk, patron: str) -> tuple[Clause, ...] | Refused:
    """By what right the actor places a wager for a patron: their own, or as staff on request."""
    if desk.actor == patron:
        return ()
    limits = desk.document.limits
    grants = limits.placed_by_staff if limits else ()
    for grant in grants:
        by = desk.authority(grant)
        if not isinstance(by, Refused):
            return by
    if not grants and desk.is_staff(desk.actor) and not desk.table.setup.terminal:
        return ()  # a document that is silent leaves the entry of chips on the felt to the staff
    return refuse(Refusal.NOT_YOURS, *dict.fromkeys(grant.clause for grant in grants), patron=patron)


def _form(desk: QueryDesk, body: cmd.PlaceWager) -> Refused | None:
    """Chips on a playing area; at a terminal credits stand for chips."""
    rules, terminal = desk.document.round, desk.table.setup.terminal
    taken = body.money in (None, "chips") or (body.money == "credits" and terminal)
    if rules.chips_only and not taken:
        return refuse(Refusal.CHIPS_ONLY, rules.chips_only)
    if terminal and body.money not in (None, "credits"):
        return refuse(Refusal.CREDITS_ARE_NO_CHIPS, *about_credits(desk))
    if not body.in_area:
        wager = desk.rulebook.wagers.get(body.wager)
        clauses = (*(wager.placed[:1] if wager else ()), *((rules.chips_only,) if rules.chips_only else ()))
        return refuse(Refusal.OUTSIDE_PLAYING_AREA, *clauses)
    return None


def refuse_place(desk: QueryDesk, patron: str, position: int | None) -> Refused | None:
    """Why a patron cannot have a wager at a position."""
    known = desk.table.patron(patron)
    if known is None or known.gone:
        return refuse(Refusal.UNKNOWN_PATRON, patron=patron)
    return refuse_position(desk, position)


def refuse_position(desk: QueryDesk, position: int | None) -> Refused | None:
    """Why no wager can lie at a position."""
    positions = desk.table.setup.positions
    if desk.document.table == "terminal":  # terminals of a live game each have their place at its layout
        return None if position is None else refuse(Refusal.UNKNOWN_POSITION, position=position, most=0)
    if position is None:
        return refuse(Refusal.POSITION_NEEDED, most=positions)
    if not 1 <= position <= positions:
        beyond = clauses_beyond(desk, position)
        return refuse(Refusal.UNKNOWN_POSITION, *beyond, position=position, most=positions)
    return None


def _altering(desk: QueryDesk) -> bool:
    """Between closing and the first card wagers may still change, while the differential is exceeded."""
    if desk.table.phase is not Phase.CLOSED or not is_exceeded(desk):
        return False
    return desk.table.decrease_asked or _must_alter(desk)


def may_decrease(desk: QueryDesk, wager: str) -> bool:
    """Whether a wager may be decreased after closing: on the heavier hand, until the differential is met."""
    return _altering(desk) and wager == heavier_hand(desk.table).value


def may_increase(desk: QueryDesk, patron: str, wager: str, position: int | None) -> bool:
    """Whether a wager may be increased after closing: one that lies on the lighter hand, by a clause."""
    if not _altering(desk):
        return False
    lies = own_wager(wagers_at(desk, wager, position), patron) is not None
    lighter = wager in ("player", "banker") and wager != heavier_hand(desk.table).value
    return lies and lighter and bool(increase_clauses(desk))


def increase_clauses(desk: QueryDesk) -> tuple[Clause, ...]:
    """The clauses that let the lighter hand increase; without one nobody raises after the closing call."""
    return tuple(each.clause for each in desk.document.policies_of(AllowIncrease))


def _must_alter(desk: QueryDesk) -> bool:
    return bool(desk.document.policies_of(RequireAlteration))


def is_exceeded(desk: QueryDesk) -> bool:
    """Whether the stakes on the two hands differ by more than the differential."""
    return gap_of(desk.table) > desk.table.setup.differential


def differential_row(desk: QueryDesk) -> Irregularity | None:
    """Return what the document says about an exceeded differential before the first card."""
    for row in desk.document.irregularities:
        if row.situation is Situation.DIFFERENTIAL_EXCEEDED:
            stages = circumstances(row).get("stage", frozenset())
            if Stage.BEFORE_FIRST_CARD in stages:
                return row
    return None


def _too_late(desk: Desk, body: cmd.PlaceWager) -> Refused | None:
    """Refuse what comes after closing: at the felt it is recorded and handed back."""
    phase = desk.table.phase
    if phase in (Phase.SHUT, Phase.IDLE):
        return refuse(
            Refusal.NOT_IN_THIS_PHASE, desk.document.round.opening.clause, phase=f"@phase.{phase.value}"
        )
    return _not_taken(desk, body, no_wagers(desk) or refuse_late(desk))


def refuse_late(desk: QueryDesk) -> Refused:
    """Betting is closed: the refusal of a stake, with the clause about late ones where there is one.

    Until the closing call no such clause holds: a first card that came before it stops betting, and the post
    for what no rule covers decides where a clause names one.
    """
    post = desk.document.authority.not_covered
    clauses = tuple(each.clause for each in desk.document.policies_of(RefuseWager))
    if desk.table.uncalled and post is not None:
        clauses = (post.clause,)
    return refuse(Refusal.BETTING_CLOSED, *clauses)


def no_wagers(desk: QueryDesk) -> Refused | None:
    """Why no wager is taken at all: the hand that is dealt, or the next one, is a free hand."""
    policy = desk.document.free_hand
    if policy is None:
        return None
    if desk.round is not None:
        return refuse(Refusal.FREE_HAND_UNDER_WAY, policy.wagers_removed) if desk.round.free else None
    due = desk.table.free_hand_by is not None
    return refuse(Refusal.FREE_HAND_DUE, policy.wagers_removed) if due else None


def _not_taken(desk: Desk, body: cmd.PlaceWager, why: Refused) -> Refused | None:
    """A wager that is not taken: a terminal refuses it, chips on the felt are handed back.

    A document that is silent about limits or late wagers leaves that to the house.
    """
    if desk.table.setup.terminal:
        return why
    back = ev.WagerHandedBack(
        patron=body.patron,
        position=body.position,
        wager=body.wager,
        amount=body.amount,
        why=why.reason.value,
        procedure=None if why.clauses else HAND_BACK,
        clauses=tuple(Clause(clause) for clause in why.clauses),
    )
    desk.emit(back)
    return None


def _owners(desk: QueryDesk, others: int) -> Refused | None:
    """Why nobody may join so many others on a playing area."""
    most, limits = desk.table.owners_per_area, desk.document.limits
    if most is None or others < most or limits is None or limits.owners_per_area is None:
        return None
    rule = limits.owners_per_area
    clause = rule.clause if most == rule.most else rule.fewer.clause
    return refuse(Refusal.PLAYING_AREA_FULL, clause, most=most)


def _other_hand(desk: QueryDesk, body: cmd.PlaceWager) -> Refused | None:
    """Refuse a second hand to a patron where the document leaves that to the house, which forbids it."""
    if not desk.rulebook.leaves_to_house(BOTH_HANDS):
        return None
    others = {Hand.PLAYER.value: Hand.BANKER.value, Hand.BANKER.value: Hand.PLAYER.value}
    other = others.get(body.wager)
    both = any(each.patron == body.patron and each.wager == other for each in desk.table.wagers)
    return refuse(Refusal.ONE_HAND_ONLY) if both else None


def _refuse_raise(desk: QueryDesk, body: cmd.PlaceWager) -> Refused | None:
    """Refuse more on the heavier hand until the differential is met, and too much on the lighter one."""
    if not desk.table.decrease_asked or not is_exceeded(desk) or body.wager not in ("player", "banker"):
        return None
    row = differential_row(desk)
    clauses = increase_clauses(desk) or ((row.clause,) if row and row.clause else ())
    if body.wager == heavier_hand(desk.table).value:
        return refuse(Refusal.HEAVIER_HAND_MAY_NOT_INCREASE, *clauses)
    most = gap_of(desk.table) + desk.table.setup.differential
    if body.amount <= most or desk.table.phase is Phase.BETTING:
        return None
    return refuse(Refusal.RAISE_TOO_HIGH, *clauses, most=format_amount(most, desk.house.currency))


def _limits(desk: QueryDesk, body: cmd.PlaceWager, stake: int) -> Refused | None:
    limit = desk.table.setup.limit_by_wager[body.wager]
    if limit.minimum <= stake <= limit.maximum:
        return None
    clauses = (desk.document.limits.posted,) if desk.document.limits else ()
    if stake < limit.minimum:
        least = format_amount(limit.minimum, desk.house.currency)
        return refuse(Refusal.UNDER_MINIMUM, *clauses, wager=body.wager, least=least)
    most = format_amount(limit.maximum, desk.house.currency)
    return refuse(Refusal.OVER_MAXIMUM, *clauses, wager=body.wager, most=most)
