"""Moments: an event as each viewer may learn of it, one kind for each kind of event."""
