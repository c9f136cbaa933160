"""Reads the names of evaluation media from a list or from a benchmark's own annotations."""

import json
from pathlib import Path
from typing import Any

from stamina_video.semantics import InvalidInput, UnreadableFile

FIELDS = ("video_path", "video", "video_name", "video_id")


def read_media_names(path: Path) -> frozenset[str]:
    """Names or hashes: one a line in a text file, or a field of every row of JSON or JSON Lines."""
    try:
        text = path.read_text("utf-8")
        if path.suffix == ".json":
            names = [_name(row, path) for row in json.loads(text)]
        elif path.suffix == ".jsonl":
            names = [_name(json.loads(line), path) for line in text.splitlines() if line.strip()]
        else:
            names = [line.strip() for line in text.splitlines() if line.strip()]
    except (OSError, ValueError, TypeError) as error:
        if isinstance(error, InvalidInput):
            raise
        raise UnreadableFile(f"{path}: expected names of media, got {error}") from None
    return frozenset(names)


def _name(row: Any, path: Path) -> str:
    found = next((row[name] for name in FIELDS if isinstance(row, dict) and name in row), None)
    if not isinstance(found, str):
        raise InvalidInput(f"{path}: expected a row with one of {', '.join(FIELDS)}, got {row!r:.80}")
    return found
