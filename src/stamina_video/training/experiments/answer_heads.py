"""The answer-only control: a head that says a number when asked, and keeps no state."""

from collections.abc import Sequence

import torch
from torch import Tensor, nn
from torch.nn.functional import cross_entropy

from stamina_video.semantics import Operator
from stamina_video.training.experiments.event_heads import Optimisation, steps
from stamina_video.training.experiments.tracks import Track

# X questions, T looks, W width, D target width, N answers

OPERATORS = tuple(Operator)
LARGEST = 20  # the highest answer it knows
QUESTIONS = 40  # of a batch: eight trajectories of five


class AnswerHead(nn.Module):
    """Reads the latest look and the mean of all so far, as a decoder's last state would."""

    def __init__(self, width: int, target_width: int, hidden: int = 256) -> None:
        super().__init__()
        self.operators = nn.Embedding(len(OPERATORS), hidden)
        self.from_looks = nn.Linear(2 * width, hidden)
        self.from_target = nn.Linear(target_width, hidden, bias=False)
        self.answer = nn.Linear(hidden, LARGEST + 1)

    def forward(self, looks_X2W: Tensor, targets_XD: Tensor, operators_X: Tensor) -> Tensor:
        hidden = self.from_looks(looks_X2W) + self.from_target(targets_XD) + self.operators(operators_X)
        logits_XN: Tensor = self.answer(nn.functional.gelu(hidden))
        return logits_XN


class Asked:
    """Questions with what a head may look at, and their true answers."""

    def __init__(self) -> None:
        self._looks: list[Tensor] = []
        self._targets: list[Tensor] = []
        self._operators: list[int] = []
        self._counts: list[int] = []

    def add(self, means_TV: Tensor, target_D: Tensor, operator: Operator, end: int, count: int) -> None:
        """A question after `end` looks."""
        self._looks.append(torch.cat([means_TV[end - 1], means_TV[:end].mean(0)]))
        self._targets.append(target_D)
        self._operators.append(OPERATORS.index(operator))
        self._counts.append(count)

    def __len__(self) -> int:
        return len(self._counts)

    def inputs(self) -> tuple[Tensor, Tensor, Tensor]:
        return torch.stack(self._looks), torch.stack(self._targets), torch.tensor(self._operators)

    def counts(self) -> Tensor:
        return torch.tensor(self._counts).clamp(max=LARGEST)


def questions(tracks: Sequence[Track]) -> Asked:
    """Every endpoint of event tracks, reachable or not: an answer needs no path."""
    asked = Asked()
    for track in tracks:
        for end in track.endpoints:
            asked.add(track.means_TV, track.target_D, track.operator, end.observations, end.count)
    return asked


def taught(asked: Asked, settings: Optimisation, seed: int) -> AnswerHead:
    """As many updates as the other heads have, on as many labels."""
    torch.manual_seed(seed)
    looks_X2W, targets_XD, operators_X = asked.inputs()
    counts_X = asked.counts()
    head = AnswerHead(looks_X2W.shape[1] // 2, targets_XD.shape[1])
    generator = torch.Generator().manual_seed(seed)
    for update in steps(head, settings, settings.warmup + settings.updates):
        chosen = torch.randperm(len(asked), generator=generator)[:QUESTIONS]
        logits_XN = head(looks_X2W[chosen], targets_XD[chosen], operators_X[chosen])
        update(cross_entropy(logits_XN, counts_X[chosen]))
    return head


@torch.no_grad()
def answers(head: AnswerHead, asked: Asked) -> list[int]:
    found: list[int] = head(*asked.inputs()).argmax(1).tolist()
    return found
