import json
from pathlib import Path

import pytest

from stamina_video.evaluation.results import Result, Row, read_result, write_result
from stamina_video.semantics import InvalidInput

ROWS = (
    Row("a", "v1", "x", {"score": (1.0, 1.0)}, {"times": [1.0]}),
    Row("b", "v1", "y", {"score": (0.0, 1.0), "rate": (1.0, 4.0)}),
    Row("c", "v2", "y", {"score": (1.0, 1.0), "rate": (1.0, 1.0)}),
)
RESULT = Result("svcbench", "mine", ROWS, ("score", "rate"), {"both": ("x", "y")}, {"seed": 1})


def test_figures_are_ratios_of_sums() -> None:
    assert RESULT.figures() == {
        "overall": {"score": pytest.approx(2 / 3), "rate": 0.4},
        "x": {"score": 1.0, "rate": None},
        "y": {"score": 0.5, "rate": 0.4},
        "both": {"score": 0.75, "rate": None},
    }


def test_a_result_file_reads_back_the_same(tmp_path: Path) -> None:
    write_result(RESULT, tmp_path / "deep" / "result.json")
    assert read_result(tmp_path / "deep" / "result.json") == RESULT
    assert read_result(tmp_path / "deep") == RESULT


@pytest.mark.parametrize("text", ["[]", "{}", '{"format": "other/1"}'])
def test_another_kind_of_file_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "r.json"
    path.write_text(text)
    with pytest.raises(InvalidInput, match="expected a result file"):
        read_result(path)


@pytest.mark.parametrize("sums", [{"score": [1.0]}, {"skill": [1.0, 1.0]}, {"score": ["a", "b"]}, None])
def test_a_broken_result_file_is_refused(tmp_path: Path, sums: object) -> None:
    path = tmp_path / "r.json"
    document = RESULT.document()
    document["rows"][0]["sums"] = sums
    path.write_text(json.dumps(document))
    with pytest.raises(InvalidInput, match="expected a whole result file"):
        read_result(path)


def test_a_directory_without_a_result_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match=r"result\.json: expected a readable file"):
        read_result(tmp_path)
