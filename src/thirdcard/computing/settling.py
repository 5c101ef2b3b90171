"""Settles one hand from typed cards and stakes."""

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any

import msgspec
from msgspec import Struct

from thirdcard.cards import Card, parse_card
from thirdcard.computing.bad_input import BadInput
from thirdcard.computing.results import Computed, amount_column, count_column, text_column
from thirdcard.dossier.sheets import Cell, SheetColumn
from thirdcard.game.outcome import play_out
from thirdcard.game.settlement import Settlement, WagerResult
from thirdcard.game.settlement import settle as settle_outcome
from thirdcard.messages import message, say
from thirdcard.money import format_amount, parse_balance
from thirdcard.refusals import Refused
from thirdcard.rulebook.book import Rulebook
from thirdcard.rulebook.house import House

Stakes = Mapping[str, str | int | Decimal]


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


class Settled(Computed, frozen=True):
    """A settled hand: both hands, the outcome, and every wager with its commission and clauses."""

    game: str
    player: SettledHand
    banker: SettledHand
    outcome: str
    natural: bool
    wagers: dict[str, SettledStake]

    @property
    def title(self) -> str:
        """The game with both totals."""
        return f"{self.game}: {self.outcome} {self.player.total}-{self.banker.total}"

    @property
    def columns(self) -> tuple[SheetColumn, ...]:
        """A column for each part of a settled wager."""
        return _columns()

    @property
    def rows(self) -> Sequence[tuple[Cell, ...]]:
        """A row for each wager."""
        return [
            (
                wager,
                Decimal(each.stake),
                each.result,
                each.odds or "",
                Decimal(each.paid),
                Decimal(each.commission),
                Decimal(each.net),
                ", ".join(each.clauses),
            )
            for wager, each in self.wagers.items()
        ]

    def to_dict(self) -> dict[str, Any]:
        """Return the settled hand as the command line prints it with ``--json``."""
        settled: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(self))
        return settled


class SettledHands(Computed, frozen=True):
    """Settled hands, one after the other."""

    game: str
    hands: tuple[Settled, ...]

    @property
    def title(self) -> str:
        """The game with the number of hands."""
        return f"{self.game}: {len(self.hands)}"

    @property
    def columns(self) -> tuple[SheetColumn, ...]:
        """The hand and its cards before each part of a settled wager."""
        return (
            count_column("hand", "computing.hand"),
            text_column("player", "hand.player"),
            text_column("banker", "hand.banker"),
            text_column("outcome", "computing.outcome"),
            *_columns(),
        )

    @property
    def rows(self) -> Sequence[tuple[Cell, ...]]:
        """A row for each wager of each hand."""
        return [
            (number, " ".join(hand.player.cards), " ".join(hand.banker.cards), hand.outcome, *row)
            for number, hand in enumerate(self.hands, start=1)
            for row in hand.rows
        ]

    def to_dict(self) -> dict[str, Any]:
        """Return the hands in order."""
        return {"game": self.game, "hands": [hand.to_dict() for hand in self.hands]}

    def to_json(self) -> str:
        """Return JSON with a hand on each line."""
        return "\n".join(hand.to_json() for hand in self.hands)


def _columns() -> tuple[SheetColumn, ...]:
    return (
        text_column("wager", "settle.wager"),
        amount_column("stake", "settle.stake"),
        text_column("result", "settle.result"),
        text_column("odds", "settle.odds"),
        amount_column("paid", "settle.paid"),
        amount_column("commission", "settle.commission"),
        amount_column("net", "settle.net"),
        text_column("clauses", "settle.clause"),
    )


def parse_cards(cards: str | Sequence[str]) -> tuple[Card, ...]:
    """Cards from a text with spaces or commas, or from a list."""
    texts = cards.replace(",", " ").split() if isinstance(cards, str) else cards
    parsed: list[Card] = []
    for place, text in enumerate(texts, start=1):
        card = parse_card(text)
        if card is None:
            raise BadInput(say(message("settle.no-such-card", place=place, card=text)))
        parsed.append(card)
    return tuple(parsed)


def settle_cards(rulebook: Rulebook, house: House, cards: tuple[Card, ...], wagers: Stakes) -> Settlement:
    """Wagers by id and stake, settled on the outcome of the cards."""
    outcome = play_out(rulebook, cards, rulebook.pair_rule(house))
    if isinstance(outcome, Refused):
        raise BadInput(_refusal(outcome))
    stakes = tuple((wager, _stake(house, wager, stake)) for wager, stake in wagers.items())
    settlement = settle_outcome(rulebook, house, outcome, stakes)
    if isinstance(settlement, Refused):
        raise BadInput(_refusal(settlement))
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


def _stake(house: House, wager: str, stake: str | int | Decimal) -> int:
    minor = parse_balance(str(stake), house.currency)
    if minor is None:
        unit = format_amount(house.unit, house.currency)
        raise BadInput(say(message("settle.no-such-stake", wager=wager, stake=str(stake), unit=unit)))
    return minor


def _refusal(refused: Refused) -> str:
    clauses = f" ({', '.join(refused.clauses)})" if refused.clauses else ""
    return say(refused.message) + clauses
