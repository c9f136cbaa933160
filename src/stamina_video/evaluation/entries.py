"""Rows of a plain counting table: (video, target, time) and one of a count, an event or an identity.

A row says one thing: `event` is one completion, `identity` an individual in view, `count` the running
number. Optional columns: slot, seed, matched, soft, parent, stratum.
"""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from stamina_video.evaluation.trajectories import Mark
from stamina_video.semantics import InvalidInput, target_name
from stamina_video.semantics.files import csv_rows

KINDS = ("event", "identity", "count")

Key = tuple[str, str]  # video, folded target


@dataclass(frozen=True, slots=True)
class Entry:
    where: str
    video: str
    target: str
    time: float
    kind: str
    columns: Mapping[str, str]

    @property
    def key(self) -> Key:
        return self.video, folded(self.target)

    @property
    def value(self) -> str:
        return self.columns[self.kind]

    def number(self, column: str) -> float:
        return _number(self.columns[column], f"a number as {column}", self.where)

    def mark(self) -> Mark:
        return Mark(self.time, self.columns.get("slot", ""))


def read_entries(path: Path) -> Iterator[Entry]:
    for where, row in csv_rows(path):
        if not row.get("video"):
            raise InvalidInput(f"{where}: expected a video, got none")
        kinds = [kind for kind in KINDS if row.get(kind)]
        if len(kinds) != 1:
            raise InvalidInput(f"{where}: expected one of {', '.join(KINDS)} filled, got {len(kinds)}")
        time = _number(row.get("time", ""), "a time in seconds", where)
        if time < 0:
            raise InvalidInput(f"{where}: expected a time from 0, got {row['time']!r}")
        entry = Entry(where, row["video"], row.get("target", ""), time, kinds[0], row)
        if entry.kind == "count":
            entry.number("count")
        yield entry


def folded(target: str) -> str:
    return target_name(target).casefold() if target else ""


def _number(text: str, what: str, where: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise InvalidInput(f"{where}: expected {what}, got {text!r}")
    return number
