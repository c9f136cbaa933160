"""What a training run is made of: one frozen record with the paper's configuration table as its defaults."""

import json
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from typing import Any

from stamina_video.semantics import InvalidInput
from stamina_video.transitions import LossWeights


class Supervision(StrEnum):
    """What of the data is learned from; all but the first are the paper's data controls."""

    COMPLETE = "complete"
    SINGLE = "single query per trajectory"
    UNFILTERED = "before consistency filtering"
    SHUFFLED = "shuffled visual alignment"


@dataclass(frozen=True, slots=True)
class Course:
    """So many updates of so many examples; the rate falls to zero."""

    updates: int
    batch: int
    rate: float

    def __post_init__(self) -> None:
        if self.updates < 1 or self.batch < 1:
            raise InvalidInput(f"expected a course of updates and examples from 1, got {self}")


@dataclass(frozen=True, slots=True)
class Opening:
    """The stage in which eyes learn to see, before anything is counted."""

    scenes: int = 900
    spotting: Course = field(default_factory=lambda: Course(1400, 16, 2e-3))
    reading: Course = field(default_factory=lambda: Course(2000, 128, 2e-3))
    naming: Course = field(default_factory=lambda: Course(1500, 256, 3e-3))
    painting: Course = field(default_factory=lambda: Course(3000, 512, 3e-3))
    marking: Course = field(default_factory=lambda: Course(1500, 64, 2e-3))
    linking: Course = field(default_factory=lambda: Course(1500, 2048, 3e-3))


@dataclass(frozen=True, slots=True)
class Seeing:
    """A stage before all others, for a decoder that begins with nothing: runs of observations at once.

    Verified boxes teach visibility query by query, and every event is one stream of the scene.
    """

    updates: int
    batch: int
    rate: float
    clip: float
    weights: LossWeights

    def __post_init__(self) -> None:
        for name in ("updates", "batch"):
            if getattr(self, name) < 1:
                raise InvalidInput(f"expected {name} of the first stage from 1, got {getattr(self, name)}")


@dataclass(frozen=True, slots=True)
class Resting:
    """A stage in which one head learns and all else rests.

    What rests need be computed once, so the same samples are gone over again and again at little cost.
    """

    updates: int
    batch: int
    rate: float
    weights: LossWeights
    mixed: float = 0.0  # the chance of a place in a batch to go to other data, where there is any
    blind: float = 0.5  # the chance of a trajectory that is read to be read from what is felt alone

    def __post_init__(self) -> None:
        for name in ("updates", "batch"):
            if getattr(self, name) < 1:
                raise InvalidInput(f"expected {name} of a resting stage from 1, got {getattr(self, name)}")
        if not 0 <= self.blind <= 1:
            raise InvalidInput(f"expected a blind share from 0 to 1, got {self.blind}")
        if not 0 <= self.mixed < 1:
            raise InvalidInput(f"expected a mixed share from 0 to below 1, got {self.mixed}")


@dataclass(frozen=True, slots=True)
class World:
    """Simulated scenes that a run films for itself."""

    scenes: int = 32  # of every family
    simulated: int = 0  # further scenes of every family, perceived without pictures

    def __post_init__(self) -> None:
        if self.scenes < 1:
            raise InvalidInput(f"expected scenes of every family from 1, got {self.scenes}")
        if self.simulated < 0:
            raise InvalidInput(f"expected simulated scenes of every family from 0, got {self.simulated}")


@dataclass(frozen=True, slots=True)
class Recipe:
    """Rates are AdamW's at their highest; `weights` are λ of eq. loss."""

    name: str
    model: str  # which model it starts from
    warm_up: int = 256  # updates of the new modules alone, without the path term
    epochs: int = 3  # of joint training; a run with stages of its own may do without
    batch: int = 8  # trajectories of one update, on all processes together
    pretrained_rate: float = 2e-5  # of the decoder and the visual projector
    new_rate: float = 1e-4  # of memories and heads
    betas: tuple[float, float] = (0.9, 0.95)
    epsilon: float = 1e-8
    decay: float = 0.01
    clip: float = 1.0
    weights: LossWeights = field(default_factory=LossWeights)
    fps: float = 1.0
    mean_loss: bool = False  # squared error of expected counts instead of the path likelihood
    phase_input: bool = True
    fsm: bool = True
    memory: bool = True  # False closes the memory's gates for good
    channel_wise: bool = False  # retention per key channel instead of per head
    state: bool = True  # False trains on answers in words alone: no typed state is learned
    supervision: Supervision = Supervision.COMPLETE
    saved_every: int = 64  # updates
    judged_every: int = 256  # updates, on what was held out
    rise: int = 0  # updates in which rates rise to their highest, in stages whose rates fall
    eyes: Opening | None = None  # before all else: what the model sees with
    seeing: Seeing | None = None
    naming: Resting | None = None  # before seeing: the pooling, on stills
    rereading: Resting | None = None  # after seeing: the event head, begun anew, on whole trajectories
    lingers: float = 0.0  # seconds for which an identity stays visible unseen
    patient: bool = False  # event slots gather evidence instead of choosing greedily
    words_faster: float = 1.0  # the rate of what reads a target's vector over that of all else
    pulses_faster: float = 1.0  # and of what reads pulses
    world: World | None = None

    def __post_init__(self) -> None:
        for name in ("batch", "saved_every", "judged_every"):
            if getattr(self, name) < 1:
                raise InvalidInput(f"expected {name} from 1, got {getattr(self, name)}")
        for name in ("epochs", "warm_up", "rise"):
            if getattr(self, name) < 0:
                raise InvalidInput(f"expected {name} updates from 0, got {getattr(self, name)}")
        for name in ("pretrained_rate", "new_rate", "decay"):
            if not 0 <= getattr(self, name) < 1:
                raise InvalidInput(f"expected {name} from 0 to below 1, got {getattr(self, name)}")
        if self.seeing is None and not self.epochs:
            raise InvalidInput("expected epochs from 1 in a run without a stage of seeing, got 0")
        if self.seeing is None and (self.naming or self.rereading):
            raise InvalidInput("expected a stage of seeing between naming and rereading, got none")
        if self.naming and self.naming.mixed:
            raise InvalidInput(
                "expected naming from scenes alone, for boxes teach it, got other data mixed in"
            )
        for name in ("clip", "fps", "epsilon", "words_faster", "pulses_faster"):
            if not getattr(self, name) > 0:
                raise InvalidInput(f"expected {name} above 0, got {getattr(self, name)}")

    def own(self, stage: str) -> Seeing | Resting | None:
        """The settings of a stage that has some of its own."""
        return {"naming": self.naming, "seeing": self.seeing, "rereading": self.rereading}.get(stage)

    def document(self) -> dict[str, Any]:
        """As JSON has it."""
        written: dict[str, Any] = json.loads(json.dumps(asdict(self)))
        return written
