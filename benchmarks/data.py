"""Compiling, families, selection and checking at the paper's size: `python -m benchmarks.data`."""

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

LARGER = 4  # how many times the trajectories show that compiling grows linearly


def rows() -> list[Row]:
    pool = simulated_pool()
    return [*compiling(), paper_size(pool), against_networkx(pool)]


def compiling() -> list[Row]:
    (taken, queries, busy), (_, more, longer) = (_compiled(GROUPS * times) for times in (1, LARGER))
    slower = (longer / more) / (busy / queries)
    return [
        Row(
            f"compile {GROUPS:,} trajectories into {queries:,} queries and write all three files",
            f"{taken:.1f} s, {queries / taken:,.0f} queries/s",
            "≤ 30 s",
            taken <= 30,
        ),
        Row(
            f"… of {GROUPS * LARGER:,} trajectories: processor time per query against {GROUPS:,}",
            f"×{slower:.2f}",
            "≤ ×1.5 (linear)",
            slower <= 1.5,
        ),
    ]


def paper_size(pool: Pool) -> Row:
    taken, queries = best_of(3, lambda: through(pool)), pool.queries.height
    return Row(
        f"families, selection and check of {queries:,} queries in {GROUPS:,} groups",
        f"{taken:.2f} s, {queries / taken:,.0f} queries/s",
        "≤ 5 s",
        queries == QUERIES and taken <= 5,
    )


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


def _compiled(groups: int) -> tuple[float, int, float]:
    """Seconds by the clock, queries, and seconds of processor time."""
    trajectories = list(simulated_trajectories(groups))
    with tempfile.TemporaryDirectory() as folder:
        clock, busy = time.perf_counter(), time.process_time()
        write_pool(trajectories, Path(folder))
        clock, busy = time.perf_counter() - clock, time.process_time() - busy
        return clock, read_pool(Path(folder)).queries.height, busy


def best_of(times: int, work: Callable[[], object]) -> float:
    taken = []
    for _ in range(times):
        start = time.perf_counter()
        work()
        taken.append(time.perf_counter() - start)
    return min(taken)


if __name__ == "__main__":
    print(markdown(rows()))
