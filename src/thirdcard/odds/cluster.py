"""A Dask cluster as an executor; the package distributed is an extra."""

import concurrent.futures
import contextlib
import re
from collections.abc import Iterator
from typing import Any

from thirdcard.messages import message, say
from thirdcard.odds.plan import CannotSimulate

CLUSTER_TIMEOUT = "10s"
_ADDRESS = re.compile(r"(?:(?:tcp|tls|wss?|ucx)://)?(?:[^\s:/\[\]]+|\[[0-9a-fA-F:.]+\]):[0-9]{1,5}/?")


@contextlib.contextmanager
def connect(address: str) -> Iterator[tuple[concurrent.futures.Executor, int]]:
    """An executor on the cluster of a scheduler, and how many chunks it can work on at a time."""
    try:
        import distributed  # noqa: PLC0415 - an extra
    except ImportError as error:
        raise CannotSimulate(say(message("simulate.no-cluster-extra"))) from error
    if not _ADDRESS.fullmatch(address):
        raise CannotSimulate(say(message("simulate.no-address", cluster=address)))
    client_of: Any = distributed.Client  # the package has no types
    try:
        client = client_of(address, timeout=CLUSTER_TIMEOUT, set_as_default=False)
    except (OSError, ValueError) as error:
        problem = message("simulate.no-cluster", cluster=address, reason=str(error))
        raise CannotSimulate(say(problem)) from error
    with client:
        workers = sum(client.nthreads().values())
        if not workers:
            raise CannotSimulate(say(message("simulate.no-workers", cluster=address)))
        yield client.get_executor(pure=False), workers
