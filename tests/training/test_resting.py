"""The stages in which one head learns alone, from states that are computed once."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file
from torch import Tensor

from stamina_video.runtime import Model
from stamina_video.semantics import InvalidInput, Observation
from stamina_video.training import loop
from stamina_video.training.loop import Plan, Run
from stamina_video.training.objective import terms
from stamina_video.training.parameters import ASSOCIATION, modules
from stamina_video.training.recipe import Recipe, Resting
from stamina_video.training.records import RunFolder, Update
from stamina_video.training.resting import EVENTS, POOLING, Namer, Reader, begin_anew, compact
from stamina_video.training.sample import Sample
from stamina_video.training.schedule import Schedule, Stage
from stamina_video.training.trainee import Trainee
from stamina_video.training.whole import Means, at_once, event_terms, felt, watch
from stamina_video.transitions import LossWeights
from stamina_video.transitions.context import Evening
from tests.training.test_loop import curve
from tests.training.toys import (
    RECIPE,
    evened_model,
    feeling_model,
    hears_no_deeds,
    sample,
    samples,
    speaking_model,
    tiny_model,
)
from tests.training.worker import SEEING

NAMED = Resting(updates=3, batch=2, rate=1e-2, weights=LossWeights())
READ = Resting(updates=6, batch=3, rate=1e-2, weights=LossWeights(path=1.0, boundary=1.0))
STAGES = replace(SEEING, warm_up=0, pretrained_rate=0.0, naming=NAMED, rereading=READ, words_faster=5.0)
UPDATES = 17  # three of naming, four of seeing, six of rereading, four of joint training


def run_of(folder: Path, stop_after: int | None = None) -> Run:
    def stop(row: Update, _of: int) -> None:
        if row.update == stop_after:
            raise KeyboardInterrupt

    plan = Plan(STAGES, samples(), steps=UPDATES)
    return Run(plan, evened_model(), RunFolder(folder), listeners=[stop])


def weights(run: Run) -> dict[str, Tensor]:
    parts = modules(run._trainee.model)
    return {
        f"{part}.{name}": one.detach().clone()
        for part, module in parts.items()
        for name, one in module.state_dict().items()
    }


@pytest.mark.parametrize("number", [0, 2])
def test_a_kept_still_teaches_what_looking_again_would(number: int) -> None:
    model, namer = tiny_model(), Namer()
    toy = sample(number, 1)
    for _ in range(2):
        named, seen = namer(model, toy), at_once(model, toy)
        assert named.path is None
        torch.testing.assert_close(named.object, seen.object)


def test_whoever_is_blind_learns_from_no_mean() -> None:
    """Two that look different and feel alike teach the same."""
    model, reader = evened_model(), Reader()
    toy, other = sample(2, 7), replace(sample(3, 7), lessons=sample(2, 7).lessons)
    seen, elsewhere = reader(model, toy), reader(model, other)
    assert seen.path is not None
    assert elsewhere.path is not None
    assert not torch.allclose(seen.path, elsewhere.path)
    blind = [reader(model, replace(one, blind=True)) for one in (toy, other)]
    torch.testing.assert_close(blind[0].path, blind[1].path)


def test_what_is_kept_teaches_what_looking_again_would() -> None:
    model, reader = tiny_model(), Reader()
    toy = sample(2, 7)
    for _ in range(2):
        read, seen = reader(model, toy), at_once(model, toy)
        assert read.object is None
        for term in ("path", "boundary"):
            torch.testing.assert_close(getattr(read, term), getattr(seen, term))


def test_what_is_kept_gathers_as_the_step_does() -> None:
    """The path term of the step-by-step rollout, per endpoint; states are kept in half precision."""
    model, toy = feeling_model(), sample(7, 8)
    (lesson,) = toy.lessons
    assert lesson.completed is not None
    read, stepped = Reader()(model, toy).path, terms(model, toy).path
    assert read is not None
    torch.testing.assert_close(len(lesson.completed.ends_J) * read, stepped, atol=1e-3, rtol=1e-3)
    ungathered = event_terms(model, watched_means(model, toy), toy).path
    assert ungathered is not None
    assert (ungathered - read).abs() > 0.01  # or the test could not tell


def watched_means(model: Model, toy: Sample) -> Means:
    """Without anybody to gather."""
    backbone, observations = compact(model), toy.read()
    with torch.no_grad():
        return watch(backbone, observations).means(felt(backbone, observations))


def test_whoever_is_blind_gathers_all_the_same() -> None:
    model, reader = feeling_model(), Reader()
    toy = replace(sample(1, 8), blind=True)
    before = reader(model, toy).path
    hears_no_deeds(model)
    after = reader(model, toy).path
    assert before is not None
    assert after is not None
    assert not torch.allclose(before, after)


def test_a_sample_is_looked_at_once() -> None:
    looks = []

    def counted(toy: Sample) -> Sample:
        def read() -> Sequence[Observation]:
            looks.append(toy.id)
            return toy.read()

        return replace(toy, read=read)

    model, reader = tiny_model(), Reader()
    for _ in range(3):
        reader(model, counted(sample(1)))
        reader(model, counted(sample(0)))  # tells of no event
    assert looks == ["clip-1"]


def test_one_head_learns_while_all_else_rests(tmp_path: Path) -> None:
    run = run_of(tmp_path / "run")
    seen: dict[str, dict[str, Tensor]] = {}

    def keep(row: Update, _of: int) -> None:
        seen[row.stage] = weights(run)

    run._listeners = [keep]
    run.begin()
    seen["start"] = weights(run)
    run.finish()
    rows = run.folder.rows()
    stages = ["naming"] * 3 + ["seeing"] * 4 + ["rereading"] * 6 + ["joint"] * 4
    assert [row.stage for row in rows] == stages

    def moved(before: str, after: str) -> set[str]:
        return {name for name, one in seen[after].items() if not torch.equal(one, seen[before][name])}

    named, read = moved("start", "naming"), moved("seeing", "rereading")
    assert named
    assert all(name.startswith(POOLING) for name in named)
    assert {f"{EVENTS}context.evening.centre_W", f"{EVENTS}context.evening.even_WW"} <= read
    assert all(name.startswith(EVENTS) for name in read)
    assert not moved("rereading", "joint") & read
    reread = [row for row in rows if row.stage == "rereading"]
    assert set(rows[0].terms) == {"object"}
    assert set(reread[0].terms) <= {"path", "boundary"}
    assert reread[-1].terms["path"] < reread[0].terms["path"]


def test_rereading_teaches_the_words_of_all_that_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    taught: list[tuple[list[str], dict[str, tuple[str, ...]]]] = []

    def teach(_: Model, read: Iterable[Sample], words: Mapping[str, tuple[str, ...]]) -> None:
        taught.append(([one.id for one in read], dict(words)))

    monkeypatch.setattr(loop, "teach", teach)
    first, *others = samples()
    plan = Plan(STAGES, [first], steps=UPDATES, others=others)
    run = Run(plan, evened_model(), RunFolder(tmp_path / "run"))
    run.begin(Stage.REREADING)
    run.finish()
    assert taught == [([first.id, *(one.id for one in others)], {})]


def test_what_reads_words_learns_faster(tmp_path: Path) -> None:
    run = run_of(tmp_path / "run", stop_after=1)
    run.begin()
    with pytest.raises(KeyboardInterrupt):
        run.finish()
    rates = {group["pace"]: group["lr"] for group in run._optimiser.param_groups}
    assert rates[5.0] == pytest.approx(5 * rates[1.0])
    faster = {
        name
        for name, one in run._learned.trained.items()
        for group in run._optimiser.param_groups
        if group["pace"] == 5.0 and any(one is other for other in group["params"])
    }
    # The pooling begins with what words mean, and who is whom does not depend on them.
    assert faster == {"heads.events.context.from_target.weight"}


@pytest.mark.parametrize("stopped_after", [2, 5, 8, 11, 15])
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
        begin_anew(model, EVENTS, seed)
        assert torch.equal(torch.get_rng_state(), before)
        heads.append(model.heads.events.context.from_input.weight.detach().clone())
    assert torch.equal(heads[0], heads[1])
    assert not torch.equal(heads[0], heads[2])


@pytest.mark.parametrize("head", [EVENTS, ASSOCIATION, POOLING])
def test_one_head_begins_anew_and_the_others_stay(head: str) -> None:
    model = evened_model()
    before = {name: one.detach().clone() for name, one in model.heads.named_parameters(prefix="heads")}
    begin_anew(model, head, seed=5)
    moved = {
        name
        for name, one in model.heads.named_parameters(prefix="heads")
        if not torch.equal(one, before[name])
    }
    assert moved
    assert all(name.startswith(head) for name in moved)


def test_it_needs_a_compact_model_and_a_stage_of_seeing_before() -> None:
    for objective in (Reader(), Namer()):
        with pytest.raises(InvalidInput, match="expected a compact model whose decoder can rest"):
            objective(speaking_model(), sample(1))
    with pytest.raises(InvalidInput, match="expected a stage of seeing between naming and rereading"):
        replace(RECIPE, rereading=READ)
    with pytest.raises(InvalidInput, match="expected a stage of seeing between naming and rereading"):
        replace(RECIPE, naming=NAMED)
    with pytest.raises(InvalidInput, match="expected naming from scenes alone"):
        replace(STAGES, naming=replace(NAMED, mixed=0.1))
    with pytest.raises(InvalidInput, match="expected batch of a resting stage from 1, got 0"):
        replace(READ, batch=0)
    with pytest.raises(InvalidInput, match="expected words_faster above 0"):
        replace(RECIPE, words_faster=0.0)


def test_the_stages_come_in_order() -> None:
    recipe: Recipe = replace(STAGES, warm_up=2)
    schedule = Plan(recipe, samples(), steps=None).schedule
    stages = [schedule.stage(update) for update in range(17)]
    lengths = [3, 4, 6, 2, 2]
    assert stages == [stage for stage, many in zip(Stage, lengths, strict=True) for _ in range(many)]
    assert [update for update in range(17) if schedule.begins(update)] == [0, 3, 7, 13, 15]
    assert [len(schedule.batch(update)) for update in (0, 3, 7)] == [2, 2, 3]


def test_what_was_measured_is_kept_even_where_moving_a_model_copies_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On several processes accelerate's device may be the same one under another name: buffers are copied."""
    moved = Trainee.to

    def copying(self: Trainee, device: torch.device) -> Trainee:
        evening = self.model.heads.events.context.evening
        assert isinstance(evening, Evening)
        evening.centre_W = evening.centre_W.clone()
        return moved(self, device)

    monkeypatch.setattr(Trainee, "to", copying)
    run = run_of(tmp_path / "run", stop_after=8)
    run.begin()
    with pytest.raises(KeyboardInterrupt):
        run.finish()
    run._save()
    name = f"{EVENTS}context.evening.centre_W"
    kept = load_file(tmp_path / "run" / "checkpoint" / "weights.safetensors")
    assert torch.equal(kept[name], weights(run)[name])


def test_other_data_takes_its_share_of_the_places_where_a_stage_says_so() -> None:
    recipe = replace(STAGES, rereading=replace(READ, updates=400, batch=10, mixed=0.3))
    schedule = Schedule(recipe, samples=10, seed=0, others=3)
    first = schedule.first(Stage.REREADING)
    places = [place for update in range(first, first + 400) for place in schedule.batch(update)]
    assert sum(place >= 10 for place in places) / len(places) == pytest.approx(0.3, abs=0.03)
    assert max(places) == 12
    assert schedule.batch(first + 7) == schedule.batch(first + 7)
    assert all(place < 10 for update in range(first) for place in schedule.batch(update))
    with pytest.raises(InvalidInput, match="expected a mixed share from 0 to below 1, got 1"):
        replace(READ, mixed=1.0)


@pytest.mark.parametrize(("share", "is_silent"), [(1.0, True), (0.5, False)])
def test_a_head_that_learns_blind_hears_no_mean_in_the_end(
    tmp_path: Path, share: float, *, is_silent: bool
) -> None:
    recipe = replace(STAGES, rereading=replace(READ, blind=share))
    blind = [replace(one, blind=share == 1) for one in samples()]
    run = Run(Plan(recipe, blind, steps=UPDATES), evened_model(), RunFolder(tmp_path / "run"))
    run.begin(Stage.REREADING)
    learned = run.finish().heads.events
    assert bool(learned.context.from_input.weight.any()) is not is_silent
    assert learned.context.from_target.weight.any()


def test_a_blind_share_is_a_share() -> None:
    for share in (-0.1, 1.5):
        with pytest.raises(InvalidInput, match=f"expected a blind share from 0 to 1, got {share}"):
            replace(READ, blind=share)


def test_what_a_target_gathers_is_kept_by_its_words() -> None:
    model, reader = feeling_model(), Reader()
    toy = sample(1, 8)
    first = reader(model, toy).path
    (kept,) = reader._kept.values()
    (lesson,) = toy.lessons
    assert list(kept._gathered) == [lesson.target.description]
    again, fresh = reader(model, toy).path, Reader()(model, toy).path
    assert first is not None
    assert again is not None
    assert fresh is not None
    assert torch.equal(first, again)
    assert torch.equal(again, fresh)
