"""`stamina evaluate assay`: what an append-only ledger makes of a fixed sensor's counts."""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from stamina_video.cli.output import Json, emit, say, show_table
from stamina_video.evaluation import assay as judged
from stamina_video.evaluation import percent
from stamina_video.evaluation.published import ASSAY
from stamina_video.evaluation.tables import MEASURED, PUBLISHED
from stamina_video.semantics import read_questions


def assay(
    annotations: Annotated[
        Path, typer.Option(help="Questions in SVCBench's format; those about cycles are used.")
    ],
    videos: Annotated[Path, typer.Option(help="The folder the questions' video_path is relative to.")],
    fps: Annotated[float, typer.Option(help="Observations a second.")] = 20.0,
    as_json: Json = False,
) -> None:
    """Count cycles by pixels that recur; read the counts directly, by a ledger, and with it spoilt."""
    from stamina_video.evaluation.sensing import periodic, sense  # noqa: PLC0415  # loads a video decoder

    questions, left_out = periodic(read_questions(annotations))
    for question in left_out:
        say(f"left out: question {question.id!r}, another one about {question.video!r}")
    seen = []
    for question in questions:
        seen.append(sense(question, videos, fps))
        say(f"{len(seen)} of {len(questions)}: {question.video}")
    found = judged(seen)
    if as_json:
        conditions = {name: asdict(reading) for name, reading in found.items()}
        emit({"conditions": conditions, "videos": [asdict(one) for one in seen], "fps": fps})
        return
    rows = [(name, PUBLISHED, *figures) for name, *figures in ASSAY]
    rows += [
        (name, MEASURED, percent(reading.exact), f"{reading.mae:.3f}") for name, reading in found.items()
    ]
    show_table(f"Fixed sensor on {len(seen)} videos", ("Condition", "Source", "Exact (%)", "MAE"), rows)
