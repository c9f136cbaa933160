"""What a detector owes: boxes, what they may be, how sure, and optionally embeddings."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from stamina_video.backbone.perception.percept import Floats
from stamina_video.semantics import InvalidInput

Image = NDArray[np.uint8]  # height, width, red-green-blue
PAINT_UNIT = 25.0  # of Lab


@dataclass(frozen=True, slots=True, eq=False)
class Detections:
    """K boxes as fractions of the image, best first. `labels_KV` weighs every word of the vocabulary.

    A detector that knows more says so: what colour things were painted in (Lab over `PAINT_UNIT`), and the
    fields of features it made on its way, which cover the image.
    """

    boxes_K4: Floats
    scores_K: Floats
    vocabulary: tuple[str, ...]
    labels_KV: Floats
    embeddings_KE: Floats
    paints_K3: Floats | None = None
    fields: tuple[Floats, ...] = ()

    def __post_init__(self) -> None:
        count = len(self.boxes_K4)
        expected = {
            "boxes": (count, 4),
            "scores": (count,),
            "labels": (count, len(self.vocabulary)),
            "embeddings": (count, self.embeddings_KE.shape[-1]),
        }
        given = {
            "boxes": self.boxes_K4.shape,
            "scores": self.scores_K.shape,
            "labels": self.labels_KV.shape,
            "embeddings": self.embeddings_KE.shape,
        }
        if self.paints_K3 is not None:
            expected["paints"], given["paints"] = (count, 3), self.paints_K3.shape
        for name, shape in expected.items():
            if given[name] != shape:
                raise InvalidInput(f"expected {name} of shape {shape} from the detector, got {given[name]}")

    def __len__(self) -> int:
        return len(self.boxes_K4)

    def best(self, most: int) -> "Detections":
        """At most this many, best first; equal scores keep their order."""
        order = np.argsort(-self.scores_K, kind="stable")[:most]
        return Detections(
            self.boxes_K4[order],
            self.scores_K[order],
            self.vocabulary,
            self.labels_KV[order],
            self.embeddings_KE[order],
            None if self.paints_K3 is None else self.paints_K3[order],
            self.fields,
        )


class Detector(Protocol):
    """The plug-in point: any function from an image to detections, always with the same embedding width."""

    def __call__(self, image_HW3: Image, /) -> Detections: ...


def labelled(boxes: Any, labels: Sequence[str], scores: Any, embeddings: Any = None) -> Detections:
    """Detections from one word per box, as most detectors give them."""
    vocabulary = tuple(sorted(set(labels)))
    labels_KV = np.array([[word == label for word in vocabulary] for label in labels], np.float32)
    return Detections(
        np.asarray(boxes, np.float32).reshape(-1, 4).clip(0, 1),
        np.asarray(scores, np.float32).reshape(-1),
        vocabulary,
        labels_KV.reshape(len(labels), len(vocabulary)),
        np.zeros((len(labels), 0), np.float32) if embeddings is None else np.asarray(embeddings, np.float32),
    )
