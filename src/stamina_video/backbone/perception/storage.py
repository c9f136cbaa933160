"""Percepts of a whole video in one safetensors file, so that training does not look twice."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError
from safetensors.numpy import load_file, save_file

from stamina_video.backbone.perception.percept import PERCEPT_ARRAYS, WHOLE_NUMBERS, Percept
from stamina_video.semantics import InvalidInput, UnreadableFile

LENGTHS = "lengths_T"
EXACT = ("boxes_N4", *WHOLE_NUMBERS)  # places stay exact: half precision would move a box by a pixel


def save_percepts(path: Path, percepts: Sequence[Percept], half: bool = False) -> None:
    """Write the tokens of all observations end to end; `half` stores features in 16 bits."""
    if not percepts:
        raise InvalidInput("expected at least one percept to save, got none")
    stored: dict[str, NDArray[np.generic]] = {LENGTHS: np.array([len(percept) for percept in percepts])}
    for name in PERCEPT_ARRAYS:
        joined = np.concatenate([percept.arrays()[name] for percept in percepts])
        stored[name] = joined.astype(np.float16) if half and name not in EXACT else joined
    save_file(stored, path)


def load_percepts(path: Path) -> list[Percept]:
    """Read what `save_percepts` wrote, in full precision."""
    try:
        stored = load_file(path)
    except (OSError, SafetensorError) as error:
        raise UnreadableFile(f"expected a file of percepts, got {path}: {error}") from error
    if set(stored) != {LENGTHS, *PERCEPT_ARRAYS}:
        raise UnreadableFile(f"expected a file of percepts, got {path} with {', '.join(sorted(stored))}")
    starts = np.cumsum(stored[LENGTHS])[:-1]
    columns = [
        np.split(array if name in WHOLE_NUMBERS else array.astype(np.float32), starts)
        for name, array in ((name, stored[name]) for name in PERCEPT_ARRAYS)
    ]
    return [Percept(*parts) for parts in zip(*columns, strict=True)]
