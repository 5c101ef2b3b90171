"""The signs of a scoreboard picture, told apart by letter and shape as well as by colour.

Banker is filled and Player hollow, a tie is a diamond or a slash. In the derived roads red is round or leans
to the right, blue is square or leans to the left. On a screen the picture is dark, in print it is on white.
"""

from thirdcard.folds.roads import Colour
from thirdcard.folds.scoreboard import RoundShown
from thirdcard.rulebook.facts import Winner

LARGE, SMALL = 30, 15  # cells of the bead plate and the big road, and of the derived roads

_RULES = """\
text {{ font: 14px system-ui, "Segoe UI", "DejaVu Sans", sans-serif; fill: {ink}; }}
.paper {{ fill: {paper}; }}
.field {{ fill: {field}; }}
.grid {{ fill: none; stroke: {grid}; }}
.heading {{ font-size: 15px; font-weight: 600; }}
.title {{ font-size: 24px; font-weight: 700; }}
.faint {{ fill: {faint}; }}
.faint-line {{ stroke: {faint}; fill: none; }}
.right {{ text-anchor: end; }}
.number {{ font-weight: 700; text-anchor: end; }}
.letter {{ font-size: 15px; font-weight: 700; text-anchor: middle; }}
.count {{ font-size: 12px; font-weight: 700; fill: {tie}; }}
.edged {{ stroke: {field}; stroke-width: 3; paint-order: stroke; }}
.banker {{ fill: {banker}; }}
.player {{ fill: {player}; }}
.tie {{ fill: {tie}; }}
.special {{ fill: {special}; }}
.banker-line {{ stroke: {banker}; fill: none; }}
.player-line {{ stroke: {player}; fill: none; }}
.tie-line {{ stroke: {tie}; fill: none; }}
.cut {{ fill: {field}; }}
"""
_PAPER = {
    "paper": "#ffffff",
    "field": "#ffffff",
    "grid": "#c6ccd4",
    "ink": "#1b1f24",
    "faint": "#59636e",
    "banker": "#c62828",
    "player": "#1257a8",
    "tie": "#1f7a33",
    "special": "#8a5a00",
}
_SCREEN = {
    "paper": "#11151b",
    "field": "#191f28",
    "grid": "#323c4a",
    "ink": "#e8ebef",
    "faint": "#9aa5b1",
    "banker": "#ff7468",
    "player": "#6db5ff",
    "tie": "#5fd08a",
    "special": "#ffc857",
}

_LETTER = '<text class="letter {0}" x="15" y="21">{1}</text>'
_LETTERS = {
    Winner.BANKER: _LETTER.format("cut", "B"),
    Winner.PLAYER: _LETTER.format("player", "P"),
    Winner.TIE: _LETTER.format("cut", "T"),
}
_OUTCOMES = {
    Winner.BANKER: '<circle class="banker" cx="15" cy="15" r="12"/>',
    Winner.PLAYER: '<circle class="player-line cut" stroke-width="2" cx="15" cy="15" r="11"/>',
    Winner.TIE: '<path class="tie" d="M15 1 29 15 15 29 1 15Z"/>',
}
# a natural has a second edge, as on the screens
_NATURALS = {
    Winner.BANKER: '<circle class="banker-line" stroke-width="1.5" cx="15" cy="15" r="13.5"/>'
    '<circle class="banker" cx="15" cy="15" r="10.75"/>',
    Winner.PLAYER: '<circle class="player-line cut" stroke-width="1.5" cx="15" cy="15" r="13.5"/>'
    '<circle class="player-line cut" stroke-width="2" cx="15" cy="15" r="10.25"/>',
    Winner.TIE: '<path class="tie-line" stroke-width="1.5" d="M15 -1 31 15 15 31 -1 15Z"/>'
    '<path class="tie" d="M15 2.5 27.5 15 15 27.5 2.5 15Z"/>',
}


def style() -> str:
    """The style sheet: for paper, and for a screen in a dim room."""
    return f"<style>\n{_RULES.format(**_PAPER)}@media screen {{\n{_RULES.format(**_SCREEN)}}}\n</style>"


def bead(shown: RoundShown) -> str:
    """A round in a large cell: letter and shape of its outcome, and in the corners what else it showed."""
    parts = [(_NATURALS if shown.natural else _OUTCOMES)[shown.winner], _LETTERS[shown.winner]]
    if shown.banker_pair:
        parts.append('<circle class="banker edged" cx="5" cy="5" r="4"/>')
    if shown.player_pair:
        parts.append('<circle class="player-line cut" stroke-width="2" cx="25" cy="25" r="3.25"/>')
    if shown.marks:
        parts.append('<path class="special edged" d="M25 0 30 5 25 10 20 5Z"/>')
    return "".join(parts)


def with_ties(sign: str, ties: int) -> str:
    """A sign in a large cell with the ties counted on it: a slash behind it, and the number from two on."""
    if not ties:
        return sign
    number = f'<text class="count edged" x="0.5" y="30">{ties}</text>' if ties > 1 else ""
    return f'<path class="tie-line" stroke-width="3" d="M1.5 28.5 28.5 1.5"/>{sign}{number}'


def ring(colour: Colour) -> str:
    """A mark of the big eye boy in a small cell: a ring, or a hollow square."""
    if colour is Colour.RED:
        return '<circle class="banker-line" stroke-width="2" cx="7.5" cy="7.5" r="4.75"/>'
    return '<rect class="player-line" stroke-width="2" x="3.25" y="3.25" width="8.5" height="8.5"/>'


def disc(colour: Colour) -> str:
    """A mark of the small road in a small cell: a disc, or a filled square."""
    if colour is Colour.RED:
        return '<circle class="banker" cx="7.5" cy="7.5" r="5.5"/>'
    return '<rect class="player" x="2.5" y="2.5" width="10" height="10"/>'


def slash(colour: Colour) -> str:
    """A mark of the cockroach pig in a small cell: leaning to the right, or to the left."""
    if colour is Colour.RED:
        return '<path class="banker-line" stroke-width="2.5" d="M3 12.5 12 2.5"/>'
    return '<path class="player-line" stroke-width="2.5" d="M3 2.5 12 12.5"/>'
