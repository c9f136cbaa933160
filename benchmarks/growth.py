"""Families, selection and checking up to ten million queries: `python -m benchmarks.growth`.

The last pool needs some 12 GB of memory; peaks include making the pool.
"""

import subprocess
import sys
from typing import NamedTuple

import psutil

from benchmarks.simulated_pool import QUERIES
from benchmarks.table import Row, markdown

TIMES = (1, 20, 187)  # the paper's queries; 187 make ten million


class Pass(NamedTuple):
    """What one pass over a pool cost."""

    queries: int
    seconds: float  # of processor time
    peak: float  # bytes


NEEDED = 14e9  # bytes


def rows() -> list[Row]:
    """Each size in a process of its own: a peak of memory cannot be taken back."""
    free = psutil.virtual_memory().available
    if free < NEEDED:
        said = f"not measured: expected {NEEDED / 1e9:.0f} GB of free memory, got {free / 1e9:.0f}"
        return [Row("families, selection and check of ten million queries", said, "none", False)]
    paper, *larger = (_measured(times) for times in TIMES)
    return [row for grown in larger for row in _growth(paper, grown)]


def _growth(paper: Pass, grown: Pass) -> list[Row]:
    slower = (grown.seconds / grown.queries) / (paper.seconds / paper.queries)
    added = (grown.peak - paper.peak) / (grown.queries - paper.queries)
    return [
        Row(
            f"families, selection and check of {grown.queries:,} queries: processor time per query "
            f"against {paper.queries:,}",
            f"{grown.seconds:.0f} s, ×{slower:.2f}",
            "≤ ×1.5 (linear)",
            slower <= 1.5,
        ),
        Row(
            f"… memory per query added, and the peak of {grown.queries:,}",
            f"{added / 1e3:.2f} kB, {grown.peak / 1e9:.1f} GB",
            "≤ 5 kB",
            added <= 5_000,
        ),
    ]


def _measured(times: int) -> Pass:
    """One pass over a pool this many times the paper's."""
    script = (
        "import resource, time\n"
        "from benchmarks.data import simulated_pool, through\n"
        f"pool = simulated_pool({times})\n"
        "start = time.process_time(); through(pool)\n"
        "print(time.process_time() - start, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024)\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    seconds, peak = map(float, done.stdout.split())
    return Pass(times * QUERIES, seconds, peak)


if __name__ == "__main__":
    print(markdown(rows()))
