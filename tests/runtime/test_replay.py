from stamina_video.runtime import replay
from stamina_video.semantics import Target
from tests.cli.scenes import counting_model
from tests.runtime.tiny import observation


def test_a_replay_runs_the_unwindowed_model_with_the_same_weights() -> None:
    model = counting_model()
    prefix = [observation(index) for index in range(4)]
    answer = replay(model, Target("red blobs", "O2-Unique"), prefix, at=1.5)
    assert model.full_access.fingerprint != model.fingerprint
    assert {commit.model for commit in answer.commits} == {model.full_access.fingerprint}


def test_the_unwindowed_model_is_made_once() -> None:
    model = counting_model()
    assert model.full_access is model.full_access
    assert model.full_access.heads is model.heads
