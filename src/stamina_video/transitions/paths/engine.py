"""Forward and backward passes over segments: their probabilities, and how often each edge is used.

Segments meet only in a joint phase. With few phases all segments are swept side by side from every
entry phase and chained afterwards; with many it is cheaper to sweep one after the other.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import torch
from torch import Tensor

from stamina_video.transitions.paths.part import Part
from stamina_video.transitions.paths.problem import Problem
from stamina_video.transitions.paths.scores import IMPOSSIBLE, finite_or_zero, log2sumexp2

# B trajectories, K segments, P joint phases (entry, exit), T observations, M slots, E edges

MOST_ENTRIES = 3  # beyond this many joint phases, sweeping from each of them costs more than it saves


@dataclass(frozen=True)
class Forward:
    """What the forward pass leaves for a backward one."""

    factors_BK: Tensor  # base-2 log probability of each segment's label given the earlier ones
    entries_BKP: Tensor  # log posterior of the joint phase at each segment's start
    transfers_BKPP: Tensor | None  # by entry and exit; None where segments were swept in order


def forward(problem: Problem) -> Forward:
    scores_BTME, segments = problem.scores_BTME, problem.segments
    phases = len(problem.graph.phases) ** scores_BTME.shape[2]
    transfers_BKPP = None
    if len(segments.counted) > 1 and phases <= MOST_ENTRIES:
        transfers_BKPP = _transfers(problem, phases)
    entry_BP = scores_BTME.new_full((len(scores_BTME), phases), IMPOSSIBLE)
    entry_BP[:, 0] = 0
    factors_BK = scores_BTME.new_zeros(segments.starts_BK.shape)
    entries_BKP = entry_BP[:, None].repeat(1, len(segments.counted), 1)
    for column, empty in enumerate(segments.empty):
        entries_BKP[:, column] = entry_BP
        if empty:  # nothing happens: the label is certain and the phases stay
            continue
        if transfers_BKPP is None:
            part = Part(problem, [column])
            mass_BP = part.by_row(part.forward(part.by_chain(entries_BKP)[:, None])[:, 0])
        else:
            mass_BP = log2sumexp2(entry_BP[:, :, None] + transfers_BKPP[:, column], 1)
        factors_BK[:, column] = log2sumexp2(mass_BP, 1)
        entry_BP = mass_BP - finite_or_zero(factors_BK[:, column, None])
    return Forward(factors_BK, entries_BKP, transfers_BKPP)


def edge_usage(problem: Problem, done: Forward) -> Tensor:
    """The posterior probability of every edge at every observation: the gradient of the sum."""
    usage_BTME = torch.zeros_like(problem.scores_BTME)
    exits_BKP = torch.zeros_like(done.entries_BKP)
    if done.transfers_BKPP is None:
        for column, empty in reversed(list(enumerate(problem.segments.empty))):
            starts_BP = exits_BKP[:, column]
            if not empty:
                part = Part(problem, [column])
                starts_BP = part.by_row(part.add_usage(usage_BTME, done.entries_BKP, exits_BKP))
            if column:
                exits_BKP[:, column - 1] = starts_BP
        return usage_BTME
    for column in reversed(range(1, len(problem.segments.counted))):
        # Relative to the posterior mean, so that many segments neither overflow nor vanish.
        later_BP = log2sumexp2(done.transfers_BKPP[:, column] + exits_BKP[:, column, None], 2)
        exits_BKP[:, column - 1] = later_BP - finite_or_zero(done.factors_BK[:, column, None])
    for part in _by_kind(problem):
        part.add_usage(usage_BTME, done.entries_BKP, exits_BKP)
    return usage_BTME


def _transfers(problem: Problem, phases: int) -> Tensor:
    """Every segment's log mass from each entry phase to each exit phase."""
    shape = *problem.segments.starts_BK.shape, phases, phases
    transfers_BKPP = problem.scores_BTME.new_empty(shape)
    identity_PP = transfers_BKPP.new_full((phases, phases), IMPOSSIBLE).fill_diagonal_(0)
    for part in _by_kind(problem):
        entries_PPI = identity_PP[:, :, None].expand(-1, -1, len(part.rows_I))
        transfers_BKPP[part.rows_I, part.columns_I] = part.forward(entries_PPI).permute(2, 1, 0)
    return transfers_BKPP


def _by_kind(problem: Problem) -> Iterator[Part]:
    for counted in (True, False):
        if columns := problem.segments.columns(counted):
            yield Part(problem, columns)
