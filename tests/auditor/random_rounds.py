"""Random rounds of all six games, played through the engine and recounted from what was written down.

Everything hangs on one seed. On the tables go wagers within the limits and outside, wagers found late, chips
pulled too late and in part, stakes beyond the differential, patrons who come, go and are marked; and every
situation of the documents at any moment, with whatever is then decided: rounds that are void, taken back,
laid again or free, payments corrected, disputes.
"""

import random
from collections.abc import Iterator

from auditor.random_table import Played, RandomTable, random_house
from auditor.random_trouble import (
    AFTER_THE_ROUND,
    BETWEEN_CARDS,
    card,
    correct_card,
    dispute,
    open_cards,
    settle_case,
    trouble,
)

from thirdcard.cards import Card, Rank
from thirdcard.game import commands as cmd
from thirdcard.game.limits import gap_of, heavier_hand, limit_of
from thirdcard.game.next_cards import expected_cards
from thirdcard.game.state import Hand, Phase
from thirdcard.rulebook.facts import Winner
from thirdcard.rulebook.irregularity import Method, Situation
from thirdcard.rulebook.shelf import SHIPPED

ROUNDS_AT_A_TABLE = 40
MOST_STEPS = 80  # so many steps until a round must be over
CALM_AFTER = 30  # so many until nothing more goes wrong in it


def play(rounds: int, seed: int) -> Iterator[Played]:
    """So many random rounds, table by table; the same seed plays the same rounds."""
    chance = random.Random(seed)
    books = SHIPPED.rulebooks
    played = 0
    while played < rounds:
        book = books[chance.randrange(len(books))]
        table = RandomTable(chance, book, random_house(chance, book))
        for _ in range(min(ROUNDS_AT_A_TABLE, rounds - played)):
            play_round(table)
        played += table.rounds
        yield table.recounted()


def play_round(at: RandomTable) -> None:
    """One round, whatever becomes of it."""
    at.rounds += 1
    _between_rounds(at)
    settle_case(at)
    if at.now.free_hand_by:
        at.do(cmd.DealFreeHand())
    else:
        _bet(at)
    _deal(at)
    _afterwards(at)


def _between_rounds(at: RandomTable) -> None:
    """New cards where they are due or few are left, another method, and patrons who go and come."""
    shoe = at.now.shoe
    if shoe is not None and (shoe.patrons_choose or shoe.doubted_by):
        asked = (None, *(patron for patron in shoe.choosers if shoe.patrons_choose))
        for patron in asked:
            at.do(cmd.ChooseCards(replace=at.happens(0.5), patron=patron), at.house.form.new_cards_decided_by)
        shoe = at.now.shoe
    if (
        shoe is None
        or shoe.new_cards_due
        or shoe.patrons_choose
        or shoe.rounds_left == 0
        or _few(at, shoe.left)
    ):
        at.do(cmd.LoadShoe(decks=at.now.setup.decks), at.house.form.new_cards_decided_by)
        if at.book.document.burn:
            at.do(cmd.BurnCards(first=card(at)))
    if at.book.document.methods and at.happens(0.03):
        at.do(cmd.ChangeMethod(method=at.chance.choice((Method.A, Method.B))), "assistant-casino-manager")
    if at.happens(0.08):
        at.come_or_go()
    if at.happens(0.01):
        dispute(at)
    if at.happens(0.5):
        at.decide_held()


def _few(at: RandomTable, left: int) -> bool:
    return left < 20 and at.happens(0.7)


def _bet(at: RandomTable) -> None:
    """Wagers until the closing call, or until the first card closes betting."""
    at.do(cmd.OpenBetting())
    for _ in range(at.chance.choice((1, 2, 2, 3, 3, 4, 6))):
        at.place()
    if at.happens(0.05):
        at.take_off()
    if at.happens(0.05):
        at.hold()
    if at.now.held and at.happens(0.5):
        at.decide_held()
    if at.happens(0.01):
        trouble(at)
    if at.now.phase is Phase.BETTING and at.happens(0.95):
        at.do(cmd.CloseBetting())


def _meet_differential(at: RandomTable) -> None:
    """Wagers come off before the first card, by their patrons or by the post for it."""
    while gap_of(at.now) > at.now.setup.differential:
        at.do(cmd.AskToDecreaseWagers())
        at.do(cmd.EndOffer())
        excess = gap_of(at.now) - at.now.setup.differential
        hand = heavier_hand(at.now).value
        each = at.chance.choice([each for each in at.now.wagers if each.wager == hand])
        amount = -(-excess // at.house.unit) * at.house.unit
        if each.stake - amount < limit_of(at.now, hand).minimum:
            amount = each.stake
        patron, place = each.patron, each.position
        remove = cmd.RemoveWager(patron=patron, wager=hand, amount=amount, position=place)
        reduce = cmd.ReduceWager(patron=patron, wager=hand, amount=amount, position=place)
        if not at.do(remove, "pit-manager") and not at.do(reduce, patron):
            return


def _deal(at: RandomTable) -> None:
    """Cards until the round is over; in some rounds few ranks, so that pairs and ties come."""
    ranks = list(Rank) if at.happens(0.5) else at.chance.sample(list(Rank), 3)
    for step in range(MOST_STEPS):
        settle_case(at)
        phase = at.now.phase
        due = at.now.free_hand_by is not None and (at.now.round is None or at.now.round.ended)
        if phase is Phase.IDLE:
            return
        if due and phase in (Phase.BETTING, Phase.CLOSED):
            at.do(cmd.DealFreeHand())
        elif phase is Phase.CLOSED and gap_of(at.now) > at.now.setup.differential and at.happens(0.5):
            _meet_differential(at)  # wagers went back since betting closed
        elif phase is Phase.OUTCOME:
            _call(at)
        elif step < CALM_AFTER and at.happens(0.05):
            _surprise(at)
        else:
            _draw(at, ranks)
    raise AssertionError((at.now.phase, at.now.round))


def _surprise(at: RandomTable) -> None:
    """Something happens that should not: chips are left, pulled, found or late, or cards go wrong."""
    kind = at.chance.random()
    if kind < 0.05:
        at.come_or_go()
    elif kind < 0.25:
        at.take_off()
    elif kind < 0.5:
        at.find()
        if at.happens(0.8):
            trouble(at, (Situation.UNDER_MINIMUM, Situation.UNDER_MINIMUM, Situation.OVER_MAXIMUM))
    elif kind < 0.55:
        at.place()
    elif kind < 0.65:
        correct_card(at)
    else:
        trouble(at, BETWEEN_CARDS)


def _draw(at: RandomTable, ranks: list[Rank]) -> None:
    """The next card, once everything that lies there is open."""
    if at.now.phase in (Phase.BETTING, Phase.CLOSED):
        if at.happens(0.2):
            at.find()
        _meet_differential(at)
    current = at.now.round
    lying = current.cards if current is not None and not current.ended else ()
    if at.now.phase is Phase.DEALING and len(lying) >= 4 and any(e.state.value != "exposed" for e in lying):
        open_cards(at)
        return
    if at.happens(0.01) and at.do(cmd.SeeCuttingCard()):
        return
    hidden = at.now.setup.face_down and at.happens(0.6)
    face = None if hidden else Card(at.chance.choice(ranks))
    expected = expected_cards(at.now, 1)[0]
    if expected is not None and at.happens(0.9):  # whoever deals takes the card that lies there
        face = expected
    if at.happens(0.01):
        at.do(cmd.DrawCard(card=face, together=(card(at),), order_known=at.happens(0.5)))
    elif at.happens(0.01):
        at.do(cmd.DrawCard(card=face, hand=at.chance.choice(tuple(Hand))))
    elif not at.do(cmd.DrawCard(card=face)):
        _cannot_draw(at)


def _cannot_draw(at: RandomTable) -> None:
    """The burn is owed first, another card comes than the one that is known, or nothing can come."""
    if not at.do(cmd.BurnCards(first=card(at))) and not at.do(cmd.DrawCard(card=card(at), instead=True)):
        trouble(at, (Situation.NOT_COVERED,))


def _call(at: RandomTable) -> None:
    """The outcome is known and not called: wagers may be found, the call may be wrong, the round void."""
    if at.happens(0.1):
        at.find()
    if at.happens(0.6):
        trouble(at, BETWEEN_CARDS)
    if at.now.phase is Phase.OUTCOME:
        at.do(cmd.CallOutcome(winner=at.chance.choice(list(Winner))))


def _afterwards(at: RandomTable) -> None:
    """A finished round comes up again, before the next is opened or after it."""
    while at.happens(0.15 + 0.35 * bool(_under_minimum(at))):
        if at.happens(0.2):
            at.come_or_go()
        for patron in _under_minimum(at):
            if at.happens(0.5):
                at.come_or_go(patron)
        cashed_out = False
        for each in at.now.round.settled if at.now.round else ():
            if each.paid and at.happens(0.5):
                at.cash_out(each.patron)
                cashed_out = at.now.setup.terminal
        opened = at.happens(0.1) and at.do(cmd.OpenBetting())
        if at.happens(0.5 if cashed_out else 0.1):  # what a reversal takes back may be gone
            correct_card(at)
        trouble(at, AFTER_THE_ROUND)
        _deal(at)
        if opened:
            return


def _under_minimum(at: RandomTable) -> tuple[str, ...]:
    """The patrons whose settled wager is under the minimum: their next step is of interest."""
    limits = {each.wager: each.minimum for each in at.now.setup.limits}
    settled = at.now.round.settled if at.now.round else ()
    return tuple(dict.fromkeys(each.patron for each in settled if each.stake < limits[each.wager]))
