"""Everything that came of an evening, as one number: ``python -m simulation.digest SEED``."""

import hashlib
import sys

from simulation.floor import Evening, Wanted
from simulation.play import play


def digest_of(evening: Evening) -> str:
    """Return a digest of every record, and of everything that went wrong and when."""
    found = hashlib.sha256()
    for stream in evening.disk.kept._streams.values():
        for record in stream:
            found.update(f"{record.stream} {record.sequence} {record.digest.hex()}\n".encode())
    found.update("\n".join(evening.happened).encode())
    return found.hexdigest()


if __name__ == "__main__":
    print(digest_of(play(Wanted(seed=int(sys.argv[1])))))
