"""The recount counts what decisions pay and claim against the settlement, so that nothing is done twice."""

import pytest
from auditor.written import Written, written

from thirdcard.auditor.limit_mistakes import LIMITS_FORM
from thirdcard.auditor.people import ANSWERS_FORM

WON = """game hoiana-tiger-2024/commission
patrons Ann at 1, Bob at 2
Dealer: opens betting
Ann: 100 on player at 1
Dealer: closes betting
Dealer: draws 9 2 K 5
"""
LOST = WON.replace("draws 9 2 K 5", "draws 2 9 K K")
DECIDES = "Assistant Director of Gaming Operations with Pit Manager: rules"
CLAIMED = f"""{WON}Dealer: reports not-covered because Ann got too much
{DECIDES} take-back from Ann 150 because she should have lost
Dealer: reports not-covered because Ann got too much
{DECIDES} take-back from Ann 50 because she should have lost
"""
FLIPPED = f"{CLAIMED}Dealer with Pit Manager: corrects card 1 to 6\n"
PAID = f"""{LOST}Dealer: reports not-covered because Ann should have won
{DECIDES} pay paying Ann 200 because the card was a nine
Dealer with Pit Manager: corrects card 1 to 9
Dealer with Pit Manager: corrects card 2 to 2
"""
ASTRAY = f"""{WON}Dealer: opens betting
Dealer with Pit Manager: reports wrong-payment of Bob amount 100, previous round
{DECIDES} take-back from Bob 100 because he had no wager
"""
LACKING = f"""{WON}Dealer with Pit Manager: reports wrong-payment of Ann amount 150, underpaid
Dealer with Pit Manager: reports wrong-payment of Ann amount 50, underpaid
"""
TAKEN = f"""{LOST}Dealer with Pit Manager: reports late-withdrawal of Ann amount 100 on player at 1
"""
VOID = f"{CLAIMED}Dealer: reports foreign-card, still paying\nPit Manager: confirms\n"
AFTER_A_VOID = f"""{WON}Dealer: opens betting
Bob: 100 on player at 2
Dealer: closes betting
Dealer: draws 9
Dealer: reports foreign-card
Dealer with Pit Manager: reports wrong-payment of Ann amount 50, underpaid, previous round
Pit Manager: confirms
"""


def keys(book: Written) -> list[tuple[int, str]]:
    return book.found_keys(form=ANSWERS_FORM)


@pytest.mark.parametrize(
    "text",
    [
        CLAIMED,
        FLIPPED,
        PAID,
        ASTRAY,
        LACKING,
        VOID,
        AFTER_A_VOID + f"{DECIDES} pay paying Ann 50 because she had won\n",
        TAKEN + f"{DECIDES} continue because she lost them\n",
        TAKEN + f"{DECIDES} return-wagers because of the noise\n",
        TAKEN + f"{DECIDES} take-back from Ann 60 because of the noise\n",
        TAKEN + f"{DECIDES} pay paying Bob 20 because he waited\n",
        TAKEN[:-1] + f", still paying\n{DECIDES} void-round because of the noise\n",
    ],
)
def test_what_was_decided_recounts_without_findings(text: str) -> None:
    assert keys(written(text)) == []


def test_a_claim_beyond_what_was_paid_and_not_claimed_is_found() -> None:
    book = written(CLAIMED)
    for kind in ("ruling-made", "payment-claimed"):
        book.body(kind, 2)["amount"] = 20_000
    assert keys(book) == [(book.sequence("payment-claimed", 2), "finding.claimed")]


def test_the_claim_of_a_wrong_payment_beyond_its_amount_is_found() -> None:
    book = written(ASTRAY)
    for kind in ("ruling-made", "payment-claimed"):
        book.body(kind)["amount"] = 20_000
    assert keys(book) == [(book.sequence("payment-claimed"), "finding.claimed")]


def test_the_same_wrong_payment_found_twice_is_found() -> None:
    other = f"{DECIDES} take-back from Bob 100 because he had no wager\n"
    again = "Dealer with Pit Manager: reports wrong-payment of Bob amount 40, previous round\n"
    book = written(ASTRAY + again + other.replace("100", "40"))
    book.body("irregularity-reported", 2)["case"]["amount"] = 10_000
    for kind in ("ruling-made", "wrong-payment-found", "payment-claimed"):
        book.body(kind, 2)["amount"] = 10_000
    assert keys(book) == [(book.sequence("wrong-payment-found", 2), "finding.found")]


def test_more_made_good_than_was_due_is_found() -> None:
    book = written(LACKING)
    book.body("irregularity-reported", 2)["case"]["amount"] = -15_000
    for kind in ("wrong-payment-found", "payment-corrected"):
        book.body(kind, 2)["amount"] = -15_000
    assert keys(book) == [(book.sequence("wrong-payment-found", 2), "finding.found")]


@pytest.mark.parametrize("text", [FLIPPED, VOID])
def test_a_claim_that_does_not_lapse_is_found(text: str) -> None:
    book = written(text)
    struck = book.strike("payment-claimed", 3)
    ((sequence, key),) = keys(book)
    assert (sequence >= struck, key) == (True, "finding.lapsed")


def test_a_claim_that_lapses_in_part_is_found() -> None:
    book = written(FLIPPED)
    book.body("payment-claimed", 3)["amount"] = -5_000
    assert keys(book) == [(book.sequence("payment-claimed", 3), "finding.lapsed")]


def test_a_claim_that_lapses_without_ground_is_found() -> None:
    book = written(CLAIMED)
    lapsed = {**book.body("payment-claimed"), "amount": -15_000}
    book.insert(len(book.bodies) + 1, **lapsed)
    assert keys(book) == [(len(book.bodies), "finding.lapsed")]


def test_a_payment_that_is_made_twice_is_found() -> None:
    book = written(PAID)
    struck = book.strike("payment-corrected", 2)
    assert keys(book) == [(struck, "finding.lapsed")]


def test_lost_chips_that_nobody_owes_are_found() -> None:
    book = written(TAKEN + f"{DECIDES} continue because she lost them\n")
    book.strike("claim-booked")
    assert keys(book) == [(book.sequence("case-closed"), "finding.not-booked-claim")]


HAND = "Dealer: opens betting\nDealer: closes betting\nDealer: draws 9 2 K 5\n"
SHOE = """Dealer: reports unshuffled-cards because they lie in order
Pit Manager: confirms
Dealer: loads 8 decks
Dealer: burns by 2
"""


def claims_of(patron: str, amount: int) -> str:
    told = "Dealer: reports not-covered because of old rounds\n"
    return f"{told}{DECIDES} take-back from {patron} {amount} because of old rounds\n"


def test_nothing_is_claimed_of_rounds_of_another_shoe_from_who_got_nothing() -> None:
    book = written(WON + HAND * 2 + SHOE + HAND + claims_of("Bob", 50))
    assert book.count("payment-claimed") == 0


def test_what_was_paid_in_rounds_of_another_shoe_is_claimed_once() -> None:
    book = written(WON + HAND * 2 + SHOE + HAND + claims_of("Ann", 150) + HAND * 2 + claims_of("Ann", 50))
    assert book.count("payment-claimed") == 2
    assert keys(book) == []
    book = written(WON + HAND * 2 + SHOE + HAND + claims_of("Ann", 150) + HAND * 2 + claims_of("Ann", 51))
    assert book.count("payment-claimed") == 1


def test_more_than_was_paid_in_older_rounds_is_found() -> None:
    book = written(WON + HAND * 3 + claims_of("Ann", 200))
    book.body("payment-claimed")["amount"] = 20_001
    assert "finding.claimed" in {key for _, key in keys(book)}


def test_a_wrong_payment_that_is_put_right_twice_is_found() -> None:
    told = "Dealer with Pit Manager: reports wrong-payment of Ann amount"
    book = written(f"{WON}{told} 50\n{told} 30\n")
    case = book.body("irregularity-reported", 2)["case"]
    assert isinstance(case, dict)
    for body in (case, book.body("wrong-payment-found", 2), book.body("payment-corrected", 2)):
        body["amount"] = 5000
    assert [key for _, key in keys(book)] == ["finding.found"]


def test_a_refund_of_a_void_round_is_claimed_once() -> None:
    void = WON.replace("draws 9 2 K 5", "draws 9") + "Dealer: reports foreign-card\nPit Manager: confirms\n"
    book = written(void + claims_of("Ann", 100))
    assert book.count("payment-claimed") == 1
    assert keys(book) == []
    book.body("payment-claimed")["amount"] = 10_001
    assert "finding.claimed" in {key for _, key in keys(book)}


DISPUTED = """game mbs-tiger-v3
patrons Ann at 1, Bob at 2
Dealer: opens betting
Ann: 100 on player at 1
Dealer: closes betting
Dealer: draws 2 9 K K
Ann: disputes round 1 on player because it was a tie
Pit Supervisor with Dealer: decides dispute 1 as paid citing game-rules, operating-procedures lacking law \
(silent), accounts-of-both-parties (none), surveillance-evidence (none), other-evidence (none) awarding 150
Ann: agrees with dispute 1
"""
PAYS = "Pit Manager with Pit Supervisor: pays the award of dispute 1 to Ann, chips\n"
TIED = "Dealer with Pit Manager: corrects card 1 to 9\n"


def test_an_award_that_was_paid_and_kept_besides_the_stake_is_found() -> None:
    book = written(DISPUTED + PAYS + TIED)
    assert keys(book) == []
    struck = book.strike("payment-corrected")
    assert keys(book) == [(struck, "finding.lapsed")]


def test_an_unpaid_award_that_does_not_lapse_is_found() -> None:
    book = written(DISPUTED + TIED)
    assert keys(book) == []
    struck = book.strike("award-set-off")
    assert keys(book) == [(struck, "finding.lapsed")]


def test_an_award_that_lapses_too_far_is_found() -> None:
    book = written(DISPUTED + TIED)
    book.body("award-set-off")["amount"] = 12_000
    assert keys(book) == [(book.sequence("award-set-off"), "finding.lapsed")]


def test_an_award_of_a_dispute_that_is_escalated_lapses_once() -> None:
    refused = DISPUTED.replace("Ann: agrees", "Ann: disagrees")
    book = written(f"{refused}Pit Supervisor: escalates dispute 1\n{TIED}")
    assert book.count("award-set-off") == 0
    assert keys(book) == []


SHORT = f"""{WON}{HAND}Dealer with Pit Manager: reports not-covered of Ann amount 20, underpaid because so
{DECIDES} pay paying Ann 20 because the pictures show it
"""


def short_keys(book: Written) -> list[tuple[int, str]]:
    return book.found_keys(form=LIMITS_FORM)


def untold(book: Written) -> list[tuple[int, str]]:
    """The findings where a payment too small was booked otherwise than as two people told it."""
    booked = (book.sequence("wrong-payment-found"), "finding.payment-without-ground")
    return [each for each in short_keys(book) if each == booked]


@pytest.mark.parametrize(
    "text",
    [
        SHORT,
        SHORT.replace("paying Ann 20", "paying Ann 15"),
        SHORT.replace(HAND, HAND.replace(" K 5", "")).replace("pay paying", "pay and void-round paying"),
        SHORT.replace(", underpaid", "").replace("pay paying Ann", "take-back from Ann"),
    ],
)
def test_what_two_people_told_of_an_earlier_round_recounts_without_findings(text: str) -> None:
    """7.20: it is booked where the post pays it, or claims it back."""
    assert short_keys(written(text)) == []


@pytest.mark.parametrize(
    "text",
    [
        SHORT.replace("Dealer with Pit Manager: reports", "Dealer: reports"),
        SHORT.replace("paying Ann", "paying Bob"),
        SHORT.replace("pay paying Ann 20", "continue"),
    ],
)
def test_nothing_is_booked_that_two_people_did_not_tell_or_nobody_paid(text: str) -> None:
    book = written(text)
    assert (book.count("wrong-payment-found"), short_keys(book)) == (0, [])


def test_a_payment_too_small_by_more_than_was_told_is_found() -> None:
    book = written(SHORT)
    for kind in ("ruling-made", "wrong-payment-found", "payment-corrected"):
        amount = book.body(kind)["amount"]
        book.body(kind)["amount"] = amount * 2
    closed = (book.sequence("case-closed"), "finding.not-booked-mistake")
    assert short_keys(book) == [*untold(book), closed]
    assert len(untold(book)) == 1


@pytest.mark.parametrize("second", [None, "Dealer"])
def test_a_payment_too_small_that_one_person_told_is_found(second: str | None) -> None:
    book = written(SHORT)
    book.body("irregularity-reported")["case"]["second"] = second
    assert short_keys(book) == untold(book) != []


@pytest.mark.parametrize(
    "kinds",
    [
        ("ruling-made", "payment-corrected"),
        ("ruling-made", "payment-corrected", "wrong-payment-found"),
    ],
    ids=["paid to another", "paid to another, and booked so"],
)
def test_a_payment_too_small_of_another_patron_than_was_paid_is_found(kinds: tuple[str, ...]) -> None:
    book = written(SHORT)
    for kind in kinds:
        book.body(kind)["patron"] = "Bob"
    assert short_keys(book) == untold(book) != []


def test_a_payment_too_small_that_nobody_paid_is_found() -> None:
    book = written(SHORT)
    book.body("ruling-made")["choice"] = "continue"
    book.strike("payment-corrected")
    assert short_keys(book) == untold(book) != []


def test_a_payment_too_small_that_was_made_good_and_not_booked_is_found() -> None:
    book = written(SHORT)
    book.strike("wrong-payment-found")
    assert short_keys(book) == [(book.sequence("case-closed"), "finding.not-booked-mistake")]
