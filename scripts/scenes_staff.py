"""Scenes at staff consoles."""
from scenes import Scene
STAFF: tuple[Scene, ...] = ()
