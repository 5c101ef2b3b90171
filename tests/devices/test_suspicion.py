"""Every sign of a bad shoe gives alarm on a fed example, and fair shoes give none."""

import random
from collections.abc import Sequence

import pytest
from devices.battery import biased
from devices.fair_shoes import DECKS, dealt, fair_shoes

from thirdcard.cards import NEW_DECK, Card, Rank, Suit
from thirdcard.devices.suspicion import SeenFaces, judge, suspicions
from thirdcard.game import commands as cmd
from thirdcard.game import events as ev
from thirdcard.game.alarm_kinds import AlarmKind
from thirdcard.game.state import Hand, Phase
from thirdcard.refusals import Refused
from thirdcard.roundfile.head import RoundFileHead
from thirdcard.roundfile.set_up import Player, set_up
from thirdcard.rulebook.irregularity import Method, Situation
from thirdcard.rulebook.shelf import SHIPPED

SHOE = NEW_DECK * DECKS
RANKS = tuple(Card(card.rank) for card in SHOE)
NINE = Card(Rank.NINE, Suit.HEARTS)


def kinds(faces: SeenFaces, last: SeenFaces = (), *, over: bool = False) -> list[str]:
    return [alarm.kind.value for alarm in judge(faces, last=last, decks=DECKS, over=over)]


def shuffled(seed: int, cards: tuple[Card, ...] = SHOE) -> tuple[Card, ...]:
    order = list(cards)
    random.Random(seed).shuffle(order)
    return tuple(order)


# more copies than decks


def test_the_ninth_copy_of_a_card_in_eight_decks_gives_alarm_at_once() -> None:
    others = [card for card in shuffled(1) if card != NINE]
    assert kinds([NINE] * 8 + others[:20]) == ["repeats-itself"]
    cards = [card for pair in zip([NINE] * 9, others, strict=False) for card in pair]
    assert kinds(cards[:16]) == []
    (alarm,) = judge(cards[:17], last=(), decks=DECKS, over=False)
    assert alarm == cmd.RaiseAlarm(kind=AlarmKind.TOO_MANY_COPIES, card=NINE, number=9)


def test_without_suits_a_rank_may_come_four_times_as_often() -> None:
    others = [card for card in shuffled(1, RANKS) if card.rank is not Rank.NINE]
    cards = [card for pair in zip([Card(Rank.NINE)] * 33, others, strict=False) for card in pair]
    assert "too-many-copies" not in kinds(cards[:64])
    alarm = judge(cards[:65], last=(), decks=DECKS, over=False)[0]
    assert alarm == cmd.RaiseAlarm(kind=AlarmKind.TOO_MANY_COPIES, card=Card(Rank.NINE), number=33)


# the order of new decks


@pytest.mark.parametrize("cards", [SHOE, SHOE[::-1]], ids=["ace to king", "king to ace"])
def test_a_new_deck_is_noticed_at_its_twelfth_card(cards: tuple[Card, ...]) -> None:
    assert kinds(cards[:11]) == []
    assert kinds(cards[:12]) == ["new-deck-order"]


def test_a_new_deck_is_noticed_by_its_ranks_alone_a_little_later() -> None:
    assert "new-deck-order" not in kinds(RANKS[:17])
    assert "new-deck-order" in kinds(RANKS[:20])


@pytest.mark.parametrize("start", [0, 100, 300])
def test_a_packet_of_a_new_deck_is_noticed_wherever_it_lies(start: int) -> None:
    fair = shuffled(3)
    packet = NEW_DECK[13:26]
    faces = (*fair[:start], *packet, *fair[start:])[:400]
    assert "new-deck-order" in kinds(faces)
    assert kinds(fair[:400]) == []


@pytest.mark.parametrize("riffles", [1, 2, 3])
def test_up_to_three_riffles_of_new_decks_are_noticed(riffles: int) -> None:
    """More than three riffles leave too little order to tell from chance."""
    riffle = biased(random.Random(7))["three riffles by hand"]
    order = list(range(len(SHOE)))
    if riffles == 3:
        order = list(riffle(order))
    else:
        for _ in range(riffles):
            order = _riffle(order, random.Random(7))
    assert "new-deck-order" in kinds([SHOE[at] for at in order[:390]])


def _riffle(order: list[int], chance: random.Random) -> list[int]:
    half = sum(chance.getrandbits(1) for _ in order)
    left, right, mixed = order[:half], order[half:], []
    while left or right:
        mixed.append((left if chance.randrange(len(left) + len(right)) < len(left) else right).pop(0))
    return mixed


def test_a_card_that_nobody_saw_neither_adds_to_the_order_nor_hides_it() -> None:
    seen: list[Card | None] = list(NEW_DECK[:13])
    seen[6] = None
    assert kinds(seen) == []
    assert kinds([*NEW_DECK[:6], None, *NEW_DECK[13:26]]) == ["new-deck-order"]


# the same order again


def test_eight_decks_in_one_and_the_same_order_are_noticed_in_the_second_deck() -> None:
    one = shuffled(5, NEW_DECK)
    assert kinds((one * DECKS)[:57]) == []
    assert kinds((one * DECKS)[:58]) == ["repeats-itself"]


def test_the_shoe_of_before_is_recognised_after_another_cut_by_six_cards_in_a_row() -> None:
    before, fresh = shuffled(6), shuffled(8)
    assert kinds((*fresh[:50], *before[200:205]), before) == []
    assert kinds((*fresh[:50], *before[200:206]), before) == ["repeats-last-shoe"]
    assert kinds((*fresh[:50], *before[200:203], None, *before[204:208]), before) == []


def test_by_ranks_alone_it_takes_nine_cards() -> None:
    before, fresh = shuffled(6, RANKS), shuffled(8, RANKS)
    assert kinds((*fresh[:50], *before[200:208]), before) == []
    assert kinds((*fresh[:50], *before[200:209]), before) == ["repeats-last-shoe"]


def test_a_shoe_with_suits_after_one_without_is_compared_by_its_ranks() -> None:
    before = shuffled(6)
    ranks = tuple(Card(card.rank) for card in before)
    assert kinds(before[100:108], ranks) == []
    assert kinds(before[100:109], ranks) == ["repeats-last-shoe"]


# composition at the end


def test_a_shoe_without_the_nines_of_hearts_is_noticed_at_its_end() -> None:
    faces = [card for card in shuffled(9) if card != NINE][:392]
    assert kinds(faces) == []
    (alarm,) = judge(faces, last=(), decks=DECKS, over=True)
    assert alarm == cmd.RaiseAlarm(kind=AlarmKind.WRONG_COMPOSITION, card=NINE, number=8)


def test_what_may_well_be_among_the_cards_left_is_no_fault() -> None:
    order = shuffled(9)
    faces = [card for card in order if card != NINE]
    assert kinds([*faces[:389], NINE, NINE, NINE], over=True) == []
    hidden = [None if at % 2 else face for at, face in enumerate(faces[:392])]
    assert kinds(hidden, over=True) == []


def test_a_rank_of_which_a_whole_deck_is_missing_is_noticed() -> None:
    faces = [card for card in shuffled(10, RANKS) if card.rank is not Rank.FIVE]
    fives = [Card(Rank.FIVE)] * 16
    alarm = judge([*faces[:377], *fives], last=(), decks=DECKS, over=True)[-1]
    assert alarm == cmd.RaiseAlarm(kind=AlarmKind.WRONG_COMPOSITION, card=Card(Rank.FIVE), number=16)


def test_where_every_card_was_seen_not_one_may_be_missing() -> None:
    order = list(shuffled(11))
    assert kinds(order, over=True) == []
    at = order.index(NINE)
    order[at] = next(card for card in order if card != NINE)
    assert kinds(order, over=True) == ["too-many-copies", "wrong-composition"]


# fair shoes


@pytest.mark.parametrize("suits", [True, False], ids=["cards", "ranks"])
def test_fair_shoes_give_no_alarm(suits: bool) -> None:
    """At length: scripts/soak suspicion N."""
    assert [each.alarms for each in fair_shoes(500, 1, suits=suits) if each.alarms] == []


def test_the_fair_shoes_are_seen_as_a_table_sees_them() -> None:
    faces = dealt(random.Random(1), SHOE)
    assert faces[0] is not None
    burned = (faces[0].rank.point_value or 10) + 1
    assert faces[1:burned] == (None,) * (burned - 1)
    assert 400 <= len(faces) <= 412


# at a table


class Dealt:
    """A table whose cards come as they are fed."""

    def __init__(self, **head: object) -> None:
        rulebook = SHIPPED.rulebook("mbs-tiger-v3")
        self.player = Player(rulebook, SHIPPED.house(rulebook.document.house))
        set_up(self.player, RoundFileHead(game=rulebook.id, **head))  # type: ignore[arg-type]

    def feed(self, cards: Sequence[Card]) -> None:
        """Deal cards round after round."""
        for card in cards:
            if self.player.standing.phase is Phase.IDLE:
                self.do(cmd.OpenBetting())
                self.do(cmd.CloseBetting())
            self.do(cmd.DrawCard(card=card))

    def do(self, body: cmd.Body, actor: str = "Table") -> None:
        assert not isinstance(self.player.do(body, actor), Refused), body

    @property
    def due(self) -> list[str]:
        return [alarm.kind.value for alarm in suspicions(self.player.standing)]


def test_a_table_that_is_fed_new_decks_gives_each_alarm_once_a_shoe() -> None:
    table = Dealt()
    table.feed(SHOE[:11])
    assert table.due == []
    table.feed(SHOE[11:12])
    assert table.due == ["new-deck-order"]
    table.do(cmd.RaiseAlarm(kind=AlarmKind.NEW_DECK_ORDER))
    assert table.due == []
    table.feed(SHOE[12:58])
    assert table.due == ["repeats-itself"]
    while table.player.standing.phase is not Phase.IDLE:
        table.feed(SHOE[58:59])
    table.do(cmd.LoadShoe(decks=DECKS), "Pit Manager")
    assert table.due == []
    table.feed(SHOE[:12])
    assert table.due == ["new-deck-order", "repeats-last-shoe"]


def test_the_composition_is_looked_at_when_the_shoe_is_over() -> None:
    table = Dealt()
    table.feed([card for card in shuffled(9) if card != NINE][:380])
    while table.player.standing.phase is not Phase.IDLE:
        table.feed([Card(Rank.TWO, Suit.CLUBS)])
    assert "wrong-composition" not in table.due
    table.player.record(ev.ShoeEnded())
    assert "wrong-composition" in table.due


def test_squeezed_cards_are_looked_at_in_the_order_in_which_they_were_drawn() -> None:
    table = Dealt(automatic=(), method=Method.A)
    for start in range(0, 16, 4):
        table.do(cmd.OpenBetting())
        table.do(cmd.CloseBetting())
        for _ in range(4):
            table.do(cmd.DrawCard(card=None))
        for hand, first in ((Hand.BANKER, 1), (Hand.PLAYER, 0)):
            cards = (SHOE[start + first], SHOE[start + first + 2])
            table.do(cmd.ExposeCards(hand=hand, cards=cards))
        table.do(cmd.ReportIrregularity(situation=Situation.NOT_COVERED, note="a lamp"))
        assert not isinstance(
            table.player.do(cmd.Rule(choice="void-round", text="a test"), "Gaming Shift Manager"), Refused
        )
    assert table.due == ["new-deck-order"]


def test_a_table_without_cards_has_nothing_to_suspect() -> None:
    rulebook = SHIPPED.rulebook("mbs-tiger-v3")
    player = Player(rulebook, SHIPPED.house(rulebook.document.house))
    set_up(player, RoundFileHead(game=rulebook.id, shoe=True))
    assert suspicions(player.standing) == ()
