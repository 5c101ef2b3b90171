"""Sources of a card besides the top of the shoe, and the number of cards that hands begin with."""

INITIAL = 4  # cards that the hands have at first

# who draws a card that had been drawn in error and waited for its free hand
STRAY = "stray"

# who draws a card that had been set aside as a possible third card
RESERVE = "reserve"
