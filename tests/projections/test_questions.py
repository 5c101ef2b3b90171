"""From "something is wrong" to the row of the rulebook: every way through the questions, at every moment."""

import datetime
import itertools
from collections.abc import Iterator

import pytest
from msgspec.structs import replace

from thirdcard.cards import Card, parse_card
from thirdcard.game import commands as cmd
from thirdcard.game.state import Automatic, Device, Hand, Table
from thirdcard.projections.questions import (
    Ask,
    Question,
    Required,
    Told,
    can_be,
    lead,
    possible,
    situations_of,
)
from thirdcard.refusals import Refusal, Refused
from thirdcard.roundfile.head import Head, Seat
from thirdcard.roundfile.set_up import Player, set_up
from thirdcard.rulebook.book import Rulebook
from thirdcard.rulebook.irregularity import Area, Method, Situation
from thirdcard.rulebook.shelf import all_rulebooks, find_rulebook, shelf_house

NOW = datetime.datetime(2026, 11, 16, 20, tzinfo=datetime.UTC)
ENVELOPE = cmd.Envelope(actor="Dealer", received_at=NOW, command_id="")
GAMES = tuple(book.id for book in all_rulebooks())
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
    rulebook = find_rulebook(game)
    assert isinstance(rulebook, Rulebook)
    terminal = rulebook.document.table == "terminal"
    head = Head(
        game=game,
        device=Device.CARD_READING,
        method=method,
        area=Area.HIGH_LIMIT if method is Method.C else Area.MAIN_FLOOR,
        face_down=face_down,
        automatic=(Automatic.EXPOSE, Automatic.CALL),
        patrons=(Seat("Ada", None if terminal else 1), Seat("Ben", None if terminal else 2)),
    )
    player = Player(rulebook, shelf_house(rulebook.document.house))
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


ANSWERS: dict[Ask, tuple[object, ...]] = {
    Ask.HAND: (Hand.PLAYER, Hand.BANKER),
    Ask.PATRON: ("Ada",),
    Ask.AMOUNT: (5_000,),
}


def answered(told: Told, question: Question) -> Iterator[Told]:
    """What was told with every answer to a question, and left out where that is possible."""
    values: tuple[object, ...]
    if question.ask is Ask.CARDS:
        assert 0 < question.least <= question.most or question.ordered
        values = (tuple(face(each) for each in CARDS[: question.least]),)
    else:
        values = ANSWERS.get(question.ask, (True, False))
    empty: dict[Ask, object] = {Ask.CARDS: (), Ask.PATRON: "", Ask.AMOUNT: 0}
    for value in (*values, *((empty[question.ask],) if question.optional else ())):
        yield replace(told, **{question.ask.value: value})


def ways(rulebook: Rulebook, table: Table, told: Told) -> Iterator[tuple[Told, Required | Refused]]:
    """Every way through the questions to its end."""
    house = shelf_house(rulebook.document.house)
    found = lead(rulebook, house, table, told, ENVELOPE)
    if isinstance(found, Question):
        assert getattr(told, found.ask.value) is None  # nothing is asked twice
        for more in answered(told, found):
            yield from ways(rulebook, table, more)
    else:
        yield told, found


@pytest.mark.parametrize(("game", "method"), [("mbs-super-six-etg-v3", None), ("mbs-tiger-v3", Method.A)])
def test_every_way_through_the_questions_ends_with_its_situation(game: str, method: Method | None) -> None:
    rulebook = find_rulebook(game)
    assert isinstance(rulebook, Rulebook)
    for table in moments(game, method, face_down=method is Method.A, burned=True):
        for situation in possible(table, rulebook.document):
            ends = [found for _, found in ways(rulebook, table, Told(situation=situation))]
            assert ends
            assert {each.situation for each in ends if isinstance(each, Required)} <= {situation}


@pytest.mark.sweep
@pytest.mark.parametrize("game", GAMES)
def test_every_row_is_reached(game: str) -> None:
    rulebook = find_rulebook(game)
    assert isinstance(rulebook, Rulebook)
    reached: set[tuple[Situation, str | None]] = set()
    methods = tuple(Method) if rulebook.document.methods else (None,)
    for method, burned, cards in itertools.product(methods, (True, False), (CARDS, STANDS)):
        for table in moments(game, method, face_down=method is Method.A, burned=burned, cards=cards):
            for situation in possible(table, rulebook.document):
                for _, found in ways(rulebook, table, Told(situation=situation)):
                    if isinstance(found, Required):
                        assert found.situation is situation
                        reached.add((situation, found.clause))
    rows: set[tuple[Situation, str | None]] = {
        (row.situation, row.clause) for row in rulebook.document.irregularities
    }
    assert rows - reached == set()


def test_before_there_are_cards_nothing_can_be_wrong_with_them() -> None:
    rulebook = find_rulebook("mbs-tiger-v3")
    assert isinstance(rulebook, Rulebook)
    table = replace(next(moments("mbs-tiger-v3", None, face_down=False, burned=True)), shoe=None)
    assert possible(table, rulebook.document) == ()
    house = shelf_house(rulebook.document.house)
    found = lead(rulebook, house, table, Told(situation=Situation.MISDEAL), ENVELOPE)
    assert isinstance(found, Refused)
    assert found.reason is Refusal.NOT_IN_THIS_PHASE


def test_situations_are_those_of_the_document_and_what_no_rule_covers() -> None:
    rulebook = find_rulebook("mbs-super-six-etg-v3")
    assert isinstance(rulebook, Rulebook)
    named = {row.situation for row in rulebook.document.irregularities}
    assert set(situations_of(rulebook.document)) == {*named, Situation.NOT_COVERED}
    table = next(moments("mbs-super-six-etg-v3", None, face_down=False, burned=True))
    assert not can_be(table, Situation.WRONG_CALL)


def test_what_a_device_cannot_do_cannot_go_wrong_with_it() -> None:
    """Clause 5.9 of Tiger is about a device that is reset, so it needs an electronic one."""
    rulebook = find_rulebook("mbs-tiger-v3")
    assert isinstance(rulebook, Rulebook)
    dealt = [each for each in moments("mbs-tiger-v3", Method.B, face_down=False, burned=True) if each.round]
    table = next(each for each in dealt if each.round and each.round.cards)
    plain = replace(table, setup=replace(table.setup, device=Device.PLAIN))
    found = {end for _, end in ways(rulebook, plain, Told(situation=Situation.DEVICE_RESET))}
    refused = {each.refused.key for each in found if isinstance(each, Required) and each.refused}
    assert refused == {"refusal.device-not-suitable"}
