import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import nn

from stamina_video.backbone.qwen.hashing import weights_hash


@given(st.integers(0, 2), st.integers(0, 3), st.sampled_from([torch.float32, torch.bfloat16, torch.float64]))
def test_every_weight_counts(row: int, column: int, dtype: torch.dtype) -> None:
    layer = nn.Linear(4, 3).to(dtype)
    before = weights_hash(layer)
    assert weights_hash(layer) == before
    with torch.no_grad():
        layer.weight[row, column] += 1
    assert weights_hash(layer) != before


def test_tensors_of_one_value_count_by_that_value() -> None:
    """An exclusive or alone would not see it: pairs of equal bits cancel."""
    ones, twos = nn.LayerNorm(4), nn.LayerNorm(4)
    nn.init.constant_(twos.weight, 2.0)
    assert weights_hash(ones) != weights_hash(twos)


def test_a_checkpoint_has_one_hash_in_either_precision() -> None:
    layer = nn.Linear(4, 3).bfloat16()
    narrow = weights_hash(layer)
    assert weights_hash(layer.float()) == narrow
    assert weights_hash(nn.Linear(4, 3)) != narrow
