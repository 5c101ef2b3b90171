"""The rules of one game as a recount reads them off the document: which card is due, what a wager pays."""

from fractions import Fraction

import msgspec
from msgspec import Struct

from thirdcard.auditor.bodies import Fact, HandName
from thirdcard.rulebook.document import Document, PayRow, WagerForm
from thirdcard.rulebook.house import HouseForm

Facts = dict[str, Fact]
Ranks = tuple[int, ...]
COURT_CARDS = frozenset({11, 12, 13})
DERIVED_FACTS = ("margin", "natural")  # never recorded, since they follow from the others


class PayLine(Struct, frozen=True):
    """A row that can decide a wager: what must hold, at which odds it pays, and who says so."""

    when: dict[str, tuple[Fact, ...]]
    clauses: frozenset[str]
    odds: str | None = None
    gain: Fraction = Fraction(0)
    gross: Fraction = Fraction(0)


class WagerSheet(Struct, frozen=True):
    """A wager: the rows in the order in which they are asked, and the clauses of its loss."""

    lines: tuple[PayLine, ...]
    lost: frozenset[str]


class ProRata(Struct, frozen=True):
    """The clauses by which an exceeded differential scales stakes, and spares those under the minimum."""

    scaled: str
    spared: str


class RecountSheet(Struct, frozen=True, kw_only=True):
    """Everything that a recount asks of a document and of the house that plays by it."""

    naturals: frozenset[tuple[str, int]]
    player_draws: frozenset[int]
    banker_draws: frozenset[tuple[int, int | None]]
    pairs_by_rank: bool
    wagers: dict[str, WagerSheet]
    paid_once: frozenset[str]
    to_maximum: frozenset[str]
    pro_rata: ProRata | None
    unit: int
    payments: str
    whole_limit: bool


def read_sheet(
    document: Document, house: HouseForm, variant: str | None, *, whole_limit: bool = True
) -> RecountSheet:
    """The sheet of one game of a document at a house.

    ``whole_limit`` says that scaled stakes together come to the limit; each was once rounded by itself.
    """
    table = document.table_of_play
    smallest = Fraction(house.rounding.smallest_unit) * 10**house.currency.exponent
    reading = document.pairs.rule if document.pairs else "rank"
    return RecountSheet(
        naturals=frozenset((row.hand, total) for row in table.natural for total in row.total),
        player_draws=frozenset(
            total for row in table.player if row.step.value == "draws" for total in row.total
        ),
        banker_draws=frozenset(
            (total, third)
            for row in table.banker
            if row.step.value == "draws"
            for total in row.total
            for third in _thirds(row.player_third)
        ),
        pairs_by_rank=reading == "rank" or house.settings.pair_rule.value == "rank",
        wagers={form.id: _wager(form, variant) for form in document.wagers},
        paid_once=_clauses(document, "under-minimum", "pay-once-then-return"),
        to_maximum=_clauses(document, "over-maximum", "pay-to-maximum"),
        pro_rata=_pro_rata(document),
        unit=int(smallest),
        payments=house.rounding.payments.value,
        whole_limit=whole_limit,
    )


def _thirds(player_third: tuple[int, ...] | str) -> tuple[int | None, ...]:
    if isinstance(player_third, tuple):
        return player_third
    return (None,) if player_third == "none" else tuple(range(10))


def _wager(form: WagerForm, variant: str | None) -> WagerSheet:
    standing = [PayLine(_when(row.when), frozenset(row.clauses)) for row in form.stands_off]
    paying = [_pay_line(form, row) for row in form.pays if row.variant is None or row.variant == variant]
    return WagerSheet(lines=(*standing, *paying), lost=frozenset(form.lost))


def _pay_line(form: WagerForm, row: PayRow) -> PayLine:
    commission = row.commission
    own = {row.clause, *row.also, *form.won, *(commission.clauses if commission else ())}
    gain = odds_of(row.odds)
    gross = odds_of(commission.of) if commission else gain
    return PayLine(when=_when(row.when), clauses=frozenset(own), odds=row.odds, gain=gain, gross=gross)


def _when(conditions: Struct) -> dict[str, tuple[Fact, ...]]:
    plain: dict[str, Fact | list[Fact] | tuple[Fact, ...] | None] = msgspec.to_builtins(conditions)
    return {
        name: tuple(wanted) if isinstance(wanted, list | tuple) else (wanted,)
        for name, wanted in plain.items()
        if wanted is not None
    }


def _clauses(document: Document, situation: str, effect: str) -> frozenset[str]:
    """The clauses of an effect in the rows of a situation; a document may have none."""
    return frozenset(
        clause
        for row in document.irregularities
        if row.situation.value == situation
        for each in row.effects
        if each.__struct_config__.tag == effect and (clause := getattr(each, "clause", None))
    )


def _pro_rata(document: Document) -> ProRata | None:
    for row in document.irregularities:
        for each in row.effects:
            if each.__struct_config__.tag == "settle-pro-rata":
                told = msgspec.to_builtins(each)
                return ProRata(scaled=told["clause"], spared=told["exempt_under_minimum"])
    return None


def odds_of(text: str) -> Fraction:
    """Return what one unit of a stake gains: ``0.95 to 1`` is 19/20."""
    gain, stake = text.split(" to ")
    return Fraction(gain) / Fraction(stake)


def to_unit(exact: Fraction, unit: int, way: str) -> int:
    """An exact amount as a multiple of the unit: up, down, or to the nearest with halves up."""
    number, of = exact.numerator, exact.denominator * unit
    if way == "up":
        return -(-number // of) * unit
    if way == "down":
        return number // of * unit
    return (2 * number + of) // (2 * of) * unit


def point_value(rank: int) -> int:
    """Aces count one, two to nine their pips, tens and court cards nothing."""
    return rank if rank <= 9 else 0


def point_total(ranks: Ranks) -> int:
    """The right digit of the sum."""
    return sum(map(point_value, ranks)) % 10


def next_hand(sheet: RecountSheet, player: Ranks, banker: Ranks) -> HandName | None:
    """The hand that takes the next card, or nothing where the hands are complete."""
    laid = len(player) + len(banker)
    if laid < 4:
        return "player" if laid % 2 == 0 else "banker"
    player_total, banker_total = point_total(player[:2]), point_total(banker[:2])
    if ("player", player_total) in sheet.naturals or ("banker", banker_total) in sheet.naturals:
        return None
    third = None
    if player_total in sheet.player_draws:
        if len(player) == 2:
            return "player"
        third = point_value(player[2])
    if len(banker) == 2 and (banker_total, third) in sheet.banker_draws:
        return "banker"
    return None


def facts_of(sheet: RecountSheet, player: Ranks, banker: Ranks) -> Facts:
    """The facts of a finished round."""
    player_total, banker_total = point_total(player), point_total(banker)
    winner = "tie"
    if player_total != banker_total:
        winner = "player" if player_total > banker_total else "banker"
    player_pair, banker_pair = _is_pair(sheet, player), _is_pair(sheet, banker)
    pairs = ("none", "one", "both")[player_pair + banker_pair]
    if pairs == "both" and len({*player[:2], *banker[:2]}) == 1:
        pairs = "twin"
    return {
        "winner": winner,
        "player_total": player_total,
        "banker_total": banker_total,
        "player_cards": len(player),
        "banker_cards": len(banker),
        "third_cards": len(player) + len(banker) - 4,
        "player_pair": player_pair,
        "banker_pair": banker_pair,
        "pairs": pairs,
        "margin": abs(player_total - banker_total),
        "natural": (len(player) == 2 and player_total >= 8) or (len(banker) == 2 and banker_total >= 8),
    }


def _is_pair(sheet: RecountSheet, ranks: Ranks) -> bool:
    """Two of a rank; by the letter also two of one point value, unless they are unlike court cards."""
    first, second = ranks[:2]
    if first == second:
        return True
    unlike_courts = {first, second} <= COURT_CARDS
    return not sheet.pairs_by_rank and not unlike_courts and point_value(first) == point_value(second)
