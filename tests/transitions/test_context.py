import pytest
import torch

from stamina_video.semantics import InvalidInput, Operator
from stamina_video.transitions.config import HeadsConfig
from stamina_video.transitions.context import EVENT_OPERATORS, EventContext

CONTEXT = EventContext(HeadsConfig(width=3, target_width=5, hidden=7))


def test_every_event_operator_has_its_own_embedding() -> None:
    h, target = torch.ones(6), torch.ones(5)
    found = torch.stack([CONTEXT(h, target, operator) for operator in EVENT_OPERATORS])
    assert len(torch.unique(found, dim=0)) == len(EVENT_OPERATORS) == 4


def test_vectors_of_another_width_are_refused() -> None:
    with pytest.raises(InvalidInput, match=r"expected event inputs of width 6, got shape \(2, 9\)"):
        CONTEXT(torch.zeros(2, 9), torch.zeros(5), Operator.E1_ACTION)
    with pytest.raises(InvalidInput, match=r"expected target vectors of width 5, got shape \(2,\)"):
        CONTEXT(torch.zeros(2, 6), torch.zeros(2), Operator.E1_ACTION)
