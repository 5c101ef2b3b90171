"""Every event that moves money is recounted: whose chips they are, which credits are there, what is void."""

import copy
from collections.abc import Callable

import pytest
from auditor.written import Body, Written, as_written, written
from golden import NAMES, golden

from thirdcard.auditor.bodies import KINDS
from thirdcard.auditor.limit_mistakes import LIMITS_FORM
from thirdcard.auditor.people import SentBy
from thirdcard.folds.ledger import entries

# typed in: whatever has entries in the books
MOVES_MONEY = {
    "answer-taken-back",
    "award-paid",
    "award-set-off",
    "chips-bought",
    "chips-filled",
    "chips-returned",
    "claim-booked",
    "closer-counted",
    "complaint-answered",
    "credits-bought",
    "credits-cashed-out",
    "dispute-decided",
    "dispute-escalated",
    "drop-counted",
    "held-money-decided",
    "money-held",
    "opener-counted",
    "payment-claimed",
    "payment-corrected",
    "round-settled",
    "round-voided",
    "settlement-reversed",
    "slip-voided",
    "wager-found",
    "wager-placed",
    "wager-pulled-late",
    "wager-reduced",
    "wrong-payment-found",
}
FELT = """\
game mbs-tiger-v3
automatic expose
patrons Ann at 1, Bob at 2
Dealer: opens betting
Ann: 100 on player at 1
Ann: 100 on player at 1
Bob: 300 on banker at 2
Ann: takes 50 off player at 1
Dealer: closes betting
Dealer with Pit Manager: finds Ann 20 on player at 1
Ann: takes 30 off player at 1
Dealer: draws 9 2 K 5
Dealer: reports foreign-card
Pit Manager: confirms
"""
TERMINAL = """\
game mbs-super-six-etg-v3
patrons T1
T1: buys 500 credits
Dealer: opens betting
T1: 100 on player
Dealer: closes betting
Dealer: draws 9 2 K 5
T1: cashes out 600
"""
TOO_MANY = f"{TERMINAL}Dealer: reports wrong-number-of-cards, not reconstructable\nPit Manager: confirms\n"
RULED = """\
game mbs-tiger-v3
automatic expose
patrons Ann at 1
Dealer: opens betting
Ann: 100 on player at 1
Dealer: closes betting
Dealer: draws 9 2 K 5
Dealer: calls player
Dealer: reports not-covered, still paying because a drink fell on the cards
Gaming Shift Manager: rules void-round because nobody can tell the cards
"""
HELD = """\
game mbs-super-six-etg-v3
patrons T1
Dealer: holds 500 from T1 as suspected
"""
# 5.16: paid in full over the maximum, and told in the next round
LIMIT = """\
game mbs-tiger-v3
main 50 1000
patrons Ann at 1
Dealer: opens betting
Dealer: closes betting
Dealer with Pit Manager: finds Ann 2000 on player at 1
Dealer: draws 9 2 K 5
Dealer: opens betting
Dealer with Pit Manager: reports old-limit-mistake of Ann amount 1000
"""
TWO = SentBy("Dealer", "Pit Manager")


def of_the_golden_rounds(every: int) -> list[tuple[str, Written, list[bool]]]:
    """Golden rounds as they are written, with which of their events move money."""
    found = []
    for name in NAMES[::every]:
        told = golden(name)
        moves = [bool(entries(event)) for event in told.played.events]
        found.append((name, as_written(told.rulebook, told.house, told.played.events), moves))
    return found


def test_every_event_that_moves_money_is_recounted() -> None:
    seen = {
        body["type"]
        for _, book, moves in of_the_golden_rounds(1)
        for body, moved in zip(book.bodies, moves, strict=True)
        if moved
    }
    assert seen == MOVES_MONEY
    assert KINDS.keys() >= MOVES_MONEY


# a cent more or less of each of these is found, whatever else came to pass
LINES = [
    ("round-settled", "wagers"),
    ("settlement-reversed", "wagers"),
    ("round-voided", "returned"),
    ("round-voided", "reversed"),
]
SINGLE = ("claim-booked", "payment-claimed", "payment-corrected", "wrong-payment-found", "wager-pulled-late")


def tampered(book: Written, number: int) -> list[tuple[str, Written]]:
    """A record as somebody might alter it: left out, written twice, a cent more, for somebody else."""
    body = book.bodies[number]
    altered: list[tuple[str, list[Body]]] = []
    for kind, key in LINES:
        for at, line in enumerate(body[key]) if body["type"] == kind else ():
            for field in {"stake", "paid", "taken", "back", "pulled"} & line.keys():
                other = copy.deepcopy(body)
                other[key][at][field] += 1
                altered.append((f"{field} of line {at}", [other]))
            altered.append((f"line {at} for another", [copy.deepcopy(body)]))
            altered[-1][1][0][key][at]["patron"] = "Nobody"
    if body["type"] in SINGLE:
        altered += [("twice", [body, body]), ("a cent more", [body | {"amount": body["amount"] + 1}])]
        altered.append(("for another", [body | {"patron": "Nobody"}]))
    return [
        (what, Written(book.document, book.house, [*book.bodies[:number], *new, *book.bodies[number + 1 :]]))
        for what, new in altered
    ]


def test_whatever_is_settled_voided_paid_or_claimed_otherwise_is_found() -> None:
    missed = [
        (name, number + 1, what)
        for name, book, moves in of_the_golden_rounds(11)
        for number, moved in enumerate(moves)
        if moved
        for what, altered in tampered(book, number)
        if not altered.found_keys(form=LIMITS_FORM)
    ]
    assert missed == []


# whose chips they are


@pytest.mark.parametrize(
    ("kind", "nth"), [("wager-placed", 2), ("wager-reduced", 1), ("wager-found", 1), ("wager-pulled-late", 1)]
)
@pytest.mark.parametrize("change", [{"patron": "Bob"}, {"wager": "banker"}], ids=["patron", "wager"])
def test_chips_that_are_moved_for_another_patron_or_wager_are_found(
    kind: str, nth: int, change: dict[str, str]
) -> None:
    book = written(FELT)
    assert book.found_keys() == []
    book.body(kind, nth).update(change)
    assert (book.sequence(kind, nth), "finding.of-another") in book.found_keys()


def test_chips_that_are_moved_for_another_are_told_in_words() -> None:
    book = written(FELT)
    book.body("wager-reduced")["patron"] = "Bob"
    found = (book.sequence("wager-reduced"), "Chips on player of Ann were moved for Bob.")
    assert book.findings()[0] == found


def test_a_stake_that_goes_back_to_another_patron_is_found() -> None:
    book = written(FELT)
    book.body("round-voided")["returned"][0]["patron"] = "Bob"
    assert book.found_keys() == [(book.sequence("round-voided"), "finding.not-returned")]


# credits that are there


def test_more_credits_than_a_terminal_has_are_found() -> None:
    """Super Six 1.1.5: credits that were bought or won are staked and cashed out, and no others."""
    book = written(TERMINAL)
    assert book.found_keys() == []
    book.body("credits-cashed-out")["amount"] += 1
    found = (
        book.sequence("credits-cashed-out"),
        "T1 staked or cashed out 600.01 in credits, and had 600.00.",
    )
    assert book.findings() == [found]


@pytest.mark.parametrize(("bought", "found"), [(10_000, False), (9_999, True)])
def test_more_staked_than_a_terminal_has_is_found(bought: int, found: bool) -> None:
    book = written(TERMINAL.removesuffix("T1: cashes out 600\n"))
    book.body("credits-bought")["amount"] = bought
    short = [(book.sequence("wager-placed"), "finding.credits-short")]
    assert book.found_keys() == (short if found else [])


# voids that follow


@pytest.mark.parametrize("text", [TOO_MANY, RULED, FELT], ids=["confirmed", "ruled", "in play"])
def test_a_void_that_was_confirmed_or_ruled_and_not_made_is_found(text: str) -> None:
    """Super Six 5.2, 6.1, 5.1.1: the round is void once the facts are confirmed or the post has decided."""
    book = written(text)
    assert book.found_keys() == []
    book.strike("round-voided")
    assert (book.sequence("case-closed"), "finding.not-voided") in book.found_keys()


def strike_the_case(book: Written) -> None:
    book.body("case-closed")["superseded_by"] = 7


def disprove(book: Written) -> None:
    case = book.body("irregularity-reported")["case"]["id"]
    book.bodies[book.sequence("case-closed") - 1] = {"type": "facts-disproved", "id": case}


@pytest.mark.parametrize("end", [strike_the_case, disprove])
def test_a_case_that_ended_otherwise_makes_nothing_void(end: Callable[[Written], None]) -> None:
    book = written(TOO_MANY)
    book.strike("round-voided")
    end(book)
    assert "finding.not-voided" not in [key for _, key in book.found_keys()]


# money that is held, and mistakes that stand


def test_a_suspicion_that_is_written_twice_is_found() -> None:
    book = written(HELD)
    assert book.found_keys() == []
    book.bodies.append(book.body("money-held"))
    assert book.found_keys() == [(len(book.bodies), "finding.held-twice")]


def test_a_limit_mistake_that_two_people_told_and_nobody_booked_is_found() -> None:
    """5.16: it is considered settled, so that what was paid is in the books."""
    book = written(LIMIT)
    assert book.found_keys(form=LIMITS_FORM, people=TWO) == []
    book.strike("wrong-payment-found")
    closed = (book.sequence("case-closed"), "finding.not-booked-mistake")
    assert book.found_keys(form=LIMITS_FORM, people=TWO) == [closed]
    assert book.found_keys(form=LIMITS_FORM, people=SentBy("Dealer")) == []
