"""Thirdcard runs, proves and prices a baccarat table, every rule with its clause."""

__version__ = "0.1.0"
