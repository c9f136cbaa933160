"""From a name to a model: the shipped one, a folder that `save_pretrained` wrote, or a released Qwen3-VL."""

import re
import warnings
from pathlib import Path

from stamina_video.backbone import CompactBackbone
from stamina_video.backbone.perception.pretrained import load_perception
from stamina_video.backbone.text import load_text_encoder
from stamina_video.runtime.model import Model, load_heads
from stamina_video.semantics import InvalidInput, UnreadableFile
from stamina_video.transitions import Heads, HeadsConfig

SHIPPED = Path(__file__).parent / "models"
RELEASED = {"4b": "Qwen/Qwen3-VL-4B-Instruct", "8b": "Qwen/Qwen3-VL-8B-Instruct"}
HUB_NAME = re.compile(r"\w[\w.-]*/[\w.-]+")


def load(name: str | Path = "nano", base: str | Path | None = None) -> Model:
    """A shipped model, "4b" or "8b", a name on the hub, or a folder: ours, a Qwen3-VL's, an adapter's.

    `base` says where the released weights are, for a folder that only names them.
    """
    folder = _folder(name)
    if folder is not None and (folder / "qwen.json").exists():
        return _full_size(folder, base)
    if folder is not None and (folder / "adapter_config.json").exists():
        return _adapted(folder, base)
    if base is not None:
        raise InvalidInput(f"expected a base only for a folder that names one, got it for {str(name)!r}")
    if folder is None:
        return _untrained(str(name), RELEASED.get(str(name), str(name)))
    if (folder / "config.json").exists():
        return _untrained(folder.name, folder)
    backbone = CompactBackbone.from_pretrained(folder, load_perception(folder), load_text_encoder())
    return Model(folder.name, backbone, load_heads(folder))


def _full_size(folder: Path, base: str | Path | None) -> Model:
    from stamina_video.backbone.qwen.backbone import QwenBackbone  # noqa: PLC0415  # an extra

    backbone = QwenBackbone.from_pretrained(folder, base)
    return Model(folder.name, backbone, load_heads(folder).to(backbone.qwen.device))


def _adapted(folder: Path, base: str | Path | None) -> Model:
    """A LoRA adapter of peft, on the released model that its page names."""
    from stamina_video.backbone.qwen.backbone import QwenBackbone  # noqa: PLC0415  # an extra
    from stamina_video.backbone.qwen.loading import adapted_base, load_adapter  # noqa: PLC0415  # an extra

    model = _untrained(folder.name, base or adapted_base(folder))
    assert isinstance(model.backbone, QwenBackbone), "a released model is one"
    load_adapter(model.backbone.qwen, folder)
    return model


def _untrained(name: str, released: str | Path) -> Model:
    """A released model as it is, ready for training and for questions."""
    from stamina_video.backbone.qwen.backbone import QwenBackbone  # noqa: PLC0415  # an extra

    backbone = QwenBackbone.from_released(released)
    warnings.warn(
        f"{released} comes without trained heads: it answers questions, but its counts mean nothing; "
        "load the folder a training run wrote",
        stacklevel=3,
    )
    heads = Heads(HeadsConfig(backbone.width, backbone.target_width))
    return Model(name, backbone, heads.eval().to(backbone.qwen.device))


def _folder(name: str | Path) -> Path | None:
    """Where a model's files are; None for a name on the hub."""
    if not str(name).strip():
        raise InvalidInput(f"expected a model's name or folder, got {str(name)!r}")
    shipped = SHIPPED / str(name)
    if isinstance(name, str) and shipped.parent == SHIPPED and shipped.is_dir():
        return shipped
    folder = Path(name)
    if folder.is_dir():
        return folder
    if isinstance(name, str) and (name in RELEASED or HUB_NAME.fullmatch(name)):
        return None
    known = ", ".join([*sorted(path.name for path in SHIPPED.glob("*") if path.is_dir()), *RELEASED])
    raise UnreadableFile(f"expected a model ({known}), a name on the hub or a folder, got {str(name)!r}")
