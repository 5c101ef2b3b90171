"""The result that every wager of a round should have: how much of it acts, and what that wins or loses."""

from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction

from msgspec import Struct

from thirdcard.auditor.bodies import HANDS, ChangedTerms, Limit, Setup, WagerReduced
from thirdcard.auditor.sheet import Facts, ProRata, RecountSheet, WagerSheet, to_unit
from thirdcard.auditor.wager_bodies import SettledLine
from thirdcard.messages import Message, message


class Lying(Struct, frozen=True):
    """A wager on the layout: ``gone`` was taken away too late, ``stay`` is the patron's visit it is of.

    ``held`` is the suspicion for which its chips are with the staff.
    """

    id: int
    patron: str
    wager: str
    stake: int
    stay: int
    gone: int = 0
    held: int = 0


class PostedTerms(Struct, frozen=True):
    """The terms that are posted at the table."""

    limits: dict[str, Limit]
    differential: int

    def is_under(self, each: Lying) -> bool:
        """Whether a wager is below its minimum."""
        return each.stake < self.limits[each.wager].minimum


def terms_of(posted: Setup | ChangedTerms) -> PostedTerms:
    """Return the terms of a set-up, or of a change of it."""
    return PostedTerms({each.wager: each for each in posted.limits}, posted.differential)


class ActingPart(Struct, frozen=True):
    """The part of a wager that acts, and the clauses that cut it down or let it pass."""

    amount: int
    clauses: frozenset[str] = frozenset()
    let_pass: bool = False


class Expected(Struct, frozen=True, kw_only=True):
    """A wager as it should have been settled; ``over`` is what rounding adds to the exact payment."""

    acting: ActingPart
    result: str
    back: int
    odds: str | None = None
    paid: int = 0
    taken: int = 0
    commission: int = 0
    over: Fraction = Fraction(0)
    clauses: frozenset[str] = frozenset()


def lies_there(body: WagerReduced, lay: Lying) -> bool:
    """Whether the chips that go back lie there or are held, and those that were gone had been taken away."""
    back, whole = body.amount - body.gone, lay.stake - lay.gone
    return body.amount <= lay.stake and body.gone <= lay.gone and back <= whole and body.held == lay.held


def expect(
    sheet: RecountSheet,
    terms: PostedTerms,
    lying: Iterable[Lying],
    facts: Facts,
    is_marked: Callable[[Lying], bool],
) -> dict[int, Expected]:
    """Every wager on the layout by its id, settled on the facts of the round."""
    wagers = tuple(lying)
    acting = {each.id: _limited(sheet, terms, each, marked=is_marked(each)) for each in wagers}
    if sheet.pro_rata:
        acting |= _scaled(sheet, sheet.pro_rata, terms, wagers, acting)
    return {each.id: _settled(sheet, each, acting[each.id], facts) for each in wagers}


def expect_again(sheet: RecountSheet, each: Lying, acting: ActingPart, facts: Facts) -> Expected:
    """Return a wager settled on other facts, for what of it was in action."""
    return _settled(sheet, each, acting, facts)


def _limited(sheet: RecountSheet, terms: PostedTerms, each: Lying, *, marked: bool) -> ActingPart:
    """Where the document says so: under the minimum once and then not at all, over the maximum up to it."""
    most = terms.limits[each.wager].maximum
    if sheet.paid_once and terms.is_under(each):
        return ActingPart(0 if marked else each.stake, sheet.paid_once, let_pass=not marked)
    if sheet.to_maximum and each.stake > most:
        return ActingPart(most, sheet.to_maximum)
    return ActingPart(each.stake)


def _scaled(
    sheet: RecountSheet,
    rule: ProRata,
    terms: PostedTerms,
    wagers: tuple[Lying, ...],
    acting: dict[int, ActingPart],
) -> dict[int, ActingPart]:
    """The heavier hand acts for the lighter one and the limit; first in full what is under the minimum."""
    on_hand = {
        hand: [each for each in wagers if each.wager == hand and acting[each.id].amount > 0] for hand in HANDS
    }
    totals = {hand: sum(acting[each.id].amount for each in on_hand[hand]) for hand in HANDS}
    light, heavy = sorted(HANDS, key=lambda hand: totals[hand])
    room = totals[light] + terms.differential
    if totals[heavy] <= room:
        return {}
    spared = [each for each in on_hand[heavy] if terms.is_under(each)]
    shared = [each for each in on_hand[heavy] if not terms.is_under(each)]
    in_full = sum(acting[each.id].amount for each in spared)
    to_share = totals[heavy] - in_full
    left = max(room - in_full, 0)
    changed: dict[int, ActingPart] = {}
    for each in spared:
        old = acting[each.id]
        changed[each.id] = ActingPart(old.amount, old.clauses | {rule.spared}, let_pass=old.let_pass)
    parts = _parts(sheet, {each.id: Fraction(acting[each.id].amount, to_share) for each in shared}, left)
    for each in shared:
        changed[each.id] = ActingPart(parts[each.id], acting[each.id].clauses | {rule.scaled})
    return changed


def _parts(sheet: RecountSheet, fractions: dict[int, Fraction], room: int) -> dict[int, int]:
    """The room by the fractions of wagers, filled to the last unit.

    A unit more goes where most of one was cut off, and of equal wagers to the one that was placed first.
    """
    unit = sheet.unit
    if not sheet.whole_limit:
        return {number: to_unit(each * room, unit, "half-up") for number, each in fractions.items()}
    payable = to_unit(Fraction(room), unit, "down")
    exact = {number: each * payable for number, each in fractions.items()}
    parts = {number: to_unit(each, unit, "down") for number, each in exact.items()}
    for number in sorted(parts, key=lambda number: (parts[number] - exact[number], number)):
        if sum(parts.values()) < payable:
            parts[number] += unit
    return parts


def _settled(sheet: RecountSheet, each: Lying, acting: ActingPart, facts: Facts) -> Expected:
    there = each.stake - each.gone
    if acting.amount == 0:
        return Expected(acting=acting, result="returned", back=there, clauses=acting.clauses)
    wager = sheet.wagers[each.wager]
    for line in wager.lines:
        if all(facts[name] in wanted for name, wanted in line.when.items()):
            break
    else:
        return _lost(wager, acting, there)
    clauses = acting.clauses | line.clauses
    if line.odds is None:
        return Expected(acting=acting, result="stood-off", back=there, clauses=clauses)
    exact = acting.amount * line.gain
    paid = to_unit(exact, sheet.unit, sheet.payments)
    gross = to_unit(acting.amount * line.gross, sheet.unit, sheet.payments)
    return Expected(
        acting=acting,
        result="won",
        back=there,
        odds=line.odds,
        paid=paid,
        commission=gross - paid,
        over=paid - exact,
        clauses=clauses,
    )


def _lost(wager: WagerSheet, acting: ActingPart, there: int) -> Expected:
    """Take what acted from what lies there; chips that are gone are owed."""
    return Expected(
        acting=acting,
        result="lost",
        back=max(there - acting.amount, 0),
        taken=acting.amount,
        clauses=acting.clauses | wager.lost,
    )


def compare(
    line: SettledLine, lay: Lying, right: Expected, amount: Callable[[int], str]
) -> Iterator[Message]:
    """One sentence for everything of a settled wager that differs."""
    amounts = (
        ("finding.stake", line.stake, lay.stake),
        ("finding.in-action", line.in_action, right.acting.amount),
        ("finding.paid", line.paid, right.paid),
        ("finding.taken", line.taken, right.taken),
        ("finding.back", line.back, right.back),
        ("finding.commission", line.commission, right.commission),
    )
    texts = (
        ("finding.owner", f"{line.patron}, {line.wager}", f"{lay.patron}, {lay.wager}"),
        ("finding.result", line.result, right.result),
        ("finding.odds", line.odds or "-", right.odds or "-"),
        ("finding.rounding", str(Fraction(line.rounded_over, line.rounded_of or 1)), str(right.over)),
        ("finding.pulled", str(line.pulled), str(lay.gone)),
        ("finding.suspicion", str(line.held), str(lay.held)),
        ("finding.clauses", ", ".join(sorted(line.clauses)), ", ".join(sorted(right.clauses))),
    )
    spoken = [(key, amount(said), amount(due)) for key, said, due in amounts if said != due]
    for key, recorded, recounted in (*spoken, *texts):
        if recorded != recounted:
            whose = {"patron": lay.patron, "wager": lay.wager}
            yield message(key, recorded=recorded, recounted=recounted, **whose)
