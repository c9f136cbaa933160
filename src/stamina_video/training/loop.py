"""The training loop: stages, batches, AdamW, checkpoints. Knows nothing of commands or of where data lie."""

import math
import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import torch
from accelerate import Accelerator
from accelerate.utils import gather_object
from torch import Tensor, nn
from torch.distributed.tensor import DTensor

from stamina_video.runtime import Model
from stamina_video.semantics import InvalidInput
from stamina_video.training.checkpoint import Position, load_checkpoint, save_checkpoint
from stamina_video.training.draws import Draws
from stamina_video.training.gradients import Batches
from stamina_video.training.held_out import Reading, read_counts
from stamina_video.training.memory import check_memory
from stamina_video.training.objective import terms
from stamina_video.training.parameters import ASSOCIATION, Groups, groups
from stamina_video.training.recipe import Recipe
from stamina_video.training.records import RunFolder, Update
from stamina_video.training.reflexes import teach
from stamina_video.training.resting import EVENTS, POOLING, Namer, Reader, begin_anew
from stamina_video.training.sample import Sample
from stamina_video.training.scaling import scale_events, silence_mean
from stamina_video.training.schedule import Schedule, Stage
from stamina_video.training.sharding import gather, make_whole, release, shard
from stamina_video.training.trainee import Objective, Trainee
from stamina_video.training.whole import at_once

WORDS, PULSES = ".from_target.", ".from_pulses_HP"  # in the names of what reads a target's vector, and pulses
RESTING = {Stage.NAMING: POOLING, Stage.REREADING: EVENTS}  # which head learns while all else rests
Score = Callable[[Sequence[Reading]], dict[str, float]]
Listener = Callable[[Update, int], None]  # a row of the log, and how many there will be
Variation = Callable[[Sample, Stage, random.Random], Sample]  # what an update asks of a sample


@dataclass(frozen=True, slots=True)
class Plan:
    """One run: what, on what, from which seed, and how much of it."""

    recipe: Recipe
    samples: Sequence[Sample]
    held_out: Sequence[Sample] = ()
    seed: int = 0
    steps: int | None = None
    data: tuple[str, ...] = ()  # where the samples came from, for the record
    others: Sequence[Sample] = ()  # mixed in by a stage's share
    variation: Variation | None = None

    @property
    def schedule(self) -> Schedule:
        return Schedule(self.recipe, len(self.samples), self.seed, self.steps, len(self.others))

    def batch(self, update: int) -> list[Sample]:
        """What an update learns from. Its draws follow from its number: a resumed run repeats them."""
        every, stage = (*self.samples, *self.others), self.schedule.stage(update)
        return [
            self.varied(every[place], stage, f"{update} {turn}")
            for turn, place in enumerate(self.schedule.batch(update))
        ]

    def varied(self, sample: Sample, stage: Stage, name: str) -> Sample:
        if self.variation is None:
            return sample
        return self.variation(sample, stage, random.Random(f"{self.seed} {sample.id} {name}"))

    @property
    def identity(self) -> dict[str, Any]:
        """What a checkpoint must share to be gone on from."""
        sizes = {"samples": len(self.samples), "held_out": len(self.held_out), "others": len(self.others)}
        return {"recipe": self.recipe.document(), "seed": self.seed, "steps": self.steps, **sizes}


class Run:
    """A run under way. Everything that can be refused is refused before the first update."""

    def __init__(
        self,
        plan: Plan,
        model: Model,
        folder: RunFolder,
        score: Score | None = None,
        listeners: Sequence[Listener] = (),
        objective: Objective | None = None,
        accelerator: Accelerator | None = None,
        reader: Reader | None = None,
    ) -> None:
        """A `reader` brings what it has kept of samples that the model's decoder has seen before."""
        if not plan.samples:
            raise InvalidInput("expected at least one sample to learn from, got none")
        self.plan, self.folder = plan, folder
        self._score, self._listeners = score, listeners
        self._accelerator = accelerator or Accelerator()
        self._objective = objective or partial(terms, mean=plan.recipe.mean_loss)
        self._objectives: dict[Stage, Objective] = {
            Stage.NAMING: Namer(),
            Stage.SEEING: partial(at_once, mean=plan.recipe.mean_loss),
            Stage.REREADING: reader or Reader(plan.recipe.mean_loss),
        }
        self._trainee = Trainee(model, self._objective)
        self._trainee.to(self._accelerator.device)
        learned = groups(model, plan.recipe)  # a move may put other buffers in place
        rolled = [plan.varied(one, Stage.JOINT, "memory") for one in plan.samples]
        check_memory(self._trainee, learned, rolled)
        self._is_sharded = shard(self._trainee, self._accelerator)
        self._learned = groups(model, plan.recipe) if self._is_sharded else learned
        self._optimiser = adamw(self._learned, plan.recipe)
        self._batches = Batches(self._trainee, self._accelerator)
        self.done = 0

    def begin(self, stage: Stage | None = None) -> None:
        """From the start, or with a model that has been through what comes before from a stage on."""
        schedule = self.plan.schedule
        assert stage is None or schedule.first(stage) < schedule.end(stage), "the recipe has the stage"
        self.done = 0 if stage is None else schedule.first(stage)
        if self._accelerator.is_main_process:
            parameters = sum(part.numel() for part in self._learned.trained.values())
            around = {"data": list(self.plan.data), "processes": self._accelerator.num_processes}
            self.folder.begin({**self.plan.identity, "parameters": parameters, **around})
        self._accelerator.wait_for_everyone()
        self._save()  # what is stopped before its first checkpoint can be gone on from, too

    def resume(self) -> None:
        """From the last checkpoint on, as if nothing had happened."""
        self.done = load_checkpoint(
            self.folder.checkpoint, self._learned.changing, self._optimiser, self.plan.identity
        )
        if self._accelerator.is_main_process:
            self.folder.resume(self.done)
        self._accelerator.wait_for_everyone()

    def finish(self) -> Model:
        """Every update that is left; then the model and the page that sums the run up."""
        schedule = self.plan.schedule
        while self.done < schedule.updates:
            row = self._update(schedule)
            if self._accelerator.is_main_process:
                self.folder.log(row)
                for listener in self._listeners:
                    listener(row, schedule.updates)
            if self._is_due(self.plan.recipe.saved_every, schedule):
                self._save()
        make_whole(self._trainee, self._accelerator.is_main_process)
        if self._accelerator.is_main_process:
            self._trainee.model.save_pretrained(self.folder.model)
            self.folder.summarise()
        self._accelerator.wait_for_everyone()
        return self._trainee.model

    def _update(self, schedule: Schedule) -> Update:
        began = time.perf_counter()
        recipe, stage = self.plan.recipe, schedule.stage(self.done)
        if stage is Stage.REREADING and schedule.begins(self.done):
            self._begin_rereading()
        everything = stage is Stage.SEEING or (stage is Stage.JOINT and recipe.pretrained_rate > 0)
        # What FSDP2 has gathered once learns or rests for good: there all learn, and AdamW skips who rests.
        self._learned.let_learn(everything or stage in RESTING or self._is_sharded)
        learning = self._learning(stage, everything)
        weights = stage_weights(recipe, stage)
        self._trainee.objective = self._objectives.get(stage, self._objective)
        batch = self.plan.batch(self.done)
        result = self._batches.learn(batch, weights, learning)
        self._let_rest(learning)
        norms = self._norms()
        if not math.isfinite(norms["all"]):
            guilty = self._batches.blame(batch, weights, learning)
            raise InvalidInput(f"trajectory {guilty}: expected a finite gradient, got {norms['all']}")
        first = recipe.seeing if stage is Stage.SEEING else None
        clip = recipe.clip if first is None else first.clip
        _clip(learning, norms["all"], clip)
        factor = schedule.factor(self.done)
        rates = stage_rates(recipe, stage)
        for group in self._optimiser.param_groups:
            group["lr"] = factor * group["pace"] * rates[0 if group["is_new"] else 1]
        self._optimiser.step()
        self.done += 1
        return Update(
            update=self.done,
            stage=stage,
            epoch=round(schedule.epoch(self.done), 4),
            loss=math.fsum(weights[term] * value for term, value in result.terms.items()),
            terms=result.terms,
            contributed=result.contributed,
            gradient_norms=norms,
            rate=factor * rates[0],
            passes=result.passes,
            seconds=round(time.perf_counter() - began, 4),
            held_out=self._judged(schedule),
        )

    def _learning(self, stage: Stage, everything: bool) -> list[nn.Parameter]:
        if stage in RESTING:
            trained = self._learned.trained.items()
            return [parameter for name, parameter in trained if name.startswith(RESTING[stage])]
        return list((self._learned.trained if everything else self._learned.new).values())

    def _let_rest(self, learning: Sequence[nn.Parameter]) -> None:
        """Without a gradient AdamW leaves a parameter alone."""
        learns = set(learning)
        for parameter in self._learned.trained.values():
            if parameter not in learns:
                parameter.grad = None

    def _begin_rereading(self) -> None:
        model = self._trainee.model
        # What it learned while the decoder moved fits no more.
        begin_anew(model, EVENTS, self.plan.seed)
        scale_events(model, self.plan.samples)
        stage = self.plan.recipe.rereading
        if stage is not None and stage.blind == 1:
            silence_mean(model)
        variation = self.plan.variation
        words = variation.other_words if isinstance(variation, Draws) else {}
        teach(model, (*self.plan.samples, *self.plan.others), words)
        for parameter in self._learning(Stage.REREADING, everything=False):
            self._optimiser.state.pop(parameter, None)

    def _norms(self) -> dict[str, float]:
        """Before clipping: of all, and of each group that learns."""
        parts = {"new": self._learned.new, "pretrained": self._learned.pretrained}
        learning = {
            name: [one for one in part.values() if one.grad is not None] for name, part in parts.items()
        }
        norms = {name: _norm(part) for name, part in learning.items() if part}
        return {"all": math.hypot(*norms.values()), **norms}

    def _judged(self, schedule: Schedule) -> dict[str, float]:
        if self._score is None or not self._is_due(self.plan.recipe.judged_every, schedule):
            return {}
        mine = self.plan.held_out[self._accelerator.process_index :: self._accelerator.num_processes]
        gather(self._trainee)
        readings: list[Reading] = gather_object(read_counts(self._trainee.model, mine))
        release(self._trainee)
        return self._score(readings)

    def _is_due(self, every: int, schedule: Schedule) -> bool:
        return self.done % every == 0 or self.done == schedule.updates

    def _save(self) -> None:
        position = Position(self.done, self.plan.identity)
        save_checkpoint(
            self.folder.checkpoint,
            self._learned.changing,
            self._optimiser,
            position,
            self._accelerator.is_main_process,
        )
        self._accelerator.wait_for_everyone()


def adamw(learned: Groups, recipe: Recipe) -> torch.optim.AdamW:
    """One group for each rate there is: of either kind of module, and of what learns faster."""
    split: dict[tuple[bool, float], list[nn.Parameter]] = {}
    for is_new, part in ((True, learned.new), (False, learned.pretrained)):
        for name, parameter in part.items():
            split.setdefault((is_new, _pace(name, recipe)), []).append(parameter)
    return torch.optim.AdamW(
        [
            {"params": parameters, "is_new": is_new, "pace": pace}
            for (is_new, pace), parameters in split.items()
        ],
        lr=0.0,  # every update sets it
        betas=recipe.betas,
        eps=recipe.epsilon,
        weight_decay=recipe.decay,
    )


def _pace(name: str, recipe: Recipe) -> float:
    """The pooling begins with what words mean, and who is whom is the same whatever they say."""
    if WORDS in name and not name.startswith((POOLING, ASSOCIATION)):
        return recipe.words_faster
    return recipe.pulses_faster if PULSES in name else 1.0


def term_weights(recipe: Recipe, joint: bool) -> dict[str, float]:
    """λ of eq. loss. Warm-up has no path term; without a typed state answers alone teach."""
    weights = recipe.weights
    if not recipe.state:
        return {"answer": 1.0, "path": 0.0, "object": 0.0, "identity": 0.0, "boundary": 0.0}
    return {
        "answer": 1.0,
        "path": weights.path if joint else 0.0,
        "object": weights.object,
        "identity": weights.identity,
        "boundary": weights.boundary,
    }


def stage_weights(recipe: Recipe, stage: Stage) -> dict[str, float]:
    """A control that silences a term silences it in every stage."""
    own = recipe.own(stage.value)
    if own is None:
        return term_weights(recipe, stage is Stage.JOINT)
    later, first = term_weights(recipe, joint=True), own.weights
    mine = {"answer": 0.0, "path": first.path, "object": first.object, "boundary": first.boundary}
    return {term: weight if later[term] else 0.0 for term, weight in {**mine, "identity": 0.0}.items()}


def stage_rates(recipe: Recipe, stage: Stage) -> tuple[float, float]:
    own = recipe.own(stage.value)
    return _rates(recipe) if own is None else (own.rate, own.rate)


def _rates(recipe: Recipe) -> tuple[float, float]:
    return recipe.new_rate, recipe.pretrained_rate


def _clip(parameters: Sequence[nn.Parameter], norm: float, most: float) -> None:
    """As torch does it, with a plain number: shards and whole tensors take it alike."""
    for parameter in parameters:
        assert parameter.grad is not None, "whoever learns has a gradient"
        parameter.grad.mul_(min(1.0, most / (norm + 1e-6)))


def _norm(parameters: Sequence[nn.Parameter]) -> float:
    gradients: list[Tensor] = [one.grad for one in parameters if one.grad is not None]
    norm = nn.utils.get_total_norm(gradients)
    return float(norm.full_tensor() if isinstance(norm, DTensor) else norm)
