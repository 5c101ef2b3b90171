"""The end of a round: the outcome is called, every wager is settled, and the table is ready for the next."""

from msgspec.structs import replace

from thirdcard.clauses import Clause
from thirdcard.game import events as ev
from thirdcard.game.attendance import is_here
from thirdcard.game.decided_payments import count_decided, is_decided_about, set_off
from thirdcard.game.desk import Desk, QueryDesk
from thirdcard.game.handed import given_by
from thirdcard.game.limits import InAction, in_action
from thirdcard.game.settlement import Result, deciding_row, settle_wager
from thirdcard.game.shoe import NewCards
from thirdcard.game.state import PlacedWager, SettledWager
from thirdcard.refusals import Refused
from thirdcard.rulebook.book import OddsRow
from thirdcard.rulebook.facts import Facts, Winner
from thirdcard.rulebook.irregularity import Method, Situation

RETURNED = "returned"
STOOD_OFF = Result.STOOD_OFF.value


def cards_decide(desk: QueryDesk) -> tuple[Clause, ...]:
    """The clauses by which the cards decide, whatever was said or shown of them."""
    rows = (row for row in desk.document.irregularities if row.situation is Situation.WRONG_CALL)
    return tuple(row.clause for row in rows if row.clause)


def call_outcome(
    desk: Desk, winner: Winner, totals: tuple[int | None, int | None] = (None, None)
) -> Refused | None:
    """Call the outcome; whatever was called, the cards decide the settlement."""
    current = desk.table.round
    assert current is not None
    assert current.facts is not None
    clauses = desk.document.round.result_call
    right = (current.facts.player_total, current.facts.banker_total)
    wrong_total = any(said not in (None, total) for said, total in zip(totals, right, strict=True))
    if winner is not current.facts.winner or wrong_total:
        clauses = (*clauses, *cards_decide(desk))
    player, banker = totals
    desk.emit(ev.OutcomeCalled(winner=winner, by=desk.actor, player=player, banker=banker, clauses=clauses))
    if not current.free:
        settle_round(desk, current.facts)
    end_round(desk)
    return None


def settle_round(desk: Desk, facts: Facts) -> None:
    """Settle every wager on the cards, and mark whose wager under the minimum was paid or collected."""
    lying, wagers = desk.table.wagers, desk.rulebook.wagers
    acting = in_action(desk.document, desk.house, desk.table)
    rows = {kind: deciding_row(wagers[kind], facts) for kind in {wager.wager for wager in lying}}
    alike: dict[tuple[object, ...], SettledWager] = {}  # equal stakes on a wager differ by their owners
    settled, marked = list[SettledWager](), dict[str, tuple[Clause, ...]]()
    for wager in lying:
        part = acting[wager.id]
        told = (wager.wager, wager.stake, wager.pulled, wager.held, part.amount, part.clauses)
        line = alike.get(told)
        if line is None:
            line = alike[told] = _settled(desk, wager, part, rows[wager.wager])
        else:
            line = replace(line, id=wager.id, patron=wager.patron, position=wager.position)
        settled.append(line)
        if part.marks and line.result != STOOD_OFF:
            marked[line.patron] = part.clauses
    desk.emit(ev.RoundSettled(wagers=tuple(settled), clauses=(desk.document.round.ends.clause,)))
    if is_decided_about(desk.table) or (desk.table.round is not None and desk.table.round.claims):
        given = given_by(settled)
        given.subtract(count_decided(desk, given, cards_decide(desk)))
        set_off(desk, given, (desk.document.round.ends.clause,))
    for patron, clauses in marked.items():
        desk.emit(ev.PatronMarked(patron=patron, round=desk.table.rounds, clauses=clauses))


def settle_again(desk: QueryDesk, line: SettledWager, facts: Facts) -> SettledWager:
    """Settle a wager of an earlier round by other facts: what of it was in action stays so."""
    kind = desk.rulebook.wagers[line.wager]
    by_cards = {*kind.lost, *(clause for row in kind.rows for clause in row.clauses)}
    acting = InAction(line.in_action, tuple(each for each in line.clauses if each not in by_cards))
    lay = PlacedWager(
        id=line.id,
        patron=line.patron,
        position=line.position,
        wager=line.wager,
        stake=line.stake,
        order=0,
        pulled=line.pulled,
        held=line.held,
    )
    return _settled(desk, lay, acting, deciding_row(kind, facts))


def _settled(desk: QueryDesk, wager: PlacedWager, acting: InAction, row: OddsRow | None) -> SettledWager:
    """One wager by the row that decides it, for the part of it that is in action."""
    if acting.amount == 0:
        return SettledWager(
            id=wager.id,
            patron=wager.patron,
            position=wager.position,
            wager=wager.wager,
            stake=wager.stake,
            in_action=0,
            result=RETURNED,
            back=wager.lying,
            pulled=wager.pulled,
            held=wager.held,
            clauses=acting.clauses,
        )
    result = settle_wager(desk.rulebook.wagers[wager.wager], row, acting.amount, desk.house)
    taken, cut_down = acting.amount if result.result is Result.LOST else 0, acting.clauses
    return SettledWager(
        id=wager.id,
        patron=wager.patron,
        position=wager.position,
        wager=wager.wager,
        stake=wager.stake,
        in_action=acting.amount,
        result=result.result.value,
        back=max(wager.lying - taken, 0),
        odds=result.odds.text if result.odds else None,
        paid=result.paid,
        taken=taken,
        commission=result.commission,
        rounded_over=result.rounded_over,
        rounded_of=result.rounded_of,
        pulled=wager.pulled,
        held=wager.held,
        clauses=tuple(dict.fromkeys((*cut_down, *result.clauses))) if cut_down else result.clauses,
    )


def end_round(desk: Desk) -> None:
    """The round is over: the device may change hands, the shoe may be played out."""
    current = desk.table.round
    assert current is not None
    _release_device(desk)
    desk.emit(ev.RoundEnded(number=current.number, clauses=(desk.document.round.ends.clause,)))
    shoe = desk.table.shoe
    assert shoe is not None
    own = shoe.number == current.shoe  # new cards may have been loaded since
    policy = desk.document.free_hand
    clauses = (policy.as_last_hand,) if policy and current.free else ()
    if current.last and own and shoe.rounds_left != 0:
        desk.emit(ev.ShoeEnded(clauses=clauses))
    announced = current.last and own and desk.table.last_announced and not current.void
    if announced and clauses:  # no free hand comes after it, whatever is owed
        desk.emit(ev.CardReplacementDue(need=NewCards.SHALL, clauses=clauses))


def give_device_back(desk: Desk) -> None:
    """Give the device back to the patron who lost it by a settlement that is undone: no wager has lost."""
    current, methods, holder = desk.table.round, desk.document.methods, desk.table.device_holder
    patron = current.device_lost_by if current else None
    if patron is None or methods is None or desk.table.method is not Method.C or not is_here(desk, patron):
        return
    clauses = (methods.control.kept,)
    if holder is not None:
        desk.emit(ev.DeviceReleased(patron=holder, clauses=clauses))
    desk.emit(ev.DeviceTaken(patron=patron, clauses=clauses))


def _release_device(desk: Desk) -> None:
    """A patron who draws loses the device when a wager loses; a tie is no loss of a wager on the hands."""
    holder, methods, current = desk.table.device_holder, desk.document.methods, desk.table.round
    if holder is None or methods is None or current is None or desk.table.method is not Method.C:
        return
    own = [each for each in current.settled if each.patron == holder]
    clause: Clause = methods.control.wager_loses
    if sum(each.paid - each.taken for each in own) < 0:
        desk.emit(ev.DeviceReleased(patron=holder, clauses=(clause,)))
