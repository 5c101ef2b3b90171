"""Files of one's own: a shipped one with a change."""

from importlib.resources import files
from pathlib import Path


def own_rulebook(folder: Path, old: str, new: str, *, times: int = 1) -> str:
    """The path of a rulebook in a folder, with one text put in the place of another."""
    return _changed("rulebooks/mbs-super-six-etg-v3.toml", folder / "mine.toml", old, new, times)


def own_house(folder: Path, old: str, new: str) -> str:
    """The path of a house file in a folder, with one text put in the place of another."""
    return _changed("houses/marina-bay-sands.toml", folder / "house.toml", old, new)


def house_in_whole_units(folder: Path) -> Path:
    """The path of a house file whose currency has no decimal places, and no chips of a part of a unit."""
    file = Path(own_house(folder, "exponent = 2", "exponent = 0"))
    text = file.read_text("utf-8").replace(', "0.50", "0.05", "0.01"]', "]")
    file.write_text(text.replace('"0.01"', '"1"'), "utf-8")
    return file


def _changed(shipped: str, file: Path, old: str, new: str, times: int = 1) -> str:
    text = files("thirdcard").joinpath(shipped).read_text("utf-8")
    assert old in text
    file.write_text(text.replace(old, new, times), "utf-8")
    return str(file)
