"""The figures of a bench, for `bench/compare`: what each thing cost, by its name."""

import os
from pathlib import Path

import msgspec

VARIABLE = "BENCH_FIGURES"  # names the file that figures are written to; without it they are only printed


def record_cost(name: str, seconds: float) -> None:
    """Note what one of something cost; less is better."""
    path = os.environ.get(VARIABLE)
    if path:
        with Path(path).open("ab") as file:
            file.write(msgspec.json.encode({"name": name, "seconds": seconds}) + b"\n")
