"""The gradient of one batch: every term a mean over the trajectories that contribute to it, on all processes.

One backward pass per trajectory, so that memory does not grow with the batch. A term's weight in it is one
over the number of contributing trajectories, which labels foretell; where a rollout finds less than they
claim, the batch is gone over again with the number found. Sums over processes are then the batch's means.
"""

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import torch
from accelerate import Accelerator
from accelerate.utils import gather_object
from torch import Tensor, nn

from stamina_video.semantics import InvalidInput
from stamina_video.training.claims import TERMS, claims
from stamina_video.training.sample import Sample
from stamina_video.training.sharding import exchange, gather
from stamina_video.training.trainee import Trainee

Shares = Mapping[str, float]  # of each term in the loss of one trajectory


@dataclass(frozen=True, slots=True)
class Judged:
    """One trajectory of a batch: its terms, or what went wrong with it."""

    sample: str
    terms: dict[str, float] = field(default_factory=dict)
    problem: str = ""

    @property
    def is_finite(self) -> bool:
        return not self.problem and all(map(math.isfinite, self.terms.values()))


@dataclass(frozen=True, slots=True)
class Learned:
    """A batch's terms, each averaged over the trajectories that contributed, and how many did."""

    terms: dict[str, float]
    contributed: dict[str, int]
    passes: int


class Batches:
    """Leaves the gradient of a batch in the parameters, the same on every process."""

    def __init__(self, trainee: Trainee, accelerator: Accelerator) -> None:
        self._trainee = trainee
        self._accelerator = accelerator

    def learn(self, batch: Sequence[Sample], weights: Shares, parameters: Sequence[nn.Parameter]) -> Learned:
        """Terms without weight are reported and do not teach."""
        expected = Counter(term for sample in batch for term in claims(sample))
        gather(self._trainee)
        judged, passes = self._go_over(batch, _shares(weights, expected), parameters), 1
        found = Counter(term for one in judged for term in one.terms)
        if not _agree(expected, found, weights):
            if exchange(self._trainee, self._accelerator):  # the way to be rid of gradients not yet shared
                gather(self._trainee)
            judged, passes = self._go_over(batch, _shares(weights, found), parameters), 2
        self._share_out(parameters)
        return Learned(_means(judged), dict(found), passes)

    def blame(self, batch: Sequence[Sample], weights: Shares, parameters: Sequence[nn.Parameter]) -> str:
        """Which trajectory of a batch has no finite gradient, though its loss is finite."""
        guilty = []
        for sample in self._mine(batch):
            _clear(parameters)
            self._judge(sample, weights)
            norms = [parameter.grad for parameter in parameters if parameter.grad is not None]
            if not math.isfinite(float(torch.nn.utils.get_total_norm(norms))):
                guilty.append(sample.id)
        found: list[str] = gather_object(guilty)
        return ", ".join(found) or "none alone"

    def _go_over(
        self, batch: Sequence[Sample], shares: Shares, parameters: Sequence[nn.Parameter]
    ) -> list[Judged]:
        _clear(parameters)
        judged: list[Judged] = gather_object([self._judge(sample, shares) for sample in self._mine(batch)])
        for one in judged:
            if not one.is_finite:
                said = one.problem or "expected finite losses, got " + ", ".join(
                    f"{term} {value:g}" for term, value in one.terms.items()
                )
                raise InvalidInput(f"trajectory {one.sample}: {said}")
        return judged

    def _judge(self, sample: Sample, shares: Shares) -> Judged:
        """What is wrong is told to all processes before any raises: the others would wait for ever."""
        try:
            with self._accelerator.autocast():
                terms: dict[str, Tensor] = self._trainee(sample)
        except InvalidInput as error:
            return Judged(sample.id, problem=str(error))
        judged = Judged(sample.id, {name: float(term.detach()) for name, term in terms.items()})
        # What rests may be all that a term depends on.
        taught = [
            shares[name] * term for name, term in terms.items() if shares.get(name) and term.requires_grad
        ]
        if taught and judged.is_finite:
            self._accelerator.backward(torch.stack(taught).sum())
        return judged

    def _mine(self, batch: Sequence[Sample]) -> Sequence[Sample]:
        return batch[self._accelerator.process_index :: self._accelerator.num_processes]

    def _share_out(self, parameters: Sequence[nn.Parameter]) -> None:
        """Shares are of the whole batch, so that the sum over processes is its mean."""
        processes = self._accelerator.num_processes
        averaged = exchange(self._trainee, self._accelerator)
        for parameter in parameters if processes > 1 else ():
            assert parameter.grad is not None, "cleared to zeros, not to nothing"
            if averaged:
                parameter.grad.mul_(processes)
            else:
                parameter.grad.copy_(self._accelerator.reduce(parameter.grad, "sum"))


def _clear(parameters: Iterable[nn.Parameter]) -> None:
    """Zeros, not None: AdamW skips None, and which parameters a batch reaches may differ by process."""
    for parameter in parameters:
        parameter.grad = torch.zeros_like(parameter)


def _shares(weights: Shares, contributing: Mapping[str, int]) -> dict[str, float]:
    return {term: weights.get(term, 0.0) / contributing[term] for term in contributing}


def _agree(expected: Mapping[str, int], found: Mapping[str, int], weights: Shares) -> bool:
    return all(
        expected.get(term, 0) == found.get(term, 0)
        for term in TERMS
        # Whom nobody contributes to, no share can dilute.
        if weights.get(term) and found.get(term)
    )


def _means(judged: Sequence[Judged]) -> dict[str, float]:
    means = {}
    for term in TERMS:
        present = [one.terms[term] for one in judged if term in one.terms]
        if present:
            means[term] = math.fsum(present) / len(present)
    return means
