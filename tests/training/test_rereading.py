"""The stage in which the event head learns alone, from states that are computed once."""

from dataclasses import replace
from pathlib import Path

import pytest
import torch
from torch import Tensor

from stamina_video.semantics import InvalidInput
from stamina_video.training.loop import Plan, Run
from stamina_video.training.parameters import modules
from stamina_video.training.recipe import Recipe, Rereading
from stamina_video.training.records import RunFolder, Update
from stamina_video.training.rereading import EVENTS, Reader, begin_anew
from stamina_video.training.sample import Sample
from stamina_video.training.schedule import Stage
from stamina_video.training.whole import at_once
from stamina_video.transitions import LossWeights
from tests.training.test_loop import curve
from tests.training.toys import RECIPE, evened_model, sample, samples, speaking_model, tiny_model
from tests.training.worker import SEEING

READ = Rereading(updates=6, batch=3, rate=1e-2, weights=LossWeights(path=1.0, boundary=1.0))
REREADING = replace(SEEING, warm_up=0, pretrained_rate=0.0, rereading=READ)
UPDATES = 14  # four of seeing, six of rereading, four of joint training


def run_of(folder: Path, stop_after: int | None = None) -> Run:
    def stop(row: Update, _of: int) -> None:
        if row.update == stop_after:
            raise KeyboardInterrupt

    plan = Plan(REREADING, samples(), steps=UPDATES)
    return Run(plan, evened_model(), RunFolder(folder), listeners=[stop])


def weights(run: Run) -> dict[str, Tensor]:
    parts = modules(run._trainee.model)
    return {
        f"{part}.{name}": one.detach().clone()
        for part, module in parts.items()
        for name, one in module.state_dict().items()
    }


def test_what_is_kept_teaches_what_looking_again_would() -> None:
    model, reader = tiny_model(), Reader()
    toy = sample(2, 7)
    for _ in range(2):
        read, seen = reader(model, toy), at_once(model, toy)
        assert read.object is None
        for term in ("path", "boundary"):
            torch.testing.assert_close(getattr(read, term), getattr(seen, term))


def test_a_sample_is_looked_at_once() -> None:
    looks = []

    def counted(toy: Sample) -> Sample:
        return replace(toy, read=lambda: (looks.append(toy.id), toy.read())[1])

    model, reader = tiny_model(), Reader()
    for _ in range(3):
        reader(model, counted(sample(1)))
        reader(model, counted(sample(0)))  # tells of no event
    assert looks == ["clip-1"]


def test_only_the_event_head_learns_and_it_begins_anew(tmp_path: Path) -> None:
    run = run_of(tmp_path / "run")
    seen: dict[str, dict[str, Tensor]] = {}

    def keep(row: Update, _of: int) -> None:
        seen[row.stage] = weights(run)

    run._listeners = [keep]
    run.begin()
    run.finish()
    assert [row.stage for row in run.folder.rows()] == ["seeing"] * 4 + ["rereading"] * 6 + ["joint"] * 4
    before, after = seen["seeing"], seen["rereading"]
    moved = {name for name, one in after.items() if not torch.equal(one, before[name])}
    assert moved
    assert all(name.startswith(EVENTS) for name in moved)
    assert {f"{EVENTS}context.evening.centre_W", f"{EVENTS}context.evening.even_WW"} <= moved
    assert all(torch.equal(seen["joint"][name], after[name]) for name in moved)
    rows = [row for row in run.folder.rows() if row.stage == "rereading"]
    assert set(rows[0].terms) <= {"path", "boundary"}
    assert rows[-1].terms["path"] < rows[0].terms["path"]


@pytest.mark.parametrize("stopped_after", [5, 8, 12])
def test_a_run_stopped_in_any_stage_goes_on_as_if_nothing_had_happened(
    tmp_path: Path, stopped_after: int
) -> None:
    whole = run_of(tmp_path / "whole")
    whole.begin()
    whole.finish()
    stopped = run_of(tmp_path / "stopped", stopped_after)
    stopped.begin()
    with pytest.raises(KeyboardInterrupt):
        stopped.finish()
    resumed = run_of(tmp_path / "stopped")
    resumed.resume()
    resumed.finish()
    assert curve(resumed.folder.rows()) == curve(whole.folder.rows())
    last = weights(resumed)
    assert all(torch.equal(one, last[name]) for name, one in weights(whole).items())


def test_a_fresh_head_follows_from_the_seed_and_leaves_chance_alone() -> None:
    heads = []
    before = torch.get_rng_state()
    for seed in (3, 3, 4):
        model = evened_model()
        torch.set_rng_state(before)
        begin_anew(model, seed)
        assert torch.equal(torch.get_rng_state(), before)
        heads.append(model.heads.events.context.from_input.weight.detach().clone())
    assert torch.equal(heads[0], heads[1])
    assert not torch.equal(heads[0], heads[2])


def test_it_needs_a_compact_model_and_a_stage_of_seeing_before() -> None:
    with pytest.raises(InvalidInput, match="expected a compact model to read"):
        Reader()(speaking_model(), sample(1))
    with pytest.raises(InvalidInput, match="expected a stage of seeing before one of rereading"):
        replace(RECIPE, rereading=READ)
    with pytest.raises(InvalidInput, match="expected batch of rereading from 1, got 0"):
        replace(READ, batch=0)


def test_the_stages_come_in_order() -> None:
    recipe: Recipe = replace(REREADING, warm_up=2)
    schedule = Plan(recipe, samples(), steps=None).schedule
    stages = [schedule.stage(update) for update in range(14)]
    assert stages == [Stage.SEEING] * 4 + [Stage.REREADING] * 6 + [Stage.WARM_UP] * 2 + [Stage.JOINT] * 2
    assert [update for update in range(14) if schedule.begins(update)] == [0, 4, 10, 12]
    assert len(schedule.batch(4)) == READ.batch
