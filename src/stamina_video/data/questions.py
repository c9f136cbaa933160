"""Questions in SVCBench's format as trajectories: the released benchmark, hand-made clips, anybody's rows.

A row with a target, a tolerance and the times at which its count grows was annotated by hand and verified;
a row without them supports its query points and nothing else.
"""

import json
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from stamina_video.data.frame_map import FrameMap, Span
from stamina_video.data.hashing import MediaHashes
from stamina_video.data.loaded import Loaded, accepted
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


def load_questions(path: Path, videos: Path | None = None) -> Loaded:
    """Every question of a JSON Lines file; rows of one id are the points of one question."""
    rows: dict[str, list[Mapping[str, Any]]] = {}
    for number, row in enumerate(_rows(path), start=1):
        rows.setdefault(str(row.get("id", f"without an id in line {number}")), []).append(row)
    hashes = MediaHashes(videos)
    made, refused = accepted(rows.items(), lambda item: item[0], lambda item: _load(*item, hashes))
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


def _load(record: str, rows: Sequence[Mapping[str, Any]], hashes: MediaHashes) -> Trajectory:
    row = rows[0]
    try:
        _words(row, "id")
        video, text = _words(row, "video_path"), _words(row, "question")
        operator = Operator.parse(_words(row, "counting_subtype"))
        points = sorted(_points(rows), key=lambda point: point[0])
        reading = read_question(text, operator)
        target = Target(_words(row, "target") if "target" in row else reading.target, operator)
        changes = _verified_changes(row, operator, points)
    except InvalidInput as error:
        raise InvalidInput(f"trajectory {record}: {error}") from None
    duration = max([time for time, _ in points] + (changes.times if changes else []))
    marks = _marks(changes.times, operator) if changes else ()
    # A visible count may stay equal while one enters and another leaves.
    stable = _stable(changes, duration) if changes and operator.cumulative else ()
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


def _points(rows: Sequence[Mapping[str, Any]]) -> list[tuple[float, Any]]:
    if "query_points" not in rows[0]:
        return [(seconds(row.get("query_time"), "a query time"), row.get("count")) for row in rows]
    points = rows[0]["query_points"]
    times, counts = (points.get("time"), points.get("count")) if isinstance(points, dict) else (None, None)
    if not isinstance(times, list) or not isinstance(counts, list) or len(times) != len(counts) or not times:
        raise InvalidInput("expected query points with as many times as counts, and at least one")
    if len(rows) > 1:
        raise InvalidInput("expected each question once, got it again")
    return [(seconds(time, "a query time"), count) for time, count in zip(times, counts, strict=True)]


@dataclass(frozen=True, slots=True)
class _Changes:
    """All the times at which a count grows, as somebody is sure of them, within a tolerance."""

    times: list[float]
    tolerance: float


def _verified_changes(
    row: Mapping[str, Any], operator: Operator, points: Sequence[tuple[float, Any]]
) -> _Changes | None:
    listed = row.get("occurrence_times")
    if row.get("confidence") != "high" or "time_tolerance" not in row or not isinstance(listed, list):
        return None
    changes = _Changes(
        sorted(seconds(time, "an occurrence time") for time in listed),
        seconds(row["time_tolerance"], "a tolerance"),
    )
    # Evidence that contradicts the counts supports nothing but doubt.
    return None if operator.cumulative and not _agree(changes, points) else changes


def _agree(changes: _Changes, points: Sequence[tuple[float, Any]]) -> bool:
    return all(
        bisect_right(changes.times, at - changes.tolerance)
        <= count
        <= bisect_right(changes.times, at + changes.tolerance)
        for at, count in points
        if isinstance(count, int)
    )


def _endpoint(time: float, count: int, window: float | None, record: str) -> Supported:
    return Supported(time, count, (f"annotation {record}",), None if window is None else time - window)


def _aliases(row: Mapping[str, Any], target: Target, asked: str) -> tuple[str, ...]:
    listed = row.get("aliases")
    names = [*(listed if isinstance(listed, list) else ()), asked]
    return tuple(dict.fromkeys(name for name in names if name != target.description))


def _marks(occurrences: Sequence[float], operator: Operator) -> tuple[PhaseMark, ...]:
    if not operator.is_event:
        return ()
    complete = next(edge for edge in graph_for(operator).edges if edge.role is Role.COMPLETE)
    return tuple(PhaseMark("0", time, complete) for time in occurrences)


def _stable(changes: _Changes, duration: float) -> tuple[Span, ...]:
    slack = changes.tolerance
    edges = [-slack, *changes.times, duration + slack]
    spans = ((left + slack, right - slack) for left, right in pairwise(edges))
    return tuple(Span(max(left, 0.0), right) for left, right in spans if right > max(left, 0.0))


def _words(row: Mapping[str, Any], name: str) -> str:
    value = row.get(name)
    if not isinstance(value, str) or not value.strip():
        raise InvalidInput(f"expected words in {name!r}, got {value!r}")
    return value
