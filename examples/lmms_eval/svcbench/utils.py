"""SVCBench under lmms-eval: what a model sees, what it is asked, and how its answers are scored."""

import hashlib
import math
import os
import re
import tempfile
from pathlib import Path
from typing import Any

import av
import numpy as np

from stamina_video.evaluation import score_questions
from stamina_video.semantics import Operator, Question

METRICS = ("gpa", "moc", "uda", "uda_changes")


def doc_to_visual(doc: dict[str, Any]) -> list[str]:
    """A clip that ends at the query: later frames are not in the file, so nobody can look ahead."""
    folder = Path(os.environ.get("SVCBENCH_VIDEOS", "videos"))
    found = [folder / doc["source_dataset"] / doc["video_path"], folder / doc["video_path"]]
    source = next((path for path in found if path.exists()), found[0])
    return [str(prefix(source, doc["query_time"]))]


def doc_to_text(doc: dict[str, Any], lmms_eval_specific_kwargs: dict[str, Any] | None = None) -> str:  # noqa: ARG001
    return f"{doc['question']} The video ends at the moment of this question. Reply with one whole number."


def process_results(doc: dict[str, Any], results: list[str]) -> dict[str, dict[str, Any]]:
    """Every metric needs a question's whole row of answers, so each point is handed on as it is."""
    point = {
        "id": doc["id"],
        "video": doc["video_path"],
        "question": doc["question"],
        "operator": doc["counting_subtype"],
        "order": doc["query_index"],
        "time": doc["query_time"],
        "count": doc["count"],
        "answer": whole_number(results[0]),
    }
    return dict.fromkeys(METRICS, point)


def whole_number(text: str) -> float:
    """The response's one number, or NaN: an invalid answer is scored as wrong, not left out."""
    found = set(re.findall(r"(?<![\d.,-])\d+(?![.,]?\d)", text))
    return float(found.pop()) if len(found) == 1 else math.nan


def gpa(points: list[dict[str, Any]]) -> float:
    return _mean(points, "gpa")


def moc(points: list[dict[str, Any]]) -> float:
    return _mean(points, "moc")


def uda(points: list[dict[str, Any]]) -> float:
    return _mean(points, "uda")


def uda_changes(points: list[dict[str, Any]]) -> float:
    return _mean(points, "uda_changes")


def _mean(points: list[dict[str, Any]], metric: str) -> float:
    by_question: dict[str, list[dict[str, Any]]] = {}
    for point in sorted(points, key=lambda point: point["order"]):
        by_question.setdefault(point["id"], []).append(point)
    questions = [
        Question(
            name,
            row[0]["video"],
            row[0]["question"],
            Operator.parse(row[0]["operator"]),
            tuple(point["time"] for point in row),
            tuple(point["count"] for point in row),
        )
        for name, row in by_question.items()
    ]
    answers = [[point["answer"] for point in row] for row in by_question.values()]
    scores = score_questions(questions, answers).named()[metric]
    eligible = scores[~np.isnan(scores)]
    return float(eligible.mean()) if eligible.size else math.nan


def prefix(source: Path, until: float) -> Path:
    """The frames up to `until`, encoded once and kept."""
    name = hashlib.sha256(f"{source.resolve()} {until}".encode()).hexdigest()[:24]
    clip = Path(tempfile.gettempdir()) / "svcbench_prefixes" / f"{name}.mp4"
    if clip.exists():
        return clip
    clip.parent.mkdir(parents=True, exist_ok=True)
    part = clip.with_suffix(f".{os.getpid()}.mp4")
    with av.open(str(source)) as given, av.open(str(part), "w") as taken:
        video = given.streams.video[0]
        stream = taken.add_stream("libx264", rate=video.average_rate)
        stream.width, stream.height, stream.pix_fmt = video.width // 2 * 2, video.height // 2 * 2, "yuv420p"
        stream.options = {"crf": "18"}
        origin = None
        for frame in given.decode(video):
            origin = frame.time if origin is None else origin
            if frame.time - origin > until:
                break
            picture = frame.reformat(stream.width, stream.height, "yuv420p")
            picture.pts = None
            taken.mux(stream.encode(picture))
        taken.mux(stream.encode())
    part.replace(clip)
    return clip
