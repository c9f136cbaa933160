"""Two short videos with questions of every kind of read, and counters for them."""

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from stamina_video.evaluation.causality import Witness
from stamina_video.evaluation.running import LedgerCounting
from stamina_video.evaluation.running.counter import Counting
from stamina_video.ledger import Ledger
from stamina_video.semantics import Change, Decision, Kind, Observation, Operator, Target
from stamina_video.semantics.pace import Pace
from stamina_video.video import Gap, open_video
from tests.cli.scenes import blob_video

QUESTIONS = (
    ("u", "a.mp4", "How many different red blobs have appeared so far?", "O2-Unique", [1.0, 3.0], [1, 1]),
    ("s", "a.mp4", "How many red blobs are visible right now?", "O1-Snap", [3.0, 0.5], [1, 1]),
    ("g", "a.mp4", "How many new red blobs have appeared in the past 2 seconds?", "O2-Gain", [3.0], [0]),
    ("d", "a.mp4", "How many red blobs have appeared in the past 2 seconds?", "O1-Delta", [2.5, 3.5], [0, 0]),
    ("e", "b.mp4", "How many times has the blob moved so far?", "E1-Action", [1.0, 2.0, 3.8], [0, 1, 1]),
    ("p", "b.mp4", "How many swings have been completed so far?", "E2-Periodic", [2.0, 3.0], [1, 2]),
)


def data_set(folder: Path, questions: Sequence[tuple[Any, ...]] = QUESTIONS) -> tuple[Path, Path]:
    """An annotation file and a folder of videos."""
    videos = folder / "videos"
    videos.mkdir(parents=True)
    for name in dict.fromkeys(question[1] for question in questions):
        blob_video(videos / name)
    rows = [
        {
            "id": id_,
            "video_path": video,
            "question": text,
            "counting_subtype": operator,
            "query_points": {"time": times, "count": counts},
        }
        for id_, video, text, operator, times, counts in questions
    ]
    annotations = folder / "annotations.jsonl"
    annotations.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return annotations, videos


@contextmanager
def witnessed(path: Path, fps: float = 2.0) -> Iterator[Witness]:
    with open_video(path, fps) as video:
        yield Witness(video, path)


class OneEachLook:
    """Counts observations: one individual, entry and completion for every target at every look."""

    name = "looks"
    fingerprint = "looks-1"
    answers = frozenset(Operator)

    def __init__(self) -> None:
        self.settings: dict[str, Any] = {"resize": "none"}
        self.looks: list[tuple[str, float]] = []

    def pace(self, targets: Sequence[Target]) -> Pace:
        return Pace(2.0, "as the tests want it")

    def begin(self, witness: Witness, fps: float, targets: Sequence[Target], ledger: str | Path) -> Counting:
        return _OneEachLook(self, witness, targets)


class _OneEachLook(LedgerCounting):
    def __init__(self, counter: OneEachLook, witness: Witness, targets: Sequence[Target]) -> None:
        super().__init__(witness.stream, Ledger.open(":memory:"))
        self._counter = counter
        self._targets = targets

    def observe(self, item: Observation | Gap) -> None:
        if isinstance(item, Gap):
            return
        self._counter.looks.append((self.stream, item.time))
        kinds = {"visible": Kind.ENTRY, "unique": Kind.IDENTITY, "completed": Kind.EVENT}
        for target in self._targets:
            kind = kinds[target.operator.measure]
            change = Change(kind, 1, "look", kind, {"identity": item.index})
            decision = Decision(self.stream, target.description, item.index, item.time, (change,))
            self.ledger.append_all(decision.commits("looks"))
