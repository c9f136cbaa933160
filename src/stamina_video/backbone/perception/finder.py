"""The trained eyes: things on the detector's maps, what they may be called, what they were painted in."""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors import SafetensorError
from safetensors.torch import load_file, save_file
from torch import Tensor, nn

from stamina_video.backbone.perception.boxes import crowding, overlaps
from stamina_video.backbone.perception.closeup import look_closer
from stamina_video.backbone.perception.colour import SURVEYED, colour_field, survey
from stamina_video.backbone.perception.detector import Detections, Image
from stamina_video.backbone.perception.efficientdet import Retina, Sight, spoken
from stamina_video.backbone.perception.linking import MARKED, Linker
from stamina_video.backbone.perception.namer import Evidence, Marker, Namer, Painter
from stamina_video.backbone.perception.percept import Floats
from stamina_video.backbone.perception.reader import Reader
from stamina_video.backbone.perception.spotter import FRAME, Spotter, SpotterConfig
from stamina_video.backbone.threads import one_thread
from stamina_video.semantics import UnreadableFile

# K things, A boxes of the detector, V its classes

CONFIGURATION, WEIGHTS = "eyes.json", "eyes.safetensors"
SPOKEN_OF = 0.45  # overlap from which the detector's box speaks of a thing
SAID_TWICE = 0.35  # overlap from which two boxes of one name show the same thing …
ALIKE = 0.5  # … if their names are this much alike
CLEARLY = 5.0  # logit of being filmed from which the detector's own word counts, and whole at one more
FIELDS = slice(1, 3)  # the maps that stand for the appearance of places: neither the finest nor the coarsest


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

    @property
    def fields(self) -> int:
        """Channels of the maps that stand for the appearance of places."""
        return self.spotter.channels * len(range(self.spotter.levels)[FIELDS])

    @classmethod
    def read(cls, said: dict[str, Any]) -> "EyesConfig":
        """Undo `asdict`, as JSON keeps it."""
        spotter = SpotterConfig(**said["spotter"] | {"kinds": tuple(said["spotter"]["kinds"])})
        return cls(tuple(said["columns"]), tuple(said["vocabulary"]), spotter)


@dataclass(frozen=True, slots=True, eq=False)
class Seen:
    """K things of one look, best first: what detector and spotter have to say before anything is read."""

    boxes_K4: Floats  # shares of the image
    scores_K: Floats
    features_KE: Floats  # the spotter's
    afar_KV: Floats  # class scores in the whole picture …
    close_KV: Floats  # … and in close-ups
    patches_KPPC: Floats
    colours_KC: Floats

    def __len__(self) -> int:
        return len(self.boxes_K4)


@dataclass(frozen=True, slots=True, eq=False)
class Reading:
    """What close-ups say of K things."""

    features_KE: Tensor
    kinds_KO: Tensor  # log probabilities
    there_K: Tensor  # logits


def see(retina: Retina, spotter: Spotter, image_HW3: Image, sight: Sight) -> Seen:
    """The things of an image that was looked at once; a second look is at close-ups of them."""
    with one_thread():
        things = spotter.spot(sight.maps)
    boxes_K4 = in_image(things.boxes_K4, sight)
    closer = look_closer(retina, image_HW3, boxes_K4)
    return Seen(
        boxes_K4,
        things.scores_K,
        things.features_KE,
        spoken(sight, boxes_K4, SPOKEN_OF),
        closer.scores_KV,
        closer.patches_KPPC,
        survey(colour_field(image_HW3), boxes_K4),
    )


class TrainedEyes(nn.Module):
    """All that is trained before anything is counted, in one module."""

    middles_LC: Tensor  # of every map: what all places look like, which tells none from another

    def __init__(self, config: EyesConfig) -> None:
        super().__init__()
        self.config = config
        spotter, kinds = config.spotter, len(config.spotter.kinds)
        self.spotter = Spotter(spotter)
        self.reader = Reader(2 * spotter.channels, spotter.width, spotter.width, kinds)
        self.drawn = nn.Linear(config.fields, 1)
        self.filmed = nn.Linear(2 * config.fields, 1)
        self.namer = Namer(config.columns, config.vocabulary, spotter.kinds)
        self.painter = Painter(SURVEYED, kinds)
        self.marker = Marker(spotter.width, SURVEYED)
        self.linker = Linker()
        self.register_buffer("middles_LC", torch.zeros(spotter.levels, spotter.channels))

    @property
    def middle_look(self) -> Tensor:
        """The mean of the maps that stand for places, over all that was looked at."""
        return self.middles_LC[FIELDS].flatten()

    @torch.no_grad()
    def is_drawn(self, sight: Sight) -> float:
        """How surely the picture is drawn and not filmed, to the namer."""
        means = torch.from_numpy(look_of(sight))[: self.config.fields]
        logit: Tensor = self.drawn(means - self.middle_look)
        return float(logit.sigmoid())

    @torch.no_grad()
    def trust(self, sight: Sight) -> float:
        """How far the detector's own word counts: not at all where a picture is not clearly filmed."""
        logit: Tensor = self.filmed(torch.from_numpy(look_of(sight)))
        return min(max(float(logit) - CLEARLY, 0.0), 1.0)

    @torch.no_grad()
    def reading(self, seen: Seen) -> Reading:
        spotter = self.config.spotter
        if not len(seen):
            return Reading(torch.zeros(0, spotter.width), torch.zeros(0, len(spotter.kinds)), torch.zeros(0))
        patches, features = (
            torch.from_numpy(one.astype(np.float32)) for one in (seen.patches_KPPC, seen.features_KE)
        )
        features_KE = self.reader(patches, features)
        return Reading(features_KE, *self.reader.said(features_KE))

    @torch.no_grad()
    def names(self, seen: Seen, read: Reading, drawn: float, trust: float = 0.0) -> Floats:
        """(K, N): shares of all names, as far as the detector's own word is trusted by that."""
        named_KN = self.namer(evidence(seen, read, drawn)).softmax(-1)
        heard_KN = self.namer.heard(named_KN, torch.from_numpy(seen.afar_KV), torch.from_numpy(seen.close_KV))
        return np.asarray(torch.lerp(named_KN, heard_KN, trust).numpy(), np.float32)

    @torch.no_grad()
    def paints(self, seen: Seen, read: Reading) -> Floats:
        return np.asarray(self.painter(torch.from_numpy(seen.colours_KC), read.kinds_KO).numpy(), np.float32)

    @torch.no_grad()
    def looks(self, seen: Seen, read: Reading) -> Floats:
        """What a thing looks like, and last its mark."""
        marks_KM = self.marker(read.features_KE, torch.from_numpy(seen.colours_KC))
        return np.asarray(torch.cat([read.features_KE, marks_KM], dim=1).numpy(), np.float32)

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
        eyes, sight = self.eyes, self.retina.look(image_HW3)
        seen = see(self.retina, eyes.spotter, image_HW3, sight)
        with one_thread():
            read = eyes.reading(seen)
            names_KN = eyes.names(seen, read, eyes.is_drawn(sight), eyes.trust(sight))
            paints_K3, looks_KE = eyes.paints(seen, read), eyes.looks(seen, read)
        once = said_once(seen.boxes_K4, seen.scores_K, names_KN)
        return Detections(
            seen.boxes_K4[once],
            seen.scores_K[once],
            eyes.config.columns,
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


def evidence(seen: Seen, read: Reading, drawn: float) -> Evidence:
    """What names are judged by."""
    return Evidence(
        torch.from_numpy(seen.afar_KV),
        torch.from_numpy(seen.close_KV),
        read.kinds_KO,
        torch.from_numpy(seen.scores_K).logit(1e-4),
        read.there_K,
        torch.from_numpy(crowding(seen.boxes_K4)),
        torch.full((len(seen),), drawn),
    )


def look_of(sight: Sight) -> Floats:
    """Means, then spreads, of the maps that stand for places, over what the image fills of them."""
    shown = [filled(one_HWC, sight.filled_2).astype(np.float32) for one_HWC in sight.maps[FIELDS]]
    means, spreads = ([told(one_HWC, axis=(0, 1)) for one_HWC in shown] for told in (np.mean, np.std))
    return np.asarray(np.concatenate([*means, *spreads]), np.float32)


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


def filled(map_HWC: Floats, filled_2: Sequence[float] | Floats) -> Floats:
    """The part of a map that the image fills, to the nearest cell."""
    side = map_HWC.shape[0]
    width, height = (max(1, round(side * float(share))) for share in filled_2)
    return map_HWC[:height, :width]
