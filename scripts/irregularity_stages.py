"""Irregularities at every stage of a round: how a table comes there, and every way to tell what went wrong.

The laws of the engine are tested over these stages, and the matrix of docs/irregularities.md is made of them.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator
from datetime import datetime
from functools import cache

from msgspec import Struct
from msgspec.structs import replace

from thirdcard.cards import Card, parse_card
from thirdcard.game import commands as cmd
from thirdcard.game import events as ev
from thirdcard.game.decide import decide
from thirdcard.game.state import Case, Hand, Table
from thirdcard.refusals import Refusal, Refused
from thirdcard.roundfile.parse import parse
from thirdcard.roundfile.set_up import Player, set_up
from thirdcard.rulebook.book import Rulebook
from thirdcard.rulebook.document import Document
from thirdcard.rulebook.house import House
from thirdcard.rulebook.irregularity import Situation
from thirdcard.rulebook.shelf import SHIPPED
from thirdcard.rulebook.words import post_name

TERMINALS = "mbs-super-six-etg-v3"
CLOSED = "Dealer: closes betting\n"
# the lines that lead to each stage; W stands for the opening call and the wagers
STAGES = {
    "before betting": "",
    "betting open": "W",
    "closed": "W" + CLOSED,
    "first two cards together": "W" + CLOSED + "Dealer: draws 9 2 together, order known\n",
    "a card known in the device": "W" + CLOSED + "Dealer: draws ?\nDealer: reports face-up-card cards 9\n",
    "first card": "W" + CLOSED + "Dealer: draws 9\n",
    "initial deal": "W" + CLOSED + "Dealer: draws 9 2\n",
    "third card due": "W" + CLOSED + "Dealer: draws 2 K 3 3\n",
    "Banker's third card due": "W" + CLOSED + "Dealer: draws K 2 7 2\n",
    "outcome known": "W" + CLOSED + "Dealer: draws 9 2 K 5\n",
    "settled": "W" + CLOSED + "Dealer: draws 9 2 K 5\nDealer: calls player\n",
    "next round open": "W" + CLOSED + "Dealer: draws 9 2 K 5\nDealer: calls player\nDealer: opens betting\n",
    "during another case": "W" + CLOSED + "Dealer: draws 9 2\nDealer: reports foreign-card\n",
    "during a referral": "W" + CLOSED + "Dealer: draws 9 2\nDealer: reports not-covered because so\n",
    "in a free hand": "W"
    + CLOSED
    + "Dealer: draws K K 7 6\nDealer: draws 5 to player\nDealer: calls player\n"
    "Dealer: deals the free hand\nDealer: draws 2\n",
}
WITH_A_PATRON = "hand with a patron"
# the stages of the matrix; the others are met by the laws
SHOWN = (
    *("before betting", "betting open", "closed", "first card", "initial deal", WITH_A_PATRON),
    *("third card due", "outcome known", "settled", "next round open"),
)
ONLY_HOIANA = ("in a free hand",)
NOT_AT_TERMINALS = ("a card known in the device", WITH_A_PATRON)
# refusals that say that nobody told enough, not that it cannot be
LACKING = (Refusal.FACTS_NEEDED, Refusal.WRONG_NUMBER_OF_CARDS)


def head(game: str) -> str:
    """Cards are opened by the table, and patrons sit there; methods and devices as plain as they come."""
    who = "patrons Ann, Bob\n" if game == TERMINALS else "patrons Ann at 1, Bob at 2\n"
    device = "device electronic\n" if game.startswith("mbs-") and game != TERMINALS else ""
    return f"{device}automatic expose\n{who}"


def wagers(game: str) -> str:
    """The opening call and a wager on each hand."""
    if game == TERMINALS:
        bought = "Ann: buys 1000 credits\nBob: buys 1000 credits\n"
        return f"{bought}Dealer: opens betting\nAnn: 100 on player\nBob: 100 on banker\n"
    return "Dealer: opens betting\nAnn: 100 on player at 1\nBob: 100 on banker at 2\n"


def can_be(game: str, stage: str) -> bool:
    """Whether a game has a stage."""
    hoiana = game.startswith("hoiana") or stage not in ONLY_HOIANA
    return hoiana and not (game == TERMINALS and stage in NOT_AT_TERMINALS)


def card(text: str) -> Card:
    """A card as it is written."""
    found = parse_card(text)
    assert found is not None
    return found


def tellings(table: Table, situation: Situation) -> Iterator[cmd.ReportIrregularity]:
    """A situation told in every way that matters: facts, cards, patron, hand and amount."""
    current = table.round
    there = tuple(each.card for each in current.cards) if current else ()
    cards: tuple[tuple[Card | None, ...], ...] = ((), (card("9H"),), (None,))
    if situation is Situation.CARDS_TOGETHER:
        cards = ((), (card("4"), card("5")), (None, None))
    elif situation in (Situation.WRONG_ORDER, Situation.MISDEAL, Situation.WRONG_NUMBER_OF_CARDS):
        cards = ((), there, tuple(reversed(there)), (*there, card("4")))
    facts = {
        Situation.CARDS_TOGETHER: "order_known",
        Situation.WRONG_ORDER: "reconstructable",
        Situation.MISDEAL: "reconstructable",
        Situation.ORDER_ALTERED: "reconstructable",
        Situation.WRONG_NUMBER_OF_CARDS: "reconstructable",
        Situation.PATRON_LEFT_WITH_CARDS: "value_known",
    }
    fact = facts.get(situation, "seen")
    position = None if table.setup.terminal else 1
    note = "so" if situation is Situation.NOT_COVERED else ""
    plain = cmd.ReportIrregularity(situation=situation, note=note)
    about = (
        plain,
        replace(plain, patron="Ann", hand=Hand.PLAYER),
        replace(plain, patron="Ann", hand=Hand.BANKER, wager="player", position=position, amount=5_000),
    )
    for faces, value, told in itertools.product(cards, (None, True, False), about):
        yield replace(told, cards=faces, **{fact: value})
    yield replace(plain, previous_round=True, **{fact: False})
    for faces, value in itertools.product(cards, (True, False)):
        yield replace(plain, paying=True, cards=faces, **{fact: value})


# the matrix


class Scene(Struct, frozen=True):
    """Settings, wagers and a call that differ from the usual ones before a report.

    ``closed`` came with the closing call, ``last`` after everything else, but before the next round.
    """

    setting: str = ""
    wagers: str | None = None
    called: str = "player"
    closed: str = ""
    last: str = ""


NARROW = "main 50 5000\ndifferential 1000\n"
WIDE = "main 50 5000\ndifferential 9000\n"
BEFORE_THE_CARDS = ("betting open", "closed")
KEEP = "Dealer: for Ann keeps the cards\nDealer: for Bob keeps the cards\n"
# wagers that two people find after betting: below the minimum, above the maximum, beyond the differential
FOUND = {Situation.UNDER_MINIMUM: 30, Situation.OVER_MAXIMUM: 6_000, Situation.DIFFERENTIAL_EXCEEDED: 1_500}


def scene_of(game: str, stage: str, situation: Situation) -> Scene:
    """Return a scene in which a situation can be, where that takes more than its stage."""
    hoiana = game.startswith("hoiana")
    if situation is Situation.WRONG_CALL:
        return Scene(called="banker")
    if situation is Situation.BURN_FORGOTTEN and hoiana:
        return Scene("burn forgotten\n", last=KEEP if stage == "next round open" else "")
    if situation is Situation.CUTTING_CARD_FIRST and stage == "closed" and not hoiana and game != TERMINALS:
        return Scene("area high-limit\n", last="Dealer: sees the cutting card\n")
    if situation not in FOUND or game == TERMINALS or stage == "before betting":
        return Scene()
    amount, betting = FOUND[situation], "Dealer: opens betting\nBob: 100 on banker at 2\n"
    found = f"Dealer with Pit Manager: finds Ann {amount} on player at 1\n"
    if situation is not Situation.DIFFERENTIAL_EXCEEDED:
        return Scene() if stage == "betting open" else Scene(WIDE, betting, closed=found)
    if stage in BEFORE_THE_CARDS:
        return Scene(NARROW, f"{betting}Ann: {amount} on player at 1\n")
    return Scene(NARROW, last=found)


def answer_in(game: str, stage: str, situation: Situation) -> str:
    """The answer of one cell: clauses, a referral with its post, or why it cannot be.

    What the table notices by itself on the way to the stage is an answer too.
    """
    if not can_be(game, stage):
        return "no such stage"
    found = _at(game, stage, scene_of(game, stage, situation))
    if isinstance(found, Refused):
        return f"cannot be (`{found.reason.value}`)"
    rulebook, house, table, now, noticed = found
    reached = {each.clause or referred(rulebook.document) for each in noticed if each.situation is situation}
    refused: Counter[str] = Counter()
    for number, told in enumerate(tellings(table, situation)):
        envelope = cmd.Envelope(
            actor="Dealer", received_at=now, command_id=f"m{number}", authoriser="Pit Manager"
        )
        result = decide(rulebook, house, table, cmd.Command(told, envelope))
        if isinstance(result, Refused):
            refused[result.reason.value] += result.reason not in LACKING
            continue
        case = next(each.case for each in result if isinstance(each, ev.IrregularityReported))
        reached.add(case.clause or referred(rulebook.document))
    if reached:
        return ", ".join(sorted(reached, key=_by_clause))
    assert refused.total(), (game, stage, situation)
    return f"cannot be (`{min(refused, key=lambda reason: (-refused[reason], reason))}`)"


def referred(document: Document) -> str:
    """The post to which a document refers what it has no row for."""
    grant = document.authority.not_covered
    return f"referred: {post_name(grant.post)}" if grant else "referred: post set by the house"


def _by_clause(answer: str) -> tuple[bool, list[int], str]:
    numbers = [int(each) for each in answer.split(".") if each.isdigit()]
    return answer.startswith("referred"), numbers, answer


def _lines(game: str, stage: str, scene: Scene) -> str:
    lie = wagers(game) if scene.wagers is None else scene.wagers
    if stage != WITH_A_PATRON:
        lines = STAGES[stage].replace("calls player", f"calls {scene.called}")
        rounds = lines.rpartition("Dealer: opens betting\n")  # what came last, came before the next opening
        lines = rounds[0] + scene.last + "".join(rounds[1:]) if rounds[1] else lines + scene.last
        return scene.setting + head(game) + lines.replace(CLOSED, CLOSED + scene.closed).replace("W", lie)
    hoiana = game.startswith("hoiana")
    asks = "Ann: asks to squeeze\n" if hoiana else ""
    setting = scene.setting + ("face-down\n" if hoiana else "method A\n")
    dealt = "Dealer: draws ? ? ? ?\nDealer: passes player to Ann\n"
    return setting + head(game) + lie + CLOSED + scene.closed + asks + dealt + scene.last


@cache
def _at(game: str, stage: str, scene: Scene) -> Refused | tuple[Rulebook, House, Table, datetime, list[Case]]:
    """A table at a stage, with its books, the time and the cases that it opened by itself.

    No line that leads to a usual stage may be refused; a scene can make a stage impossible by a refusal.
    """
    file = parse(f"game {game}\n{_lines(game, stage, scene)}")
    rulebook = SHIPPED.rulebook(game)
    house = SHIPPED.house(rulebook.document.house)
    player = Player(rulebook, house, file.settings.start)
    set_up(player, file.settings)
    noticed: list[Case] = []
    for act, _ in file.acts:
        result = player.do_all(act.bodies, act.actor, act.authoriser)
        if isinstance(result, Refused):
            assert scene != Scene(), (game, stage, act, result)
            return result
        noticed += [each.case for each in result if isinstance(each, ev.IrregularityReported)]
    return rulebook, house, player.standing, player.now, noticed
