"""From a name to a model: the shipped one, or a folder that `save_pretrained` wrote."""

from pathlib import Path

from stamina_video.backbone import CompactBackbone
from stamina_video.backbone.perception.pretrained import load_perception
from stamina_video.backbone.text import load_text_encoder
from stamina_video.runtime.model import Model, load_heads
from stamina_video.semantics import InvalidInput, UnreadableFile

SHIPPED = Path(__file__).parent / "models"


def load(name: str | Path = "nano") -> Model:
    """A shipped model by name, or one saved in a folder."""
    folder = _folder(name)
    backbone = CompactBackbone.from_pretrained(folder, load_perception(), load_text_encoder())
    return Model(folder.name, backbone, load_heads(folder))


def _folder(name: str | Path) -> Path:
    if not str(name).strip():
        raise InvalidInput(f"expected a model's name or folder, got {str(name)!r}")
    shipped = SHIPPED / str(name)
    if isinstance(name, str) and shipped.parent == SHIPPED and shipped.is_dir():
        return shipped
    folder = Path(name)
    if not folder.is_dir():
        known = ", ".join(sorted(path.name for path in SHIPPED.glob("*") if path.is_dir())) or "none"
        raise UnreadableFile(f"expected a shipped model ({known}) or a model's folder, got {str(name)!r}")
    return folder
