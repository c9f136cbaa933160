"""Our modules in one file, beside a page that names the released model they belong to."""

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from safetensors import SafetensorError
from safetensors.torch import load_file, save_file
from torch import Tensor

from stamina_video.backbone.delta import DeltaConfig
from stamina_video.backbone.qwen.config import QwenConfig
from stamina_video.semantics import InvalidInput, UnreadableFile

PAGE, WEIGHTS = "qwen.json", "memory.safetensors"
TRAINED, ADAPTER = "base", "adapter"  # folders inside ours: a base that was trained too, a LoRA adapter


@dataclass(frozen=True, slots=True)
class Base:
    """A released model: on the hub, in a folder, or trained and kept beside our modules."""

    name: str
    revision: str | None
    hash: str

    def check(self, got: str) -> None:
        if got != self.hash:
            raise InvalidInput(
                f"expected the weights of {self.name!r} at revision {self.revision or 'unknown'} "
                f"(hash {self.hash[:12]}), got others (hash {got[:12]}): these modules fit only "
                "the base they were trained on; name the folder that has it as base"
            )


def write_page(folder: Path, base: Base, config: QwenConfig) -> None:
    page = {"base": asdict(base), "config": asdict(config)}
    (folder / PAGE).write_text(json.dumps(page, indent=2) + "\n", "utf-8")


def read_page(folder: Path) -> tuple[Base, QwenConfig]:
    path = folder / PAGE
    try:
        page: dict[str, Any] = json.loads(path.read_text("utf-8"))
        fields = dict(page["config"])
        memory = DeltaConfig(**fields.pop("memory"))
        return Base(**page["base"]), QwenConfig(memory=memory, **fields)
    except OSError as error:
        raise UnreadableFile(f"{path}: expected a readable file, got {error.strerror}") from None
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise UnreadableFile(f"{path}: expected a model's configuration, got {error}") from None


def write_weights(folder: Path, tensors: dict[str, Tensor]) -> None:
    save_file({name: tensor.contiguous() for name, tensor in tensors.items()}, folder / WEIGHTS)


def read_weights(folder: Path) -> dict[str, Tensor]:
    path = folder / WEIGHTS
    try:
        return load_file(path)
    except (OSError, SafetensorError) as error:
        raise UnreadableFile(f"expected memory weights, got {path}: {error}") from None
