"""From a folder or a hub name to the parts of a released Qwen3-VL, in the precision its device is for."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from huggingface_hub import HfApi, snapshot_download
from safetensors import SafetensorError
from transformers import (
    AutoImageProcessor,
    AutoTokenizer,
    PreTrainedTokenizerBase,
    Qwen3VLForConditionalGeneration,
)

from stamina_video.backbone.qwen.files import Base
from stamina_video.backbone.qwen.hashing import weights_hash
from stamina_video.backbone.qwen.model import Qwen
from stamina_video.backbone.qwen.sight import ImageProcessor
from stamina_video.semantics import MissingExtra, UnreadableFile

PATIENCE = 10.0  # seconds for the hub's first answer; a download would retry for minutes before it says no
ADAPTER_PAGE = "adapter_config.json"  # peft's
_UNREADABLE = (OSError, ValueError, TypeError, KeyError, AttributeError, RuntimeError, SafetensorError)


@dataclass(frozen=True, slots=True)
class Released:
    """What transformers ships of a model, and which one it is."""

    model: Qwen3VLForConditionalGeneration
    tokenizer: PreTrainedTokenizerBase
    processor: ImageProcessor
    base: Base


def load_released(name: str | Path, revision: str | None = None) -> Released:
    """A released model by its hub name or folder; one line where it is missing, damaged or another kind."""
    device = best_device()
    try:
        folder, found = _found(name, revision)
        _check_kind(folder)
        loaded: Any = Qwen3VLForConditionalGeneration.from_pretrained(
            folder, dtype=precision(device), output_loading_info=True
        )
        model, report = loaded
        if missing := sorted(report["missing_keys"]):
            raise ValueError(f"none for {missing[0]} and {len(missing) - 1} others")
        tokenizer = AutoTokenizer.from_pretrained(folder)
        _check_words(tokenizer, model.config)
        processor = AutoImageProcessor.from_pretrained(folder)  # type: ignore[no-untyped-call]  # untyped there
    except _UNREADABLE as error:
        raise UnreadableFile(
            f"expected Qwen3-VL weights under {str(name)!r}, got {_first_line(error)}: {_advice(name)}"
        ) from None
    base = Base(str(name), found, weights_hash(model))
    return Released(model.to(device), tokenizer, processor, base)


def load_adapter(qwen: Qwen, folder: Path) -> None:
    """Puts a LoRA adapter that peft wrote onto the released model."""
    try:
        qwen.released.load_adapter(str(folder))
    except ImportError:
        raise MissingExtra(
            "expected peft for an adapter, got none: pip install 'stamina-video[qwen]'"
        ) from None
    except _UNREADABLE as error:
        raise UnreadableFile(
            f"expected a LoRA adapter of this base in {folder}, got {_first_line(error)}"
        ) from None


def adapted_base(folder: Path) -> str:
    """The base that an adapter's own page names."""
    path = folder / ADAPTER_PAGE
    try:
        return str(json.loads(path.read_text("utf-8"))["base_model_name_or_path"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise UnreadableFile(f"{path}: expected a page of peft that names its base, got {error}") from None


def best_device() -> torch.device:
    chosen = torch.accelerator.current_accelerator(check_available=True)
    return torch.device("cpu") if chosen is None else chosen


def precision(device: torch.device) -> torch.dtype:
    return torch.float32 if device.type == "cpu" else torch.bfloat16


def _found(name: str | Path, revision: str | None) -> tuple[Path, str | None]:
    """The files' folder and revision: a folder itself, what was fetched before, or the hub."""
    if Path(name).is_dir():
        return Path(name), revision
    try:
        folder = snapshot_download(str(name), revision=revision, local_files_only=True)
    except FileNotFoundError:
        _check_hub(str(name), revision)
        folder = snapshot_download(str(name), revision=revision)
    return Path(folder), Path(folder).name


def _check_hub(name: str, revision: str | None) -> None:
    try:
        HfApi().model_info(name, revision=revision, timeout=PATIENCE)
    except Exception as error:  # its kind depends on the HTTP library the hub's client uses
        raise OSError(f"no answer from the hub ({_first_line(error)}) and nothing fetched before") from None


def _check_kind(folder: Path) -> None:
    """Another kind of model would be built anew, at full size and with random weights."""
    kind = json.loads((folder / "config.json").read_text("utf-8"))["model_type"]
    if kind != "qwen3_vl":
        raise ValueError(f"a model of type {kind!r}")


def _check_words(tokenizer: PreTrainedTokenizerBase, config: Any) -> None:
    """Without its files a tokenizer is made that knows no words."""
    if tokenizer.convert_tokens_to_ids("<|video_pad|>") != config.video_token_id:
        raise ValueError("a tokenizer that does not know <|video_pad|>")


def _advice(name: str | Path) -> str:
    if Path(name).is_absolute() or Path(name).is_dir():
        return "name the folder that has them"
    return f"fetch them with `hf download {name}`, or name the folder that has them"


def _first_line(error: Exception) -> str:
    return (str(error).strip() or type(error).__name__).splitlines()[0].rstrip(".:")
