"""The data that leaves the server: sections for each viewer, moments, the lobby, pictures of roads."""
