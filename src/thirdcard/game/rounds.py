"""What can be read off a round in progress: its stage, what is decided, who must draw."""

from thirdcard.cards import Rank
from thirdcard.game import commands as cmd
from thirdcard.game.desk import Desk
from thirdcard.game.outcome import point_total
from thirdcard.game.standing import Known, Standing, standings
from thirdcard.game.state import CardState, Hand, Phase, Round
from thirdcard.rulebook.irregularity import Situation, Stage
from thirdcard.rulebook.table_of_play import NO_THIRD_CARD, Step


def is_called(desk: Desk) -> bool:
    """Whether a round is under way, or wagers are taken for one that begins with its first card."""
    return desk.round is not None or desk.table.phase in (Phase.BETTING, Phase.CLOSED)


def can_be_put_right(desk: Desk) -> bool:
    """Whether the last round may still be put right: settled from the shoe in use, and none called since."""
    current, shoe = desk.table.round, desk.table.shoe
    if desk.table.phase is not Phase.IDLE or current is None or shoe is None or shoe.opened:
        return False
    return current.ended and shoe.rounds > 0 and not (current.void or current.free)


def stage_of(desk: Desk) -> Stage:
    """How far the round is."""
    table = desk.table
    if table.phase in (Phase.SHUT, Phase.IDLE):
        return Stage.BETWEEN_ROUNDS
    if table.phase in (Phase.BETTING, Phase.CLOSED) or table.round is None or not table.round.cards:
        return Stage.BEFORE_FIRST_CARD
    if table.phase is Phase.OUTCOME:
        return Stage.OUTCOME_KNOWN
    return Stage.INITIAL_DEAL if len(table.round.cards) < 4 else Stage.SUBSEQUENT_DEAL


def known_cards(current: Round) -> Known:
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
    return Known(
        player=(player[0], player[1]),
        banker=(banker[0], banker[1]),
        player_third=player[2],
        banker_third=banker[2],
    )


def wager_standings(desk: Desk) -> dict[str, Standing]:
    """Where every wager on offer stands, judged on the exposed cards alone."""
    known = known_cards(desk.round) if desk.round else Known()
    return standings(desk.rulebook, known, desk.rulebook.pair_rule(desk.house))


def circumstance_of(desk: Desk, body: cmd.ReportIrregularity, name: str) -> object:
    """A circumstance as the table knows it, or as it was told; nothing where neither says."""
    table, shoe = desk.table, desk.table.shoe
    match name:
        case "stage":
            return stage_of(desk)
        case "method":
            return table.method
        case "area":
            return table.setup.area
        case "decided":
            decided = (Standing.WON, Standing.LOST)
            return any(standing in decided for standing in wager_standings(desk).values())
        case "next_round_opened":
            return body.previous_round and table.phase is not Phase.IDLE
        case "first_round_of_shoe":
            return shoe is None or shoe.rounds == 0
        case "banker_must_draw":
            return banker_must_draw(desk)
        case "seen":
            lying = body.seen is None or body.situation is Situation.BURN_FORGOTTEN
            return bool(body.seen) or (lying and _any_seen(desk))
        case _:
            return getattr(body, name)


def _any_seen(desk: Desk) -> bool:
    cards = desk.round.cards if desk.round else ()
    return any(each.state is not CardState.FACE_DOWN for each in cards)


def banker_must_draw(desk: Desk) -> bool:
    """Whether the Banker takes a card when the Player, rightly, took none."""
    current = desk.round
    if current is None or len(current.cards) != 4:
        return False
    totals = {
        hand: point_total(tuple(each.card for each in current.cards if each.hand is hand and each.card))
        for hand in Hand
    }
    drawing = desk.rulebook.drawing
    if totals[Hand.PLAYER] in drawing.player_naturals or totals[Hand.BANKER] in drawing.banker_naturals:
        return False
    return drawing.banker[totals[Hand.BANKER], NO_THIRD_CARD].step is Step.DRAWS
