"""State derived from events, one record at a time: ledger, meters, history, alerts, roads."""
