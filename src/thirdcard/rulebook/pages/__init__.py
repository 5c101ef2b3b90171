"""A rulebook as people read it: printed, compared with another, and measured by its evidence."""
