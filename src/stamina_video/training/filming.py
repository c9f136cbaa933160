"""Films simulated scenes through a backbone's eyes, each once."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from stamina_video.backbone.perception import Eyes, Glimpse, Percept
from stamina_video.data.world import Scene, Sighting, Truth, make_scene
from stamina_video.data.world.videos import delivered
from stamina_video.data.world.visibility import ENTER, LEAVE, SMALLEST
from stamina_video.semantics import Operator
from stamina_video.training.footage import Aim, Footage, Step, Take, Visible, keep, kept

Report = Callable[[int, int], None]


def film(takes: Sequence[Take], eyes: Callable[[], Eyes], folder: Path, report: Report) -> list[Footage]:
    """Every take's footage, filming what is not kept yet; eyes are opened only if something is missing."""
    looking: Eyes | None = None
    filmed = []
    for number, take in enumerate(takes):
        footage = kept(take, folder)
        if footage is None:
            report(number, len(takes))
            looking = looking or eyes()
            scene = make_scene(take.family, take.seed, take.split, take.seconds)
            sightings = [scene.boxes(time) for time in take.times]
            footage = described(scene, take, sightings, folder)
            keep(footage, list(_looks(scene, take, looking)))
        filmed.append(footage)
    return filmed


def described(scene: Scene, take: Take, sightings: Iterable[Sequence[Sighting]], folder: Path) -> Footage:
    """What was true at every look. Labels hold at looks: what shows only between two is nobody's to count."""
    return Footage(take, tuple(_aims(scene)), tuple(_visible(sightings)), folder / f"{take.name}.safetensors")


def _aims(scene: Scene) -> Iterator[Aim]:
    # Without presences: who is visible is read at the looks.
    truth = Truth(scene.duration, (), scene.script, scene.counted)
    for counted in scene.counted:
        target, entities = counted.target, tuple(sorted(counted.entities))
        if counted.event:
            steps = (Step(edge.subject, edge.time, edge.edge) for edge in truth.phase_edges(target))
            yield Aim(target, entities, truth.events(target), tuple(steps), counted.aliases)
        elif target.operator is Operator.O2_UNIQUE:
            yield Aim(target, entities, aliases=counted.aliases)


def _visible(sightings: Iterable[Sequence[Sighting]]) -> Iterator[tuple[Visible, ...]]:
    """The world's rule of visibility from look to look: harder to enter than to stay."""
    before: set[int] = set()
    for look in sightings:
        now = tuple(
            Visible(one.entity.id, one.box)
            for one in look
            if one.area >= SMALLEST and one.fraction >= (LEAVE if one.entity.id in before else ENTER)
        )
        before = {one.entity for one in now}
        yield now


def _looks(scene: Scene, take: Take, eyes: Eyes) -> Iterator[Percept]:
    glimpse: Glimpse | None = None
    for picture in delivered(scene, take.times, take.lines):
        percept, glimpse = eyes.perceive(picture, glimpse)
        yield percept
