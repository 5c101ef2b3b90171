"""The automatic parts of a table: timers, automatic steps, card readers, alarms about its shoe."""
