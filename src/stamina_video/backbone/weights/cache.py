"""Where fetched files live. A file under its hash is whole and checked; nothing else is ever opened."""

import hashlib
import os
import sys
import tempfile
from pathlib import Path

from stamina_video.backbone.weights.convert import converted
from stamina_video.backbone.weights.manifest import Weight
from stamina_video.semantics import UnreadableFile

APP = "stamina-video"


def weights_folder() -> Path:
    """STAMINA_CACHE if set, else the user's cache folder as the platform has it."""
    if chosen := os.environ.get("STAMINA_CACHE"):
        return Path(chosen).expanduser() / "weights"
    return _user_cache() / APP / "weights"


def _user_cache() -> Path:
    if chosen := os.environ.get("XDG_CACHE_HOME"):
        return Path(chosen)
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches"
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData" / "Local"))
    return Path.home() / ".cache"


def kept_path(weight: Weight) -> Path:
    """Where the checked and converted file is, or will be."""
    return weights_folder() / weight.sha256 / weight.kept_as


def hand_path(weight: Weight) -> Path:
    """Where a person without a network puts the file; it is checked on first use."""
    return weights_folder() / weight.file


def check(weight: Weight, content: bytes) -> None:
    digest = hashlib.sha256(content).hexdigest()
    if digest != weight.sha256:
        raise UnreadableFile(f"expected {weight.file} with SHA-256 {weight.sha256}, got {digest}")


def keep(weight: Weight, content: bytes) -> Path:
    """Check the original bytes, convert them, and put the result in place in one move."""
    check(weight, content)
    path = kept_path(weight)
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, unfinished = tempfile.mkstemp(dir=path.parent, prefix=".", suffix=".part")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(converted(weight.conversion, content))
            file.flush()
            os.fsync(file.fileno())
        Path(unfinished).replace(path)
    finally:
        Path(unfinished).unlink(missing_ok=True)
    return path
