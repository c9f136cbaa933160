from copy import deepcopy

import torch
from torch import Tensor

from stamina_video.runtime import Model
from stamina_video.training.experiments.ground import Ground
from stamina_video.training.experiments.seeing import that_sees
from stamina_video.training.resting import compact


def decoder(model: Model) -> dict[str, Tensor]:
    return deepcopy(dict(compact(model).decoder.named_parameters()))


def test_a_copy_learns_and_the_start_stays(ground: Ground) -> None:
    before = decoder(ground.model)
    footages = ground.footage("packing", [0])
    first, again = (that_sees(ground.model, footages, updates=2) for _ in range(2))
    assert all(torch.equal(one, before[name]) for name, one in decoder(ground.model).items())
    moved = decoder(first)
    assert any(not torch.equal(one, before[name]) for name, one in moved.items())
    assert all(torch.equal(one, moved[name]) for name, one in decoder(again).items())
    assert first.heads.config.evened
