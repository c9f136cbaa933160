"""`stamina diagnose`: how a counter errs, not only how much."""

from pathlib import Path
from typing import Annotated

import typer

from stamina_video.cli.output import Json, emit, say, show_table
from stamina_video.evaluation import diagnose as diagnose_runs
from stamina_video.evaluation import read_runs, read_truth, report, write_result

SHOWN = 10

# What each figure is called in the table, and how it is shown.
_NAMES = {
    "gpa": ("GPA", "%"),
    "exact": ("Exact counts", "%"),
    "hard_mae": ("Count error (MAE)", ""),
    "hard_gain_mae": ("Gain error (MAE)", ""),
    "soft_mae": ("Soft count error (MAE)", ""),
    "soft_gain_mae": ("Soft gain error (MAE)", ""),
    "nll": ("NLL per endpoint", ""),
    "false_updates": ("False updates on stable intervals", "%"),
    "duplicates": ("Duplicate completions per event", "%"),
    "misses": ("Missed events", "%"),
    "outside": ("Commits outside every event's window", "%"),
    "delay": ("Delay", "s"),
    "new_precision": ("NEW precision", "%"),
    "new_recall": ("NEW recall", "%"),
    "reentry_double_counts": ("Double counts per re-entry", "%"),
    "unresolved": ("Unresolved identities", "%"),
    "acceptance_delay": ("Acceptance delay", "s"),
    "retrieval_misses": ("Retrieval misses per trajectory", ""),
}


def diagnose(
    predictions: Annotated[
        list[Path],
        typer.Option(help="CSV of video, target, time and count, event or identity; one file per seed."),
    ],
    truth: Annotated[
        Path, typer.Option(help="CSV of the same columns, or questions with occurrence_times (.jsonl).")
    ],
    fps: Annotated[float, typer.Option(help="Observations per second, for stable intervals.")] = 1.0,
    name: Annotated[str, typer.Option(help="What to call this run.")] = "run",
    out: Annotated[
        Path | None, typer.Option(help="Write the result file here, for `stamina compare`.")
    ] = None,
    markdown: Annotated[
        Path | None,
        typer.Option(help="Write a Markdown report here: this run beside the paper's published rows."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Diagnose any counter's output: false, duplicate and missed updates, delays, identities, errors."""
    trajectories = read_truth(truth, fps)
    pairs, notes = read_runs(predictions, trajectories)
    for note in notes[:SHOWN]:
        say(f"note: {note}")
    if len(notes) > SHOWN:
        say(f"note: {len(notes) - SHOWN} more trajectories without a row")
    settings = {"truth": str(truth), "predictions": list(map(str, predictions)), "fps": fps}
    result = diagnose_runs(pairs, name, settings)
    if out is not None:
        write_result(result, out)
        say(f"result written to {out}")
    if markdown is not None:
        markdown.write_text(report([result]))
        say(f"report written to {markdown}")
    figures = result.figures()
    if as_json:
        strata = {stratum: figures[stratum] for stratum in result.groups}
        emit({"overall": figures["overall"], "by_stratum": strata, "settings": dict(result.settings)})
        return
    groups = ("overall", *result.groups) if len(result.groups) > 1 else ("overall",)
    show_table(
        f"{name}: {len(result.rows)} runs over {len(trajectories)} trajectories",
        ("Figure", *groups),
        (
            (label, *(_shown(figures[group][metric], unit) for group in groups))
            for metric, (label, unit) in _NAMES.items()
            if figures["overall"][metric] is not None
        ),
    )


def _shown(value: float | None, unit: str) -> str:
    if value is None:
        return "–"
    return f"{100 * value:.1f} %" if unit == "%" else f"{value:.2f} {unit}".strip()
