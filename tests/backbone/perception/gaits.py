"""Made-up things that are watched look by look, and what is told of how they move."""

from dataclasses import replace
from typing import Any

import numpy as np

from stamina_video.backbone.perception.around import Around, Landmark
from stamina_video.backbone.perception.files import Files, gathered
from stamina_video.backbone.perception.gait import GAIT
from stamina_video.backbone.perception.linking import Overlapping, Sights
from stamina_video.backbone.perception.percept import Floats
from tests.backbone.perception.sights import Box, sights

LEFT, RIGHT = (0.1, 0.2, 0.3, 0.4), (0.6, 0.3, 0.8, 0.7)
NOBODY = sights()
NOWHERE = np.zeros((0, 4), np.float32)
NOTHING = Landmark(NOWHERE, NOWHERE)
ALONE = Around(NOWHERE, NOWHERE, NOWHERE, NOTHING, NOTHING)


def at(x: float, y: float, size: float = 0.1) -> Box:
    return x - size / 2, y - size / 2, x + size / 2, y + size / 2


def watch(*looks: Sights, seats: int = 3) -> list[Files]:
    return lived(*((now, ALONE) for now in looks), seats=seats)


def lived(*looks: tuple[Sights, Around], seats: int = 3) -> list[Files]:
    """The files at every look, before it is one of those that were lately."""
    files, seen = Files.empty(seats, names=2, features=4), []
    for now, around in looks:
        files, _ = gathered(files, now, Overlapping())
        seen.append(files)
        gaits = files.gaits.lived(files.open, files.looks_S, files.missed_S, files.boxes_S4, around)
        files = replace(files, gaits=gaits)
    return seen


def boxes(*some: Box) -> Floats:
    return np.array(some, np.float32).reshape(-1, 4)


def standing(*some: Box) -> Landmark:
    return Landmark(boxes(*some), NOWHERE)


SCANNER = replace(ALONE, scanner=standing((0.45, 0.1, 0.55, 0.9)))  # its middle is at one half
DOORWAY = replace(ALONE, doorway=standing((0.4, 0.3, 0.6, 0.7)))  # its threshold is at 0.7
INWARDS = [(0.42, 0.3 + foot / 2, 0.58, foot) for foot in (0.78, 0.74, 0.71, 0.69, 0.66)]


def told(files: Files, around: Around = ALONE) -> dict[str, list[float]]:
    """What is said of each open seat, by name."""
    said_KG = files.gaits.told(files.open, files.looks_S, files.missed_S, files.boxes_S4, around)
    assert said_KG.shape == (len(files.open), len(GAIT))
    assert said_KG.dtype == np.float32
    return {name: said_KG[:, place].tolist() for place, name in enumerate(GAIT)}


def of_one(name: str, *boxes: Box, around: Around = ALONE) -> list[float]:
    """One number of one thing, look by look."""
    seen = lived(*((sights(box), around) for box in boxes))
    return [told(files, around)[name][0] for files in seen]


def alone_but(what: str, there: Floats | Landmark) -> Around:
    changed: dict[str, Any] = {what: there}
    return replace(ALONE, **changed)
