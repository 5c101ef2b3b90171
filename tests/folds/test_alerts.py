"""The alerts that people get, until they acknowledge them."""

from folds.stories import HOIANA, SUPER_SIX, TIGER, Story, numbers_of, tell

from thirdcard.folds.alerts import Alert, AlertKind, alerts_after
from thirdcard.game import events as ev
from thirdcard.messages import say

PATRONS = "patrons Ann at 1, Bob at 2\n"
BETTING = PATRONS + "Dealer: opens betting\nAnn: 600 on player at 1\n"
CLOSED = BETTING + "Dealer: closes betting\n"
LOST = CLOSED + "Dealer: draws 9 2\nDealer: reports order-altered, not reconstructable\n"
ROUND = CLOSED + "Dealer: draws 9 2 K 5\n"


def alerts(lines: str, game: str = TIGER) -> tuple[Alert, ...]:
    return tell(lines, game).watch.alerts


def kinds(lines: str, game: str = TIGER) -> list[str]:
    return [alert.kind.value for alert in alerts(lines, game)]


def sentences(lines: str, game: str = TIGER) -> list[str]:
    return [say(alert.what) for alert in alerts(lines, game)]


def test_an_irregularity_and_the_post_that_must_decide() -> None:
    reported, awaited = alerts(LOST)
    assert (reported.kind, reported.clauses, reported.post) == (AlertKind.IRREGULARITY, ("5.2",), None)
    assert (awaited.kind, awaited.post) == (AlertKind.RULING_AWAITED, "pit-manager")
    assert sentences(LOST) == [
        "Irregularity: Order in the dealing device altered.",
        "Waiting for the facts to be confirmed (Pit Manager).",
    ]


def test_an_irregularity_that_somebody_decided_about_goes_with_what_was_awaited() -> None:
    assert kinds(LOST + "Pit Manager: confirms\n") == []
    assert kinds(LOST + "Pit Manager: finds that it is not so because of the light\n") == []
    referred = BETTING + "Dealer: reports not-covered because so\n"
    assert kinds(referred) == ["irregularity", "ruling-awaited"]
    assert kinds(referred + "Gaming Shift Manager: rules continue because of rain\n") == []


def test_an_alert_names_the_round_that_it_is_about() -> None:
    assert [each.round for each in alerts(BETTING + "Dealer: reports not-covered because so\n")] == [1, 1]


def test_cards_that_were_awaited_are_an_answer_as_well() -> None:
    lines = (
        "decks 4\nmethod A\n" + CLOSED + "Dealer: draws 3S KD ? 2H\n"
        "Dealer: reports patron-left-with-cards of Ann, value unknown\n"
    )
    assert [alert.post for alert in alerts(lines)] == [None, "gaming-shift-manager"]
    lines += "Gaming Shift Manager: reserves 9D 6C\n"
    assert sentences(lines)[1:] == ["Waiting for the sorted cards (any staff on duty)."]
    lines += "Dealer with Pit Manager: enters lacking 9D 6C 3S KD 2H 4H\n"
    assert sentences(lines)[1:] == ["Waiting for equal cards for the missing ones (any staff on duty)."]
    assert kinds(lines + "Dealer: substitutes 4H\n") == ["irregularity"]


def of_record(story: Story, kind: type) -> int:
    """The record of the first event of a kind."""
    return numbers_of(story, kind)[0]


def test_an_alert_goes_when_it_is_acknowledged() -> None:
    noticed = PATRONS + "Dealer: reports exposed-in-movement\n"
    record = of_record(tell(noticed, HOIANA), ev.IrregularityReported)
    acknowledged = noticed + f"Pit Supervisor: acknowledges the alert of record {record}\n"
    assert kinds(acknowledged, HOIANA) == []
    other = noticed + "Pit Supervisor: acknowledges the alert of record 1\n"
    assert kinds(other, HOIANA) == ["irregularity"]


def test_what_is_still_awaited_stays_and_says_who_has_seen_it() -> None:
    record = of_record(tell(LOST), ev.CaseWaits)
    _, awaited = alerts(LOST + f"Pit Supervisor: acknowledges the alert of record {record}\n")
    assert awaited.acknowledged_by == "Pit Supervisor"


def test_an_offer_alerts_until_everybody_has_answered() -> None:
    lines = CLOSED + "Dealer: draws 2 K\nDealer: reports cards-together cards 3 9, order known\n"
    found = alerts(lines)
    assert [alert.kind.value for alert in found] == ["irregularity", "offer-open"]
    assert say(found[1].what) == "Patrons have not answered whether they withdraw single wagers."
    assert kinds(lines + "Ann: stays\n") == ["irregularity"]


def test_wagers_outside_the_limits() -> None:
    assert sentences(BETTING + "Bob: 10 on player at 2\n") == [
        "Bob has a wager on player outside the limits."
    ]
    assert kinds(BETTING + "Bob: 90000 on player at 2\n") == ["limit-breach"]
    assert kinds(CLOSED + "Dealer with Pit Manager: finds Bob 10 on player at 2\n") == [
        "money-moved",
        "limit-breach",
    ]
    assert kinds(CLOSED + "Dealer with Pit Manager: finds Bob 100 on player at 2\n") == ["money-moved"]
    assert kinds(CLOSED + "Bob: 100 on player at 2\n") == []  # late, and handed back


def test_the_differential_and_a_device_that_shows_something_else() -> None:
    assert sentences("differential 100\n" + CLOSED) == [
        "The table differential is exceeded: Player is heavier."
    ]
    lines = "automatic expose\n" + ROUND + "Dealer: shows tie\n"
    assert sentences(lines) == [
        "The dealing device shows: tie. The cards say: Player wins. The cards decide."
    ]


def test_a_claim_and_a_dispute() -> None:
    claim = (
        "patrons T1\nT1: buys 1000 credits\nDealer: opens betting\nT1: 100 on player\n"
        "Dealer: closes betting\nDealer: draws K 2 7 3 A\nT1: cashes out 1050\n"
        "Dealer with Pit Manager: corrects card 5 to 4\n"
    )
    assert sentences(claim, SUPER_SIX) == [
        "T1 owes what could not be taken back.",
        "Card 5 of round 1 was corrected.",
    ]
    assert sentences(PATRONS + "Ann: disputes the tie\n") == ["Dispute 1 of Ann: the tie."]


def test_suspected_money_is_an_alert() -> None:
    # Hoiana 3.2.7: chips suspected of being counterfeit; whoever watches is told
    held = BETTING + "Dealer: holds player of Ann at 1 as suspected\n"
    assert kinds(held, HOIANA) == ["money-held"]
    assert sentences(held, HOIANA) == ["Money of Ann may be counterfeit and is held. Surveillance is told."]


def test_a_complaint_is_an_alert() -> None:
    lines = (
        "Ann: disputes the tie\nPit Supervisor: decides dispute 1 as no citing game-rules lacking "
        "operating-procedures (none), accounts-of-both-parties (none), surveillance-evidence (none), "
        "other-evidence (none), law (none)\n"
        "Ann: agrees with dispute 1\n"
        "Ann: complains in dispute 1 helped by Dealer because it was a tie\n"
    )
    assert sentences(PATRONS + lines)[-1] == "Complaint in dispute 1: it was a tie."


def test_an_alarm_is_an_alert_that_goes_when_it_is_acknowledged() -> None:
    lines = PATRONS + "Dealer: raises the alarm card-mismatch cards 9H 6H\n"
    (alert,) = alerts(lines)
    assert alert.kind is AlertKind.ALARM
    record = alert.recorded.sequence
    assert kinds(lines + f"Pit Supervisor: acknowledges the alert of record {record - 1}\n") == ["alarm"]
    assert kinds(lines + f"Pit Supervisor: acknowledges the alert of record {record}\n") == []


def test_a_device_that_shows_another_result_is_seen_to_like_any_alarm() -> None:
    lines = "automatic expose\n" + ROUND + "Dealer: shows tie\n"
    record = of_record(tell(lines), ev.DeviceMismatch)
    assert kinds(lines + f"Pit Supervisor: acknowledges the alert of record {record}\n") == []


def test_staff_see_alerts_with_the_post_that_may_acknowledge_them() -> None:
    section = tell(LOST).staff.alerts
    assert section is not None
    assert (len(section.alerts), section.post) == (2, "pit-supervisor")


def test_trouble_of_the_store_is_told_and_any_other_pause_is_not() -> None:
    assert kinds(PATRONS + "Dealer: pauses the table because restart\n") == []
    (told,) = alerts(PATRONS + "Dealer: pauses the table because store trouble: the disk is full\n")
    assert told.kind is AlertKind.STORE_TROUBLE
    assert say(told.what) == (
        "The journal could not be written (the disk is full). Nothing was half accepted; the table is held."
    )


def test_a_corrected_card_is_an_alert() -> None:
    lines = BETTING + "Dealer: closes betting\nDealer: draws 9 2\n"
    lines += "Dealer with Pit Manager: corrects card 1 to 8\n"
    assert kinds(lines) == ["card-corrected"]
    assert sentences(lines) == ["Card 1 of round 1 was corrected."]


def test_a_corrected_wager_is_an_alert() -> None:
    lines = BETTING + "Ann: 100 on player at 1\nDealer: closes betting\n"
    lines += "Dealer with Pit Manager: corrects 100 of Ann on player at 1 to nothing\n"
    assert kinds(lines) == ["wager-corrected"]
    assert sentences(lines) == ["A wager of Ann on player was corrected."]


REFERRED = BETTING + "Dealer: reports not-covered because the lamp fell\n"


def test_a_payment_that_one_post_decides_alone_is_an_alert() -> None:
    """6.1 lets the Gaming Shift Manager decide alone: nothing waits for a second person."""
    lines = REFERRED + "Gaming Shift Manager: rules continue and pay paying Ann 50 because it hit her\n"
    assert kinds(lines) == ["paid-by-one"]
    assert sentences(lines)[0] == "Gaming Shift Manager alone decided a payment to Ann."


def test_a_payment_of_two_people_waits_for_a_third_to_see_it() -> None:
    lines = REFERRED + (
        "Gaming Shift Manager with Pit Manager: rules continue and pay paying Ann 50 because it hit her\n"
    )
    assert kinds(lines) == ["money-moved"]


def test_two_cards_that_are_to_be_set_aside_stay_awaited_behind_another_case() -> None:
    """5.11.1: the first four cards are dealt before, and other cases are decided before them."""
    lines = "decks 4\nmethod A\n" + CLOSED + "Dealer: draws ? ?\n"
    lines += "Pit Supervisor: reports not-covered because of rain\n"
    lines += "Dealer with Pit Supervisor: reports patron-left-with-cards of Ann, value unknown\n"
    lines += "Gaming Shift Manager: rules continue because of rain\n"
    assert sentences(lines)[1:] == ["Waiting for two cards to be reserved (Gaming Shift Manager)."]


def test_something_else_says_what_was_reported() -> None:
    assert sentences(BETTING + "Dealer: reports not-covered because a drink was spilled\n")[0] == (
        "Irregularity: Something else: a drink was spilled"
    )


def test_of_a_long_text_the_beginning_is_shown() -> None:
    (shown,) = sentences(PATRONS + "Ann: disputes " + "it was slow " * 80 + "\n")
    assert shown.startswith("Dispute 1 of Ann: it was slow it was slow")
    assert shown.endswith("….")
    assert len(shown) < 150


def test_wrong_call_is_an_alert_although_the_cards_decide() -> None:
    lines = "automatic expose\n" + ROUND + "Dealer: calls tie\n"
    assert sentences(lines) == ["Called: tie. The cards say: Player wins. The cards decide."]
    assert kinds("automatic expose\n" + ROUND + "Dealer: calls player\n") == []


def test_money_that_moved_is_acknowledged_by_its_number_alone() -> None:
    story = tell(CLOSED + "Dealer with Pit Manager: finds Bob 100 on player at 2\n")
    (alert,) = story.watch.alerts
    assert (alert.act, alert.amount, alert.times, alert.people) == (1, 10000, 1, ("Dealer", "Pit Manager"))
    assert say(alert.what) == "A wager of Bob was found after closing."
    sequence = alert.recorded.sequence
    by_sequence = ev.AlertAcknowledged(sequence=sequence, by="Pit Supervisor")
    table = story.table
    assert alerts_after((alert,), by_sequence, table, alert.recorded) == (alert,)
    by_act = ev.AlertAcknowledged(sequence=sequence, by="Pit Supervisor", act=1)
    assert alerts_after((alert,), by_act, table, alert.recorded) == ()


def test_more_of_the_same_money_is_one_alert() -> None:
    more = "Dealer with Pit Manager: finds Bob 100 on player at 2\n" * 2
    (alert,) = alerts(CLOSED + more)
    assert (alert.act, alert.amount, alert.times) == (2, 20000, 2)


def test_corrected_entry_is_one_alert_with_its_own_sentence() -> None:
    (alert,) = alerts(CLOSED + "Dealer: draws 9 2\nDealer with Pit Manager: corrects card 1 to 8\n")
    assert (alert.kind, alert.act, alert.people) == (AlertKind.CARD_CORRECTED, 1, ("Dealer", "Pit Manager"))


# chips and cash

TWO = "Dealer with Pit Supervisor"
OPENED = f"{PATRONS}{TWO}: counts the opener 50 x 100\n"


def test_count_that_is_not_what_must_be_there() -> None:
    assert kinds(f"{OPENED}{TWO}: counts the closer 50 x 100\n") == []
    short = f"{OPENED}{TWO}: counts the closer 49 x 100\n"
    assert sentences(short) == ["The closer on slip 2 is not what must lie in the tray."]
    assert kinds(f"{short}{TWO}: counts the opener 49 x 100\n") == ["chips-differ"]
    (_, opener) = sentences(f"{short}{TWO}: counts the opener 50 x 100\n")
    assert opener == "The opener on slip 3 is not what the closer before it was."
    (_, drop) = sentences(f"{short}Carl with Cora: counts drop box 1, 1 x 50\n")
    assert drop == "The cash on slip 3 is not what patrons bought chips for."


def test_slip_that_was_voided() -> None:
    text = f"{OPENED}{TWO}: brings chips 1 x 100\n{TWO}: voids slip 2 because it was wrong\n"
    assert sentences(text) == ["Chips came from the cage.", "Slip 2 was voided: it was wrong"]


def test_chips_that_moved_and_counts_that_differ_are_told_with_their_amount() -> None:
    moved = f"{OPENED}{TWO}: brings chips 2 x 100\n{TWO}: sends back chips 1 x 100\n"
    assert [(say(each.what), each.amount) for each in alerts(moved)] == [
        ("Chips came from the cage.", 20_000),
        ("Chips went to the cage.", 10_000),
    ]
    (short,) = alerts(f"{OPENED}{TWO}: counts the closer 49 x 100\n")
    assert (short.amount, short.people) == (10_000, ("Dealer", "Pit Supervisor"))
    record = short.recorded.sequence
    same = (
        f"{OPENED}{TWO}: counts the closer 49 x 100\nPit Manager: acknowledges the alert of record {record}\n"
    )
    assert kinds(same) == ["chips-differ"]  # money is acknowledged by its number alone


def test_cash_for_chips_waits_for_somebody_else_to_see_it() -> None:
    (alert,) = alerts(f"{OPENED}Dealer: sells chips to Ann for 100\nDealer: sells chips to Ann for 200\n")
    assert (say(alert.what), alert.amount, alert.times) == ("Staff sold credits or chips to Ann.", 30_000, 2)
