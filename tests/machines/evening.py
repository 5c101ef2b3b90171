"""An evening at one table: commands are decided, and after each everything that must hold is looked at."""

import contextlib
import datetime
import traceback
from collections import Counter
from collections.abc import Iterator

import msgspec
from auditor.recounting import recount
from grounds import is_founded
from machines.card_places import (
    counted,
    every_card,
    is_beyond_count,
    is_card_forgotten,
    is_face_lost,
    seen_card_opens,
)
from machines.commands import START, Scene, Temper, games, make_command, make_house, make_temper, opening
from machines.dice import SeededDice, pick
from machines.way_out import NoWayOut, find_way_out
from msgspec import Struct
from msgspec.structs import replace

from thirdcard.folds.ledger import (
    CAGE,
    DROP,
    FELT,
    HELD,
    HOUSE,
    OUTSIDE,
    OVER_SHORT,
    SEIZED,
    TRAY,
    entries,
    in_tray,
)
from thirdcard.game import commands as cmd
from thirdcard.game import events as ev
from thirdcard.game.apply import apply_all, fold
from thirdcard.game.case_cards import sets_aside
from thirdcard.game.decide import decide
from thirdcard.game.limits import gap_of, limit_of
from thirdcard.game.state import Phase, SettledWager, Table, Wait
from thirdcard.messages import knows, say
from thirdcard.refusals import Refusal, Refused
from thirdcard.rulebook.book import Rulebook
from thirdcard.rulebook.document import Document
from thirdcard.rulebook.house import House
from thirdcard.rulebook.irregularity import RequireAlteration, Situation
from thirdcard.rulebook.shelf import SHIPPED

Result = tuple[ev.Event, ...] | Refused
JOURNAL = msgspec.json.Decoder(list[ev.Event])
LOOKED_FOR_A_WAY_OUT = 10  # so many commands lie between two looks for a way out
# refusals of a wager that are about the request itself: no document has a clause about them
NO_DOCUMENT_SPEAKS = {
    Refusal.TIME_WITHOUT_OFFSET,
    Refusal.NOT_IN_THIS_PHASE,
    Refusal.NOT_YOURS,
    Refusal.NOT_AUTHORISED,
    Refusal.SECOND_PERSON_NEEDED,
    Refusal.OWN_INTEREST,
    Refusal.IRREGULARITY_UNDER_WAY,
    Refusal.TABLE_PAUSED,
    Refusal.OUTSIDE_PLAYING_AREA,
    Refusal.UNKNOWN_PATRON,
    Refusal.UNKNOWN_POSITION,
    Refusal.POSITION_NEEDED,
    Refusal.STAKE_NOT_POSITIVE,
    Refusal.STAKE_TOO_FINE,
}
# the limits of a game whose document has no section on limits are the house's own
HOUSE_LIMITS = {Refusal.UNDER_MINIMUM, Refusal.OVER_MAXIMUM}
AT_STAKE = (
    ev.WagerPlaced
    | ev.WagerFound
    | ev.WagerReduced
    | ev.WagerPulledLate
    | ev.AnswerTakenBack
    | ev.RoundSettled
    | ev.SettlementReversed
    | ev.RoundVoided
    | ev.ClaimBooked
)
# what changes a round that has ended
AFTER_THE_END = (
    ev.SettlementReversed
    | ev.RoundVoided
    | ev.CardCorrected
    | ev.DeviceTaken
    | ev.MoneyHeld
    | ev.HeldMoneyDecided
)


class Tally(Struct):
    """The things that came up, and how often."""

    steps: int = 0
    commands: Counter[str] = msgspec.field(default_factory=Counter)
    events: Counter[str] = msgspec.field(default_factory=Counter)
    refusals: Counter[str] = msgspec.field(default_factory=Counter)
    situations: Counter[str] = msgspec.field(default_factory=Counter)

    def count(self, command: cmd.Command, result: Result) -> None:
        """Count a command and what followed from it."""
        self.steps += 1
        self.commands[type(command.body).__name__] += 1
        if isinstance(result, Refused):
            self.refusals[result.reason.value] += 1
            return
        for event in result:
            self.events[type(event).__name__] += 1
            if isinstance(event, ev.IrregularityReported):
                self.situations[event.case.situation.value] += 1


class Evening:
    """A table from its set-up on, with its journal, its ledger and everything that must hold."""

    def __init__(self, rulebook: Rulebook, house: House, temper: Temper, tally: Tally | None = None) -> None:
        self.rulebook = rulebook
        self.house = house
        self.temper = temper
        self.tally = tally or Tally()
        self.table: Table | None = None
        self.commands: list[cmd.Command | None] = []
        self.results: list[Result] = []
        self.events: list[ev.Event] = []
        self.balances: Counter[str] = Counter()
        self.at_stake: Counter[str] = Counter()
        self.suspected: set[int] = set()  # of the round
        self.came: set[str] = set()
        self.settled: set[int] = set()
        self.tray = 0  # since the last opener
        self.to_decide = False
        self.found: Counter[int] = Counter()  # cards found in each shoe after its count said that it is empty

    @property
    def scene(self) -> Scene:
        """The situation that the next command is made up for."""
        number = len(self.commands) + 1
        now = START + datetime.timedelta(seconds=number)
        return Scene(self.rulebook, self.house, self.table, self.temper, now, number)

    def do(self, command: cmd.Command) -> Result:
        """Decide a command, apply what follows, and look at everything."""
        self.commands.append(command)
        result = decide(self.rulebook, self.house, self.table, command)
        self.results.append(result)
        self.tally.count(command, result)
        if isinstance(result, Refused):
            self._refusal(command.body, result)
            return result
        for event in result:
            self._event(event)
        _did_something(result)
        _claims_what_is_needed(result)
        if self.table is not None:
            self._money(self.table)
            self._state(self.table)
            if self.to_decide:  # a seen card came all the same: the round goes on only if the post lets it
                waits = [each.waits for each in self.table.open_cases]  # facts are confirmed before that
                assert Wait.DECISION in waits or Wait.CONFIRMATION in waits
            self.to_decide = False
            if len(self.commands) % LOOKED_FOR_A_WAY_OUT == 0:
                find_way_out(self.rulebook, self.house, self.table, self.scene.now)
        return result

    def say(self, body: cmd.Body, actor: str) -> Result:
        """Do something in somebody's name."""
        scene = self.scene
        second = self.house.form.posts[0] if isinstance(body, cmd.RecordConfirmation) else None
        envelope = cmd.Envelope(
            actor=actor, received_at=scene.now, command_id=f"c{scene.number}", authoriser=second
        )
        return self.do(cmd.Command(body, envelope))

    def get_ready(self) -> None:
        """Let the table come to stand ready; some begin with a shoe that is nearly empty."""
        for body, actor in opening(self.scene):
            self.say(body, actor)
        if self.temper.left is not None:
            self.run_down(self.temper.left)

    def run_down(self, left: int) -> None:
        """Leave only some cards in the shoe, as if the rest were burned: no command does it."""
        shoe = self.table.shoe if self.table else None
        burned = (ev.CardsBurned(cards=shoe.left - left),) if shoe and shoe.left >= left else ()
        self.commands.append(None)
        self.results.append(burned)
        for event in burned:
            self._event(event)

    def finish(self) -> None:
        """Replay equals live, the same commands give the same events, and a second opinion is the same."""
        if self.table is None:
            return
        find_way_out(self.rulebook, self.house, self.table, self.scene.now)
        journal = JOURNAL.decode(msgspec.json.encode(self.events))
        assert journal == self.events
        first, *rest = journal
        assert apply_all(fold(None, first), rest) == self.table
        table: Table | None = None
        for command, result in zip(self.commands, self.results, strict=True):
            assert command is None or decide(self.rulebook, self.house, table, command) == result
            for event in () if isinstance(result, Refused) else result:
                table = fold(table, event)
        recorded = msgspec.json.decode(msgspec.json.encode(self.events))
        found = recount(self.rulebook.document, self.house.form, recorded)
        assert not found, found[0].what.key

    def _refusal(self, body: cmd.Body, refused: Refused) -> None:
        assert say(refused.message)
        for _, value in refused.params:
            assert not str(value).startswith("@") or knows(str(value)[1:]), value
        assert set(refused.clauses) <= set(self.rulebook.document.clauses)
        if isinstance(body, cmd.PlaceWager) and not refused.clauses:
            assert refused.reason in NO_DOCUMENT_SPEAKS | _silent(self.rulebook.document), refused

    def _event(self, event: ev.Event) -> None:
        before, after = self.table, fold(self.table, event)
        assert is_founded(event, self.rulebook.document, self.house), event
        self._books(event)
        self._settles_once(event)
        if before is not None:
            self._in_time(before, event)
            if isinstance(event, ev.FactsDisproved) or is_beyond_count(before, event):
                self.found[before.shoes] += counted(after) - counted(before)
            _in_order(before, after, event)
            every_card(after, self.found[after.shoes])
            assert not is_card_forgotten(before, event, self.events)
            assert not is_face_lost(before, event, after)
            never = self.rulebook.document.free_hand is not None
            opens = seen_card_opens(before, event, free_hands=never)
            assert not (opens and never)
            self.to_decide = self.to_decide or opens
            self._anew(before, after, event)
        self.events.append(event)
        self.table = after
        if isinstance(event, ev.PatronCame):
            self.came.add(event.patron)
        if isinstance(event, ev.RoundVoided | ev.BettingCancelled):
            assert not after.wagers
            assert not +self.at_stake
            assert not -self.at_stake

    def _anew(self, before: Table, after: Table, event: ev.Event) -> None:
        """A table becomes another one when it is shut and owes nobody; chips go home with their owners."""
        if not isinstance(event, ev.TableSetUp):
            return
        assert before.phase is Phase.SHUT
        assert not any(each.credits for each in before.credits)
        assert (after.rounds, after.shoes, after.disputes) == (before.rounds, before.shoes, before.disputes)
        for account in [each for each in self.balances if each.startswith("patron:")]:
            assert not (before.setup.terminal and self.balances[account])
            del self.balances[account]

    def _books(self, event: ev.Event) -> None:
        moved = entries(event)
        assert sum(amount for _, amount in moved) == 0
        disputes = self.table.disputes if self.table else ()
        known = {FELT, HOUSE, CAGE, HELD, SEIZED, OUTSIDE, TRAY, DROP, OVER_SHORT} | {
            f"{kind}:{name}" for kind in ("patron", "claim") for name in self.came
        }
        known |= {f"dispute:{each.id}" for each in disputes}
        if isinstance(event, ev.BettingOpened) or (isinstance(event, ev.RoundBegan) and event.free):
            self.at_stake.clear()
            self.suspected.clear()
        for account, amount in moved:
            assert account in known, account
            self.balances[account] += amount
            name = account.partition(":")[2]
            if name and isinstance(event, AT_STAKE):
                self.at_stake[name] += amount
        self._held(event, dict(moved))
        self.tray = in_tray(event, moved) + (0 if isinstance(event, ev.OpenerCounted) else self.tray)

    def _held(self, event: ev.Event, moved: dict[str, int]) -> None:
        """Held money of the round is as good as with its patron, unless it is kept."""
        if isinstance(event, ev.MoneyHeld) and event.wager:
            self.suspected.add(event.id)
        match event:
            case ev.MoneyHeld(id=number) | ev.HeldMoneyDecided(id=number):
                mine = moved.get(f"patron:{event.patron}", 0) + moved.get(f"claim:{event.patron}", 0)
                kept = isinstance(event, ev.HeldMoneyDecided) and event.choice == "seize"
                amount = 0 if kept else mine + moved[HELD]
            case ev.WagerFound(held=number):
                amount = moved.get(HELD, 0)
            case _:
                return
        self.at_stake[event.patron] += amount if number in self.suspected else 0

    def _settles_once(self, event: ev.Event) -> None:
        match event:
            case ev.RoundSettled():
                now = {wager.id for wager in event.wagers}
                assert len(now) == len(event.wagers)
                assert not now & self.settled
                self.settled |= now
                for wager in event.wagers:
                    _adds_up(wager)
            case ev.SettlementReversed(wagers=undone) | ev.RoundVoided(reversed=undone):
                assert {wager.id for wager in undone} <= self.settled
                self.settled -= {wager.id for wager in undone}
            case _:
                pass

    def _in_time(self, before: Table, event: ev.Event) -> None:
        """Nothing comes into action after closing, except by reopening or to meet the differential."""
        if isinstance(event, ev.WagerPlaced | ev.PatronLeft | ev.CreditsBought):
            name = event.terminal if isinstance(event, ev.CreditsBought) else event.patron
            assert name in {each.name for each in before.patrons if not each.gone}
        if isinstance(event, ev.WagerPlaced):
            assert before.phase is Phase.BETTING or self._altering(before, event.wager)
        if isinstance(event, ev.WagerPlaced | ev.WagerFound):
            current = before.round
            dealt = current is not None and not current.ended
            last = self.events[-1]
            corrected = isinstance(last, ev.WagerReduced) and last.mistaken  # it lies there, and goes back
            assert corrected or not (current.free if current and dealt else before.free_hand_by)
        if isinstance(event, ev.WagerFound):
            assert before.phase in (Phase.CLOSED, Phase.DEALING, Phase.OUTCOME)
            assert not before.setup.terminal

    def _altering(self, table: Table, wager: str) -> bool:
        rows = [
            row
            for row in self.rulebook.document.irregularities
            if row.situation is Situation.DIFFERENTIAL_EXCEEDED
        ]
        must = any(isinstance(effect, RequireAlteration) for row in rows for effect in row.effects)
        open_for_it = table.decrease_asked or (must and gap_of(table) > table.setup.differential)
        return table.phase is Phase.CLOSED and open_for_it and wager in ("player", "banker")

    def _chips(self, table: Table) -> None:
        """The tray of the open inventory and all drop boxes have what was booked."""
        now = table.chips.open
        assert now is None or now.tray == self.tray
        cash = sum(each.cash for each in table.chips.boxes) + (now.cash if now else 0)
        assert self.balances[DROP] == cash

    def _money(self, table: Table) -> None:
        self._chips(table)
        assert self.balances[FELT] == sum(wager.lying for wager in table.wagers if not wager.held)
        assert self.balances[HELD] == sum(each.amount for each in table.held)
        held = {each.id: each for each in table.held}
        assert all(wager.lying <= held[wager.held].amount for wager in table.wagers if wager.held)
        judged = {each.id for each in self.events if isinstance(each, ev.HeldWagerJudged)}
        settled = [each for each in (table.round.settled if table.round else ()) if each.held not in judged]
        assert all(held[line.held].settled == line for line in settled if line.held and not table.wagers)
        assert all(0 <= wager.pulled <= wager.stake > 0 for wager in table.wagers)
        if not table.setup.terminal:
            assert not table.credits
            return
        assert all(each.marked is None for each in table.patrons)
        for wager in table.wagers:
            assert limit_of(table, wager.wager).minimum <= wager.stake <= limit_of(table, wager.wager).maximum
        meters = {each.terminal: each.credits for each in table.credits}
        for name in self.came | set(meters):
            assert meters.get(name, 0) == self.balances[f"patron:{name}"] >= 0

    def _state(self, table: Table) -> None:
        shoe, current = table.shoe, table.round
        if table.phase in (Phase.SHUT, Phase.IDLE):
            assert not table.wagers
            assert not table.reserved
            # a card in error that came out after the call lies aside until its case is dealt with
            assert not table.aside or any(sets_aside(table, each) for each in table.open_cases)
            assert current is None or current.ended
        else:
            assert shoe is not None
        if table.phase in (Phase.DEALING, Phase.OUTCOME):
            assert current is not None
            assert not current.ended
        numbers = [each.id for each in table.open_cases]
        assert len(numbers) == len(set(numbers))
        assert table.unconfirmed in (None, table.case)  # nothing goes before facts by which a round is void
        assert all(each.offer is None or each.offer.case == each.id for each in table.open_cases)
        assert (table.phase is Phase.OUTCOME) == (
            current is not None and not current.ended and current.facts is not None
        )
        if table.case is not None:
            assert table.case.waits is not None or table.offer is not None


def _silent(document: Document) -> set[Refusal]:
    """Refusals of a wager about which this document has no clause, so that the house refuses."""
    situations = {row.situation for row in document.irregularities}
    return {
        *(HOUSE_LIMITS if document.limits is None else ()),
        *(() if document.round.credits else (Refusal.CREDITS_SHORT, Refusal.CREDITS_ARE_NO_CHIPS)),
        *(() if Situation.LATE_WAGER in situations else (Refusal.BETTING_CLOSED,)),
    }


@contextlib.contextmanager
def telling(evening: Evening) -> Iterator[None]:
    """Where an evening fails, tell it by the commands that are needed for it, and no others."""
    try:
        yield
    except Exception as error:
        left = evening.temper.left
        told = [
            f"{_people(command)}: {command.body}" if command else f"({left} cards are left)"
            for command in _needed(evening, _signature(error))
        ]
        where = traceback.extract_tb(error.__traceback__)[-1]
        what = f"{evening.rulebook.id}: {error!r} at `{where.line}` in {where.name} after"
        raise AssertionError("\n    ".join([what, *told])) from error


def _people(command: cmd.Command) -> str:
    second = command.envelope.authoriser
    return f"{command.envelope.actor} with {second}" if second else command.envelope.actor


def _signature(error: Exception) -> tuple[object, ...]:
    """The signature of a failure: its kind and where it came up."""
    where = traceback.extract_tb(error.__traceback__)[-1]
    return type(error), where.filename, where.lineno, alike(error)


def alike(error: Exception) -> str:
    """The message that a failure has for every table that fails like it: how far it is, or the finding."""
    said = str(error).partition("\n")[0]
    return said if isinstance(error, NoWayOut) or said.startswith("finding.") else ""


def _needed(evening: Evening, signature: tuple[object, ...]) -> list[cmd.Command | None]:
    needed, before = list(evening.commands), 0
    while len(needed) != before:
        before = len(needed)
        for number in reversed(range(len(needed))):
            without = needed[:number] + needed[number + 1 :]
            if _fails(evening, without) == signature:
                needed = without
    return needed


def _fails(evening: Evening, commands: list[cmd.Command | None]) -> tuple[object, ...] | None:
    again = Evening(evening.rulebook, evening.house, evening.temper)
    try:
        for command in commands:
            if command is not None:
                again.do(command)
            elif again.temper.left is not None:
                again.run_down(again.temper.left)
        again.finish()
    except Exception as error:
        return _signature(error)
    return None


def spend(seed: int, steps: int, tally: Tally) -> None:
    """A whole evening from a seed."""
    dice = SeededDice(seed)
    rulebook = pick(dice, games())
    house = make_house(dice, SHIPPED.house(rulebook.document.house))
    evening = Evening(rulebook, house, make_temper(dice), tally)
    with telling(evening):
        for _ in range(steps):
            bare = evening.table is None
            evening.do(make_command(dice, evening.scene))
            if bare and evening.table is not None:
                evening.get_ready()
        evening.finish()


def _adds_up(wager: SettledWager) -> None:
    """Of a stake, what acts is at most the stake, and nothing is both taken and handed back."""
    lying = wager.stake - wager.pulled
    assert 0 <= wager.in_action <= wager.stake
    assert 0 <= wager.taken <= wager.in_action
    assert wager.paid >= 0
    assert wager.back == max(lying - wager.taken, 0)
    assert not (wager.paid and wager.taken)


def _in_order(before: Table, after: Table, event: ev.Event) -> None:
    """Betting opens by a call, a round that ended stays as it is, and no card is lost or made.

    What its patrons owe is booked before a reversal takes it back, and what waits for them they take along.
    """
    if after.phase is Phase.BETTING and before.phase is not Phase.BETTING:
        assert isinstance(event, ev.BettingOpened | ev.BettingReopened)
    old, new = before.round, after.round
    begins = isinstance(event, ev.RoundBegan | ev.TableSetUp | ev.BettingOpened)
    if (
        old is not None
        and new is not None
        and old.ended
        and not begins
        and replace(new, noted=old.noted, claims=old.claims, waiting=old.waiting, untold=old.untold) != old
    ):
        assert isinstance(event, AFTER_THE_END), event
    if isinstance(event, ev.RoundBegan):
        again = event.free and old is not None and not (old.ended or old.cards or before.aside)
        assert event.number == before.rounds + (not again)  # one without a card can become a free hand
        assert old is None or old.ended or again
    for patron in before.patrons:
        left = isinstance(event, ev.PatronLeft) and event.patron == patron.name
        over = isinstance(event, ev.RoundEnded | ev.PatronCame) and patron.gone
        undone = (
            isinstance(event, ev.SettlementReversed | ev.RoundVoided) and old and patron.marked == old.number
        )
        if isinstance(event, ev.HeldMoneyDecided) and event.settled is None and event.patron == patron.name:
            undone = True  # what was handed back or kept was neither paid nor collected
        if patron.marked is not None and not (left or over or undone or isinstance(event, ev.PatronMarked)):
            assert patron.marked in {each.marked for each in after.patrons if each.name == patron.name}


def _claims_what_is_needed(events: tuple[ev.Event, ...]) -> None:
    """A claim is booked just before the reversal that needs it, and set off just after something is given."""
    others = [event for event in events if not isinstance(event, ev.ClaimBooked)]
    passed = 0
    for event in events:
        if not isinstance(event, ev.ClaimBooked):
            passed += 1
        elif event.amount > 0:
            assert isinstance(others[passed], ev.SettlementReversed | ev.RoundVoided), event
        else:
            given = ev.RoundSettled | ev.RoundVoided | ev.DeviceTaken | ev.WagerReduced
            assert isinstance(others[passed - 1], given), event


# what a case says of itself; effects that somebody has carried out by a command of its own come with it
ABOUT_A_CASE = ev.IrregularityReported | ev.CaseWaits | ev.EffectCarriedOut | ev.CaseClosed
BY_COMMAND = ("deduce-missing-cards",)


def _did_something(events: tuple[ev.Event, ...]) -> None:
    """An effect that is said to be done has changed something; a statement is marked as one.

    What lapses meanwhile, such as the free hand of a card that has its place in the round, is not its own.
    """
    changed = False
    for event in events:
        if isinstance(event, ev.EffectCarriedOut) and not event.lapsed:
            assert changed or not event.done or event.statement or event.effect in BY_COMMAND, event
            changed = False
        elif not isinstance(event, ABOUT_A_CASE):
            changed = True
