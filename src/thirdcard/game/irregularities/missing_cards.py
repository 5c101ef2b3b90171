"""The cards that are missing after sorting: deduced from a list, and again after a correction."""

from collections import Counter

from msgspec.structs import replace

from thirdcard.cards import Card, Rank
from thirdcard.clauses import Clause
from thirdcard.game import commands as cmd
from thirdcard.game import events as ev
from thirdcard.game.apply import apply
from thirdcard.game.case_cards import refuse_before
from thirdcard.game.desk import Desk, QueryDesk
from thirdcard.game.squeezing import hands_with
from thirdcard.game.state import Case, Round, Table, Wait
from thirdcard.game.texts import has_words
from thirdcard.refusals import Refusal, Refused, refuse
from thirdcard.rulebook.document import Document
from thirdcard.rulebook.irregularity import (
    DeduceMissingCards,
    Irregularity,
    Situation,
    SortCards,
    SubstituteMissingCards,
    effect_clauses,
)
from thirdcard.staff import Post


def record_missing(desk: Desk, case: Case, left: tuple[Card, ...], lacking: tuple[Card, ...]) -> None:
    """Record the missing cards; where others were found before, the table waits for equal ones of these."""
    clauses = tuple(each.clause for each in case.effects if isinstance(each, DeduceMissingCards))
    desk.emit(ev.MissingCardsDeduced(cards=left, lacking=lacking, clauses=clauses))
    effect = case.effects[case.done]
    if isinstance(effect, SubstituteMissingCards):
        desk.emit(
            ev.CaseWaits(waits=Wait.SUBSTITUTES, post=substituted_by(desk), clauses=effect_clauses(effect))
        )


def deduced(table: Table, lacking: tuple[Card, ...], *, substituted: bool = False) -> tuple[Card, ...] | None:
    """Return what sorted decks lack besides cards in play and reserved; nothing if they have one of them.

    Where the missing cards are ``substituted``, the substitutes are left out. A card whose suit nobody
    entered is any one of its rank, where that leaves no choice.
    """
    accounted = _accounted(table, substituted=substituted)
    if _rank_in_doubt(accounted, lacking) is not None:
        return None
    left, others = _struck(accounted, lacking)
    return None if others else left


def _struck(accounted: list[Card], lacking: tuple[Card, ...]) -> tuple[tuple[Card, ...], tuple[Card, ...]]:
    """Strike what is accounted for from a list: what is left of it, and the cards that it does not have."""
    left, others = list(lacking), []
    for card in sorted(accounted, key=lambda each: each.suit is None):
        found = next((each for each in left if _may_be(card, each)), None)
        if found is None:
            others.append(card)
        else:
            left.remove(found)
    return tuple(left), tuple(others)


def refuse_list(
    table: Table, lacking: tuple[Card, ...], needed: int, clauses: tuple[Clause, ...]
) -> Refused | None:
    """Refuse a list that these decks cannot have, or that leaves the suit of a card in play open.

    One with as many cards as are ``needed`` has all that are in play.
    """
    assert table.shoe is not None
    decks = table.shoe.decks
    for card, copies in Counter(each for each in lacking if each.suit).items():
        if copies > decks:
            return refuse(Refusal.NOT_LACKING, *clauses, card=card.text)
    accounted = _accounted(table)
    if _rank_in_doubt(accounted, lacking) is not None:
        return refuse(Refusal.CARD_FACES_NEEDED, *clauses, cards=sum(each.suit is None for each in accounted))
    _, others = _struck(accounted, lacking)
    if others and len(lacking) == needed:
        return refuse(Refusal.NOT_LACKING, *clauses, card=others[0].text)
    return None


def _accounted(table: Table, *, substituted: bool = False) -> list[Card]:
    """The cards in play whose faces are known, at the hands or aside, and those reserved."""
    current = table.round
    assert current is not None
    places = current.substituted if substituted else ()
    known = [each.card for place, each in enumerate(current.cards) if each.card and place not in places]
    return [*known, *filter(None, table.aside), *table.reserved]


def _may_be(card: Card, listed: Card) -> bool:
    """Whether a card in play may be one of the list; of one without its suit only the rank is known."""
    return card == listed or (card.suit is None and card.rank is listed.rank)


def _rank_in_doubt(accounted: list[Card], lacking: tuple[Card, ...]) -> Rank | None:
    """The rank of a card without its suit that may be one of several in the list."""
    left = Counter(lacking) - Counter(accounted)
    loose = (Counter(accounted) - Counter(lacking)).items()
    for card, number in loose:
        others = Counter({each: copies for each, copies in left.items() if _may_be(card, each)})
        if len(others) > 1 and others.total() > number:
            return card.rank
    return None


def refuse_correction(desk: QueryDesk, number: int, card: Card) -> Refused | None:
    """Refuse a face that the sorted decks do not lack, once substitutes lie there.

    Before that the list falls, and is entered again; while another irregularity goes first, that waits.
    """
    table, current, first = desk.table, desk.table.round, desk.table.case
    assert current is not None
    waits = any(each.waits is Wait.SUBSTITUTES for each in table.open_cases)
    if first is not None and waits and first.waits is not Wait.SUBSTITUTES:
        return refuse_before(first)
    replaced = current.substituted and deduced(table, current.lacking, substituted=True)
    if not replaced or number - 1 in current.substituted:
        return None
    corrected = ev.CardCorrected(round=current.number, number=number, old=None, new=card, by="", second="")
    left = deduced(apply(table, corrected), current.lacking, substituted=True)
    return refuse(Refusal.NOT_LACKING, card=card.text) if left is None else None


def deduce_again(desk: Desk) -> None:
    """Find the missing cards again after a correction, and lay equal ones where others lay before."""
    current, case = desk.table.round, desk.table.case
    assert current is not None
    if case is not None and case.waits is Wait.SUBSTITUTES:
        left = deduced(desk.table, current.lacking)
        if left is not None:
            record_missing(desk, case, left, current.lacking)
            return
        sort = next(each for each in case.effects if isinstance(each, SortCards))
        desk.emit(ev.CaseWaits(waits=Wait.SORTED_CARDS, post=None, clauses=(sort.clause,)))
    elif current.substituted:
        _substitute_again(desk, current, deduced(desk.table, current.lacking, substituted=True) or ())


def _substitute_again(desk: Desk, current: Round, left: tuple[Card, ...]) -> None:
    """Lay equal cards of those that are missing now; a substitute that is still one of them stays."""
    new, changed = list(left), []
    for place in current.substituted:
        card = current.cards[place].card
        if card in new:
            new.remove(card)
        else:
            changed.append(place)
    if not changed or len(new) != len(changed):  # as they lie, or laid otherwise by now
        return
    faces = dict(zip(changed, new, strict=True))
    cards = tuple(replace(each, card=faces.get(at, each.card)) for at, each in enumerate(current.cards))
    steps = (each for row in rows_of_taken(desk.document) for each in row.effects)
    clauses = tuple(each.clause for each in steps if isinstance(each, SubstituteMissingCards))
    desk.emit(ev.CardsSubstituted(cards=cards, clauses=clauses))


def cases_of_missing(desk: QueryDesk) -> list[Case]:
    """The open cases of patrons who left with cards of unknown value: their cards are found together."""
    found = (each for each in desk.table.open_cases if each.situation is Situation.PATRON_LEFT_WITH_CARDS)
    return [each for each in found if _finds_cards(each)]


def missing_places(desk: QueryDesk, current: Round) -> list[int]:
    """The places of the cards that patrons have taken along and whose faces nobody knows."""
    hands = {hand for each in cases_of_missing(desk) for hand in hands_with(desk, current, each.patron or "")}
    return [place for place, each in enumerate(current.cards) if each.hand in hands and each.card is None]


def substituted_by(desk: QueryDesk) -> Post | None:
    """The post that says which card goes where, where cards of both hands are gone and no clause does."""
    current = desk.table.round
    hands = {current.cards[place].hand for place in missing_places(desk, current)} if current else set()
    return desk.not_covered()[0] if len(hands) > 1 else None


def contradict_missing(desk: QueryDesk, body: cmd.ReportIrregularity) -> Refused | None:
    """Cards that a patron took along are accounted for by their own clause: whoever misses others says so."""
    if has_words(body.note):
        return None
    taken = cases_of_missing(desk)
    if taken:
        return refuse_before(taken[-1])
    current = desk.table.round if body.paying else desk.round
    clauses = _taken_along_by(desk.document, current) if current else ()
    return refuse(Refusal.TEXT_NEEDED, *clauses) if clauses else None


def _taken_along_by(document: Document, current: Round) -> tuple[Clause, ...]:
    """The clause by which a round went on although a patron took cards of it along; none if nobody did."""
    if Situation.PATRON_LEFT_WITH_CARDS not in current.noted:
        return ()
    found = bool(current.substituted)
    return tuple(row.clause for row in rows_of_taken(document) if row.clause and _finds_cards(row) is found)


def rows_of_taken(document: Document) -> tuple[Irregularity, ...]:
    """The rows of a document about cards that a patron took along."""
    return tuple(row for row in document.irregularities if row.situation is Situation.PATRON_LEFT_WITH_CARDS)


def _finds_cards(row: Irregularity | Case) -> bool:
    return any(isinstance(effect, DeduceMissingCards) for effect in row.effects)
