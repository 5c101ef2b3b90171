"""Who may come in and what they may do: sign-in, sessions, terminals and permission."""
