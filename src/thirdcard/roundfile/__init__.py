"""Rounds written down as plain text: what happened line by line, and what followed from it."""
