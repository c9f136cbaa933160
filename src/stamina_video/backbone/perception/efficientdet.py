"""EfficientDet-Lite on LiteRT, read before its own suppression: every box keeps all its class scores.

The maps behind boxes and scores are read, too: they know more than the 80 classes say.
"""

import os
import re
import sys
import threading
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import cv2
import numpy as np
from ai_edge_litert.interpreter import Interpreter  # type: ignore[import-untyped]  # ships no types
from numpy.typing import NDArray

from stamina_video.backbone.perception.boxes import keep_apart, overlaps
from stamina_video.backbone.perception.detector import Detections, Image
from stamina_video.backbone.perception.flatbuffer import with_outputs
from stamina_video.backbone.perception.percept import Floats
from stamina_video.semantics import UnreadableFile

LOWEST_SCORE = 0.05  # weak boxes are evidence too; the trained part decides
CANDIDATES = 1000  # one large thing fills a hundred; with fewer, small things beside it are never met
SAME_THING = 0.6  # overlap
MOST = 25
SETTINGS = f"scores from {LOWEST_SCORE}, {CANDIDATES} candidates, apart by {SAME_THING}, at most {MOST}"
UNNAMED = "???"  # the holes in COCO's numbering
MIDDLE_GREY = 127  # nought after the normalisation inside: the frame it was trained with
LEVELS = 4  # maps that are read, the finest first; the coarsest one sees no more than they do
_LAST_MAP = re.compile(r"fpn_cells/cell_4/fnode([3-6])/op_after_combine\d+/bn/")  # of the last cell


@dataclass(frozen=True, slots=True, eq=False)
class Sight:
    """One look at a framed image: the strongest boxes with all their class scores, and the maps."""

    boxes_K4: Floats  # fractions of the image, best first
    labels_KV: Floats
    maps: tuple[Floats, ...]  # each (side, side, channels), over the whole frame
    filled_2: Floats  # the share of the frame's width and height that the image fills


class Retina(Protocol):
    """What finds maps and class scores: a detector that lets look behind its boxes."""

    @property
    def vocabulary(self) -> tuple[str, ...]: ...

    def look(self, image_HW3: Image, /) -> Sight: ...


class EfficientDet:
    """A detector of COCO's 80 classes."""

    def __init__(self, path: Path, threads: int) -> None:
        words = _labels(path)
        self._named = np.array([index for index, word in enumerate(words) if word != UNNAMED])
        self.vocabulary = tuple(words[index] for index in self._named)
        with _greeting_unheard():
            self._maps = _last_maps(Interpreter(str(path)))
            model = with_outputs(path.read_bytes(), self._maps)
            self._interpreter: Any = Interpreter(model_content=model, num_threads=threads)
            self._interpreter.allocate_tensors()
        self._input = self._interpreter.get_input_details()[0]
        self._encodings, self._scores, self._anchors = _heads(self._interpreter, len(words))
        self._lock = threading.Lock()  # one interpreter holds one image at a time

    def __call__(self, image_HW3: Image, /) -> Detections:
        """Boxes of one thing each, as the detector itself would report them, only further down its list."""
        sight = self.look(image_HW3)
        kept = keep_apart(sight.boxes_K4, MOST, SAME_THING)
        labels_KV = sight.labels_KV[kept]
        nothing_KE = np.zeros((len(kept), 0), np.float32)
        return Detections(sight.boxes_K4[kept], labels_KV.max(axis=1), self.vocabulary, labels_KV, nothing_KE)

    def look(self, image_HW3: Image) -> Sight:
        height, width = self._input["shape"][1:3]
        framed, scale = _framed(image_HW3, int(height), int(width))
        with self._lock:
            self._interpreter.set_tensor(self._input["index"], framed[None])
            self._interpreter.invoke()
            scores_AV = self._interpreter.tensor(self._scores)()[0]
            best_A = scores_AV.max(axis=1)
            rows = _strongest(best_A)
            labels_KV = scores_AV[rows][:, self._named]
            encodings_K4 = self._interpreter.tensor(self._encodings)()[0][rows]
            anchors_K4 = self._interpreter.tensor(self._anchors)()[rows]
            maps = tuple(self._map(index) for index in self._maps)
            del scores_AV  # a view of the interpreter's memory; it refuses to run while one lives
        boxes_K4 = (_decoded(encodings_K4, anchors_K4) * scale).clip(0, 1).astype(np.float32)
        return Sight(boxes_K4, labels_KV, maps, np.asarray(1 / scale[:2], np.float32))

    def _map(self, index: int) -> Floats:
        detail = next(one for one in self._interpreter.get_output_details() if one["index"] == index)
        step, nought = detail["quantization"]
        quantised_HWC = self._interpreter.get_tensor(index)[0].astype(np.float32)
        return np.asarray((quantised_HWC - nought) * step, np.float32)


def spoken(sight: Sight, boxes_K4: Floats, overlap: float) -> Floats:
    """(K, V): what the detector says at best of each thing, class by class; nothing where no box is near."""
    near_KA = overlaps(boxes_K4, sight.boxes_K4) >= overlap
    scores_KV = np.zeros((len(boxes_K4), sight.labels_KV.shape[1]), np.float32)
    for thing, near_A in enumerate(near_KA):
        if near_A.any():
            scores_KV[thing] = sight.labels_KV[near_A].max(axis=0)
    return scores_KV


@contextmanager
def _greeting_unheard() -> Iterator[None]:
    """The runtime greets on standard error, past Python and past every setting."""
    sys.stderr.flush()
    heard, silence = os.dup(2), os.open(os.devnull, os.O_WRONLY)
    os.dup2(silence, 2)
    try:
        yield
    finally:
        os.dup2(heard, 2)
        os.close(heard)
        os.close(silence)


def _labels(path: Path) -> list[str]:
    """The class names travel inside the model file, as a zip archive behind it."""
    try:
        with zipfile.ZipFile(path) as archive:
            return archive.read("labelmap.txt").decode().split("\n")[:-1]
    except (OSError, KeyError, zipfile.BadZipFile) as error:
        raise UnreadableFile(f"expected a detector with labelmap.txt inside, got {path}: {error}") from error


def _heads(interpreter: Any, classes: int) -> tuple[int, int, int]:
    """Tensors that enter the model's last operation: box encodings, class scores, anchors."""
    details = {detail["name"]: detail for detail in interpreter.get_tensor_details()}
    anchors = details["stack"]
    count = int(anchors["shape"][0])
    scores = details["Sigmoid1"]
    assert tuple(scores["shape"][:2]) == (1, count), "scores and anchors come in pairs"
    assert scores["shape"][2] >= classes, "every label has a score"
    encodings = [
        d for d in details.values() if tuple(d["shape"]) == (1, count, 4) and d["dtype"] == np.float32
    ]
    assert len(encodings) == 1, "one tensor of box encodings"
    return int(encodings[0]["index"]), int(scores["index"]), int(anchors["index"])


def _last_maps(interpreter: Any) -> list[int]:
    """Tensors of the maps that boxes and classes are read from, the finest first."""
    maps = [one for one in interpreter.get_tensor_details() if len(one["shape"]) == 4]
    named = ((_LAST_MAP.match(one["name"]), one["index"]) for one in maps)
    found = sorted((match[1], int(index)) for match, index in named if match)
    assert len(found) == LEVELS, "a detector of this family has one map a level"
    return [index for _, index in found]


def _framed(image_HW3: Image, height: int, width: int) -> tuple[Image, Floats]:
    """The image shrunk into the corner of a grey frame, and what undoes this on boxes."""
    shrink = min(height / image_HW3.shape[0], width / image_HW3.shape[1])
    inner_height, inner_width = (max(1, round(side * shrink)) for side in image_HW3.shape[:2])
    framed = np.full((height, width, 3), MIDDLE_GREY, np.uint8)
    framed[:inner_height, :inner_width] = cv2.resize(
        image_HW3,
        (inner_width, inner_height),
        interpolation=cv2.INTER_AREA if shrink < 1 else cv2.INTER_LINEAR,
    )
    across, down = width / inner_width, height / inner_height
    return framed, np.array([across, down, across, down], np.float32)


def _strongest(best_A: Floats) -> NDArray[np.intp]:
    rows = np.flatnonzero(best_A >= LOWEST_SCORE)
    return rows[np.argsort(-best_A[rows], kind="stable")[:CANDIDATES]]


def _decoded(encodings_K4: Floats, anchors_K4: Floats) -> Floats:
    """Anchors and encodings are (y, x, height, width) about a centre."""
    centre_K2 = encodings_K4[:, :2] * anchors_K4[:, 2:] + anchors_K4[:, :2]
    half_K2 = np.exp(encodings_K4[:, 2:]) * anchors_K4[:, 2:] / 2
    return np.concatenate([(centre_K2 - half_K2)[:, ::-1], (centre_K2 + half_K2)[:, ::-1]], axis=1)
