"""What a frozen backbone made of each look, on disk: experiments on heads alone pay for it once."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import load_file, save_file
from torch import Tensor

from stamina_video.backbone.contract import Backbone, Observed, Snapshot
from stamina_video.runtime import Model
from stamina_video.semantics import InvalidInput, Observation
from stamina_video.training.stretch import Stretch

# T looks, N tokens, D width


@dataclass(frozen=True, eq=False, slots=True)
class Look:
    """The final states of one observation."""

    tokens_ND: Tensor
    mean_D: Tensor
    boxes_N4: Tensor | None


@dataclass(frozen=True, slots=True)
class FrozenBackbone:
    """Hands looks through: `observation.image` is what a backbone made of it. It has no state."""

    width: int
    target_width: int
    pulses: int
    fingerprint: str
    vectors: Mapping[str, Tensor]  # by description

    def encode_target(self, description: str) -> Tensor:
        return self.vectors[description]

    def initial(self) -> None:
        return None

    def observe(self, state: None, observation: Observation) -> Observed[None]:  # noqa: ARG002  # the contract's signature
        look: Any = observation.image
        if not isinstance(look, Look):
            raise InvalidInput(f"expected a kept look, got {type(look).__name__}")
        return Observed(None, look.tokens_ND, look.mean_D, look.boxes_N4)

    def detached(self, state: None) -> None:
        return state

    def full(self) -> "FrozenBackbone":
        return self

    def pack(self, state: None) -> Snapshot:  # noqa: ARG002  # the contract's signature
        return Snapshot({})

    def unpack(self, snapshot: Snapshot) -> None:  # noqa: ARG002  # the contract's signature
        return None

    def save_pretrained(self, folder: Path) -> None:
        raise InvalidInput(f"expected a backbone with parameters to save in {folder}, got kept looks")


def frozen(model: Model, descriptions: Sequence[str]) -> FrozenBackbone:
    """The stand-in for a model's backbone, for these targets."""
    backbone = model.backbone
    with torch.no_grad():
        vectors = {words: backbone.encode_target(words) for words in dict.fromkeys(descriptions)}
    return FrozenBackbone(backbone.width, backbone.target_width, backbone.pulses, model.fingerprint, vectors)


def observations(stretch: Stretch, model: Model, folder: Path) -> list[Observation]:
    """The stretch's looks as observations for a frozen backbone; made by the model's where none are kept."""
    path = folder / model.fingerprint / f"{stretch.name}.safetensors"
    if not path.exists():
        _keep(_looked(stretch, model.backbone), path)
    kept = load_file(path)
    lengths = kept["lengths"].tolist()
    tokens, boxes = torch.split(kept["tokens"].float(), lengths), torch.split(kept["boxes"], lengths)
    return [
        Observation(
            stretch.name, number, time, Look(tokens[number], kept["means"][number], boxes[number]), number
        )
        for number, time in enumerate(stretch.times)
    ]


@torch.no_grad()
def _looked(stretch: Stretch, backbone: Backbone[Any]) -> list[Look]:
    """The chronological pass: memory and window advance as they do in deployment."""
    state, looks = backbone.initial(), []
    for number, (time, percept) in enumerate(zip(stretch.times, stretch.percepts(), strict=True)):
        seen = backbone.observe(state, Observation(stretch.name, number, time, percept, number))
        state = seen.state
        looks.append(Look(seen.tokens_ND, seen.mean_D, seen.boxes_N4))
    return looks


def _keep(looks: Sequence[Look], path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_suffix(".part")
    save_file(
        {
            "lengths": torch.tensor([len(look.tokens_ND) for look in looks]),
            "tokens": torch.cat([look.tokens_ND for look in looks]).half(),
            "means": torch.stack([look.mean_D for look in looks]),
            "boxes": torch.cat([_placed(look) for look in looks]),
        },
        draft,
    )
    draft.replace(path)


def _placed(look: Look) -> Tensor:
    return look.tokens_ND.new_zeros(len(look.tokens_ND), 4) if look.boxes_N4 is None else look.boxes_N4
