import pytest

from stamina_video.evaluation.baselines import BASELINES, baseline
from stamina_video.semantics import InvalidInput, Operator, Question

QUESTION = Question("q", "a.mp4", "How many cups are visible right now?", Operator.O1_SNAP, (1.0,), (2,))


@pytest.mark.parametrize("name", sorted(set(BASELINES) - {"tracker"}))
def test_a_baseline_goes_by_its_name(name: str) -> None:
    assert baseline(f"baseline:{name}", [QUESTION]).name == f"baseline:{name}"


def test_an_unknown_one_is_refused() -> None:
    with pytest.raises(InvalidInput, match="expected baseline: and one of zero, constant, tracker"):
        baseline("baseline:oracle", [QUESTION])
