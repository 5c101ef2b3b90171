"""Stops and changes that are planned while a table plays, and that it carries out by itself."""

from thirdcard.game import commands as cmd
from thirdcard.game import events as ev
from thirdcard.game.desk import Desk
from thirdcard.game.planned import Stop, changed
from thirdcard.game.set_up import posting, refuse_change
from thirdcard.game.shoe_loading import is_in_use, is_to_close, refuse_kept_shoe, still_sealed
from thirdcard.game.state import Phase
from thirdcard.refusals import Refusal, Refused, refuse


def plan_stop(desk: Desk, body: cmd.StopAfterRound) -> Refused | None:
    """Plan that play stops after this round.

    Closing ends a sealed shoe, so the post that decides on new cards plans it while one is in use.
    """
    refused = desk.refuse_other_than_staff()
    sealed = is_in_use(desk.table.shoe) and still_sealed(desk) is not None
    if refused is None and body.stop is Stop.CLOSE and sealed:
        refused = refuse_kept_shoe(desk.table) or desk.house_authority(desk.house.form.new_cards_decided_by)
    if refused is None and body.stop is Stop.PAUSE and desk.table.paused:
        refused = refuse(Refusal.TABLE_PAUSED)
    if refused is None:
        desk.emit(ev.StopPlanned(stop=body.stop, reason=body.reason, by=desk.actor))
    return refused


def cancel_stop(desk: Desk) -> Refused | None:
    """Let the table play on after all."""
    refused = desk.refuse_other_than_staff()
    if refused is None and desk.table.stop is None:
        refused = refuse(Refusal.NOT_AWAITED)
    if refused is None:
        desk.emit(ev.StopCancelled(by=desk.actor))
    return refused


def stop_if_over(desk: Desk) -> None:
    """Pause or close the table as planned, once its round is over and a sealed shoe was laid open."""
    table, stop = desk.table, desk.table.stop
    if stop is None or table.phase is not Phase.IDLE:
        return
    if stop.stop is Stop.PAUSE:
        desk.emit(ev.TablePaused(reason=stop.reason))
    elif is_to_close(table) and still_sealed(desk) is None:
        desk.emit(ev.TableClosed(reason=stop.reason))


def plan_change(desk: Desk, body: cmd.ChangeTable) -> Refused | None:
    """Plan other limits and decks, which people have agreed to elsewhere; only the table itself does."""
    if desk.actor != desk.table.setup.table:
        return refuse(Refusal.NOT_PERMITTED)
    refused = refuse_change(desk.rulebook, desk.house, changed(desk.table.setup, body.change))
    if refused is None:
        desk.emit(ev.ChangePlanned(change=body.change, clauses=posting(desk.document)))
    return refused
