"""Takes the glances that eyes learn from, each once: of staged scenes, and of video without annotations."""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from stamina_video.backbone.names import LANDMARKS, Names
from stamina_video.backbone.paints import lab
from stamina_video.backbone.perception.detector import PAINT_UNIT, Image
from stamina_video.backbone.perception.efficientdet import Retina
from stamina_video.backbone.perception.motion import MOTION_CHANNELS, look
from stamina_video.backbone.perception.percept import Floats
from stamina_video.backbone.perception.perception import shrunk
from stamina_video.data.world import Sighting, family_names, make_scene
from stamina_video.data.world.kinds import KINDS
from stamina_video.data.world.palette import PAINTS
from stamina_video.data.world.videos import delivered
from stamina_video.data.world.visibility import ENTER, LEAVE, SMALLEST
from stamina_video.semantics import Observation, StaminaError
from stamina_video.training.eyes.glance import Glance, Told, as_told_by_detector, coded, save_glances
from stamina_video.training.filming import Report
from stamina_video.training.takes import LINES
from stamina_video.video import open_video

# K things

FIRST = 1_000_000  # the seed of the first scene: no other collection reaches that far
SPLITS = ("varied", "assorted", "assorted")  # in turn
SECONDS = 16.0
PACES = (2.0, 3.0, 4.0, 6.0)  # looks a second
PAIRS = 2  # of looks that follow each other, in every scene
UNPAINTED = ("person", "box", *LANDMARKS)  # clothes are of many colours, boxes of cardboard
LANDMARKED = 1_000_000  # landmarks have negative numbers of their own: counted down from here
NEARLY = 0.8  # of the least that is visible: such a thing may be found or not
# A clip is watched twice for a few seconds, so closely that whoever walks by can be followed.
CLIP_FPS, CLIP_LOOKS = 3.0, 180
RUNS, WATCHED = 2, 24
FLOW = [MOTION_CHANNELS.index(name) - 1 for name in ("dx", "dy")]


@dataclass(frozen=True)
class Glancing:
    """The retina is opened only if something is missing."""

    retina: Callable[[], Retina]
    names: Names
    folder: Path
    report: Report

    def scenes(self, numbers: Sequence[int]) -> list[Path]:
        return self._all(
            [(self.folder / f"scene-{number}.safetensors", _staged(number)) for number in numbers]
        )

    def clips(self, videos: Sequence[Path]) -> list[Path]:
        return self._all([(self.folder / _file(video), _clip(video)) for video in videos])

    def _all(self, wanted: Sequence[tuple[Path, "Shots"]]) -> list[Path]:
        retina: Retina | None = None
        for number, (path, shots) in enumerate(wanted):
            if not path.exists():
                self.report(number, len(wanted))
                retina = retina or self.retina()
                save_glances(path, list(self._glances(shots(), retina)))
        return [path for path, _ in wanted]

    def _glances(self, shots: Iterable["Shot"], retina: Retina) -> Iterator[Glance]:
        before: Image | None = None
        for shot in shots:
            sight = retina.look(shot.image)
            if shot.sightings is None:
                told = as_told_by_detector(sight, self.names.columns, retina.vocabulary)
            else:
                told = _told(shot.sightings, self.names.columns)
            flow = None
            if shot.follows and before is not None:
                _, glimpse = look(shrunk(before), None)
                flow = look(shrunk(shot.image), glimpse)[0].field_HWC[..., FLOW]
            before = shot.image
            yield Glance(sight, coded(shot.image), told, flow)


@dataclass(frozen=True, slots=True, eq=False)
class Shot:
    image: Image
    sightings: Sequence[Sighting] | None  # nobody knows in real video
    follows: bool = False  # the shot before it, by less than a second


Shots = Callable[[], Iterator[Shot]]


def _staged(number: int) -> Shots:
    """Pairs of moments of one scene; its family follows from its number."""

    def shots() -> Iterator[Shot]:
        split = SPLITS[number // len(family_names(SPLITS[0])) % len(SPLITS)]
        families = family_names(split)
        scene = make_scene(families[number % len(families)], FIRST + number, split, SECONDS)
        times, lines = _moments(number), _lines(number)
        for place, (time, image) in enumerate(zip(times, delivered(scene, times, lines), strict=True)):
            yield Shot(image, [*scene.boxes(time), *scene.landmarks(time)], follows=place % 2 == 1)

    return shots


def _moments(number: int) -> list[float]:
    dice = np.random.default_rng([FIRST, number])
    step = 1 / float(dice.choice(PACES))
    begins = sorted(dice.uniform(0, SECONDS - 1, PAIRS).tolist())
    return [moment for begin in begins for moment in (begin, begin + step)]


def _lines(number: int) -> int:
    """Drawn, so that every family is seen in every size."""
    return int(np.random.default_rng([FIRST, number, 1]).choice(LINES))


def _clip(video: Path) -> Shots:
    def shots() -> Iterator[Shot]:
        with open_video(video, CLIP_FPS, until=CLIP_LOOKS / CLIP_FPS) as frames:
            images = [one.image for one in frames if isinstance(one, Observation)]
        for place in _watched(len(images)):
            yield Shot(shrunk(images[place]), None)

    return shots


def _watched(looks: int) -> list[int]:
    """Runs at the beginning and at the end; of a short clip, all there is."""
    begins = np.linspace(0, max(looks - WATCHED, 0), RUNS).astype(int).tolist()
    return sorted({place for begin in begins for place in range(begin, min(begin + WATCHED, looks))})


def _file(video: Path) -> str:
    """Two videos of one name are two."""
    where = hashlib.sha256(str(video.resolve()).encode()).hexdigest()[:8]
    return f"clip-{video.stem}-{where}.safetensors"


def readable(videos: Iterable[Path], say: Callable[[str], None]) -> list[Path]:
    """Those that open; the others are named."""
    found = []
    for video in videos:
        try:
            with open_video(video):
                found.append(video)
        except StaminaError as error:
            say(f"left out: {error}")
    return found


def _told(sightings: Sequence[Sighting], columns: Sequence[str]) -> Told:
    visible = [one for one in sightings if one.fraction >= NEARLY * LEAVE and one.area >= NEARLY * SMALLEST]
    middle = (ENTER + LEAVE) / 2
    return Told(
        np.array([one.box for one in visible], np.float32).reshape(-1, 4),
        np.array([one.fraction >= middle and one.area >= SMALLEST for one in visible], bool),
        np.array([columns.index(_name(one)) for one in visible], np.int64),
        np.array([one.entity.id % LANDMARKED for one in visible], np.int64),
        np.array([_paint(one) for one in visible], np.float32).reshape(-1, 3),
    )


def taught() -> set[str]:
    """The names that scenes to be counted in show, for they may be learned by heart."""
    return {*UNPAINTED, *(kind.like for kind in KINDS.values() if kind.taught)}


def _name(sighting: Sighting) -> str:
    kind = sighting.entity.kind
    return KINDS[kind].like if kind in KINDS else kind


def _paint(sighting: Sighting) -> Floats:
    entity = sighting.entity
    if entity.kind in UNPAINTED or entity.colour not in PAINTS:
        return np.full(3, np.nan, np.float32)
    return np.asarray(lab(PAINTS[entity.colour]) / PAINT_UNIT, np.float32)
