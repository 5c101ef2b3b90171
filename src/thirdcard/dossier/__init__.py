"""Everything about one round for somebody who was not there: told, proven, and bound together."""
