import json
from pathlib import Path
from typing import Any

import pytest

from stamina_video.cli import demonstration
from stamina_video.cli.board import Board
from stamina_video.cli.demonstration import demonstrate
from stamina_video.cli.packing import TARGETS, packing_scene
from stamina_video.ledger import Commit, Ledger
from stamina_video.runtime import Session
from stamina_video.semantics import InvalidInput
from stamina_video.video import open_video
from tests.evaluation.pages.reading import Page
from tests.runtime.tiny import tiny_model

MODEL = tiny_model()  # a random one that counts something in the scene
SECONDS = 4.0


@pytest.fixture(autouse=True)
def tiny(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("stamina_video.runtime.load", lambda name: MODEL)


@pytest.fixture
def document(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    assert demonstrate(tmp_path, "tiny", as_json=True, seconds=SECONDS)
    found = json.loads(capsys.readouterr().out)
    assert isinstance(found, dict)
    return found


def test_counts_are_those_of_a_session_and_the_truth_is_the_scenes(document: dict[str, Any]) -> None:
    truth = packing_scene(SECONDS).truth
    with Session(MODEL, TARGETS) as session:
        for item in open_video(document["video"], 4.0):
            session.observe(item)
        for row, target in zip(document["targets"], TARGETS, strict=True):
            assert (row["target"], row["operator"]) == (target.description, target.operator)
            assert row["count"] == session.count(target.description, operator=target.operator)
            assert row["truth"] == truth.count(target, SECONDS)
    assert any(row["commits"] for row in document["targets"])


def test_the_page_has_a_plot_per_target_and_the_evidence(document: dict[str, Any]) -> None:
    page = Page(Path(document["page"]).read_text())
    assert page.count("svg", **{"class": "plot"}) == len(TARGETS)
    with Ledger.open(document["ledger"], readonly=True) as ledger:
        changed = {
            row.commit.time
            for row in ledger.rows("packing.mp4")
            if any(row.commit.kind.measure is target.operator.measure for target in TARGETS)
        }
    assert page.count("img") == len(changed) > 1
    assert page.count("i") > 0, "boxes where the evidence has them"
    assert page.requests() == []


def test_the_demo_starts_afresh(document: dict[str, Any], tmp_path: Path) -> None:
    before = Path(document["page"]).read_text()
    assert demonstrate(tmp_path, "tiny", seconds=SECONDS)
    assert Path(document["page"]).read_text() == before


def test_a_ledger_that_is_not_the_demos_is_left_alone(tmp_path: Path) -> None:
    with Ledger.open(tmp_path / "counts.db") as ledger:
        ledger.append(Commit("door", "people", "identity", 1, 0, 0.0, "a"))
    with pytest.raises(InvalidInput, match=r"expected a new folder or an earlier demo's, got .* with 'door'"):
        demonstrate(tmp_path, "tiny", seconds=SECONDS)
    with Ledger.open(tmp_path / "counts.db", readonly=True) as ledger:
        assert ledger.streams() == ["door"]


def test_an_interrupt_keeps_what_was_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    class Impatient(Board):
        def observed(self, session: Session, observation: Any, decisions: Any) -> None:
            super().observed(session, observation, decisions)
            if observation.index == 6:
                raise KeyboardInterrupt

    monkeypatch.setattr(demonstration, "Board", Impatient)
    assert not demonstrate(tmp_path, "tiny", as_json=True, seconds=SECONDS)
    out, err = capsys.readouterr()
    document = json.loads(out)
    assert (document["interrupted"], document["end"]) == (True, 1.5)
    assert "stopped at 1.5 s: what was counted until then is kept" in err
    assert "It was stopped at 1.5 s." in Page(Path(document["page"]).read_text()).words
    with Ledger.open(document["ledger"], readonly=True) as ledger:
        assert len(list(ledger.rows("packing.mp4"))) > len(TARGETS)
