"""Chips and cash that may be counterfeit: held, and decided by the post for what no rule covers."""

from thirdcard.game import commands as cmd
from thirdcard.game import events as ev
from thirdcard.game.betting import own_wager, suspicion_clauses, wagers_at
from thirdcard.game.closing import settle_alone
from thirdcard.game.desk import Desk, QueryDesk
from thirdcard.game.floor import is_here
from thirdcard.game.rounds import is_card_known
from thirdcard.game.rulings import may_decide
from thirdcard.game.state import HeldMoney, Phase, PlacedWager
from thirdcard.money import format_amount
from thirdcard.refusals import Refusal, Refused, refuse
from thirdcard.rulebook.house import BUY_IN, REFERRAL

IN_PLAY = (Phase.BETTING, Phase.CLOSED, Phase.DEALING, Phase.OUTCOME)


def hold_money(desk: Desk, body: cmd.HoldMoney) -> Refused | None:
    """Hold a wager, or money that was to buy chips or credits; once a card is known it takes two people."""
    if not desk.posts(desk.actor):
        return refuse(Refusal.NOT_STAFF)
    wager = _suspected(desk, body) if body.wager is not None else None
    if isinstance(wager, Refused):
        return wager
    amount = body.amount if wager is None else wager.lying
    if amount <= 0:
        return refuse(Refusal.STAKE_NOT_POSITIVE, stake=str(amount), wager=body.wager or "-")
    if not is_here(desk, body.patron) and wager is None:
        return refuse(Refusal.UNKNOWN_PATRON, patron=body.patron)
    known = wager is not None and desk.table.phase is not Phase.BETTING and is_card_known(desk)
    refused = desk.two_people() if known else None
    if refused:
        return refused
    held = ev.MoneyHeld(
        id=desk.table.suspicions + 1,
        patron=body.patron,
        amount=amount,
        round=_round_at_hand(desk) if wager else 0,
        wager=wager,
        by=desk.actor,
        second=desk.envelope.authoriser,
        procedure=REFERRAL if wager else BUY_IN,
        clauses=suspicion_clauses(desk.document),
    )
    desk.emit(held)
    return None


def _round_at_hand(desk: QueryDesk) -> int:
    """The round that is under way, or that betting is open for."""
    return desk.round.number if desk.round else desk.table.rounds + 1


def _suspected(desk: QueryDesk, body: cmd.HoldMoney) -> PlacedWager | Refused:
    """The wager whose chips are suspected: it lies there whole, and is no amount of credits."""
    if desk.table.setup.terminal:
        return refuse(Refusal.CREDITS_ARE_NO_CHIPS)
    if desk.table.phase not in IN_PLAY:
        return refuse(Refusal.NOT_IN_THIS_PHASE, phase=f"@phase.{desk.table.phase.value}")
    assert body.wager is not None
    found = own_wager(wagers_at(desk, body.wager, body.position), body.patron)
    if found is None:
        return refuse(Refusal.NO_SUCH_WAGER, patron=body.patron, wager=body.wager)
    if found.pulled:
        lying = format_amount(found.lying, desk.house.currency)
        return refuse(Refusal.LESS_ON_THE_WAGER, stake=lying)
    return found


def choices_about(desk: QueryDesk, held: HeldMoney) -> tuple[cmd.HeldChoice, ...]:
    """What can be decided about money that is held, as the round of its wager stands."""
    if held.wager is None or held.round == 0:
        return ("hand-back", "seize")
    if held.facts is not None:
        return ("settle", "hand-back", "seize")
    lies = desk.table.phase in IN_PLAY and held.round == _round_at_hand(desk)
    return ("release", "hand-back", "seize") if lies else ("hand-back", "seize")


def decide_held(desk: Desk, body: cmd.DecideHeldMoney) -> Refused | None:
    """Decide by the post for what no rule covers; where no clause names it, two people stand for it."""
    held = next((each for each in desk.table.held if each.id == body.id), None)
    if held is None:
        return refuse(Refusal.NOTHING_IS_HELD, number=body.id)
    by = may_decide(desk)
    if isinstance(by, Refused):
        return by
    refused = None if desk.document.authority.not_covered else desk.two_people()
    if refused:
        return refused
    choices = choices_about(desk, held)
    if body.choice not in choices:
        return refuse(Refusal.NO_SUCH_CHOICE, choice=body.choice, choices=", ".join(choices))
    if not body.found.strip():
        return refuse(Refusal.DECISION_NEEDS_TEXT)
    settled = None
    if body.choice == "settle":
        assert held.wager is not None
        assert held.facts is not None
        settled = settle_alone(desk, held.wager, held.facts)
    decided = ev.HeldMoneyDecided(
        id=held.id,
        patron=held.patron,
        amount=held.amount,
        choice=body.choice,
        found=body.found.strip(),
        by=desk.actor,
        second=desk.envelope.authoriser,
        bought=held.wager is None,
        wager=held.wager if body.choice == "release" else None,
        settled=settled,
        procedure=REFERRAL,
        clauses=by if settled is None else tuple(dict.fromkeys((*by, *settled.clauses))),
    )
    desk.emit(decided)
    return None
