"""Thirdcard runs, proves and prices a baccarat table, every rule with its clause.

``import thirdcard as tc`` has ``tc.game``, ``tc.games``, ``tc.roads`` and ``tc.BadInput``: docs/python.md.
They are loaded when they are used, so that a command loads no more than it needs; ``__init__.pyi`` has their
types.
"""

import sys as _sys
from importlib import import_module as _import_module
from types import ModuleType as _ModuleType

__version__ = "0.1.0"
__all__ = ["BadInput", "Game", "__version__", "game", "games", "roads"]
_HOMES = {
    "BadInput": "thirdcard.computing.bad_input",
    "Game": "thirdcard.computing.game",
    "games": "thirdcard.computing.game",
    "roads": "thirdcard.computing.roads",
}


def __getattr__(name: str) -> object:
    """Load what scripts and notebooks use when they use it."""
    if name == "game":
        return _import_module("thirdcard.game")
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(_import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    """List what scripts and notebooks use, for completion."""
    return list(__all__)


class _CallableGame(_ModuleType):
    """The package of the engine, which is also called: ``tc.game("mbs-tiger-v3")``."""

    def __call__(self, name: object, **options: object) -> object:
        """Return a game by its id or by a rulebook file of your own, to compute with."""
        return _import_module("thirdcard.computing.game").game(name, **options)


class _Front(_ModuleType):
    """This package, in which the engine and the way to a game have one name."""

    def __setattr__(self, name: str, value: object) -> None:
        """Have the engine be called too; the import of a package sets it here."""
        if name == "game" and isinstance(value, _ModuleType):
            value.__class__ = _CallableGame
        super().__setattr__(name, value)


_sys.modules[__name__].__class__ = _Front
