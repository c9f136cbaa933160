import json
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from stamina_video.evaluation.causality import CausalityViolation
from stamina_video.evaluation.running import Asking, Plan, answer
from stamina_video.semantics import Observation, UnreadableFile
from stamina_video.semantics.schedule import Access
from tests.cli.scenes import blob_video

ASKINGS = [
    Asking({"id": 1, "index": 0}, "a.mp4", 3.0, "late?"),
    Asking({"id": 1, "index": 1}, "a.mp4", 1.0, "early?"),
    Asking({"id": 2, "index": 0}, "b.mp4", 2.0, "first of two?", (b"picture",)),
    Asking({"id": 2, "index": 1}, "b.mp4", 2.0, "second of two?"),
]


class Memory:
    """Answers with the times it has seen, and how many pictures came with the question."""

    def __init__(self, peeks: Callable[[], object] = lambda: None) -> None:
        self.peeks = peeks
        self.begun: list[str] = []
        self.asked: list[str] = []

    def begin(self, stream: str) -> "Recall":
        self.begun.append(stream)
        return Recall(self)


class Recall:
    def __init__(self, memory: Memory) -> None:
        self.memory = memory
        self.seen: list[float] = []

    def observe(self, observation: Observation) -> None:
        self.seen.append(observation.time)

    def ask(self, prompt: str, at: float, pictures: Sequence[bytes]) -> str:
        self.memory.peeks()
        self.memory.asked.append(prompt)
        return f"{self.seen} {len(pictures)}"


@pytest.fixture(scope="module")
def videos(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("videos")
    for name in ("a.mp4", "b.mp4"):
        blob_video(folder / name)
    return folder


def answered(videos: Path, out: Path, memory: Memory, plan: Plan) -> dict[tuple[int, int], str]:
    answer(ASKINGS, videos, memory, plan, out, lambda done, of: None)
    rows = [json.loads(line) for line in out.read_text().splitlines()]
    assert len(rows) == len(ASKINGS)
    return {(row["id"], row["index"]): row["response"] for row in rows}


def test_a_stream_answers_in_order_of_time_from_what_it_has_seen(videos: Path, tmp_path: Path) -> None:
    memory = Memory()
    said = answered(videos, tmp_path / "said.jsonl", memory, Plan())
    assert memory.begun == ["a.mp4", "b.mp4"]
    assert memory.asked == ["early?", "late?", "first of two?", "second of two?"]
    assert said[1, 1] == "[0.0, 1.0] 0"
    assert said[1, 0] == "[0.0, 1.0, 2.0, 3.0] 0"
    assert said[2, 0] == "[0.0, 1.0, 2.0] 1"
    assert said[2, 1] == "[0.0, 1.0, 2.0] 0", "every trigger is asked, at one time too"


def test_full_begins_anew_for_every_question(videos: Path, tmp_path: Path) -> None:
    memory = Memory()
    said = answered(videos, tmp_path / "said.jsonl", memory, Plan(Access.FULL, frames=3))
    assert len(memory.begun) == 4
    assert (said[1, 0], said[1, 1]) == ("[0.0, 1.5, 3.0] 0", "[0.0, 0.5, 1.0] 0")


def test_a_stopped_run_asks_only_what_is_left(videos: Path, tmp_path: Path) -> None:
    out, whole = tmp_path / "said.jsonl", tmp_path / "whole.jsonl"
    expected = answered(videos, whole, Memory(), Plan())
    first, second = whole.read_text().splitlines(keepends=True)[:2]
    out.write_text(first + second[:20])  # stopped within its second line
    memory = Memory()
    assert answered(videos, out, memory, Plan()) == expected
    assert memory.asked == ["late?", "first of two?", "second of two?"]
    answered(videos, out, memory, Plan())
    assert len(memory.asked) == 3, "nothing is asked twice"


def test_what_a_cheat_says_is_not_kept(videos: Path, tmp_path: Path) -> None:
    out = tmp_path / "said.jsonl"
    cheat = Memory(peeks=(videos / "a.mp4").read_bytes)
    with pytest.raises(CausalityViolation, match="opened the video's file"):
        answer(ASKINGS, videos, cheat, Plan(), out, lambda done, of: None)
    assert out.read_text() == ""


def test_a_missing_video_is_named_before_anything_is_asked(videos: Path, tmp_path: Path) -> None:
    memory = Memory()
    elsewhere = [*ASKINGS, Asking({"id": 3, "index": 0}, "c.mp4", 1.0, "where?")]
    with pytest.raises(UnreadableFile, match=r"c\.mp4: expected the video of a question"):
        answer(elsewhere, videos, memory, Plan(), tmp_path / "said.jsonl", lambda done, of: None)
    assert memory.asked == []
