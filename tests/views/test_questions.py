"""From "something is wrong" to the row of the rulebook: every way through the questions, at every moment."""

import datetime
import itertools
from collections.abc import Iterator

import pytest
from msgspec.structs import replace
from story import HO, T3
from story import told as told_story

from thirdcard.cards import Card, parse_card
from thirdcard.game import commands as cmd
from thirdcard.game import events as ev
from thirdcard.game.decide import decide
from thirdcard.game.desk import QueryDesk
from thirdcard.game.irregularities.claims import complete
from thirdcard.game.irregularities.rows import governing_row
from thirdcard.game.state import CardState, Hand, Holding, PlacedWager, Table, Wait
from thirdcard.game.table_setup import Automatic, Device
from thirdcard.refusals import Refusal, Refused, refuse
from thirdcard.roundfile.head import RoundFileHead, Seat
from thirdcard.roundfile.set_up import Player, set_up
from thirdcard.rulebook.book import Rulebook
from thirdcard.rulebook.facts import Winner
from thirdcard.rulebook.irregularity import Area, Method, Situation
from thirdcard.rulebook.shelf import SHIPPED
from thirdcard.staff import Post
from thirdcard.views.questions import (
    Ask,
    Decider,
    Question,
    Required,
    ToldFacts,
    can_be,
    lead,
    possible,
)

NOW = datetime.datetime(2026, 11, 16, 20, tzinfo=datetime.UTC)
GAMES = tuple(book.id for book in SHIPPED.rulebooks)
CARDS = ("2S", "3H", "2D", "4C", "5S", "6H")  # both hands draw: no natural, third cards due
STANDS = ("3S", "2H", "4D", "KC", "5S")  # the Player stands, the Banker draws


def face(text: str) -> Card:
    found = parse_card(text)
    assert found is not None
    return found


def moments(
    game: str, method: Method | None, *, face_down: bool, burned: bool, cards: tuple[str, ...] = CARDS
) -> Iterator[Table]:
    """A table at every moment from before its first round to after it."""
    rulebook = SHIPPED.rulebook(game)
    terminal = rulebook.document.table == "terminal"
    head = RoundFileHead(
        game=game,
        device=Device.CARD_READING,
        method=method,
        area=Area.HIGH_LIMIT if method is Method.C else Area.MAIN_FLOOR,
        face_down=face_down,
        automatic=(Automatic.EXPOSE, Automatic.CALL),
        patrons=(Seat("Ada", None if terminal else 1), Seat("Ben", None if terminal else 2)),
    )
    player = Player(rulebook, SHIPPED.house(rulebook.document.house))
    set_up(player, head)
    assert player.table is not None
    yield player.table
    shoe = player.table.shoe
    assert shoe is not None
    if not burned:
        player.table = replace(player.table, shoe=replace(shoe, burned=None))
    if terminal:
        player.do(cmd.BuyCredits(terminal="Ada", amount=1_000_000), "Ada")
    player.do(cmd.OpenBetting(), "Dealer")
    player.do(
        cmd.PlaceWager(patron="Ada", wager="player", amount=10_000, position=None if terminal else 1), "Ada"
    )
    yield player.table
    if method is Method.C:
        player.do(cmd.TakeDevice(patron="Ada"), "Ada")
    player.do(cmd.CloseBetting(), "Dealer")
    yield player.table
    drawer = "Ada" if method is Method.C else "Dealer"
    for card in cards:
        player.do(cmd.DrawCard(card=face(card)), drawer)
        yield player.table
    player.do(cmd.OpenBetting(), "Dealer")
    yield player.table


def desk_at(rulebook: Rulebook, table: Table) -> QueryDesk:
    return QueryDesk(rulebook, SHIPPED.house(rulebook.document.house), table)


def troubled(game: str, method: Method | None) -> Iterator[Table]:
    """A table at moments that an ordinary round does not come to."""
    rulebook = SHIPPED.rulebook(game)
    for table in moments(game, method, face_down=False, burned=True):
        assert table.shoe is not None
        yield replace(table, shoe=replace(table.shoe, left=0))
        if table.round is not None and len(table.round.cards) >= 4:
            setup = replace(table.setup, face_down=True)
            yield replace(table, setup=setup, squeeze_requested=("Ada",))
            holding = Holding(Hand.PLAYER, "Ada")
            yield replace(table, round=replace(table.round, holdings=(holding,)))
            closed = tuple(
                replace(each, card=None, state=CardState.FACE_DOWN) if each.hand is Hand.PLAYER else each
                for each in table.round.cards
            )
            yield replace(table, round=replace(table.round, holdings=(holding,), cards=closed))
    if rulebook.document.table != "terminal":
        yield from _outside_limits(game, method)
    yield from _called_wrongly(game, method)


def _outside_limits(game: str, method: Method | None) -> Iterator[Table]:
    """Wagers outside the limits and over the differential are found, and the cutting card comes first."""
    for area in Area if method is not Method.C else (Area.HIGH_LIMIT,):
        player = _player(game, method, area)
        player.do(cmd.OpenBetting(), "Dealer")
        if method is Method.C:
            player.do(cmd.PlaceWager(patron="Ada", wager="player", amount=10_000, position=1), "Ada")
            player.do(cmd.TakeDevice(patron="Ada"), "Ada")
        player.do(cmd.CloseBetting(), "Dealer")
        closed = player.standing
        player.do(cmd.SeeCuttingCard(), "Dealer")
        yield player.standing
        player.table = closed
        for patron, position, amount in (("Ada", 1, 100), ("Ben", 2, 900_000_000)):
            find = cmd.FindWager(
                reason="seen on the felt", patron=patron, wager="player", amount=amount, position=position
            )
            player.do(find, "Dealer", "Pit Manager")
            yield player.standing
        player.table = replace(closed, setup=replace(closed.setup, differential=10**12))
        player.do(cmd.DrawCard(card=face("9S")), "Ada" if method is Method.C else "Dealer")
        player.table = replace(player.standing, setup=closed.setup, wagers=_heavy(player))
        yield player.standing


def _heavy(player: Player) -> tuple[PlacedWager, ...]:
    return (PlacedWager(id=99, patron="Ben", position=2, wager="player", stake=10**9, order=99),)


def _called_wrongly(game: str, method: Method | None) -> Iterator[Table]:
    """Both hands stand, the table waits for the call, and another winner is called than there is."""
    player = _player(game, method, Area.HIGH_LIMIT if method is Method.C else Area.MAIN_FLOOR)
    terminal = player.standing.setup.terminal
    if terminal:
        player.do(cmd.BuyCredits(terminal="Ada", amount=1_000_000), "Ada")
    player.do(cmd.OpenBetting(), "Dealer")
    place = cmd.PlaceWager(patron="Ada", wager="player", amount=10_000, position=None if terminal else 1)
    player.do(place, "Ada")
    if method is Method.C:
        player.do(cmd.TakeDevice(patron="Ada"), "Ada")
    player.do(cmd.CloseBetting(), "Dealer")
    for card in ("3S", "2H", "4D", "5C"):
        player.do(cmd.DrawCard(card=face(card)), "Ada" if method is Method.C else "Dealer")
    yield player.standing
    player.do(cmd.CallOutcome(winner=Winner.BANKER), "Dealer")
    yield player.standing


def _player(game: str, method: Method | None, area: Area) -> Player:
    rulebook = SHIPPED.rulebook(game)
    terminal = rulebook.document.table == "terminal"
    head = RoundFileHead(
        game=game,
        device=Device.CARD_READING,
        method=method,
        area=area,
        automatic=(Automatic.EXPOSE,),
        patrons=(Seat("Ada", None if terminal else 1), Seat("Ben", None if terminal else 2)),
    )
    player = Player(rulebook, SHIPPED.house(rulebook.document.house))
    set_up(player, head)
    return player


ANSWERS: dict[Ask, tuple[object, ...]] = {
    Ask.HAND: (Hand.PLAYER, Hand.BANKER),
    Ask.PATRON: ("Ada",),
    Ask.WAGER: ("player",),
    Ask.AMOUNT: (5_000,),
    Ask.AHEAD: (0, 2),
}


def answered(told: ToldFacts, question: Question) -> Iterator[ToldFacts]:
    """The facts told with every answer to a question, and left out where that is possible."""
    values: tuple[object, ...]
    if question.ask is Ask.CARDS:
        assert 0 < question.least <= question.most or question.ordered
        values = (tuple(face(each) for each in CARDS[: question.least]),)
    else:
        values = ANSWERS.get(question.ask, (True, False))
    empty: dict[Ask, object] = {Ask.CARDS: (), Ask.PATRON: "", Ask.AMOUNT: 0, Ask.AHEAD: 0}
    for value in (*values, *((empty[question.ask],) if question.optional else ())):
        yield replace(told, **{question.ask.value: value})


def ways(rulebook: Rulebook, table: Table, told: ToldFacts) -> Iterator[tuple[ToldFacts, Required | Refused]]:
    """Every way through the questions to its end."""
    found = lead(desk_at(rulebook, table), told, by="Dealer", at=NOW)
    if isinstance(found, Question):
        assert getattr(told, found.ask.value) is None  # nothing is asked twice
        for more in answered(told, found):
            yield from ways(rulebook, table, more)
    else:
        yield told, found


@pytest.mark.parametrize(("game", "method"), [("mbs-super-six-etg-v3", None), ("mbs-tiger-v3", Method.A)])
def test_every_way_through_the_questions_ends_with_its_situation(game: str, method: Method | None) -> None:
    rulebook = SHIPPED.rulebook(game)
    for table in moments(game, method, face_down=method is Method.A, burned=True):
        for situation in possible(desk_at(rulebook, table)):
            ends = [found for _, found in ways(rulebook, table, ToldFacts(situation=situation))]
            assert ends
            assert {each.situation for each in ends if isinstance(each, Required)} <= {situation}


@pytest.mark.parametrize("game", [HO, "mbs-super-six-etg-v3"])
def test_what_another_document_calls_it_can_be_asked_too(game: str) -> None:
    """A client may name any situation: one that the document knows by another name is led to that."""
    rulebook = SHIPPED.rulebook(game)
    for table in moments(game, None, face_down=False, burned=True):
        for situation in set(Situation) - set(rulebook.document.situations):
            assert list(ways(rulebook, table, ToldFacts(situation=situation)))


@pytest.mark.parametrize(
    ("game", "method"), [("mbs-super-six-etg-v3", None), ("mbs-tiger-v3", Method.A), (HO, None)]
)
def test_what_is_shown_of_a_confirmation_is_what_the_table_then_waits_for(
    game: str, method: Method | None
) -> None:
    rulebook = SHIPPED.rulebook(game)
    envelope = cmd.Envelope(actor="Dealer", received_at=NOW, command_id="report")
    house, seen = SHIPPED.house(rulebook.document.house), set()
    for table in moments(game, method, face_down=method is Method.A, burned=True):
        for situation in possible(desk_at(rulebook, table)):
            for told, found in ways(rulebook, table, ToldFacts(situation=situation)):
                result = decide(rulebook, house, table, cmd.Command(told.report, envelope))
                if isinstance(found, Required) and not isinstance(result, Refused):
                    waits = [each.waits for each in result if isinstance(each, ev.CaseWaits)]
                    assert (found.confirmed_by is not None) == (Wait.CONFIRMATION in waits), told
                    seen.add(found.confirmed_by is not None)
    assert seen == {True, False}


@pytest.mark.sweep
@pytest.mark.parametrize("game", GAMES)
def test_every_row_is_reached(game: str) -> None:
    rulebook = SHIPPED.rulebook(game)
    reached: set[tuple[Situation, str | None]] = set()
    methods = tuple(Method) if rulebook.document.methods else (None,)
    for method, burned, cards in itertools.product(methods, (True, False), (CARDS, STANDS)):
        usual = moments(game, method, face_down=method is Method.A, burned=burned, cards=cards)
        for table in itertools.chain(usual, troubled(game, method) if burned else ()):
            for situation in possible(desk_at(rulebook, table)):
                for _, found in ways(rulebook, table, ToldFacts(situation=situation)):
                    if isinstance(found, Required):
                        assert found.situation is situation
                        reached.add((situation, found.clause))
    rows: set[tuple[Situation, str | None]] = {
        (row.situation, row.clause) for row in rulebook.document.irregularities
    }
    if rulebook.document.table == "terminal":  # which takes nothing after closing, so that nobody reports it
        rows = {row for row in rows if row[0] is not Situation.LATE_WAGER}
    assert rows - reached == set()


def test_before_there_are_cards_nothing_can_be_wrong_with_them() -> None:
    rulebook = SHIPPED.rulebook("mbs-tiger-v3")
    table = replace(next(moments("mbs-tiger-v3", None, face_down=False, burned=True)), shoe=None)
    assert possible(desk_at(rulebook, table)) == ()
    found = lead(desk_at(rulebook, table), ToldFacts(situation=Situation.MISDEAL), by="Dealer", at=NOW)
    assert isinstance(found, Refused)
    assert found.reason is Refusal.NO_CARDS_LOADED


def test_somebody_who_is_not_on_duty_learns_the_rule_and_that_they_cannot_report_it() -> None:
    rulebook = SHIPPED.rulebook("mbs-tiger-v3")
    desk = desk_at(rulebook, next(moments("mbs-tiger-v3", None, face_down=False, burned=True)))
    told = ToldFacts(situation=Situation.FOREIGN_CARD)
    on_duty, stranger = (lead(desk, told, by=person, at=NOW) for person in ("Dealer", "Zoe"))
    assert isinstance(on_duty, Required)
    assert on_duty.refused is None
    assert stranger == replace(on_duty, refused=refuse(Refusal.NOT_STAFF).message)


def test_situations_are_those_of_the_document_and_what_no_rule_covers() -> None:
    rulebook = SHIPPED.rulebook("mbs-super-six-etg-v3")
    named = {row.situation for row in rulebook.document.irregularities}
    assert set(rulebook.document.situations) == {*named, Situation.NOT_COVERED}
    table = next(moments("mbs-super-six-etg-v3", None, face_down=False, burned=True))
    assert not can_be(desk_at(rulebook, table), Situation.WRONG_CALL)


def test_what_a_clause_says_of_one_device_is_referred_at_another() -> None:
    """Clause 5.9 of Tiger is about an electronic device that is reset; for others no rule covers it (6.1)."""
    rulebook = SHIPPED.rulebook("mbs-tiger-v3")
    dealt = [each for each in moments("mbs-tiger-v3", Method.B, face_down=False, burned=True) if each.round]
    table = next(each for each in dealt if each.round and each.round.cards)
    plain = replace(table, setup=replace(table.setup, device=Device.PLAIN))
    found = {end for _, end in ways(rulebook, plain, ToldFacts(situation=Situation.DEVICE_RESET))}
    steps = {step.effect for each in found if isinstance(each, Required) for step in each.steps}
    assert steps == {"refer"}


# what is required, and who decides it


def desk_after(game: str, story: str) -> QueryDesk:
    return desk_at(SHIPPED.rulebook(game), told_story(game, story).table)


def required(game: str, story: str, told: ToldFacts, by: str = "Dealer") -> Required:
    """The effects that the rulebook requires after a story."""
    found = lead(desk_after(game, story), told, by=by, at=NOW)
    assert isinstance(found, Required)
    return found


OPEN_HANDS = """
    automatic expose
    patrons Ann at 1
    Dealer: opens betting
    Ann: 100 on player at 1
    Dealer: closes betting
"""
WITH_ANN = """
    method A
    decks 4
    patrons Ann at 1
    Dealer: opens betting
    Ann: 100 on player at 1
    Dealer: closes betting
    Dealer: draws ? KD ? 2H
    Dealer: passes player to Ann
"""


def test_a_post_that_decides_is_named_with_its_clause() -> None:
    together = ToldFacts(
        situation=Situation.CARDS_TOGETHER, order_known=False, cards=(face("9S"), face("6S")), seen=True
    )
    first, *_ = required(HO, OPEN_HANDS + "Dealer: draws 2 2", together).steps
    assert (first.effect, first.clauses) == ("determine-card-order", ("7.13",))
    assert first.by == Decider(post=Post("pit-manager"), or_above=True)


def test_a_post_that_must_be_there_is_named_as_present() -> None:
    left = ToldFacts(situation=Situation.PATRON_LEFT_WITH_CARDS, patron="Ann", value_known=False)
    first, *_ = required(T3, WITH_ANN, left).steps
    assert (first.effect, first.clauses) == ("reserve-cards", ("5.11.1",))
    assert first.by == Decider(post=Post("gaming-shift-manager"), present=True)


def test_the_faces_of_cards_with_a_patron_are_asked_for() -> None:
    left = ToldFacts(situation=Situation.PATRON_LEFT_WITH_CARDS, patron="Ann", value_known=True)
    asked = lead(desk_after(T3, WITH_ANN), left, by="Dealer", at=NOW)
    assert asked == Question(ask=Ask.CARDS, least=2, most=2, ordered=True)


def test_the_faces_of_exposed_cards_are_asked_for() -> None:
    story = (
        "method A\npatrons Ann at 1\nDealer: opens betting\nAnn: 100 on player at 1\nDealer: closes betting\n"
    )
    desk = desk_after(T3, f"{story}Dealer: draws ? ? ?\n")
    asked = lead(desk, ToldFacts(situation=Situation.EXPOSED_IN_ERROR, hand=Hand.PLAYER), by="Dealer", at=NOW)
    assert asked == Question(ask=Ask.CARDS, optional=True, least=1, most=2, ordered=True, unknown=True)


def test_the_wager_of_a_limit_mistake_is_asked_for_among_those_that_it_can_be() -> None:
    """5.16: a wager over the maximum won and another one lost; neither lies there any more."""
    both = "".join(
        f"Dealer with Pit Manager: finds Ann 1500 on {hand} at 1\n" for hand in ("player", "banker")
    )
    dealt = f"main 50 1000\n{OPEN_HANDS}{both}Dealer: draws 9 2 K 5\nDealer: calls player\n"
    desk = desk_after(T3, f"{dealt}Dealer: opens betting\n")
    mistake = ToldFacts(situation=Situation.OLD_LIMIT_MISTAKE, patron="Ann", amount=50_000)
    asked = lead(desk, mistake, by="Dealer", at=NOW)
    assert isinstance(asked, Question)
    assert (asked.ask, {each.wager for each in asked.wagers}) == (Ask.WAGER, {"player", "banker"})
    told = replace(mistake, wager="banker", position=1)
    assert isinstance(lead(desk, told, by="Dealer", at=NOW), Required)


def test_a_card_that_the_report_sets_aside_can_be_decided_about() -> None:
    """6.1: the card that came out lies aside by the report, and play does not go on without a decision."""
    extra = ToldFacts(situation=Situation.UNAUTHORISED_BANKER_CARD, cards=(face("5S"),), seen=True)
    (refer,) = required(T3, OPEN_HANDS + "Dealer: draws K K 7 7", extra).steps
    assert refer.by == Decider(post=Post("gaming-shift-manager"))
    assert {"play-card", "keep-as-next-card", "burn-card"} <= {*refer.choices}
    assert "continue" not in refer.choices


POWER_FAILURE = ToldFacts(situation=Situation.POWER_FAILURE)


@pytest.mark.parametrize("cards", ["Dealer: draws 9", ""], ids=["card known", "no card"])
def test_what_two_people_report_is_shown_to_one(cards: str) -> None:
    """5.17.1: the offer moves money once a card is known, so that somebody else approves the report."""
    found = required(T3, OPEN_HANDS + cards, POWER_FAILURE)
    assert found.two_people == bool(cards)
    assert found.refused is None
    assert [step.effect for step in found.steps][:1] == ["offer-withdrawal"]


def test_a_report_that_cannot_be_made_says_why() -> None:
    story = OPEN_HANDS + "Dealer: draws 9\nDealer with Pit Manager: reports power-failure"
    found = required(T3, story, POWER_FAILURE)
    assert not found.two_people
    assert found.refused is not None
    assert found.refused.key == "refusal.irregularity-under-way"


def test_a_report_that_corrects_an_entry_is_shown_as_one_of_two_people() -> None:
    """7.10: by the record the Dealer opened the hand that was Ann's; two people can tell that Bob had it."""
    story = """
        face-down
        patrons Ann at 1, Bob at 2
        Dealer: opens betting
        Ann: 300 on player at 1
        Bob: 200 on banker at 2
        Ann: asks to squeeze
        Dealer: closes betting
        Dealer: draws ? ? ? ?
        Dealer: opens player 9 K
    """
    told = ToldFacts(situation=Situation.WRONG_DELIVERY, hand=Hand.PLAYER, patron="Bob")
    found = required(HO, story, told)
    assert (found.two_people, found.refused) == (True, None)


@pytest.mark.parametrize(
    ("game", "by", "two"),
    [(HO, "Dealer", False), (HO, "Dealer Inspector", True), (T3, "Pit Supervisor", False)],
)
def test_cards_that_somebody_else_than_the_dealer_tells_are_told_by_two(
    game: str, by: str, two: bool
) -> None:
    """4.10: at Hoiana only the Dealer deals; 6.2: at Marina Bay Sands a higher post does too."""
    cards = (parse_card("4"), parse_card("9"))
    told = ToldFacts(situation=Situation.CARDS_TOGETHER, cards=cards, order_known=True)
    found = required(game, OPEN_HANDS + "Dealer: draws 2 3 2 3", told, by)
    assert (found.two_people, found.refused) == (two, None)


def test_whether_cards_that_came_together_lie_at_the_hands_is_asked_where_they_can() -> None:
    """7.13: they may have been entered one by one; of other cards nobody is asked."""
    lying, others = ((face(first), face("6S")) for first in ("2S", "9S"))
    told = ToldFacts(situation=Situation.CARDS_TOGETHER, order_known=False, cards=lying, seen=True)
    dealt = OPEN_HANDS + "Dealer: draws 2S 6S"
    assert lead(desk_after(HO, dealt), told, by="Dealer", at=NOW) == Question(ask=Ask.DEALT)
    assert isinstance(lead(desk_after(HO, dealt), replace(told, cards=others), by="Dealer", at=NOW), Required)
    assert required(HO, dealt, replace(told, dealt=True)).two_people


def test_cards_of_a_settled_round_can_only_have_come_together_before() -> None:
    settled = OPEN_HANDS + "Dealer: draws 9 2 K 5\nDealer: calls player"
    told = ToldFacts(situation=Situation.CARDS_TOGETHER)
    assert lead(desk_after(HO, settled), told, by="Dealer", at=NOW) == Question(ask=Ask.DEALT)
    assert isinstance(lead(desk_after(HO, settled), replace(told, dealt=False), by="Dealer", at=NOW), Refused)


@pytest.mark.parametrize(
    "told",
    [
        ToldFacts(situation=Situation.WRONG_ORDER, reconstructable=True),  # 7.9
        ToldFacts(situation=Situation.CARDS_TOGETHER, order_known=True, dealt=True),  # 7.12
        ToldFacts(situation=Situation.FOREIGN_CARD),  # 7.1
    ],
)
def test_whether_chips_are_still_paid_is_asked_where_the_round_would_last(
    told: ToldFacts,
) -> None:
    """2.2.13: the round lasts until all is taken and paid, and the clauses of the round under way hold."""
    desk = desk_after(HO, OPEN_HANDS + "Dealer: draws 9 2 K 5\nDealer: calls player")
    assert lead(desk, told, by="Dealer", at=NOW) == Question(ask=Ask.PAYING)


@pytest.mark.parametrize("game", ["mbs-tiger-v3", HO])
def test_no_end_turns_on_whether_chips_are_still_paid_without_asking(game: str) -> None:
    settled = OPEN_HANDS + "Dealer: draws 9 2 K 5\nDealer: calls player"
    desk = desk_after(game, settled)
    rulebook, asked = SHIPPED.rulebook(game), set()
    for situation in possible(desk):
        for told, found in ways(rulebook, desk.table, ToldFacts(situation=situation)):
            asked.add(told.paying)
            if told.paying is None and isinstance(found, Required):
                settled_row, paying_row = (
                    governing_row(desk, complete(desk, replace(told, paying=each).report))
                    for each in (False, True)
                )
                assert settled_row == paying_row, told
    assert asked == {None, True, False}


TAKEN = """
    method A
    patrons Ann at 1, Bob at 2
    Dealer: opens betting
    Ann: 300 on player at 1
    Bob: 200 on banker at 2
    Dealer: closes betting
    Dealer: draws ? ? ? ?
    Dealer: passes player to Ann
    Dealer: passes banker to Bob
"""
LEFT = TAKEN + "Dealer: reports patron-left-with-cards of Ann, value unknown"
TOLD = TAKEN + "Dealer with Pit Manager: reports patron-left-with-cards of Ann cards 9H KH, value known"


@pytest.mark.parametrize(
    ("situation", "story", "words"),
    [
        (Situation.MISSING_CARD, TAKEN, False),
        (Situation.MISSING_CARD, LEFT, True),
        (Situation.MISSING_CARD, TOLD, True),
        (Situation.WRONG_CALL, OPEN_HANDS + "Dealer: draws 9 2 K 5\nDealer: calls player", True),
        (Situation.NOT_COVERED, TAKEN, True),
    ],
    ids=["missing", "missing beside 5.11", "missing beside 5.10", "points said wrongly", "something else"],
)
def test_words_are_asked_for_where_only_they_say_what_it_is(
    situation: Situation, story: str, *, words: bool
) -> None:
    """5.1, 5.10, 5.11, 3.16: the table would contradict it, but for what is said in words."""
    found = required(T3, story, ToldFacts(situation=situation, paying=False))
    assert (found.words, found.refused) == (words, None)


ROUND = "Dealer: opens betting\nDealer: closes betting\nDealer: draws 9 2 K 5\n"
PLAYED = "patrons Ann at 1\n" + ROUND.replace(
    "betting\nDealer: c", "betting\nAnn: 100 on player at 1\nDealer: c"
)


def test_something_else_may_be_a_payment_of_a_round_before_the_last() -> None:
    """7.20: two people tell whose it was and how much was wrong, so that it can be booked."""
    desk, told = desk_after(HO, PLAYED + ROUND), ToldFacts(situation=Situation.NOT_COVERED, paying=False)
    asked = []
    for answer in ({"patron": "Ann"}, {"amount": 2000}, {"underpaid": True}):
        found = lead(desk, told, by="Dealer", at=NOW)
        assert isinstance(found, Question)
        asked.append((found.ask, found.optional))
        told = replace(told, **answer)
    assert asked == [(Ask.PATRON, True), (Ask.AMOUNT, True), (Ask.UNDERPAID, False)]
    found = lead(desk, told, by="Dealer", at=NOW)
    assert isinstance(found, Required)
    assert (found.two_people, found.words, found.refused) == (True, True, None)


@pytest.mark.parametrize(
    ("story", "told"),
    [(PLAYED, {}), (PLAYED + ROUND, {"patron": ""}), (PLAYED + ROUND, {"patron": "Ann", "amount": 0})],
    ids=["the last round alone", "no patron", "no amount"],
)
def test_something_else_that_tells_no_payment_takes_one_person(story: str, told: dict[str, object]) -> None:
    facts = replace(ToldFacts(situation=Situation.NOT_COVERED, paying=False), **told)
    assert not required(HO, story, facts).two_people
