"""The first stage of a run: whole trajectories at once, then the stages every run has."""

import socket
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import Tensor

from stamina_video.semantics import InvalidInput
from stamina_video.training.loop import Plan, Run, stage_weights
from stamina_video.training.parameters import modules
from stamina_video.training.recipes import no_boundary, no_identity, recipe
from stamina_video.training.records import RunFolder, Update
from stamina_video.training.schedule import Schedule, Stage
from tests.training.test_loop import curve, started
from tests.training.toys import samples, tiny_model
from tests.training.worker import SEEING, train

UPDATES = 8


def plan() -> Plan:
    return Plan(SEEING, samples(4), steps=UPDATES)


def run_of(folder: Path, plan: Plan, stop_after: int | None = None) -> Run:
    def stop(row: Update, _of: int) -> None:
        if row.update == stop_after:
            raise KeyboardInterrupt

    return Run(plan, tiny_model(), RunFolder(folder), listeners=[stop])


def test_seeing_comes_first_and_each_stage_has_its_own_rates(tmp_path: Path) -> None:
    run = run_of(tmp_path, plan())
    run.begin()
    run.finish()
    rows = run.folder.rows()
    assert [row.stage for row in rows] == ["seeing"] * 4 + ["warm-up"] * 2 + ["joint"] * 2
    assert rows[0].rate == SEEING.seeing.rate / 2  # type: ignore[union-attr]  # it has the stage
    assert rows[0].rate < rows[1].rate > rows[3].rate
    assert "identity" not in rows[0].terms


def test_a_run_stopped_before_its_first_checkpoint_goes_on_as_if_nothing_had_happened(tmp_path: Path) -> None:
    whole = run_of(tmp_path / "whole", plan())
    whole.begin()
    whole.finish()
    stopped = run_of(tmp_path / "stopped", plan(), stop_after=2)
    stopped.begin()
    with pytest.raises(KeyboardInterrupt):
        stopped.finish()
    resumed = run_of(tmp_path / "stopped", plan())
    resumed.resume()
    assert resumed.done == 0
    resumed.finish()
    assert curve(resumed.folder.rows()) == curve(whole.folder.rows())


def test_two_processes_see_what_one_sees(tmp_path: Path) -> None:
    alone = train(tmp_path / "alone", UPDATES, recipe=SEEING)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    together = {"WORLD_SIZE": "2", "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": port, "ACCELERATE_USE_CPU": "1"}
    both = [
        started(tmp_path / "run", UPDATES, "seeing", RANK=str(rank), LOCAL_RANK=str(rank), **together)
        for rank in (0, 1)
    ]
    assert [process.wait() for process in both] == [0, 0]
    for one, two in zip(alone, RunFolder(tmp_path / "run").rows(), strict=True):
        assert two.terms == pytest.approx(one.terms, rel=1e-3)


def test_what_has_learned_to_see_rests_while_the_association_learns(tmp_path: Path) -> None:
    recipe = replace(SEEING, warm_up=0, pretrained_rate=0.0)
    run = Run(Plan(recipe, samples(4), steps=UPDATES), tiny_model(), RunFolder(tmp_path / "run"))
    seen: dict[str, dict[str, Tensor]] = {}

    def keep(row: Update, _of: int) -> None:
        if row.stage is Stage.SEEING or row.update == UPDATES:
            parts = modules(run._trainee.model)
            seen[row.stage] = {
                f"{part}.{name}": one.detach().clone()
                for part, module in parts.items()
                for name, one in module.named_parameters()
            }

    run._listeners = [keep]
    run.begin()
    run.finish()
    moved = {name for name, one in seen["joint"].items() if not torch.equal(one, seen["seeing"][name])}
    assert moved
    assert all(name.startswith("heads.association.") for name in moved)


def test_a_control_silences_a_term_in_every_stage() -> None:
    nano = recipe("nano")
    assert stage_weights(nano, Stage.SEEING) == {
        "answer": 0.0, "path": 1.0, "object": 0.0, "identity": 0.0, "boundary": 3.0,
    }  # fmt: skip
    for stage in (Stage.SEEING, Stage.REREADING, Stage.JOINT):
        assert stage_weights(no_boundary(nano), stage)["boundary"] == 0
    assert stage_weights(no_identity(nano), Stage.SEEING) == stage_weights(nano, Stage.SEEING)


def test_a_short_run_of_the_first_stage_falls_to_zero_too() -> None:
    schedule = Schedule(replace(recipe("nano"), naming=None), samples=2, seed=0, steps=4)
    assert [schedule.stage(update) for update in range(4)] == [Stage.SEEING] * 4
    factors = [schedule.factor(update) for update in range(5)]
    assert factors[4] == pytest.approx(0, abs=1e-12)
    assert all(0 < factor < 1 for factor in factors[:4])


@pytest.mark.parametrize("changed", [{"updates": 0}, {"batch": 0}])
def test_a_first_stage_of_nothing_is_refused(changed: dict[str, Any]) -> None:
    assert SEEING.seeing is not None
    with pytest.raises(InvalidInput, match="of the first stage from 1, got 0"):
        replace(SEEING.seeing, **changed)
