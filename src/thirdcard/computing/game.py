"""A game to compute with: settle, price, simulate, count, play."""

import contextlib
import datetime
import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypedDict, Unpack

from msgspec import Struct

from thirdcard.cards import Rank
from thirdcard.computing.bad_input import BadInput
from thirdcard.computing.games import find_game, find_house, must_fit
from thirdcard.computing.prices import EdgesByDecks, PricedShoe, Removals
from thirdcard.computing.simulations import CountedShoes, Simulation, SpreadShoes
from thirdcard.messages import message, say
from thirdcard.odds.arguments import DECKS, CannotPrice, asked_pair_rule, asked_shoe, asked_shoes
from thirdcard.odds.compiled import compile_game
from thirdcard.odds.covariance import covariances
from thirdcard.odds.exact import full_shoe
from thirdcard.odds.executors import open_executor, silent
from thirdcard.odds.mix import Stake, hold_of, mix_of, ruin_of
from thirdcard.odds.plan import CannotSimulate, ShoePlan, check_plan, parse_burn
from thirdcard.odds.price import MOST_OF_A_RANK, edges, prices, removal
from thirdcard.rulebook.book import Rulebook
from thirdcard.rulebook.facts import PairRule
from thirdcard.rulebook.house import House
from thirdcard.rulebook.read import UnreadableFile, read_document
from thirdcard.rulebook.shelf import SHIPPED, Shelf, UnknownHouse, open_shelf

if TYPE_CHECKING:  # loaded where they are used: a command that prints odds needs no table
    from thirdcard.computing.mixes import ComparedEdges, HeldMix, RuinedMix, WagersTogether
    from thirdcard.computing.par_sheet import ParSheet
    from thirdcard.computing.playing import PlayedRounds
    from thirdcard.computing.settling import Settled, Stakes
    from thirdcard.odds.arguments import EdgeArray, ShoeArray

RULEBOOK_SUFFIX = ".toml"
AnyShoe = str | Mapping[str, int] | Sequence[int]


class ShoeOptions(TypedDict, total=False):
    """How shoes are played, by which chance, and by how many workers."""

    decks: int
    seed: int | None
    burn: int | str | None
    cut: int
    rounds_after_cut: int
    rounds_per_shoe: int | None
    workers: int | None
    cluster: str | None
    progress: Callable[[Any], None]


class Game(Struct, frozen=True):
    """A game with the house that it is played at, and the way its pairs are read."""

    rulebook: Rulebook
    house: House
    pair_rule: PairRule
    shelf: Shelf

    @property
    def id(self) -> str:
        """The id of the game."""
        return self.rulebook.id

    @property
    def name(self) -> str:
        """The name of the game."""
        return self.rulebook.name

    @property
    def wagers(self) -> tuple[str, ...]:
        """The ids of its wagers, in the order of the document."""
        return tuple(self.rulebook.wagers)

    def __repr__(self) -> str:
        """Say which game it is, and at which house."""
        return f"<thirdcard game {self.id} at {self.house.id}>"

    def settle(self, cards: str | Sequence[str], wagers: "Stakes | None" = None) -> "Settled":
        """Settle wagers on cards in draw order: P1 B1 P2 B2, then third cards.

        >>> from thirdcard.computing.game import game
        >>> game("mbs-tiger-v3").settle("10 A K 2 5 3", {"banker": 333}).wagers["banker"].commission
        '16.65'
        """
        from thirdcard.computing.settling import (  # noqa: PLC0415 - loads the engine
            describe,
            parse_cards,
            settle_cards,
        )

        return describe(settle_cards(self.rulebook, self.house, parse_cards(cards), wagers or {}), self.house)

    def odds(self, *, decks: int | None = None, shoe: AnyShoe | None = None) -> PricedShoe:
        """Return the exact odds of every wager, for whole decks or for the cards that remain.

        A shoe is a text such as ``A=32,2=31``, the same as a dictionary, or thirteen counts, ace first.
        """
        with in_sentences():
            asked = asked_shoe(decks, None if shoe is None else _as_text(shoe))
        whole = asked.cards // 52 if shoe is None else None
        return PricedShoe(self.id, self.name, asked, whole, prices(self.rulebook, asked, self.pair_rule))

    def edges_by_decks(self) -> EdgesByDecks:
        """Return the house edge of every wager for 4 to 10 decks."""
        edges: dict[str, dict[int, Fraction]] = {wager: {} for wager in self.wagers}
        for decks in DECKS:
            for each in prices(self.rulebook, full_shoe(decks), self.pair_rule).wagers:
                edges[each.wager][decks] = each.edge
        return EdgesByDecks(self.id, self.name, edges)

    def removals(self, *, decks: int | None = None) -> Removals:
        """Return by how much every house edge changes when one card of a rank leaves the shoe."""
        with in_sentences():
            shoe = asked_shoe(decks, None)
        changes = removal(self.rulebook, shoe, self.pair_rule)
        return Removals(self.id, self.name, shoe.cards // 52, changes)

    def edges(self, shoes: "ShoeArray") -> "EdgeArray":
        """Return the house edge of every wager (a column each) for many shoes (a row each).

        A shoe is thirteen counts, ace first.
        """
        with in_sentences():
            return edges(compile_game(self.rulebook, self.pair_rule), asked_shoes(shoes))

    def simulate(self, shoes: int = 100_000, **options: Unpack[ShoeOptions]) -> Simulation:
        """Play shoes by chance, and set every wager beside its exact odds."""
        with in_sentences():
            from thirdcard.odds import simulate as simulating  # noqa: PLC0415 - loads numpy

            plan, seed = self._plan(shoes, options)
            compiled = compile_game(self.rulebook, self.pair_rule)
            with open_executor(options.get("workers"), options.get("cluster")) as (executor, workers):
                tally = simulating.run(
                    compiled,
                    plan,
                    seed=seed,
                    shoes=shoes,
                    executor=executor,
                    workers=workers,
                    progress=options.get("progress", silent),
                )
            found = simulating.simulated(compiled, plan, tally)
        return Simulation(self.id, self.name, plan, seed, found, tally.blocks)

    def count(
        self,
        wager: str,
        tags: str | Sequence[float] | None = None,
        trigger: str | float | None = None,
        *,
        shoes: int = 20_000,
        **options: Unpack[ShoeOptions],
    ) -> CountedShoes:
        """Say how often a wager favours a patron who counts cards, and what that is worth.

        Tags are for A, 2 … 9 and 10; the wager is made from the true count ``trigger`` on. Without them it is
        made whenever the exact edge of the shoe is the patron's.
        """
        with in_sentences():
            from thirdcard.odds import counting  # noqa: PLC0415 - loads numpy

            plan, seed = self._plan(shoes, options)
            self._must_have(wager)
            if (tags is None) is not (trigger is None):
                raise BadInput(say(message("simulate.count-or-perfect")))
            listed = tags if tags is None or isinstance(tags, str) else ",".join(map(str, tags))
            begin = None if trigger is None else str(trigger)
            system = None if listed is None or begin is None else counting.parse_count(listed, begin)
            task = counting.CountTask(self.rulebook, self.pair_rule, wager, plan, seed, system)
            with open_executor(options.get("workers"), options.get("cluster")) as (executor, workers):
                progress = options.get("progress", silent)
                tally = counting.run_count(
                    task, shoes=shoes, executor=executor, workers=workers, progress=progress
                )
            compiled = compile_game(self.rulebook, self.pair_rule)
            every = counting.worth(compiled, wager, tally.all)
            depths = tuple(counting.worth(compiled, wager, depth) for depth in tally.depths)
        return CountedShoes(self.name, task, listed, begin, tally.shoes, every, depths)

    def spread(
        self,
        wager: str,
        steps: Mapping[float, int],
        tags: str | Sequence[float] | None = None,
        *,
        shoes: int = 20_000,
        **options: Unpack[ShoeOptions],
    ) -> SpreadShoes:
        """Say what a spread of stakes is worth: units by the true count from which they are staked.

        Without tags the steps are edges of the patron in per cent, as perfect knowledge has them: ``{0: 1}``
        tells how often the shoe comes to favour a wager.
        """
        with in_sentences():
            from thirdcard.odds import counting, spread  # noqa: PLC0415 - loads numpy

            plan, seed = self._plan(shoes, options)
            self._must_have(wager)
            listed = tags if tags is None or isinstance(tags, str) else ",".join(map(str, tags))
            system = None if listed is None else counting.parse_count(listed, "0")
            found = spread.checked_steps([(Fraction(str(at)), units) for at, units in steps.items()])
            task = spread.SpreadTask(self.rulebook, self.pair_rule, wager, plan, seed, system, found)
            with open_executor(options.get("workers"), options.get("cluster")) as (executor, workers):
                progress = options.get("progress", silent)
                tally = spread.run_spread(
                    task, shoes=shoes, executor=executor, workers=workers, progress=progress
                )
        return SpreadShoes(self.name, task, listed, tally.shoes, spread.spread_worth(tally))

    def play(self, rounds: str) -> "PlayedRounds":
        """Play rounds written down as plain text; docs/rounds.md explains them."""
        from thirdcard.computing.playing import play_text  # noqa: PLC0415 - loads the engine

        return play_text(rounds, self.rulebook, self.house, self.shelf)

    def together(self, *, decks: int | None = None) -> "WagersTogether":
        """Return how the wagers go together in one round: every covariance, exactly."""
        from thirdcard.computing.mixes import WagersTogether  # noqa: PLC0415 - only here

        whole = self._decks(decks)
        found = covariances(self.rulebook, whole, self.pair_rule)
        return WagersTogether(self.id, self.name, whole, found)

    def hold(
        self, stakes: Mapping[str, Stake], rounds: int | Sequence[int], *, decks: int | None = None
    ) -> "HeldMix":
        """Return what the house holds of a mix after so many rounds: mean, limits, and the chance to lose.

        Rounds count as independent of each other; stakes may be in any one unit.
        """
        from thirdcard.computing.mixes import HeldMix  # noqa: PLC0415 - only here

        with in_sentences():
            mix = mix_of(self.rulebook, self._decks(decks), self.pair_rule, stakes)
            numbers = (rounds,) if isinstance(rounds, int) else rounds
            holds = tuple(hold_of(mix, number) for number in numbers)
        return HeldMix(self.id, self.name, mix, holds)

    def ruin(
        self,
        stakes: Mapping[str, Stake],
        bankroll: Stake,
        rounds: int,
        *,
        goal: Stake | None = None,
        decks: int | None = None,
    ) -> "RuinedMix":
        """Return how a patron ends who makes a mix so many times, as long as the bankroll pays it."""
        from thirdcard.computing.mixes import RuinedMix  # noqa: PLC0415 - only here

        with in_sentences():
            mix = mix_of(self.rulebook, self._decks(decks), self.pair_rule, stakes)
            ruin = ruin_of(mix, bankroll=bankroll, rounds=rounds, goal=goal)
        return RuinedMix(self.id, self.name, mix, ruin)

    def compare(self, other: "Game", *, decks: int | None = None) -> "ComparedEdges":
        """Return the house edges of this game beside those of another, or of another reading of it."""
        from thirdcard.computing.mixes import ComparedEdges  # noqa: PLC0415 - only here

        whole = self._decks(decks)
        one, two = self.odds(decks=whole).wagers, other.odds(decks=whole).wagers
        edges = {
            wager: (one[wager].edge if wager in one else None, two[wager].edge if wager in two else None)
            for wager in dict.fromkeys((*one, *two))
        }
        return ComparedEdges(self.id, other.id, whole, edges)

    def par_sheet(self, *, decks: int | None = None, made: datetime.date | None = None) -> "ParSheet":
        """Return the PAR sheet that a laboratory signs, made on a day: today, where none is given."""
        from thirdcard.computing.par_sheet import ParSheet  # noqa: PLC0415 - draws pictures
        from thirdcard.odds.par import par_figures  # noqa: PLC0415

        whole = self._decks(decks)
        day = made or datetime.datetime.now(datetime.UTC).date()
        return ParSheet(par_figures(self.rulebook, whole, self.pair_rule, day))

    def _decks(self, decks: int | None) -> int:
        with in_sentences():
            return asked_shoe(decks, None).cards // 52

    def _must_have(self, wager: str) -> None:
        if wager not in self.rulebook.wagers:
            told = {"game": self.id, "wager": wager, "wagers": ", ".join(self.wagers)}
            raise BadInput(say(message("simulate.no-such-wager", **told)))

    def _plan(self, shoes: int, options: ShoeOptions) -> tuple[ShoePlan, int]:
        """The way that shoes are played, and the seed."""
        seed, after = options.get("seed"), options.get("rounds_after_cut", 1)
        _from(1, shoes=shoes, workers=options.get("workers"))
        _from(0, seed=seed, rounds_after_cut=after)
        burn = options.get("burn")
        plan = ShoePlan(
            decks=options.get("decks", 8),
            burn=parse_burn(None if burn is None else str(burn), self.rulebook, self.house),
            rounds=options.get("rounds_per_shoe"),
            cut=options.get("cut", 14),
            after=after,
        )
        return check_plan(plan), secrets.randbits(32) if seed is None else seed


def game(
    name: str | Path,
    *,
    house: str | Path | None = None,
    shelf: str | Path | Shelf = SHIPPED,
    readings: Sequence[str] = (),
) -> Game:
    """Return a game by its id or by a rulebook file of your own, to compute with.

    ``house`` is an id or a file; without it the house that the rulebook names. ``shelf`` is a folder with
    rulebooks and houses of your own; ``ID@DAY`` is a game as in force from that day. ``readings`` say how
    unclear places are read, such as ``AMB-01=a``. Where a file has several games, ``FILE.toml/VARIANT``
    names one.
    """
    with in_sentences():
        books = shelf if isinstance(shelf, Shelf) else open_shelf(Path(shelf))
        file, suffix, variant = str(name).rpartition(RULEBOOK_SUFFIX)
        asked = str(name)
        if suffix:
            document = read_document(Path(file + suffix))
            books = Shelf((*books.own_documents, document), books.own_houses, books.folder)
            asked = document.id + variant
        rulebook = find_game(asked, books)
        place = find_house(str(house or rulebook.document.house), books, own=rulebook.document)
        must_fit(rulebook, place)
        return Game(rulebook, place, asked_pair_rule(rulebook, place, readings), books)


def games(shelf: str | Path | Shelf = SHIPPED) -> tuple[str, ...]:
    """Return the ids of all games, of the package and of a folder of your own."""
    with in_sentences():
        return (shelf if isinstance(shelf, Shelf) else open_shelf(Path(shelf))).games


@contextlib.contextmanager
def in_sentences() -> Iterator[None]:
    """Raise everything that the caller must change as the one exception for it."""
    try:
        yield
    except (CannotPrice, CannotSimulate, UnknownHouse, UnreadableFile) as error:
        raise BadInput(str(error)) from error
    except ModuleNotFoundError as error:
        if error.name != "numpy":
            raise
        raise BadInput(say(message("cli.needs-numpy"))) from error


def _as_text(shoe: AnyShoe) -> str:
    """A shoe as it is typed."""
    if isinstance(shoe, str):
        return shoe
    if isinstance(shoe, Mapping):
        return ",".join(f"{rank}={number}" for rank, number in shoe.items())
    if len(shoe) != len(Rank):
        raise BadInput(say(message("computing.no-shoes", most=MOST_OF_A_RANK)))
    return ",".join(f"{rank.text}={number}" for rank, number in zip(Rank, shoe, strict=True))


def _from(least: int, **given: int | None) -> None:
    for name, number in given.items():
        if number is not None and number < least:
            option, numbers = f"--{name.replace('_', '-')}", {"number": number, "least": least}
            raise BadInput(say(message("simulate.too-small", option=option, **numbers)))
