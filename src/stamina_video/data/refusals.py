"""Records that were refused: which and why. Nothing is dropped without being named and counted."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeVar

from stamina_video.semantics import InvalidInput

Item = TypeVar("Item")
Made = TypeVar("Made")


@dataclass(frozen=True, slots=True)
class Refusal:
    id: str
    reason: str


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
