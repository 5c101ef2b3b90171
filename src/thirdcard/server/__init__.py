"""The server: HTTP and WebSocket around the floor; the only door to Starlette and uvicorn."""
