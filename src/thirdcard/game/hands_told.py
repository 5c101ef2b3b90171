"""The hands that a report tells of, and their cards as they lay before it."""

from msgspec.structs import replace

from thirdcard.game.state import CardState, Case, DealtCard, Hand, Table
from thirdcard.rulebook.irregularity import Situation

# cases by which a hand lies elsewhere, on the word of a report or by the entry that it was passed
ABOUT_A_HAND = (Situation.PATRON_ABSENT, Situation.WRONG_DELIVERY)


def leaves_a_hand(table: Table, case: Case) -> bool:
    """Whether a case that is closed leaves a hand elsewhere, and nobody has acted on that."""
    return not case.acted and bool(hands_in_doubt(table, case))


def hands_in_doubt(table: Table, case: Case) -> tuple[Hand, ...]:
    """The hands of a case about a hand that can still lie where they did before: no card of theirs is open.

    One that was passed to a wrong patron, nobody has looked at.
    """
    current = table.round
    if case.situation not in ABOUT_A_HAND or current is None or current.ended:
        return ()
    taken = {each.hand for each in current.declined if each.patron == case.patron}
    absent = case.situation is Situation.PATRON_ABSENT
    hands = taken if absent else {case.hand}
    touched = (CardState.EXPOSED,) if absent else (CardState.EXPOSED, CardState.SEEN)
    lying = {hand: [each.state for each in current.cards if each.hand is hand] for hand in Hand}
    return tuple(
        hand for hand in Hand if hand in hands and lying[hand] and not {*touched}.intersection(lying[hand])
    )


def cards_before(table: Table, case: Case) -> tuple[DealtCard, ...] | None:
    """The cards of the round if the hand of a case lies again as it did before the report.

    Nothing where the report has told nothing of a hand, or where cards were dealt or laid otherwise since.
    """
    current = table.round
    before = dict(current.untold).get(case.id) if current and not current.ended else None
    if current is None or before is None or [e.hand for e in before] != [e.hand for e in current.cards]:
        return None
    return tuple(
        replace(old, card=old.card and new.card)
        if new.hand is case.hand
        else new  # it may be corrected since
        for old, new in zip(before, current.cards, strict=True)
    )


def tells_of_a_hand(table: Table, case: Case) -> bool:
    """Whether cards of a hand lie open, or were seen, by the report of a case."""
    return table.round is not None and case.id in dict(table.round.untold)
