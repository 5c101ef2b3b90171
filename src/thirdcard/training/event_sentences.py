"""Events of a drill as sentences, each with its clauses: staff by their posts, and wagers by their names."""

from thirdcard.game import events as ev
from thirdcard.messages import Message, message
from thirdcard.roundfile.tell import told
from thirdcard.rulebook.house import House
from thirdcard.training.staff_names import naming_at

ClausedSentence = tuple[Message, tuple[str, ...]]


def event_sentences(event: ev.Event, house: House) -> tuple[ClausedSentence, ...]:
    """Return the sentences about an event; what a ruling decides is said in the language of the reader."""
    lines = told(event, house.currency, naming_at(house))
    return tuple((with_wager_names(said), line.grounds) for line in lines for said in line.says)


def with_wager_names(what: Message) -> Message:
    """Return a sentence with its wager by name instead of by its id."""
    params = dict(what.params)
    if wager := params.get("wager"):
        params["wager"] = f"@wager.{wager}"
    return message(what.key, **params)
