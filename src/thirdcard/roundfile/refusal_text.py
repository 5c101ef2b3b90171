"""The sentence of a refusal as a round file shows it, with the layout where the engine does not name it."""

from thirdcard.game.table_setup import Setup
from thirdcard.messages import message, say
from thirdcard.refusals import Refusal, Refused
from thirdcard.rulebook.book import Rulebook
from thirdcard.rulebook.document import Layout
from thirdcard.spelling import NEARLY_SURE, nearest


def refusal_sentence(refused: Refused, rulebook: Rulebook, setup: Setup) -> str:
    """Return what the person is told who asked for something that is refused."""
    if refused.reason is Refusal.UNKNOWN_POSITION:
        return _position_sentence(dict(refused.params)["position"], rulebook, setup)
    if refused.reason is Refusal.POSITION_NEEDED:
        return _position_sentence(0, rulebook, setup)
    told = say(refused.message)
    if refused.reason is Refusal.WAGER_NOT_OFFERED:
        near = nearest(str(dict(refused.params)["wager"]), rulebook.wagers, NEARLY_SURE)
        return f"{told} {say(message('round.perhaps', near=near))}" if near else told
    return told


def layouts_of(rulebook: Rulebook) -> tuple[Layout, ...]:
    """Return the layouts that a game can be played on."""
    variant = rulebook.id.partition("/")[2] or None
    return tuple(each for each in rulebook.document.layouts.layout if each.variant in (None, variant))


def _position_sentence(position: str | int, rulebook: Rulebook, setup: Setup) -> str:
    """Name the positions of the table; 0 stands for a position that was left out."""
    wanted = int(position)
    if setup.layout is None:
        return say(message("round.position-at-terminal", position=wanted))
    here: dict[str, str | int] = {"layout": setup.layout, "most": setup.positions}
    if not wanted:
        return say(message("round.position-missing", **here))
    others = ", ".join(each.id for each in layouts_of(rulebook) if each.most >= wanted)
    if others:
        return say(message("round.position-elsewhere", **here, position=wanted, others=others))
    return say(message("round.position-unknown", **here, position=wanted))
