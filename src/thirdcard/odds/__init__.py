"""The numbers: exact odds of every wager for any shoe."""
