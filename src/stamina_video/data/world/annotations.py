"""A scene's questions in SVCBench's format: one row a question, with its target and occurrence times."""

from typing import Any

from stamina_video.data.world.counted import Counted
from stamina_video.data.world.dice import Dice
from stamina_video.data.world.scene import Scene
from stamina_video.semantics import Measure

MOST_OBJECTS = 8  # object questions a video; every event question is asked
POINTS = (4, 9)  # query points a question, fewest and most
MARGIN = 0.25  # seconds a query keeps from a change where it can
_QUESTIONS_STREAM = 1_000_003  # keeps the questions' draws apart from the staging


def questions(scene: Scene, video: str) -> list[dict[str, Any]]:
    """Rows that `semantics.read_questions` reads; every answer follows from the past of its query."""
    dice = Dice(scene.seed, _QUESTIONS_STREAM)
    objects = [counted for counted in scene.counted if not counted.event]
    # What never comes into view makes a dull question; one of them is enough.
    seen = [counted for counted in objects if scene.truth.identities(counted.target)]
    chosen = dice.shuffled(seen)[:MOST_OBJECTS] + [counted for counted in scene.counted if counted.event]
    stem = video.rsplit(".", 1)[0]
    return [
        _row(scene, counted, dice, f"{stem}-{number:02d}", video) for number, counted in enumerate(chosen)
    ]


def _row(scene: Scene, counted: Counted, dice: Dice, name: str, video: str) -> dict[str, Any]:
    target, truth = counted.target, scene.truth
    window = float(dice.whole(2, 8)) if target.operator.windowed else None
    times = _query_times(scene, counted, dice, window)
    question = counted.question
    if not counted.event:
        question = question.replace(target.description, dice.pick((target.description, *counted.aliases)))
    return {
        "id": name,
        "source_dataset": f"world/{scene.family}",
        "video_path": video,
        "question": question if window is None else question.replace("{window}", f"{window:g}"),
        "target": target.description,
        "aliases": list(counted.aliases),
        "counting_type": target.operator[:2],
        "counting_subtype": str(target.operator),
        "occurrence_times": list(truth.occurrences(target)),
        "query_points": {"time": times, "count": truth.counts(target, times, window)},
    }


def _query_times(scene: Scene, counted: Counted, dice: Dice, window: float | None) -> list[float]:
    """Times to two decimals, ascending, clear of the changes where a few tries find such a time."""
    changes = list(scene.truth.occurrences(counted.target))
    if counted.target.operator.measure is Measure.VISIBLE:
        changes += [
            end for presence in scene.truth.identities(counted.target) for _, end in presence.intervals
        ]
    if window is not None:
        changes += [change + window for change in changes]
    times = set()
    for _ in range(dice.whole(*POINTS)):
        tries = [round(dice.between(0.5, scene.duration), 2) for _ in range(6)]
        clear = [at for at in tries if all(abs(at - change) > MARGIN for change in changes)]
        times.add(min((clear or tries)[0], scene.duration))
    return sorted(times)
