"""What one decision leaves behind for training and diagnosis, beside the changes it accepted.

Soft quantities (visibilities, log probabilities, logits, event inputs) stay connected to the graph;
selection, assignment and everything hard is detached.
"""

from dataclasses import dataclass

from torch import Tensor

from stamina_video.semantics import Decision, Edge
from stamina_video.transitions.candidates import Candidates
from stamina_video.transitions.identity import NEW, Resolution
from stamina_video.transitions.retrieval import Shortlist
from stamina_video.transitions.slots import Seating

# J visual vectors, C survivors, L shortlist and NEW and DEFER, M slots, E template edges, I = 2W event input


@dataclass(frozen=True, eq=False, slots=True)
class ObjectOutcome:
    candidates: Candidates
    shortlist: Shortlist
    log_probs_CL: Tensor
    resolution: Resolution

    @property
    def new_probs_C(self) -> Tensor:
        return self.log_probs_CL[:, NEW].exp()

    @property
    def soft_visible(self) -> Tensor:
        """Ñ_k: every survivor counts with its visibility."""
        return self.candidates.visibilities_C.sum()

    @property
    def soft_births(self) -> Tensor:
        """b̃_k: visibility times the probability of NEW."""
        return (self.candidates.visibilities_C * self.new_probs_C).sum()


@dataclass(frozen=True, slots=True)
class Completion:
    slot: int
    edge: str
    probability: float


@dataclass(frozen=True, eq=False, slots=True)
class EventOutcome:
    """`log_probs_ME` and `edges` come from the edge scorer, `logits_M` from independent increments."""

    candidates: Candidates | None  # a global stream has none
    seating: Seating
    inputs_MI: Tensor
    completions: tuple[Completion, ...]
    log_probs_ME: Tensor | None = None
    edges: tuple[Edge, ...] = ()
    logits_M: Tensor | None = None


@dataclass(frozen=True, eq=False, slots=True)
class Outcome:
    """The accepted changes; `objects` or `events` says how they came about."""

    decision: Decision
    objects: ObjectOutcome | None = None
    events: EventOutcome | None = None
    boxes_J4: Tensor | None = None  # where each visual vector lies in the picture, where it is known
