"""Sets a table up as the head of a round file says: equipment, staff, shoe and patrons."""

from collections.abc import Iterable
from datetime import datetime, timedelta

from msgspec import Struct

from thirdcard.game import commands as cmd
from thirdcard.game import events as ev
from thirdcard.game.apply import fold
from thirdcard.game.decide import decide
from thirdcard.game.methods import allowing_method
from thirdcard.game.set_up import check_list
from thirdcard.game.state import Table
from thirdcard.game.table_setup import Device, PostedLimit, Setup
from thirdcard.messages import message, say
from thirdcard.money import parse_amount
from thirdcard.refusals import Refusal, Refused
from thirdcard.roundfile.head import LIMIT, START, RoundFileHead, Seat, full_key
from thirdcard.roundfile.refusal_text import layouts_of
from thirdcard.roundfile.values import BadLine
from thirdcard.rulebook.book import Kind, Rulebook
from thirdcard.rulebook.house import House
from thirdcard.rulebook.irregularity import PayOnceThenReturn
from thirdcard.rulebook.words import post_name
from thirdcard.spelling import nearest
from thirdcard.staff import Post

TABLE_NAME = "Table"
# the reference of the regulator's confirmation, where a round file does not record one
CONFIRMED = "as the round file has it"
# the key of the head that a refused set-up is about
LINE_OF_REFUSAL = {
    Refusal.NOT_YET_IN_FORCE: "start",
    Refusal.LAYOUT_NOT_OFFERED: "layout",
    Refusal.DRAWING_NOT_SUPPLIED: "layout",
    Refusal.POSITIONS_NOT_OFFERED: "positions",
    Refusal.DECKS_NOT_PERMITTED: "decks",
    Refusal.DEVICE_NOT_SUITABLE: "device",
    Refusal.METHOD_NOT_OFFERED: "method",
    Refusal.METHOD_NOT_IN_THIS_AREA: "method",
    Refusal.TRAINING_ONLY: "terminal",
    Refusal.EQUIPMENT_UNCHECKED: "equipment",
    Refusal.APPROVAL_NOT_CONFIRMED: "confirmation",
}


class PlayedCommand(Struct, frozen=True):
    """One command of a round file: who gave it with which posts, the table it met, and what followed."""

    body: cmd.Body
    actor: str
    posts: tuple[Post, ...]
    authoriser: str | None
    authoriser_posts: tuple[Post, ...]
    before: Table | None
    result: tuple[ev.Event, ...] | Refused


class Player:
    """A table under play: every command is decided, and what follows is applied.

    Where nobody says when it starts, it does so at the usual instant, or once the rulebook is in force.
    """

    def __init__(self, rulebook: Rulebook, house: House, start: datetime | None = None) -> None:
        self.rulebook = rulebook
        self.house = house
        self.now = start or max(START, rulebook.document.in_force)
        self.table: Table | None = None
        self.events: list[ev.Event] = []
        self.refusals: list[Refused] = []
        self.happened: list[ev.Event | Refused] = []
        self.steps: list[PlayedCommand] = []
        self.commands = 0

    @property
    def standing(self) -> Table:
        """The table, once it is set up."""
        assert self.table is not None
        return self.table

    def do(self, body: cmd.Body, actor: str, authoriser: str | None = None) -> tuple[ev.Event, ...] | Refused:
        """Decide a command and apply what follows from it."""
        self.commands += 1
        self.now += timedelta(seconds=1)
        envelope = cmd.Envelope(
            actor=actor, received_at=self.now, command_id=f"c{self.commands}", authoriser=authoriser
        )
        result = decide(self.rulebook, self.house, self.table, cmd.Command(body, envelope))
        held, second = self._posts(actor), self._posts(authoriser)
        self.steps.append(PlayedCommand(body, actor, held, authoriser, second, self.table, result))
        if isinstance(result, Refused):
            self.refusals.append(result)
            self.happened.append(result)
            return result
        for event in result:
            self.record(event)
        return result

    def do_all(
        self, bodies: Iterable[cmd.Body], actor: str, authoriser: str | None = None
    ) -> tuple[ev.Event, ...] | Refused:
        """Carry out several commands, or none of them: a refusal takes back those before it."""
        table, events, happened, steps = self.table, len(self.events), len(self.happened), len(self.steps)
        followed: list[ev.Event] = []
        for body in bodies:
            result = self.do(body, actor, authoriser)
            if isinstance(result, Refused):
                self.table = table
                del self.events[events:]
                self.happened[happened:] = [result]
                self.steps[steps:] = self.steps[-1:]
                return result
            followed += result
        return tuple(followed)

    def _posts(self, person: str | None) -> tuple[Post, ...]:
        """The posts that a person holds now."""
        if self.table is None or person is None:
            return ()
        return self.table.posts_at(person, self.now)

    def record(self, event: ev.Event) -> None:
        """Write an event down and apply it to the table."""
        self.table = fold(self.table, event)
        self.events.append(event)
        self.happened.append(event)


def set_up(player: Player, head: RoundFileHead) -> None:
    """Set the table up; a head that the rules do not allow is a bad line."""
    document, setup = player.rulebook.document, _setup(player, head)
    _must(player, head, cmd.SetUpTable(setup=setup, method=head.method))
    for post in player.house.form.posts:
        _must(player, head, cmd.ComeOnDuty(person=post_name(post), post=post))
    if not head.equipment:
        confirmer = post_name(player.house.form.facts_confirmed_by)
        for item in check_list(document, setup):
            by = confirmer if item.confirmed else None
            _must(player, head, cmd.TickEquipment(item=item.id), authoriser=by)
    if document.names_another_game and not (head.confirmation or head.training):
        _confirm(player, head)
    if not head.table:
        grant = allowing_method(document, player.standing)
        _must(player, head, cmd.OpenTable(), authoriser=post_name(grant.post) if grant else None)
    if not head.shoe:
        _must(player, head, cmd.LoadShoe(decks=setup.decks))
        if document.burn and not head.burn:
            _must(player, head, cmd.BurnCards())
    for seat in head.patrons:
        _seat(player, head, seat)
    for name in head.marked:
        _mark(player, head, name)
    if head.left is not None:
        _run_down(player, head, head.left)


def _confirm(player: Player, head: RoundFileHead) -> None:
    """Record the regulator's confirmation, by the post of the house and a second person."""
    post = player.house.form.not_covered_decided_by
    others = [each for each in player.house.form.posts if each != post]
    body = cmd.RecordConfirmation(reference=CONFIRMED, date=player.now.date())
    _must(player, head, body, post_name(post), post_name(others[-1]))


def _setup(player: Player, head: RoundFileHead) -> Setup:
    document = player.rulebook.document
    own = layouts_of(player.rulebook)
    layout = head.layout or (own[0].id if own else None)
    most = next((each.most for each in own if each.id == layout), 0)
    needs_reader = any(item.id == "card-reading-shoe" for item in document.equipment)
    limits = player.house.form.limits
    return Setup(
        table=TABLE_NAME,
        game=player.rulebook.id,
        house=player.house.id,
        layout=layout,
        positions=most if head.positions is None else head.positions,
        area=head.area,
        device=head.device or (Device.CARD_READING if needs_reader else Device.PLAIN),
        decks=document.decks.usual if head.decks is None else head.decks,
        terminal=head.terminal or document.table == "terminal",
        face_down=head.face_down,
        automatic=head.automatic,
        limits=_limits(player, head),
        differential=(
            _amount(limits.differential, player) if head.differential is None else head.differential
        ),
        training=head.training,
    )


def _limits(player: Player, head: RoundFileHead) -> tuple[PostedLimit, ...]:
    """The posted limits; those of a single wager go before those of its kind, the file before the house."""
    _refuse_unknown_wagers(player.rulebook, head)
    limits = player.house.form.limits
    posted: list[PostedLimit] = []
    for wager in player.rulebook.wagers.values():
        main = wager.kind is Kind.MAIN
        own, of_kind = limits.wager.get(wager.id), head.main if main else head.side
        of_house = own or (limits.main if main else limits.side)
        amounts = (_amount(of_house.minimum, player), _amount(of_house.maximum, player))
        least, most = head.limit.get(wager.id) or (amounts if own else of_kind or amounts)
        posted.append(PostedLimit(wager.id, least, most))
    return tuple(posted)


def _refuse_unknown_wagers(rulebook: Rulebook, head: RoundFileHead) -> None:
    for wager in head.limit:
        if wager not in rulebook.wagers:
            number, near = head.line(full_key(LIMIT, wager)), nearest(wager, rulebook.wagers)
            if near:
                told = message("round.wager-near", game=rulebook.id, wager=wager, near=near)
            else:
                wagers = ", ".join(rulebook.wagers)
                told = message("round.no-such-wager", game=rulebook.id, wager=wager, wagers=wagers)
            raise BadLine(number, say(told))


def _amount(text: str, player: Player) -> int:
    """An amount of a house file, which was checked when it was read."""
    minor = parse_amount(text, player.house.currency)
    assert minor is not None
    return minor


def _seat(player: Player, head: RoundFileHead, seat: Seat) -> None:
    come = cmd.ComeToTable(patron=seat.name, position=seat.position, seated=seat.seated)
    _must(player, head, come, seat.name)


def _mark(player: Player, head: RoundFileHead, name: str) -> None:
    """Mark a patron who had a wager under the minimum before the first round of the file."""
    line = head.line("marked")
    if name not in [seat.name for seat in head.patrons]:
        raise BadLine(line, say(message("round.marked-nobody", name=name)))
    clauses = tuple(each.clause for each in player.rulebook.document.policies_of(PayOnceThenReturn))
    if not clauses:
        raise BadLine(line, say(message("round.nobody-is-marked", game=player.rulebook.id)))
    player.record(ev.PatronMarked(patron=name, round=player.standing.rounds, clauses=clauses))


def _run_down(player: Player, head: RoundFileHead, left: int) -> None:
    """A shoe of which only some cards are left: the rest counts as burned."""
    shoe = player.standing.shoe
    held = shoe.left if shoe else 0
    if left > held or shoe is None:
        raise BadLine(head.line("left"), say(message("round.too-many-left", left=left, held=held)))
    player.record(ev.CardsBurned(cards=held - left))


def _must(
    player: Player,
    head: RoundFileHead,
    body: cmd.Body,
    actor: str = TABLE_NAME,
    authoriser: str | None = None,
) -> None:
    result = player.do(body, actor, authoriser)
    if isinstance(result, Refused):
        key = LINE_OF_REFUSAL.get(result.reason, "game")
        raise BadLine(head.line(key), say(message("round.bad-set-up", reason=say(result.message))))
