"""The virtual shoe: shuffled, sealed before the first wager, dealt card by card, and laid open at its end.

It remembers nothing: what comes next follows from the table and the keys, in any process that has both.
"""

import base64
import binascii
import secrets

from msgspec import Struct

from thirdcard.cards import NEW_DECK, Card
from thirdcard.devices.shuffle import RandomBytes, below, shuffled
from thirdcard.game import commands as cmd
from thirdcard.game.alarm_kinds import AlarmKind
from thirdcard.game.burning import is_burn_owed
from thirdcard.game.card_sources import RESERVE
from thirdcard.game.case_cards import are_cards_out
from thirdcard.game.next_cards import source_of
from thirdcard.game.places import next_place
from thirdcard.game.shoe import Seal, Shoe
from thirdcard.game.shoe_loading import is_to_close
from thirdcard.game.state import CardState, Phase, Table
from thirdcard.journal.keys import KeyRing, Sealed
from thirdcard.journal.sealed_shoe import SECRET, Contents, root_of_shoe
from thirdcard.rulebook.book import Rulebook
from thirdcard.rulebook.house import House
from thirdcard.rulebook.irregularity import Method

FORMAT = "thirdcard shoe 1"
CODES = {card: code for code, card in enumerate(NEW_DECK)}


class CannotOpen(Exception):
    """A sealed shoe cannot be read: its key is missing, or it was altered."""


class Label(Struct, frozen=True):
    """The identity of a shoe, which a seal is bound to besides its root."""

    table: str
    number: int


def new_shoe(
    label: Label,
    *,
    decks: int,
    behind_cutting_card: int,
    keys: KeyRing,
    random_bytes: RandomBytes = secrets.token_bytes,
) -> cmd.LoadShoe:
    """The command that loads a new shoe: shuffled and sealed, its order readable with the keys alone."""
    order = shuffled(NEW_DECK * decks, random_bytes)
    contents = Contents(order, random_bytes(SECRET))
    root = root_of_shoe(contents)
    plain = contents.secret + bytes(CODES[card] for card in order)
    hidden = keys.encrypt(plain, bound_to=_binding(label, root))
    seal = Seal(
        root=root,
        cards=len(order),
        behind_cutting_card=behind_cutting_card,
        key_id=hidden.key_id,
        content=base64.b64encode(hidden.content).decode(),
    )
    return cmd.LoadShoe(decks=decks, seal=seal)


def contents_of(table: Table, keys: KeyRing) -> Contents:
    """Return the contents of the sealed shoe of a table, for the device alone."""
    seal = _seal(table)
    assert table.shoe is not None
    label = Label(table.setup.table, table.shoe.number)
    plain = _decrypted(seal, label, keys)
    if plain is None:
        raise CannotOpen(
            f"shoe {label.number} of {label.table} cannot be read with the keys at hand; it was sealed with"
            f" the key {seal.key_id}: start with the key file of this floor"
        )
    return Contents(tuple(NEW_DECK[code] for code in plain[SECRET:]), plain[:SECRET])


def next_command(
    rulebook: Rulebook,
    house: House,
    table: Table,
    keys: KeyRing,
    *,
    behind_cutting_card: int | None = None,
) -> cmd.Body | None:
    """Return the next command of an automatic table's device, or nothing while it is somebody else's turn.

    As many cards lie behind the cutting card as the table has it, else as the house has it.
    """
    if table.case is not None or table.paused:
        return None
    if table.phase is Phase.IDLE:
        behind = behind_cutting_card or house.form.settings.cards_behind_cutting_card
        return _between_rounds(rulebook, house, table, keys, behind)
    if table.phase is Phase.CLOSED and table.shoe is not None and _is_to_be_cut(table.shoe):
        return cut(table)
    owed = rulebook.document.burn is not None and is_burn_owed(table)
    if table.phase in (Phase.CLOSED, Phase.DEALING) and owed and not are_cards_out(table):
        return _burn(house, table, keys)
    if table.phase in (Phase.CLOSED, Phase.DEALING) and not _waits_for_opening(table):
        return draw(table, keys)
    return None


def _is_to_be_cut(shoe: Shoe) -> bool:
    """Whether a sealed shoe was loaded while wagers lay, so that it is cut before its first card."""
    return shoe.seal is not None and shoe.cut_depth is None and not shoe.places.faces


def draw(table: Table, keys: KeyRing) -> cmd.DrawCard | cmd.SeeCuttingCard:
    """The next card, or the cutting card before it; where no card is left, a card that nobody sees."""
    source, shoe = source_of(table), table.shoe
    assert shoe is not None
    if source is not None:
        return cmd.DrawCard(card=(table.reserved if source == RESERVE else table.strays)[0])
    seal = _seal(table)
    if shoe.rounds_left is None and next_place(shoe) >= seal.cards - seal.behind_cutting_card:
        return cmd.SeeCuttingCard()
    cards = next_cards(table, keys, 1)
    return cmd.DrawCard(card=cards[0] if cards else None)


def next_cards(table: Table, keys: KeyRing, count: int) -> tuple[Card, ...]:
    """The next cards in the shoe; fewer where it ends."""
    order, shoe = contents_of(table, keys).order, table.shoe
    assert shoe is not None
    places = shoe.places
    coming = (*places.back, *range(len(places.faces), len(order)))[:count]
    return tuple(order[position_of(shoe, place)] for place in coming)


def cut(table: Table, random_bytes: RandomBytes = secrets.token_bytes) -> cmd.CutCards:
    """A cut by nobody: where no patron cuts, the operating system's generator does."""
    return cmd.CutCards(depth=1 + below(_seal(table).cards - 1, random_bytes))


def open_up(table: Table, keys: KeyRing) -> cmd.OpenShoe:
    """The command that lays the shoe open."""
    contents = contents_of(table, keys)
    return cmd.OpenShoe(order=contents.order, secret=contents.secret.hex())


def drawer(table: Table) -> str:
    """In whose name the device draws: the patron's who controls it, or else the table's own."""
    if table.method is Method.C and table.device_holder is not None:
        return table.device_holder
    return table.setup.table


def position_of(shoe: Shoe, place: int) -> int:
    """The position in the sealed order of the card at a place after the cut."""
    assert shoe.seal is not None
    return ((shoe.cut_depth or 0) + place) % shoe.seal.cards


def look(table: Table, keys: KeyRing) -> cmd.RaiseAlarm | None:
    """The alarm due where a card was entered that is not the one that was sealed at its place."""
    shoe = table.shoe
    assert shoe is not None
    order = contents_of(table, keys).order
    for place, face in enumerate(shoe.places.faces):
        sealed = order[position_of(shoe, place)]
        if face not in (None, sealed, Card(sealed.rank)):
            kind = AlarmKind.NOT_THE_SEALED_CARD
            return cmd.RaiseAlarm(kind=kind, card=face, other=sealed, number=place)
    return None


def _between_rounds(
    rulebook: Rulebook, house: House, table: Table, keys: KeyRing, behind: int
) -> cmd.Body | None:
    shoe = table.shoe
    used_up = shoe is not None and shoe.left == 0 and not table.strays
    played_out = shoe is not None and shoe.rounds_left == 0 and table.free_hand_by is None
    over = shoe is None or shoe.new_cards_due or played_out or used_up or is_to_close(table)
    if shoe is not None and shoe.seal is not None and over and not shoe.opened:
        return open_up(table, keys)
    if shoe is None or over:
        label = Label(table.setup.table, table.shoes + 1)
        return new_shoe(label, decks=table.decks_to_load, behind_cutting_card=behind, keys=keys)
    if shoe.seal is None or shoe.patrons_choose or shoe.doubted_by is not None:
        return None
    if shoe.cut_depth is None:
        return cut(table)
    left_out = shoe.burned is None and not shoe.rounds
    if rulebook.document.burn and (left_out or is_burn_owed(table)):
        return _burn(house, table, keys)
    return None


def _burn(house: House, table: Table, keys: KeyRing) -> cmd.BurnCards:
    return cmd.BurnCards(first=next_cards(table, keys, 1)[0] if house.burns_by_first_card else None)


def _waits_for_opening(table: Table) -> bool:
    """Whether cards lie face down that must be opened before another is drawn."""
    cards = table.round.cards if table.phase is Phase.DEALING and table.round else ()
    return len(cards) >= 4 and any(each.state is not CardState.EXPOSED for each in cards)


def _seal(table: Table) -> Seal:
    assert table.shoe is not None
    assert table.shoe.seal is not None
    return table.shoe.seal


def _decrypted(seal: Seal, label: Label, keys: KeyRing) -> bytes | None:
    try:
        content = base64.b64decode(seal.content, validate=True)
    except binascii.Error:
        return None
    plain = keys.decrypt(Sealed(seal.key_id, content), bound_to=_binding(label, seal.root))
    whole = plain is not None and len(plain) == SECRET + seal.cards
    return plain if whole else None


def _binding(label: Label, root: str) -> bytes:
    return f"{FORMAT}\n{label.table}\n{label.number}\n{root}".encode()
