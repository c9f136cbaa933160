"""A model as one module: a sample in, its loss terms out. Whatever shards modules can shard it."""

from collections.abc import Callable
from dataclasses import fields

import torch
from torch import Tensor, nn

from stamina_video.runtime import Model
from stamina_video.training.parameters import modules
from stamina_video.training.sample import Sample
from stamina_video.transitions import LossTerms

Objective = Callable[[Model, Sample], LossTerms]


class Trainee(nn.Module):
    def __init__(self, model: Model, objective: Objective) -> None:
        super().__init__()
        self.parts = nn.ModuleDict(modules(model))
        self._model = model
        self.objective = objective  # a later stage may have another

    @property
    def model(self) -> Model:
        """A fresh record of the same parameters: one remembers its target vectors, and they move."""
        return Model(self._model.name, self._model.backbone, self._model.heads)

    def forward(self, sample: Sample | None) -> dict[str, Tensor]:
        """The terms that a sample supports; without one, a zero that every learning parameter is part of."""
        if sample is None:
            learning = [part.sum() for part in self.parameters() if part.requires_grad]
            return {"nothing": 0.0 * torch.stack(learning).sum()}
        terms = self.objective(self.model, sample)
        named = {field.name: getattr(terms, field.name) for field in fields(terms)}
        return {name: term for name, term in named.items() if term is not None}
