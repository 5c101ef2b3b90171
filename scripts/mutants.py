"""Breaks the engine in small ways, one at a time, and counts how many of the breaks a test notices.

`scripts/soak mutants N` draws N changes evenly from all that can be made inside functions. It runs the unit
tests of the engine once, notes which test comes to which block of statements, and keeps that in .reports: the
next time it runs only tests whose file has changed, or all of them if the engine has. Then it runs for each
change, in a process of its own, tests that come to its block, the quickest of every file first, until one
fails or MUTANT_SECONDS of processor time are used. A change that alters nothing counts as one that survived,
and so does one for which the time did not suffice: the score is a lower bound. A test that runs on for ever
has failed. First it runs the tests of some blocks in the same way without any change: if one of them fails
there, nothing can be counted.
"""

from __future__ import annotations

import ast
import builtins
import copy
import functools
import gc
import hashlib
import importlib
import itertools
import json
import math
import operator
import os
import random
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any, NamedTuple

import pytest
from _pytest.runner import runtestprotocol

SOURCES = Path(__file__).parents[1] / "src"
CHANGED = ("game", "rulebook", "money.py", "access/permissions.py", "access/endpoints.py")
BLOCKS = SOURCES.parent / ".reports" / "blocks.json"
LISTS = ("body", "orelse", "finalbody")  # of statements, also in handlers and cases
MUTANT_SECONDS = 10  # of processor time for the tests of one change
TEST_SECONDS = 20  # of processor time for one test, and ten times what it takes without a change
WAIT_SECONDS = 600  # for one test that waits for something that does not come
CACHE = type(functools.cache(len))
NOTE = "__note_call__"
NOTED = ("thirdcard.game", "thirdcard.rulebook", "thirdcard.money", "thirdcard.access")
UNCHANGED = 2  # functions whose tests are run without a change first
COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
OPERATORS: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Add,
}


class Mutant(NamedTuple):
    """A change of one node of a function."""

    file: str
    line: int
    function: str
    block: int  # of statements, among those of the function
    number: int  # of the changed node among those of the function
    what: str


class Outcome(NamedTuple):
    """A change, whether a test noticed it, which one, how many tests come to it, and how many ran."""

    mutant: Mutant
    noticed: bool
    by: str
    tests: int
    run: int


class Caller(NamedTuple):
    """A test that comes to a block, and the processor time that it takes."""

    item: pytest.Item
    seconds: float


class Noted(NamedTuple):
    """The digest of a test's file, its processor time, and the blocks that it comes to, as bits."""

    digest: str
    seconds: float
    blocks: int


def changes(node: ast.AST) -> Iterator[tuple[str, Callable[[ast.AST], ast.AST]]]:
    """Every change that a node allows: what it is, and how it is made on a copy of the node."""
    match node:
        case ast.Compare(ops=[op]) if type(op) in COMPARISONS:
            other = COMPARISONS[type(op)]
            yield f"{type(op).__name__} to {other.__name__}", lambda each: _with(each, ops=[other()])
        case ast.BoolOp(op=ast.And()):
            yield "and to or", lambda each: _with(each, op=ast.Or())
        case ast.BoolOp(op=ast.Or()):
            yield "or to and", lambda each: _with(each, op=ast.And())
        case ast.UnaryOp(op=ast.Not()):
            yield "without not", lambda each: each.operand  # type: ignore[attr-defined]
        case ast.BinOp(op=op) if type(op) in OPERATORS:
            arithmetic = OPERATORS[type(op)]
            name = f"{type(op).__name__} to {arithmetic.__name__}"
            yield name, lambda each: _with(each, op=arithmetic())
        case ast.Constant(value=bool() as value):
            yield f"{value} to {not value}", lambda each: _with(each, value=not value)
        case ast.Constant(value=int() as value):
            yield f"{value} to {value + 1}", lambda each: _with(each, value=value + 1)
        case ast.Return(value=ast.expr() as returned) if not _is_none(returned):
            yield "returns None", lambda each: _with(each, value=ast.Constant(value=None))
        case ast.Expr(value=ast.Call()):
            yield "call left out", lambda each: ast.copy_location(ast.Pass(), each)
        case ast.IfExp():
            yield "the other branch", lambda each: _with(each, body=each.orelse, orelse=each.body)  # type: ignore[attr-defined]
        case _:
            return


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _with(node: ast.AST, **fields: Any) -> ast.AST:
    changed = copy.copy(node)
    for name, value in fields.items():
        setattr(changed, name, value)
    return changed


def functions(tree: ast.Module) -> Iterator[tuple[str, ast.FunctionDef]]:
    """The functions and methods of a module by their qualified names; nested ones belong to the outer one."""
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            yield node.name, node
        elif isinstance(node, ast.ClassDef):
            for inner in node.body:
                if isinstance(inner, ast.FunctionDef):
                    yield f"{node.name}.{inner.name}", inner


def points(function: ast.FunctionDef) -> list[tuple[ast.AST, str, Callable[[ast.AST], ast.AST]]]:
    """The changes of a function in the order of its nodes; annotations and asserts are left alone."""
    left_out = {
        id(inner)
        for node in ast.walk(function)
        for part in (
            getattr(node, "annotation", None),
            getattr(node, "returns", None),
            node if isinstance(node, ast.Assert) else None,
        )
        if part is not None
        for inner in ast.walk(part)
    }
    nodes = [node for part in function.body for node in ast.walk(part) if id(node) not in left_out]
    return [(node, what, make) for node in nodes for what, make in changes(node)]


def mutants() -> list[Mutant]:
    """Every change that can be made."""
    found = []
    for part in CHANGED:
        path = SOURCES / "thirdcard" / part
        for file in sorted(path.rglob("*.py")) if path.is_dir() else [path]:
            for name, function in functions(ast.parse(file.read_text("utf-8"))):
                within = {id(node): at for at, block in enumerate(blocks(function)) for node in inside(block)}
                for number, (node, what, _) in enumerate(points(function)):
                    line, at = getattr(node, "lineno", function.lineno), within[id(node)]
                    found.append(Mutant(str(file.relative_to(SOURCES)), line, name, at, number, what))
    return found


def blocks(function: ast.FunctionDef) -> list[list[ast.stmt]]:
    """The lists of statements of a function, the outer ones first."""
    lists = (getattr(node, field, None) for node in ast.walk(function) for field in LISTS)
    return [each for each in lists if isinstance(each, list) and each and isinstance(each[0], ast.stmt)]


def inside(block: list[ast.stmt]) -> Iterator[ast.AST]:
    """Everything in a block; what is in a deeper one comes again with that."""
    return (node for statement in block for node in ast.walk(statement))


class _Change(ast.NodeTransformer):
    def __init__(self, target: ast.AST, made: ast.AST) -> None:
        self._target, self._made = target, made

    def visit(self, node: ast.AST) -> ast.AST:
        return self._made if node is self._target else self.generic_visit(node)


def changed_code(mutant: Mutant) -> CodeType:
    """The code of the function with the change in it."""
    tree = ast.parse((SOURCES / mutant.file).read_text("utf-8"))
    function = next(each for name, each in functions(tree) if name == mutant.function)
    node, _, make = points(function)[mutant.number]
    _Change(node, ast.copy_location(make(node), node)).visit(tree)
    return _code(_compiled(tree, mutant.file), mutant.function)


def noting_codes(file: str) -> dict[str, CodeType]:
    """The code of every function of a file, without a change, which notes each block that it comes to."""
    tree = ast.parse((SOURCES / file).read_text("utf-8"))
    names = []
    for name, function in functions(tree):
        for at, block in enumerate(blocks(function)):
            key = ast.Constant(f"{file}:{name}:{at}")
            block.insert(0, ast.Expr(ast.Call(ast.Name(NOTE, ast.Load()), [key], [])))
        names.append(name)
    module = _compiled(tree, file)
    return {name: _code(module, name) for name in names}


def key_of(mutant: Mutant) -> str:
    """The name of a function in the whole tree."""
    return f"{mutant.file}:{mutant.function}"


def bits_of(everything: list[Mutant]) -> dict[str, int]:
    """A bit for every block in which something can be changed."""
    keys = dict.fromkeys(f"{key_of(each)}:{each.block}" for each in everything)
    return {key: 1 << number for number, key in enumerate(keys)}


def _compiled(tree: ast.Module, file: str) -> CodeType:
    code: CodeType = compile(ast.fix_missing_locations(tree), str(SOURCES / file), "exec")
    return code


def _code(module: CodeType, function: str) -> CodeType:
    code = module
    for name in function.split("."):
        code = next(each for each in code.co_consts if isinstance(each, CodeType) and each.co_name == name)
    return code


def original(mutant: Mutant) -> FunctionType:
    """The function as it was imported, without what is wrapped around it; what it remembers is forgotten."""
    found: Any = importlib.import_module(mutant.file.removesuffix(".py").replace("/", "."))
    for name in mutant.function.split("."):
        found = vars(found)[name]
    while not isinstance(found, FunctionType):
        if isinstance(found, functools.cached_property):
            found = found.func
        elif isinstance(found, property):
            found = found.fget
        elif isinstance(found, staticmethod | classmethod):
            found = found.__func__
        else:
            found.cache_clear()
            found = found.__wrapped__
    return found


class Mutation:
    """Takes the place of pytest's loop over its tests."""

    def __init__(self, number: int, seed: int, minutes: float) -> None:
        self.number, self.seed, self.minutes = number, seed, minutes
        self.outcomes: list[Outcome] = []
        self.drawn = 0

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Note who calls what, then try the changes."""
        everything = mutants()
        chosen = random.Random(self.seed).sample(everything, min(self.number, len(everything)))
        self.drawn = len(everything)
        print(f"{len(everything)} changes can be made; {len(chosen)} drawn with seed {self.seed}", flush=True)
        bits = bits_of(everything)
        noted = note_blocks(session.items, everything, bits)
        gc.collect()
        caches = all_caches()
        gc.freeze()  # forked processes share what is there

        def tests_of(mutant: Mutant) -> list[Caller]:
            return callers(bits[f"{key_of(mutant)}:{mutant.block}"], session.items, noted)

        for mutant in chosen[:UNCHANGED]:
            unchanged = try_out(mutant, tests_of(mutant), [])
            if unchanged.noticed:
                pytest.exit(f"{unchanged.by} fails without any change", returncode=2)
        until = time.monotonic() + self.minutes * 60
        for mutant in chosen:
            if time.monotonic() > until:
                print(f"the time is up after {len(self.outcomes)} changes", flush=True)
                break
            found = try_out(mutant, tests_of(mutant), caches)
            self.outcomes.append(found)
            told = "noticed" if found.noticed else "SURVIVED"
            place = f"{mutant.file}:{mutant.line} {mutant.function}"
            print(
                f"{told} {place}: {mutant.what} ({found.run} of {found.tests} tests, {found.by})", flush=True
            )
        return True


def note_blocks(items: list[pytest.Item], everything: list[Mutant], bits: dict[str, int]) -> dict[str, Noted]:
    """Run every test that is not noted yet; the blocks that each test comes to.

    What a function remembers hides calls, so caches are emptied before each test, and those of the rulebooks,
    which take long to read, before the tests of rulebooks.
    """
    BLOCKS.parent.mkdir(exist_ok=True)
    files = sorted({each.file for each in everything})
    sources = hashlib.sha256(b"".join((SOURCES / each).read_bytes() for each in files)).hexdigest()
    kept = json.loads(BLOCKS.read_text("utf-8")) if BLOCKS.exists() else {}
    noted = {name: Noted(*each) for name, each in kept.get(sources, {}).items()}
    digests = {each: hashlib.sha256(each.read_bytes()).hexdigest() for each in {item.path for item in items}}
    left = [
        each for each in items if each.nodeid not in noted or noted[each.nodeid].digest != digests[each.path]
    ]
    called: set[str] = set()
    setattr(builtins, NOTE, called.add)
    originals = {key_of(each): original(each) for each in everything}
    codes = {key: function.__code__ for key, function in originals.items()}
    for file in {each.file for each in everything}:
        for name, code in noting_codes(file).items():
            if (key := f"{file}:{name}") in originals:
                originals[key].__code__ = code
    caches = [
        each
        for each in all_caches()
        if each.__module__.startswith(NOTED) or not each.__module__.startswith("thirdcard")
    ]
    for number, (item, after) in enumerate(itertools.zip_longest(left, left[1:])):
        if number % 500 == 0:
            print(f"{number} of {len(left)} tests noted", flush=True)
            BLOCKS.write_text(json.dumps({sources: noted}), "utf-8")
        forget(caches, rulebooks="tests/rulebook" in item.nodeid)
        called.clear()
        begun = time.process_time()
        if _fails(item, after):
            pytest.exit(f"{item.nodeid} fails without any change", returncode=2)
        seconds = time.process_time() - begun
        blocks_of_test = functools.reduce(operator.or_, (bits.get(each, 0) for each in called), 0)
        noted[item.nodeid] = Noted(digests[item.path], seconds, blocks_of_test)
    for key, function in originals.items():
        function.__code__ = codes[key]
    BLOCKS.write_text(json.dumps({sources: noted}), "utf-8")
    return noted


def callers(block: int, items: list[pytest.Item], noted: dict[str, Noted]) -> list[Caller]:
    """The tests that come to a block, the quickest first, so that every file has its share of the time."""
    calling = [each for each in items if noted[each.nodeid].blocks & block]
    found = sorted(
        (Caller(each, noted[each.nodeid].seconds) for each in calling), key=lambda each: each.seconds
    )
    used: dict[Path, float] = {}
    ordered = []
    for place, each in enumerate(found):
        used[each.item.path] = used.get(each.item.path, 0.0) + each.seconds
        ordered.append((used[each.item.path], place, each))
    return [each for _, _, each in sorted(ordered, key=lambda one: one[:2])]


def try_out(mutant: Mutant, tests: list[Caller], caches: list[Any]) -> Outcome:
    """Run tests in a process of its own, with the change; without caches to forget there is no change."""
    function, code = original(mutant), changed_code(mutant)
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        if caches:
            function.__code__ = code
            forget(caches, rulebooks=mutant.file.startswith("thirdcard/rulebook"))
        try:
            _run_tests(tests, writing)
        finally:
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        told = pipe.read().decode(errors="replace")
    _, status = os.waitpid(child, 0)
    by = told.lstrip(".")
    run = len(told) - len(by)
    if status != 0:
        by = by or f"{tests[run - 1].item.nodeid} took too long, or the process died"
    return Outcome(mutant, bool(by), by, len(tests), run)


def _run_tests(tests: list[Caller], writing: int) -> None:
    """Run tests until one fails; write a dot for each, and the name of the one that failed."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)
    for test, after in itertools.zip_longest(tests, tests[1:]):
        if time.process_time() > MUTANT_SECONDS:
            return
        signal.setitimer(signal.ITIMER_PROF, TEST_SECONDS + 10 * test.seconds)
        signal.alarm(WAIT_SECONDS)
        os.write(writing, b".")
        if _fails(test.item, after and after.item):
            os.write(writing, test.item.nodeid.encode()[:1000])
            return


def all_caches() -> list[Any]:
    """The functions that remember what they returned."""
    return [each for each in gc.get_objects() if isinstance(each, CACHE)]


def forget(caches: list[Any], *, rulebooks: bool) -> None:
    """Forget what was computed; reading all rulebooks again is spared where it can be."""
    for each in caches:
        if rulebooks or not each.__module__.startswith("thirdcard.rulebook."):
            each.cache_clear()


def _fails(item: pytest.Item, after: pytest.Item | None) -> bool:
    return any(each.failed for each in runtestprotocol(item, log=False, nextitem=after))


def interval(noticed: int, number: int) -> tuple[float, float]:
    """Wilson's interval at 95 per cent for a share."""
    z, share = 1.96, noticed / number
    middle = (share + z * z / (2 * number)) / (1 + z * z / number)
    half = z * math.sqrt(share * (1 - share) / number + z * z / (4 * number * number)) / (1 + z * z / number)
    return middle - half, middle + half


def run(number: int, seed: int, minutes: float) -> int:
    """Try so many changes; the exit status."""
    loop = Mutation(number, seed, minutes)
    tests = [
        "tests/game",
        "tests/rulebook",
        "tests/pure",
        "tests/access",
        "tests/roundfile",
        "tests/floor",
        "tests/folds",
        "tests/views",
        "tests/auditor",
        "tests/machines",
    ]
    quiet = ["-p", "no:cacheprovider", "-m", "not sweep and not timed"]
    status = pytest.main([*quiet, *tests], plugins=[loop])
    if status != 0 or not loop.outcomes:
        print(f"the tests could not be run: {status!s}")
        return 2
    tried = len(loop.outcomes)
    survived = [each.mutant for each in loop.outcomes if not each.noticed]
    noticed = tried - len(survived)
    low, high = interval(noticed, tried)
    print(f"{noticed} of {tried} noticed: {noticed / tried:.1%}, 95% {low:.1%} to {high:.1%}")
    for each in survived:
        print(f"    {each.file}:{each.line} {each.function}: {each.what}")
    return 0
