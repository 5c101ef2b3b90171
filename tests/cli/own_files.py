"""Files of one's own: a shipped one with a change."""

from importlib.resources import files
from pathlib import Path


def own_rulebook(folder: Path, old: str, new: str, *, times: int = 1) -> str:
    """The path of a rulebook in a folder, with one text put in the place of another."""
    return _changed("rulebooks/mbs-super-six-etg-v3.toml", folder / "mine.toml", old, new, times)


def own_house(folder: Path, old: str, new: str) -> str:
    """The path of a house file in a folder, with one text put in the place of another."""
    return _changed("houses/marina-bay-sands.toml", folder / "house.toml", old, new)


def _changed(shipped: str, file: Path, old: str, new: str, times: int = 1) -> str:
    text = files("thirdcard").joinpath(shipped).read_text("utf-8")
    assert old in text
    file.write_text(text.replace(old, new, times), "utf-8")
    return str(file)
