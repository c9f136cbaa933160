"""What training is given: the data controls, each one change to the same tracks."""

import random
from collections.abc import Sequence
from dataclasses import replace
from itertools import accumulate

import torch

from stamina_video.semantics import graph_for
from stamina_video.semantics.capacity import Endpoint
from stamina_video.training.experiments.tracks import Track
from stamina_video.transitions import reachable_endpoints

WRONG = 0.112  # of natural endpoints the paper's audit found wrong: what no filter would have caught


def single_query(tracks: Sequence[Track], seed: int) -> list[Track]:
    """One endpoint of every trajectory."""
    draw = random.Random(seed)
    return [replace(track, kept=(draw.choice(track.kept),)) if track.kept else track for track in tracks]


def unfiltered(tracks: Sequence[Track], seed: int) -> list[Track]:
    """Some counts are off by one, as before any check of consistency; what falls is raised to stay legal."""
    draw = random.Random(seed)
    return [_disturbed(track, draw) for track in tracks]


def _disturbed(track: Track, draw: random.Random) -> Track:
    told = [
        max(end.count + draw.choice((-1, 1)), 0) if draw.random() < WRONG else end.count
        for end in track.endpoints
    ]
    endpoints = tuple(
        Endpoint(end.observations, count)
        for end, count in zip(track.endpoints, accumulate(told, max), strict=True)
    )
    graph = graph_for(track.operator)
    kept = reachable_endpoints(graph, track.present_TM.tolist(), endpoints, track.trial.name).kept
    return replace(track, kept=kept)


def shuffled(tracks: Sequence[Track], seed: int) -> list[Track]:
    """Each slot's inputs permuted over the looks in which it sees something; slots and labels stay."""
    generator = torch.Generator().manual_seed(seed)
    return [_permuted(track, generator) for track in tracks]


def _permuted(track: Track, generator: torch.Generator) -> Track:
    inputs_TMI = track.inputs_TMI.clone()
    for slot in range(track.slots):
        seen = track.present_TM[:, slot].nonzero().flatten()
        order = seen[torch.randperm(len(seen), generator=generator)]
        inputs_TMI[seen, slot] = track.inputs_TMI[order, slot]
    return replace(track, inputs_TMI=inputs_TMI)
