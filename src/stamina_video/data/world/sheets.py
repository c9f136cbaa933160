"""Sample sheets: scenes as rows, moments as columns."""

from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np

from stamina_video.data.world.families import FAMILIES, UNSEEN_FAMILIES, make_scene
from stamina_video.data.world.raster import U8
from stamina_video.semantics import InvalidInput

WIDTH, HEIGHT = 240, 180
SECONDS = 20.0


def write_sheet(out: Path, families: Sequence[str] | None, scenes: int, moments: int, seed: int) -> None:
    """Draw scenes of these families, or of all."""
    if min(scenes, moments) < 1:
        raise InvalidInput(f"expected at least one scene and one moment, got {scenes} and {moments}")
    if out.suffix != ".png" or not out.parent.is_dir():
        raise InvalidInput(f"expected a PNG to write in a folder that is there, got {out}")
    cv2.imwrite(str(out), _sheet(families, scenes, moments, seed))


def _sheet(families: Sequence[str] | None, scenes: int, moments: int, seed: int) -> U8:
    rows = []
    for family in families or FAMILIES:
        split = "unseen" if family in UNSEEN_FAMILIES else "train"
        for number in range(scenes):
            scene = make_scene(family, seed + number, split, SECONDS)
            times = [SECONDS * (k + 0.5) / moments for k in range(moments)]
            frames = [_fitted(scene.frame(time, scene.size(HEIGHT))) for time in times]
            rows.append(np.concatenate(frames, axis=1))
    return np.concatenate(rows)[:, :, ::-1]


def _fitted(frame: U8) -> U8:
    """The frame, cut or padded to the width of a cell."""
    margin = (frame.shape[1] - WIDTH) // 2
    if margin >= 0:
        return frame[:, margin : margin + WIDTH]
    return np.pad(frame, ((0, 0), (-margin, WIDTH - frame.shape[1] + margin), (0, 0)))
