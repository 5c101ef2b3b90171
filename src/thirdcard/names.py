"""The texts that can be a name or an id: every store can hold them and everybody can read them back."""


def is_fit(name: str, longest: int) -> bool:
    """Whether text has something to read, nothing that cannot be seen, and no blank at either end."""
    return name.isprintable() and name == name.strip() and 0 < len(name) <= longest
