"""All kinds of moments, told apart by ``kind``, which is the name of the event."""

from thirdcard.views.moments.at_table import TableMoment
from thirdcard.views.moments.in_cases import CaseMoment
from thirdcard.views.moments.in_disputes import DisputeMoment
from thirdcard.views.moments.in_round import RoundMoment
from thirdcard.views.moments.of_chips import ChipsMoment

Moment = TableMoment | RoundMoment | CaseMoment | DisputeMoment | ChipsMoment
