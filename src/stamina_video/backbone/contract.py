"""What every backbone is: observations in, features out, and a state that is a value."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar, runtime_checkable

from torch import Tensor

from stamina_video.semantics import Observation

State = TypeVar("State")  # immutable: a fork is the same object, kept twice


@dataclass(frozen=True, slots=True)
class Observed(Generic[State]):
    """What one observation gave, and the state after it."""

    state: State
    tokens_ND: Tensor
    mean_D: Tensor  # of all tokens, and behind it what the backbone feels of the whole picture, if it does
    boxes_N4: Tensor | None  # where each token lies (left, top, right, bottom as fractions), if it does


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A state ready for a file: tensors that share no memory, and a JSON-like remainder."""

    tensors: Mapping[str, Tensor]
    facts: Mapping[str, Any] = field(default_factory=dict)


class Backbone(Protocol[State]):
    """Deterministic: the same observations from the same state give the same bits."""

    @property
    def width(self) -> int: ...

    @property
    def target_width(self) -> int: ...

    @property
    def pulses(self) -> int:
        """How many numbers stand behind the mean state; a backbone may have none."""
        ...

    @property
    def fingerprint(self) -> str:
        """Changes with every weight and setting that can change a feature."""
        ...

    def encode_target(self, description: str) -> Tensor:
        """(target width,), unit length."""
        ...

    def initial(self) -> State:
        """The state at the origin of a trajectory."""
        ...

    def observe(self, state: State, observation: Observation) -> Observed[State]:
        """The only place where the state advances; the state given stays as it was."""
        ...

    def detached(self, state: State) -> State:
        """The same values, where gradients end."""
        ...

    def full(self) -> "Backbone[State]":
        """The same weights with Full access: attention reaches back to the origin."""
        ...

    def pack(self, state: State) -> Snapshot: ...

    def unpack(self, snapshot: Snapshot) -> State: ...

    def save_pretrained(self, folder: Path) -> None:
        """Writes the trained parameters and their configuration; frozen weights are named, not copied."""
        ...


@runtime_checkable
class Frozen(Protocol):
    """A part whose weights come from elsewhere, and which knows their hash."""

    @property
    def fingerprint(self) -> str: ...


@runtime_checkable
class Speaking(Protocol):
    """What a backbone with a language decoder can do besides."""

    def ask(self, state: Any, question: str, at: float | None = None) -> str:
        """An answer in words, generated on a fork that is dropped; the state given stays as it was."""
        ...
