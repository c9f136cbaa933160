"""What one pass gave, in a file of its own: written whole or not at all, and never written twice."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from stamina_video.evaluation.running.counter import Read
from stamina_video.evaluation.running.plan import Pass
from stamina_video.semantics import Commit, UnreadableFile, files

Reads = Mapping[str, Mapping[float, Read]]  # by question, by query time


@dataclass(frozen=True, slots=True)
class Part:
    """Reads and commits by question, the frame times behind them, and at which rate they were taken."""

    video: str
    until: float
    fps: float | None
    times: tuple[float, ...]
    gaps: int
    reads: Reads
    commits: Mapping[str, tuple[Commit, ...]]


class Parts:
    """A folder of parts by pass."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def __contains__(self, one: Pass) -> bool:
        return self._path(one).exists()

    def write(self, one: Pass, part: Part) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        path = self._path(one)
        draft = path.with_name(path.name + ".draft")
        draft.write_text(json.dumps(_document(part), allow_nan=False) + "\n", "utf-8")
        draft.replace(path)

    def read(self, one: Pass) -> Part:
        path = self._path(one)
        try:
            return _part(files.json_document(path))
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise UnreadableFile(f"{path}: expected a part of a run, got {error!r}") from None

    def _path(self, one: Pass) -> Path:
        return self.folder / f"{one.key}.json"


def _document(part: Part) -> dict[str, Any]:
    return {
        "video": part.video,
        "until": part.until,
        "fps": part.fps,
        "times": list(part.times),
        "gaps": part.gaps,
        "reads": {
            question: [[at, read.count, read.start, read.entries] for at, read in reads.items()]
            for question, reads in part.reads.items()
        },
        "commits": {
            question: [_commit_document(commit) for commit in commits]
            for question, commits in part.commits.items()
        },
    }


def _commit_document(commit: Commit) -> dict[str, Any]:
    # When a ledger stored a commit differs from run to run; what it says does not.
    return {name: value for name, value in asdict(commit).items() if name != "recorded"}


def _part(document: Mapping[str, Any]) -> Part:
    return Part(
        video=document["video"],
        until=document["until"],
        fps=document["fps"],
        times=tuple(document["times"]),
        gaps=document["gaps"],
        reads={
            question: {at: Read(count, start, entries) for at, count, start, entries in rows}
            for question, rows in document["reads"].items()
        },
        commits={
            question: tuple(Commit(**row) for row in rows) for question, rows in document["commits"].items()
        },
    )
