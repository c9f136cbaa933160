"""PySceneDetect: every cut it finds is a completed transition, whatever transition was asked for."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from stamina_video.evaluation.baselines.committing import CommittingCounting
from stamina_video.evaluation.causality import Witness
from stamina_video.semantics import Change, Decision, Kind, MissingExtra, Observation, Operator, Target
from stamina_video.semantics.pace import Pace

LOOKS = 25.0  # a second: a cut shows between neighbouring frames
SHORTEST = 0.3  # seconds between two cuts
LONG_SIDE = 256  # pixels it looks at; its own reader shrinks about as much


@dataclass(frozen=True)
class Cuts:
    name: str = "baseline:cuts"

    @property
    def fingerprint(self) -> str:
        return f"{self.name} scenedetect {_scenedetect().__version__} adaptive {SHORTEST}"

    @property
    def settings(self) -> Mapping[str, Any]:
        return {
            "detector": "PySceneDetect's AdaptiveDetector",
            "resize": f"long side about {LONG_SIDE} pixels",
        }

    @property
    def answers(self) -> frozenset[Operator]:
        return frozenset({Operator.E1_TRANSIT})

    def pace(self, targets: Sequence[Target]) -> Pace:
        return Pace(LOOKS, f"cuts for {len(targets)} targets show between neighbouring frames")

    def begin(
        self, witness: Witness, fps: float, targets: Sequence[Target], ledger: str | Path
    ) -> "CutsCounting":
        del ledger  # the detector's state cannot be kept: an interrupted pass starts over
        names = [target.description for target in targets if target.operator in self.answers]
        return CutsCounting(witness.stream, self.fingerprint, fps, names)


class CutsCounting(CommittingCounting):
    def __init__(self, stream: str, counter: str, fps: float, names: Sequence[str]) -> None:
        super().__init__(stream, counter)
        self._names = names
        self._fps = fps
        self._detector = _scenedetect().AdaptiveDetector(min_scene_len=max(round(SHORTEST * fps), 1))

    def decide(self, observation: Observation) -> Iterable[Decision]:
        if not self._names:
            return
        now = _scenedetect().FrameTimecode(observation.index, self._fps)
        found = self._detector.process_frame(now, _shrunk_bgr(observation.image))
        # It tells a frame or two late, and the commit stands where it was told: nothing is dated back.
        changes = tuple(Change(Kind.EVENT, 1, f"cut:{cut.frame_num}", "cut") for cut in found)
        for name in self._names:
            yield Decision(self.stream, name, observation.index, observation.time, changes)


def _shrunk_bgr(image: Any) -> Any:
    step = max(max(image.shape[:2]) // LONG_SIDE, 1)
    return np.ascontiguousarray(image[::step, ::step, ::-1])


def _scenedetect() -> Any:
    try:
        import scenedetect  # noqa: PLC0415  # an extra
    except ImportError:
        raise MissingExtra(
            "expected scenedetect for baseline:cuts; install stamina-video[baselines]"
        ) from None
    return scenedetect
