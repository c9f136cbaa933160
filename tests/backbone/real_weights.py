"""Pretrained files for the tests that need them; such a test is skipped where they cannot be had."""

from functools import cache
from pathlib import Path

import pytest

from stamina_video.backbone.weights import fetch
from stamina_video.semantics import UnreadableFile


@cache
def _fetched(name: str) -> Path | str:
    try:
        return fetch(name)
    except UnreadableFile as error:
        return str(error)


def real_weight(name: str) -> Path:
    path = _fetched(name)
    if isinstance(path, str):
        pytest.skip(f"pretrained weights are absent: {path}")
    return path
