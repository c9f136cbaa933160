"""Hashes of media files, each read once."""

import hashlib
from pathlib import Path

from stamina_video.semantics import UnreadableFile

CHUNK = 1 << 20


def sha256_of(path: Path) -> str:
    digest = hashlib.sha256()
    try:
        with path.open("rb") as file:
            while chunk := file.read(CHUNK):
                digest.update(chunk)
    except OSError as error:
        raise UnreadableFile(f"{path}: expected a readable video, got {error.strerror}") from None
    return digest.hexdigest()


class MediaHashes:
    """Hashes of the files of one folder; empty where the folder or the file is not there."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder
        self._known: dict[str, str] = {}

    def __call__(self, name: str) -> str:
        if self._folder is None or not (self._folder / name).is_file():
            return ""
        if name not in self._known:
            self._known[name] = sha256_of(self._folder / name)
        return self._known[name]
