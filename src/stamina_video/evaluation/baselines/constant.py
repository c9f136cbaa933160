"""Always the same answer: nothing, or the number that scores best on the questions at hand."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from stamina_video.evaluation.causality import Witness
from stamina_video.evaluation.running.counter import Read
from stamina_video.evaluation.svcbench import score_questions
from stamina_video.semantics import Commit, Observation, Operator, Question, Target
from stamina_video.semantics.pace import Pace
from stamina_video.video import Gap

SELDOM = 0.1  # looks a second: it does not look at what it is shown


@dataclass(frozen=True)
class Constant:
    """One answer per operator; 0 for those without."""

    name: str = "baseline:zero"
    constants: Mapping[Operator, int] = field(default_factory=dict)

    @property
    def fingerprint(self) -> str:
        said = " ".join(f"{operator}={count}" for operator, count in self.constants.items())
        return f"{self.name} {said}".strip()

    @property
    def settings(self) -> Mapping[str, Any]:
        named = {operator.value: count for operator, count in self.constants.items()}
        # Chosen on the very answers it is scored against: a bound, not a method.
        return {"constants": named, "constants_chosen_on": "the true answers"} if named else {}

    @property
    def answers(self) -> frozenset[Operator]:
        return frozenset(Operator)

    def pace(self, targets: Sequence[Target]) -> Pace:
        return Pace(SELDOM, f"{len(targets)} answers that do not depend on the picture")

    def begin(
        self, witness: Witness, fps: float, targets: Sequence[Target], ledger: str | Path
    ) -> "ConstantCounting":
        del witness, fps, targets, ledger  # it needs nothing
        return ConstantCounting(self.constants)


class ConstantCounting:
    def __init__(self, constants: Mapping[Operator, int]) -> None:
        self._constants = constants

    def observe(self, item: Observation | Gap) -> None:
        """Nothing that is seen changes the answer."""

    def read(self, target: Target, at: float, since: float | None) -> Read:
        del at  # always the same
        count = self._constants.get(target.operator, 0)
        return Read(count) if since is None else Read(count, 0, count)

    def commits(self, target: Target) -> Sequence[Commit]:
        del target  # it answers without having counted
        return ()

    def close(self) -> None:
        """Nothing is open."""


def best_constants(questions: Sequence[Question]) -> dict[Operator, int]:
    """For each operator the whole number with the highest GPA; the smallest of equals."""
    candidates = sorted({0, *(count for question in questions for count in question.counts)})
    gpa_CQ = np.array(
        [
            score_questions(questions, [[float(count)] * len(question.times) for question in questions]).gpa_Q
            for count in candidates
        ]
    )
    operators_Q = np.array([question.operator for question in questions])
    return {
        operator: candidates[int(gpa_CQ[:, operators_Q == operator].mean(1).argmax())]
        for operator in Operator
        if (operators_Q == operator).any()
    }
