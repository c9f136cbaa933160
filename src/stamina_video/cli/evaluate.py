"""`stamina evaluate`: run a model or a baseline over a data set, and score what it says."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from stamina_video.cli.answers import ovobench, ovos
from stamina_video.cli.assay import assay
from stamina_video.cli.output import Json, emit, say
from stamina_video.cli.report import videos_of
from stamina_video.cli.scores import Controlled, show_scores
from stamina_video.evaluation import Control, score_document
from stamina_video.semantics import InvalidInput, read_questions
from stamina_video.semantics.schedule import Access

if TYPE_CHECKING:
    from stamina_video.evaluation.running import Counter, Run

STOPPED = 130
BASELINE = "baseline:"

app = typer.Typer(help="Run a model or a baseline over videos with questions, and score its answers.")
app.command()(ovobench)
app.command()(ovos)
app.command()(assay)


@app.command()
def svcbench(
    annotations: Annotated[Path, typer.Option(help="Questions in SVCBench's format (JSON Lines).")],
    videos: Annotated[Path, typer.Option(help="The folder the questions' video_path is relative to.")],
    out: Annotated[Path, typer.Option(help="The run's folder; a run that was stopped there goes on.")],
    model: Annotated[
        str,
        typer.Option(
            help="nano, 4b, 8b, a model's folder, or baseline:NAME (zero, constant, tracker, cuts, cycles)."
        ),
    ] = "nano",
    access: Annotated[
        Access, typer.Option(help="stream: look while it plays. full: look back afresh for every query.")
    ] = Access.STREAM,
    fps: Annotated[
        str, typer.Option(help="Observations a second; auto: what the operators need, 1 for 4b and 8b.")
    ] = "auto",
    frames: Annotated[int, typer.Option(help="Most observations a query in full access.", min=1)] = 64,
    matched: Annotated[
        bool, typer.Option("--matched", help="Full access on the moments stream access observes.")
    ] = False,
    no_fsm: Annotated[
        bool, typer.Option("--no-fsm", help="Without the event graph: count wherever a completion is likely.")
    ] = False,
    control: Controlled = None,
    rank: Annotated[
        int, typer.Option(help="Which share of the videos this process does, from 0.", min=0)
    ] = 0,
    world_size: Annotated[int, typer.Option(help="How many processes share the videos.", min=1)] = 1,
    seed: Annotated[int, typer.Option(help="Seed of whatever is random in the model.")] = 0,
    as_json: Json = False,
) -> None:
    """Run over every question; stop it any time and run it again, and nothing is done twice."""
    # Imported here: torch takes seconds to load, which other commands and refusals need not wait for.
    from stamina_video.cli.running import work  # noqa: PLC0415
    from stamina_video.evaluation.running import Plan, Run  # noqa: PLC0415

    plan = Plan(access, _rate(fps), frames, matched)
    counter = _counter(model, annotations, access, no_fsm, seed)
    run = Run.begin(out, annotations, videos, counter, plan, seed)
    for operator in run.settings["unanswered"]:
        say(f"{counter.name} cannot answer {operator}: it says 0 there")
    if not work(run, counter, plan, videos, rank, world_size):
        say(f"stopped: what was done is kept in {out}; the same command goes on from there")
        raise typer.Exit(STOPPED)
    _finish(run, control, as_json)


@app.command()
def merge(
    shards: Annotated[list[Path], typer.Argument(help="The folders of one run's shards.")],
    out: Annotated[Path, typer.Option(help="The folder of the whole run.")],
    control: Controlled = None,
    as_json: Json = False,
) -> None:
    """Bring shards together that were made in different folders, and score the whole."""
    from stamina_video.evaluation.running import merge as merged  # noqa: PLC0415  # loads torch

    _finish(merged(shards, out), control, as_json)


def _rate(fps: str) -> float | None:
    if fps.strip().lower() == "auto":
        return None
    try:
        return float(fps)
    except ValueError:
        raise InvalidInput(f"expected --fps auto or a number above zero, got {fps!r}") from None


def _counter(model: str, annotations: Path, access: Access, no_fsm: bool, seed: int) -> "Counter":
    if model.startswith(BASELINE):
        from stamina_video.evaluation.baselines import baseline  # noqa: PLC0415  # loads torch

        if no_fsm:
            raise InvalidInput(f"expected --no-fsm with a model that has an event graph, got {model}")
        return baseline(model, read_questions(annotations))
    from stamina_video import runtime  # noqa: PLC0415  # loads torch
    from stamina_video.evaluation.running import ModelCounter, without_graph  # noqa: PLC0415

    loaded = runtime.load(model)
    return ModelCounter(without_graph(loaded) if no_fsm else loaded, access, seed)


def _finish(run: "Run", control: Control | None, as_json: bool) -> None:
    """Score the run if it is whole; a shard that is not the last says what is missing."""
    missing = len(run.missing)
    if missing:
        say(f"{missing} of {len(run.passes)} passes are still to be done, by other shards")
        if as_json:
            emit({"missing": missing, "passes": len(run.passes), "settings": dict(run.settings)})
        return
    # Imported here: it needs a template engine and a video decoder.
    from stamina_video.evaluation.pages import write_run  # noqa: PLC0415

    result = run.finish(control)
    page = run.folder / ("report.html" if control is None else f"report-{control}.html")
    write_run(result, page, videos_of(result, None))
    say(f"written to {run.folder}, to look at in {page.name}")
    if as_json:
        emit(score_document(result))
    else:
        show_scores(result)
