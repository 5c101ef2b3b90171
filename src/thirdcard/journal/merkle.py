"""Merkle trees as RFC 6962 has them: over the records of a stream and over the cards of a shoe."""

import functools
import hashlib
from collections.abc import Iterable, Sequence

from msgspec import Struct

HASH_BYTES = 32
EMPTY_ROOT = hashlib.sha256(b"").digest()


def leaf(data: bytes) -> bytes:
    """The hash of a leaf."""
    return hashlib.sha256(b"\x00" + data).digest()


def node(left: bytes, right: bytes) -> bytes:
    """The hash of a node over its two children."""
    return hashlib.sha256(b"\x01" + left + right).digest()


# neighbours in a tree share the nodes above them; so many are at hand that all of a large tree's height are
_shared_node = functools.lru_cache(maxsize=64)(node)


class Frontier(Struct, frozen=True):
    """A tree that only grows: its size, and the roots of its full subtrees, largest first."""

    size: int = 0
    roots: tuple[bytes, ...] = ()

    def grown(self, leaf_hash: bytes) -> "Frontier":
        """The tree with one leaf more."""
        size = self.size
        if not size & 1:
            return Frontier(size + 1, (*self.roots, leaf_hash))
        roots, top = list(self.roots), leaf_hash
        while size & 1:
            top = node(roots.pop(), top)
            size >>= 1
        return Frontier(self.size + 1, (*roots, top))

    @property
    def root(self) -> bytes:
        """The hash over all leaves so far."""
        if not self.roots:
            return EMPTY_ROOT
        *larger, top = self.roots
        for each in reversed(larger):
            top = node(each, top)
        return top


def frontier_from(size: int, joined: bytes) -> Frontier:
    """Return a tree of a size by its roots, which are joined."""
    return Frontier(size, tuple(joined[at : at + HASH_BYTES] for at in range(0, len(joined), HASH_BYTES)))


class Paths:
    """Collects the paths of some leaves while a tree grows, so that the leaves need not be kept."""

    def __init__(self, wanted: Iterable[int]) -> None:
        self._paths: dict[int, list[bytes]] = {index: [] for index in wanted}
        self._parts: list[_Part] = []
        self._size = 0

    def add(self, leaf_hash: bytes) -> None:
        """Take in the next leaf."""
        part = _Part(1, leaf_hash, (self._size,) if self._size in self._paths else ())
        self._size += 1
        while self._parts and self._parts[-1].size == part.size:
            part = self._join(self._parts.pop(), part)
        self._parts.append(part)

    def finish(self) -> dict[int, tuple[bytes, ...]]:
        """The paths by index, nearest first, in the tree over all leaves so far."""
        while len(self._parts) > 1:
            right = self._parts.pop()
            self._parts.append(self._join(self._parts.pop(), right))
        return {index: tuple(path) for index, path in self._paths.items()}

    def _join(self, left: "_Part", right: "_Part") -> "_Part":
        for index in left.wanted:
            self._paths[index].append(right.root)
        for index in right.wanted:
            self._paths[index].append(left.root)
        return _Part(left.size + right.size, node(left.root, right.root), left.wanted + right.wanted)


class _Part(Struct, frozen=True):
    """A full subtree, and which leaves in it are wanted."""

    size: int
    root: bytes
    wanted: tuple[int, ...]


def root_of(leaves: Sequence[bytes]) -> bytes:
    """The root over leaf hashes."""
    tree = Frontier()
    for each in leaves:
        tree = tree.grown(each)
    return tree.root


def path_of(leaves: Sequence[bytes], index: int) -> tuple[bytes, ...]:
    """The hashes that lead from a leaf to the root, nearest first."""
    if len(leaves) <= 1:
        return ()
    half = _half(len(leaves))
    if index < half:
        return (*path_of(leaves[:half], index), root_of(leaves[half:]))
    return (*path_of(leaves[half:], index - half), root_of(leaves[:half]))


def paths_of(leaves: Sequence[bytes]) -> tuple[bytes, list[bytes]]:
    """The root over leaf hashes, and the path of every leaf, nearest first, its hashes joined."""
    parts = [(each, [b""]) for each in leaves]
    while len(parts) > 1:
        pairs = zip(parts[::2], parts[1::2], strict=False)
        above = [
            (node(left, right), [path + right for path in to_left] + [path + left for path in to_right])
            for (left, to_left), (right, to_right) in pairs
        ]
        parts = [*above, parts[-1]] if len(parts) & 1 else above
    return parts[0]


def leads_to(*, leaf_hash: bytes, index: int, size: int, path: Sequence[bytes], root: bytes) -> bool:
    """Whether a leaf at an index of a tree of a size has this root, by its path."""
    return root_by_path(leaf_hash=leaf_hash, index=index, size=size, path=path) == root


def root_by_path(*, leaf_hash: bytes, index: int, size: int, path: Sequence[bytes]) -> bytes | None:
    """The root to which a leaf at an index of a tree of a size leads by its path; nothing where none fits."""
    if not 0 <= index < size:
        return None
    here, last, top = index, size - 1, leaf_hash
    for each in path:
        if last == 0:
            return None
        if here & 1 or here == last:
            top = _shared_node(each, top)
            while not here & 1 and here:
                here, last = here >> 1, last >> 1
        else:
            top = _shared_node(top, each)
        here, last = here >> 1, last >> 1
    return top if last == 0 else None


def _half(size: int) -> int:
    """The largest power of two below a size."""
    return 1 << ((size - 1).bit_length() - 1)
