"""What can be a name or an id: text that every store can hold and everybody can read back."""


def is_fit(name: str, longest: int) -> bool:
    """Whether text has something to read, nothing that cannot be seen, and no blank at either end."""
    return name.isprintable() and name == name.strip() and 0 < len(name) <= longest
