"""A counter of its own for every video, as cross-validation needs: one that never saw the video before."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from stamina_video.evaluation.causality import Witness
from stamina_video.evaluation.running.counter import Counter, Counting
from stamina_video.semantics import Operator, Target
from stamina_video.semantics.pace import Pace


@dataclass(frozen=True, slots=True)
class FoldCounter:
    """Counters that differ in what they learned from and in nothing else."""

    name: str
    by_video: Mapping[str, Counter]

    @property
    def fingerprint(self) -> str:
        said = "\n".join(f"{video} {one.fingerprint}" for video, one in sorted(self.by_video.items()))
        return f"{self.name}-{hashlib.sha256(said.encode()).hexdigest()[:12]}"

    @property
    def settings(self) -> Mapping[str, Any]:
        return self._any.settings

    @property
    def answers(self) -> frozenset[Operator]:
        return self._any.answers

    def pace(self, targets: Sequence[Target]) -> Pace:
        return self._any.pace(targets)

    def begin(self, witness: Witness, fps: float, targets: Sequence[Target], ledger: str | Path) -> Counting:
        return self.by_video[witness.stream].begin(witness, fps, targets, ledger)

    @property
    def _any(self) -> Counter:
        return next(iter(self.by_video.values()))
