from pathlib import Path

import pytest

from stamina_video.data.media_names import read_media_names
from stamina_video.semantics import InvalidInput, UnreadableFile
from tests.shared_data import SHARED, needs

OVOBENCH = SHARED / "ovobench" / "ovo_bench_new.json"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("list.txt", "a.mp4\n\nb\n"),
        ("rows.jsonl", '{"video_path": "a.mp4"}\n{"video": "b"}\n'),
        ("rows.json", '[{"video": "a.mp4"}, {"video_id": "b"}]'),
    ],
)
def test_names_come_from_lists_and_from_rows(name: str, text: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(text)
    assert read_media_names(tmp_path / name) == {"a.mp4", "b"}


def test_what_names_nothing_is_refused(tmp_path: Path) -> None:
    (tmp_path / "rows.json").write_text('[{"clip": 3}]')
    with pytest.raises(InvalidInput, match="expected a row with one of video_path"):
        read_media_names(tmp_path / "rows.json")
    with pytest.raises(UnreadableFile, match="expected names of media"):
        read_media_names(tmp_path / "none.txt")


@needs(OVOBENCH)
def test_a_benchmarks_own_file_names_its_videos() -> None:
    assert len(read_media_names(OVOBENCH)) == 644
