"""Reads a round file: a head that says what table it is, then who did what."""

import re
from collections.abc import Callable
from datetime import datetime, timedelta

from msgspec import Struct

from thirdcard.cards import Card, parse_card
from thirdcard.game import commands as cmd
from thirdcard.game.state import Hand
from thirdcard.messages import message, say
from thirdcard.money import Currency, parse_amount
from thirdcard.rulebook.facts import Winner
from thirdcard.rulebook.irregularity import Method, Situation
from thirdcard.staff import Post


class BadLine(Exception):
    """A line that cannot be understood, with its number and what to do."""


class Act(Struct, frozen=True):
    """One line of what happened: who, the commands it means, and on whose authority."""

    number: int
    text: str
    actor: str
    bodies: tuple[cmd.Body, ...]
    authoriser: str | None = None
    at: str | None = None


class Check(Struct, frozen=True):
    """One line of what must have come out of it."""

    number: int
    patron: str
    amounts: tuple[tuple[str, str], ...]


class RoundFile(Struct, frozen=True):
    """A round file: its head, its acts with the lines expected after each, and its checks."""

    head: dict[str, str]
    lines: tuple[str, ...]
    acts: tuple[tuple[Act, tuple[str, ...]], ...]
    checks: tuple[Check, ...]


HEAD = (
    "scenario",
    "game",
    "layout",
    "positions",
    "area",
    "device",
    "method",
    "decks",
    "automatic",
    "main",
    "side",
    "differential",
    "face-down",
    "burn",
    "equipment",
    "table",
    "shoe",
    "patrons",
    "start",
    "left",
)


def parse(text: str, currency: Callable[[str], Currency]) -> RoundFile:
    """A round file from its text; the currency is that of the game's house."""
    head: dict[str, str] = {}
    acts: list[tuple[Act, tuple[str, ...]]] = []
    checks: list[Check] = []
    lines = text.splitlines()
    for number, line in enumerate(lines, start=1):
        stripped = line.strip()
        if not stripped or stripped.startswith("#"):
            continue
        if line.startswith((" ", "\t")):
            if not acts:
                raise _bad(number, line)
            act, expected = acts[-1]
            acts[-1] = (act, (*expected, stripped))
            continue
        word, _, rest = stripped.partition(" ")
        if not acts and word in HEAD:
            head[word] = rest.strip()
        elif word == "check":
            checks.append(_check(number, rest))
        else:
            acts.append((_act(number, stripped, currency(head.get("game", ""))), ()))
    return RoundFile(head, tuple(lines), tuple(acts), tuple(checks))


def _bad(number: int, line: str) -> BadLine:
    return BadLine(say(message("round.bad-line", line=number, text=line.strip())))


def _check(number: int, text: str) -> Check:
    patron, _, amounts = text.partition(":")
    pairs = tuple((parts[0], parts[1]) for part in amounts.split(",") if len(parts := part.split()) == 2)
    if not pairs:
        raise _bad(number, text)
    return Check(number, patron.strip(), pairs)


def _act(number: int, line: str, currency: Currency) -> Act:
    """``[at TIME] WHO [with WHO]: WHAT``."""
    found = re.fullmatch(r"(?:at (\S+) )?([^:]+?)(?: with ([^:]+?))?: (.+)", line)
    if found is None:
        raise _bad(number, line)
    at, actor, authoriser, what = found.groups()
    for pattern, make in _ACTIONS:
        match = re.fullmatch(pattern, what)
        if match:
            try:
                bodies = make(Words(match, actor, currency))
            except (ValueError, KeyError) as error:
                raise _bad(number, line) from error
            return Act(number, line, actor, bodies, authoriser, at)
    raise _bad(number, line)


class Words:
    """The parts of a line that a pattern found, turned into values."""

    def __init__(self, match: re.Match[str], actor: str, currency: Currency) -> None:
        self._groups = match.groupdict()
        self._currency = currency
        self.actor = actor

    def text(self, name: str) -> str:
        return self._groups.get(name) or ""

    def has(self, name: str) -> bool:
        return bool(self._groups.get(name))

    def number(self, name: str) -> int | None:
        return int(self._groups[name]) if self._groups.get(name) else None

    def count(self, name: str) -> int:
        return int(self._groups[name])

    def amount(self, name: str = "amount") -> int:
        minor = parse_amount(self.text(name), self._currency)
        if minor is None:
            raise ValueError(self.text(name))
        return minor

    def hand(self) -> Hand:
        return Hand(self.text("hand"))

    def cards(self, name: str = "cards") -> tuple[Card, ...]:
        parsed = tuple(parse_card(word) for word in self.text(name).split())
        if None in parsed:
            raise ValueError(self.text(name))
        return tuple(card for card in parsed if card)

    def patron(self) -> str:
        return self.text("patron") or self.actor


Make = Callable[[Words], tuple[cmd.Body, ...]]
_ON = r"(?P<amount>[\d.]+) on (?P<wager>[a-z-]+)(?: at (?P<position>\d+))?"


def _place(words: Words) -> tuple[cmd.Body, ...]:
    money = words.text("money") or "chips"
    return (
        cmd.PlaceWager(
            patron=words.patron(),
            wager=words.text("wager"),
            amount=words.amount(),
            position=words.number("position"),
            money="cash" if money == "cash" else "credits" if money == "credits" else "chips",
            in_area=not words.has("between"),
        ),
    )


def _draw(words: Words) -> tuple[cmd.Body, ...]:
    bodies: list[cmd.Body] = []
    for word in words.text("cards").split():
        card = None if word == "?" else parse_card(word)
        if card is None and word != "?":
            raise ValueError(word)
        bodies.append(cmd.DrawCard(card=card, despite_differential=words.has("despite")))
    return tuple(bodies)


def _report(words: Words) -> tuple[cmd.Body, ...]:
    facts = [fact.strip() for fact in words.text("facts").split(",") if fact.strip()]
    told = {
        "reconstructable": ("reconstructable", "not reconstructable"),
        "order_known": ("order known", "order unknown"),
        "seen": ("seen", "unseen"),
        "value_known": ("value known", "value unknown"),
    }
    known: dict[str, bool | None] = {
        name: True if yes in facts else False if no in facts else None for name, (yes, no) in told.items()
    }
    spoken = {word for pair in told.values() for word in pair} | {"previous round"}
    if not set(facts) <= spoken:
        raise ValueError(words.text("facts"))
    return (
        cmd.ReportIrregularity(
            situation=Situation(words.text("situation")),
            cards=words.cards(),
            patron=words.text("patron") or None,
            hand=words.hand() if words.has("hand") else None,
            amount=words.amount() if words.has("amount") else 0,
            previous_round="previous round" in facts,
            reconstructable=known["reconstructable"],
            order_known=known["order_known"],
            seen=known["seen"],
            value_known=known["value_known"],
        ),
    )


def _appoint(words: Words) -> tuple[cmd.Body, ...]:
    end = datetime.fromisoformat(words.text("end"))
    post = Post(words.text("post"))
    start = end - timedelta(hours=12)
    return (cmd.AppointActing(person=words.text("person"), post=post, start=start, end=end),)


def _one(make: Callable[[Words], cmd.Body]) -> Make:
    return lambda words: (make(words),)


def _sources(words: Words) -> tuple[str, ...]:
    return tuple(source.strip() for source in words.text("sources").split(",") if source.strip())


_CARD = "(?:10|[2-9AJQKT])[SHDC♠♥♦♣]?"
_CARDS = rf"(?P<cards>{_CARD}(?: {_CARD})*)"
_ACTIONS: tuple[tuple[str, Make], ...] = (
    (r"opens betting", _one(lambda _: cmd.OpenBetting())),
    (r"closes betting", _one(lambda _: cmd.CloseBetting())),
    (rf"{_ON}(?: in (?P<money>cash|credits))?(?P<between>, between two areas)?", _place),
    (rf"for (?P<patron>[^:]+?) {_ON}", _place),
    (
        r"(?:for (?P<patron>[^:]+?) )?takes (?P<amount>[\d.]+) off (?P<wager>[a-z-]+)(?: at (?P<position>\d+))?",
        _one(
            lambda w: cmd.ReduceWager(
                patron=w.patron(), wager=w.text("wager"), amount=w.amount(), position=w.number("position")
            )
        ),
    ),
    (
        rf"finds (?P<patron>.+?) {_ON}",
        _one(
            lambda w: cmd.FindWager(
                patron=w.patron(), wager=w.text("wager"), amount=w.amount(), position=w.number("position")
            )
        ),
    ),
    (r"asks to decrease", _one(lambda _: cmd.AskToDecreaseWagers())),
    (
        r"removes (?P<amount>[\d.]+) of (?P<patron>.+?) on (?P<wager>[a-z-]+)(?: at (?P<position>\d+))?",
        _one(
            lambda w: cmd.RemoveWager(
                patron=w.patron(), wager=w.text("wager"), amount=w.amount(), position=w.number("position")
            )
        ),
    ),
    (r"draws (?P<cards>.+?)(?P<despite> despite the differential)?", _draw),
    (r"sees the cutting card", _one(lambda _: cmd.SeeCuttingCard())),
    (
        r"passes (?P<hand>player|banker) to (?P<patron>.+)",
        _one(lambda w: cmd.PassCards(hand=w.hand(), patron=w.patron())),
    ),
    (
        r"chooses (?P<patron>.+) for (?P<hand>player|banker)",
        _one(lambda w: cmd.ChooseSqueezer(hand=w.hand(), patron=w.patron())),
    ),
    (
        r"declines (?P<hand>player|banker)",
        _one(lambda w: cmd.DeclineCards(hand=w.hand(), patron=w.patron())),
    ),
    (r"opens (?P<hand>player|banker) first", _one(lambda w: cmd.ChooseRevealOrder(first=w.hand()))),
    (
        r"looks at (?P<hand>player|banker)",
        _one(lambda w: cmd.LookAtCards(hand=w.hand(), patron=w.patron())),
    ),
    (
        rf"opens (?P<hand>player|banker)(?: {_CARDS})?",
        _one(lambda w: cmd.ExposeCards(hand=w.hand(), cards=w.cards())),
    ),
    (
        r"calls (?P<winner>player|banker|tie)",
        _one(lambda w: cmd.CallOutcome(winner=Winner(w.text("winner")))),
    ),
    (
        r"shows (?P<winner>player|banker|tie)",
        _one(lambda w: cmd.ReportDeviceResult(winner=Winner(w.text("winner")))),
    ),
    (r"deals the free hand", _one(lambda _: cmd.DealFreeHand())),
    (
        rf"reports (?P<situation>[a-z-]+)(?: of (?P<patron>[^,]+?))?(?: (?P<hand>player|banker) hand)?"
        rf"(?: amount (?P<amount>[\d.]+))?(?: cards {_CARDS})?(?:, (?P<facts>.+))?",
        _report,
    ),
    (r"confirms", _one(lambda _: cmd.ConfirmFacts())),
    (
        rf"rules (?P<choice>[a-z-]+)(?: {_CARDS})?(?: because (?P<text>.+))?",
        _one(lambda w: cmd.Rule(choice=w.text("choice"), text=w.text("text"), cards=w.cards())),
    ),
    (
        r"(?:for (?P<patron>.+?) )?withdraws(?: (?P<wager>[a-z-]+)(?: at (?P<position>\d+))?)?",
        _one(
            lambda w: cmd.AnswerOffer(
                patron=w.patron(),
                withdraw=True,
                wager=w.text("wager") or None,
                position=w.number("position"),
            )
        ),
    ),
    (
        r"(?:for (?P<patron>.+?) )?stays",
        _one(lambda w: cmd.AnswerOffer(patron=w.patron(), withdraw=False)),
    ),
    (r"ends the offer", _one(lambda _: cmd.EndOffer())),
    (r"reserves (?P<cards>.+)", _one(lambda w: cmd.ReserveCards(cards=w.cards()))),
    (r"enters lacking (?P<cards>.+)", _one(lambda w: cmd.EnterSortedCards(lacking=w.cards()))),
    (r"substitutes (?P<cards>.+)", _one(lambda w: cmd.SubstituteCards(cards=w.cards()))),
    (r"chooses new cards", _one(lambda _: cmd.ChooseCards(replace=True))),
    (r"keeps the cards", _one(lambda _: cmd.ChooseCards(replace=False))),
    (
        r"loads (?P<decks>\d+) decks(?P<joker> with a joker)?(?P<back> with another back)?",
        _one(
            lambda w: cmd.LoadShoe(
                decks=w.count("decks"), jokers=int(w.has("joker")), same_backs=not w.has("back")
            )
        ),
    ),
    (r"cuts at (?P<depth>\d+)", _one(lambda w: cmd.CutCards(depth=w.count("depth")))),
    (r"burns(?: by (?P<cards>\S+))?", _one(lambda w: cmd.BurnCards(first=next(iter(w.cards()), None)))),
    (r"announces the last hand", _one(lambda _: cmd.AnnounceLastHand())),
    (
        r"changes to method (?P<method>[ABC])",
        _one(lambda w: cmd.ChangeMethod(method=Method(w.text("method")))),
    ),
    (r"limits owners to (?P<most>\d+)", _one(lambda w: cmd.LimitOwners(most=w.count("most")))),
    (r"takes the device", _one(lambda w: cmd.TakeDevice(patron=w.actor))),
    (r"gives up the device", _one(lambda w: cmd.GiveUpDevice(patron=w.actor))),
    (r"permits (?P<patron>.+) to draw", _one(lambda w: cmd.PermitDrawing(patron=w.patron()))),
    (r"permits (?P<patron>.+) to squeeze", _one(lambda w: cmd.PermitSqueeze(person=w.patron()))),
    (r"forbids squeezing", _one(lambda _: cmd.ForbidSqueeze())),
    (r"asks to squeeze", _one(lambda w: cmd.RequestSqueeze(patron=w.actor))),
    (r"appoints (?P<person>.+) acting (?P<post>[a-z-]+) until (?P<end>\S+)", _appoint),
    (
        r"comes to the table(?: at (?P<position>\d+))?(?P<standing>, standing)?",
        _one(
            lambda w: cmd.ComeToTable(
                patron=w.actor, position=w.number("position"), seated=not w.has("standing")
            )
        ),
    ),
    (r"leaves the table", _one(lambda w: cmd.LeaveTable(patron=w.actor))),
    (r"buys (?P<amount>[\d.]+) credits", _one(lambda w: cmd.BuyCredits(terminal=w.actor, amount=w.amount()))),
    (r"cashes out (?P<amount>[\d.]+)", _one(lambda w: cmd.CashOut(terminal=w.actor, amount=w.amount()))),
    (r"ticks (?P<item>[a-z-]+)", _one(lambda w: cmd.TickEquipment(item=w.text("item")))),
    (
        r"marks (?P<item>[a-z-]+) not needed",
        _one(lambda w: cmd.TickEquipment(item=w.text("item"), needed=False)),
    ),
    (r"opens the table", _one(lambda _: cmd.OpenTable())),
    (r"closes the table because (?P<text>.+)", _one(lambda w: cmd.CloseTable(reason=w.text("text")))),
    (r"pauses the table because (?P<text>.+)", _one(lambda w: cmd.PauseTable(reason=w.text("text")))),
    (r"resumes the table", _one(lambda _: cmd.ResumeTable())),
    (r"disputes (?P<text>.+)", _one(lambda w: cmd.OpenDispute(patron=w.actor, about=w.text("text")))),
    (r"escalates dispute (?P<id>\d+)", _one(lambda w: cmd.EscalateDispute(id=w.count("id")))),
    (
        r"informs surveillance of dispute (?P<id>\d+)",
        _one(lambda w: cmd.InformSurveillance(id=w.count("id"))),
    ),
    (
        r"promises an answer to dispute (?P<id>\d+) (?P<text>.+)",
        _one(lambda w: cmd.GiveTimeFrame(id=w.count("id"), time_frame=w.text("text"))),
    ),
    (
        r"decides dispute (?P<id>\d+) as (?P<text>.+?)(?: citing (?P<sources>[a-z, -]+))?(?: awarding (?P<amount>[\d.]+))?",
        _one(
            lambda w: cmd.DecideDispute(
                id=w.count("id"),
                decision=w.text("text"),
                sources=_sources(w),
                award=w.amount() if w.has("amount") else 0,
            )
        ),
    ),
    (r"agrees with dispute (?P<id>\d+)", _one(lambda w: cmd.AnswerDecision(id=w.count("id"), agrees=True))),
    (
        r"disagrees with dispute (?P<id>\d+)",
        _one(lambda w: cmd.AnswerDecision(id=w.count("id"), agrees=False)),
    ),
    (
        r"explains the right to complain in dispute (?P<id>\d+)",
        _one(lambda w: cmd.TellComplaintRight(id=w.count("id"))),
    ),
    (
        r"complains in dispute (?P<id>\d+) helped by (?P<helper>.+?) because (?P<text>.+)",
        _one(lambda w: cmd.FileComplaint(id=w.count("id"), text=w.text("text"), helper=w.text("helper"))),
    ),
    (r"closes dispute (?P<id>\d+)", _one(lambda w: cmd.CloseDispute(id=w.count("id")))),
)
