#!/usr/bin/env python3
"""Writes the shipped drills from the golden rounds: for each row of a rulebook the one that shows it best.

A line becomes a gap where somebody in a post handles what went wrong. Drills that are there stay, under their
names: only rows that none of them shows are written. `--anew` writes all but those by hand again, and the
nights in which two things go wrong; `--check` says which rows no drill shows.
"""

import argparse
import itertools
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests"))

from drill_rows import Row, all_rows, rows_shown  # noqa: E402
from trainees import expert, rehearsal_of  # noqa: E402

from thirdcard.game import commands as cmd  # noqa: E402
from thirdcard.game import events as ev  # noqa: E402
from thirdcard.messages import say  # noqa: E402
from thirdcard.refusals import Refused  # noqa: E402
from thirdcard.roundfile.games import texts_by_game  # noqa: E402
from thirdcard.roundfile.parse import RoundFile, WrittenAct, parse  # noqa: E402
from thirdcard.roundfile.set_up import Player, set_up  # noqa: E402
from thirdcard.roundfile.values import BadLine  # noqa: E402
from thirdcard.rulebook.irregularity import Situation  # noqa: E402
from thirdcard.rulebook.shelf import SHIPPED  # noqa: E402
from thirdcard.rulebook.words import post_name  # noqa: E402
from thirdcard.training.drill import read_drill  # noqa: E402
from thirdcard.training.rehearsal import Level, Rehearsal  # noqa: E402

ROUNDS = ROOT / "tests" / "rounds"
DRILLS = ROOT / "src" / "thirdcard" / "drills"
WRITTEN_MARK = "# written by scripts/write_drills.py from "
MOST_LINES = 40
# rounds at the edge of a rule teach less than those in which it is plain, and so does taking something back
EDGES = ("examined", "manners")
TAKES_BACK = (cmd.WithdrawReport, cmd.DisproveFacts, cmd.CorrectCard, cmd.CorrectWager)
NIGHTS = 3  # drills of each game in which two things go wrong
TOGETHER = ("several", "mbs", "hoiana")  # rounds that are plain enough to come in a night
OF_AN_EDGE, OF_TAKING_BACK, OF_AN_OPEN_END = 12, 15, 10  # lines that each is worth
# what is owed after an irregularity, and belongs to it
OWED = (cmd.DealFreeHand, cmd.LoadShoe, cmd.BurnCards, cmd.ChooseCards, cmd.SubstituteCards)
# titles that do not give the answer away, and the pack where a drill belongs
S = Situation
TITLES: dict[Situation, tuple[str, str]] = {
    S.FOREIGN_CARD: ("cards", "Face up on the felt"),
    S.EXTRA_CARD: ("cards", "The count of the set"),
    S.MISSING_CARD: ("cards", "A set of cards"),
    S.UNSHUFFLED_CARDS: ("cards", "A fresh shoe"),
    S.ORDER_ALTERED: ("cards", "A push at the dealing device"),
    S.TOO_FEW_CARDS: ("cards", "Near the end of the shoe"),
    S.LATE_WAGER: ("wagers", "Hands over the felt"),
    S.LATE_WITHDRAWAL: ("wagers", "Second thoughts"),
    S.FACE_UP_CARD: ("cards", "A look at the dealing device"),
    S.NEXT_CARD_KNOWN: ("cards", "Between two rounds"),
    S.WRONG_ORDER: ("dealing", "The first four cards"),
    S.MISDEAL: ("dealing", "Cards for two hands"),
    S.WRONG_DELIVERY: ("patrons", "Cards for a patron"),
    S.NOT_DELIVERED: ("patrons", "Opening the hands"),
    S.EXPOSED_IN_ERROR: ("patrons", "Before the hands are opened"),
    S.CARDS_TOGETHER: ("dealing", "Out of the dealing device"),
    S.DEVICE_RESET: ("cards", "A light on the dealing device"),
    S.PATRON_ABSENT: ("patrons", "An empty chair"),
    S.PATRON_LEFT_WITH_CARDS: ("patrons", "Somebody gets up"),
    S.EXPOSED_IN_MOVEMENT: ("cards", "Making room on the table"),
    S.UNAUTHORISED_PLAYER_CARD: ("dealing", "After the first four"),
    S.UNAUTHORISED_BANKER_CARD: ("dealing", "The last card of the round"),
    S.WRONG_NUMBER_OF_CARDS: ("dealing", "Before the call"),
    S.POWER_FAILURE: ("cards", "A warm evening"),
    S.BURN_FORGOTTEN: ("cards", "A new shoe"),
    S.CUTTING_CARD_FIRST: ("cards", "The next round, please"),
    S.WRONG_CALL: ("results", "The call"),
    S.WRONG_DISPLAY: ("results", "Above the table"),
    S.WRONG_PAYMENT: ("results", "Taking and paying"),
    S.UNDER_MINIMUM: ("wagers", "A small stack"),
    S.OVER_MAXIMUM: ("wagers", "A tall stack"),
    S.OLD_LIMIT_MISTAKE: ("results", "Looking back"),
    S.DIFFERENTIAL_EXCEEDED: ("wagers", "Both sides of the felt"),
    S.NOT_COVERED: ("results", "Something new"),
}


class Found(Struct, frozen=True):
    """A drill that can be made of a golden round: its lines, and the rows that it shows."""

    source: str
    situation: Situation
    lines: tuple[str, ...]
    rows: frozenset[Row]
    cost: int


class Played(Struct, frozen=True):
    """An act of a golden round that was not refused."""

    act: WrittenAct
    events: tuple[ev.Event, ...]
    settled: bool  # nothing is open after it


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    options.add_argument("--check", action="store_true", help="only say which rows no drill shows")
    options.add_argument("--anew", action="store_true", help="write all again but those written by hand")
    chosen = options.parse_args()
    if not chosen.check:
        write(anew=chosen.anew)
    shown = {row for path in DRILLS.rglob("*.drill") for row in _shown_by(path.read_text("utf-8"))}
    missing = [row for row in all_rows() if row not in shown]
    for row in missing:
        sys.stdout.write(f"no drill shows {row.document} {row.label}\n")
    sys.stdout.write(f"{len(shown)} rows are shown, {len(missing)} are not\n")
    return 1 if missing else 0


def write(*, anew: bool) -> None:
    """Write drills for the rows that none shows; ``anew`` all but those that a person has written."""
    kept: set[Row] = set()
    for path in sorted(DRILLS.rglob("*.drill")):
        text = path.read_text("utf-8")
        if anew and WRITTEN_MARK in text:
            path.unlink()
        else:
            kept |= _shown_by(text)
    candidates = sorted(_all_found(), key=lambda each: each.source)
    open_rows = set(all_rows()) - kept
    written: list[Found] = []
    while open_rows:
        useful = [each for each in candidates if each.rows & open_rows]
        if not useful:
            break
        best = min(useful, key=lambda each: each.cost / len(each.rows & open_rows))
        candidates.remove(best)
        if not _is_right(best):
            continue
        open_rows -= best.rows
        written.append(best)
        pack, title = TITLES[best.situation]
        whole = f"{title} {_next_number(pack, title)}"
        path = DRILLS / pack / f"{_slug(whole)}.drill"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"title {whole}\n" + "\n".join(best.lines) + "\n", "utf-8")
    if anew:
        _write_nights(written)


def _slug(title: str) -> str:
    return re.sub("[^a-z0-9]+", "-", title.lower())


def _next_number(pack: str, title: str) -> int:
    """Return the first number that no drill of this title has."""
    return next(
        at for at in itertools.count(1) if not (DRILLS / pack / f"{_slug(f'{title} {at}')}.drill").exists()
    )


def _write_nights(written: list[Found]) -> None:
    """Write drills in which two things go wrong one after the other, some for every game."""
    for game in dict.fromkeys(game for each in written for game in _games(each)):
        own = [each for each in written if game in _games(each) and each.source.startswith(TOGETHER)]
        number, used = 0, set[Situation]()
        for one, other in itertools.permutations(own, 2):
            new = not {one.situation, other.situation} & used and one.situation is not other.situation
            if number < NIGHTS and new and _head(one) == _head(other):
                night = _night(game, one, other)
                if night is not None:
                    number += 1
                    used |= {one.situation, other.situation}
                    name = f"A long night {number}"
                    path = DRILLS / "nights" / f"{game.replace('/', '-')}-{number}.drill"
                    path.parent.mkdir(parents=True, exist_ok=True)
                    path.write_text(f"title {name}\n" + "\n".join(night.lines) + "\n", "utf-8")


def _night(game: str, one: Found, other: Found) -> Found | None:
    """Put two drills of a game one behind the other; nothing where they do not go together."""
    source = f"{one.source} and {other.source}"
    head = [f"{WRITTEN_MARK}{source}", f"game {game}", *_head(one)]
    acts = [*one.lines[len(_head(one)) + 2 :], *other.lines[len(_head(other)) + 2 :]]
    night = Found(source, one.situation, (*head, *acts), one.rows | other.rows, 0)
    try:
        shown = _shown_by("\n".join(("title x", *night.lines)) + "\n")
        both = {row.label for row in shown if row.label}
    except (BadLine, AssertionError):
        return None
    return night if len(both) > 1 and _is_right(night) else None


def _games(each: Found) -> tuple[str, ...]:
    return tuple(each.lines[1].removeprefix("game ").split(", "))


def _head(each: Found) -> tuple[str, ...]:
    """Return the head of a drill without its game."""
    return tuple(line for line in each.lines[2:] if ": " not in line)


def _shown_by(text: str) -> set[Row]:
    return {row for drill in read_drill("", text) for row in rows_shown(rehearsal_of(drill))}


def _all_found() -> Iterator[Found]:
    for path in sorted(ROUNDS.rglob("*.round")):
        text = path.read_text("utf-8")
        if text.count("\n") < 120:
            found = _found(path.relative_to(ROUNDS).as_posix(), text)
            if found:
                yield found


def _found(source: str, text: str) -> Found | None:
    """Make a drill of a golden round; nothing where it shows no irregularity that somebody handles."""
    texts = texts_by_game(text)
    game, own = next(iter(texts.items()))
    file = parse(own)
    played = _play(file, game)
    start = next((at for at, each in enumerate(played) if _reports(each)), None)
    if start is None:
        return None
    end = _end(played, start)
    lines = [line for line in text.split("\n")[: file.acts[0][0].number - 1] if _is_head(line)]
    house = SHIPPED.house(file.settings.house or SHIPPED.rulebook(game).document.house)
    staff = {post_name(post) for post in house.form.posts}
    for at, each in enumerate(played[: end + 1]):
        by_staff = each.act.actor in staff
        if at == start and not by_staff:
            lines.append(f"? Dealer: for {each.act.text.replace(': ', ' ', 1)}")
        else:
            lines.append(f"? {each.act.text}" if at >= start and by_staff else each.act.text)
    lines = [f"{WRITTEN_MARK}{source}", *lines]
    if len(lines) > MOST_LINES:
        return None
    situation = next(
        event.case.situation for event in played[start].events if isinstance(event, ev.IrregularityReported)
    )
    try:
        rows = frozenset(_shown_by("\n".join(("title x", *lines)) + "\n"))
    except (BadLine, AssertionError):
        return None
    odd = sum(isinstance(each.act.bodies[0], TAKES_BACK) for each in played[start : end + 1])
    cost = len(lines) + odd * OF_TAKING_BACK + source.startswith(EDGES) * OF_AN_EDGE
    cost += (not played[end].settled) * OF_AN_OPEN_END
    return Found(source, situation, tuple(lines), rows, cost) if rows else None


def _is_head(line: str) -> bool:
    return bool(line.strip()) and not line.startswith(("#", "scenario", " "))


def _play(file: RoundFile, game: str) -> list[Played]:
    """Play the acts of a round that are not refused."""
    rulebook = SHIPPED.rulebook(game)
    player = Player(
        rulebook, SHIPPED.house(file.settings.house or rulebook.document.house), file.settings.start
    )
    set_up(player, file.settings)
    played: list[Played] = []
    for act, _ in file.acts:
        result = player.do_all(act.bodies, act.actor, act.authoriser)
        if not isinstance(result, Refused):
            played.append(Played(act, result, not player.standing.open_cases))
    return played


def _reports(each: Played) -> bool:
    return any(isinstance(event, ev.IrregularityReported) for event in each.events)


def _end(played: list[Played], start: int) -> int:
    """Return the last act that belongs to what went wrong, with what is owed after it."""
    end = next((at for at in range(start, len(played)) if played[at].settled), len(played) - 1)
    while end + 1 < len(played) and isinstance(played[end + 1].act.bodies[0], OWED):
        end += 1
    return end


def _is_right(found: Found) -> bool:
    """Whether an expert gets full marks in every post, at every level."""
    for drill in read_drill("", "\n".join(("title x", *found.lines)) + "\n"):
        rehearsal: Rehearsal = rehearsal_of(drill)
        posts = rehearsal.posts()
        if not posts:
            return False
        for post in posts:
            for level in Level:
                grade = expert(rehearsal, post, level)
                if not grade.passed:
                    wrong = [f"{each.aspect}: {say(each.what)}" for each in grade.findings if not each.right]
                    sys.stdout.write(f"{found.source}, {drill.game}, {post}, {level}: {'; '.join(wrong)}\n")
                    return False
    return True


if __name__ == "__main__":
    sys.exit(main())
