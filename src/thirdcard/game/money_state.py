"""Money outside a round as a table knows it: requests that a patron is to confirm, and acts still unseen."""

from msgspec import Struct

from thirdcard.rulebook.house import MoneyAct


class CreditRequest(Struct, frozen=True):
    """Credits that staff are to sell or cash out, once the patron has confirmed it at the terminal."""

    id: int
    act: MoneyAct
    terminal: str
    amount: int
    by: str
    second: str | None
    reason: str


class UnseenMoney(Struct, frozen=True):
    """Money that the same people moved in the same way for a patron, until somebody else acknowledges it.

    ``id`` is the number of the last of these acts, ``times`` how many they are, ``amount`` their sum.
    """

    id: int
    act: MoneyAct
    by: str
    second: str | None
    patron: str
    amount: int
    times: int = 1

    @property
    def people(self) -> tuple[str, ...]:
        """Those who did it, and so do not acknowledge it."""
        return (self.by, self.second) if self.second else (self.by,)

    def is_more_of(self, other: "UnseenMoney") -> bool:
        """Whether this is one more act of the same people, in the same way, for the same patron."""
        return (self.act, self.by, self.second, self.patron) == (
            other.act,
            other.by,
            other.second,
            other.patron,
        )
