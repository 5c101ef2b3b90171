"""Settles one hand from typed cards and stakes: the front door for scripts, and for the command line."""

from msgspec import Struct

from thirdcard.cards import Card, parse_card
from thirdcard.game.outcome import play_out
from thirdcard.game.settlement import Settlement, WagerResult
from thirdcard.game.settlement import settle as settle_outcome
from thirdcard.messages import message, say
from thirdcard.money import format_amount, parse_balance
from thirdcard.refusals import Refused
from thirdcard.rulebook.book import Rulebook
from thirdcard.rulebook.house import House
from thirdcard.rulebook.shelf import SHIPPED, Shelf, UnknownGame


class CannotSettle(Exception):
    """Why nothing was settled: where, what, and what to do."""


class SettledHand(Struct, frozen=True):
    """A hand as it ended."""

    cards: tuple[str, ...]
    total: int


class SettledStake(Struct, frozen=True):
    """A wager as it was settled; amounts are decimal strings, and what is paid is without the commission."""

    stake: str
    result: str
    odds: str | None
    paid: str
    commission: str
    net: str
    clauses: tuple[str, ...]


class Settled(Struct, frozen=True):
    """A settled hand in the words of the command line's JSON."""

    game: str
    player: SettledHand
    banker: SettledHand
    outcome: str
    natural: bool
    wagers: dict[str, SettledStake]


def settle(
    game: str, cards: str | list[str], wagers: dict[str, str | int], shelf: Shelf = SHIPPED
) -> Settled:
    """Settle wagers on cards in draw order (P1 B1 P2 B2, then third cards).

    >>> settle("mbs-tiger-v3", "10 A K 2 5 3", {"banker": "333"}).wagers["banker"].paid
    '316.35'
    """
    rulebook = rulebook_of(game, shelf)
    house = shelf.house_of(rulebook)
    return describe(settle_cards(rulebook, house, parse_cards(cards), wagers), house)


def rulebook_of(game: str, shelf: Shelf = SHIPPED) -> Rulebook:
    """The rulebook of a game, or a clear word about the ids that exist."""
    try:
        return shelf.rulebook(game)
    except UnknownGame as error:
        raise CannotSettle(str(error)) from error


def parse_cards(cards: str | list[str]) -> tuple[Card, ...]:
    """Cards from a text with spaces or commas, or from a list."""
    texts = cards.replace(",", " ").split() if isinstance(cards, str) else cards
    parsed: list[Card] = []
    for place, text in enumerate(texts, start=1):
        card = parse_card(text)
        if card is None:
            raise CannotSettle(say(message("settle.no-such-card", place=place, card=text)))
        parsed.append(card)
    return tuple(parsed)


def settle_cards(
    rulebook: Rulebook, house: House, cards: tuple[Card, ...], wagers: dict[str, str | int]
) -> Settlement:
    """Wagers by id and stake, settled on the outcome of the cards."""
    outcome = play_out(rulebook, cards, rulebook.pair_rule(house))
    if isinstance(outcome, Refused):
        raise CannotSettle(_refusal(outcome))
    stakes = tuple((wager, _stake(house, wager, stake)) for wager, stake in wagers.items())
    settlement = settle_outcome(rulebook, house, outcome, stakes)
    if isinstance(settlement, Refused):
        raise CannotSettle(_refusal(settlement))
    return settlement


def describe(settlement: Settlement, house: House) -> Settled:
    """A settlement in decimal strings and printed odds."""
    outcome = settlement.outcome
    return Settled(
        game=settlement.rulebook,
        player=SettledHand(tuple(card.text for card in outcome.player), outcome.facts.player_total),
        banker=SettledHand(tuple(card.text for card in outcome.banker), outcome.facts.banker_total),
        outcome=outcome.facts.winner.value,
        natural=outcome.natural,
        wagers={result.wager: _describe_wager(result, house) for result in settlement.wagers},
    )


def _describe_wager(result: WagerResult, house: House) -> SettledStake:
    return SettledStake(
        stake=format_amount(result.stake, house.currency),
        result=result.result.value,
        odds=result.odds.text if result.odds else None,
        paid=format_amount(result.paid, house.currency),
        commission=format_amount(result.commission, house.currency),
        net=format_amount(result.net, house.currency),
        clauses=tuple(result.clauses),
    )


def _stake(house: House, wager: str, stake: str | int) -> int:
    minor = parse_balance(str(stake), house.currency)
    if minor is None:
        unit = format_amount(house.unit, house.currency)
        raise CannotSettle(say(message("settle.no-such-stake", wager=wager, stake=stake, unit=unit)))
    return minor


def _refusal(refused: Refused) -> str:
    clauses = f" ({', '.join(refused.clauses)})" if refused.clauses else ""
    return say(refused.message) + clauses
