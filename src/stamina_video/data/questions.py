"""Questions in SVCBench's format as trajectories: the released benchmark, hand-made clips, anybody's rows.

A row with a target, a tolerance and the times at which its count grows was annotated by hand and verified;
a row without them supports its query points and nothing else.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from stamina_video.data.frame_map import FrameMap, Span
from stamina_video.data.hashing import MediaHashes
from stamina_video.data.refusals import Refusal, accepted
from stamina_video.data.trajectory import (
    Mask,
    Media,
    PhaseMark,
    Provenance,
    Supported,
    Trajectory,
    group_of,
)
from stamina_video.semantics import (
    InvalidInput,
    Operator,
    Role,
    Target,
    UnreadableFile,
    graph_for,
    read_question,
    seconds,
)


@dataclass(frozen=True, slots=True)
class Loaded:
    """Trajectories of a source, and what was refused."""

    trajectories: tuple[Trajectory, ...]
    refused: tuple[Refusal, ...] = ()


def load_questions(path: Path, videos: Path | None = None) -> Loaded:
    """Every question of a JSON Lines file; rows of one id are the points of one question."""
    rows: dict[str, list[Mapping[str, Any]]] = {}
    for number, row in enumerate(_rows(path), start=1):
        rows.setdefault(str(row.get("id", f"line {number}")), []).append(row)
    hashes = MediaHashes(videos)
    made, refused = accepted(rows.values(), lambda row: str(row[0].get("id")), lambda row: _load(row, hashes))
    return Loaded(tuple(made), tuple(refused))


def parent_of(video: str) -> str:
    """The source video's name: what its crops, copies and containers have in common."""
    return Path(video).stem


def _rows(path: Path) -> list[dict[str, Any]]:
    try:
        lines = path.read_text("utf-8").splitlines()
        rows = [json.loads(line) for line in lines if line.strip()]
    except (OSError, UnicodeDecodeError, json.JSONDecodeError) as error:
        raise UnreadableFile(f"{path}: expected JSON Lines, got {error}") from None
    if not all(isinstance(row, dict) for row in rows):
        raise UnreadableFile(f"{path}: expected a JSON object in every line, got something else")
    return rows


def _load(rows: Sequence[Mapping[str, Any]], hashes: MediaHashes) -> Trajectory:
    row = rows[0]
    try:
        video, text = _words(row, "video_path"), _words(row, "question")
        operator = Operator.parse(_words(row, "counting_subtype"))
        points = sorted(_points(rows))
        reading = read_question(text, operator)
    except InvalidInput as error:
        raise InvalidInput(f"trajectory {row.get('id')}: {error}") from None
    record = str(row["id"])
    target = Target(str(row.get("target") or reading.target), operator)
    verified = row.get("confidence") == "high" and "time_tolerance" in row
    occurrences = sorted(map(float, row.get("occurrence_times") or ())) if verified else []
    duration = max([time for time, _ in points] + occurrences)
    marks = _marks(occurrences, operator)
    stable = _stable(occurrences, float(row.get("time_tolerance", 0)), duration) if _counts_all(row) else ()
    masks = {Mask.COUNT} | ({Mask.BOUNDARY} if marks else set()) | ({Mask.STABLE} if stable else set())
    source = str(row.get("source_dataset", "questions"))
    return Trajectory(
        id=f"{source}:{record}",
        parent=parent_of(video),
        scene=str(row.get("scene") or parent_of(video)),
        media=Media(video, hashes(video)),
        segment="whole",
        frame_map=FrameMap.whole(duration),
        target=target,
        question=text,
        provenance=Provenance(source, record, group_of(operator)),
        aliases=_aliases(row, target, reading.target),
        endpoints=tuple(_endpoint(time, count, reading.window, record) for time, count in points),
        marks=marks,
        stable=stable,
        masks=frozenset(masks),
    )


def _points(rows: Sequence[Mapping[str, Any]]) -> list[tuple[float, int]]:
    if "query_points" not in rows[0]:
        return [(seconds(row.get("query_time"), "a query time"), row["count"]) for row in rows]
    points = rows[0]["query_points"]
    times, counts = points.get("time"), points.get("count")
    if (
        len(rows) > 1
        or not isinstance(times, list)
        or not isinstance(counts, list)
        or len(times) != len(counts)
    ):
        raise InvalidInput("expected each question once, with as many query times as counts")
    return [(seconds(time, "a query time"), count) for time, count in zip(times, counts, strict=True)]


def _endpoint(time: float, count: int, window: float | None, record: str) -> Supported:
    return Supported(time, count, (f"annotation {record}",), None if window is None else time - window)


def _aliases(row: Mapping[str, Any], target: Target, asked: str) -> tuple[str, ...]:
    names = [*row.get("aliases", ()), asked]
    return tuple(dict.fromkeys(name for name in names if name != target.description))


def _counts_all(row: Mapping[str, Any]) -> bool:
    """Whether its occurrence times are all the changes there are: cumulative counts only.

    A visible count may stay equal while one enters and another leaves.
    """
    return row.get("confidence") == "high" and Operator.parse(row["counting_subtype"]).cumulative


def _marks(occurrences: Sequence[float], operator: Operator) -> tuple[PhaseMark, ...]:
    if not operator.is_event:
        return ()
    complete = next(edge for edge in graph_for(operator).edges if edge.role is Role.COMPLETE)
    return tuple(PhaseMark("0", time, complete) for time in occurrences)


def _stable(occurrences: Sequence[float], tolerance: float, duration: float) -> tuple[Span, ...]:
    edges = [-tolerance, *occurrences, duration + tolerance]
    spans = ((left + tolerance, right - tolerance) for left, right in pairwise(edges))
    return tuple(Span(max(left, 0.0), right) for left, right in spans if right > max(left, 0.0))


def _words(row: Mapping[str, Any], name: str) -> str:
    value = row.get(name)
    if not isinstance(value, str) or not value.strip():
        raise InvalidInput(f"expected words in {name!r}, got {value!r}")
    return value
