"""Streams served from the journal: queue, decide, append, fold, snapshot, recover."""
