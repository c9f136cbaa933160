"""The visual side of an event score, shared in form by the edge scorer and the increment head."""

import torch
from torch import Tensor, nn
from torch.nn import functional

from stamina_video.semantics import InvalidInput, Operator
from stamina_video.transitions.config import EVENT_OPERATORS, HeadsConfig

# W width of a visual vector, P pulses, Q candidates, G columns of each, R what is read of each

READ = 48


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


class Deeds(nn.Module):
    """What the target's candidates do, taken together: Σ_i ν_i GELU(W x_i + b) / √(1 + Σ_i ν_i).

    One may be held and another one inside a box: only of each by itself can be said that it was put there.
    """

    def __init__(self, config: HeadsConfig) -> None:
        super().__init__()
        self._sizes = (config.queries, 1 + config.gathered)
        self.read = nn.Linear(config.gathered, READ)
        self.told = nn.Linear(READ, config.hidden, bias=False)
        nn.init.zeros_(self.told.weight)

    def forward(self, gathered: Tensor) -> Tensor:
        candidates_QX = gathered.reshape(*gathered.shape[:-1], *self._sizes)
        visible_Q1, columns_QG = candidates_QX[..., :1], candidates_QX[..., 1:]
        done_QR = visible_Q1 * functional.gelu(self.read(columns_QG))
        told: Tensor = self.told(done_QR.sum(-2) / (1 + visible_Q1.sum(-2)).sqrt())
        return told


class EventContext(nn.Module):
    """z = W_h h + W_p p + D(x) + W_d e_d + W_o e_o, where h is [mean visual vector; candidate vector].

    The pulses p, and the columns x that are gathered of the target's candidates, stand between the two. Of
    e_d a head with instincts reads the words alone. Without all of these this is the paper's context.
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
        pulses_HP = nn.Parameter(torch.zeros(config.hidden, config.pulses)) if config.pulses else None
        self.register_parameter("from_pulses_HP", pulses_HP)
        self._sizes = [config.width, config.pulses, config.gathering, config.width]
        # Whom it happens to is the pooling's to know: names that were never taught would be noise here.
        self._words = config.worded or config.target_width
        # Made last, so that all else begins as it would without.
        self.deeds = Deeds(config) if config.gathered else None

    def forward(self, inputs: Tensor, target: Tensor, operator: Operator) -> Tensor:
        _check_width("event inputs", inputs, sum(self._sizes))
        _check_width("target vectors", target, self.from_target.in_features)
        operator_H = self.operators.weight[EVENT_OPERATORS.index(operator)]
        mean, pulse, gathered, own = torch.split(inputs, self._sizes, dim=-1)
        heard = self.from_input(self.evening(torch.cat([mean, own], dim=-1)))
        if self.from_pulses_HP is not None:
            heard = heard + functional.linear(pulse, self.from_pulses_HP)
        if self.deeds is not None:
            heard = heard + self.deeds(gathered)
        asked = functional.linear(target[..., : self._words], self.from_target.weight[:, : self._words])
        z: Tensor = heard + asked + self.from_operator(operator_H)
        return z


def _check_width(what: str, vectors: Tensor, width: int) -> None:
    if vectors.shape[-1] != width:
        raise InvalidInput(f"expected {what} of width {width}, got shape {tuple(vectors.shape)}")
