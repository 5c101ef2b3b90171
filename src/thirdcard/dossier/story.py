"""A round as it happened, step by step: who did what, when, and by which clause."""

import datetime
import re
from collections.abc import Mapping

from msgspec import Struct

from thirdcard.cards import Card, Suit
from thirdcard.dossier.find import FoundRound, StoredEntry
from thirdcard.game import events as ev
from thirdcard.game.state import Hand, PlacedWager, SettledWager
from thirdcard.journal.codec import envelope_of
from thirdcard.messages import Message, knows, message, say, sentences, spoken_language
from thirdcard.money import Currency
from thirdcard.refusals import Refused
from thirdcard.roundfile.tell import Naming, told, with_approver
from thirdcard.rulebook.book import Rulebook
from thirdcard.rulebook.facts import Facts
from thirdcard.rulebook.house import House
from thirdcard.rulebook.words import name_of, post_name, text

SIGNS = {Suit.SPADES: "♠", Suit.HEARTS: "♥", Suit.DIAMONDS: "♦", Suit.CLUBS: "♣"}
CARD_EVENTS = (
    ev.CardDrawn
    | ev.CardsExposed
    | ev.CardsReconstructed
    | ev.CardsSubstituted
    | ev.CardsSetAside
    | ev.CardSeenInShoe
    | ev.CardCorrected
    | ev.StrayCardsKept
    | ev.MissingCardsDeduced
)
RESULTS = {
    "won": "dossier.won",
    "lost": "dossier.lost",
    "stood-off": "dossier.stood-off",
    "returned": "dossier.returned",
    "taken-off": "dossier.taken-off",
    "void": "dossier.void",
}
STORY_COLUMNS = ("dossier.record", "dossier.time", "dossier.who", "dossier.what")
WAGER_COLUMNS = (
    "dossier.patron",
    "dossier.wager",
    "dossier.stake",
    "dossier.result",
    "dossier.paid",
    "dossier.taken",
    "dossier.back",
)
# parameters of sentences that hold ids, one or several, and where those have their names
NAMES_OF_IDS = {
    "items": ("equipment",),
    "needed": ("device",),
    "source": ("dispute",),
    "sources": ("dispute",),
    "choice": ("preset", "ruling", "choice", "post", "equipment"),
    "choices": ("preset", "ruling", "choice", "post", "equipment"),
    "other": ("preset",),
    "facts": ("question",),
    "device": ("winner",),
    "cards": ("winner",),
}
_CARD = re.compile(r"\b(A|[2-9]|10|J|Q|K)([SHDC])\b")
_ODDS = re.compile(r"([\d.]+) to (\d+)")


class StoryLine(Struct, frozen=True):
    """A sentence, and the clauses behind it."""

    text: str
    clauses: tuple[str, ...] = ()


class StoryStep(Struct, frozen=True, kw_only=True):
    """The consequences of one command: the record, the moment, the person, and sentences."""

    record: int
    moment: datetime.datetime
    person: str
    authoriser: str | None
    lines: tuple[StoryLine, ...]
    refused: bool = False


class Stake(Struct, frozen=True, kw_only=True):
    """The result of a wager, amounts in minor units."""

    patron: str
    position: int | None = None
    wager: str
    stake: int
    result: str
    odds: str | None = None
    paid: int = 0
    taken: int = 0
    back: int = 0
    commission: int = 0
    clauses: tuple[str, ...] = ()


class Story(Struct, frozen=True, kw_only=True):
    """A round, told."""

    steps: tuple[StoryStep, ...]
    hands: dict[Hand, tuple[Card | None, ...]]
    facts: Facts | None
    void: bool
    stakes: tuple[Stake, ...]
    disputes: tuple[StoryStep, ...]


class Terms(Struct, frozen=True):
    """The terms of a game: its currency, and the names of its wagers and of the game."""

    currency: Currency
    wagers: Mapping[str, str]
    games: Mapping[str, str]


def terms_of(rulebook: Rulebook, house: House) -> Terms:
    """The terms of a game, for a reader."""
    wagers = {each: wager_name(each, rulebook) for each in rulebook.wagers}
    games = dict.fromkeys((rulebook.id, rulebook.document.name), game_name(rulebook))
    return Terms(house.currency, wagers, games)


def wager_name(wager: str, rulebook: Rulebook) -> str:
    """A wager by its name in the language of the reader, or else as the document calls it."""
    key, known = f"wager.{wager}", rulebook.wagers.get(wager)
    if knows(key):
        return say(message(key))
    return known.name if known else wager


def game_name(rulebook: Rulebook) -> str:
    """A game by its name in the language of the reader, or else as the document calls it."""
    key = f"game.{rulebook.id.replace('/', '-')}"
    return say(message(key)) if knows(key) else rulebook.name


def odds_in_words(odds: str) -> str:
    """Odds in the language of the reader."""
    return _ODDS.sub(lambda found: text("said.odds", gain=found[1], stake=found[2]), odds)


def tell_round(found: FoundRound, terms: Terms) -> Story:
    """The story of a round, in the language of the reader."""
    laid = Laid(found.entries)
    return Story(
        steps=tuple(_step(entry, found, terms) for entry in found.entries),
        hands={hand: laid.hand(hand) for hand in Hand},
        facts=laid.facts,
        void=laid.void,
        stakes=laid.stakes(),
        disputes=tuple(_step(entry, found, terms) for entry in found.disputes),
    )


def hands_by_step(found: FoundRound) -> tuple[dict[Hand, tuple[Card | None, ...]], ...]:
    """The cards of both hands as they lie after each step of a round."""
    laid = [Laid(found.entries[: number + 1]) for number in range(len(found.entries))]
    return tuple({hand: each.hand(hand) for hand in Hand} for each in laid)


def _step(entry: StoredEntry, found: FoundRound, terms: Terms) -> StoryStep:
    envelope = envelope_of(entry.record)
    refused = entry.result.refused
    naming = with_approver(envelope.actor, envelope.authoriser, lambda name: _who(name, found))
    lines = [line for event in entry.result.events for line in lines_of(event, terms, naming)]
    return StoryStep(
        record=entry.record.sequence,
        moment=envelope.received_at,
        person=_who(envelope.actor, found),
        authoriser=_who(envelope.authoriser, found) if envelope.authoriser else None,
        lines=(refusal_line(entry.record.kind, refused, terms),) if refused else tuple(lines),
        refused=refused is not None,
    )


def lines_of(event: ev.Event, terms: Terms, naming: Naming) -> list[StoryLine]:
    """Return a round file's lines about an event, the clauses apart, and the reasons that people gave."""
    lines: list[StoryLine] = []
    for line in told(event, terms.currency, naming):
        said = " ".join(say(_in_words(each, terms)) for each in line.says)
        said = _CARD.sub(_sign, said) if isinstance(event, CARD_EVENTS) else said
        lines.append(StoryLine(said, tuple(dict.fromkeys(line.grounds))))
    match event:
        case ev.RulingMade() if event.text:
            lines.append(StoryLine(text("dossier.reason", reason=event.text)))
        case ev.IrregularityReported() if event.note:
            lines.append(StoryLine(text("dossier.reason", reason=event.note)))
        case ev.DisputeDecided() if event.sources:
            sources = ", ".join(name_of("dispute", source) for source in event.sources)
            lines.append(StoryLine(text("dossier.sources", sources=sources)))
        case _:
            pass
    return lines


def _in_words(what: Message, terms: Terms) -> Message:
    """The message with wagers and whatever else has an id by name."""
    params = dict(what.params)
    for name in ("wager", "offered"):
        if wagers := params.get(name):
            params[name] = ", ".join(terms.wagers.get(each, each) for each in str(wagers).split(", "))
    if game := params.get("game"):
        params["game"] = terms.games.get(str(game), game)
    if card := params.get("card"):
        params["card"] = _CARD.sub(_sign, str(card))
    for name, sections in NAMES_OF_IDS.items():
        if ids := params.get(name):
            params[name] = ", ".join(_name(each, sections) for each in str(ids).split(", "))
    return message(what.key, **params)


def _name(code: str, sections: tuple[str, ...]) -> str:
    """The name of something that has an id, in the language of the reader; else what was said."""
    known = sentences(spoken_language())
    found = (known.get(f"{section}.{code}", "{") for section in sections)
    return next((each for each in found if "{" not in each), code)


def _sign(found: re.Match[str]) -> str:
    return found[1] + SIGNS[Suit(found[2])]


def refusal_line(kind: str, refused: Refused, terms: Terms) -> StoryLine:
    """Tell that something was refused, and why."""
    why = say(_in_words(refused.message, terms))
    return StoryLine(text("dossier.refused", asked=text(f"deed.{kind}"), why=why), refused.clauses)


def _who(name: str, found: FoundRound) -> str:
    """A person with the post; a post that is its own name stands once."""
    if name == found.setup.table:
        return text("dossier.the-table")
    post = found.posts.get(name)
    if post is None or post_name(post) == name:
        return name
    return f"{name} ({post_name(post)})"


class Laid:
    """The cards and wagers of a round as its events leave them."""

    def __init__(self, entries: tuple[StoredEntry, ...]) -> None:
        self.cards: list[tuple[Hand, Card | None]] = []
        self.facts: Facts | None = None
        self.void = False
        self._number: int | None = None
        self._positions = {  # by the id of the wager
            event.id: event.position
            for entry in entries
            for event in entry.result.events
            if isinstance(event, ev.WagerPlaced | ev.WagerFound)
        }
        self._taken_off: list[ev.WagerReduced] = []
        self._settled: tuple[SettledWager, ...] = ()
        self._returned: list[Stake] = []
        for entry in entries:
            for event in entry.result.events:
                self._take(event)

    def _take(self, event: ev.Event) -> None:
        match event:
            case ev.RoundBegan():
                self._number = event.number
            case ev.CardDrawn():
                self.cards.append((event.hand, event.card))
            case ev.CardsExposed():
                self._open(event)
            case ev.CardsReconstructed() | ev.CardsSubstituted():
                self.cards = [(each.hand, each.card) for each in event.cards]
            case ev.CardCorrected():
                self._correct(event)
            case ev.CardsRetrieved():
                self.cards = []
            case ev.OutcomeKnown():
                self.facts = event.facts
            case ev.WagerReduced():
                self._taken_off.append(event)
            case ev.RoundSettled():
                self._settled = event.wagers
            case ev.SettlementReversed():
                self._settled = ()
            case ev.RoundVoided():
                self._void(event)
            case _:
                pass

    def hand(self, hand: Hand) -> tuple[Card | None, ...]:
        """The cards of a hand as they lie at the end."""
        return tuple(card for of, card in self.cards if of is hand)

    def _correct(self, event: ev.CardCorrected) -> None:
        """Put another face on a card; a card of an earlier round is corrected there."""
        if event.round == self._number and event.number <= len(self.cards):
            hand, _ = self.cards[event.number - 1]
            self.cards[event.number - 1] = (hand, event.new)

    def _open(self, event: ev.CardsExposed) -> None:
        """The faces of a hand become known."""
        faces = iter(event.cards)
        self.cards = [
            (hand, next(faces, None) or card) if hand is event.hand else (hand, card)
            for hand, card in self.cards
        ]

    def _void(self, event: ev.RoundVoided) -> None:
        self.void, self._settled = True, ()
        lay: tuple[PlacedWager | SettledWager, ...] = (*event.returned, *event.reversed)
        self._returned = [
            Stake(
                patron=each.patron,
                position=each.position,
                wager=each.wager,
                stake=each.stake,
                result="void",
                back=each.lying,
                clauses=event.clauses,
            )
            for each in lay
        ]

    def stakes(self) -> tuple[Stake, ...]:
        """Return the result of every wager; those that were taken off in time come first."""
        off = [
            Stake(
                patron=each.patron,
                position=self._positions.get(each.id),
                wager=each.wager,
                stake=each.amount,
                result="taken-off",
                back=each.back,
                clauses=each.clauses,
            )
            for each in self._taken_off
        ]
        settled = [
            Stake(
                patron=each.patron,
                position=each.position,
                wager=each.wager,
                stake=each.stake,
                result=each.result,
                odds=each.odds,
                paid=each.paid,
                taken=each.taken,
                back=each.back,
                commission=each.commission,
                clauses=each.clauses,
            )
            for each in self._settled
        ]
        return (*off, *settled, *self._returned)
