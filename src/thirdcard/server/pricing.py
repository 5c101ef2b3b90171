"""Exact odds over HTTP; counts are texts, since from nine decks on they pass what JSON readers keep."""

from msgspec import Struct

from thirdcard.cards import Rank
from thirdcard.odds.asked import CannotPrice, asked_game, asked_pair_rule, asked_shoe
from thirdcard.odds.price import prices
from thirdcard.refusals import Refusal, Refused, refuse
from thirdcard.rulebook.shelf import shelf_house
from thirdcard.server.http import Call
from thirdcard.server.premises import Premises


class PayRowOdds(Struct, frozen=True):
    """How often a row pays: its odds, ordered draws, and their share."""

    odds: str
    count: str
    probability: float


class WagerPriced(Struct, frozen=True, kw_only=True):
    """A wager: its rows, and what the house keeps of a unit staked, exactly and as a number."""

    rows: tuple[PayRowOdds, ...]
    stood_off: str
    lost: str
    edge: str
    edge_percent: float
    sd: float


class OddsAnswer(Struct, frozen=True, kw_only=True):
    """The exact odds of every wager; ``total`` are ordered draws, ``void`` those that cannot be completed."""

    game: str
    cards: dict[str, int]
    total: str
    void: str
    wagers: dict[str, WagerPriced]


async def odds(premises: Premises, call: Call) -> OddsAnswer | Refused:  # noqa: ARG001
    """The exact odds of every wager of a game, for a whole shoe or for the cards that remain."""
    decks, remaining = call.query.get("decks"), call.query.get("remaining")
    game = call.query.get("game", "")
    try:
        rulebook = asked_game(game)
        shoe = asked_shoe(call.number("decks", 0) if decks is not None else None, remaining)
        rule = asked_pair_rule(rulebook, shelf_house(rulebook.document.house), ())
    except CannotPrice as error:
        return refuse(Refusal.CANNOT_PRICE, problem=str(error))
    priced = prices(rulebook, shoe, rule)
    return OddsAnswer(
        game=game,
        cards={rank.text: shoe.left[rank - 1] for rank in Rank},
        total=str(priced.total),
        void=str(priced.void),
        wagers={
            each.wager: WagerPriced(
                rows=tuple(
                    PayRowOdds(row.odds.text, str(row.count), row.count / priced.total) for row in each.rows
                ),
                stood_off=str(each.stood_off),
                lost=str(each.lost),
                edge=f"{each.edge.numerator}/{each.edge.denominator}",
                edge_percent=float(each.edge * 100),
                sd=each.deviation,
            )
            for each in priced.wagers
        },
    )
