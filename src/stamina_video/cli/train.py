"""`stamina train`: learn from count trajectories, by a recipe."""

import logging
import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from stamina_video.cli.extras import extras
from stamina_video.cli.output import Json, emit, say
from stamina_video.semantics import InvalidInput

if TYPE_CHECKING:
    from stamina_video.backbone.perception.efficientdet import Retina
    from stamina_video.backbone.perception.finder import TrainedEyes
    from stamina_video.training.held_out import Reading
    from stamina_video.training.loop import Listener, Plan
    from stamina_video.training.recipe import Recipe
    from stamina_video.training.records import Update

TO_TRAIN = "to train"
NEW = "new"  # eyes: learned by the run


def train(
    recipe: Annotated[
        str, typer.Argument(help="tiny, nano, qwen_4b, qwen_8b, counting_sft, or RUN:CONTROL.")
    ],
    out: Annotated[Path, typer.Option(help="Folder of the run: log, curves, checkpoint, model.")],
    data: Annotated[
        list[Path] | None,
        typer.Option(
            help="Folder of a world, a pool or questions, with its videos/ inside; nano needs none."
        ),
    ] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on from the folder's checkpoint.")] = False,
    seed: Annotated[int, typer.Option(help="The same seed gives the same run.")] = 0,
    steps: Annotated[int | None, typer.Option(min=1, help="End after so many updates.")] = None,
    scenes: Annotated[
        int | None, typer.Option(min=1, help="For a trial: how many scenes nano films, in all.")
    ] = None,
    eyes: Annotated[
        str | None,
        typer.Option(help="Folder whose eyes nano sees through, or 'new' to learn them; the shipped ones."),
    ] = None,
    leave_out: Annotated[
        list[str] | None, typer.Option(help="A video of the data to leave out, with all made from it.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Train a model on count trajectories; the folder it leaves can be counted with and gone on from."""
    # Imported here: the other commands start without torch.
    from stamina_video.training import recipes  # noqa: PLC0415

    chosen = recipes.recipe(recipe)
    _join_processors()
    with extras(TO_TRAIN):
        from stamina_video.training.loop import Run  # noqa: PLC0415
        from stamina_video.training.models import first_model  # noqa: PLC0415
        from stamina_video.training.records import RunFolder  # noqa: PLC0415
    folder = RunFolder(out)
    folder.check(resume)
    plan = replace(_plan(chosen, data or [], out, seed, scenes, eyes, leave_out or []), steps=steps)
    with _listening(out) as listeners:
        run = Run(
            plan, first_model(chosen, seed, plan.samples, _eyes(chosen, out)), folder, _score, listeners
        )
        if resume:
            run.resume()
        else:
            run.begin()
        run.finish()
    rows = folder.rows()
    if as_json:
        emit({"run": str(out), "model": str(folder.model), "updates": len(rows), "last": rows[-1].terms})
    else:
        say(f"{len(rows)} updates; the model is in {folder.model}, the run's page in {out / 'README.md'}")


def _join_processors() -> None:
    """Several processes without a GPU: accelerate must be told, or each would train alone in one folder."""
    with extras(TO_TRAIN):
        import torch  # noqa: PLC0415
        from accelerate import PartialState  # noqa: PLC0415

    if "LOCAL_RANK" in os.environ and not torch.cuda.is_available():
        os.environ.setdefault("ACCELERATE_USE_CPU", "1")
        PartialState(cpu=True)


def _plan(
    chosen: "Recipe",
    data: list[Path],
    out: Path,
    seed: int,
    scenes: int | None,
    eyes: str | None,
    leave_out: list[str],
) -> "Plan":
    """Samples of the folders, or of scenes that the run films for itself, with the folders' mixed in."""
    with extras(TO_TRAIN):
        from accelerate import PartialState  # noqa: PLC0415

        from stamina_video.backbone import load_perception  # noqa: PLC0415
        from stamina_video.backbone.perception.pretrained import THREADS, load_retina  # noqa: PLC0415
        from stamina_video.training.folders import lectures  # noqa: PLC0415
        from stamina_video.training.gathering import Crew, gather  # noqa: PLC0415
        from stamina_video.training.loop import Plan  # noqa: PLC0415

    if chosen.world is None and not data:
        raise InvalidInput(f"expected --data to train {chosen.name} on, got none")
    if chosen.world is None and scenes is not None:
        raise InvalidInput(f"expected --scenes for a recipe that films, got it for {chosen.name}")
    if chosen.world is None and eyes is not None:
        raise InvalidInput(f"expected --eyes for a recipe that films, got it for {chosen.name}")
    if chosen.world is None and leave_out:
        raise InvalidInput(f"expected --leave-out for a recipe that films, got it for {chosen.name}")
    named = (*map(str, data), *(f"without {name}" for name in leave_out))
    if chosen.world is None:
        taught = lectures(data, chosen, seed)
        plan, left_out = Plan(chosen, taught.learned, taught.held_out, seed, data=named), taught.left_out
    else:
        # Endpoints out of reach are masked; a line for each, at every update, would bury the progress.
        logging.getLogger("stamina_video.transitions").setLevel(logging.ERROR)
        threads = max(1, THREADS // PartialState().num_processes)
        seeing = _seeing(chosen, data, out, seed, eyes, partial(load_retina, threads))
        crew = Crew(partial(load_perception, seeing, threads), _filming())
        found = gather(chosen, data, out, seed, crew, scenes, leave_out)
        world, left_out = ("simulated scenes", *named), found.left_out
        plan = Plan(
            chosen,
            found.learned,
            found.held_out,
            seed,
            data=world,
            others=found.others,
            variation=found.draws,
        )
    if left_out:
        say(f"left out: {left_out} trajectories of edited segments")
    return plan


def _seeing(
    chosen: "Recipe",
    data: list[Path],
    out: Path,
    seed: int,
    eyes: str | None,
    retina: "Callable[[], Retina]",
) -> Path:
    """The folder of the eyes to film through: the shipped ones, another model's, or the run's own."""
    from stamina_video.backbone import load_text_encoder  # noqa: PLC0415
    from stamina_video.runtime.loading import SHIPPED  # noqa: PLC0415
    from stamina_video.training.eyes.opening import lend_eyes, open_eyes  # noqa: PLC0415

    assert chosen.eyes is not None, "a recipe that films has eyes"
    if eyes == NEW:
        return open_eyes(chosen.eyes, data, out, seed, retina, load_text_encoder(), _filming(), say)
    return lend_eyes(SHIPPED / chosen.model if eyes is None else Path(eyes), out)


def _eyes(chosen: "Recipe", out: Path) -> "TrainedEyes | None":
    from stamina_video.backbone.perception.finder import TrainedEyes  # noqa: PLC0415
    from stamina_video.training.eyes.opening import EYES  # noqa: PLC0415

    return None if chosen.eyes is None else TrainedEyes.from_pretrained(out / EYES)


def _filming() -> Callable[[str, int, int], None]:
    """One line for each scene or clip, with the time that the rest will take."""
    first: dict[str, tuple[int, float]] = {}

    def tell(what: str, done: int, of: int) -> None:
        began, since = first.setdefault(what, (done, time.monotonic()))
        each = (time.monotonic() - since) / (done - began) if done > began else 0
        left = f" (about {(of - done) * each:.0f} s left)" if each else ""
        say(f"{what}: {done + 1} of {of}{left}")

    return tell


def _score(readings: Sequence["Reading"]) -> dict[str, float]:
    """GPA over all lessons and by operator, and how many counts were exact."""
    import numpy as np  # noqa: PLC0415

    from stamina_video.evaluation.svcbench import gaussian_precision  # noqa: PLC0415

    scored = [
        (reading, gaussian_precision(np.array(reading.counted, float), np.array(reading.true, float)).mean())
        for reading in readings
    ]
    if not scored:
        return {}
    exact = [a == b for reading in readings for a, b in zip(reading.counted, reading.true, strict=True)]
    found = {"gpa": float(np.mean([gpa for _, gpa in scored])), "exact": float(np.mean(exact))}
    for operator in sorted({reading.operator for reading in readings}):
        found[f"gpa {operator}"] = float(np.mean([gpa for one, gpa in scored if one.operator == operator]))
    return found


@contextmanager
def _listening(out: Path) -> Iterator[list["Listener"]]:
    """A bar on standard error, and TensorBoard's files where it is installed; on the first process only."""
    from accelerate import PartialState  # noqa: PLC0415
    from rich.console import Console  # noqa: PLC0415
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn  # noqa: PLC0415

    if not PartialState().is_main_process:
        yield []
        return
    columns = (TextColumn("{task.description}"), BarColumn(24), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True)) as bar:
        task = bar.add_task("reading", total=None)

        def show(row: "Update", of: int) -> None:
            terms = " ".join(f"{term} {value:.3g}" for term, value in row.terms.items())
            held_out = f" held-out GPA {row.held_out['gpa']:.3f}" if "gpa" in row.held_out else ""
            said = f"{row.stage} {row.update} of {of}: {terms} |g| {row.gradient_norms['all']:.2g}{held_out}"
            bar.update(task, description=said, completed=row.update, total=of)

        yield [show, *_tensorboard(out)]


def _tensorboard(out: Path) -> list["Listener"]:
    try:
        from torch.utils.tensorboard import SummaryWriter  # noqa: PLC0415
    except ImportError:
        return []
    writer = SummaryWriter(str(out / "tensorboard"))

    def write(row: "Update", _of: int) -> None:
        figures = {f"loss/{term}": value for term, value in row.terms.items()}
        figures |= {f"gradient norm/{group}": norm for group, norm in row.gradient_norms.items()}
        figures |= {f"held out/{name}": value for name, value in row.held_out.items()}
        for name, value in figures.items():
            writer.add_scalar(name, value, row.update)

    return [write]
