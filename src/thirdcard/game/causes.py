"""Causes for which the table leaves something to the post for what no rule covers."""

import enum


class Cause(enum.Enum):
    """A happening that the table notices by itself and that no clause covers."""

    NO_CLOSING_CALL = "no-closing-call"
    CHIPS_BEFORE_THE_CALL = "chips-before-the-call"
    CARD_DURING_A_CASE = "card-during-a-case"
    DRAWN_BY_ANOTHER = "drawn-by-another"
    FOURTH_CARD = "fourth-card"
    WAGER_TOO_MANY = "wager-too-many"
    PATRON_NOT_ASKED = "patron-not-asked"
    CARD_CORRECTED = "card-corrected"
    PATRONS_DISAGREE = "patrons-disagree"
