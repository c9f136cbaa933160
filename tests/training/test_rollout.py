"""Training advances what deployment advances: the same hard commits, for the same video and weights."""

from dataclasses import replace

import pytest
import torch

from stamina_video.runtime import Session
from stamina_video.semantics import Commit
from stamina_video.training.rollout import roll
from stamina_video.training.sample import Asked, Sample
from tests.training.toys import a_model, a_sample, objects, swings


def long_sample(kind: str) -> Sample:
    return a_sample(kind, 2)


def rolled_commits(kind: str, sample: Sample, stride: int) -> list[Commit]:
    model = a_model(kind)
    rolled = roll(model, sample, stride)
    assert any(outcome.objects is not None for outcomes in rolled.outcomes for outcome in outcomes)
    return [
        commit
        for outcomes in rolled.outcomes
        for outcome in outcomes
        for commit in outcome.decision.commits(model.fingerprint)
    ]


def session_commits(kind: str, sample: Sample) -> list[Commit]:
    model, observations = a_model(kind), sample.read()
    commits = []
    with Session(model, [lesson.target for lesson in sample.lessons]) as session:
        for observation in observations:
            decisions = session.observe(observation)
            commits += [commit for decision in decisions for commit in decision.commits(model.fingerprint)]
    return commits


@pytest.mark.parametrize("kind", ["compact", "qwen"])
@pytest.mark.parametrize("stride", [2, 100])
def test_a_rollouts_hard_commits_are_a_sessions(kind: str, stride: int) -> None:
    sample = long_sample(kind)
    expected = session_commits(kind, sample)
    assert expected
    assert rolled_commits(kind, sample, stride) == expected


def test_labels_do_not_change_what_is_decided() -> None:
    sample = long_sample("compact")
    wrong = replace(
        sample,
        lessons=tuple(replace(lesson, visible=None, completed=None) for lesson in sample.lessons),
    )
    assert rolled_commits("compact", wrong, 12) == rolled_commits("compact", sample, 12)


def test_gradients_through_memory_end_where_the_stride_says() -> None:
    model, sample = a_model("compact"), a_sample("compact", 1)
    gradients: list[torch.Tensor] = []
    for stride in (1, 100):
        events = roll(model, sample, stride).of(0)[-1].events
        assert events is not None
        assert events.log_probs_ME is not None
        weight = next(model.backbone.decoder.embedding.parameters())  # type: ignore[attr-defined]  # compact
        gradients += torch.autograd.grad(events.log_probs_ME[0, 0], [weight])
    assert not torch.equal(*gradients)


def test_a_backbone_without_words_is_asked_nothing() -> None:
    asked = (Asked(2, "what happened", "2"),)
    assert roll(a_model("compact"), replace(a_sample("compact", 0), asked=asked)).answers == ()


def test_answers_are_asked_after_their_observations_and_leave_no_trace() -> None:
    model, sample = a_model("qwen"), a_sample("qwen", 2)
    asked = roll(model, replace(sample, asked=(Asked(2, "what happened", "2"), Asked(9, "what", "1"))))
    plain = roll(model, sample)
    assert len(asked.answers) == 1
    assert asked.answers[0].requires_grad
    assert [one.decision for outcomes in asked.outcomes for one in outcomes] == [
        one.decision for outcomes in plain.outcomes for one in outcomes
    ]
    assert len(sample.lessons) == len((objects(3), swings(3))) + 1
