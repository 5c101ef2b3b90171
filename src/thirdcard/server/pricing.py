"""Exact odds over HTTP; counts are texts, since from nine decks on they pass what JSON readers keep."""

import asyncio

from thirdcard.cards import Rank
from thirdcard.odds.arguments import CannotPrice, asked_game, asked_pair_rule, asked_shoe
from thirdcard.odds.price import prices
from thirdcard.refusals import Refusal, Refused, refuse
from thirdcard.server.context import ServerContext
from thirdcard.server.http import Call
from thirdcard.wire.answers import OddsAnswer, PayRowOdds, WagerPriced


async def odds(context: ServerContext, call: Call) -> OddsAnswer | Refused:
    """The exact odds of every wager of a game, for a whole shoe or for the cards that remain."""
    decks, remaining = call.query.get("decks"), call.query.get("remaining")
    game, shelf = call.query.get("game", ""), context.where.shelf
    try:
        rulebook = asked_game(game, shelf)
        shoe = asked_shoe(call.number("decks", 0) if decks is not None else None, remaining)
        rule = asked_pair_rule(rulebook, shelf.house_of(rulebook), ())
    except CannotPrice as error:
        return refuse(Refusal.CANNOT_PRICE, problem=str(error))
    priced = await asyncio.to_thread(prices, rulebook, shoe, rule)
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
