"""``thirdcard bot``: a bot that plays a terminal of a running server."""

import asyncio
from typing import TYPE_CHECKING

from thirdcard.cli.arguments import Flag
from thirdcard.cli.output import BadInput, print_json
from thirdcard.rulebook.words import text

if TYPE_CHECKING:
    from thirdcard.client.bot import BotResult

Json = Flag


def bot(
    terminal: str | None = None,
    *,
    url: str = "http://127.0.0.1:8333",
    code: str | None = None,
    name: str = "Bot",
    rounds: int = 10,
    seed: int = 1,
    json: Json = False,
) -> None:
    """Play a terminal of a running server: sit down, buy credits, wager at random, cash out, leave.

    Parameters
    ----------
    terminal
        A terminal of the demonstration floor, such as tiger-1.
    url
        The address of the server.
    code
        The code of a terminal that was enrolled, instead of the name of one.
    name
        The name under which to sit down.
    rounds
        How many rounds to play.
    seed
        The dice: the same ones place the same wagers.
    json
        Print what was played as JSON.
    """
    if (terminal is None) == (code is None):
        raise BadInput(text("bot.which-terminal"))
    if rounds < 1:
        raise BadInput(text("bot.rounds"))
    try:
        from thirdcard.client.bot import BotPlan, play_terminal  # noqa: PLC0415 - an extra that may not be there
        from thirdcard.client.errors import Trouble  # noqa: PLC0415
    except ImportError as error:
        raise BadInput(text("bot.needs-client")) from error
    plan = BotPlan(patron=name, rounds=rounds, seed=seed)
    try:
        played = asyncio.run(
            play_terminal(url, plan, terminal=terminal, code=code, told=None if json else _tell)
        )
    except (Trouble, TimeoutError) as error:
        raise BadInput(text("bot.cannot-play", problem=str(error) or type(error).__name__)) from error
    if json:
        print_json(played)
        return
    numbers = {"rounds": played.rounds, "wagers": played.wagers, "refused": sum(played.refused.values())}
    print(text("bot.played", patron=played.patron, table=played.table, **numbers))


def _tell(played: "BotResult") -> None:
    print(text("bot.round", number=played.rounds, wagers=played.wagers), flush=True)
