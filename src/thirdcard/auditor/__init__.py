"""The auditor: reads what was written down at a table, and has an opinion of its own."""
