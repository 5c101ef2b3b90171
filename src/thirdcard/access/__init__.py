"""Sign-in, sessions, terminals and permissions: who may come in and what they may do."""
