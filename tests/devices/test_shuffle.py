"""The shuffle reaches every order equally often, and the battery catches shufflers that do not."""

import itertools
import math
import random
from collections import Counter
from collections.abc import Iterator

import pytest
from devices.battery import biased, bound, chi_square, faults
from lengths import sized

from thirdcard.cards import NEW_DECK
from thirdcard.devices.shuffle import below, shuffled

SHUFFLES = 4_000
MORE = 25_000  # for those who are wrong by little
SUBTLE = ("a byte modulo the number of cards", "a short fraction times the number of cards")


class Drawn:
    """Random bytes that are laid down beforehand."""

    def __init__(self, numbers: Iterator[int]) -> None:
        self.numbers = numbers
        self.asked = 0

    def __call__(self, size: int) -> bytes:
        self.asked += size
        return next(self.numbers).to_bytes(size)


@pytest.mark.parametrize("cards", [1, 2, 3, 4, 5, 6])
def test_every_choice_of_indices_gives_another_order_of_a_small_deck(cards: int) -> None:
    choices = itertools.product(*(range(last + 1) for last in range(cards - 1, 0, -1)))
    orders = Counter(shuffled(range(cards), Drawn(iter(indices))) for indices in choices)
    assert orders == Counter(itertools.permutations(range(cards)))
    assert orders.total() == math.factorial(cards)


@pytest.mark.parametrize("limit", [2, 3, 5, 7, 8, 52, 100, 128, 129, 200, 255, 256])
def test_of_all_bytes_each_index_comes_equally_often_and_the_rest_is_drawn_again(limit: int) -> None:
    power = 1 << (limit - 1).bit_length()
    chosen: Counter[int] = Counter()
    for byte in range(256):
        drawn = Drawn(iter((byte, 0)))
        index = below(limit, drawn)
        if drawn.asked == 1:
            chosen[index] += 1
        else:
            assert byte % power >= limit
    assert chosen == Counter(dict.fromkeys(range(limit), 256 // power))


@pytest.mark.parametrize("limit", [257, 416, 512, 520])
def test_of_all_pairs_of_bytes_each_index_of_a_shoe_comes_equally_often(limit: int) -> None:
    power = 1 << (limit - 1).bit_length()
    accepted = [number % power for number in range(1 << 16) if number % power < limit]
    assert all(below(limit, Drawn(iter((number,)))) == number for number in range(limit))
    assert Counter(accepted) == Counter(dict.fromkeys(range(limit), (1 << 16) // power))
    assert all(below(limit, Drawn(iter((number, 1)))) == 1 for number in range(limit, power))


def test_one_card_needs_no_chance() -> None:
    assert shuffled(["only"], Drawn(iter(()))) == ("only",)
    assert shuffled([], Drawn(iter(()))) == ()


@pytest.mark.sweep
def test_real_shuffles_pass_the_battery() -> None:
    assert faults(shuffled, sized(SHUFFLES, 10 * MORE)) == set()


def test_each_card_comes_to_each_place_of_a_real_shoe_equally_often() -> None:
    shoes, decks = 600, 8
    counts: Counter[tuple[int, str]] = Counter()
    for _ in range(shoes):
        order = shuffled(NEW_DECK * decks)
        assert Counter(order) == Counter(NEW_DECK * decks)
        counts.update((place, card.text) for place, card in enumerate(order))
    places = decks * len(NEW_DECK)
    cells = (counts[place, card.text] for place in range(places) for card in NEW_DECK)
    statistic = chi_square(cells, shoes / len(NEW_DECK)) * (places - 1) / places
    assert statistic < bound((places - 1) * (len(NEW_DECK) - 1))


@pytest.mark.parametrize("wrong", biased(random.Random(0)))
def test_the_battery_catches_a_shuffler_that_is_wrong(wrong: str) -> None:
    shuffler = biased(random.Random(20261115))[wrong]
    assert faults(shuffler, MORE if wrong in SUBTLE else SHUFFLES) != set()


def test_the_battery_passes_a_fair_shuffler_of_any_source() -> None:
    chance = random.Random(20261115)
    assert faults(lambda deck: chance.sample(deck, len(deck)), SHUFFLES) == set()


def test_the_bound_is_right_where_it_can_be_worked_out() -> None:
    """With two degrees of freedom a chi-square statistic exceeds t with a probability of exp(-t / 2)."""
    assert math.exp(-bound(2) / 2) < 1e-6
    assert math.exp(-bound(2) / 2) > 1e-11
