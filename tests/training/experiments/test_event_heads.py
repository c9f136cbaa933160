from dataclasses import replace

import torch

from stamina_video.training.experiments.event_heads import (
    Objective,
    Optimisation,
    complete,
    continued,
    optimise,
    tell,
    told,
    warmed,
)
from stamina_video.transitions.scorer import EdgeScorer
from tests.training.experiments.making import CONFIG, a_track

TRACKS = [a_track(number) for number in range(8)]
SETTINGS = Optimisation(updates=120, warmup=10, rate=1e-2)


def test_the_complete_rule_learns_to_count_what_shines() -> None:
    scorer = complete(CONFIG, TRACKS, SETTINGS, seed=0)
    held_out = a_track(99)
    found = tell(scorer, held_out)
    assert found.hard == tuple(end.count for end in held_out.endpoints)
    assert found.commits == (2.0, 4.5)
    assert found.nll is not None
    assert found.nll < 0.2


def test_conditions_of_one_seed_begin_alike_and_see_the_same_batches() -> None:
    start = warmed(CONFIG, TRACKS, SETTINGS, seed=0)
    before = [parameter.clone() for parameter in start.parameters()]
    first, second = continued(start, CONFIG), continued(start, CONFIG)
    for scorer in (first, second):
        optimise(scorer, TRACKS, Objective.MEAN, SETTINGS, 3, seed=0)
    assert all(map(torch.equal, start.parameters(), before))
    assert all(map(torch.equal, first.parameters(), second.parameters()))
    assert not all(map(torch.equal, first.parameters(), before))


def test_a_head_without_verified_boundaries_starts_at_its_seed() -> None:
    found = warmed(CONFIG, [replace(a_track(0), sites=())], SETTINGS, seed=3)
    torch.manual_seed(3)
    assert all(map(torch.equal, found.parameters(), EdgeScorer(CONFIG).parameters()))


def test_counts_are_read_after_the_looks_an_endpoint_has_consumed() -> None:
    track = a_track(0)  # endpoints after 2, 5, 7, 10 and 12 looks
    assert told(track, [1, 2, 11]).hard == (1, 2, 2, 2, 3)
    assert told(track, [1, 2, 11]).commits == (0.5, 1.0, 5.5)
