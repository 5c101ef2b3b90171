"""The card readers of a floor: each connects for the table that it names, where the floor expects one."""

from thirdcard.access.directory import Directory
from thirdcard.clockwork.reader import LineSink, LineSource, ReaderPort, ReaderServer
from thirdcard.streams.clock import Clock
from thirdcard.streams.service import Service


class Readers:
    """Takes the readers of all tables whose definition wants one."""

    def __init__(self, service: Service, clock: Clock) -> None:
        self._service = service
        self._clock = clock
        self._directory = Directory(service.floor)
        self._ports: dict[str, ReaderPort] = {}
        self._server = ReaderServer(self._port_of, clock)

    async def start(self, host: str, port: int) -> tuple[str, int]:
        """Begin to listen; the address at which it does."""
        return await self._server.start(host, port)

    async def talk(self, lines: LineSource, out: LineSink) -> None:
        """Talk with a reader that came in another way, until it goes."""
        await self._server.talk(lines, out)

    @property
    def connected(self) -> dict[str, bool]:
        """The tables that expect a reader, and whether it is there."""
        names = (each.setup.table for each in self._directory.floor.tables if each.reader is not None)
        return {name: name in self._ports and self._ports[name].connected for name in names}

    async def stop(self) -> None:
        """Let every reader go."""
        await self._server.close()
        for port in self._ports.values():
            await port.close()

    def _port_of(self, called: str) -> ReaderPort | None:
        """The port of a table; a reader writes a hyphen for a space in its name."""
        for definition in self._directory.floor.tables:
            name = definition.setup.table
            if called in (name, name.replace(" ", "-")) and definition.reader is not None:
                if name not in self._ports:
                    stream = self._service.table(name)
                    self._ports[name] = ReaderPort(stream, self._clock, role=definition.reader)
                return self._ports[name]
        return None
