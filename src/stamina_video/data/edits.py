"""Named temporal edits over many trajectories: what can be transformed is, the rest is refused by id."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from stamina_video.data.cycles import cropped, paused, repeated, reversed_, sped
from stamina_video.data.loaded import Refusal, accepted
from stamina_video.data.trajectory import Trajectory
from stamina_video.semantics import InvalidInput

Edit = Callable[[Trajectory], Trajectory]


@dataclass(frozen=True, slots=True)
class Transformed:
    """New trajectories, each derived from one that was given, and the edits that were not legal."""

    trajectories: tuple[Trajectory, ...]
    refused: tuple[Refusal, ...]


def edit_of(name: str) -> Edit:
    """An edit by its words: `speed 2`, `pause 5 3`, `repeat 0 2`, `reverse`, `crop 4 12`."""
    verb, *words = name.split()
    try:
        numbers = [float(word) for word in words]
        match verb, numbers:
            case "speed", [factor]:
                return lambda trajectory: sped(trajectory, factor)
            case "pause", [at, length]:
                return lambda trajectory: paused(trajectory, at, length)
            case "repeat", [cycle, times] if cycle.is_integer() and times.is_integer():
                return lambda trajectory: repeated(trajectory, int(cycle), int(times))
            case "reverse", []:
                return reversed_
            case "crop", [start, end]:
                return lambda trajectory: cropped(trajectory, start, end)
    except ValueError:
        pass
    raise InvalidInput(
        "expected an edit (speed FACTOR, pause AT SECONDS, repeat CYCLE TIMES, reverse, crop START END), "
        f"got {name!r}"
    )


def transformed(trajectories: Sequence[Trajectory], edits: Iterable[str]) -> Transformed:
    """Every edit of every trajectory that allows it."""
    made: list[Trajectory] = []
    refused: list[Refusal] = []
    for edit in map(edit_of, edits):
        legal, illegal = accepted(trajectories, lambda trajectory: trajectory.id, edit)
        made += legal
        refused += illegal
    return Transformed(tuple(made), tuple(refused))
