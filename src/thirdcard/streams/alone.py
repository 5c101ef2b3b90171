"""Credits and chips that staff sell or cash out alone, counted at all tables of a house together."""

from thirdcard.floor.table_rules import MovesAlone, refuse_alone_elsewhere
from thirdcard.game.events import Event
from thirdcard.refusals import Refused
from thirdcard.streams.ahead import Accepted
from thirdcard.streams.service import Service


class AloneCredits:
    """Sends what one person does with credits or cash, one command at a time at all servers of the floor."""

    def __init__(self, service: Service) -> None:
        self._service = service

    async def send(
        self, table: str, body: MovesAlone, *, actor: str, command_id: str
    ) -> Accepted[Event] | Refused:
        """Have a command decided by a table, unless its sender moved too much alone elsewhere."""
        stream = self._service.table(table)
        async with self._service.exclusive():
            refused = self._refuse(table, body, actor)
            if refused is not None:
                return await stream.answered(body, actor=actor, command_id=command_id) or refused
            return await stream.send(body, actor=actor, command_id=command_id)

    def _refuse(self, table: str, body: MovesAlone, actor: str) -> Refused | None:
        books, states = self._service.books(table), self._service.table_states
        here = states.pop(table, None)
        if books is None or here is None:
            return None
        return refuse_alone_elsewhere(books.house, here, states.values(), body, actor)
