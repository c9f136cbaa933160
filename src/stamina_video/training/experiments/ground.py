"""The common ground of all experiments: the frozen model, the footage, and the tracks made from both."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from stamina_video.backbone.perception import Eyes
from stamina_video.runtime import Model
from stamina_video.semantics import Observation
from stamina_video.training.experiments.catalogue import (
    BOUNDARY_SUPPORTED,
    SOURCES,
    Source,
    Trial,
    trials,
)
from stamina_video.training.experiments.event_heads import Optimisation
from stamina_video.training.experiments.looks import frozen, observations
from stamina_video.training.experiments.standard import Standard
from stamina_video.training.experiments.tracks import Track, tracked
from stamina_video.training.filming import film
from stamina_video.training.footage import Aim, Footage, Take
from stamina_video.training.stretch import Stretch
from stamina_video.training.takes import DIAGNOSED, takes


@dataclass(frozen=True, slots=True)
class Extent:
    """How much of everything. With `seconds` every take is that short: enough to see that all parts work."""

    diagnostic: int = DIAGNOSED  # parents of every source
    training: int = 14
    seeds: int = 3
    settings: Optimisation = field(default_factory=Optimisation)
    fitting: Optimisation = field(default_factory=lambda: Optimisation(updates=120, warmup=0, rate=2e-3))
    videos: int = 40  # of every routine
    tokens: int = 4  # parents of every family, where tokens are kept from a model
    unseen: int = 5  # parents of every source with unseen nouns and colours
    rereading: int | None = None  # updates of events learned anew; None: as many as the recipe has
    scenes: int | None = None  # that they are learned from, in all; None: the recipe's
    seconds: float | None = None


FULL = Extent()
QUICK = Extent(
    1,
    1,
    1,
    Optimisation(updates=6, warmup=3),
    Optimisation(updates=2, warmup=0),
    videos=2,
    unseen=1,
    rereading=2,
    scenes=1,
    seconds=8.0,
)


@dataclass(frozen=True, slots=True)
class Ground:
    model: Model
    eyes: Callable[[], Eyes]
    cache: Path
    extent: Extent
    say: Callable[[str], None]
    data: tuple[Path, ...] = ()  # folders that the model learned from beside scenes

    def footage(self, family: str, numbers: Sequence[int], split: str = "train") -> list[Footage]:
        wanted = [self._shortened(take) for take in takes(family, numbers, split)]

        def report(done: int, of: int) -> None:
            self.say(f"filming {family}: {done} of {of}")

        return film(wanted, self.eyes, self.cache / "footage", report)

    def _shortened(self, take: Take) -> Take:
        brief = self.extent.seconds
        return take if brief is None else replace(take, seconds=brief, fps=2.0)

    def events(self, model: Model | None = None, full: bool = False) -> "Events":
        """Tracks of the event collection, on the scale of the training ones."""
        chosen = model or self.model
        first, last = self.extent.diagnostic, self.extent.diagnostic + self.extent.training
        training = self._tracks(range(first, last), chosen, boundaries=True)
        config = chosen.heads.config
        first_gathered = config.width + config.pulses
        standard = Standard.of(training, slice(first_gathered, first_gathered + config.gathering))
        held_out = range(first)
        return Events(
            standard,
            [standard(track) for track in training],
            [standard(track) for track in self._tracks(held_out, chosen)],
            [standard(track) for track in self._tracks(held_out, chosen.full_access)] if full else [],
        )

    def _tracks(self, numbers: Sequence[int], model: Model, boundaries: bool = False) -> list[Track]:
        return [
            track
            for source in SOURCES
            for footage in self.footage(source.family, numbers)
            for track in self._of_footage(footage, source, model, boundaries)
        ]

    def _of_footage(self, footage: Footage, source: Source, model: Model, boundaries: bool) -> list[Track]:
        supervised = boundaries and source.stratum == BOUNDARY_SUPPORTED
        return [self.tracked(trial, model, supervised) for trial in trials(footage, source)]

    def tracked(self, trial: Trial, model: Model, boundaries: bool = False) -> Track:
        return tracked(self.still(model, trial.aim), trial, self.looks(trial.stretch, model), boundaries)

    def still(self, model: Model, *aims: Aim) -> Model:
        """A model that reads kept looks and knows these targets."""
        words = [aim.target.description for aim in aims]
        return Model(model.name, frozen(model, words), model.heads)

    def looks(self, stretch: Stretch, model: Model) -> list[Observation]:
        return observations(stretch, model, self.cache / "looks")


@dataclass(frozen=True, eq=False, slots=True)
class Events:
    """Training tracks, and held-out ones whose labels are for scoring alone, in either access."""

    standard: Standard
    training: list[Track]
    stream: list[Track]
    full: list[Track]
