"""Breaks the engine in small ways, one at a time, and counts how many of the breaks a test notices.

`scripts/soak mutants N` runs the unit tests of the engine once and notes which test calls which function.
Then it draws N changes evenly from all that can be made inside functions, and runs for each, in a process of
its own, the tests that call the changed function, the quickest first, until one fails. A change that alters
nothing counts as one that survived. First it runs the tests of some functions in the same way without any
change: if one of them fails there, nothing can be counted.
"""

from __future__ import annotations

import ast
import copy
import functools
import gc
import importlib
import math
import os
import random
import signal
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any, NamedTuple

import pytest
from _pytest.runner import runtestprotocol

SOURCES = Path(__file__).parents[1] / "src"
CHANGED = ("game", "rulebook", "money.py", "access/permissions.py", "access/endpoints.py")
LONGEST_SECONDS = 120  # a change that makes a test run on for ever is noticed
CACHE = type(functools.cache(len))
UNCHANGED = 10  # functions whose tests are run without a change first
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
    number: int  # of the changed node among those of the function
    what: str


class Outcome(NamedTuple):
    """A change, whether a test noticed it, which one, and how many tests call the function."""

    mutant: Mutant
    noticed: bool
    by: str
    tests: int
    seconds: float


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
                for number, (node, what, _) in enumerate(points(function)):
                    line = getattr(node, "lineno", function.lineno)
                    found.append(Mutant(str(file.relative_to(SOURCES)), line, name, number, what))
    return found


class _Change(ast.NodeTransformer):
    def __init__(self, target: ast.AST, made: ast.AST) -> None:
        self._target, self._made = target, made

    def visit(self, node: ast.AST) -> ast.AST:
        return self._made if node is self._target else self.generic_visit(node)


def changed_code(mutant: Mutant) -> CodeType:
    """The code of the function with the change in it."""
    file = SOURCES / mutant.file
    tree = ast.parse(file.read_text("utf-8"))
    function = next(each for name, each in functions(tree) if name == mutant.function)
    node, _, make = points(function)[mutant.number]
    _Change(node, ast.copy_location(make(node), node)).visit(tree)
    code: CodeType = compile(ast.fix_missing_locations(tree), str(file), "exec")
    for name in mutant.function.split("."):
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
        wanted = {(str(SOURCES / each.file), each.function) for each in chosen}
        callers = note_callers(session.items, wanted)

        def tests_of(mutant: Mutant) -> list[pytest.Item]:
            return callers.get((str(SOURCES / mutant.file), mutant.function), [])

        for mutant in chosen[:UNCHANGED]:
            unchanged = try_out(mutant, tests_of(mutant), change=False)
            if unchanged.noticed:
                pytest.exit(f"{unchanged.by} fails without any change", returncode=2)
        until = time.monotonic() + self.minutes * 60
        for mutant in chosen:
            if time.monotonic() > until:
                print(f"the time is up after {len(self.outcomes)} changes", flush=True)
                break
            found = try_out(mutant, tests_of(mutant), change=True)
            self.outcomes.append(found)
            told = "noticed" if found.noticed else "SURVIVED"
            place = f"{mutant.file}:{mutant.line} {mutant.function}"
            print(f"{told} {place}: {mutant.what} ({found.tests} tests, {found.by})", flush=True)
        return True


def note_callers(
    items: list[pytest.Item], wanted: set[tuple[str, str]]
) -> dict[tuple[str, str], list[pytest.Item]]:
    """Run every test once; which of them call which of the functions, the quickest first."""
    callers: dict[tuple[str, str], list[tuple[float, int, pytest.Item]]] = {}
    for number, item in enumerate(items):
        called: set[tuple[str, str]] = set()

        def note(frame: Any, event: str, _: object, called: set[tuple[str, str]] = called) -> None:
            if event == "call":
                called.add((frame.f_code.co_filename, frame.f_code.co_qualname))

        begun = time.perf_counter()
        sys.setprofile(note)
        reports = runtestprotocol(item, log=False, nextitem=None)
        sys.setprofile(None)
        if any(each.failed for each in reports):
            pytest.exit(f"{item.nodeid} fails without any change", returncode=2)
        for each in called & wanted:
            callers.setdefault(each, []).append((time.perf_counter() - begun, number, item))
    return {
        each: [item for _, _, item in sorted(found, key=lambda one: one[:2])]
        for each, found in callers.items()
    }


def try_out(mutant: Mutant, items: list[pytest.Item], *, change: bool) -> Outcome:
    """Run the tests that call a function, in a process of its own, with the change made or without it."""
    begun = time.monotonic()
    function, code = original(mutant), changed_code(mutant)
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, 1)
        os.dup2(nowhere, 2)
        signal.alarm(LONGEST_SECONDS)
        if change:
            function.__code__ = code
            forget(mutant)
        by = next((item.nodeid for item in items if _fails(item)), "")
        os.write(writing, by.encode()[:1000])
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        by = pipe.read().decode(errors="replace")
    _, status = os.waitpid(child, 0)
    if status != 0:
        by = by or "took too long, or the process died"
    return Outcome(mutant, bool(by), by, len(items), time.monotonic() - begun)


def forget(mutant: Mutant) -> None:
    """Forget what was computed before the change; reading all rulebooks again is spared where it can be."""
    all_of_them = mutant.file.startswith("thirdcard/rulebook")
    for each in gc.get_objects():
        if isinstance(each, CACHE) and (all_of_them or not each.__module__.startswith("thirdcard.rulebook.")):
            each.cache_clear()


def _fails(item: pytest.Item) -> bool:
    return any(each.failed for each in runtestprotocol(item, log=False, nextitem=None))


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
