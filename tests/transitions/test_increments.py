import math

import torch
from torch.nn.functional import gelu

from stamina_video.semantics import Operator
from stamina_video.transitions.config import EVENT_OPERATORS, HeadsConfig
from stamina_video.transitions.increments import IncrementHead


def head() -> IncrementHead:
    torch.manual_seed(0)
    return IncrementHead(HeadsConfig(width=3, target_width=5, hidden=7)).double()


def test_logits_equal_the_formula() -> None:
    module = head()
    h, target = torch.randn(4, 2, 6).double(), torch.randn(5).double()
    found = module(h, target, Operator.E1_TRANSIT)
    e_o = module.context.operators.weight[EVENT_OPERATORS.index(Operator.E1_TRANSIT)]
    for step in range(4):
        for slot in range(2):
            z = module.context.from_input.weight @ h[step, slot] + module.context.from_target.weight @ target
            z = z + module.context.from_operator.weight @ e_o + module.bias_H
            expected = module.score.weight[0] @ gelu(z) + module.score.bias[0]
            torch.testing.assert_close(found[step, slot], expected)


def test_it_counts_above_one_half_and_never_while_absent() -> None:
    logits = torch.tensor([0.0, 1e-3, 5.0, -5.0], requires_grad=True)
    assert head().accept(logits, [True] * 4) == (False, True, True, False)
    assert head().accept(logits, [True, True, False, True]) == (False, True, False, False)


def test_it_knows_no_phases() -> None:
    names = {name for name, _ in head().named_parameters()}
    assert not any("phase" in name or "role" in name for name in names)
    assert math.prod(head().context.operators.weight.shape) == len(EVENT_OPERATORS) * 7


def test_gradients_reach_every_parameter() -> None:
    module = head()
    module(torch.randn(2, 6).double(), torch.randn(5).double(), Operator.E1_ACTION).sum().backward()
    for name, parameter in module.named_parameters():
        assert parameter.grad is not None, name
        assert parameter.grad.abs().sum() > 0, name
