import pytest
import torch
from torch.nn.functional import cosine_similarity

from stamina_video.transitions.cosines import cosines


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float32, torch.float64])
@pytest.mark.parametrize("autocast", [False, True])
def test_cosines_are_float32_in_every_precision(dtype: torch.dtype, autocast: bool) -> None:
    torch.manual_seed(0)
    rows, others = torch.randn(3, 40).to(dtype), torch.randn(5, 40).to(dtype)
    with torch.autocast("cpu", torch.bfloat16, enabled=autocast):
        found = cosines(rows, others)
    expected = cosine_similarity(rows[:, None].float(), others[None].float(), dim=-1)
    torch.testing.assert_close(found, expected, rtol=1e-6, atol=1e-6)


def test_a_row_of_zeros_is_like_nothing() -> None:
    assert cosines(torch.zeros(1, 3), torch.eye(3)).tolist() == [[0.0, 0.0, 0.0]]
