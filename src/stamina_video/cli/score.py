"""`stamina score svcbench|ovobench|ovos`: score anybody's answers."""

from pathlib import Path
from typing import Annotated, Any

import typer

from stamina_video.cli.output import Json, emit, say
from stamina_video.cli.scores import Controlled, show_answers, show_scores
from stamina_video.evaluation import (
    Result,
    controlled,
    digest,
    read_decisions,
    read_predictions,
    read_queries,
    read_query_responses,
    read_responses,
    report,
    score_document,
    score_ovobench,
    score_ovos,
    score_runs,
    write_harness,
    write_result,
)
from stamina_video.semantics import read_questions

app = typer.Typer(help="Score answers to SVCBench, OVO-Bench or OVO-S-Bench, whoever gave them.")

SHOWN = 10

Name = Annotated[str, typer.Option(help="What to call this run in tables and result files.")]
Access = Annotated[str, typer.Option(help="The access the answers were given under: stream or full.")]
Out = Annotated[Path | None, typer.Option(help="Write the result file here, for `stamina compare`.")]
Markdown = Annotated[
    Path | None,
    typer.Option(help="Write a Markdown report here: this run beside the paper's published rows."),
]


@app.command()
def svcbench(
    annotations: Annotated[Path, typer.Option(help="Questions in SVCBench's format (JSON Lines).")],
    predictions: Annotated[list[Path], typer.Option(help="Answers (JSON Lines); give one file per seed.")],
    name: Name = "run",
    access: Access = "stream",
    control: Controlled = None,
    out: Out = None,
    markdown: Markdown = None,
    lmms_eval: Annotated[
        Path | None, typer.Option(help="Write results and samples into this folder in lmms-eval's layout.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Score counts: GPA, MoC and UDA per operator and overall; invalid answers count as wrong."""
    questions = read_questions(annotations)
    runs = [read_predictions(path, questions) for path in predictions]
    invalid = [answer for run in runs for answer in run.invalid]
    for answer in invalid[:SHOWN]:
        say(f"invalid, scored as wrong: {answer}")
    if len(invalid) > SHOWN:
        say(f"invalid, scored as wrong: {len(invalid) - SHOWN} more")
    if control is not None:
        runs = [controlled(questions, run, control) for run in runs]
    settings = _settings(annotations, access) | ({"control": control} if control else {})
    result = score_runs(questions, runs, name, settings)
    _keep(result, out, markdown)
    if lmms_eval is not None:
        for path in write_harness(result, lmms_eval):
            say(f"written to {path}")
    if as_json:
        emit(score_document(result))
    else:
        show_scores(result)


@app.command()
def ovobench(
    annotations: Annotated[Path, typer.Option(help="OVO-Bench's released annotations (JSON).")],
    predictions: Annotated[
        list[Path],
        typer.Option(help="Responses: released result files, a folder of them, or JSON Lines."),
    ],
    name: Name = "run",
    access: Access = "full",
    out: Out = None,
    markdown: Markdown = None,
    as_json: Json = False,
) -> None:
    """Score responses as the released scorer reads them, and strictly, side by side."""
    decisions = read_decisions(annotations)
    responses = read_responses(predictions, decisions)
    for note in responses.notes:
        say(f"note: {note}")
    result = score_ovobench(decisions, responses, name, _settings(annotations, access))
    _keep(result, out, markdown)
    show_answers("OVO-Bench", result, as_json)


@app.command()
def ovos(
    annotations: Annotated[
        Path, typer.Option(help="OVO-S-Bench's released items (Parquet, JSON or JSON Lines).")
    ],
    predictions: Annotated[
        list[Path], typer.Option(help="Responses: released result files, a folder of them, or JSON Lines.")
    ],
    name: Name = "run",
    access: Access = "full",
    out: Out = None,
    markdown: Markdown = None,
    as_json: Json = False,
) -> None:
    """Score spatial answers by family, level and their mean; failed answers stay in the denominator."""
    queries = read_queries(annotations)
    responses = read_query_responses(predictions, queries)
    result = score_ovos(queries, responses, name, _settings(annotations, access))
    _keep(result, out, markdown)
    show_answers("OVO-S-Bench", result, as_json)


def _keep(result: Result, out: Path | None, markdown: Path | None) -> None:
    if out is not None:
        write_result(result, out)
        say(f"result written to {out}")
    if markdown is not None:
        markdown.write_text(report([result]))
        say(f"report written to {markdown}")


def _settings(annotations: Path, access: str) -> dict[str, Any]:
    return {"annotations": str(annotations), "annotations_sha256": digest(annotations), "access": access}
