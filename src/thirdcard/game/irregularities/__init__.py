"""Irregularities: claims held against the table, cases, effects and obligations, rulings, corrections."""
