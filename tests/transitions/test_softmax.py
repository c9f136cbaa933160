import torch

from stamina_video.transitions.softmax import log_softmax


def test_half_precision_scores_give_probabilities_that_sum_to_one() -> None:
    scores = torch.randn(50, 10, generator=torch.Generator().manual_seed(0))
    for dtype, expected in ((torch.bfloat16, torch.float32), (torch.float64, torch.float64)):
        log_probs = log_softmax(scores.to(dtype))
        assert log_probs.dtype == expected
        torch.testing.assert_close(log_probs.exp().sum(-1), torch.ones(50, dtype=expected))
