"""Every card of a shoe has a place: it leaves, lies, waits or goes back, none is skipped or comes twice."""

from thirdcard.cards import Card, parse_card
from thirdcard.game.places import learn, lie, next_place, still_wait, take, tell, with_places
from thirdcard.game.shoe import Shoe
from thirdcard.game.state import Table
from thirdcard.roundfile.parse import RoundRules, parse
from thirdcard.roundfile.play import play
from thirdcard.rulebook.shelf import SHIPPED

FULL = Shoe(number=1, decks=8, left=416)


def faces(text: str) -> tuple[Card | None, ...]:
    return tuple(parse_card(word) for word in text.split())


def told(lines: str, game: str = "mbs-tiger-v3") -> Table:
    rulebook = SHIPPED.rulebook(game)
    house = SHIPPED.house(rulebook.document.house)
    return play(parse(f"game {game}\n{lines}", RoundRules(house=house)), rulebook, house).table


def places(table: Table) -> tuple[int, tuple[int, ...], tuple[int, ...], tuple[int, ...], tuple[int, ...]]:
    """The next place, and the places of cards put back, lying, waiting and set aside."""
    assert table.shoe is not None
    held = table.shoe.places
    return next_place(table.shoe), held.back, held.lying, held.strays, held.reserved


def test_cards_leave_a_shoe_in_the_order_of_their_places() -> None:
    shoe, taken = take(FULL, faces("9H ? 2C"))
    assert (taken, shoe.left, next_place(shoe)) == ((0, 1, 2), 413, 3)
    assert shoe.places.faces == faces("9H ? 2C")
    assert learn(shoe, (1,), faces("KS")).places.faces == faces("9H KS 2C")
    assert learn(shoe, (0,), faces("?")).places.faces == faces("9H ? 2C")


def test_a_face_moves_with_its_card_to_the_place_that_was_told() -> None:
    shoe, taken = take(FULL, faces("9H ? KS"))
    assert tell(shoe, taken, faces("? 9H KS")).places.faces == faces("? 9H KS")
    assert tell(shoe, taken, faces("? ? KS")).places.faces == faces("9H ? KS")  # nobody tells otherwise


def test_cards_that_go_back_come_again_first_and_keep_their_faces() -> None:
    shoe, taken = take(FULL, faces("9H 2C KS"))
    shoe = lie(with_places(shoe, lying=taken), 3, faces("9H"))
    assert (shoe.left, next_place(shoe)) == (415, 1)
    assert (shoe.places.lying, shoe.places.back) == ((0,), (1, 2))
    shoe, again = take(shoe, faces("? ? 5D"))
    assert (again, next_place(shoe), shoe.left) == ((1, 2, 3), 4, 412)
    assert shoe.places.faces == faces("9H 2C KS 5D")


def test_a_card_that_waits_no_more_is_not_on_top_of_the_shoe() -> None:
    shoe, taken = take(FULL, faces("9H 2C KS"))
    shoe = still_wait(with_places(shoe, strays=taken, disclosed=taken), taken[1:])
    assert (shoe.places.strays, shoe.places.disclosed) == ((1, 2), (1, 2))


def test_burned_cards_have_places_and_the_first_is_seen() -> None:
    table = told("shoe empty\nDealer: loads 8 decks\nDealer: burns by 3S\n", "hoiana-tiger-2024/commission")
    assert table.shoe is not None
    assert table.shoe.places.faces == faces("3S ? ? ?")
    assert next_place(table.shoe) == 4


def test_a_reset_device_deals_the_same_cards_again() -> None:
    start = "device electronic\nDealer: opens betting\nDealer: closes betting\nDealer: draws ? ? ?\n"
    assert places(told(start)) == (3, (), (0, 1, 2), (), ())
    reset = told(start + "Dealer: reports device-reset\n")
    assert places(reset) == (0, (0, 1, 2), (), (), ())
    again = told(start + "Dealer: reports device-reset\nDealer: closes betting\nDealer: draws 9H 2C\n")
    assert places(again) == (2, (2,), (0, 1), (), ())


def test_a_card_that_waits_for_the_next_round_is_not_dealt_from_the_shoe() -> None:
    start = "Dealer: reports next-card-known cards 9H\n"
    waiting = told(start, "hoiana-tiger-2024/commission")
    assert waiting.shoe is not None
    burned = len(waiting.shoe.places.faces) - 1
    assert places(waiting)[3] == (burned,)
    dealt = told(
        start + "Dealer: deals the free hand\nDealer: draws 2C KS 5C\n", "hoiana-tiger-2024/commission"
    )
    assert places(dealt) == (burned + 4, (), tuple(range(burned, burned + 4)), (), ())


def test_cards_set_aside_keep_their_places_until_they_are_drawn() -> None:
    start = (
        "area high-limit\ndevice card-reading\nmethod C\nautomatic none\npatrons Ann at 1\n"
        "Dealer: opens betting\nAnn: 100 on player at 1\nAnn: takes the device\nDealer: closes betting\n"
        "Ann: draws ? KD ? 3D\nDealer: passes player to Ann\n"
        "Dealer: reports patron-left-with-cards of Ann, value unknown\n"
        "Gaming Shift Manager: reserves 9D 6C\n"
    )
    assert places(told(start)) == (6, (), (0, 1, 2, 3), (), (4, 5))


def test_cards_that_went_back_have_their_places_and_no_faces_once_the_order_is_lost() -> None:
    reset = (
        "device electronic\npatrons Ann at 1\nDealer: opens betting\nAnn: 100 on player at 1\n"
        "Dealer: closes betting\nDealer: draws 9H 2C\n"
        "Dealer with Pit Manager: reports device-reset\nDealer: ends the offer\n"
    )
    back = told(reset).shoe
    lost = told(reset + "Dealer: reports order-altered, not reconstructable\nPit Manager: confirms\n").shoe
    assert back is not None
    assert lost is not None
    assert (back.places.back, back.places.faces) == ((0, 1), faces("9H 2C"))
    assert (lost.places.back, lost.places.faces) == ((0, 1), faces("? ?"))
    assert lost.left == back.left == 416
