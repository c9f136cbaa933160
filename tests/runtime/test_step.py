from dataclasses import replace
from typing import cast

import pytest
import torch

from stamina_video.backbone.compact import CompactBackbone
from stamina_video.runtime import StreamState, step
from stamina_video.semantics import Decision, InvalidInput, Target
from tests.runtime.tiny import TARGETS, observation, tiny_model

MODEL = tiny_model()


def play(state: StreamState, start: int, stop: int) -> tuple[StreamState, list[Decision]]:
    decisions = []
    for index in range(start, stop):
        state, outcomes = step(MODEL, state, observation(index))
        decisions += [outcome.decision for outcome in outcomes]
    return state, decisions


def test_one_look_serves_every_target() -> None:
    state = StreamState.initial(MODEL, "table", TARGETS)
    _, outcomes = step(MODEL, state, observation(0))
    assert [outcome.decision.target for outcome in outcomes] == [target.description for target in TARGETS]


def test_targets_do_not_see_each_other() -> None:
    _, together = play(StreamState.initial(MODEL, "table", TARGETS), 0, 8)
    for place, target in enumerate(TARGETS):
        _, alone = play(StreamState.initial(MODEL, "table", [target]), 0, 8)
        assert together[place :: len(TARGETS)] == alone


def test_a_random_model_decides_something() -> None:
    _, decisions = play(StreamState.initial(MODEL, "table", TARGETS), 0, 12)
    assert {change.kind for decision in decisions for change in decision.changes} >= {"entry", "identity"}


def test_evidence_says_where_in_the_picture() -> None:
    _, decisions = play(StreamState.initial(MODEL, "table", TARGETS), 0, 12)
    entries = [c for decision in decisions for c in decision.changes if c.kind == "entry"]
    assert entries
    for change in entries:
        left, top, right, bottom = change.evidence["box"]
        assert 0 <= left <= right <= 1
        assert 0 <= top <= bottom <= 1
        assert "tokens" not in change.evidence


def test_the_same_observations_give_the_same_decisions() -> None:
    first = play(StreamState.initial(MODEL, "table", TARGETS), 0, 8)[1]
    again = play(StreamState.initial(MODEL, "table", TARGETS), 0, 8)[1]
    assert first == again


def test_a_fork_goes_its_own_way() -> None:
    trunk, _ = play(StreamState.initial(MODEL, "table", TARGETS), 0, 4)
    _, expected = play(trunk, 4, 7)
    other = replace(observation(9), index=4, time=2.0)
    step(MODEL, trunk, other)
    assert play(trunk, 4, 7)[1] == expected


def test_gradients_flow_through_the_step() -> None:
    state = StreamState.initial(MODEL, "table", [Target("swing", "E2-Periodic")])
    for index in range(3):
        state, (outcome,) = step(MODEL, state, observation(index))
    assert outcome.events is not None
    assert outcome.events.log_probs_ME is not None
    backbone = cast(CompactBackbone, MODEL.backbone)
    weight = next(backbone.decoder.embedding.parameters())
    (gradient,) = torch.autograd.grad(outcome.events.log_probs_ME.sum(), weight)
    assert gradient.abs().sum() > 0


@pytest.mark.parametrize(("index", "stream"), [(1, "table"), (0, "door")])
def test_only_the_next_observation_of_the_stream_is_taken(index: int, stream: str) -> None:
    state = StreamState.initial(MODEL, "table", TARGETS)
    with pytest.raises(InvalidInput, match="expected observation 0 of stream 'table' next"):
        step(MODEL, state, observation(index, stream))


def test_two_event_operators_cannot_share_a_description() -> None:
    both = [Target("jumps", "E1-Action"), Target("jumps", "E2-Episode")]
    with pytest.raises(InvalidInput, match="'jumps' both as E1-Action and E2-Episode"):
        StreamState.initial(MODEL, "table", both)
