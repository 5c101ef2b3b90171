"""Made-up evenings at tables of all games: whatever is asked, everything that must hold holds."""

from collections.abc import Callable
from typing import Any

from hypothesis import Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule
from machines.commands import games, make_command, make_house, make_temper
from machines.dice import DrawnDice, pick
from machines.evening import Evening, telling

from thirdcard.game import commands as cmd
from thirdcard.rulebook.shelf import SHIPPED

Draw = Callable[[st.SearchStrategy[Any]], Any]


@st.composite
def evenings(draw: Draw) -> Evening:
    """A table that is about to be set up, at one of the games."""
    dice = DrawnDice(draw)
    rulebook = pick(dice, games())
    house = make_house(dice, SHIPPED.house(rulebook.document.house))
    return Evening(rulebook, house, make_temper(dice))


@st.composite
def commands(draw: Draw) -> cmd.Command:
    """The next command at the machine's table."""
    return make_command(DrawnDice(draw), draw(st.runner()).evening.scene)


class TableMachine(RuleBasedStateMachine):
    """Sends one command after another; the evening looks at everything after each."""

    def __init__(self) -> None:
        super().__init__()
        self.evening: Evening

    @initialize(evening=evenings())
    def begin(self, evening: Evening) -> None:
        """Choose the game."""
        self.evening = evening

    @rule(command=commands())
    def ask(self, command: cmd.Command) -> None:
        """Ask for something; a table that has just been set up gets ready."""
        bare = self.evening.table is None
        with telling(self.evening):
            self.evening.do(command)
            if bare and self.evening.table is not None:
                self.evening.get_ready()

    def teardown(self) -> None:
        """The evening can be replayed."""
        with telling(self.evening):
            self.evening.finish()


# `scripts/soak table N` does more
# a failing evening is told by the commands that it needs; shrinking its choices would take minutes
TableMachine.TestCase.settings = settings(
    max_examples=60, stateful_step_count=100, phases=(Phase.explicit, Phase.generate)
)
TestTable = TableMachine.TestCase
