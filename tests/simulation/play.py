"""Plays a simulated evening from its seed, and judges it."""

import functools
import logging
from typing import Any
from unittest import mock

from simulation.floor import Evening, Wanted
from simulation.judgement import judge
from simulation.loop import simulate
from simulation.network import connecting

from thirdcard.client import line
from thirdcard.journal.codec import rulebook_from
from thirdcard.server import app
from thirdcard.server.openapi import describe, page
from thirdcard.server.routes import ROUTES
from thirdcard.server.screens import screens
from thirdcard.streams import tables
from thirdcard.wire.refusals import RefusedMessage


@functools.cache
def _description() -> dict[str, Any]:
    """The description of the API, which is the same for every server and long in the making."""
    return describe(tuple(route.described for route in ROUTES), RefusedMessage)


@functools.cache
def _page() -> str:
    return page(_description())


_screens = functools.cache(screens)  # read once from the disk

_rulebook_from = functools.cache(rulebook_from)  # the same for every server, and long in the making


def play(wanted: Wanted) -> Evening:
    """Play one evening; the evening as it was when everybody had gone, with what was wrong in it."""
    log = logging.getLogger("thirdcard")
    level = log.level
    log.setLevel(logging.CRITICAL)  # what goes wrong on purpose would be told at length
    try:
        return simulate(_evening(wanted), wanted.seed)
    finally:
        log.setLevel(level)


async def _evening(wanted: Wanted) -> Evening:
    evening = Evening(wanted)
    with (
        mock.patch.object(line, "connect", connecting(evening.network)),
        mock.patch.object(app, "describe", return_value=_description()),
        mock.patch.object(app, "page", return_value=_page()),
        mock.patch.object(app, "screens", _screens),
        mock.patch.object(tables, "rulebook_from", _rulebook_from),
    ):
        await evening.run()
        evening.trouble = await judge(evening)
    return evening
