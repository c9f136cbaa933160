"""From a folder or a hub name to the full-size backbone, in the precision its device is for."""

from pathlib import Path
from typing import Any

import torch
from transformers import AutoImageProcessor, AutoTokenizer, Qwen3VLForConditionalGeneration

from stamina_video.backbone.qwen.backbone import QwenBackbone
from stamina_video.backbone.qwen.config import QwenConfig
from stamina_video.backbone.qwen.files import ADAPTER, PAGE, WEIGHTS, Base, read_page, read_weights
from stamina_video.backbone.qwen.hashing import weights_hash
from stamina_video.backbone.qwen.model import Qwen
from stamina_video.semantics import MissingExtra, UnreadableFile


def load_released(
    name: str | Path, revision: str | None = None, config: QwenConfig | None = None
) -> QwenBackbone:
    """A released model by its hub name or folder, with fresh memories: they say nothing until trained."""
    device = _device()
    options: dict[str, Any] = {} if revision is None else {"revision": revision}
    try:
        released = Qwen3VLForConditionalGeneration.from_pretrained(name, dtype=_dtype(device), **options)
        tokenizer = AutoTokenizer.from_pretrained(name, **options)
        processor = AutoImageProcessor.from_pretrained(name, **options)  # type: ignore[no-untyped-call]  # untyped there
    except (OSError, ValueError) as error:
        raise UnreadableFile(
            f"expected Qwen3-VL weights under {str(name)!r}, got {_first_line(error)}: "
            f"fetch them with `hf download {name}`, or name the folder that has them"
        ) from None
    resolved = getattr(released.config, "_commit_hash", None) or revision
    base = Base(str(name), resolved, weights_hash(released))
    qwen = Qwen(released, config or QwenConfig())
    qwen.to(device)
    return QwenBackbone(qwen, tokenizer, processor, base)


def load_backbone(folder: Path, base: str | Path | None = None) -> QwenBackbone:
    """What `save_pretrained(folder)` wrote, on the base it names or on the same weights elsewhere."""
    named, config = read_page(folder)
    inside = folder / named.name
    place = base or (inside if not Path(named.name).is_absolute() and inside.is_dir() else named.name)
    backbone = load_released(place, named.revision if base is None else None, config)
    named.check(backbone.base.hash)
    try:
        backbone.qwen.memory.load_state_dict(read_weights(folder))
    except RuntimeError:
        raise UnreadableFile(
            f"expected the weights of {folder / PAGE}, got others in {folder / WEIGHTS}"
        ) from None
    if (folder / ADAPTER).is_dir():
        load_adapter(backbone, folder / ADAPTER)
    return QwenBackbone(backbone.qwen, backbone.tokenizer, backbone.processor, named)


def load_adapter(backbone: QwenBackbone, folder: Path) -> None:
    """Puts a LoRA adapter that peft wrote onto the released model."""
    try:
        backbone.qwen.released.load_adapter(str(folder))
    except ImportError:
        raise MissingExtra(
            "expected peft for an adapter, got none: pip install 'stamina-video[qwen]'"
        ) from None
    except (OSError, ValueError) as error:
        raise UnreadableFile(
            f"expected a LoRA adapter of this base in {folder}, got {_first_line(error)}"
        ) from None


def _device() -> torch.device:
    chosen = torch.accelerator.current_accelerator(check_available=True)
    return torch.device("cpu") if chosen is None else chosen


def _dtype(device: torch.device) -> torch.dtype:
    return torch.float32 if device.type == "cpu" else torch.bfloat16


def _first_line(error: Exception) -> str:
    return str(error).strip().splitlines()[0].rstrip(".:")
