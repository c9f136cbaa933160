"""Puts parts together and writes them out: predictions, commits, the result, and lmms-eval's layout."""

import csv
import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from itertools import accumulate
from pathlib import Path
from typing import Any

from stamina_video.evaluation.controls import Control, Reads, controlled
from stamina_video.evaluation.harness import write_harness
from stamina_video.evaluation.predictions import Predictions
from stamina_video.evaluation.results import RESULT_FILE, Result, write_result
from stamina_video.evaluation.running.counter import Read
from stamina_video.evaluation.running.parts import Part
from stamina_video.evaluation.scoring import score_runs
from stamina_video.evaluation.truth import cumulative_target
from stamina_video.semantics import Commit, Measure, Operator, Question
from stamina_video.semantics.schedule import Access

PREDICTIONS, COMMITS, HARNESS = "predictions.jsonl", "commits.csv", "lmms-eval"
LEFT_OUT = ("format", "started")  # two runs under the same settings give the same result


def written(
    folder: Path,
    questions: Sequence[Question],
    parts: Sequence[Part],
    settings: Mapping[str, Any],
    control: Control | None,
) -> Result:
    """The result of a whole run, and the files other commands and harnesses read."""
    reads = joined(questions, parts)
    commits = last_commits(parts)
    run = predictions(questions, reads)
    own = {name: value for name, value in settings.items() if name not in LEFT_OUT}
    observed = observations(parts)
    own["frame_times_sha256"] = hashlib.sha256(json.dumps(observed).encode()).hexdigest()[:16]
    name = str(settings["model"])
    if control is not None:
        histories = None if settings["access"] == Access.FULL else _histories(commits)
        run = controlled(questions, run, control, histories)
        result = score_runs(questions, [run], f"{name} ({control})", own | {"control": control.value})
        write_result(replace(result, observed=observed), folder / f"result-{control}.json")
        return result
    result = replace(score_runs(questions, [run], name, own, commits), observed=observed)
    _write_predictions(folder / PREDICTIONS, questions, reads)
    _write_commits(folder / COMMITS, questions, commits)
    write_harness(result, folder / HARNESS, datetime.fromisoformat(settings["started"]))
    write_result(result, folder / RESULT_FILE)  # last: a folder with a result is finished
    return result


def joined(questions: Sequence[Question], parts: Sequence[Part]) -> dict[str, list[Read]]:
    """Every question's reads in the file's order of query times."""
    found: dict[str, dict[float, Read]] = {}
    for part in parts:
        for question, reads in part.reads.items():
            found.setdefault(question, {}).update(reads)
    return {question.id: [found[question.id][at] for at in question.times] for question in questions}


def last_commits(parts: Sequence[Part]) -> dict[str, tuple[Commit, ...]]:
    """The commits behind each question; in Full those of the longest replay, which saw the most."""
    found: dict[str, tuple[Commit, ...]] = {}
    for part in sorted(parts, key=lambda part: part.until):
        found.update(part.commits)
    return found


def observations(parts: Sequence[Part]) -> dict[str, dict[str, Any]]:
    """By video the rate and the frame times of every pass."""
    found: dict[str, dict[str, Any]] = {}
    for part in parts:
        video = found.setdefault(part.video, {"fps": part.fps, "passes": []})
        video["passes"].append({"until": part.until, "times": list(part.times)})
    return found


def predictions(questions: Sequence[Question], reads: Mapping[str, Sequence[Read]]) -> Predictions:
    answers = tuple(
        tuple(float(read.answer(question.operator)) for read in reads[question.id]) for question in questions
    )
    windowed = [question for question in questions if question.operator.windowed]
    starts = {
        question.id: tuple(float(read.start or 0) for read in reads[question.id]) for question in windowed
    }
    ways = {
        question.id: {
            way: tuple(map(float, numbers)) for way, numbers in _ways(question, reads[question.id]).items()
        }
        for question in windowed
        if question.operator is Operator.O1_DELTA
    }
    return Predictions(PREDICTIONS, answers, starts=starts or None, reads=ways)


def _ways(question: Question, reads: Sequence[Read]) -> dict[str, list[int]]:
    """O1-Delta is read as a change of the visible count, and as entries; other questions in one way."""
    if question.operator is not Operator.O1_DELTA:
        return {}
    return {
        "change": [read.change for read in reads],
        "entries": [read.answer(question.operator) for read in reads],
    }


def _histories(commits: Mapping[str, Sequence[Commit]]) -> dict[str, Reads]:
    """The whole state over time behind each question, as Stream keeps it."""
    return {
        question: Reads.of(
            {
                commit.time: float(total)
                for commit, total in zip(made, accumulate(commit.delta for commit in made), strict=True)
            }
        )
        for question, made in commits.items()
    }


def _write_predictions(
    path: Path, questions: Sequence[Question], reads: Mapping[str, Sequence[Read]]
) -> None:
    rows = []
    for question in questions:
        given = reads[question.id]
        row: dict[str, Any] = {
            "id": question.id,
            "query_times": list(question.times),
            "predictions": [read.answer(question.operator) for read in given],
            "gts": list(question.counts),
        }
        if question.operator.windowed:
            row["starts"] = [read.start for read in given]
        if ways := _ways(question, given):
            row["reads"] = ways
        rows.append(json.dumps(row) + "\n")
    path.write_text("".join(rows), "utf-8")


def _write_commits(
    path: Path, questions: Sequence[Question], commits: Mapping[str, Sequence[Commit]]
) -> None:
    """What `stamina diagnose` reads: events and identities of the cumulative questions, a row each."""
    with path.open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file)
        table.writerow(["video", "target", "time", "event", "identity", "slot"])
        for question in questions:
            target = cumulative_target(question)
            if target is None:
                continue
            for number, commit in enumerate(commits[question.id]):
                unique = commit.kind.measure is Measure.UNIQUE
                said = str(commit.evidence.get("identity", number)) if unique else commit.kind.value
                for _ in range(commit.delta):
                    cells = ("", said) if unique else (said, "")
                    table.writerow(
                        [question.video, target, commit.time, *cells, commit.evidence.get("slot", "")]
                    )
