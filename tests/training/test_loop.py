import json
import math
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load_file

from stamina_video.runtime import Model
from stamina_video.semantics import InvalidInput
from stamina_video.training.held_out import Reading
from stamina_video.training.loop import Plan, Run, term_weights
from stamina_video.training.objective import terms
from stamina_video.training.parameters import modules
from stamina_video.training.records import RunFolder, Update
from stamina_video.training.sample import Asked, Sample
from stamina_video.transitions import LossTerms
from tests.training.toys import RECIPE, qwen_sample, samples, speaking_model, tiny_model
from tests.training.worker import train

ROOT = Path(__file__).parents[2]
UPDATES = 20


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> list[Update]:
    """The run that the others are held to: one process, never interrupted."""
    return train(tmp_path_factory.mktemp("whole") / "run", UPDATES)


def started(*arguments: object, **environment: str) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "tests.training.worker", *map(str, arguments)]
    return subprocess.Popen(command, cwd=ROOT, env=os.environ | {"OMP_NUM_THREADS": "1"} | environment)


def curve(rows: Sequence[Update]) -> list[dict[str, Any]]:
    """Everything a run says but how long it took."""
    return [{**asdict(row), "seconds": None} for row in rows]


def test_a_killed_run_resumes_to_the_same_curve_bit_for_bit(whole: list[Update], tmp_path: Path) -> None:
    folder = RunFolder(tmp_path / "run")
    process = started(folder.path, UPDATES)
    while len(folder.rows()) < RECIPE.saved_every + 2:  # past a checkpoint, and not at one
        assert process.poll() is None, "the run ended by itself"
        time.sleep(0.02)
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert 0 < len(folder.rows()) < UPDATES
    assert curve(train(folder.path, UPDATES, resume=True)) == curve(whole)


@pytest.mark.parametrize("sharded", ["false", "true"])
def test_two_processes_learn_what_one_learns(whole: list[Update], sharded: str, tmp_path: Path) -> None:
    """Each with the whole model, and each with half of it (FSDP2)."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    together = {"WORLD_SIZE": "2", "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": port, "ACCELERATE_USE_CPU": "1"}
    together |= {"ACCELERATE_USE_FSDP": sharded, "FSDP_VERSION": "2"}
    both = [
        started(tmp_path / "run", UPDATES, RANK=str(rank), LOCAL_RANK=str(rank), **together)
        for rank in (0, 1)
    ]
    assert [process.wait() for process in both] == [0, 0]
    rows = RunFolder(tmp_path / "run").rows()
    assert json.loads((tmp_path / "run" / "recipe.json").read_text())["processes"] == 2
    assert len(rows) == UPDATES
    for one, two in zip(whole, rows, strict=True):
        assert one.contributed == two.contributed
        assert two.terms == pytest.approx(one.terms, rel=1e-3)
        assert two.gradient_norms == pytest.approx(one.gradient_norms, rel=1e-2)
    assert rows[-1].held_out == whole[-1].held_out
    assert not any(
        tensor.isnan().any() for tensor in load_file(tmp_path / "run/model/heads.safetensors").values()
    )


def test_warm_up_comes_before_joint_training_and_rates_fall_to_zero(whole: list[Update]) -> None:
    assert [row.stage for row in whole] == ["warm-up"] * 2 + ["joint"] * 18
    assert [row.rate for row in whole[:3]] == [RECIPE.new_rate] * 3
    assert whole[-1].rate < 0.02 * RECIPE.new_rate


def test_a_run_learns(tmp_path: Path) -> None:
    plan = Plan(replace(RECIPE, warm_up=0, epochs=16, new_rate=3e-3), samples(2))
    run = Run(plan, tiny_model(), RunFolder(tmp_path / "run"))
    run.begin()
    run.finish()
    rows = run.folder.rows()
    assert rows[-1].loss < 0.6 * rows[0].loss  # hard choices make the way there uneven


def test_a_run_leaves_a_folder_to_read_and_a_model_to_count_with(tmp_path: Path) -> None:
    seen: list[tuple[int, int]] = []

    def score(readings: Sequence[Reading]) -> dict[str, float]:
        return {"gpa": 0.5, "lessons": float(len(readings))}

    plan = Plan(replace(RECIPE, judged_every=2), samples(4), samples(2), steps=3)
    run = Run(plan, tiny_model(), RunFolder(tmp_path), score, [lambda row, of: seen.append((row.update, of))])
    run.begin()
    model = run.finish()
    assert seen == [(1, 3), (2, 3), (3, 3)]
    assert [bool(row.held_out) for row in run.folder.rows()] == [False, True, True]
    assert run.folder.rows()[-1].held_out == {"gpa": 0.5, "lessons": 3.0}
    page = (tmp_path / "README.md").read_text()
    assert "held-out gpa | 0.500 | 0.500" in page
    assert {path.name for path in tmp_path.iterdir()} >= {"recipe.json", "log.jsonl", "curves.png", "model"}
    assert model.backbone.fingerprint != tiny_model().backbone.fingerprint


def test_joint_training_reaches_decoder_and_projector_and_never_the_vision_encoder(tmp_path: Path) -> None:
    model = speaking_model()
    before = {name: value.clone() for name, value in modules(model)["qwen"].state_dict().items()}
    asked = replace(qwen_sample(2), asked=(Asked(3, "what happened", "2"),))
    run = Run(
        Plan(replace(RECIPE, epochs=1, saved_every=9), [qwen_sample(0), asked]), model, RunFolder(tmp_path)
    )
    run.begin()
    run.finish()
    moved = {
        name
        for name, value in modules(model)["qwen"].state_dict().items()
        if not torch.equal(value, before[name])
    }
    assert any(name.startswith("released.model.language_model.layers") for name in moved)
    assert any(name.startswith("released.model.visual.merger") for name in moved)
    assert any(name.startswith("memory") for name in moved)
    assert not any(name.startswith("released.model.visual.blocks") for name in moved)
    assert "answer" in run.folder.rows()[-1].terms


def test_warm_up_leaves_what_was_pretrained(tmp_path: Path) -> None:
    model = speaking_model()
    released = modules(model)["qwen"].get_submodule("released")
    before = [part.clone() for part in released.parameters()]
    run = Run(Plan(RECIPE, [qwen_sample(0)], steps=2), model, RunFolder(tmp_path))
    run.begin()
    run.finish()
    assert all(map(torch.equal, before, released.parameters()))
    assert [row.gradient_norms.keys() for row in run.folder.rows()] == [{"all", "new"}] * 2


def test_counting_sft_learns_from_answers_alone(tmp_path: Path) -> None:
    model = speaking_model()
    heads = [part.clone() for part in model.heads.parameters()]
    recipe = replace(RECIPE, warm_up=0, epochs=2, state=False, memory=False)
    asked = replace(qwen_sample(0), asked=(Asked(3, "what happened", "2"),))
    run = Run(Plan(recipe, [asked]), model, RunFolder(tmp_path))
    run.begin()
    run.finish()
    first, last = run.folder.rows()
    assert first.loss == first.terms["answer"] > last.terms["answer"]
    assert all(map(torch.equal, heads, model.heads.parameters()))


def test_warm_up_has_no_path_term() -> None:
    assert term_weights(RECIPE, joint=False)["path"] == 0
    assert term_weights(RECIPE, joint=True) == {
        "answer": 1.0, "path": 1.0, "object": 1.0, "identity": 0.2, "boundary": 0.2,
    }  # fmt: skip


def broken_on(name: str, value: float) -> Any:
    def objective(model: Model, sample: Sample) -> LossTerms:
        found = terms(model, sample)
        if sample.id != name:
            return found
        assert found.path is not None
        return LossTerms(path=found.path * value)

    return objective


def test_a_loss_that_is_no_number_names_its_trajectory(tmp_path: Path) -> None:
    run = Run(
        Plan(replace(RECIPE, batch=3), samples(3)),
        tiny_model(),
        RunFolder(tmp_path),
        objective=broken_on("clip-1", math.nan),
    )
    run.begin()
    with pytest.raises(InvalidInput, match="trajectory clip-1: expected finite losses, got path nan") as said:
        run.finish()
    assert "\n" not in str(said.value)


def test_a_gradient_that_is_no_number_names_its_trajectory(tmp_path: Path) -> None:
    def objective(model: Model, sample: Sample) -> LossTerms:
        found = terms(model, sample)
        if sample.id != "clip-1" or found.path is None:
            return found
        nothing = found.path - found.path
        return LossTerms(path=found.path + nothing.sqrt())  # the root of zero has an endless slope

    plan = Plan(replace(RECIPE, warm_up=0, batch=3), samples(3))
    run = Run(plan, tiny_model(), RunFolder(tmp_path), objective=objective)
    run.begin()
    with pytest.raises(InvalidInput, match="trajectory clip-1: expected a finite gradient"):
        run.finish()


def test_nothing_to_learn_from_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="expected at least one sample"):
        Run(Plan(RECIPE, []), tiny_model(), RunFolder(tmp_path))


def test_a_folder_with_a_run_in_it_is_refused(tmp_path: Path) -> None:
    (tmp_path / "recipe.json").write_text("{}")
    run = Run(Plan(RECIPE, samples(1)), tiny_model(), RunFolder(tmp_path))
    with pytest.raises(InvalidInput, match="expected a new folder, got one with a run in it"):
        run.begin()
