"""The imperative shell: tables served from the journal, with a clock, keys and dealing devices."""
