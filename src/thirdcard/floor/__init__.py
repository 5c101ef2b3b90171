"""The floor around the tables: people, sessions, terminals, definitions of tables; pure, like the game."""
