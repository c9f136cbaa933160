"""`stamina evaluate ovobench|ovos`: ask a model that speaks, and score what it says."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from stamina_video.cli.output import Json, say
from stamina_video.cli.scores import show_answers
from stamina_video.evaluation import (
    Prompts,
    Result,
    digest,
    read_decisions,
    read_queries,
    read_query_responses,
    read_responses,
    score_ovobench,
    score_ovos,
    write_result,
)
from stamina_video.evaluation.results import RESULT_FILE
from stamina_video.semantics import files
from stamina_video.semantics.schedule import Access

if TYPE_CHECKING:
    from stamina_video.evaluation.running import Asking, Plan

RESPONSES = "responses.jsonl"
EVERY = 20  # answers between two lines of progress

Videos = Annotated[Path, typer.Option(help="The folder the annotations' videos are relative to.")]
Out = Annotated[Path, typer.Option(help="The run's folder; a run that was stopped there goes on.")]
Model = Annotated[
    str, typer.Option(help="A model with a language decoder: 4b, 8b, a name on the hub, or a folder.")
]
Accessed = Annotated[
    Access, typer.Option(help="stream: look while it plays. full: look back afresh for every question.")
]
Fps = Annotated[float, typer.Option(help="Observations a second in stream access.")]
Wording = Annotated[
    Path | None, typer.Option(help="The benchmark's own prompt templates (a JSON object); ours if left out.")
]
Frames = Annotated[int, typer.Option(help="Most observations a question in full access.", min=1)]


def ovobench(
    annotations: Annotated[Path, typer.Option(help="OVO-Bench's released annotations (JSON).")],
    videos: Videos,
    out: Out,
    model: Model,
    access: Accessed = Access.STREAM,
    fps: Fps = 1.0,
    frames: Frames = 64,
    prompts: Wording = None,
    as_json: Json = False,
) -> None:
    """Ask every decision at its own time, every scheduled trigger included, and score the answers."""
    from stamina_video.evaluation.running import Asking, Plan  # noqa: PLC0415  # loads torch

    decisions, words = read_decisions(annotations), _prompts(prompts)
    askings = [
        Asking({"id": one.record, "index": one.index}, one.video, one.time, words.for_decision(one))
        for one in decisions
    ]
    settings = _answered(askings, annotations, videos, out, model, Plan(access, fps, frames), words)
    responses = read_responses([out / RESPONSES], decisions)
    _finish("OVO-Bench", score_ovobench(decisions, responses, settings["model"], settings), out, as_json)


def ovos(
    annotations: Annotated[
        Path, typer.Option(help="OVO-S-Bench's released items (Parquet, JSON or JSON Lines).")
    ],
    videos: Videos,
    out: Out,
    model: Model,
    access: Accessed = Access.STREAM,
    fps: Fps = 1.0,
    frames: Frames = 128,
    prompts: Wording = None,
    as_json: Json = False,
) -> None:
    """Ask every query at its own time, its option pictures after the video, and score the answers."""
    from stamina_video.evaluation.running import Asking, Plan  # noqa: PLC0415  # loads torch

    queries, words = read_queries(annotations), _prompts(prompts)
    askings = [
        Asking(
            {"id": one.id},
            one.video,
            one.time,
            words.for_query(one),
            tuple(picture.data for picture in one.pictures),
        )
        for one in queries
    ]
    settings = _answered(askings, annotations, videos, out, model, Plan(access, fps, frames), words)
    responses = read_query_responses([out / RESPONSES], queries)
    _finish("OVO-S-Bench", score_ovos(queries, responses, settings["model"], settings), out, as_json)


def _prompts(path: Path | None) -> Prompts:
    return Prompts() if path is None else Prompts.read(path)


def _answered(
    askings: Sequence["Asking"],
    annotations: Path,
    videos: Path,
    out: Path,
    name: str,
    plan: "Plan",
    words: Prompts,
) -> dict[str, Any]:
    """Ask what is not answered yet; the settings that moved the answers."""
    from stamina_video import runtime  # noqa: PLC0415  # loads torch
    from stamina_video.evaluation.running import ModelSpeaker, answer, under  # noqa: PLC0415
    from stamina_video.evaluation.running.run import SETTINGS, check_same, write_settings  # noqa: PLC0415

    model = under(runtime.load(name), plan.access)
    speaker = ModelSpeaker(model)
    settings = {
        "annotations": str(annotations),
        "annotations_sha256": digest(annotations),
        "videos": str(videos),
        "access": plan.access.value,  # before the model's hash, which follows from it
        "model": model.name,
        "model_hash": model.fingerprint,
        "fps": plan.fps if plan.samples else None,
        "frames": None if plan.samples else plan.frames,
        "prompts": dict(words.templates),
    }
    out.mkdir(parents=True, exist_ok=True)
    if (out / SETTINGS).exists():
        check_same(files.json_document(out / SETTINGS), settings, out)
    else:
        write_settings(out, settings)
    answer(askings, videos, speaker, plan, out / RESPONSES, _progress)
    return settings


def _progress(done: int, of: int) -> None:
    if done % EVERY == 0 or done == of:
        say(f"{done} of {of} answered")


def _finish(title: str, result: Result, out: Path, as_json: bool) -> None:
    write_result(result, out / RESULT_FILE)
    say(f"written to {out}")
    show_answers(title, result, as_json)
