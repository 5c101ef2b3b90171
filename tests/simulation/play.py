"""Plays a simulated evening from its seed, and judges it."""

import logging
from unittest import mock

from simulation.floor import Evening, Wanted
from simulation.judgement import judge
from simulation.loop import simulate
from simulation.network import connecting
from simulation.shortcuts import Shortcuts

from thirdcard.client import line

LONGEST = 2.0  # times as long as patrons come


def play(wanted: Wanted) -> Evening:
    """Play one evening; the evening as it was when everybody had gone, with what was wrong in it."""
    log = logging.getLogger("thirdcard")
    level = log.level
    log.setLevel(logging.CRITICAL)  # what goes wrong on purpose would be told at length
    try:
        return simulate(_evening(wanted), wanted.seed, LONGEST * wanted.last_try)
    finally:
        log.setLevel(level)


async def _evening(wanted: Wanted) -> Evening:
    shortcuts = Shortcuts()
    evening = Evening(wanted, shortcuts.forget)
    with mock.patch.object(line, "connect", connecting(evening.network)), shortcuts.taken():
        await evening.run()
        evening.trouble = await judge(evening)
    return evening
