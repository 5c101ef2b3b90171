"""Facts that can be read off a round in progress: its stage, what is decided, who must draw."""

from collections import Counter
from collections.abc import Sequence

from thirdcard.cards import Card, Rank
from thirdcard.game import commands as cmd
from thirdcard.game.case_cards import SET_ASIDE, strays_of_round, was_seen
from thirdcard.game.causes import Cause
from thirdcard.game.desk import QueryDesk
from thirdcard.game.outcome import Outcome, next_draw, play_out
from thirdcard.game.places import before, known_ahead, seen_at
from thirdcard.game.shoe import Places
from thirdcard.game.standing import KnownCards, Standing, standings
from thirdcard.game.state import CardState, DealtCard, Hand, Phase, Round, Table
from thirdcard.refusals import Refusal, Refused
from thirdcard.rulebook.irregularity import OfferWithdrawal, ReconstructCards, Situation, Stage
from thirdcard.rulebook.table_of_play import Draws

# what is wrong with the set of cards, wherever they are
ABOUT_THE_SET = (
    Situation.FOREIGN_CARD,
    Situation.EXTRA_CARD,
    Situation.MISSING_CARD,
    Situation.UNSHUFFLED_CARDS,
)
MOST_CARDS = 6  # in one round
FIRST_FOUR = (Hand.PLAYER, Hand.BANKER, Hand.PLAYER, Hand.BANKER)  # the hands of the first cards
# effects about the order or the delivery of the cards in the round under way
ASKS_OR_LAYS = (OfferWithdrawal, ReconstructCards)
# cards at the wrong hand, by their order or by their number
OUT_OF_PLACE = (Situation.WRONG_ORDER, Situation.WRONG_NUMBER_OF_CARDS)


def is_called(desk: QueryDesk) -> bool:
    """Whether a round is under way, or wagers are taken for one that begins with its first card."""
    return desk.round is not None or desk.table.phase in (Phase.BETTING, Phase.CLOSED)


def is_to_begin(desk: QueryDesk) -> bool:
    """Whether a round is under way that is still to get its first card."""
    return desk.round is not None and desk.table.phase in (Phase.BETTING, Phase.CLOSED)


# phases in which no round is called
BETWEEN_ROUNDS = (Phase.IDLE, Phase.SHUT)


def is_settled_last(desk: QueryDesk) -> bool:
    """Whether the last round was settled and none was called since, whatever cards were loaded meanwhile."""
    current = desk.table.round
    if desk.table.phase not in BETWEEN_ROUNDS or current is None:
        return False
    return current.ended and not (current.void or current.free or current.passed)


def tells_outcome(desk: QueryDesk) -> bool:
    """Whether the cards of the last round tell its outcome: by a corrected one a third may be missing."""
    current = desk.table.round
    assert current is not None
    faces = tuple(each.card for each in current.cards if each.card)
    return isinstance(play_out(desk.rulebook, faces, desk.rulebook.pair_rule(desk.house)), Outcome)


def is_just_over(desk: QueryDesk) -> bool:
    """Whether a round is over that had an outcome, and nothing was called or loaded since."""
    current, shoe = desk.table.round, desk.table.shoe
    if current is None or shoe is None or desk.table.phase is not Phase.IDLE or shoe.opened:
        return False
    return current.ended and not (current.void or current.passed) and current.shoe == shoe.number


def can_be_put_right(desk: QueryDesk) -> bool:
    """Whether the last round may still be put right with the cards in use: settled, and none called since."""
    current, shoe = desk.table.round, desk.table.shoe
    if current is None or shoe is None or shoe.opened:
        return False
    return is_settled_last(desk) and current.shoe == shoe.number


def can_be_completed(desk: QueryDesk, cards: Sequence[Card | None]) -> bool:
    """Whether the hands of the last round are complete with these cards, or are dealt on with those in use.

    Once new cards were loaded, the ones that would have followed cannot be told any more.
    """
    current, shoe = desk.table.round, desk.table.shoe
    assert current is not None
    if shoe is not None and current.shoe == shoe.number and not shoe.opened:
        return True
    faces = tuple(each for each in cards if each)
    played = play_out(desk.rulebook, faces, desk.rulebook.pair_rule(desk.house))
    too_many = isinstance(played, Refused) and played.reason is Refusal.TOO_MANY_CARDS
    return len(faces) == len(cards) and (too_many or isinstance(played, Outcome))


def is_settled_again(desk: QueryDesk) -> bool:
    """Whether a round that was over only waits to be settled again: its cards tell the outcome.

    They do as well once a third card is opened that waited. It lasts while a case about its order or delivery
    is open, which can only be if chips were being paid.
    """
    table, current = desk.table, desk.round
    if current is None or current.undone is None:
        return False
    if table.phase is not Phase.OUTCOME and not _is_to_be_opened(table, current):
        return False
    lasting = (each for each in table.open_cases if each.situation not in SET_ASIDE)
    return not any(isinstance(effect, ASKS_OR_LAYS) for each in lasting for effect in each.effects)


def _is_to_be_opened(table: Table, current: Round) -> bool:
    """Whether a third card of the round lies closed, and no post is asked about a card that was corrected."""
    closed = any(each.state is not CardState.EXPOSED for each in current.cards[len(FIRST_FOUR) :])
    return closed and not any(each.cause is Cause.CARD_CORRECTED for each in table.open_cases)


def is_concluded(desk: QueryDesk) -> bool:
    """Whether a round that was over waits to be settled again, or for the post by whose word it continues.

    By a corrected card it may have no outcome.
    """
    current = desk.table.round
    taken_back = desk.round is not None and current is not None and current.undone is not None
    cases = (each for each in desk.table.open_cases if each.round is None)
    asked = any(each.cause is Cause.CARD_CORRECTED for each in cases)
    return is_settled_again(desk) or (taken_back and asked)


def may_be_paying(desk: QueryDesk) -> bool:
    """Whether chips may still be taken and paid after the call; terminals are settled with it.

    At a table that was closed since nobody is paid. The settlement may have been taken back meanwhile.
    """
    shut = desk.table.phase is Phase.SHUT
    over = can_be_put_right(desk) or is_settled_again(desk)
    return over and not (shut or desk.table.setup.terminal)


def first_dealt_together(desk: QueryDesk, body: cmd.ReportIrregularity) -> int | None:
    """The number of the first card at the hands that a report tells to have come together with the next ones.

    They came one after the other, and the last of them may wait for the next round; of several that can be
    meant, those are that lie as they are told, and of these the last ones.
    """
    current = desk.table.round
    assert current is not None
    waiting = tuple(face for _, face in strays_of_round(desk.table))
    out = (*(each.card for each in current.cards), *waiting)
    told, count = Counter(body.cards), len(body.cards)
    starts = range(min(len(out) - count, len(current.cards) - 1), -1, -1)
    same = [first for first in starts if Counter(out[first : first + count]) == told]
    as_told = (first for first in same if out[first : first + count] == body.cards)
    return next(as_told, same[0] if same else None)


def stage_of(desk: QueryDesk) -> Stage:
    """How far the round is."""
    table = desk.table
    if table.phase in (Phase.SHUT, Phase.IDLE):
        return Stage.BETWEEN_ROUNDS
    drawn = table.round is not None and (table.round.cards or table.aside)
    if table.phase in (Phase.BETTING, Phase.CLOSED) or table.round is None or not drawn:
        return Stage.BEFORE_FIRST_CARD
    if table.phase is Phase.OUTCOME:
        return Stage.OUTCOME_KNOWN
    return Stage.INITIAL_DEAL if len(table.round.cards) < 4 else Stage.SUBSEQUENT_DEAL


def _stage_for(desk: QueryDesk, situation: Situation) -> Stage:
    """How far the round is for an irregularity; with cards out, or gone back, it is in its initial deal."""
    stage = stage_of(desk)
    bad_cards = situation in ABOUT_THE_SET and _has_begun(desk)
    begun = bad_cards or situation is Situation.CARDS_TOGETHER
    return Stage.INITIAL_DEAL if begun and stage is Stage.BEFORE_FIRST_CARD else stage


def _has_begun(desk: QueryDesk) -> bool:
    """Whether a round that begins with its first card is under way: its cards may have gone back."""
    return desk.document.round.begins.at == "first-card" and desk.round is not None


def known_cards(current: Round) -> KnownCards:
    """The exposed cards of a round, place by place."""
    faces: dict[Hand, list[Rank | None]] = {
        hand: [
            each.card.rank if each.card and each.state is CardState.EXPOSED else None
            for each in current.cards
            if each.hand is hand
        ]
        for hand in Hand
    }
    player, banker = (faces[hand] + [None] * 3 for hand in (Hand.PLAYER, Hand.BANKER))
    return KnownCards(
        player=(player[0], player[1]),
        banker=(banker[0], banker[1]),
        player_third=player[2],
        banker_third=banker[2],
    )


def in_order(desk: QueryDesk, current: Round) -> bool:
    """Whether every card lies at the hand that has it by the order of drawing and the table of play."""
    cards = current.cards
    if not is_begun_in_order(cards):
        return False
    for count in range(len(FIRST_FOUR), len(cards)):
        turn = next_draw(desk.rulebook, *hands_of(cards[:count]))
        if not isinstance(turn, Draws) or turn.hand is not cards[count].hand:
            return False
    return True


def is_begun_in_order(cards: Sequence[DealtCard]) -> bool:
    """Whether the first four cards, or as many as there are, lie at the hands that they belong to."""
    dealt = tuple([each.hand for each in cards[: len(FIRST_FOUR)]])
    return dealt == FIRST_FOUR[: len(dealt)]


def takes_none(desk: QueryDesk) -> bool:
    """Whether the hands of the round under way lie open and are complete, so that no card is due."""
    current = desk.round
    if current is None or len(current.cards) < len(FIRST_FOUR):
        return False
    is_open = all(each.card and each.state is CardState.EXPOSED for each in current.cards)
    if not is_open or not is_begun_in_order(current.cards):
        return False
    return not isinstance(next_draw(desk.rulebook, *hands_of(current.cards)), Draws)


def hands_of(cards: Sequence[DealtCard]) -> tuple[tuple[Card, ...], tuple[Card, ...]]:
    """The known cards of the Player hand and of the Banker hand."""
    player = [each.card for each in cards if each.card and each.hand is Hand.PLAYER]
    banker = [each.card for each in cards if each.card and each.hand is Hand.BANKER]
    return tuple(player), tuple(banker)


def wager_standings(desk: QueryDesk) -> dict[str, Standing]:
    """Where every wager on offer stands, judged on the exposed cards alone."""
    known = known_cards(desk.round) if desk.round else KnownCards()
    return standings(desk.rulebook, known, desk.rulebook.pair_rule(desk.house))


def circumstance_of(desk: QueryDesk, body: cmd.ReportIrregularity, name: str) -> object:
    """A circumstance as the table knows it, or as it was told; nothing where neither says."""
    table, shoe = desk.table, desk.table.shoe
    match name:
        case "stage":
            return _stage_of(desk, body)
        case "method":
            return table.method
        case "area":
            return table.setup.area
        case "decided":
            decided = (Standing.WON, Standing.LOST)
            concluded = _is_half_paid(desk, body) or is_settled_last(desk)
            return concluded or any(standing in decided for standing in wager_standings(desk).values())
        case "next_round_opened":
            settled_before = body.previous_round or body.situation is Situation.WRONG_PAYMENT
            return settled_before and table.phase not in BETWEEN_ROUNDS
        case "first_round_of_shoe":
            return shoe is None or shoe.rounds == 0
        case "banker_must_draw":
            return banker_must_draw(desk)
        case "seen":
            return _seen(desk, body)
        case "reconstructable":
            return _can_be_laid_again(desk, body)
        case _:
            return getattr(body, name)


def _stage_of(desk: QueryDesk, body: cmd.ReportIrregularity) -> Stage:
    """The stage that a report belongs to; the set of a round before is no matter of the round under way."""
    current = desk.table.round
    if body.dealt and current is not None:
        first = first_dealt_together(desk, body) or 0
        return Stage.INITIAL_DEAL if first < len(FIRST_FOUR) else Stage.SUBSEQUENT_DEAL
    over = body.situation in (*ABOUT_THE_SET, Situation.WRONG_DELIVERY) and is_settled_again(desk)
    if is_of_cards_before(desk, body) or (over and not body.paying):
        return Stage.BETWEEN_ROUNDS
    return Stage.OUTCOME_KNOWN if _is_half_paid(desk, body) else _stage_for(desk, body.situation)


def is_of_cards_before(desk: QueryDesk, body: cmd.ReportIrregularity) -> bool:
    """Whether a report is about the set of a round before, and other cards have come into use since."""
    shoe, earlier = desk.table.shoe, desk.table.rounds - (1 if desk.round is not None else 0)
    past = body.situation in ABOUT_THE_SET and body.previous_round and earlier > 0
    return past and shoe is not None and shoe.rounds == 0


def _is_half_paid(desk: QueryDesk, body: cmd.ReportIrregularity) -> bool:
    """Whether the round lasts although it was called, because somebody says that it is being settled."""
    return body.paying and may_be_paying(desk)


def _is_beyond_reconstruction(desk: QueryDesk, body: cmd.ReportIrregularity) -> bool:
    """Whether a hand of the last round lacks a card that went away with the cards in use before."""
    current = desk.table.round
    if current is None or body.situation is not Situation.WRONG_NUMBER_OF_CARDS:
        return False
    return not can_be_completed(desk, body.cards or tuple(each.card for each in current.cards))


def _can_be_laid_again(desk: QueryDesk, body: cmd.ReportIrregularity) -> bool | None:
    """An order that was told, or that the table saw, can be laid again; of others somebody must say."""
    if body.reconstructable is not None or _is_beyond_reconstruction(desk, body):
        return bool(body.reconstructable) and not _is_beyond_reconstruction(desk, body)
    aside = body.situation in SET_ASIDE and desk.table.aside
    told = bool(body.cards or aside) and body.situation is not Situation.ORDER_ALTERED
    current = desk.table.round
    placed = body.situation in OUT_OF_PLACE
    misplaced = placed and current is not None and not in_order(desk, current)
    return True if told or misplaced else None


def _seen(desk: QueryDesk, body: cmd.ReportIrregularity) -> bool | None:
    """Whether the cards in question were seen: the table knows it of those that lie there, not of others."""
    cards = desk.round.cards if desk.round else ()
    match body.situation:
        case Situation.BURN_FORGOTTEN | Situation.DEVICE_RESET:
            return bool(body.seen) or _seen_of_the_deal(desk, body.situation)
        case Situation.WRONG_DELIVERY:
            hand = [each for each in cards if each.hand is body.hand]
            faces = faces_shown(desk.round, body) if desk.round and any(body.cards) else (None,) * len(hand)
            opened = (each.state is CardState.EXPOSED or face for each, face in zip(hand, faces, strict=True))
            return bool(hand) and all(opened)
        case Situation.NEXT_CARD_KNOWN:
            return body.seen is not False
        case _:
            return body.seen


def faces_shown(current: Round, body: cmd.ReportIrregularity) -> tuple[Card | None, ...]:
    """The faces of a hand after a report of cards that were opened: those that lay open, and those told.

    All cards of the hand are told in their order, or those that did not lie open. Of fewer of these, a face
    that the table knows is told of the card that has it, and another one of a card that nobody knows.
    """
    hand = [each for each in current.cards if each.hand is body.hand]
    if len(body.cards) == len(hand):
        return body.cards
    closed = [place for place, each in enumerate(hand) if each.state is not CardState.EXPOSED]
    faces = [each.card if each.state is CardState.EXPOSED else None for each in hand]
    fewer = len(body.cards) < len(closed)
    for told in filter(None, body.cards) if fewer else body.cards[: len(closed)]:
        place = min(closed, key=lambda each: _is_told_of(hand[each].card, told)) if fewer else closed[0]
        closed.remove(place)
        faces[place] = told
    return tuple(faces)


def _is_told_of(known: Card | None, told: Card | None) -> tuple[bool, bool]:
    """The order in which a face is told: of the card that has it, of one that nobody knows, of another."""
    return known != told, known is not None


def _seen_of_the_deal(desk: QueryDesk, situation: Situation) -> bool:
    """Whether a card was seen that is out, also before it came, waits, or is known in the shoe.

    Of a reset, also one that was seen before it went back, and of the shoe only those that the round can come
    to.
    """
    table, shoe, current = desk.table, desk.table.shoe, desk.round
    assert shoe is not None
    cards = current.cards if current else ()
    seen = any(was_seen(table, each) for each in cards)
    if seen or any(table.aside) or any(table.strays):
        return True
    served = current.serves.places if current and current.serves else ()  # seen, and nobody told its face
    lying = (*seen_at(shoe, out := shoe.places.lying[: len(cards)]), *(place in out for place in served))
    if situation is not Situation.DEVICE_RESET or current is None:
        return any(lying) or bool(known_ahead(shoe))
    reach = MOST_CARDS - len(cards) - len(table.aside) - len(table.strays)
    ahead = (before(shoe, place) or 0 for place in known_ahead(shoe))
    return current.seen_before or any(lying) or any(each < reach for each in ahead)


def is_card_known(desk: QueryDesk) -> bool:
    """Whether anybody knows a card of the round, or of the last one before the next, or one still to come.

    It lies open, was looked at or entered, lies aside, waits outside, or was seen in the dealing device.
    """
    table, shoe = desk.table, desk.table.shoe
    current = table.round if table.phase in (Phase.IDLE, Phase.SHUT) else desk.round
    cards = current.cards if current else ()
    if any(each.card is not None or each.state is not CardState.FACE_DOWN for each in cards):
        return True
    if any(table.aside) or any(table.strays):
        return True
    places = shoe.places if shoe else Places()
    went_back = any(places.faces[place] for place in places.back)
    return went_back or (shoe is not None and bool(known_ahead(shoe)))


def banker_must_draw(desk: QueryDesk) -> bool:
    """Whether the Banker takes a card when the Player, rightly, takes none."""
    assert desk.table.round is not None
    return isinstance(next_draw(desk.rulebook, *hands_of(desk.table.round.cards)), Draws)
