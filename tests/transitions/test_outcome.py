import torch

from stamina_video.transitions.candidates import Candidates
from stamina_video.transitions.identity import Resolution
from stamina_video.transitions.outcome import ObjectOutcome
from stamina_video.transitions.retrieval import Shortlist


def test_soft_totals_count_every_survivor_visible_or_not() -> None:
    visibilities = torch.tensor([0.9, 0.6, 0.2])
    none = torch.zeros(3, 0)
    candidates = Candidates(torch.eye(3), visibilities, visibilities > 0.5, (0, 1, 2), torch.eye(3))
    log_probs = torch.tensor([[0.5, 0.5], [0.25, 0.75], [1.0, 0.0]]).log()
    outcome = ObjectOutcome(candidates, Shortlist(none.long(), none), log_probs, Resolution((0, None), 0))
    torch.testing.assert_close(outcome.soft_visible, torch.tensor(1.7))
    torch.testing.assert_close(outcome.new_probs_C, torch.tensor([0.5, 0.25, 1.0]))
    torch.testing.assert_close(outcome.soft_births, torch.tensor(0.45 + 0.15 + 0.2))
