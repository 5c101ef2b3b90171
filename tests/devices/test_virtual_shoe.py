"""The virtual shoe: sealed, cut, dealt, proven and laid open, with nothing remembered outside the table."""

import random
from collections import Counter

import msgspec
import pytest
from msgspec.structs import replace
from sealed_shoes import opened_shoes, proofs_of_round

from thirdcard.cards import NEW_DECK, Card, parse_card
from thirdcard.clauses import Clause
from thirdcard.devices import virtual_shoe
from thirdcard.devices.virtual_shoe import CannotOpen, Label, new_shoe, next_command
from thirdcard.game import commands as cmd
from thirdcard.game import events as ev
from thirdcard.game.alarm_kinds import AlarmKind
from thirdcard.game.shoe import Seal
from thirdcard.game.state import Hand, Phase, Table
from thirdcard.game.table_setup import Automatic, Device
from thirdcard.journal.keys import KeyRing, new_keys
from thirdcard.journal.sealed_shoe import check, is_proven
from thirdcard.refusals import Refused
from thirdcard.roundfile.head import RoundFileHead, Seat
from thirdcard.roundfile.set_up import Player, set_up
from thirdcard.rulebook.irregularity import Area, Method, Situation
from thirdcard.rulebook.read import house_of
from thirdcard.rulebook.shelf import SHIPPED

KEYS = KeyRing((new_keys(),))
GAMES = tuple(book.id for book in SHIPPED.rulebooks)
TIGER, HOIANA, SUPER_SIX = "mbs-tiger-v3", "hoiana-tiger-2024/commission", "mbs-super-six-etg-v3"


class Floor:
    """A table whose device is a virtual shoe, and a dealer who does the rest."""

    def __init__(self, game: str, **head: object) -> None:
        rulebook = SHIPPED.rulebook(game)
        self.player = Player(rulebook, SHIPPED.house(rulebook.document.house))
        seat = Seat("Ann", None if rulebook.document.table == "terminal" else 1)
        start: dict[str, object] = {"device": Device.CARD_READING, "shoe": True, "patrons": (seat,)}
        set_up(self.player, RoundFileHead(game=game, **{**start, **head}))  # type: ignore[arg-type]
        self.dealt: list[Card] = []

    @property
    def table(self) -> Table:
        return self.player.standing

    def do(self, body: cmd.Body, actor: str = "Dealer") -> tuple[ev.Event, ...]:
        result = self.player.do(body, actor)
        assert not isinstance(result, Refused), (body, result)
        return result

    def device(self) -> cmd.Body | None:
        return next_command(self.player.rulebook, self.player.house, self.table, KEYS)

    def run_device(self) -> list[cmd.Body]:
        """Let the device do what it does until it is somebody else's turn."""
        done: list[cmd.Body] = []
        while (body := self.device()) is not None:
            for event in self.do(body, virtual_shoe.drawer(self.table)):
                if isinstance(event, ev.CardDrawn) and event.card:
                    self.dealt.append(event.card)
            done.append(body)
        return done

    def round(self) -> list[cmd.Body]:
        """One round from the opening call to the end."""
        self.do(cmd.OpenBetting())
        self.do(cmd.CloseBetting())
        return self.run_device()


def kinds(bodies: list[cmd.Body]) -> list[str]:
    return [type(body).__name__ for body in bodies]


@pytest.mark.parametrize("game", GAMES)
def test_a_whole_shoe_is_dealt_by_the_device_and_laid_open_and_everything_fits(game: str) -> None:
    floor = Floor(game)
    burns = ["BurnCards"] if game.startswith("hoiana") else []
    assert kinds(floor.run_device()) == ["LoadShoe", "CutCards", *burns]
    sealed = floor.table.shoe
    assert sealed is not None
    done: list[cmd.Body] = []
    while floor.table.shoe is not None and floor.table.shoe.number == 1:
        done += floor.round()
    assert kinds(done).count("SeeCuttingCard") == 1
    assert kinds(done)[-(2 + len(burns)) - 1 :] == ["OpenShoe", "LoadShoe", "CutCards", *burns]
    (opened,) = opened_shoes(floor.player.events)
    assert check(opened) == ()
    assert opened.root == sealed.seal.root if sealed.seal else False
    assert [card for card in opened.dealt if card] == [
        *([opened.dealt[0]] if burns else []),
        *(card.text for card in floor.dealt),
    ]
    left = 416 - len(opened.dealt)
    assert 16 - 12 <= left <= 16


def with_settings(game: str, **settings: int) -> Floor:
    """A floor at a house with other settings."""
    floor = Floor(game)
    form = floor.player.house.form
    floor.player.house = house_of(replace(form, settings=replace(form.settings, **settings)))
    return floor


def test_device_burns_a_fixed_number_unseen_where_the_house_fixes_it() -> None:
    floor = with_settings(HOIANA, burn=3)
    assert floor.run_device()[-1] == cmd.BurnCards(first=None)
    while floor.table.shoe is not None and floor.table.shoe.number == 1:
        floor.round()
    (opened,) = opened_shoes(floor.player.events)
    assert check(opened) == ()
    assert opened.dealt[:3] == (None, None, None)


@pytest.mark.parametrize("after", [0, 1])
def test_device_deals_as_many_rounds_after_the_cutting_card_as_the_house_has(after: int) -> None:
    floor = with_settings(TIGER, rounds_after_cutting_card=after)
    floor.run_device()
    while floor.table.shoe is not None and floor.table.shoe.number == 1:
        floor.round()
    (cut,) = [at for at, event in enumerate(floor.player.events) if isinstance(event, ev.CuttingCardSeen)]
    cutting_card = floor.player.events[cut]
    assert isinstance(cutting_card, ev.CuttingCardSeen)
    begun = sum(isinstance(event, ev.RoundBegan) for event in floor.player.events[cut:])
    assert begun == (0 if cutting_card.first else after)


def test_the_seal_is_recorded_before_the_first_wager_and_nothing_of_the_order_is_legible() -> None:
    floor = Floor(SUPER_SIX)
    floor.run_device()
    floor.round()
    events = floor.player.events
    loaded = next(at for at, event in enumerate(events) if isinstance(event, ev.ShoeLoaded))
    opening = next(at for at, event in enumerate(events) if isinstance(event, ev.BettingOpened))
    assert loaded < opening
    written = msgspec.json.encode(events[: opening + 1]) + msgspec.json.encode(floor.table)
    contents = virtual_shoe.contents_of(floor.table, KEYS)
    assert contents.secret.hex().encode() not in written
    assert sum(isinstance(event, ev.ShoeOpened) for event in events) == 0
    unseen = [face for face in floor.table.shoe.places.faces if face] if floor.table.shoe else []
    assert unseen == list(floor.dealt)


def test_every_card_that_lies_open_can_be_proven_while_the_shoe_is_still_sealed() -> None:
    floor = Floor(TIGER)
    assert proofs_of_round(floor.table, KEYS) == ()
    floor.run_device()
    assert proofs_of_round(floor.table, KEYS) == ()
    for _ in range(3):
        floor.round()
        current, shoe = floor.table.round, floor.table.shoe
        assert current is not None
        assert shoe is not None
        assert shoe.seal is not None
        proofs = proofs_of_round(floor.table, KEYS)
        assert [proof.card for proof in proofs] == [each.card.text for each in current.cards if each.card]
        assert all(is_proven(proof, root=shoe.seal.root, cards=416) for proof in proofs)
        floor.do(cmd.OpenBetting())
        assert proofs_of_round(floor.table, KEYS) == ()
        floor.do(cmd.CloseBetting())
        floor.run_device()


def test_no_proof_is_given_of_a_card_that_lies_face_down_or_is_another() -> None:
    floor = Floor(TIGER, automatic=(), method=Method.A)
    floor.run_device()
    assert len(floor.round()) == 4
    assert floor.device() is None
    assert proofs_of_round(floor.table, KEYS) == ()
    floor.do(cmd.ExposeCards(hand=floor.table.round.cards[0].hand))  # type: ignore[union-attr]
    assert [proof.position for proof in proofs_of_round(floor.table, KEYS)] == [
        virtual_shoe.position_of(floor.table.shoe, place)  # type: ignore[arg-type]
        for place in (0, 2)
    ]


def test_a_card_that_is_not_the_sealed_one_gives_alarm_and_has_no_proof() -> None:
    floor = Floor(TIGER)
    floor.run_device()
    floor.do(cmd.OpenBetting())
    (sealed,) = virtual_shoe.next_cards(floor.table, KEYS, 1)
    assert virtual_shoe.look(floor.table, KEYS) is None
    other = next(card for card in NEW_DECK if card != sealed)
    floor.do(cmd.DrawCard(card=other))
    alarm = virtual_shoe.look(floor.table, KEYS)
    assert alarm == cmd.RaiseAlarm(kind=AlarmKind.NOT_THE_SEALED_CARD, card=other, other=sealed, number=0)
    assert proofs_of_round(floor.table, KEYS) == ()


def test_a_rank_without_its_suit_is_taken_for_the_sealed_card() -> None:
    floor = Floor(TIGER)
    floor.run_device()
    floor.do(cmd.OpenBetting())
    (sealed,) = virtual_shoe.next_cards(floor.table, KEYS, 1)
    floor.do(cmd.DrawCard(card=Card(sealed.rank)))
    assert virtual_shoe.look(floor.table, KEYS) is None


def test_the_first_card_is_the_one_at_the_cut_and_the_order_goes_round() -> None:
    floor = Floor(TIGER)
    floor.do(new_shoe(Label("Table", 1), decks=8, behind_cutting_card=16, keys=KEYS))
    order = virtual_shoe.contents_of(floor.table, KEYS).order
    floor.do(cmd.CutCards(depth=414), "Ann")
    assert virtual_shoe.next_cards(floor.table, KEYS, 4) == (order[414], order[415], order[0], order[1])
    assert Counter(order) == Counter(NEW_DECK * 8)


def test_another_process_with_the_same_keys_goes_on_where_the_first_one_stopped() -> None:
    floor = Floor(TIGER)
    floor.run_device()
    floor.do(cmd.OpenBetting())
    floor.do(cmd.CloseBetting())
    floor.do(floor.device() or cmd.OpenBetting(), "Table")
    again = msgspec.json.decode(msgspec.json.encode(floor.table), type=Table)
    book, house = floor.player.rulebook, floor.player.house
    assert next_command(book, house, again, KEYS) == floor.device()


def test_without_its_key_a_shoe_cannot_be_read_and_the_message_names_the_key() -> None:
    floor = Floor(TIGER)
    floor.run_device()
    other = KeyRing((new_keys(),))
    with pytest.raises(CannotOpen, match=f"sealed with the key {KEYS.key_id}"):
        virtual_shoe.open_up(floor.table, other)


def altered(table: Table, **changes: object) -> Table:
    assert table.shoe is not None
    assert table.shoe.seal is not None
    seal: Seal = replace(table.shoe.seal, **changes)
    return replace(table, shoe=replace(table.shoe, seal=seal))


def test_a_seal_opens_only_for_its_own_table_number_and_root() -> None:
    floor = Floor(TIGER)
    floor.run_device()
    table = floor.table
    assert table.shoe is not None
    assert table.shoe.seal is not None
    content = table.shoe.seal.content
    wrong = [
        replace(table, shoe=replace(table.shoe, number=2)),
        replace(table, setup=replace(table.setup, table="T2")),
        altered(table, root="00" * 32),
        altered(table, content="A" + content[1:] if content[0] != "A" else "B" + content[1:]),
        altered(table, content=content[:-4]),
        altered(table, content="?"),
        altered(table, cards=415),
    ]
    for each in wrong:
        with pytest.raises(CannotOpen):
            virtual_shoe.contents_of(each, KEYS)


def test_keys_that_were_renewed_still_open_older_shoes() -> None:
    old, new = new_keys(), new_keys()
    floor = Floor(TIGER)
    floor.do(new_shoe(Label("Table", 1), decks=8, behind_cutting_card=16, keys=KeyRing((old,))))
    assert len(virtual_shoe.contents_of(floor.table, KeyRing((old, new))).order) == 416


def test_the_same_random_bytes_give_the_same_shoe_and_no_others_do() -> None:
    def root(seed: int) -> str:
        chance = random.Random(seed)
        load = new_shoe(
            Label("T", 1), decks=8, behind_cutting_card=16, keys=KEYS, random_bytes=chance.randbytes
        )
        assert load.seal is not None
        return load.seal.root

    assert root(1) == root(1)
    assert len({root(seed) for seed in range(20)}) == 20


def test_the_cutting_card_lies_where_the_house_says() -> None:
    floor = Floor(TIGER)
    floor.run_device()
    assert floor.table.shoe is not None
    assert floor.table.shoe.seal is not None
    assert floor.table.shoe.seal.behind_cutting_card == 16  # marina-bay-sands.toml
    while floor.table.shoe.rounds_left is None:
        floor.do(cmd.OpenBetting())
        floor.do(cmd.CloseBetting())
        while (body := floor.device()) is not None and floor.table.shoe.rounds_left is None:
            left = floor.table.shoe.left
            assert (left == 16) == isinstance(body, cmd.SeeCuttingCard)
            floor.do(body, "Table")


def test_a_device_without_cards_lets_the_engine_notice() -> None:
    floor = Floor(TIGER)
    floor.run_device()
    shoe = floor.table.shoe
    assert shoe is not None
    floor.player.record(ev.CuttingCardSeen(first=False, rounds_left=9))
    floor.player.record(ev.CardsBurned(cards=shoe.left - 2))
    floor.round()
    assert floor.table.case is not None
    assert floor.table.case.situation is Situation.TOO_FEW_CARDS
    assert floor.device() is None


def test_the_device_waits_while_the_table_is_paused_or_takes_wagers_or_patrons_choose() -> None:
    floor = Floor(TIGER)
    floor.run_device()
    assert floor.table.phase is Phase.IDLE
    floor.do(cmd.PauseTable(reason="a drink"))
    assert floor.device() is None
    floor.do(cmd.ResumeTable())
    floor.do(cmd.OpenBetting())
    assert floor.device() is None
    floor.do(cmd.CloseBetting())
    assert isinstance(floor.device(), cmd.DrawCard)
    floor.run_device()
    floor.player.record(ev.CardReplacementDue(need="patrons-choose"))
    assert floor.device() is None


def test_a_shoe_of_real_cards_is_none_of_the_devices_business_until_it_is_over() -> None:
    floor = Floor(TIGER, shoe=False)
    assert floor.device() is None
    floor.player.record(ev.ShoeEnded())
    assert isinstance(floor.device(), cmd.LoadShoe)


def test_cards_that_must_be_replaced_are_laid_open_before_new_ones_come() -> None:
    floor = Floor(HOIANA)
    floor.run_device()
    floor.do(cmd.ReportIrregularity(situation=Situation.NOT_COVERED, note="a lamp"))
    assert floor.device() is None  # a post decides first
    post = "Assistant Director of Gaming Operations"
    floor.do(cmd.Rule(choice="replace-cards", text="the display was left open"), post)
    assert kinds(floor.run_device()) == ["OpenShoe", "LoadShoe", "CutCards", "BurnCards"]
    (opened,) = opened_shoes(floor.player.events)
    assert check(opened) == ()


def test_an_aborted_shoe_is_laid_open_by_the_post_that_decides_on_new_cards() -> None:
    floor = Floor(TIGER)
    floor.run_device()
    floor.round()
    body = virtual_shoe.open_up(floor.table, KEYS)
    assert isinstance(floor.player.do(body, "Table"), Refused)
    floor.do(body, "Pit Manager")
    (opened,) = opened_shoes(floor.player.events)
    assert check(opened) == ()
    assert kinds(floor.run_device()) == ["LoadShoe", "CutCards"]


def test_a_card_that_was_set_aside_is_the_third_card() -> None:
    floor = Floor(TIGER, automatic=(), method=Method.A)
    floor.run_device()
    floor.do(cmd.OpenBetting())
    floor.do(cmd.CloseBetting())
    for card in ("2S", "3S", "KS", "KH"):
        floor.do(cmd.DrawCard(card=parse_card(card)))
    for hand in Hand:
        floor.do(cmd.ExposeCards(hand=hand))
    set_aside = virtual_shoe.next_cards(floor.table, KEYS, 2)
    aside = replace(floor.table, reserved=set_aside)
    assert virtual_shoe.draw(aside, KEYS) == cmd.DrawCard(card=set_aside[0])


def test_a_patron_who_controls_the_device_draws_in_their_own_name() -> None:
    floor = Floor(TIGER, area=Area.HIGH_LIMIT, method=Method.C)
    floor.run_device()
    floor.do(cmd.OpenBetting())
    assert virtual_shoe.drawer(floor.table) == "Table"
    floor.do(cmd.PlaceWager(patron="Ann", wager="player", amount=10_000, position=1), "Ann")
    floor.do(cmd.TakeDevice(patron="Ann"), "Ann")
    assert virtual_shoe.drawer(floor.table) == "Ann"
    floor.do(cmd.CloseBetting())
    floor.do(floor.device() or cmd.OpenBetting(), virtual_shoe.drawer(floor.table))


def test_a_card_drawn_in_error_comes_first_and_then_the_shoe() -> None:
    floor = Floor(HOIANA, automatic=(Automatic.EXPOSE,))
    floor.run_device()
    (known,) = virtual_shoe.next_cards(floor.table, KEYS, 1)
    by = (Clause("7.5"),)
    floor.player.record(ev.StrayCardsKept(cards=(known,), clauses=by))
    assert floor.table.shoe is not None
    floor.player.record(ev.FreeHandDue(places=floor.table.shoe.places.strays, clauses=by))
    following = virtual_shoe.next_cards(floor.table, KEYS, 3)
    floor.do(cmd.DealFreeHand())
    floor.run_device()
    assert floor.table.round is not None
    assert [each.card for each in floor.table.round.cards[:4]] == [known, *following]
    assert virtual_shoe.look(floor.table, KEYS) is None
