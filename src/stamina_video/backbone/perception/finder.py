"""The trained eyes: things on the detector's maps, what they may be called, what they were painted in."""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors import SafetensorError
from safetensors.torch import load_file, save_file
from torch import Tensor, nn

from stamina_video.backbone.perception.boxes import crowding, overlaps
from stamina_video.backbone.perception.colour import SURVEYED, colour_field, survey
from stamina_video.backbone.perception.detector import Detections, Image
from stamina_video.backbone.perception.efficientdet import Sight
from stamina_video.backbone.perception.linking import MARKED, Linker
from stamina_video.backbone.perception.namer import Marker, Namer, Painter
from stamina_video.backbone.perception.percept import Floats
from stamina_video.backbone.perception.spotter import FRAME, Spotter, SpotterConfig, Things
from stamina_video.backbone.threads import one_thread
from stamina_video.semantics import UnreadableFile

# K things, A boxes of the detector, V its classes

CONFIGURATION, WEIGHTS = "eyes.json", "eyes.safetensors"
SPOKEN_OF = 0.45  # overlap from which the detector's box speaks of a thing
SAID_TWICE = 0.35  # overlap from which two boxes of one name show the same thing …
ALIKE = 0.5  # … if their names are this much alike
FIELDS = slice(1, 3)  # the maps that stand for the appearance of places: neither the finest nor the coarsest


class Retina(Protocol):
    """What finds maps and class scores: a detector that lets look behind its boxes."""

    @property
    def vocabulary(self) -> tuple[str, ...]: ...

    def look(self, image_HW3: Image, /) -> Sight: ...


@dataclass(frozen=True, slots=True)
class EyesConfig:
    """Sizes, and the lists that columns stand for. The spotter's last kind is whatever was not taught."""

    columns: tuple[str, ...]  # names, something, nothing
    vocabulary: tuple[str, ...]  # of the detector
    spotter: SpotterConfig

    @property
    def looks(self) -> int:
        """How many numbers say what a thing looks like."""
        return self.spotter.width + MARKED

    @classmethod
    def read(cls, said: dict[str, Any]) -> "EyesConfig":
        """Undo `asdict`, as JSON keeps it."""
        spotter = SpotterConfig(**said["spotter"] | {"kinds": tuple(said["spotter"]["kinds"])})
        return cls(tuple(said["columns"]), tuple(said["vocabulary"]), spotter)


class TrainedEyes(nn.Module):
    """All that is trained before anything is counted, in one module."""

    middles_LC: Tensor  # of every map: what all places look like, which tells none from another

    def __init__(self, config: EyesConfig) -> None:
        super().__init__()
        self.config = config
        kinds = config.spotter.kinds
        self.spotter = Spotter(config.spotter)
        self.namer = Namer(config.columns, config.vocabulary, kinds)
        self.painter = Painter(SURVEYED, len(kinds))
        self.marker = Marker(config.spotter.width, SURVEYED)
        self.linker = Linker()
        self.register_buffer("middles_LC", torch.zeros(config.spotter.levels, config.spotter.channels))

    def save_pretrained(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / CONFIGURATION).write_text(json.dumps(asdict(self.config), indent=2) + "\n", "utf-8")
        save_file({name: tensor.contiguous() for name, tensor in self.state_dict().items()}, folder / WEIGHTS)

    @classmethod
    def from_pretrained(cls, folder: Path) -> "TrainedEyes":
        path = folder / CONFIGURATION
        try:
            eyes = cls(EyesConfig.read(json.loads(path.read_text("utf-8"))))
            eyes.load_state_dict(load_file(folder / WEIGHTS))
        except OSError as error:
            missing = folder / WEIGHTS if path.exists() else path
            raise UnreadableFile(f"{missing}: expected trained eyes, got {error.strerror or error}") from None
        except (ValueError, TypeError, KeyError, RuntimeError, SafetensorError) as error:
            line = str(error).strip().splitlines()[0]
            raise UnreadableFile(f"{folder}: expected trained eyes, got {line}") from None
        return eyes.eval()


class Finder:
    """A detector made of a retina and trained eyes."""

    def __init__(self, retina: Retina, eyes: TrainedEyes) -> None:
        if retina.vocabulary != eyes.config.vocabulary:
            raise UnreadableFile("expected eyes trained on this detector's classes, got others")
        self.retina, self.eyes = retina, eyes

    def __call__(self, image_HW3: Image, /) -> Detections:
        sight = self.retina.look(image_HW3)
        with one_thread():
            things = self.eyes.spotter.spot(sight.maps)
            boxes_K4 = in_image(things.boxes_K4, sight)
            colours_KC = survey(colour_field(image_HW3), boxes_K4)
            names_KN, paints_K3 = self._read(sight, things, boxes_K4, colours_KC)
            looks_KE = self._looks(things, colours_KC)
        once = said_once(boxes_K4, things.scores_K, names_KN)
        return Detections(
            boxes_K4[once],
            things.scores_K[once],
            self.eyes.config.columns,
            names_KN[once],
            looks_KE[once],
            paints_K3[once],
            self._fields(sight),
        )

    def _fields(self, sight: Sight) -> tuple[Floats, ...]:
        """How places look, beside how all places do."""
        middles = self.eyes.middles_LC.numpy()
        return tuple(
            filled(sight.maps[level], sight.filled_2) - middles[level]
            for level in range(len(sight.maps))[FIELDS]
        )

    @torch.no_grad()
    def _looks(self, things: Things, colours_KC: Floats) -> Floats:
        """What a thing looks like, and last its mark."""
        features_KE = torch.from_numpy(things.features_KE)
        marks_KM = self.eyes.marker(features_KE, torch.from_numpy(colours_KC))
        return np.asarray(torch.cat([features_KE, marks_KM], dim=1).numpy(), np.float32)

    @torch.no_grad()
    def _read(
        self, sight: Sight, things: Things, boxes_K4: Floats, colours_KC: Floats
    ) -> tuple[Floats, Floats]:
        kinds_KO, colours = torch.from_numpy(things.kinds_KO), torch.from_numpy(colours_KC)
        scores_KV = torch.from_numpy(spoken(sight, boxes_K4))
        surely_K, crowding_K2 = (
            torch.from_numpy(things.scores_K).logit(1e-4),
            torch.from_numpy(crowding(boxes_K4)),
        )
        logits_KN = self.eyes.namer(scores_KV, kinds_KO, surely_K, crowding_K2)
        return logits_KN.softmax(-1).numpy(), self.eyes.painter(colours, kinds_KO).numpy()


def said_once(boxes_K4: Floats, scores_K: Floats, names_KN: Floats) -> NDArray[np.intp]:
    """Rows without second boxes of a thing: of two that overlap and have one name, the surer stays.

    Boxes of things with different names may overlap more: a mug stands before a bottle. The last name is
    nothing; what may be nothing gives way to what is something.
    """
    roots_KN = np.sqrt(names_KN)
    same_KK = (overlaps(boxes_K4, boxes_K4) > SAID_TWICE) & (roots_KN @ roots_KN.T >= ALIKE)
    kept: list[int] = []
    for thing in np.argsort(-scores_K * (1 - names_KN[:, -1]), kind="stable"):
        if not same_KK[thing, kept].any():
            kept.append(int(thing))
    return np.array(sorted(kept), np.intp)


def in_image(boxes_K4: Floats, sight: Sight) -> Floats:
    """From pixels of the frame to shares of the image."""
    return np.asarray((boxes_K4 / FRAME / np.tile(sight.filled_2, 2)).clip(0, 1), np.float32)


def spoken(sight: Sight, boxes_K4: Floats) -> Floats:
    """(K, V): what the detector says at best of each thing, class by class; nothing where no box is near."""
    near_KA = overlaps(boxes_K4, sight.boxes_K4) >= SPOKEN_OF
    scores_KV = np.zeros((len(boxes_K4), sight.labels_KV.shape[1]), np.float32)
    for thing, near_A in enumerate(near_KA):
        if near_A.any():
            scores_KV[thing] = sight.labels_KV[near_A].max(axis=0)
    return scores_KV


def filled(map_HWC: Floats, filled_2: Sequence[float] | Floats) -> Floats:
    """The part of a map that the image fills, to the nearest cell."""
    side = map_HWC.shape[0]
    width, height = (max(1, round(side * float(share))) for share in filled_2)
    return map_HWC[:height, :width]
