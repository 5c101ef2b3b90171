"""``thirdcard bot``: a bot that plays a terminal of a running server."""

import asyncio
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter
from cyclopts.validators import Number

from thirdcard.cli.arguments import Flag
from thirdcard.cli.output import BadInput, print_json
from thirdcard.money import Currency, format_amount
from thirdcard.rulebook.words import text

if TYPE_CHECKING:
    from thirdcard.client.bot import BotResult, StaffTask

Json = Flag
STAFF_WITHIN = 600.0  # seconds


def bot(
    terminal: str | None = None,
    *,
    url: str = "http://127.0.0.1:8333",
    code: str | None = None,
    name: str = "Bot",
    rounds: int = 10,
    seed: int = 1,
    wait: Annotated[float, Parameter(validator=Number(gt=0))] = STAFF_WITHIN,
    json: Json = False,
) -> None:
    """Play a terminal of a running server: sit down, buy credits, wager at random, cash out, leave.

    Where money is real, the bot waits until the terminal is enabled, the session of a patron is open and an
    attendant has sold credits. It plays as long as they last, and waits until what is left is cashed out.

    Parameters
    ----------
    terminal
        A terminal of the demonstration floor, such as tiger-1.
    url
        The address of the server.
    code
        The code of a terminal that was enrolled, instead of the name of one.
    name
        The name under which to sit down, where no attendant opens the session.
    rounds
        How many rounds to play.
    seed
        The dice: the same ones place the same wagers.
    wait
        How many seconds to wait each time for people of the floor.
    json
        Print what was played as JSON.
    """
    if (terminal is None) == (code is None):
        raise BadInput(text("bot.which-terminal"))
    if rounds < 1:
        raise BadInput(text("bot.rounds"))
    try:
        from thirdcard.client.bot import (  # noqa: PLC0415 - an extra that may not be there
            BotPlan,
            NobodyCame,
            play_terminal,
        )
        from thirdcard.client.errors import Trouble  # noqa: PLC0415
    except ImportError as error:
        raise BadInput(text("bot.needs-client")) from error
    plan = BotPlan(patron=name, rounds=rounds, seed=seed, staff_within=wait)
    told, waits = (None, None) if json else (_tell, _tell_waiting)
    try:
        played = asyncio.run(play_terminal(url, plan, terminal=terminal, code=code, told=told, waits=waits))
    except NobodyCame as error:
        key = f"bot.nobody-{error.task.value}"
        raise BadInput(text(key, terminal=error.terminal, seconds=f"{wait:g}")) from error
    except (Trouble, TimeoutError) as error:
        raise BadInput(text("bot.cannot-play", problem=str(error) or type(error).__name__)) from error
    if json:
        print_json(played)
        return
    _tell_end(played)


def _tell_end(played: "BotResult") -> None:
    numbers = {"rounds": played.rounds, "wagers": played.wagers, "refused": sum(played.refused.values())}
    print(text("bot.played", patron=played.patron, table=played.table, **numbers))
    print(text(f"bot.{played.ended.value}"))
    if played.currency is not None:
        amounts = {"began": played.began_with, "left": played.left_with}
        spoken = {name: _spoken(amount, played.currency) for name, amount in amounts.items()}
        print(text("bot.credits", **spoken))


def _spoken(amount: int, currency: Currency) -> str:
    return f"{currency.code} {format_amount(amount, currency)}"


def _tell_waiting(task: "StaffTask", terminal: str) -> None:
    print(text(f"bot.waits-{task.value}", terminal=terminal), flush=True)


def _tell(played: "BotResult") -> None:
    print(text("bot.round", number=played.rounds, wagers=played.wagers), flush=True)
