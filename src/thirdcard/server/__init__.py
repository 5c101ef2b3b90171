"""The floor over HTTP and WebSocket; the only door to the web framework."""
