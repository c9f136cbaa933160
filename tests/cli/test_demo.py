from pathlib import Path

import pytest

from stamina_video.cli import main


def leaves_with(*arguments: str) -> object:
    with pytest.raises(SystemExit) as left:
        main(["demo", *arguments])
    return left.value.code


@pytest.mark.parametrize(("finished", "code"), [(True, 0), (False, 130)])
def test_a_given_model_counts_the_rendered_scene(
    finished: bool, code: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []

    def demonstrate(out: Path, name: str, as_json: bool) -> bool:
        asked.append((out, name, as_json))
        return finished

    monkeypatch.setattr("stamina_video.cli.demonstration.demonstrate", demonstrate)
    assert leaves_with("--out", str(tmp_path / "new"), "--model", "mine", "--json") == code
    assert asked == [(tmp_path / "new", "mine", True)]


def test_a_model_that_is_not_there_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert leaves_with("--out", str(tmp_path), "--model", "./nowhere") == 2
    assert "expected a model" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []
