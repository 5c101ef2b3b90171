"""What leaves the server: the sections each viewer may see, moments, the lobby, pictures of roads."""
