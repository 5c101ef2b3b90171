"""The page about controls: every command by every post in every phase, alone, and the exceptions."""

import functools

from machines.commands import KINDS
from machines.dice import SeededDice
from machines.fraud import (
    GAMES,
    NEXT_HAND,
    PHASES,
    Gain,
    everybody,
    judged,
    made_up,
    one_does,
    post_of,
    stage,
    tag,
)
from msgspec import Struct

from thirdcard.rulebook.shelf import SHIPPED

BODIES = 3  # made-up commands of each kind in each phase
LETTERS = dict(zip(PHASES, "nibcdosrp", strict=True))


class KnownGain(Struct, frozen=True):
    """A way in which one person can give a confederate something, and by which clause or procedure."""

    command: str
    grounds: tuple[str, ...]
    why: str


EXCEPTIONS = (
    KnownGain(
        "rule",
        ("6.1", "7.20"),
        "The post that the clause names decides alone what no rule covers. It is an alert until somebody "
        "else acknowledges it.",
    ),
    KnownGain(
        "buy-credits",
        ("house: buy-in",),
        "Staff sell credits up to the amount of the house file, counted with all that nobody else has "
        "acknowledged. Each sale is an alert.",
    ),
    KnownGain(
        "buy-chips",
        ("house: buy-in",),
        "The Dealer takes cash for chips up to the same amount. Each sale is an alert, and two people who "
        "are not of the table count the cash.",
    ),
)


class Cells(Struct, frozen=True):
    """The phases in which a command of a post was accepted, by command and post, and the gains."""

    accepted: dict[tuple[str, str], str]
    gains: tuple[Gain, ...]


@functools.cache
def cells(game: str, number: int) -> Cells:
    """Try so many made-up commands of every kind by every post alone in every phase."""
    accepted: dict[tuple[str, str], str] = {}
    gains: list[Gain] = []
    for phase in PHASES:
        at = stage(game, phase)
        for place, kind in enumerate(KINDS):
            dice = SeededDice(place)
            bodies = [made_up(at, dice, kind) for _ in range(0 if kind in NEXT_HAND else number)]
            for actor in everybody(game):
                key = (tag(kind), post_of(actor))
                for body in bodies:
                    done = one_does(at, actor, [body])
                    if done and LETTERS[phase] not in accepted.get(key, ""):
                        accepted[key] = accepted.get(key, "") + LETTERS[phase]
                    gains += judged(at, actor, done)
    return Cells(accepted, tuple(gains))


def controls_page() -> str:
    """The page as it is written to docs/controls.md."""
    lines = [*_controls(), *_exceptions()]
    for game in GAMES:
        lines += _matrix(game)
    return "\n".join(lines) + "\n"


def _controls() -> list[str]:
    lines = [
        "# Controls of money",
        "",
        "Nobody alone moves money outside a round, but for the exceptions below. The house file says what",
        "needs a second person (`[[control]]`): the post of one of the two, the amount up to which one acts",
        "alone, whether a reason is given, and whether the patron confirms it at the terminal. Where a",
        "clause names the post, that post acts alone. Every act is an alert until somebody who had no part",
        "in it acknowledges it. What the house file does not name takes two people always.",
        "Chips of live tables are counted and moved by two people always, a drop box by two who were not",
        "on duty at the table. A fill, a return, a count that differs and a slip that is voided are such",
        "alerts too.",
        "",
        "A service account by which another system sells and cashes out credits is one person, and never a",
        "second one; the two who made it saw its secret, and neither approves nor acknowledges what it does.",
        "",
        "| House | Act | One of the two is | From an amount on | Alone up to | Reason | Patron confirms |",
        "|---|---|---|---|---|---|---|",
    ]
    for house in SHIPPED.houses:
        for each in house.form.controls:
            code = house.currency.code
            alone = f"{each.above} {code}" if each.above != "0" else "never"
            large = f"{each.large} {code}: `{each.large_post}`" if each.large else ""
            marks = ["yes" if flag else "" for flag in (each.reason, each.patron)]
            act = f"| {house.form.name} | `{each.act.value}` | `{each.post}`"
            lines.append(f"{act} | {large} | {alone} | {' | '.join(marks)} |")
    return [*lines, ""]


def _exceptions() -> list[str]:
    lines = ["## Exceptions", "", "| Command | By | Why it may be |", "|---|---|---|"]
    lines += [f"| `{each.command}` | {', '.join(each.grounds)} | {each.why} |" for each in EXCEPTIONS]
    return [
        *lines,
        "",
        "A card that is entered otherwise than it lies is none of these: the card that lies there decides,",
        "whenever that is found (6.3, 7.16), and two people correct the entry.",
        "",
    ]


def _matrix(game: str) -> list[str]:
    found, posts = cells(game, BODIES), [post_of(each) for each in everybody(game)]
    gained = {(each.command, each.post) for each in found.gains}
    lines = [
        f"## `{game}`",
        "",
        "Letters are the phases in which some made-up commands of that kind were accepted from one person:",
        "n shut, i idle, b betting, c closed, d dealing, o outcome, s settled, r referred, p disputed. An",
        "exclamation mark says that a confederate gained by it: an exception. A dash: never accepted here.",
        "",
        f"| Command | {' | '.join(posts)} |",
        "|---" * (len(posts) + 1) + "|",
    ]
    for kind in KINDS:
        name = tag(kind)
        row = [
            found.accepted.get((name, post), "-") + ("!" if (name, post) in gained else "") for post in posts
        ]
        lines.append(f"| `{name}` | {' | '.join(row)} |")
    return [*lines, ""]
