"""Chips and cash that may be counterfeit: held, and decided by the post for what no rule covers.

A wager whose chips are held stays a wager of its round in every respect. Only what goes to its patron or to
the house waits until somebody has decided.
"""

from msgspec.structs import replace

from thirdcard.cards import Card
from thirdcard.game import commands as cmd
from thirdcard.game import events as ev
from thirdcard.game.attendance import is_here
from thirdcard.game.betting import (
    flag_differential,
    own_wager,
    refuse_held,
    suspicion_clauses,
    wagers_at,
)
from thirdcard.game.case_cards import refuse_before
from thirdcard.game.closing import cards_decide, settle_again
from thirdcard.game.desk import Desk, QueryDesk
from thirdcard.game.handed import waiting_for
from thirdcard.game.interests import round_at_hand
from thirdcard.game.irregularities.rulings import may_decide
from thirdcard.game.named_wagers import refuse_no_wager
from thirdcard.game.outcome import Outcome, play_out
from thirdcard.game.rounds import is_card_known, may_be_paying
from thirdcard.game.state import Case, HeldMoney, Phase, PlacedWager, SettledWager
from thirdcard.refusals import Refusal, Refused, refuse
from thirdcard.rulebook.facts import Facts
from thirdcard.rulebook.house import BUY_IN, REFERRAL

IN_PLAY = (Phase.BETTING, Phase.CLOSED, Phase.DEALING, Phase.OUTCOME)
Suspected = tuple[PlacedWager, SettledWager | None]


def hold_money(desk: Desk, body: cmd.HoldMoney) -> Refused | None:
    """Hold a wager, or money that was to buy chips or credits; once a card is known it takes two people."""
    if not desk.posts(desk.actor):
        return refuse(Refusal.NOT_STAFF)
    found = _suspected(desk, body) if body.wager is not None else None
    if isinstance(found, Refused):
        return found
    wager, settled = found or (None, None)
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
        round=round_at_hand(desk.table) if wager else 0,
        wager=wager,
        in_play=wager is not None,
        settled=settled,
        by=desk.actor,
        second=desk.envelope.authoriser,
        procedure=REFERRAL if wager else BUY_IN,
        clauses=suspicion_clauses(desk.document),
    )
    desk.emit(held)
    return None


def wagers_to_hold(desk: QueryDesk) -> tuple[PlacedWager, ...]:
    """The wagers whose chips can be held as suspected: those that lie there or are being taken and paid."""
    paying, current = may_be_paying(desk), desk.table.round
    if desk.table.phase not in IN_PLAY and not paying:
        return ()
    lay = current.lay if current and paying else ()
    return tuple(each for each in (*lay, *desk.table.wagers) if each.lying and not each.held)


def _suspected(desk: QueryDesk, body: cmd.HoldMoney) -> Suspected | Refused:
    """The wager whose chips are suspected, and how it was settled where chips are being taken and paid."""
    if desk.table.setup.terminal:
        return refuse(Refusal.CREDITS_ARE_NO_CHIPS)
    paying = may_be_paying(desk)
    if desk.table.phase not in IN_PLAY and not paying:
        return refuse(Refusal.NOT_IN_THIS_PHASE, phase=f"@phase.{desk.table.phase.value}")
    assert body.wager is not None
    current, told = desk.table.round, (body.wager, body.position)
    lay = current.lay if current and paying else ()
    lines = current.settled if current and paying else ()
    lying = [each for each in lay if (each.wager, each.position) == told] or wagers_at(desk, *told)
    found = own_wager(lying, body.patron)
    if found is None:
        return refuse_no_wager(desk, (*lay, *desk.table.wagers), body)
    if found.held:
        return refuse_held(desk, found)
    settled = next((each for each in lines if each.id == found.id), None)
    given = settled.back + settled.paid if settled is not None else 0
    if given > waiting_for(current, body.patron) and not is_here(desk, body.patron):
        return refuse(Refusal.UNKNOWN_PATRON, patron=body.patron)  # who has left has the chips along
    return found, settled


def choices_about(desk: QueryDesk, held: HeldMoney) -> tuple[cmd.HeldChoice, ...]:
    """Return what can be decided about money that is held, as its wager stands.

    While a case about its round is open, the wager can only be released: the case decides what becomes of it.
    """
    case = _case_about(desk, held)
    if any(each.held == held.id for each in desk.table.wagers):
        return ("release",) if case else ("release", "hand-back", "seize")
    if case:
        return ()
    return ("settle", "hand-back", "seize") if held.settled else ("hand-back", "seize")


def _case_about(desk: QueryDesk, held: HeldMoney) -> Case | None:
    """The open case that may move the wager of held money."""
    of_this_round = held.wager is not None and held.round == round_at_hand(desk.table)
    return desk.table.case if of_this_round else None


def decide_held(desk: Desk, body: cmd.DecideHeldMoney) -> Refused | None:
    """Decide by the post for what no rule covers; where no clause names it, two people stand for it."""
    held = next((each for each in desk.table.held if each.id == body.id), None)
    if held is None:
        return refuse(Refusal.NOTHING_IS_HELD, number=body.id)
    by = may_decide(desk)
    if isinstance(by, Refused):
        return by
    refused = None if desk.document.authority.not_covered else desk.two_people()
    refused = refused or _refuse_choice(desk, held, body)
    if refused:
        return refused
    lying = next((each for each in desk.table.wagers if each.held == held.id), None)
    settled = replace(held.settled, held=0) if held.settled and body.choice == "settle" else None
    decided = ev.HeldMoneyDecided(
        id=held.id,
        patron=held.patron,
        amount=held.amount,
        choice=body.choice,
        found=body.found.strip(),
        by=desk.actor,
        second=desk.envelope.authoriser,
        bought=held.wager is None,
        wager=replace(lying, held=0) if lying and body.choice == "release" else None,
        settled=settled,
        apart=_is_set_apart(desk, held, body),
        procedure=REFERRAL,
        clauses=by if settled is None else tuple(dict.fromkeys((*by, *settled.clauses))),
    )
    desk.emit(decided)
    if lying is not None and desk.table.phase is Phase.CLOSED:
        flag_differential(desk)
    return None


def _is_set_apart(desk: QueryDesk, held: HeldMoney, body: cmd.DecideHeldMoney) -> bool:
    """Whether a wager is taken out of a round whose first card was dealt, and that can still be settled."""
    current = desk.table.round
    placed = (*desk.table.wagers, *(current.lay if current else ()))
    before_cards = desk.table.phase in (Phase.BETTING, Phase.CLOSED)
    taken_out = body.choice in ("hand-back", "seize") and any(each.held == held.id for each in placed)
    return taken_out and not before_cards


def _refuse_choice(desk: QueryDesk, held: HeldMoney, body: cmd.DecideHeldMoney) -> Refused | None:
    choices, case = choices_about(desk, held), _case_about(desk, held)
    if body.choice not in choices:
        if case is not None and (not choices or body.choice != "release"):
            return refuse_before(case)
        return refuse(Refusal.NO_SUCH_CHOICE, choice=body.choice, choices=", ".join(choices))
    return None if body.found.strip() else refuse(Refusal.DECISION_NEEDS_TEXT)


def judge_held_wagers(desk: Desk, number: int) -> None:
    """Settle what is held of a round by its record as it was corrected, where that tells an outcome.

    It does not where the hands that lay there have other numbers of cards by the table of play; a further
    correction may tell one again.
    """
    for held in desk.table.held:
        line = held.settled or held.unjudged if held.round == number else None
        if line is None:
            continue
        facts = _outcome_of(desk, number)
        same = facts is not None and (facts.player_cards, facts.banker_cards) == held.counts
        again = settle_again(desk, line, facts) if facts is not None and same else None
        if again != held.settled:
            clauses = cards_decide(desk)
            desk.emit(ev.HeldWagerJudged(id=held.id, patron=held.patron, settled=again, clauses=clauses))


def _outcome_of(desk: QueryDesk, number: int) -> Facts | None:
    """Return what the cards of a round give in the order of drawing, where they are known and complete."""
    played = play_out(desk.rulebook, _faces(desk, number), desk.rulebook.pair_rule(desk.house))
    return played.facts if isinstance(played, Outcome) else None


def _faces(desk: QueryDesk, number: int) -> tuple[Card, ...]:
    """The cards of a round in the order of drawing; none where one of them is not known."""
    current = desk.table.round
    if current is not None and current.number == number:
        cards = tuple(each.card for each in current.cards)
    else:
        cards = next((each.cards for each in desk.table.earlier if each.number == number), ())
    faces = tuple(each for each in cards if each is not None)
    return faces if len(faces) == len(cards) else ()
