"""Families, selection and checking at the paper's size and beyond: `python -m benchmarks.data`."""

import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import networkx as nx  # type: ignore[import-untyped]  # it ships no types

from benchmarks.simulated_pool import GROUPS, QUERIES, simulated_pool, simulated_trajectories
from benchmarks.table import Row, markdown
from stamina_video.data.checker import check_tables
from stamina_video.data.families import Ints, components, shared_names
from stamina_video.data.pool import Pool, read_pool, write_pool
from stamina_video.data.selection import Exclusions, select

TIMES = 20  # how much larger the pool that shows growth is than the paper's


def rows() -> list[Row]:
    pool = simulated_pool()
    passing = best_of(3, lambda: through(pool))
    return [compiling(), paper_size(pool, passing), *growth(), against_networkx(pool)]


def compiling() -> Row:
    trajectories = list(simulated_trajectories(GROUPS))
    with tempfile.TemporaryDirectory() as folder:
        taken = best_of(1, lambda: write_pool(trajectories, Path(folder)))
        points = read_pool(Path(folder)).queries.height
    return Row(
        f"compile {GROUPS:,} trajectories into {points:,} queries and write all three files",
        f"{taken:.1f} s, {points / taken:,.0f} queries/s",
        "≤ 30 s",
        taken <= 30,
    )


def paper_size(pool: Pool, taken: float) -> Row:
    return Row(
        f"families, selection and check of {pool.queries.height:,} queries in {GROUPS:,} groups",
        f"{taken:.2f} s",
        "≤ 5 s",
        pool.queries.height == QUERIES and taken <= 5,
    )


def growth() -> list[Row]:
    """Each size in a process of its own: a peak of memory cannot be taken back."""
    small, large = _measured(1), _measured(TIMES)
    queries = TIMES * QUERIES
    slower = (large[0] / TIMES) / small[0]
    added = (large[1] - small[1]) / (queries - QUERIES)
    return [
        Row(
            f"the same of {queries:,} queries: processor time per query against {QUERIES:,}",
            f"{large[0]:.1f} s, ×{slower:.2f}",
            "≤ ×1.5 (linear)",
            slower <= 1.5,
        ),
        Row(
            f"memory per query added up to {queries:,}; at 10 million",
            f"{added / 1e3:.2f} kB; {(large[1] + added * (10_000_000 - queries)) / 1e9:.0f} GB",
            "≤ 5 kB",
            added <= 5_000,
        ),
    ]


def against_networkx(pool: Pool) -> Row:
    first_E, second_E, nodes = shared_names(pool.trajectories["links"])
    ours = best_of(3, lambda: components(first_E, second_E, nodes))
    peer = best_of(3, lambda: _networkx(first_E, second_E, nodes))
    return Row(
        f"components of {nodes:,} nodes and {len(first_E):,} edges, time against networkx",
        f"{ours / peer:.3f}",
        "≤ 0.5",
        ours / peer <= 0.5,
    )


def through(pool: Pool) -> None:
    """What a pool goes through before anything is trained on."""
    held_out = tuple(simulated_trajectories(200, "held-out"))
    report = check_tables(pool.trajectories, pool.queries)
    assert not report.faults
    table = select(pool, Exclusions(frozenset({"video 7"}), held_out)).table("train")
    assert 0 < table.selected < table.pool


def _networkx(first_E: Ints, second_E: Ints, nodes: int) -> int:
    graph = nx.empty_graph(nodes)
    graph.add_edges_from(zip(first_E.tolist(), second_E.tolist(), strict=True))
    return sum(1 for _ in nx.connected_components(graph))


def _measured(times: int) -> tuple[float, float]:
    """Processor seconds and peak bytes of one pass over a pool this many times the paper's."""
    script = (
        "import resource, time\n"
        "from benchmarks.data import simulated_pool, through\n"
        f"pool = simulated_pool({times})\n"
        "start = time.process_time(); through(pool)\n"
        "print(time.process_time() - start, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024)\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    seconds, peak = map(float, done.stdout.split())
    return seconds, peak


def best_of(times: int, work: Callable[[], object]) -> float:
    taken = []
    for _ in range(times):
        start = time.perf_counter()
        work()
        taken.append(time.perf_counter() - start)
    return min(taken)


if __name__ == "__main__":
    print(markdown(rows()))
