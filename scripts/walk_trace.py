"""Runs a program under a trace for scripts/walk: SIGUSR1 begins, SIGUSR2 writes the calls to a file."""

import json
import runpy
import signal
import sys
import threading
from pathlib import Path
from types import FrameType

out, tree = Path(sys.argv[1]), Path(sys.argv[2])
OURS = str(tree / "src" / "thirdcard") + "/"
Place = tuple[str, str]
edges: dict[tuple[Place, Place | None, Place], None] = {}  # where it all began, who calls, who is called
on = False


def place(frame: FrameType) -> Place | None:
    """Name the function of a frame, if it is one of ours and has a name."""
    code = frame.f_code
    if not code.co_filename.startswith(OURS):
        return None
    return code.co_filename.removeprefix(OURS), code.co_qualname


def called(frame: FrameType, event: str, _: object) -> None:
    """Note a call of a function of ours, which one of ours it came from, and the first of ours behind it."""
    if not on or event != "call":
        return
    callee = place(frame)
    if callee is None or callee[1].endswith(">"):
        return
    caller, first, back = None, callee, frame.f_back
    while back is not None:
        found = place(back)
        if found is not None:
            caller, first = caller or found, found
        back = back.f_back
    edges[first, caller, callee] = None


def begin(*_: object) -> None:
    """Begin to note calls."""
    global on  # noqa: PLW0603 - a signal has no other way
    edges.clear()
    on = True


def write(*_: object) -> None:
    """Write down what was noted."""
    global on  # noqa: PLW0603
    on = False
    half = out.with_suffix(".half")
    half.write_text(json.dumps(list(edges)), "utf-8")
    half.replace(out)


signal.signal(signal.SIGUSR1, begin)
signal.signal(signal.SIGUSR2, write)
program = str(tree / "bench" / "bench_floor.py")
sys.argv = [program, *sys.argv[3:]]
sys.path.insert(0, str(tree / "bench"))
threading.setprofile(called)
sys.setprofile(called)
runpy.run_path(program, run_name="__main__")
