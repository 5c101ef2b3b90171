"""The engine: pure functions over values, with no clock, dice, disk or network."""
