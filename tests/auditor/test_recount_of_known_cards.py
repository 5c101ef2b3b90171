"""The recount of rounds in which a card was known before it came, and of chips before the closing call."""

from auditor.written import written

# A and 8S, nine points, against 4 and 4: the 8S was seen and comes face down with another card
FACE_DOWN = """game mbs-tiger-v3
automatic expose
patrons Ann at 1
Dealer: opens betting
Ann: 100 on player at 1
Dealer: closes betting
Dealer: draws A 4
Dealer: reports face-up-card cards 8S
Dealer: draws ? ? together, order known
Ann: stays
Dealer: opens banker 4 4
Dealer: calls player
"""
# 4 and 5 came instead of the 8S and are burned: A and 8S against 3 and K
BURNED = """game mbs-tiger-v3
automatic expose
patrons Ann at 1
Dealer: opens betting
Ann: 100 on player at 1
Dealer: closes betting
Dealer: draws A 3
Dealer: reports face-up-card cards 8S
Dealer: draws 4 5 together, order known instead
Gaming Shift Manager: rules burn-card because they are none of the hands'
Dealer: draws 8S K
Dealer: calls player
"""
# Ann takes her chips off after the first card, before any closing call, and the post lets them be off
UNCALLED = """game mbs-tiger-v3
automatic expose
patrons Ann at 1, Bob at 2
Dealer: opens betting
Ann: 300 on player at 1
Bob: 200 on banker at 2
Dealer: draws 6
Ann: takes 300 off player at 1
Gaming Shift Manager: rules return-wagers because nobody had called
Gaming Shift Manager: rules continue because all others had wagered
Dealer: draws 2 K 5
Dealer: calls banker
"""


def test_a_known_card_that_was_laid_as_another_is_found() -> None:
    book = written(FACE_DOWN)
    assert (book.line("Ann")["paid"], book.findings()) == (10000, [])
    eight = next(each for each in book.body("cards-reconstructed")["cards"] if each["card"]["rank"] == 8)
    eight["card"]["rank"] = 9
    assert (book.sequence("outcome-known"), "finding.outcome") in book.found_keys()


def test_a_wager_lost_by_cards_that_were_burned_is_found() -> None:
    """By A and 4 against 3 and 5, which were burned, Banker would have won."""
    book = written(BURNED)
    assert (book.line("Ann")["paid"], book.findings()) == (10000, [])
    book.line("Ann")["paid"] = 0
    assert (book.sequence("round-settled"), "finding.paid") in book.found_keys()


def test_chips_taken_off_before_the_closing_call_are_settled_with_nobody() -> None:
    book = written(UNCALLED)
    assert book.findings() == []
    book.strike("wager-reduced")
    assert (book.sequence("round-settled"), "finding.not-settled") in book.found_keys()
