"""A result file: rows of numerators and denominators, from which every figure and interval follows.

Each metric is a ratio of sums over rows, so a mean over questions (denominator 1), a pooled error rate and
a pooled delay are one kind of thing, and a resampled figure is the same ratio over resampled rows. What a row
tells beside its sums, and what a run looked at, is for reading: no figure follows from it.
"""

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from stamina_video.semantics import InvalidInput, UnreadableFile, files

FORMAT = "stamina-result/1"
OVERALL = "overall"
RESULT_FILE = "result.json"

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Row:
    """What one scored unit adds: a question, a decision, or a trajectory under one seed."""

    id: str
    parent: str  # the video: rows of one parent are resampled together
    group: str
    sums: Mapping[str, tuple[float, float]]  # metric -> numerator, denominator
    detail: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Result:
    """A scored run. `averages` names means over groups or over other averages, children first.

    `observed` holds, by video, the rate and the frame times of every pass over it: one pass in Stream, one
    per query in Full, each with the time up to which it could look.
    """

    benchmark: str
    name: str
    rows: tuple[Row, ...]
    metrics: tuple[str, ...]
    averages: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    settings: Mapping[str, Any] = field(default_factory=dict)
    observed: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)

    @property
    def groups(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(row.group for row in self.rows))

    @property
    def parents(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(row.parent for row in self.rows))

    def figures(self) -> dict[str, dict[str, float | None]]:
        """Every metric pooled overall, by group and by average; None where nothing was eligible."""
        table_NM = figure_table(self, parent_sums(self, self.parents, self.groups).sum(1))
        return {
            name: {
                metric: None if math.isnan(value) else value
                for metric, value in zip(self.metrics, row.tolist(), strict=True)
            }
            for name, row in zip(figure_names(self), table_NM, strict=True)
        }

    def document(self) -> dict[str, Any]:
        document = {
            "format": FORMAT,
            "benchmark": self.benchmark,
            "name": self.name,
            "metrics": list(self.metrics),
            "averages": {name: list(children) for name, children in self.averages.items()},
            "settings": dict(self.settings),
            "figures": self.figures(),
            "rows": [
                {
                    "id": row.id,
                    "parent": row.parent,
                    "group": row.group,
                    "sums": {name: list(pair) for name, pair in row.sums.items()},
                }
                | ({"detail": dict(row.detail)} if row.detail else {})
                for row in self.rows
            ],
        }
        return document | ({"observed": dict(self.observed)} if self.observed else {})


def figure_names(result: Result) -> tuple[str, ...]:
    return (OVERALL, *result.groups, *result.averages)


def parent_sums(result: Result, parents: Sequence[str], groups: Sequence[str]) -> Floats:
    """Numerators, then denominators, summed by parent, group and metric."""
    row_of = {parent: index for index, parent in enumerate(parents)}
    group_of = {group: index for index, group in enumerate(groups)}
    column_of = {metric: index for index, metric in enumerate(result.metrics)}
    sums_2PGM = np.zeros((2, len(parents), len(groups), len(column_of)))
    for row in result.rows:
        for metric, pair in row.sums.items():
            sums_2PGM[:, row_of[row.parent], group_of[row.group], column_of[metric]] += pair
    return sums_2PGM


def figure_table(result: Result, sums_2GM: Floats) -> Floats:
    """Figures in the order of `figure_names`; axes between the first and the last two pass through."""
    part_GM, whole_GM = sums_2GM
    overall = _ratio(part_GM.sum(-2), whole_GM.sum(-2))
    found = dict(zip(result.groups, np.moveaxis(_ratio(part_GM, whole_GM), -2, 0), strict=True))
    for name, children in result.averages.items():
        found[name] = np.mean([found[child] for child in children], axis=0)
    return np.stack([overall, *found.values()], axis=-2)


def write_result(result: Result, path: Path) -> None:
    """Written whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(path.name + ".draft")
    draft.write_text(json.dumps(result.document(), indent=1, allow_nan=False) + "\n")
    draft.replace(path)


def read_result(path: str | Path) -> Result:
    """A result file, or the one in a run's directory."""
    place = Path(path)
    file = place / RESULT_FILE if place.is_dir() else place
    document = files.json_document(file)
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise UnreadableFile(f"{file}: expected a result file ({FORMAT}), got another kind of file")
    try:
        return Result(
            benchmark=document["benchmark"],
            name=document["name"],
            rows=tuple(_row(row, set(document["metrics"])) for row in document["rows"]),
            metrics=tuple(document["metrics"]),
            averages={name: tuple(children) for name, children in document["averages"].items()},
            settings=document["settings"],
            observed=document.get("observed", {}),
        )
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise InvalidInput(f"{file}: expected a whole result file, got a broken one ({error!r})") from None


def _row(row: Mapping[str, Any], metrics: set[str]) -> Row:
    sums = {name: (float(part), float(whole)) for name, (part, whole) in row["sums"].items()}
    if not set(sums) <= metrics:
        raise ValueError(f"unlisted metrics in row {row['id']!r}")
    return Row(row["id"], row["parent"], row["group"], sums, row.get("detail", {}))


def _ratio(part: Floats, whole: Floats) -> Floats:
    ratio = np.full(np.broadcast(part, whole).shape, np.nan)
    np.divide(part, whole, out=ratio, where=whole > 0)
    return ratio
