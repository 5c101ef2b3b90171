"""What a table does by itself: timers, automatic steps, card readers, alarms about its shoe."""
