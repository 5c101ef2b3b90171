"""What patrons won and lost comes out to the cent, also after a correction or an award."""

import pytest

from thirdcard.game import events as ev
from thirdcard.projections.ledger import HOUSE, Sums, balances, sums

OPENED = ev.DisputeOpened(id=1, patron="Ann", about="a tie")
PAID_WRONGLY = ev.WrongPaymentFound(patron="Ann", amount=10000)
TAKEN_BACK = ev.PaymentCorrected(patron="Ann", amount=10000)


def decided(award: int) -> ev.DisputeDecided:
    return ev.DisputeDecided(id=1, decision="upheld", sources=("law",), award=award, by="Pit Manager")


@pytest.mark.parametrize(
    ("events", "won"),
    [
        ((OPENED, decided(5000)), 5000),
        ((OPENED, decided(0)), 0),
        ((PAID_WRONGLY,), 10000),
        ((TAKEN_BACK,), -10000),
        ((PAID_WRONGLY, TAKEN_BACK), 0),
        ((PAID_WRONGLY, TAKEN_BACK, OPENED, decided(2500)), 2500),
    ],
)
def test_wrong_payments_corrections_and_awards_count_as_won(events: tuple[ev.Event, ...], won: int) -> None:
    assert sums(events) == {"Ann": Sums(won=won)}
    assert balances(events)[HOUSE] == -won
