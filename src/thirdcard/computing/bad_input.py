"""The one exception of scripts and of the command line."""


class BadInput(Exception):
    """Something the caller must change: where, what, and what to do."""
