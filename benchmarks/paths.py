"""The path sum against torch's own CTC loss, and how it grows: `python -m benchmarks.paths [--plot]`."""

import argparse
import math
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import cast

import matplotlib.pyplot as plt
import torch
from torch import Tensor
from torch.nn.functional import ctc_loss

from benchmarks.table import Row, markdown
from stamina_video.semantics import Edge, EventGraph, Phase, Role, graph_for
from stamina_video.transitions import path_log_likelihood
from stamina_video.transitions.scorer import legal_log_softmax

BATCH, STEPS, THREADS = 8, 1_800, 2
EPISODE = graph_for("E2-Episode")
FIGURE = Path(__file__).parents[1] / "docs" / "figures" / "path-sum-growth.png"

Work = Callable[[], object]


@dataclass(frozen=True)
class Problem:
    """Evenly spaced endpoints, each after 0 to `most` completions."""

    endpoints: int
    most: int
    slots: int = 1
    steps: int = STEPS
    graph: EventGraph = EPISODE

    def labels(self) -> tuple[Tensor, Tensor]:
        generator = torch.Generator().manual_seed(0)
        gains_BJ = torch.randint(0, self.most + 1, (BATCH, self.endpoints), generator=generator)
        gains_BJ[0, 0] = self.most  # the width that the label announces is really needed
        ends_J = torch.arange(1, self.endpoints + 1) * self.steps // self.endpoints
        return ends_J.expand(BATCH, -1), gains_BJ.cumsum(1)

    def path_sum(self) -> Work:
        generator = torch.Generator().manual_seed(1)
        scores = torch.randn(BATCH, self.steps, self.slots, len(self.graph.edges), generator=generator)
        leaf = legal_log_softmax(scores, self.graph).requires_grad_()
        ends_BJ, counts_BJ = self.labels()

        def work() -> None:
            log_p_B = path_log_likelihood(leaf, self.graph, ends_BJ, counts_BJ)
            assert log_p_B.isfinite().all()
            torch.autograd.grad(log_p_B.sum(), leaf)

        return work

    def ctc(self) -> Work:
        """The same batch, steps and completions: one CTC label per completion, one class per edge.

        CTC sums over 2 · completions + 1 states a step, the path sum over phases · counts.
        """
        generator = torch.Generator().manual_seed(1)
        classes = len(self.graph.edges)
        scores = torch.randn(self.steps, BATCH, classes, generator=generator)
        leaf = scores.log_softmax(-1).requires_grad_()
        completions = self.labels()[1][:, -1]
        labels = torch.randint(1, classes, (int(completions.sum()),), generator=generator)
        lengths = torch.full((BATCH,), self.steps)

        def work() -> None:
            loss = ctc_loss(leaf, labels, lengths, completions, reduction="sum", zero_infinity=True)
            torch.autograd.grad(loss, leaf)

        return work


def rows() -> list[Row]:
    return [*_against_ctc(), _slots(), *map(_growth_row, growths())]


@contextmanager
def threads(number: int) -> Iterator[None]:
    before = torch.get_num_threads()
    torch.set_num_threads(number)
    try:
        yield
    finally:
        torch.set_num_threads(before)


def fastest(
    works: Sequence[Work], repeats: int, clock: Callable[[], float] = time.perf_counter
) -> list[float]:
    """Seconds of each, taken in turns: other load on the machine only adds, and adds to all."""
    best = [math.inf] * len(works)
    for _ in range(repeats + 1):  # the first round warms up
        for index, work in enumerate(works):
            began = clock()
            work()
            best[index] = min(best[index], clock() - began)
    return best


def _against_ctc() -> list[Row]:
    found = []
    for problem, bar in ((Problem(30, 5), 1.0), (Problem(5, 39), 1.5)):
        with threads(THREADS):
            ours, theirs = fastest([problem.path_sum(), problem.ctc()], repeats=15)
        figure = f"{ours / theirs:.2f} × ({ours * 1e3:.0f} ms against {theirs * 1e3:.0f} ms)"
        what = f"{problem.endpoints} endpoints of 0–{problem.most} completions, against `ctc_loss`"
        found.append(Row(what, figure, f"≤ {bar} ×", ours <= bar * theirs))
    return found


def _slots() -> Row:
    """Work per step is slots · edges · phases^(slots − 1): at four slots, 108 times that of one."""
    with threads(1):
        one, four = (
            fastest([Problem(30, 5, slots=slots).path_sum()], repeats, time.process_time)[0]
            for slots, repeats in ((1, 7), (4, 2))
        )
    bound = 4 * len(EPISODE.phases) ** 3
    figure = f"{four / one:.0f} × ({four:.2f} s against {one * 1e3:.0f} ms of processor time)"
    return Row("4 slots jointly, against 1 slot, 30 endpoints", figure, f"≤ {bound} ×", four <= bound * one)


@dataclass(frozen=True)
class Growth:
    """Processor seconds on one thread: other load neither hides the work nor adds to it."""

    axis: str
    values: tuple[int, ...]
    seconds: tuple[float, ...]

    @property
    def last_doubling(self) -> float:
        """What the last doubling costs: 2 is linear, less still carries the cost of calling."""
        return self.seconds[-1] / self.seconds[-2]


def growths() -> list[Growth]:
    steps, edges, widths = (450, 900, 1800, 3600, 7200), (4, 8, 16, 32), (40, 80, 160, 320)
    with threads(1):
        return [
            _growth("observations", steps, [Problem(4, 19, steps=number) for number in steps]),
            _growth("edges", edges, [Problem(1, 40, graph=ring(number // 2)) for number in edges]),
            _growth("count width", widths, [Problem(1, number - 1) for number in widths]),
        ]


def _growth(axis: str, values: tuple[int, ...], problems: Sequence[Problem]) -> Growth:
    works = [problem.path_sum() for problem in problems]
    return Growth(axis, values, tuple(fastest(works, repeats=4, clock=time.process_time)))


def ring(size: int) -> EventGraph:
    """A cycle of this many phases with one completion: two edges for every phase."""
    phases = [cast(Phase, f"phase {number}") for number in range(size)]
    edges = []
    for number, phase in enumerate(phases):
        role = Role.COMPLETE if number == size - 1 else Role.START
        edges += [Edge(phase, phase, Role.HOLD), Edge(phase, phases[(number + 1) % size], role)]
    return EventGraph(tuple(phases), tuple(edges))


def _growth_row(growth: Growth) -> Row:
    times = ", ".join(f"{1e3 * seconds:.0f}" for seconds in growth.seconds)
    numbers = ", ".join(map(str, growth.values))
    figure = f"the last doubling costs {growth.last_doubling:.2f} × ({times} ms at {numbers})"
    return Row(f"growth in {growth.axis}", figure, "linear: ≤ 2.2 ×", growth.last_doubling <= 2.2)


def plot(growths: Sequence[Growth], path: Path) -> None:
    figure, panels = plt.subplots(1, len(growths), figsize=(11, 3.6), layout="constrained")
    for panel, growth in zip(panels, growths, strict=True):
        milliseconds = [1e3 * seconds for seconds in growth.seconds]
        slope, intercept = statistics.linear_regression(growth.values, milliseconds)
        ends = [0, growth.values[-1]]
        panel.plot(ends, [intercept + slope * end for end in ends], "--", color="0.6", label="straight line")
        panel.plot(growth.values, milliseconds, "o", color="#1f6f8b", label="measured")
        panel.set_xticks(growth.values, [str(value) for value in growth.values], rotation=45)
        panel.set_xlim(left=0)
        panel.set_ylim(bottom=0)
        panel.set_xlabel(growth.axis)
    panels[0].set_ylabel("forward + backward, ms")
    panels[0].legend(frameon=False)
    figure.suptitle(f"Path sum, batch {BATCH}: processor time on one thread", fontsize=11)
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=150)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--plot", action="store_true", help=f"draw the growth to {FIGURE.name} instead")
    if parser.parse_args().plot:
        plot(growths(), FIGURE)
    else:
        print(markdown(rows()))


if __name__ == "__main__":
    main()
