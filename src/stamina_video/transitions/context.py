"""The visual side of an event score, shared in form by the edge scorer and the increment head."""

import torch
from torch import Tensor, nn
from torch.nn import functional

from stamina_video.semantics import InvalidInput, Operator
from stamina_video.transitions.config import EVENT_OPERATORS, HeadsConfig

# W width of a visual vector, P pulses and what is gathered


class Evening(nn.Module):
    """The mean visual vector without what never changes, every direction of change as loud as the others.

    A factor of W_h that is measured, not learned, so that an optimiser's steps count alike in all directions.
    """

    centre_W: Tensor
    even_WW: Tensor

    def __init__(self, width: int) -> None:
        super().__init__()
        self.register_buffer("centre_W", torch.zeros(width))
        self.register_buffer("even_WW", torch.eye(width))

    def forward(self, inputs: Tensor) -> Tensor:
        width = len(self.centre_W)
        mean = (inputs[..., :width] - self.centre_W) @ self.even_WW
        return torch.cat([mean, inputs[..., width:]], dim=-1)


class EventContext(nn.Module):
    """z = W_h h + W_p p + W_d e_d + W_o e_o, where h is [mean visual vector; candidate vector].

    The pulses p, and what is gathered of the target's candidates, stand between the two. Without them this is
    the paper's context.
    """

    from_pulses_HP: nn.Parameter | None

    def __init__(self, config: HeadsConfig) -> None:
        super().__init__()
        self.evening = Evening(config.width) if config.evened else nn.Identity()
        self.operators = nn.Embedding(len(EVENT_OPERATORS), config.hidden)
        self.from_input = nn.Linear(2 * config.width, config.hidden, bias=False)
        self.from_target = nn.Linear(config.target_width, config.hidden, bias=False)
        self.from_operator = nn.Linear(config.hidden, config.hidden, bias=False)
        # Zero, and drawn from no chance: a head that hears no pulse learns as if there were none to hear.
        pulses = config.pulses + config.gathered
        pulses_HP = nn.Parameter(torch.zeros(config.hidden, pulses)) if pulses else None
        self.register_parameter("from_pulses_HP", pulses_HP)

    def forward(self, inputs: Tensor, target: Tensor, operator: Operator) -> Tensor:
        pulses = 0 if self.from_pulses_HP is None else self.from_pulses_HP.shape[1]
        _check_width("event inputs", inputs, self.from_input.in_features + pulses)
        _check_width("target vectors", target, self.from_target.in_features)
        operator_H = self.operators.weight[EVENT_OPERATORS.index(operator)]
        width = self.from_input.in_features // 2
        mean, pulse, own = torch.split(inputs, [width, pulses, width], dim=-1)
        heard = self.from_input(self.evening(torch.cat([mean, own], dim=-1)))
        if self.from_pulses_HP is not None:
            heard = heard + functional.linear(pulse, self.from_pulses_HP)
        z: Tensor = heard + self.from_target(target) + self.from_operator(operator_H)
        return z


def _check_width(what: str, vectors: Tensor, width: int) -> None:
    if vectors.shape[-1] != width:
        raise InvalidInput(f"expected {what} of width {width}, got shape {tuple(vectors.shape)}")
