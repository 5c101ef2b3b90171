"""``thirdcard demo``: one round from a shuffled shoe, so that a stranger sees what the rules do."""

import secrets

from thirdcard.cards import Card, Rank, Suit
from thirdcard.cli.arguments import Flag, OwnShelf
from thirdcard.cli.output import console
from thirdcard.cli.settle import print_settlement
from thirdcard.computing import settling
from thirdcard.computing.games import find_game
from thirdcard.game.outcome import play_out
from thirdcard.game.settlement import Settlement
from thirdcard.game.settlement import settle as settle_outcome
from thirdcard.messages import message, say
from thirdcard.money import format_amount
from thirdcard.refusals import Refused
from thirdcard.rulebook.book import Kind, Rulebook
from thirdcard.rulebook.house import House
from thirdcard.rulebook.shelf import SHIPPED


def demo(game: str = "mbs-tiger-v3", *, shelf: OwnShelf = SHIPPED, json: Flag = False) -> None:
    """Play a demonstration round: every wager of the game on a shuffled shoe.

    Parameters
    ----------
    game
        The id of a game, as `thirdcard rules list` prints it.
    json
        Print JSON.
    """
    rulebook = find_game(game, shelf)
    house = shelf.house_of(rulebook)
    settlement = _round(rulebook, house, _shuffled(rulebook.document.decks.usual))
    if json:
        print(settling.describe(settlement, house).to_json())
        return
    out = console()
    out.print(rulebook.name)
    out.print(say(message(rulebook.document.round.opening.calls[0])) + ".")
    out.print(_wagers(settlement, house))
    out.print(say(message(rulebook.document.round.closing.calls[0])) + ".")
    print_settlement(settlement, house)


def _round(rulebook: Rulebook, house: House, shoe: list[Card]) -> Settlement:
    """A round from the top of a shoe: cards are drawn until the table of play wants no more."""
    for cards in range(4, 7):
        outcome = play_out(rulebook, tuple(shoe[:cards]), rulebook.pair_rule(house))
        if not isinstance(outcome, Refused):
            break
    assert not isinstance(outcome, Refused)
    settlement = settle_outcome(rulebook, house, outcome, _stakes(rulebook, house))
    assert not isinstance(settlement, Refused)
    return settlement


def _stakes(rulebook: Rulebook, house: House) -> tuple[tuple[str, int], ...]:
    hundred = 10**house.currency.exponent * 100
    return tuple(
        (wager.id, hundred if wager.kind is Kind.MAIN else hundred // 10)
        for wager in rulebook.wagers.values()
    )


def _wagers(settlement: Settlement, house: House) -> str:
    """Return the line about the wagers on the table when betting is closed."""
    stakes = (f"{each.wager} {format_amount(each.stake, house.currency)}" for each in settlement.wagers)
    return say(message("cli.demo-wagers", currency=house.currency.code, wagers=", ".join(stakes)))


def _shuffled(decks: int) -> list[Card]:
    shoe = [Card(rank, suit) for rank in Rank for suit in Suit] * decks
    secrets.SystemRandom().shuffle(shoe)
    return shoe
