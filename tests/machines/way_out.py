"""A way out of every state: people who do what the table waits for reach the next opening of betting."""

import datetime
from collections.abc import Iterator

from machines.commands import DECK, PATRONS, PRESETS, TABLE, make_seal

from thirdcard.game import commands as cmd
from thirdcard.game import events as ev
from thirdcard.game.apply import apply_all
from thirdcard.game.decide import decide
from thirdcard.game.limits import heavier_hand
from thirdcard.game.next_cards import expected_cards
from thirdcard.game.state import Case, Hand, Phase, Table, Wait
from thirdcard.refusals import Refused
from thirdcard.rulebook.book import Rulebook
from thirdcard.rulebook.house import House
from thirdcard.rulebook.irregularity import Method, ReserveCards, Situation

Attempt = tuple[cmd.Body, str]
MOST_STEPS = 150
ENDS = ("void-round", "return-wagers")  # decisions that end what cannot go on


class NoWayOut(AssertionError):
    """A table that can never go on."""


def find_way_out(rulebook: Rulebook, house: House, table: Table, now: datetime.datetime) -> list[cmd.Command]:
    """Return commands that lead to the next opening of betting; fail where there are none."""
    done: list[cmd.Command] = []
    refusals: list[str] = []
    while len(done) < MOST_STEPS:
        if table.phase is Phase.SHUT and not table.open_cases:  # it can be set up anew
            return done
        refusals.clear()
        for body, actor in _attempts(rulebook, house, table):
            other = house.form.posts[0] if actor != house.form.posts[0] else house.form.posts[1]
            second = None if isinstance(body, cmd.ComeOnDuty) else other
            now += datetime.timedelta(seconds=1)
            envelope = cmd.Envelope(actor=actor, received_at=now, command_id="way-out", authoriser=second)
            command = cmd.Command(body, envelope)
            result = decide(rulebook, house, table, command)
            if isinstance(result, Refused) or not result:
                refusals.append(f"{actor}: {body} -> {result}")
                continue
            table = apply_all(table, result)
            done.append(command)
            if any(isinstance(event, ev.BettingOpened) for event in result):
                return done
            break
        else:
            raise NoWayOut(_told(table, "nothing helps:", refusals))
    again = [str(each.body) for each in done[-4:]]
    raise NoWayOut(_told(table, "it goes round in circles:", [*again, *refusals]))


def _told(table: Table, what: str, lines: list[str]) -> str:
    case = table.case
    waits = f"{case.situation.value} waits for {case.waits}, offer {bool(case.offer)}" if case else "no case"
    return "\n        ".join([f"{table.phase.value}, {waits}: {what}", *lines])


def _attempts(rulebook: Rulebook, house: House, table: Table) -> Iterator[Attempt]:
    """Return what may help, in the order in which people would try it."""
    posts = house.form.posts
    here = {each.person for each in table.staff}
    yield from ((cmd.ComeOnDuty(person=post, post=post), TABLE) for post in posts if post not in here)
    if table.paused:
        yield cmd.ResumeTable(), TABLE
    if table.case is not None:
        yield from _in_a_case(house, table, table.case)
    match table.phase:
        case Phase.IDLE:
            yield from _while_idle(rulebook, house, table)
        case Phase.BETTING:
            if table.free_hand_by is not None:
                yield cmd.DealFreeHand(), TABLE
            yield cmd.CloseBetting(), TABLE
        case Phase.CLOSED:
            if table.free_hand_by is not None:
                yield cmd.DealFreeHand(), TABLE
            yield from _draw(table)
            yield cmd.BurnCards(), TABLE
            yield from _meet_differential(house, table)
        case Phase.DEALING:
            yield from _draw(table)
            yield from _open(table)
        case Phase.OUTCOME:
            assert table.round is not None
            assert table.round.facts is not None
            yield cmd.CallOutcome(winner=table.round.facts.winner), TABLE
    if table.phase not in (Phase.SHUT, Phase.IDLE):  # what cannot go on is for the post that can end it
        yield cmd.ReportIrregularity(situation=Situation.NOT_COVERED, note="nothing else helps"), TABLE


def _while_idle(rulebook: Rulebook, house: House, table: Table) -> Iterator[Attempt]:
    highest = house.form.posts[-1]
    yield cmd.OpenBetting(), TABLE
    yield cmd.DealFreeHand(), TABLE
    if table.shoe is not None and (table.shoe.burn_owed or table.shoe.burned is None):
        yield cmd.BurnCards(), TABLE
    if table.shoe is not None and table.shoe.cut_depth is None:
        yield cmd.CutCards(depth=100), TABLE
    yield cmd.ChooseCards(replace=False), highest
    yield cmd.EndOffer(), TABLE
    if table.shoe is not None:
        yield cmd.OpenShoe(order=DECK * table.shoe.decks, secret="00" * 32), highest
    decks = rulebook.document.decks.least
    yield cmd.LoadShoe(decks=decks), highest
    yield cmd.LoadShoe(decks=decks, seal=make_seal(decks * 52)), highest


def _draw(table: Table) -> Iterator[Attempt]:
    actor = TABLE
    if table.method is Method.C:
        actor = table.device_holder or actor
        if table.device_holder not in (None, *table.drawing_permitted):
            yield cmd.PermitDrawing(patron=actor), "assistant-casino-manager"
        if table.device_holder is None:
            yield from ((cmd.TakeDevice(patron=each.patron), each.patron) for each in table.wagers)
            yield cmd.TakeDevice(patron=PATRONS[0]), PATRONS[0]
            yield cmd.PermitDrawing(patron=PATRONS[0]), "assistant-casino-manager"
    expected = expected_cards(table, 1)[0] if table.shoe else None
    yield cmd.DrawCard(card=expected or DECK[0]), actor
    yield cmd.DrawCard(card=expected or DECK[0], instead=True), actor


def _open(table: Table) -> Iterator[Attempt]:
    current = table.round
    assert current is not None
    for hand in (current.reveal_first, *Hand):
        held = [each for each in current.cards if each.hand is hand]
        if hand is None or all(each.state.value == "exposed" for each in held):
            continue
        holders = [each.patron for each in current.holdings if each.hand is hand]
        faces = tuple(each.card or DECK[0] for each in held)
        yield cmd.ExposeCards(hand=hand, cards=faces), holders[0] if holders else TABLE


def _meet_differential(house: House, table: Table) -> Iterator[Attempt]:
    mine = (each for each in table.wagers if each.wager == heavier_hand(table).value)
    heavy = sorted(mine, key=lambda each: -each.lying)
    highest = house.form.posts[-1]
    for each in heavy:
        patron, wager, at = each.patron, each.wager, each.position
        reduced = cmd.ReduceWager(patron=patron, wager=wager, amount=each.stake, position=at)
        yield reduced, patron
        yield reduced, highest  # two people do it for whoever has left
        yield cmd.RemoveWager(patron=patron, wager=wager, amount=each.stake, position=at), highest
    if table.decrease_unanswered:
        yield cmd.EndOffer(), TABLE
    elif not table.decrease_asked or any(each.patron not in table.decrease_answered for each in heavy):
        yield cmd.AskToDecreaseWagers(), TABLE


def _in_a_case(house: House, table: Table, case: Case) -> Iterator[Attempt]:
    """Return what the case waits for, from the highest post, whatever it decides."""
    highest = house.form.posts[-1]
    if case.offer is not None:
        yield cmd.EndOffer(), TABLE
    match case.waits:
        case Wait.CONFIRMATION:
            yield cmd.ConfirmFacts(), highest
            yield cmd.ConfirmFacts(), house.form.facts_confirmed_by
        case Wait.CARD_ORDER:
            yield from _by_any(house, cmd.Rule(choice="order", cards=case.cards))
        case Wait.PERMISSION:
            yield from _by_any(house, cmd.Rule(choice="deny", text="no"))
        case Wait.DECISION:
            for choice in sorted(PRESETS, key=lambda each: each not in ENDS):
                yield from _by_any(house, cmd.Rule(choice=choice, text="so", patron=PATRONS[0], amount=100))
        case Wait.RESERVED_CARDS:
            effect = case.effects[case.done]
            assert isinstance(effect, ReserveCards)
            yield from _by_any(house, cmd.ReserveCards(cards=DECK[: effect.cards]))
        case Wait.SORTED_CARDS:
            yield from _sort(table)
            yield from _open(table)
        case Wait.SUBSTITUTES:
            yield cmd.SubstituteCards(cards=case.missing), highest
            yield from _by_any(house, cmd.SubstituteCards(cards=case.missing))
        case None:
            pass


def _by_any(house: House, body: cmd.Body) -> Iterator[Attempt]:
    """Return the same for every post: a document may name one that no higher post stands for."""
    return ((body, post) for post in reversed(house.form.posts))


def _sort(table: Table) -> Iterator[Attempt]:
    current = table.round
    faces = tuple(each.card or DECK[0] for each in current.cards) if current else ()
    yield cmd.EnterSortedCards(lacking=(*faces, *table.reserved)), TABLE
