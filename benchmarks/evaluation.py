"""Scoring and resampling at the size of the benchmark: `python -m benchmarks.evaluation`."""

import json
import random
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from benchmarks.table import Row, markdown
from stamina_video.evaluation import (
    Mark,
    Result,
    Run,
    Trajectory,
    compare_results,
    diagnose,
    read_predictions,
    score_document,
    score_runs,
)
from stamina_video.semantics import Operator, read_questions

QUESTIONS, POINTS = 1_000, 4_576
PARENTS, TRAJECTORIES, SEEDS = 40, 160, 3


def rows() -> list[Row]:
    with tempfile.TemporaryDirectory() as folder:
        annotations, predictions = _benchmark(Path(folder))
        scoring = _best_of(5, lambda: _score(annotations, predictions))
    before, after = _collection(0.5), _collection(0.7)
    judging = _best_of(3, lambda: _collection(0.7))
    resampling = _best_of(3, lambda: compare_results(before, after))
    return [
        Row(
            f"read, check and score {POINTS} points of {QUESTIONS} questions",
            f"{scoring:.3f} s",
            "< 1 s",
            scoring < 1,
        ),
        Row(
            f"diagnose {TRAJECTORIES} trajectories × {SEEDS} seeds",
            f"{judging:.3f} s",
            "≤ 2 s",
            judging <= 2,
        ),
        Row(
            f"10,000 paired resamples of {PARENTS} parents, {TRAJECTORIES} trajectories × {SEEDS} seeds",
            f"{resampling:.3f} s",
            "≤ 2 s",
            resampling <= 2,
        ),
    ]


def _best_of(times: int, work: Callable[[], object]) -> float:
    taken = []
    for _ in range(times):
        start = time.perf_counter()
        work()
        taken.append(time.perf_counter() - start)
    return min(taken)


def _score(annotations: Path, predictions: Path) -> None:
    questions = read_questions(annotations)
    score_document(score_runs(questions, [read_predictions(predictions, questions)]))


def _benchmark(folder: Path) -> tuple[Path, Path]:
    """Questions and answers of the benchmark's size, one row per query point as it releases them."""
    draw = random.Random(1)
    operators = [operator for operator in Operator if not operator.windowed]
    points, answers = [], []
    for index in range(QUESTIONS):
        size = POINTS // QUESTIONS + (index < POINTS % QUESTIONS)
        common = {
            "id": f"{index:04}",
            "video_path": f"{index % 406}.mp4",
            "question": "How many so far?",
            "counting_subtype": draw.choice(operators),
        }
        times = [float(10 * step) for step in range(size)]
        points += [common | {"query_time": at, "count": step} for step, at in enumerate(times)]
        given = [draw.randrange(5) for _ in times]
        answers.append({"id": common["id"], "query_times": times, "predictions": given})
    annotations, predictions = folder / "eval.jsonl", folder / "run.jsonl"
    annotations.write_text("\n".join(map(json.dumps, points)))
    predictions.write_text("\n".join(map(json.dumps, answers)))
    return annotations, predictions


def _collection(skill: float) -> Result:
    """A diagnosed collection of the paper's size: a commit near each completion, with this probability."""
    draw = random.Random(2)
    pairs = []
    for index in range(TRAJECTORIES):
        done = [Mark(12.0 * step + 4) for step in range(5)]
        trajectory = Trajectory(
            id=f"t{index}",
            parent=f"p{index % PARENTS}",
            stratum="boundary supported" if index % 2 else "endpoint only",
            endpoints=tuple(mark.time + 4 for mark in done),
            counts=(1, 2, 3, 4, 5),
            observed=tuple(map(float, range(64))),
            completions=tuple(done),
        )
        for seed in range(SEEDS):
            commits = tuple(Mark(mark.time + 1) for mark in done if draw.random() < skill)
            hard = tuple(float(sum(commit.time <= end for commit in commits)) for end in trajectory.endpoints)
            pairs.append((trajectory, Run(str(seed), hard, commits)))
    return diagnose(pairs)


if __name__ == "__main__":
    print(markdown(rows()))
