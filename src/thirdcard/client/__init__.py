"""A small typed client of a floor's server, over HTTP and over a socket, and a bot that plays a terminal."""
