"""Everything a stream carries from one observation to the next: a value, so a fork is free."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from stamina_video.runtime.model import Model
from stamina_video.semantics import InvalidInput, Target
from stamina_video.transitions import TargetState


@dataclass(frozen=True, eq=False, slots=True)
class StreamState:
    """The backbone's context, each target's typed state, and how far the stream has come."""

    stream: str
    backbone: Any
    targets: tuple[TargetState, ...]
    observations: int = 0  # consumed so far; also the index of the next one

    @classmethod
    def initial(cls, model: Model, stream: str, targets: Sequence[Target]) -> "StreamState":
        check_targets(targets)
        states = tuple(TargetState.initial(stream, target, model.heads.config) for target in targets)
        return cls(stream, model.backbone.initial(), states)


def check_targets(targets: Sequence[Target]) -> None:
    """One running number per description and measure: two targets must not share one."""
    seen: dict[tuple[str, str], Target] = {}
    for target in targets:
        key = (target.description, target.operator.measure.value)
        other = seen.setdefault(key, target)
        if other is not target:
            raise InvalidInput(
                f"expected targets that count different things, got {target.description!r} both as "
                f"{other.operator} and {target.operator}: describe them in different words"
            )
