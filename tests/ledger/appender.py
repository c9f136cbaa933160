"""Appends one script of observations until it is killed. Run as a program it forks a child per order.

Orders are lines on standard input, `ADDRESS FILE FROM`; the child writes to FILE the number of each
observation that was acknowledged. The parent of all children has paid the imports, so that a round
takes milliseconds.
"""

import os
import sys

from stamina_video.ledger import Ledger, postgres, sqlite
from stamina_video.semantics import Commit, Kind
from tests.ledger.commits import commit

LENGTH = 100_000
DRIVERS = (postgres, sqlite)  # imported here, not in every child


def observation(index: int) -> list[Commit]:
    """The commits of one observation: always the same ones for the same index."""
    time = index / 8
    batch = [commit(Kind.IDENTITY, time, observation=index, evidence={"score": 0.5, "frame": index})]
    if index % 3 == 0:
        batch.append(commit(Kind.ENTRY, time, 2, observation=index))
    if index % 3 == 1:
        batch.append(commit(Kind.EXIT, time, -1, observation=index))
        batch.append(commit(Kind.GAP, time, target="", observation=index))
    return batch


def append_until_killed(address: str, acknowledged: str, start: int) -> None:
    out = os.open(acknowledged, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    with Ledger.open(address) as ledger:
        for index in range(start, LENGTH):
            ledger.append_all(observation(index))
            os.write(out, b"%d\n" % index)


def main() -> None:
    for line in sys.stdin:
        address, acknowledged, start = line.split("\t")
        child = os.fork()
        if child == 0:
            try:
                append_until_killed(address, acknowledged, int(start))
            finally:
                os._exit(1)
        print(child, flush=True)  # noqa: T201 - the answer to the order
        os.waitpid(child, 0)
        print("gone", flush=True)  # noqa: T201


if __name__ == "__main__":
    main()
