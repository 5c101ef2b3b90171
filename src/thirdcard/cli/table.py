"""``thirdcard table``: a table in the terminal to practise on."""

import re
from collections.abc import Callable

from thirdcard.cli.arguments import OwnShelf, WholeNumber
from thirdcard.cli.irregularities import lead_through
from thirdcard.cli.output import console, print_table
from thirdcard.cli.practice import GUEST, Practice
from thirdcard.cli.prompts import Asker, InputEnded, WentBack
from thirdcard.cli.road import print_board
from thirdcard.cli.unusual_cards import Unusual
from thirdcard.computing.games import find_game, find_house, must_fit
from thirdcard.folds.scoreboard import rounds_of_shoe, scoreboard
from thirdcard.game import commands as cmd
from thirdcard.game.betting import is_call_owed
from thirdcard.game.desk import QueryDesk
from thirdcard.game.irregularities.new_cards import not_chosen
from thirdcard.game.limits import limit_of
from thirdcard.game.state import Phase, PlacedWager
from thirdcard.money import parse_amount
from thirdcard.rulebook.shelf import SHIPPED
from thirdcard.rulebook.words import conditions_in_words, post_name, text

# words that something may follow
TAKE_MORE = (
    *("off", "buy", "card", "together", "correct", "disprove", "remove", "new", "wrong"),
    *("call", "announce", "method", "give", "device"),
)
# words that an irregularity does not keep waiting
ALWAYS = (
    *("wrong", "rules", "road", "bets", "help", "correct", "withdraw", "disprove", "owed"),
    *("close", "alarm"),
)
_WAGER = re.compile(r"(?P<amount>[0-9][0-9.,]*) +(?:on +)?(?P<wager>.+)")
_MISTAKEN = re.compile(r"(?P<amount>[0-9][0-9.,]*) +(?:on +)?(?P<wager>.+) to (?P<lay>.+)")
_OFF = re.compile(r"(?:(?P<amount>[0-9][0-9.,]*) +)?(?P<wager>.+)")
_BUY = re.compile(r"(?P<amount>[0-9][0-9.,]*)")


def table(
    game: str,
    *,
    seed: WholeNumber | None = None,
    house: str | None = None,
    shelf: OwnShelf = SHIPPED,
) -> None:
    """Practise at a table: place wagers, deal, and try out what happens when something goes wrong.

    You play the guest and every post of the house. `help` lists what can be typed.

    Parameters
    ----------
    game
        The id of a game, as `thirdcard rules list` prints it.
    seed
        A number that stands for a shoe: the same cards again every time.
    house
        The house to play at, by its id or as a file; without one the house that the rulebook names.
    """
    rulebook = find_game(game, shelf)
    place = find_house(house or rulebook.document.house, shelf)
    must_fit(rulebook, place)
    out = console()
    practice = Practice(rulebook, place, out, seed)
    try:
        PracticeSession(practice, Asker(out), seed).run()
    except (InputEnded, KeyboardInterrupt):
        out.print(text("practice.goodbye"))


class PracticeSession:
    """A session at the practice table, which carries out typed lines one by one."""

    def __init__(self, practice: Practice, asker: Asker, seed: WholeNumber | None) -> None:
        self.practice = practice
        self.asker = asker
        self.seed = seed
        self.unusual = Unusual(practice, asker)
        self.words: dict[str, Callable[[str], None]] = {
            "deal": lambda _: practice.deal(one=False),
            "card": self.unusual.card,
            "off": self.off,
            "again": lambda _: self.again(),
            "bets": lambda _: self.bets(),
            "wrong": self.wrong,
            "rules": lambda _: self.rules(),
            "road": lambda _: self.road(),
            "new": self.new,
            "keep": lambda _: self.keep(),
            "buy": self.buy,
            "remove": self.remove,
            "help": lambda _: self.help(),
            **self.unusual.words,
            "correct": self.correct,
        }

    def run(self) -> None:
        """Greet, set up, and take lines until there are no more."""
        say = self.asker.say
        say(text("practice.banner", game=self.practice.rulebook.name))
        if self.seed is not None:
            say(text("practice.seeded", seed=self.seed))
        self.practice.begin()
        self.practice.tell_balance()
        say(text("practice.begin"))
        while True:
            self._hint()
            line = self.asker.ask("> ")
            word, _, rest = line.partition(" ")
            if word.casefold() in ("quit", "exit", "q"):
                raise InputEnded
            try:
                self.take(line, word.casefold(), rest.strip())
            except WentBack:
                say(text("practice.went-back"))

    def take(self, line: str, word: str, rest: str) -> None:
        """One line: a command, or a wager."""
        found = _WAGER.fullmatch(line)
        if not line:
            return
        if word in self.words and (not rest or word in TAKE_MORE):
            if word in ALWAYS or not self.practice.held:
                self.words[word](rest)
        elif found:
            self.place(found["amount"], found["wager"])
        else:
            self.asker.say(text("practice.not-understood", line=line))

    def _hint(self) -> None:
        """Say what must come next, where something must."""
        self.unusual.tell_owed()
        table = self.practice.table
        shoe = table.shoe
        if is_call_owed(table):
            self.asker.say(text("practice.call-owed"))
        if self.practice.held:
            self.asker.say(text("practice.wrong-first"))
        elif table.case is not None:
            self.asker.say(text("practice.wrong-or-deal"))
        elif table.phase is not Phase.IDLE or shoe is None:
            return
        elif shoe.doubted_by is not None:
            self.asker.say(text("practice.new-or-whole"))
        elif shoe.patrons_choose:
            self.asker.say(text("practice.new-or-keep"))
        elif shoe.new_cards_due or not (shoe.left or table.strays):
            self.asker.say(text("practice.new-due"))
        elif table.free_hand_by is not None:
            self.asker.say(text("practice.free-hand-due"))
        elif shoe.rounds_left == 0 or not shoe.left:
            self.asker.say(text("practice.new-due"))

    # wagers

    def place(self, amount: str, name: str) -> None:
        """Place a wager or add to it; betting is opened for it if need be."""
        minor, wager = self._amount(amount), self._wager(name)
        if minor is None or wager is None:
            return
        if self.practice.held:
            return
        if minor > self.practice.balance:
            self.asker.say(text("practice.not-so-much", balance=self.practice.money(self.practice.balance)))
            return
        if self.practice.table.phase is Phase.IDLE and not self.practice.open():
            return
        body = cmd.PlaceWager(
            patron=GUEST,
            wager=wager,
            amount=minor,
            position=self._position(),
        )
        self.practice.do(body, GUEST)

    def off(self, rest: str) -> None:
        """Take chips off a wager: an amount, or all of it."""
        found = _OFF.fullmatch(rest)
        if found is None:
            self.asker.say(text("practice.off-what"))
            return
        wager = self._wager(found["wager"])
        if wager is None:
            return
        lying = next((each.stake for each in self._mine() if each.wager == wager), 0)
        minor = self._amount(found["amount"]) if found["amount"] else lying
        if minor is None:
            return
        body = cmd.ReduceWager(patron=GUEST, wager=wager, amount=minor, position=self._position())
        self.practice.do(body, GUEST)

    def remove(self, rest: str) -> None:
        """A post takes chips off to meet the differential."""
        found = _WAGER.fullmatch(rest)
        wager = self._wager(found["wager"]) if found else None
        minor = self._amount(found["amount"]) if found else None
        if found is None:
            self.asker.say(text("practice.remove-how"))
        elif wager is not None and minor is not None:
            self.unusual.remove(wager, minor, self._position())

    def correct(self, rest: str) -> None:
        """Two people correct a card, or a wager, that was entered wrongly."""
        found = _MISTAKEN.fullmatch(rest)
        if found is None:
            self.unusual.correct(rest)
            return
        wager, minor = self._wager(found["wager"]), self._amount(found["amount"])
        nothing = found["lay"].casefold() == "nothing"
        lay = None if nothing else self._wager(found["lay"])
        if wager is not None and minor is not None and (nothing or lay is not None):
            self.unusual.correct_wager(wager, minor, self._position(), lay)

    def again(self) -> None:
        """The wagers of the last round once more."""
        if not self.practice.last_wagers:
            self.asker.say(text("practice.nothing-to-repeat"))
            return
        if self.practice.table.phase is Phase.IDLE and not self.practice.open():
            return
        for wager, stake in self.practice.last_wagers.items():
            self.place(self.practice.money(stake).partition(" ")[0], wager)

    def bets(self) -> None:
        """Print the wagers on the layout, and what the guest has left."""
        rows = [(each.wager, self.practice.money(each.stake)) for each in self._mine()]
        if rows:
            print_table(None, (text("settle.wager"), text("settle.stake")), rows)
        else:
            self.asker.say(text("practice.no-wagers"))
        self.practice.tell_balance()

    def buy(self, rest: str) -> None:
        """More chips, or more credits."""
        found = _BUY.fullmatch(rest)
        minor = self._amount(found["amount"]) if found else None
        if found is None:
            self.asker.say(text("practice.buy-what"))
        elif minor is not None and self.practice.table.setup.terminal:
            self.practice.do(cmd.BuyCredits(terminal=GUEST, amount=minor), GUEST)
            self.practice.tell_balance()
        elif minor is not None:
            self.practice.purse += minor
            self.practice.tell_balance()

    def _mine(self) -> list[PlacedWager]:
        return [each for each in self.practice.table.wagers if each.patron == GUEST]

    def _position(self) -> int | None:
        return None if self.practice.table.setup.terminal else 1

    def _amount(self, typed: str) -> int | None:
        minor = parse_amount(typed, self.practice.house.currency)
        if minor is None:
            self.asker.say(text("round.bad-amount", text=typed))
        return minor

    def _wager(self, typed: str) -> str | None:
        """A wager by its id, its name, or the beginning of one of them that leaves no doubt."""
        wanted = "-".join(typed.casefold().split())
        wagers = self.practice.rulebook.wagers.values()
        names = {each.id: "-".join(each.name.casefold().split()) for each in wagers}
        for wager, name in names.items():
            if wanted in (wager, name):
                return wager
        near = [wager for wager, name in names.items() if wager.startswith(wanted) or name.startswith(wanted)]
        if len(near) == 1:
            return near[0]
        self.asker.say(text("practice.which-wager-meant", typed=typed, wagers=", ".join(near or names)))
        return None

    # everything else

    def wrong(self, rest: str) -> None:
        """Something went wrong, or more did while an irregularity is under way."""
        if rest in ("", "more"):
            lead_through(self.practice, self.asker, more=bool(rest))
        else:
            self.asker.say(text("practice.wrong-how"))

    def new(self, rest: str) -> None:
        """New cards: those that patrons choose, or those that come anyway; the burn may be forgotten."""
        if rest not in ("", "unburned"):
            self.asker.say(text("practice.new-how"))
            return
        shoe = self.practice.table.shoe
        if shoe is not None and shoe.patrons_choose:
            self._all_choose(replace=True)
        self.practice.new_shoe(burn=not rest)

    def keep(self) -> None:
        """The patrons keep the cards, or a post says that the set is whole."""
        shoe = self.practice.table.shoe
        doubted = shoe is not None and shoe.doubted_by is not None
        if shoe is not None and shoe.patrons_choose and not doubted:
            self._all_choose(replace=False)
            return
        post = post_name(self.practice.house.form.new_cards_decided_by) if doubted else self.practice.dealer
        self.practice.do(cmd.ChooseCards(replace=False), post)

    def _all_choose(self, *, replace: bool) -> None:
        """Everybody who was asked says the same about new cards; where nobody is, the Dealer does."""
        practice = self.practice
        desk = QueryDesk(practice.rulebook, practice.house, practice.table)
        for patron in not_chosen(desk) or (None,):
            practice.dealer_does(cmd.ChooseCards(replace=replace, patron=patron))

    def rules(self) -> None:
        """The pay table, and below it the posted limits."""
        practice = self.practice
        rows: list[tuple[str, ...]] = []
        limits: dict[tuple[int, int], list[str]] = {}
        for wager in practice.rulebook.wagers.values():
            limit = limit_of(practice.table, wager.id)
            limits.setdefault((limit.minimum, limit.maximum), []).append(wager.id)
            for number, row in enumerate(wager.rows):
                odds = row.odds.text if row.odds else text("show.stands-off")
                name = wager.id if number == 0 else ""
                rows.append((name, conditions_in_words(row.conditions), odds, ", ".join(row.clauses)))
        heads = ("show.wager", "show.when", "show.pays", "show.clause")
        print_table(practice.rulebook.name, tuple(text(head) for head in heads), rows)
        for (least, most), wagers in limits.items():
            said = {"least": practice.money(least), "most": practice.money(most)}
            self.asker.say(text("practice.limits", wager=", ".join(wagers), **said))

    def road(self) -> None:
        """The roads of this shoe."""
        print_board(scoreboard(rounds_of_shoe(self.practice.rulebook, self.practice.player.events)))

    def help(self) -> None:
        """Print the list of what can be typed."""
        rows = [
            (text("practice.typed-wager"), text("practice.help-wager")),
            (text("practice.typed-off"), text("practice.help-off")),
            ("again", text("practice.help-again")),
            ("bets", text("practice.help-bets")),
            ("deal", text("practice.help-deal")),
            ("card", text("practice.help-card")),
            (text("practice.typed-card"), text("practice.help-card-otherwise")),
            (text("practice.typed-together"), text("practice.help-together")),
            (text("practice.typed-correct"), text("practice.help-correct")),
            (text("practice.typed-correct-wager"), text("practice.help-correct-wager")),
            ("close", text("practice.help-close")),
            (text("practice.typed-call"), text("practice.help-call")),
            (text("practice.typed-announce"), text("practice.help-announce")),
            (text("practice.typed-method"), text("practice.help-method")),
            (text("practice.typed-give"), text("practice.help-give")),
            (text("practice.typed-device"), text("practice.help-device")),
            ("alarm", text("practice.help-alarm")),
            ("wrong", text("practice.help-wrong")),
            ("withdraw", text("practice.help-withdraw")),
            (text("practice.typed-disprove"), text("practice.help-disprove")),
            ("owed", text("practice.help-owed")),
            ("ask", text("practice.help-ask")),
            (text("practice.typed-remove"), text("practice.help-remove")),
            ("burn", text("practice.help-burn")),
            ("rules", text("practice.help-rules")),
            ("road", text("practice.help-road")),
            ("new", text("practice.help-new")),
            ("keep", text("practice.help-keep")),
            (text("practice.typed-buy"), text("practice.help-buy")),
            ("quit", text("practice.help-quit")),
        ]
        print_table(None, (text("practice.type"), text("practice.does")), rows)
        self.asker.say(text("practice.wagers", wagers=", ".join(self.practice.rulebook.wagers)))
