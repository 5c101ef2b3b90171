"""The sections of what a screen shows: a client keeps them by name, and gets those that have changed."""
