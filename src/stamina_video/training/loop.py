"""The training loop: stages, batches, AdamW, checkpoints. Knows nothing of commands or of where data lie."""

import math
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
from stamina_video.training.gradients import Batches
from stamina_video.training.held_out import Reading, read_counts
from stamina_video.training.memory import check_memory
from stamina_video.training.objective import terms
from stamina_video.training.parameters import Groups, groups
from stamina_video.training.recipe import Recipe
from stamina_video.training.records import RunFolder, Update
from stamina_video.training.sample import Sample
from stamina_video.training.schedule import Schedule
from stamina_video.training.trainee import Objective, Trainee

Score = Callable[[Sequence[Reading]], dict[str, float]]
Listener = Callable[[Update, int], None]  # a row of the log, and how many there will be


@dataclass(frozen=True, slots=True)
class Plan:
    """One run: what, on what, from which seed, and how much of it."""

    recipe: Recipe
    samples: Sequence[Sample]
    held_out: Sequence[Sample] = ()
    seed: int = 0
    steps: int | None = None
    data: tuple[str, ...] = ()  # where the samples came from, for the record

    @property
    def schedule(self) -> Schedule:
        return Schedule(self.recipe, len(self.samples), self.seed, self.steps)

    @property
    def identity(self) -> dict[str, Any]:
        """What a checkpoint must share to be gone on from."""
        sizes = {"samples": len(self.samples), "held_out": len(self.held_out)}
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
    ) -> None:
        if not plan.samples:
            raise InvalidInput("expected at least one sample to learn from, got none")
        self.plan, self.folder = plan, folder
        self._score, self._listeners = score, listeners
        self._accelerator = accelerator or Accelerator()
        self._learned = groups(model, plan.recipe)
        self._trainee = Trainee(model, objective or partial(terms, mean=plan.recipe.mean_loss))
        self._trainee.to(self._accelerator.device)
        check_memory(self._trainee, self._learned, plan.samples)
        self._optimiser = adamw(self._learned, plan.recipe)
        self._batches = Batches(self._trainee, self._accelerator)
        self.done = 0

    def begin(self) -> None:
        """From the start, in a folder of its own."""
        if self._accelerator.is_main_process:
            parameters = sum(part.numel() for part in self._learned.trained.values())
            around = {"data": list(self.plan.data), "processes": self._accelerator.num_processes}
            self.folder.begin({**self.plan.identity, "parameters": parameters, **around})
        self._accelerator.wait_for_everyone()

    def resume(self) -> None:
        """From the last checkpoint on, as if nothing had happened."""
        self.done = load_checkpoint(
            self.folder.checkpoint, self._learned.trained, self._optimiser, self.plan.identity
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
        if self._accelerator.is_main_process:
            self._trainee.model.save_pretrained(self.folder.model)
            self.folder.summarise()
        self._accelerator.wait_for_everyone()
        return self._trainee.model

    def _update(self, schedule: Schedule) -> Update:
        began = time.perf_counter()
        recipe, joint = self.plan.recipe, schedule.is_joint(self.done)
        self._learned.let_learn(joint)
        learning = list((self._learned.trained if joint else self._learned.new).values())
        weights = term_weights(recipe, joint)
        batch = [self.plan.samples[place] for place in schedule.batch(self.done)]
        result = self._batches.learn(batch, weights, learning)
        norms = self._norms(joint)
        if not math.isfinite(norms["all"]):
            guilty = self._batches.blame(batch, weights, learning)
            raise InvalidInput(f"trajectory {guilty}: expected a finite gradient, got {norms['all']}")
        nn.utils.clip_grads_with_norm_(learning, recipe.clip, torch.tensor(norms["all"]))
        factor = schedule.factor(self.done)
        for group, rate in zip(self._optimiser.param_groups, _rates(recipe), strict=True):
            group["lr"] = factor * rate
        self._optimiser.step()
        self.done += 1
        return Update(
            update=self.done,
            stage="joint" if joint else "warm-up",
            epoch=round(schedule.epoch(self.done), 4),
            loss=math.fsum(weights[term] * value for term, value in result.terms.items()),
            terms=result.terms,
            contributed=result.contributed,
            gradient_norms=norms,
            rate=factor * recipe.new_rate,
            passes=result.passes,
            seconds=round(time.perf_counter() - began, 4),
            held_out=self._judged(schedule),
        )

    def _norms(self, joint: bool) -> dict[str, float]:
        """Before clipping: of all, and of each group that learns."""
        parts = {"new": self._learned.new, "pretrained": self._learned.pretrained if joint else {}}
        norms = {name: _norm(list(part.values())) for name, part in parts.items() if part}
        return {"all": math.hypot(*norms.values()), **norms}

    def _judged(self, schedule: Schedule) -> dict[str, float]:
        if self._score is None or not self._is_due(self.plan.recipe.judged_every, schedule):
            return {}
        mine = self.plan.held_out[self._accelerator.process_index :: self._accelerator.num_processes]
        readings: list[Reading] = gather_object(read_counts(self._trainee.model, mine))
        return self._score(readings)

    def _is_due(self, every: int, schedule: Schedule) -> bool:
        return self.done % every == 0 or self.done == schedule.updates

    def _save(self) -> None:
        position = Position(self.done, self.plan.identity)
        save_checkpoint(
            self.folder.checkpoint,
            self._learned.trained,
            self._optimiser,
            position,
            self._accelerator.is_main_process,
        )
        self._accelerator.wait_for_everyone()


def adamw(learned: Groups, recipe: Recipe) -> torch.optim.AdamW:
    parts = [list(part.values()) for part in (learned.new, learned.pretrained)]
    return torch.optim.AdamW(
        [{"params": part, "lr": rate} for part, rate in zip(parts, _rates(recipe), strict=True)],
        betas=recipe.betas,
        eps=recipe.epsilon,
        weight_decay=recipe.decay,
    )


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


def _rates(recipe: Recipe) -> tuple[float, float]:
    return recipe.new_rate, recipe.pretrained_rate


def _norm(parameters: Sequence[nn.Parameter]) -> float:
    gradients: list[Tensor] = [one.grad for one in parameters if one.grad is not None]
    norm = nn.utils.get_total_norm(gradients)
    return float(norm.full_tensor() if isinstance(norm, DTensor) else norm)
