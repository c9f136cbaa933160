"""The demo's scene: a packing table of the simulated world, rendered from one seed, with its exact truth."""

from pathlib import Path

from stamina_video.cli.destinations import written_whole
from stamina_video.data.world import Scene, Truth, make_scene
from stamina_video.data.world.videos import write_video
from stamina_video.semantics import Measure, Target

SEED = 9  # look-alikes, something lifted back out, something carried away and brought back
SECONDS = 20.0
LINES = 360  # rows of its pictures: a demonstration begins soon

TARGETS = (
    Target("mugs", "O1-Snap"),
    Target("mugs", "O2-Unique"),
    Target("mugs picked up", "E1-Action"),
    Target("mugs packed", "E2-Episode"),
)


def packing_scene(seconds: float = SECONDS) -> Scene:
    return make_scene("packing", SEED, "train", seconds)


def render(scene: Scene, path: Path) -> None:
    """The scene as a video file, there whole or not at all."""
    with written_whole(path) as draft:
        write_video(scene, draft, LINES)


def true_steps(truth: Truth, target: Target, end: float) -> list[tuple[float, float]]:
    """The true count from the origin on, after each of its changes no later than the end."""
    changes = [0.0, *truth.occurrences(target)]
    if target.operator.measure is Measure.VISIBLE:
        changes += [left for presence in truth.identities(target) for _, left in presence.intervals]
    return [(time, float(truth.count(target, time))) for time in sorted(set(changes)) if time <= end]
