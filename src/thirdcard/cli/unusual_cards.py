"""Unusual play at the practice table: cards put elsewhere or together, corrections, what is owed."""

import re
from collections.abc import Callable

from thirdcard.cards import parse_card
from thirdcard.cli.practice import GUEST, Practice
from thirdcard.cli.prompts import Asker
from thirdcard.game import commands as cmd
from thirdcard.game.alarm_kinds import Alarm
from thirdcard.game.desk import QueryDesk
from thirdcard.game.irregularities.handling import choice_of_squeezer
from thirdcard.game.state import Hand
from thirdcard.messages import message, say
from thirdcard.money import format_amount
from thirdcard.roundfile.tell import cited
from thirdcard.rulebook.document import Document
from thirdcard.rulebook.facts import Winner
from thirdcard.rulebook.irregularity import RemoveWagers
from thirdcard.rulebook.words import post_name, text
from thirdcard.views.cases import doubtful_cases, open_cases
from thirdcard.views.duties import duties
from thirdcard.views.entries import alarms_at
from thirdcard.views.sections.cases import Duty, OpenCase

_PUT = re.compile(
    r"(?P<uncalled>uncalled)?(?:(?P<card>[^ ]+) instead|(?P<down>down))?(?: ?to (?P<hand>player|banker))?"
)
_TOGETHER = re.compile(r"(?P<count>[2-6])? ?(?P<unknown>unordered)?")
_CORRECT = re.compile(r"(?P<number>[1-9]) (?P<card>[^ ]+)")
_CALL = re.compile(r"(?P<winner>player|banker|tie)(?: (?P<player>[0-9]) (?P<banker>[0-9]))?")
_TOTALS = re.compile(r"(?P<player>[0-9]) (?P<banker>[0-9])")


class Unusual:
    """The words that can be typed when something does not go its usual way."""

    def __init__(self, practice: Practice, asker: Asker) -> None:
        self.practice = practice
        self.asker = asker
        self._told: list[str] = []

    @property
    def words(self) -> dict[str, Callable[[str], None]]:
        """Return the words that can be typed, each with a function that takes the rest of its line."""
        return {
            "together": self.together,
            "withdraw": lambda _: self.withdraw(),
            "disprove": self.disprove,
            "burn": lambda _: self.practice.burn(),
            "ask": lambda _: self.ask(),
            "close": lambda _: self.close(),
            "call": self.call,
            "announce": self.announce,
            "method": self.method,
            "give": self.give,
            "device": self.device,
            "alarm": lambda _: self.alarm(),
            "owed": lambda _: self.tell_owed(always=True),
        }

    # cards

    def card(self, rest: str) -> None:
        """Deal the next card: as it comes, face down, to a hand that is named, or not the known one."""
        found = _PUT.fullmatch(rest.casefold())
        other = parse_card(found["card"]) if found and found["card"] else None
        if found is None or (found["card"] and other is None):
            self.asker.say(text("practice.card-how"))
        elif not rest:
            self.practice.deal(one=True)
        else:
            hand = Hand(found["hand"]) if found["hand"] else None
            called = not found["uncalled"]
            self.practice.draw_otherwise(hand=hand, down=bool(found["down"]), other=other, called=called)

    def together(self, rest: str) -> None:
        """Several cards come at once, in a known order or not."""
        found = _TOGETHER.fullmatch(rest.casefold())
        if found is None:
            self.asker.say(text("practice.together-how"))
            return
        count, known = int(found["count"] or 2), not found["unknown"]
        self.practice.draw_otherwise(count=count, order_known=known)

    def correct(self, rest: str) -> None:
        """Two people correct a card that was entered wrongly."""
        found = _CORRECT.fullmatch(rest)
        card = parse_card(found["card"]) if found else None
        if found is None or card is None:
            self.asker.say(text("practice.correct-how"))
            return
        self.practice.dealer_does(cmd.CorrectCard(reason="practice", number=int(found["number"]), card=card))

    def correct_wager(self, wager: str, amount: int, position: int | None, to: str | None) -> None:
        """Two people correct a wager that was entered wrongly to another kind, or to nothing."""
        body = cmd.CorrectWager(
            reason="practice",
            patron=GUEST,
            wager=wager,
            amount=amount,
            position=position,
            to_wager=to,
            to_position=position if to else None,
        )
        self.practice.dealer_does(body)

    def method(self, rest: str) -> None:
        """The post that may changes the method of dealing; in method A the guest handles cards."""
        methods = self._document.methods
        found_in = methods.method if methods else ()
        rows = {each.id.value: each for each in found_in if each.drawn_by == "dealer"}
        found = rows.get(rest.upper())
        if found is None:
            self.asker.say(text("practice.method-how", methods=", ".join(rows) or "-"))
            return
        self.practice.do(cmd.ChangeMethod(method=found.id), post_name(found.chosen_by.post))

    def give(self, rest: str) -> None:
        """The post that may gives a hand to the guest that no wager gives to anybody."""
        hand = next((each for each in Hand if each.value == rest.casefold()), None)
        if hand is None:
            self.asker.say(text("practice.give-how"))
            return
        grant = choice_of_squeezer(self._desk, hand)
        post = post_name(grant.post) if grant else self.practice.dealer
        self.practice.do(cmd.ChooseSqueezer(hand=hand, patron=GUEST), post)

    # calls, and what the dealing device shows

    def close(self) -> None:
        """The Dealer makes the closing call, also after a first card that came without it."""
        self.practice.dealer_does(cmd.CloseBetting())

    def call(self, rest: str) -> None:
        """The Dealer calls a result, which may be another one than the cards have."""
        found = _CALL.fullmatch(rest.casefold())
        if found is None:
            self.asker.say(text("practice.call-how"))
            return
        said = {hand: int(found[hand]) for hand in ("player", "banker") if found[hand]}
        if self.practice.dealer_does(cmd.CallOutcome(winner=Winner(found["winner"]), **said)):
            self.practice.tell_balance()

    def announce(self, rest: str) -> None:
        """The Dealer announces the point totals of the first four cards, as they were said."""
        found = _TOTALS.fullmatch(rest)
        if found is None:
            self.asker.say(text("practice.announce-how"))
            return
        player, banker = int(found["player"]), int(found["banker"])
        self.practice.dealer_does(cmd.AnnounceTotals(player=player, banker=banker))

    def device(self, rest: str) -> None:
        """The dealing device shows a result of its own."""
        winner = next((each for each in Winner if each.value == rest.casefold()), None)
        if winner is None:
            self.asker.say(text("practice.device-how"))
            return
        current = self.practice.table.round
        facts = current.facts if current else None
        done = self.practice.dealer_does(cmd.ReportDeviceResult(winner=winner))
        if done and facts and facts.winner is winner:
            self.asker.say(text("practice.device-agrees"))

    def alarm(self) -> None:
        """Give alarm about the cards, or about what reads them."""
        kinds = alarms_at(self._desk)
        chosen = self.asker.choose(
            text("practice.which-number"), [say(Alarm(kind).message) for kind in kinds]
        )
        self.practice.dealer_does(cmd.RaiseAlarm(kind=kinds[chosen]))

    # reports

    def withdraw(self) -> None:
        """Take a report back, as the person who made it."""
        case = self._in_question([each for each in self._cases if each.can_be_withdrawn])
        by = case.withdrawn_by if case else ()
        about = cmd.WithdrawReport(case=case.id if case else None)
        self.practice.do(about, next(iter(by), self.practice.dealer))

    def disprove(self, found: str) -> None:
        """Establish, as another person, that it is not so."""
        post = post_name(self.practice.house.form.facts_confirmed_by)
        case = self._in_question([each for each in self._cases if each.can_be_disproved])
        about = cmd.DisproveFacts(found=found, case=case.id if case else None)
        self.practice.do(about, post, self._other(post, case))

    @property
    def _cases(self) -> tuple[OpenCase, ...]:
        """The irregularities that can be found not so: the open ones, then those that are closed in doubt."""
        return (*open_cases(self._desk, {}), *doubtful_cases(self._desk, {}))

    def _in_question(self, cases: list[OpenCase]) -> OpenCase | None:
        """The irregularity that is meant, of several the one that is chosen."""
        if len(cases) < 2:
            return cases[0] if cases else None
        names = [say(message(f"situation.{each.situation.value}")) for each in cases]
        return cases[self.asker.choose(text("practice.which-number"), names)]

    def _other(self, post: str, case: OpenCase | None) -> str | None:
        """A second person who did not report it either, where two must stand for it."""
        if case is None or not case.disproved_by_two:
            return None
        here = (each.person for each in self.practice.table.staff)
        return next((each for each in here if each not in (post, case.by)), None)

    # wagers

    def ask(self) -> None:
        """The Dealer asks the heavier hand to decrease."""
        self.practice.dealer_does(cmd.AskToDecreaseWagers())

    def remove(self, wager: str, amount: int, position: int | None) -> None:
        """The post that may takes chips off to meet the differential."""
        by = next(
            (post_name(each.by) for each in self._document.policies_of(RemoveWagers)), self.practice.dealer
        )
        body = cmd.RemoveWager(patron=GUEST, wager=wager, amount=amount, position=position)
        self.practice.do(body, by)

    # what is owed

    @property
    def _document(self) -> Document:
        return self.practice.rulebook.document

    @property
    def _desk(self) -> QueryDesk:
        return QueryDesk(self.practice.rulebook, self.practice.house, self.practice.table)

    def tell_owed(self, *, always: bool = False) -> None:
        """List the open irregularities, the gravest first, and what is to be done; once, unless asked."""
        desk = self._desk
        cases = open_cases(desk, {})
        lines = [self._case(each) for each in cases] if len(cases) > 1 else []
        owed = duties(desk, self.practice.due)
        lines += [text("practice.owed"), *(f"  - {self._duty(each)}" for each in owed)] if owed else []
        if always and not lines:
            self.asker.say(text("practice.nothing-owed"))
        elif always or lines != self._told:
            for line in lines:
                self.asker.say(line)
        self._told = lines

    def _case(self, case: OpenCase) -> str:
        """One of several open cases, and whether it is the one that is dealt with."""
        key = "practice.case-now" if case.current else "practice.case-open"
        clause = (case.clause,) if case.clause else ()
        return text(key, situation=f"@situation.{case.situation.value}") + cited(clause)

    def _duty(self, duty: Duty) -> str:
        hand = f"@hand.{duty.hand.value}" if duty.hand else ""
        amount = format_amount(duty.amount, self.practice.house.currency)
        said = say(message(f"duty.{duty.kind.value}", hand=hand, amount=amount, count=duty.cards))
        who = (
            post_name(duty.post)
            if duty.post
            else ", ".join(each.patron for each in duty.patrons if not each.answered)
        )
        return said + cited(duty.clauses) + (f" ({who})" if who else "")
