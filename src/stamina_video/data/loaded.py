"""What a source gave: its trajectories, and the records that were refused, each by id with the reason."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeVar

from stamina_video.data.trajectory import Trajectory
from stamina_video.semantics import InvalidInput

Item = TypeVar("Item")
Made = TypeVar("Made")


@dataclass(frozen=True, slots=True)
class Refusal:
    id: str
    reason: str


@dataclass(frozen=True, slots=True)
class Loaded:
    """Trajectories of a source. Nothing is dropped without being named and counted."""

    trajectories: tuple[Trajectory, ...]
    refused: tuple[Refusal, ...] = ()


def accepted(
    items: Iterable[Item], name: Callable[[Item], str], make: Callable[[Item], Made]
) -> tuple[list[Made], list[Refusal]]:
    """What could be made, and the rest with the reason for each."""
    made: list[Made] = []
    refused: list[Refusal] = []
    for item in items:
        try:
            made.append(make(item))
        except InvalidInput as error:
            refused.append(Refusal(name(item), str(error)))
    return made, refused
