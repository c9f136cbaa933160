"""What eyes learn from: one look of the detector with its maps, the picture, and what was there."""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError
from safetensors.numpy import load_file, save_file

from stamina_video.backbone.perception.boxes import keep_apart
from stamina_video.backbone.perception.detector import Image
from stamina_video.backbone.perception.efficientdet import Sight
from stamina_video.backbone.perception.percept import Floats
from stamina_video.semantics import UnreadableFile

# K things, A boxes of the detector, V its classes

APART = 0.55  # overlap over union of the detector's boxes that pass for two things
SURE, UNSURE = 0.4, 0.15  # scores of what it takes for a thing, and of what it may
MOST = 60
QUALITY = 95  # of what is kept of a picture


@dataclass(frozen=True, slots=True, eq=False)
class Told:
    """K things of one look, boxes as fractions of the image. Unsure ones are neither there nor not there."""

    boxes_K4: Floats
    sure_K: NDArray[np.bool_]
    names_K: NDArray[np.int64]  # columns of the list of names; −1 where unknown
    who_K: NDArray[np.int64]  # the same number is the same individual; −1 where unknown
    paints_K3: Floats  # not a number where unknown

    def __len__(self) -> int:
        return len(self.boxes_K4)


@dataclass(frozen=True, slots=True, eq=False)
class Glance:
    """A second look follows the one before it by `flow_HW2`, in hundredths of the longer side."""

    sight: Sight
    coded: NDArray[np.uint8]  # the picture, as a JPEG file holds it
    told: Told
    flow_HW2: Floats | None = None

    @property
    def image(self) -> Image:
        decoded = cv2.imdecode(self.coded, cv2.IMREAD_COLOR)
        assert decoded is not None, "what was coded can be decoded"
        return np.asarray(cv2.cvtColor(decoded, cv2.COLOR_BGR2RGB), np.uint8)


def coded(image_HW3: Image) -> NDArray[np.uint8]:
    """Thousands of pictures are kept, and close-ups of them are taken later."""
    _, bits = cv2.imencode(
        ".jpg", cv2.cvtColor(image_HW3, cv2.COLOR_RGB2BGR), [cv2.IMWRITE_JPEG_QUALITY, QUALITY]
    )
    return np.asarray(bits, np.uint8)


def as_told_by_detector(sight: Sight, columns: Sequence[str], vocabulary: Sequence[str]) -> Told:
    """Where nobody said what is there: what the detector is sure of."""
    kept = keep_apart(sight.boxes_K4, MOST, APART)
    labels_KV = sight.labels_KV[kept]
    scores_K = labels_KV.max(axis=1, initial=0)
    rows = scores_K >= UNSURE
    names_V = np.array([columns.index(word) if word in columns else -1 for word in vocabulary], np.int64)
    return Told(
        sight.boxes_K4[kept][rows],
        scores_K[rows] >= SURE,
        names_V[labels_KV[rows].argmax(axis=1)] if len(kept) else np.zeros(0, np.int64),
        np.full(int(rows.sum()), -1, np.int64),
        np.full((int(rows.sum()), 3), np.nan, np.float32),
    )


def save_glances(path: Path, glances: Sequence[Glance]) -> None:
    """Whole or not at all."""
    stored: dict[str, NDArray[Any]] = {}
    for number, glance in enumerate(glances):
        named: dict[str, NDArray[Any]] = {
            "boxes": glance.sight.boxes_K4,
            "labels": glance.sight.labels_KV.astype(np.float16),
            "filled": np.asarray(glance.sight.filled_2, np.float32),
            "picture": glance.coded,
            **{f"map{level}": one.astype(np.float16) for level, one in enumerate(glance.sight.maps)},
            **{f"told.{field.name}": getattr(glance.told, field.name) for field in fields(Told)},
        }
        if glance.flow_HW2 is not None:
            named["flow"] = glance.flow_HW2.astype(np.float16)
        stored |= {f"{number}.{name}": np.ascontiguousarray(array) for name, array in named.items()}
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_suffix(".part")
    save_file(stored, draft)
    draft.replace(path)


def load_glances(path: Path) -> list[Glance]:
    """Maps and scores stay in half precision: a thousand scenes of them fill gigabytes."""
    try:
        stored = load_file(path)
        numbers = sorted({int(name.partition(".")[0]) for name in stored})
        return [_glance(stored, f"{number}.") for number in numbers]
    except (OSError, SafetensorError, ValueError, KeyError) as error:
        raise UnreadableFile(f"{path}: expected glances of the eyes, got {error}") from None


def _glance(stored: dict[str, NDArray[Any]], prefix: str) -> Glance:
    levels = sum(name.startswith(f"{prefix}map") for name in stored)
    flow = stored.get(f"{prefix}flow")
    return Glance(
        Sight(
            stored[f"{prefix}boxes"],
            stored[f"{prefix}labels"],
            tuple(stored[f"{prefix}map{level}"] for level in range(levels)),
            stored[f"{prefix}filled"],
        ),
        stored[f"{prefix}picture"],
        Told(*(stored[f"{prefix}told.{field.name}"] for field in fields(Told))),
        None if flow is None else flow.astype(np.float32),
    )
