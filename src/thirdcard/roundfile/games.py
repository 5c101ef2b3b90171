"""Round files of several games: the text of each game, and what came under all of them as one file again."""

import itertools
import re
from collections import Counter
from collections.abc import Iterator, Mapping

from thirdcard.messages import message, say
from thirdcard.roundfile.parse import is_expected
from thirdcard.roundfile.play import Comparison, Played, PlayedAct, compare
from thirdcard.roundfile.values import BadLine
from thirdcard.rulebook.shelf import SHIPPED, Shelf, UnknownGame

GAME_KEY = "game"
NO_CLAUSE = "none"  # stands in a list by games for a game that cites nothing there
_CITED = re.compile(r"(?P<sentence>.*) \[(?P<grounds>[^\[\]]+)\]")


def texts_by_game(text: str, shelf: Shelf = SHIPPED) -> dict[str, str]:
    """Return the text of a round file under each game that it names; of a single game, as it is."""
    lines = text.split("\n")
    at = next((at for at, line in enumerate(lines) if _is_key(line)), None)
    named = "" if at is None else lines[at].partition(" ")[2].strip()
    games = tuple(name.strip() for name in named.split(","))
    if at is None or len(games) == 1:
        return {named: text}
    _refuse_games(shelf, at + 1, named, games)
    texts: dict[str, str] = {}
    for game in games:
        own = [_under(line, game, games) if is_expected(line) else line for line in lines]
        own[at] = f"{GAME_KEY} {game}"
        texts[game] = "\n".join(own)
    return texts


def played_together(text: str, played: Mapping[str, Played], *, update: bool) -> Comparison:
    """Compare a file with what came under its games; only the clauses of a line may differ between them.

    Of a file that is not rewritten and has only checks, the lines that came may differ too.
    """
    first, *others = played.values()
    if not others:
        return first
    lines = tuple(text.removesuffix("\n").split("\n"))
    counts = update or not first.checks or any(each.expected for each in first.acts)
    acts: list[PlayedAct] = []
    ends = (*(each.act.number - 1 for each in first.acts[1:]), len(lines))
    for end, *each in zip(ends, *(each.acts for each in played.values()), strict=False):
        written = tuple(line.strip() for line in lines[each[0].act.number : end] if is_expected(line))
        acts.append(_act_together(dict(zip(played, each, strict=True)), written, counts=counts))
    return compare(lines, acts, _failed_together(played), first.checks)


def line_together(lines: Mapping[str, str]) -> str | None:
    """Return a line of several games as one that lists their clauses; nothing where the sentences differ."""
    if len(set(lines.values())) == 1:
        return next(iter(lines.values()))
    parts = {game: _parted(line) for game, line in lines.items()}
    sentences = {sentence for sentence, _ in parts.values()}
    if len(sentences) > 1:
        return None
    games: dict[str, list[str]] = {}
    for game, (_, grounds) in parts.items():
        games.setdefault(grounds or NO_CLAUSE, []).append(game)
    listed = "; ".join(f"{', '.join(names)}: {grounds}" for grounds, names in games.items())
    return f"{sentences.pop()} [{listed}]"


def _is_key(line: str) -> bool:
    return line.split(" ", 1)[0] == GAME_KEY and ": " not in line


def _refuse_games(shelf: Shelf, number: int, named: str, games: tuple[str, ...]) -> None:
    """Raise a bad line for a list with a gap, with a game that is not there, or with one twice."""
    if not all(games):
        raise BadLine(number, say(message("round.bad-games", text=named)))
    for game, times in Counter(games).items():
        try:
            shelf.rulebook(game)
        except UnknownGame as error:
            raise BadLine(number, str(error)) from error
        if times > 1:
            raise BadLine(number, say(message("round.game-twice", game=game)))


def _parted(line: str) -> tuple[str, str]:
    """A line as its sentence and its clauses; no clauses where it has none."""
    found = _CITED.fullmatch(line)
    return (found["sentence"], found["grounds"]) if found else (line, "")


def _under(line: str, game: str, games: tuple[str, ...]) -> str:
    """An expected line as it is under one game; unchanged where it does not list the games of the file."""
    sentence, grounds = _parted(line.rstrip())
    listed: list[tuple[str, str]] = []
    for part in grounds.split("; "):
        names, _, own = part.partition(": ")
        listed += [(name, own) for name in names.split(", ")]
    if sorted(name for name, _ in listed) != sorted(games):
        return line
    clauses = dict(listed)[game]
    return sentence if clauses == NO_CLAUSE else f"{sentence} [{clauses}]"


def _act_together(acts: dict[str, PlayedAct], written: tuple[str, ...], *, counts: bool) -> PlayedAct:
    """One line of a file as it was played under several games, with the lines that are written below it."""
    first = next(iter(acts.values()))
    hold = all(each.holds for each in acts.values())
    told = written if hold else tuple(_told_together(acts, counts=counts))
    return PlayedAct(first.act, written, tuple((line,) for line in told), first.commands)


def _told_together(acts: dict[str, PlayedAct], *, counts: bool) -> Iterator[str]:
    rows = list(itertools.zip_longest(*(each.came for each in acts.values()), fillvalue=""))
    together = [line_together(dict(zip(acts, row, strict=True))) for row in rows]
    for row, line in zip(rows, together, strict=True):
        if line is not None:
            yield line
        elif counts:
            raise _games_differ(next(iter(acts.values())), dict(zip(acts, row, strict=True)))
        else:
            yield from (f"{own} ({game})" for game, own in zip(acts, row, strict=True) if own)


def _games_differ(act: PlayedAct, lines: dict[str, str]) -> BadLine:
    """Name the first game that does not go with most of the others, and what came under both."""
    sentences = {game: _parted(line)[0] or say(message("round.no-line")) for game, line in lines.items()}
    most = Counter(sentences.values()).most_common(1)[0][0]
    usual = next(game for game, sentence in sentences.items() if sentence == most)
    other = next(game for game, sentence in sentences.items() if sentence != most)
    told = message(
        "round.games-differ", text=act.act.text, game=usual, usual=most, other=other, came=sentences[other]
    )
    return BadLine(act.act.number, say(told))


def _failed_together(played: Mapping[str, Played]) -> tuple[str, ...]:
    """The checks that hold under no game; one that holds under some only is a bad line."""
    failed: dict[str, list[str]] = {}
    for game, each in played.items():
        for text in each.failed_checks:
            failed.setdefault(text, []).append(game)
    for text, games in failed.items():
        if len(games) < len(played):
            raise BadLine(None, say(message("round.check-games-differ", failed=text, games=", ".join(games))))
    return tuple(failed)
