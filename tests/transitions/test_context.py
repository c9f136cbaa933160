import pytest
import torch

from stamina_video.semantics import InvalidInput, Operator
from stamina_video.transitions.config import EVENT_OPERATORS, HeadsConfig
from stamina_video.transitions.context import EventContext
from stamina_video.transitions.heads import Heads

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


def test_pulses_stand_between_the_mean_and_the_candidate() -> None:
    torch.manual_seed(0)
    plain = EventContext(HeadsConfig(width=3, target_width=5, hidden=7))
    feeling = EventContext(HeadsConfig(width=3, target_width=5, hidden=7, pulses=2))
    feeling.load_state_dict(plain.state_dict(), strict=False)
    mean, own, target = torch.randn(4, 3), torch.randn(4, 3), torch.randn(5)
    pulses = torch.randn(4, 2)
    seen = plain(torch.cat([mean, own], dim=-1), target, Operator.E2_PERIODIC)
    inputs = torch.cat([mean, pulses, own], dim=-1)
    torch.testing.assert_close(
        feeling(inputs, target, Operator.E2_PERIODIC), seen
    )  # at first nothing is felt
    with torch.no_grad():
        feeling.from_pulses_HP.copy_(torch.randn(7, 2))  # type: ignore[union-attr]
    felt = feeling(inputs, target, Operator.E2_PERIODIC) - seen
    torch.testing.assert_close(felt, pulses @ feeling.from_pulses_HP.T)  # type: ignore[union-attr]


def test_what_is_gathered_is_heard_behind_the_pulses() -> None:
    torch.manual_seed(0)
    feeling = EventContext(HeadsConfig(width=3, target_width=5, hidden=7, pulses=2, gathered=2))
    weight_HP = feeling.from_pulses_HP
    assert weight_HP is not None
    assert weight_HP.shape == (7, 4)
    target = torch.randn(5)
    silent = feeling(torch.zeros(10), target, Operator.E2_PERIODIC)
    with torch.no_grad():
        weight_HP.copy_(torch.randn(7, 4))
    inputs = torch.zeros(10)
    inputs[5:7] = torch.tensor([2.0, -1.0])
    heard = feeling(inputs, target, Operator.E2_PERIODIC) - silent
    torch.testing.assert_close(heard, weight_HP[:, 2:] @ inputs[5:7])
    with pytest.raises(InvalidInput, match=r"expected event inputs of width 10, got shape \(8,\)"):
        feeling(torch.zeros(8), target, Operator.E2_PERIODIC)


def test_pulses_leave_the_chance_of_all_other_weights_alone() -> None:
    def drawn(pulses: int, gathered: int) -> dict[str, torch.Tensor]:
        torch.manual_seed(0)
        config = HeadsConfig(3, 5, hidden=4, attention=4, pulses=pulses, gathered=gathered)
        return Heads(config).state_dict()

    felt = drawn(6, 2)
    assert not felt.pop("events.context.from_pulses_HP").any()
    for name, weight in drawn(0, 0).items():
        assert torch.equal(weight, felt.pop(name))
    assert not felt
