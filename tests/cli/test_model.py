import json

import pytest

from stamina_video.cli import model
from stamina_video.semantics import InvalidInput


def test_json_names_the_base_and_what_is_added(capsys: pytest.CaptureFixture[str]) -> None:
    model.describe_model("4b", gpus=2, as_json=True)
    document = json.loads(capsys.readouterr().out)
    assert document["base"] == "Qwen/Qwen3-VL-4B-Instruct"
    assert document["window_bytes"] == 603_979_776
    assert document["added_parameters"] == document["memory_parameters"] + document["heads_parameters"]
    assert 0 < document["added_share"] < 0.05
    assert document["gpus"] == 2


def test_the_table_speaks_of_megabytes(capsys: pytest.CaptureFixture[str]) -> None:
    model.describe_model("4b")
    out = capsys.readouterr().out
    assert "604.0 MB" in out
    assert "%" in out


def test_another_size_is_refused() -> None:
    with pytest.raises(InvalidInput, match=r"expected a full-size model \(4b, 8b\), got 'nano'"):
        model.describe_model("nano")
