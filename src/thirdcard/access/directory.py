"""Sessions, people, accounts, terminals and tables, by name or token digest; renewed as the floor changes."""

import hashlib

from thirdcard.floor.state import Floor, Person, ServiceAccount, Session, TableDefinition, Terminal
from thirdcard.streams.service import FloorStream

_EMPTY = Floor()


def digest_of_token(token: str) -> str:
    """Return the digest that is recorded of a token; it tells nothing, since a token is random and long."""
    return hashlib.sha256(token.encode(errors="surrogatepass")).hexdigest()


class Directory:
    """Finds sessions, people, terminals and tables without going through all of them."""

    def __init__(self, stream: FloorStream) -> None:
        self._stream = stream
        self._of: Floor | None = None
        self._sessions: dict[str, Session] = {}
        self._people: dict[str, Person] = {}
        self._terminals: dict[str, Terminal] = {}
        self._accounts: dict[str, ServiceAccount] = {}
        self._tables: dict[str, TableDefinition] = {}

    @property
    def floor(self) -> Floor:
        """The floor as it is by now."""
        floor = self._stream.state or _EMPTY
        if floor is not self._of:
            self._of = floor
            self._sessions = {each.id: each for each in floor.sessions}
            self._people = {each.name: each for each in floor.people}
            self._terminals = {each.token: each for each in floor.terminals if each.token}
            self._accounts = {each.token: each for each in floor.accounts}
            self._tables = {each.setup.table: each for each in floor.tables}
        return floor

    # each looks at the floor first, so that it finds what is there by now

    def session(self, session_id: str) -> Session | None:
        """A session by its id."""
        return self._sessions.get(session_id) if self.floor.sessions else None

    def person(self, name: str) -> Person | None:
        """A person by name."""
        return self._people.get(name) if self.floor.people else None

    def terminal(self, digest: str) -> Terminal | None:
        """A terminal by the digest of its token."""
        return self._terminals.get(digest) if self.floor.terminals else None

    def account(self, digest: str) -> ServiceAccount | None:
        """A service account by the digest of its secret."""
        return self._accounts.get(digest) if self.floor.accounts else None

    def table(self, name: str) -> TableDefinition | None:
        """The definition of a table by its name."""
        return self._tables.get(name) if self.floor.tables else None
