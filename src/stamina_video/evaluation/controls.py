"""Readout controls on prediction tables: the rollout stays; its reads are cleared, delayed or swapped.

Definitions of the appendix, "Intervention and Embodied Evaluation Details".
"""

from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from stamina_video.evaluation.predictions import Predictions
from stamina_video.semantics import Question


class Control(StrEnum):
    CLEAR = "clear"
    DELAY = "delay"
    SWAP = "swap"


@dataclass(frozen=True, slots=True)
class Reads:
    """The counts a state showed at distinct, ascending times; before the first it was empty."""

    times: tuple[float, ...]
    counts: tuple[float, ...]

    @classmethod
    def of(cls, pairs: Mapping[float, float]) -> "Reads":
        times = tuple(sorted(pairs))
        return cls(times, tuple(pairs[time] for time in times))

    @classmethod
    def of_moments(cls, moments: Sequence[float]) -> "Reads":
        """The state of a ledger with one commit at each moment."""
        return cls.of({time: float(count) for count, time in enumerate(sorted(moments), start=1)})

    def at(self, time: float) -> float:
        """The latest count no later than `time`."""
        return self._after(bisect_right(self.times, time))

    def before(self, time: float) -> float:
        """The count at the previous distinct read endpoint."""
        return self._after(bisect_left(self.times, time))

    def _after(self, reads: int) -> float:
        return self.counts[reads - 1] if reads else 0.0


def controlled(
    questions: Sequence[Question],
    run: Predictions,
    control: Control,
    histories: Mapping[str, Reads] | None = None,
) -> Predictions:
    """The run's answers under a control.

    Swap reads a donor as of the recipient's times: its reads at its own queries (Full), or where `histories`
    gives the whole state over time by question id, that (Stream).
    """
    reads = [
        # A state is read, not a tally of entries: where both were kept, the change is the state's.
        table_reads(
            question,
            run.reads.get(question.id, {}).get("change", answers),
            (run.starts or {}).get(question.id),
        )
        for question, answers in zip(questions, run.answers, strict=True)
    ]
    donors = choose_donors(questions) if control is Control.SWAP else {}
    answers = []
    for index, question in enumerate(questions):
        if control is Control.CLEAR:
            answers.append((0.0,) * len(question.times))
        elif control is Control.DELAY:
            answers.append(_answers(question, reads[index], delayed=True))
        else:
            donor = donors.get(index)
            history = Reads((), ()) if donor is None else reads[donor]
            if donor is not None and histories is not None:
                history = histories.get(questions[donor].id, history)
            answers.append(_answers(question, history, delayed=False))
    return Predictions(f"{run.path} ({control})", tuple(answers))


def table_reads(question: Question, answers: Sequence[float], starts: Sequence[float] | None = None) -> Reads:
    """What a table tells of the state: each answer at its time, and for windows both of their ends.

    A table that does not record the count at a window's start gives the change only; the window then
    counts from zero.
    """
    window = _window(question)
    if window is None:
        return Reads.of(dict(zip(question.times, answers, strict=True)))
    pairs: dict[float, float] = {}
    for time, answer, start in zip(question.times, answers, starts or (0.0,) * len(answers), strict=True):
        pairs[max(time - window, 0.0)] = start
        pairs[time] = start + answer
    return Reads.of(pairs)


def choose_donors(questions: Sequence[Question]) -> dict[int, int]:
    """For each question the next one, in the file's order and around its end, that can lend its state.

    The donor shows another video and counts the same thing: preferably the same operator and target, else
    the same operator, else the same measure.
    """
    targets = [_target(question) for question in questions]
    ranks: list[list[tuple[object, ...]]] = [
        [(question.operator, target) for question, target in zip(questions, targets, strict=True)],
        [(question.operator,) for question in questions],
        [(question.operator.measure,) for question in questions],
    ]
    places = [_places(keys) for keys in ranks]
    donors: dict[int, int] = {}
    for index, question in enumerate(questions):
        for keys, held in zip(ranks, places, strict=True):
            donor = _next_elsewhere(index, question.video, held[keys[index]], questions)
            if donor is not None:
                donors[index] = donor
                break
    return donors


def _places(keys: Sequence[tuple[object, ...]]) -> dict[tuple[object, ...], list[int]]:
    held: dict[tuple[object, ...], list[int]] = {}
    for index, key in enumerate(keys):
        held.setdefault(key, []).append(index)
    return held


def _next_elsewhere(
    index: int, video: str, candidates: Sequence[int], questions: Sequence[Question]
) -> int | None:
    after = bisect_right(candidates, index)
    for candidate in (*candidates[after:], *candidates[:after]):
        if questions[candidate].video != video:
            return candidate
    return None


def _answers(question: Question, reads: Reads, delayed: bool) -> tuple[float, ...]:
    read = reads.before if delayed else reads.at
    window = _window(question)
    if window is None:
        return tuple(read(time) for time in question.times)
    return tuple(read(time) - read(max(time - window, 0.0)) for time in question.times)


def _window(question: Question) -> float | None:
    return question.read().window if question.operator.windowed else None


def _target(question: Question) -> str:
    return (question.target or question.read().target).casefold()
