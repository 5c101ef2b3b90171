"""The types of what scripts and notebooks use."""

from thirdcard.computing.bad_input import BadInput as BadInput
from thirdcard.computing.game import Game as Game
from thirdcard.computing.game import game as game
from thirdcard.computing.game import games as games
from thirdcard.computing.roads import roads as roads

__version__: str
