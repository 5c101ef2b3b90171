"""``thirdcard settle``: what wagers win or lose on typed cards."""

from pathlib import Path
from typing import Annotated

import msgspec
from cyclopts import Parameter

from thirdcard.cli.arguments import OwnShelf
from thirdcard.cli.number_forms import FOR_PEOPLE, NumberForm
from thirdcard.cli.output import BadInput, console, print_table, read_bytes
from thirdcard.computing import settling
from thirdcard.computing.games import find_game, find_house
from thirdcard.game.settlement import Settlement
from thirdcard.messages import message, say
from thirdcard.rulebook.book import Rulebook
from thirdcard.rulebook.complaints import about_form
from thirdcard.rulebook.house import House
from thirdcard.rulebook.shelf import SHIPPED


class TypedHand(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One line of a file of hands."""

    cards: list[str]
    wagers: dict[str, str | int]


def settle(
    game: str,
    *,
    cards: str | None = None,
    wager: Annotated[tuple[str, ...], Parameter(negative=(), show_default=False)] = (),
    file: Path | None = None,
    house: str | None = None,
    shelf: OwnShelf = SHIPPED,
    form: NumberForm = FOR_PEOPLE,
) -> None:
    """Settle wagers on a hand, or on every hand of a file.

    Parameters
    ----------
    game
        The id of a game, as `thirdcard rules list` prints it.
    cards
        The cards in draw order: P1 B1 P2 B2, then third cards. 10, 10H, Th and K♠ are cards.
    wager
        A wager and its stake, such as banker=333; once for each wager.
    file
        Instead of --cards: a file with one {"cards": [...], "wagers": {ID: "stake"}} a line.
    house
        The house to settle by, by its id or as a file; without one the house that the rulebook names.
    """
    form.check()
    rulebook = find_game(game, shelf)
    place = find_house(house or rulebook.document.house, shelf)
    if file is not None:
        if cards is not None or wager:
            raise BadInput(say(message("cli.file-or-cards")))
        _settle_file(rulebook, place, file, form)
        return
    if cards is None:
        raise BadInput(say(message("cli.no-cards")))
    stakes = _stakes(wager)
    settlement = settling.settle_cards(rulebook, place, settling.parse_cards(cards), stakes)
    form.tell(settling.describe(settlement, place), lambda: print_settlement(settlement, place))


def print_settlement(settlement: Settlement, house: House) -> None:
    """A settlement for people: step by step with the clauses, then wager by wager."""
    out = console()
    for moment in settlement.outcome.moments:
        out.print(say(moment.what), f"[{', '.join(dict.fromkeys(moment.clauses))}]")
    if not settlement.wagers:
        return
    settled = settling.describe(settlement, house)
    columns = ("wager", "stake", "result", "odds", "paid", "commission", "net", "clause")
    rows = [
        (
            wager.wager,
            shown.stake,
            say(message(f"result.{shown.result}")),
            shown.odds or "",
            shown.paid,
            shown.commission if wager.commission else "",
            shown.net,
            ", ".join(shown.clauses),
        )
        for wager, shown in zip(settlement.wagers, settled.wagers.values(), strict=True)
    ]
    print_table(None, tuple(say(message(f"settle.{column}")) for column in columns), rows)


def _stakes(wagers: tuple[str, ...]) -> dict[str, str | int]:
    stakes: dict[str, str | int] = {}
    for text in wagers:
        name, sign, stake = text.partition("=")
        if not sign or not name:
            raise BadInput(say(message("cli.no-stake", wager=text)))
        if name in stakes:
            raise BadInput(say(message("cli.wager-twice", wager=name)))
        stakes[name] = stake
    return stakes


def _settle_file(rulebook: Rulebook, house: House, file: Path, form: NumberForm) -> None:
    """Every line is settled before the first result is printed: a file with a bad line gives no results."""
    settled: list[settling.Settled] = []
    wrong: list[str] = []
    for number, line in enumerate(read_bytes(file).splitlines(), start=1):
        if not line.strip():
            continue
        try:
            hand = _hand(line)
            cards = settling.parse_cards(hand.cards)
            settlement = settling.settle_cards(rulebook, house, cards, hand.wagers)
            settled.append(settling.describe(settlement, house))
        except BadInput as error:
            wrong.append(say(message("cli.bad-line", file=file.name, line=number, error=str(error))))
    if wrong:
        raise BadInput("\n".join(wrong))
    hands = settling.SettledHands(rulebook.id, tuple(settled))
    form.tell(hands, lambda: _print_hands(hands, file))


def _print_hands(hands: settling.SettledHands, file: Path) -> None:
    if not hands.hands:
        console().print(say(message("cli.no-hands", file=file.name)))
    for hand in hands.hands:
        nets = ", ".join(f"{wager} {shown.net}" for wager, shown in hand.wagers.items())
        console().print(hand.outcome, f"{hand.player.total}-{hand.banker.total}", nets)


def _hand(line: bytes) -> TypedHand:
    """A hand from a line of JSON, or what is wrong with it in our words."""
    form = say(message("cli.hand-form"))
    try:
        return msgspec.json.decode(line, type=TypedHand)
    except msgspec.ValidationError as error:
        name, params = about_form(str(error).partition(" - at ")[0])
        what = say(message(f"problem.{name}.what", **params))
        raise BadInput(say(message("cli.hand-of-another-form", what=what, form=form))) from error
    except (msgspec.DecodeError, RecursionError) as error:
        raise BadInput(say(message("cli.hand-no-json", form=form))) from error
