"""Tracks of one operator and slot count side by side, padded: what heads are optimised on."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn.utils.rnn import pad_sequence

from stamina_video.semantics import EventGraph, Operator, Role, graph_for
from stamina_video.training.experiments.tracks import Track

# B tracks, T looks, M slots, I event input, D target width, E edges, J endpoints (-1 pads)

BATCH = 8


@dataclass(frozen=True, eq=False, slots=True)
class Batch:
    """`weights_BTME` make the sum of their products with log probabilities the mean boundary term."""

    operator: Operator
    inputs_BTMI: Tensor
    present_BTM: Tensor
    targets_BD: Tensor
    endpoints_BJ: Tensor
    counts_BJ: Tensor
    weights_BTME: Tensor

    @property
    def graph(self) -> EventGraph:
        return graph_for(self.operator)

    @property
    def context_B11D(self) -> Tensor:
        return self.targets_BD[:, None, None]

    @property
    def labelled_B(self) -> Tensor:
        return (self.endpoints_BJ >= 0).any(1)


def batch(tracks: Sequence[Track]) -> Batch:
    operator = tracks[0].operator
    slots = max(track.slots for track in tracks)
    longest = max(len(track.inputs_TMI) for track in tracks)
    weights = [_weights(track, longest, slots) for track in tracks]
    contributing = max(sum(bool(weight_TME.any()) for weight_TME in weights), 1)
    return Batch(
        operator,
        pad_sequence([_with_slots(track.inputs_TMI, slots) for track in tracks], batch_first=True),
        pad_sequence([_with_slots(track.present_TM, slots) for track in tracks], batch_first=True),
        torch.stack([track.target_D for track in tracks]),
        _padded([[one.observations for one in track.kept] for track in tracks]),
        _padded([[one.count for one in track.kept] for track in tracks]),
        torch.stack(weights) / contributing,
    )


def batches(tracks: Sequence[Track], seed: int) -> Iterator[Sequence[Track]]:
    """Endless batches in a seeded order; each shares operator and slots, so that one sum serves it."""
    generator = torch.Generator().manual_seed(seed)
    buckets: dict[tuple[Operator, int], list[Track]] = {}
    for one in tracks:
        buckets.setdefault((one.operator, one.slots), []).append(one)
    held = list(buckets.values())
    sizes = torch.tensor([float(len(bucket)) for bucket in held])
    while True:
        bucket = held[int(torch.multinomial(sizes, 1, generator=generator))]
        chosen = torch.randperm(len(bucket), generator=generator)[:BATCH]
        yield [bucket[place] for place in chosen.tolist()]


def _weights(track: Track, looks: int, slots: int) -> Tensor:
    """Holds together weigh as much as changes together, as in `boundary_loss`."""
    graph = graph_for(track.operator)
    weights_TME = torch.zeros(looks, slots, len(graph.edges))
    holds = [site for site in track.sites if graph.edges[site.edge].role is Role.HOLD]
    changes = [site for site in track.sites if graph.edges[site.edge].role is not Role.HOLD]
    kinds = [sites for sites in (holds, changes) if sites]
    for sites in kinds:
        for site in sites:
            weights_TME[site.observation, site.slot, site.edge] += 1 / len(sites) / len(kinds)
    return weights_TME


def _with_slots(values_TM: Tensor, slots: int) -> Tensor:
    missing = slots - values_TM.shape[1]
    padding = values_TM.new_zeros(len(values_TM), missing, *values_TM.shape[2:])
    return torch.cat([values_TM, padding], 1)


def _padded(rows: Sequence[Sequence[int]]) -> Tensor:
    longest = max(map(len, rows))
    return torch.tensor([[*row, *[-1] * (longest - len(row))] for row in rows], dtype=torch.long).view(
        len(rows), longest
    )
