"""Frozen inputs on one scale, measured on training tracks alone: heads would else learn scales first."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import torch
from torch import Tensor

from stamina_video.training.experiments.tracks import Track

# I event input, W half of it

FAR = 5.0  # standard deviations: nothing lies farther out
CONSTANT = 1e-4  # what varies less says nothing


@dataclass(frozen=True, eq=False, slots=True)
class Standard:
    centre_I: Tensor
    spread_I: Tensor

    @classmethod
    def of(cls, tracks: Sequence[Track], as_it_is: slice = slice(0)) -> "Standard":
        """Over every slot that sees something. What is gathered of candidates stays `as_it_is`."""
        seen_XI = torch.cat([track.inputs_TMI[track.present_TM] for track in tracks])
        centre_I, spread_I = seen_XI.mean(0), seen_XI.std(0).clamp(min=CONSTANT)
        centre_I[as_it_is], spread_I[as_it_is] = 0.0, 1.0
        return cls(centre_I, spread_I)

    def __call__(self, track: Track) -> Track:
        inputs_TMI = _scaled(track.inputs_TMI, self.centre_I, self.spread_I) * track.present_TM[..., None]
        return replace(track, inputs_TMI=inputs_TMI, means_TV=self.of_means(track.means_TV))

    def of_means(self, means_TV: Tensor) -> Tensor:
        """The first half of an event input is the mean visual vector."""
        width = means_TV.shape[1]
        return _scaled(means_TV, self.centre_I[:width], self.spread_I[:width])


def _scaled(values: Tensor, centre: Tensor, spread: Tensor) -> Tensor:
    return ((values - centre) / spread).clamp(-FAR, FAR)
