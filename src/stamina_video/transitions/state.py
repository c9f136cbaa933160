"""What the decision remembers of one target between observations: a value, forkable, savable."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from torch import Tensor

from stamina_video.semantics import Phase, Scope, Target, graph_for
from stamina_video.transitions.config import HeadsConfig
from stamina_video.transitions.registry import Registry
from stamina_video.transitions.slots import Slots
from stamina_video.transitions.visibility import VisibleSet


@dataclass(frozen=True, eq=False, slots=True)
class TargetState:
    """Object targets fill the registry and the visible set, event targets the slots."""

    stream: str
    target: Target
    registry: Registry
    visible: VisibleSet = field(default_factory=VisibleSet)
    slots: Slots = field(default_factory=Slots)

    @classmethod
    def initial(cls, stream: str, target: Target, config: HeadsConfig) -> "TargetState":
        registry = Registry(config.width)
        if not target.operator.is_event:
            return cls(stream, target, registry)
        number = config.slots if target.scope is Scope.ENTITY else 1
        return cls(stream, target, registry, slots=Slots.initial(number, graph_for(target.operator)))

    def to_tensors(self) -> dict[str, Tensor]:
        registry = {f"registry.{name}": rows for name, rows in self.registry.to_tensors().items()}
        return registry | {f"slots.{index}": row for index, row in enumerate(self.slots.prototypes)}

    def metadata(self) -> dict[str, Any]:
        """What the tensors do not say, as JSON."""
        return {
            "stream": self.stream,
            "description": self.target.description,
            "operator": self.target.operator.value,
            "scope": self.target.scope.value,
            "visible": list(self.visible.identities),
            "unresolved": self.visible.unresolved,
            "phases": [phase.value for phase in self.slots.phases],
            "waited": [list(slot) for slot in self.slots.waited],
        }

    @classmethod
    def from_tensors(cls, tensors: Mapping[str, Tensor], metadata: Mapping[str, Any]) -> "TargetState":
        prefix = "registry."
        registry = {
            name.removeprefix(prefix): rows for name, rows in tensors.items() if name.startswith(prefix)
        }
        prototypes = [name for name in tensors if name.startswith("slots.")]
        return cls(
            metadata["stream"],
            Target(metadata["description"], metadata["operator"], metadata["scope"]),
            Registry.from_tensors(registry),
            VisibleSet(tuple(metadata["visible"]), metadata["unresolved"]),
            Slots(
                tuple(map(Phase, metadata["phases"])),
                tuple(tensors[f"slots.{index}"] for index in range(len(prototypes))),
                tuple(map(tuple, metadata.get("waited", ()))),
            ),
        )
