from pathlib import Path

import pytest

from stamina_video.data.perception import read_statistics, shipped_statistics
from stamina_video.semantics import InvalidInput, UnreadableFile


def test_statistics_survive_a_file(tmp_path: Path) -> None:
    shipped_statistics().write(tmp_path / "s.json")
    assert read_statistics(tmp_path / "s.json") == shipped_statistics()


def test_the_shipped_detector_has_cocos_classes() -> None:
    statistics = shipped_statistics()
    assert len(statistics.vocabulary) == 80
    assert "person" in statistics.rivals
    assert set(statistics.clutter_classes) <= set(statistics.vocabulary)


def test_other_files_are_refused(tmp_path: Path) -> None:
    (tmp_path / "no.json").write_text("{")
    with pytest.raises(UnreadableFile, match="expected a detector's statistics"):
        read_statistics(tmp_path / "no.json")
    (tmp_path / "odd.json").write_text('{"floor": 1}')
    with pytest.raises(InvalidInput, match="expected the fields of a detector's statistics"):
        read_statistics(tmp_path / "odd.json")
