"""The visual side of an event score, shared in form by the edge scorer and the increment head."""

from torch import Tensor, nn

from stamina_video.semantics import InvalidInput, Operator
from stamina_video.transitions.config import HeadsConfig

EVENT_OPERATORS = tuple(operator for operator in Operator if operator.is_event)


class EventContext(nn.Module):
    """z = W_h h + W_d e_d + W_o e_o, where h is [mean visual vector; candidate vector]."""

    def __init__(self, config: HeadsConfig) -> None:
        super().__init__()
        self.operators = nn.Embedding(len(EVENT_OPERATORS), config.hidden)
        self.from_input = nn.Linear(2 * config.width, config.hidden, bias=False)
        self.from_target = nn.Linear(config.target_width, config.hidden, bias=False)
        self.from_operator = nn.Linear(config.hidden, config.hidden, bias=False)

    def forward(self, inputs: Tensor, target: Tensor, operator: Operator) -> Tensor:
        _check_width("event inputs", inputs, self.from_input.in_features)
        _check_width("target vectors", target, self.from_target.in_features)
        operator_H = self.operators.weight[EVENT_OPERATORS.index(operator)]
        z: Tensor = self.from_input(inputs) + self.from_target(target) + self.from_operator(operator_H)
        return z


def _check_width(what: str, vectors: Tensor, width: int) -> None:
    if vectors.shape[-1] != width:
        raise InvalidInput(f"expected {what} of width {width}, got shape {tuple(vectors.shape)}")
