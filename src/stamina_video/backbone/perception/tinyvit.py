"""TinyViT-5M on ONNX Runtime: a coarse field that knows what, a finer one that knows where."""

from pathlib import Path

import cv2
import numpy as np
import onnxruntime as ort  # type: ignore[import-untyped]  # ships no types

from stamina_video.backbone.perception.detector import Image
from stamina_video.backbone.perception.percept import Floats
from stamina_video.semantics import UnreadableFile

SIDE = 224
MEAN_3 = np.array([0.485, 0.456, 0.406], np.float32) * 255  # the normalisation it was trained with
SPREAD_3 = np.array([0.229, 0.224, 0.225], np.float32) * 255
COARSE, FINE = 320, 160


class TinyViT:
    """An encoder trained on ImageNet-22k."""

    def __init__(self, path: Path, threads: int) -> None:
        options = ort.SessionOptions()
        options.intra_op_num_threads = threads
        options.inter_op_num_threads = 1
        options.add_session_config_entry(
            "session.intra_op.allow_spinning", "0"
        )  # leave the cores to the others
        try:
            self._session = ort.InferenceSession(path, options, providers=["CPUExecutionProvider"])
        except Exception as error:  # the runtime's own exceptions share no narrower base
            raise UnreadableFile(f"expected an ONNX encoder, got {path}: {error}") from error

    @property
    def width(self) -> int:
        return COARSE + FINE

    def encode(self, image_HW3: Image, /) -> tuple[Floats, ...]:
        resized = cv2.resize(image_HW3, (SIDE, SIDE), interpolation=cv2.INTER_AREA)
        normalised_HW3 = (resized - MEAN_3) / SPREAD_3
        # The export gives the coarse field column by column.
        coarse_1WHC, fine_1CHW = self._session.run(None, {"input": normalised_HW3.transpose(2, 0, 1)[None]})
        return _even(coarse_1WHC[0].transpose(1, 0, 2)), _even(fine_1CHW[0].transpose(1, 2, 0))


def _even(field_HWC: Floats) -> Floats:
    """Every cell with mean nought and spread one: a few cells of empty ground are loud and drown a mean."""
    centred_HWC = field_HWC - field_HWC.mean(axis=-1, keepdims=True)
    return np.asarray(centred_HWC / (centred_HWC.std(axis=-1, keepdims=True) + 1e-6), np.float32)
