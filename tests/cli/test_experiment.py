import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest
import typer

from stamina_video.cli.experiment import Name, experiment
from stamina_video.cli.experiments import folds, identity, opening, scale
from stamina_video.cli.experiments.rereading import Reread
from stamina_video.evaluation import Result
from stamina_video.evaluation.running import ModelCounter
from stamina_video.runtime import Model
from stamina_video.semantics import InvalidInput, MissingExtra
from stamina_video.training.experiments.ground import Ground
from stamina_video.training.experiments.rereading import Material
from tests.evaluation.running.scenes import data_set
from tests.training.experiments.toy_ground import toy_ground


@pytest.fixture(scope="module")
def ground(tmp_path_factory: pytest.TempPathFactory) -> Ground:
    data = tmp_path_factory.mktemp("data")
    data_set(data)
    return replace(toy_ground(tmp_path_factory.mktemp("ground")), data=(data,))


@pytest.fixture(autouse=True)
def open_toys(monkeypatch: pytest.MonkeyPatch, ground: Ground) -> None:
    monkeypatch.setattr(opening, "opened", lambda model, cache, quick, say, data: ground)
    # The informed start needs a wider decoder than the toy's: the toy has one size and begins at random.
    monkeypatch.setattr(identity, "associate", lambda association, decoder, seed: None)
    monkeypatch.setattr(scale, "_of_size", lambda ground, size: ground.model)


def run(*arguments: str) -> None:
    app = typer.Typer()
    app.command()(experiment)
    app(list(arguments), standalone_mode=False)


@pytest.mark.parametrize("name", list(Name))
def test_every_experiment_writes_its_report(
    name: Name, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run(name, "--out", str(tmp_path), "--model", "tiny", "--quick", "--json")
    document = json.loads(capsys.readouterr().out)
    assert document == json.loads((tmp_path / "report.json").read_text("utf-8"))
    assert document["experiment"] == name
    assert document["settings"]["model"] == "tiny"
    measured = [row for table in document["tables"] for row in table["rows"] if "measured" in row]
    assert measured or name is Name.PREDICATES  # toy scenes are too short for balanced decisions
    assert (tmp_path / "report.md").read_text("utf-8").startswith("# ")


def test_a_video_is_counted_by_a_model_that_never_saw_it(
    ground: Ground, monkeypatch: pytest.MonkeyPatch
) -> None:
    learned: dict[str, set[str]] = {}
    counters: dict[str, str] = {}
    model = Reread.model

    def kept(self: Reread, material: Material, name: str) -> Model:
        learned[name] = {sample.id.split("-")[0] for sample in material.others}
        return model(self, material, name)

    def scored(ground: Ground, annotations: Path, name: str, by_video: Mapping[str, ModelCounter]) -> Result:
        if name == folds.LEFT_OUT:
            counters.update({video: one.name for video, one in by_video.items()})
        return score(ground, annotations, name, by_video)

    score = folds._scored
    monkeypatch.setattr(Reread, "model", kept)
    monkeypatch.setattr(folds, "_scored", scored)
    folds.run(ground)
    assert set(counters) == {"a.mp4", "b.mp4"}
    assert learned[folds.NONE] == set()
    assert learned[counters["a.mp4"]] == {"b"}  # of the other video, which tells of events, all is learned
    assert learned[counters["b.mp4"]] == set()  # a.mp4 tells of things alone


def test_findings_are_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run("mechanism", "--out", str(tmp_path), "--quick")
    said = capsys.readouterr()
    assert said.out == ""
    assert "Paper: Phase input, given path likelihood, adds +14.4" in said.err
    assert f"the report is in {tmp_path / 'report.md'}" in said.err


@pytest.mark.parametrize("name", ["folds", "parts"])
def test_data_is_needed_where_it_is_left_out(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ground: Ground
) -> None:
    monkeypatch.setattr(opening, "opened", lambda model, cache, quick, say, data: replace(ground, data=()))
    with pytest.raises(
        InvalidInput, match="expected --data with clips that the model learned from, got none"
    ):
        run(name, "--out", str(tmp_path), "--quick", "--model", "tiny")
    with pytest.raises(
        InvalidInput, match=f"expected --model with a trained compact model for {name}, got none"
    ):
        run(name, "--out", str(tmp_path), "--quick")
    assert not list(tmp_path.iterdir())


def test_a_missing_extra_is_named_in_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def absent(name: str) -> None:
        raise ImportError(f"no {name}", name="accelerate")

    monkeypatch.setattr("stamina_video.cli.experiment.import_module", absent)
    with pytest.raises(MissingExtra, match="expected accelerate for experiments, got none: pip install"):
        run("mechanism", "--out", str(tmp_path), "--quick")


def test_another_name_is_refused(tmp_path: Path) -> None:
    with pytest.raises(typer.TyperException, match="'magic' is not one of"):
        run("magic", "--out", str(tmp_path))
