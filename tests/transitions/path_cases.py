"""Random small problems for the path sum, drawn by Hypothesis."""

from collections.abc import Mapping
from dataclasses import dataclass

import torch
from hypothesis import strategies as st
from torch import Tensor

from stamina_video.semantics import EventGraph, graph_for
from stamina_video.transitions.scorer import legal_log_softmax
from tests.transitions.reference import Endpoints

OPERATORS = ("E1-Action", "E2-Episode", "E2-Periodic")
# A full enumeration has 2^(slots · observations) paths, so more slots mean fewer observations.
MOST_STEPS = {1: 8, 2: 5, 3: 3, 4: 2}
LOOP_STEPS = {1: 14, 2: 8, 3: 5, 4: 4}  # a loop merges the paths that meet


@dataclass(frozen=True, eq=False)
class Case:
    graph: EventGraph
    log_probs_BTME: Tensor
    present_BTM: Tensor
    endpoints_BJ: Tensor
    counts_BJ: Tensor

    def labels(self, row: int) -> Endpoints:
        pairs = zip(self.endpoints_BJ[row].tolist(), self.counts_BJ[row].tolist(), strict=True)
        return [(consumed, count) for consumed, count in pairs if consumed >= 0]

    @property
    def arguments(self) -> tuple[Tensor, EventGraph, Tensor, Tensor, Tensor]:
        return self.log_probs_BTME, self.graph, self.endpoints_BJ, self.counts_BJ, self.present_BTM


def log_probs(graph: EventGraph, *shape: int, seed: int = 0, spread: float = 1.0) -> Tensor:
    generator = torch.Generator().manual_seed(seed)
    scores = torch.randn(*shape, len(graph.edges), generator=generator, dtype=torch.float64)
    return legal_log_softmax(scores * spread, graph)


def assert_same(got: Tensor, expected: Tensor) -> None:
    torch.testing.assert_close(got, expected, rtol=1e-9, atol=1e-9)


@st.composite
def cases(draw: st.DrawFn, most_slots: int = 4, most_steps: Mapping[int, int] = MOST_STEPS) -> Case:
    graph = graph_for(draw(st.sampled_from(OPERATORS)))
    slots = draw(st.integers(1, most_slots))
    steps, batch = draw(st.integers(1, most_steps[slots])), draw(st.integers(1, 3))
    # No spread makes every path a tie; a wide one makes some edges all but impossible.
    spread = draw(st.sampled_from([0.0, 1.0, 30.0]))
    scores = log_probs(graph, batch, steps, slots, seed=draw(st.integers(0, 2**20)), spread=spread)
    present = st.lists(st.booleans(), min_size=batch * steps * slots, max_size=batch * steps * slots)
    present_BTM = torch.tensor(draw(present)).view(batch, steps, slots)
    if draw(st.booleans()):
        present_BTM[:] = True
    rows = [draw(_labels(steps, slots)) for _ in range(batch)]
    width = max(map(len, rows))
    padded = torch.tensor([row + [(-1, 0)] * (width - len(row)) for row in rows], dtype=torch.long)
    return Case(graph, scores, present_BTM, *padded.view(batch, width, 2).unbind(-1))


@st.composite
def _labels(draw: st.DrawFn, steps: int, slots: int) -> list[tuple[int, int]]:
    number = draw(st.integers(0, 3))
    consumed = sorted(draw(st.lists(st.integers(0, steps), min_size=number, max_size=number)))
    counts, total = [], 0
    for _ in consumed:
        total += draw(st.sampled_from([0, 0, 0, 1, 1, 2, 3, slots]))
        counts.append(total)
    return list(zip(consumed, counts, strict=True))
