"""Proofs that a leaf is in a tree: collected while the tree grows, and checked by two programs."""

import hashlib

from thirdcard import verifier
from thirdcard.journal.merkle import Paths, leads_to, leaf, path_of, root_of

MOST = 40
LEAVES = tuple(leaf(bytes([number])) for number in range(MOST))


def test_paths_collected_on_the_way_are_those_of_the_whole_tree() -> None:
    for size in range(1, MOST + 1):
        paths = Paths(range(size))
        for each in LEAVES[:size]:
            paths.add(each)
        assert paths.finish() == {index: path_of(LEAVES[:size], index) for index in range(size)}


def test_only_wanted_paths_are_collected() -> None:
    paths = Paths((3, 17))
    for each in LEAVES[:29]:
        paths.add(each)
    assert paths.finish() == {index: path_of(LEAVES[:29], index) for index in (3, 17)}


def test_a_path_leads_to_the_root_from_its_own_place_alone() -> None:
    for size in range(1, MOST + 1):
        root = root_of(LEAVES[:size])
        for index in range(size):
            path = path_of(LEAVES[:size], index)
            for at in range(size + 1):
                right = at == index
                found = leads_to(leaf_hash=LEAVES[index], index=at, size=size, path=path, root=root)
                assert found is right
                assert verifier.leads_to(LEAVES[index], at, size, list(path), root) is right


def test_a_path_that_is_cut_lengthened_or_altered_leads_nowhere() -> None:
    size, index = 29, 17
    root, path = root_of(LEAVES[:size]), path_of(LEAVES[:size], index)
    for wrong in (path[:-1], (*path, path[0]), path[::-1], (hashlib.sha256(b"").digest(), *path[1:])):
        assert not leads_to(leaf_hash=LEAVES[index], index=index, size=size, path=wrong, root=root)
        assert not verifier.leads_to(LEAVES[index], index, size, list(wrong), root)
    assert not verifier.leads_to(LEAVES[index], -1, size, list(path), root)
