import numpy as np
import pytest
import torch

from stamina_video.backbone.tokens import collate
from stamina_video.semantics import InvalidInput
from tests.backbone.percepts import a_percept


def test_one_observation_is_not_padded() -> None:
    percept = a_percept(0, tokens=3)
    batch = collate([[(2.5, percept)]])
    assert batch.times_BT.tolist() == [[2.5]]
    assert batch.times_BT.dtype == torch.float64
    assert batch.present_BTN.tolist() == [[[True] * 3]]
    for name, tensor in (("appearance_NP", batch.appearance_BTNP), ("kind_N", batch.kind_BTN)):
        np.testing.assert_array_equal(tensor[0, 0].numpy(), getattr(percept, name))
    assert batch.kind_BTN.dtype == torch.int64


def test_tokens_and_trajectories_are_padded_apart() -> None:
    short, long = a_percept(0, tokens=2), a_percept(1, tokens=4)
    batch = collate([[(0.0, short), (1.0, long)], [(5.0, long)]])
    assert batch.present_BTN.sum(-1).tolist() == [[2, 4], [4, 0]]
    assert batch.times_BT.tolist() == [[0.0, 1.0], [5.0, 5.0]]  # no time passes in padding
    assert batch.boxes_BTN4.shape == (2, 2, 4, 4)
    assert not batch.names_BTNS[0, 0, 2:].any()
    np.testing.assert_array_equal(batch.names_BTNS[1, 0].numpy(), long.names_NS)


@pytest.mark.parametrize("trajectories", [[], [[]], [[(0.0, a_percept(0))], []]])
def test_nothing_to_see_is_refused(trajectories: list[list[object]]) -> None:
    with pytest.raises(InvalidInput, match="expected at least one observation in every trajectory"):
        collate(trajectories)  # type: ignore[arg-type]
