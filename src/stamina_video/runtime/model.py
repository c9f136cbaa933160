"""A backbone and its heads, assembled. Sizes differ in configuration and backbone only."""

import hashlib
import json
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file, save_file
from torch import Tensor

from stamina_video.backbone.contract import Backbone, Speaking
from stamina_video.semantics import InvalidInput, Target, UnreadableFile
from stamina_video.transitions import Heads, HeadsConfig

CONFIGURATION, WEIGHTS = "heads.json", "heads.safetensors"


@dataclass(frozen=True, eq=False)
class Model:
    """What `step` runs. Frozen at deployment; training moves the parameters inside."""

    name: str
    backbone: Backbone[Any]
    heads: Heads

    def __post_init__(self) -> None:
        config = self.heads.config
        ours = (config.width, config.target_width, config.pulses)
        theirs = (self.backbone.width, self.backbone.target_width, self.backbone.pulses)
        if ours != theirs:
            raise InvalidInput(f"expected heads of widths and pulses {theirs}, as the backbone's, got {ours}")

    @cached_property
    def fingerprint(self) -> str:
        """Short, for every commit: changes with any weight or setting that can change a decision."""
        digest = hashlib.sha256(self.backbone.fingerprint.encode())
        digest.update(json.dumps(asdict(self.heads.config), sort_keys=True).encode())
        for name, tensor in sorted(self.heads.state_dict().items()):
            digest.update(name.encode())
            digest.update(tensor.detach().cpu().contiguous().numpy().tobytes())
        return f"{self.name}-{digest.hexdigest()[:12]}"

    @cached_property
    def full_access(self) -> "Model":
        """The same weights, whose attention reaches back to the origin; kept, as it has a fingerprint."""
        return replace(self, backbone=self.backbone.full())

    @property
    def speaker(self) -> Speaking:
        """The backbone as one that answers in words, where it has a language decoder."""
        if not isinstance(self.backbone, Speaking):
            raise InvalidInput(f"expected a model that speaks (4b, 8b) to answer, got {self.name!r}")
        return self.backbone

    @cached_property
    def _vectors(self) -> dict[str, Tensor]:
        return {}

    def target_vector(self, target: Target) -> Tensor:
        """The backbone's vector of a description, encoded once."""
        if target.description not in self._vectors:
            with torch.no_grad():
                self._vectors[target.description] = self.backbone.encode_target(target.description)
        return self._vectors[target.description]

    def save_pretrained(self, folder: Path) -> None:
        """The trained parameters of backbone and heads, as safetensors beside their configuration."""
        self.backbone.save_pretrained(folder)
        save_file(self.heads.state_dict(), folder / WEIGHTS)
        (folder / CONFIGURATION).write_text(json.dumps(asdict(self.heads.config), indent=2) + "\n", "utf-8")


def load_heads(folder: Path) -> Heads:
    path = folder / CONFIGURATION
    try:
        heads = Heads(HeadsConfig(**json.loads(path.read_text("utf-8"))))
        heads.load_state_dict(load_file(folder / WEIGHTS))
    except OSError as error:
        raise UnreadableFile(
            f"{error.filename or path}: expected heads of a model, got {error.strerror}"
        ) from None
    except (ValueError, TypeError, RuntimeError, SafetensorError) as error:
        raise UnreadableFile(f"{folder}: expected heads of a model, got {_first_line(error)}") from None
    return heads.eval()


def _first_line(error: Exception) -> str:
    return str(error).strip().splitlines()[0]
