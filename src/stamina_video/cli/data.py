"""`stamina data`: count trajectories, from sources to what may be trained on."""

import re
from collections import Counter
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from stamina_video.cli.output import Json, emit, say, show_table
from stamina_video.semantics import InvalidInput

if TYPE_CHECKING:
    from stamina_video.data.judgements import Rate
    from stamina_video.data.selection import SelectionTable

# The commands import what they need when they run: tables and the renderer take a second to load,
# and a plain installation may not have them.

app = typer.Typer(
    help="Count trajectories: compile, transform, check, list, select, audit.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

SHOWN = 10

PoolFolder = Annotated[Path, typer.Argument(help="A pool: the folder that `stamina data compile` wrote.")]
Fps = Annotated[float, typer.Option(help="Observations per second that training will make.")]
Seed = Annotated[int, typer.Option(help="The same seed draws the same.")]


@app.callback()
def data() -> None:
    """Count trajectories: compile, transform, check, list, select, audit."""


@app.command("compile")
def compile_(
    sources: Annotated[
        list[Path],
        typer.Argument(
            help="Questions (JSON Lines in SVCBench's format), trajectories (Parquet) or a folder "
            "of `stamina world make`."
        ),
    ],
    out: Annotated[Path, typer.Option(help="Folder for the pool's three files.")],
    videos: Annotated[
        Path | None, typer.Option(help="Folder of the questions' videos, to hash them.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Load every source into one schema and compile its supported endpoints into causal queries."""
    from stamina_video.data.pool import write_pool  # noqa: PLC0415
    from stamina_video.data.sources import load_source  # noqa: PLC0415

    loaded = [load_source(source, videos) for source in sources]
    trajectories = [trajectory for part in loaded for trajectory in part.trajectories]
    refused = [refusal for part in loaded for refusal in part.refused]
    for refusal in refused[:SHOWN]:
        say(f"refused: {refusal.reason}")
    if len(refused) > SHOWN:
        say(f"refused: {len(refused) - SHOWN} more")
    exported = write_pool(trajectories, out)
    if as_json:
        emit(
            {
                "pool": str(out),
                "trajectories": len(trajectories),
                "refused": [asdict(refusal) for refusal in refused],
                "annotations": asdict(exported),
            }
        )
        return
    say(f"{len(trajectories)} trajectories are in {out}; {len(refused)} were refused")
    say(f"annotations.jsonl has {exported.points} points of {exported.questions} questions")
    for why, count in exported.left_out.items():
        say(f"not in annotations.jsonl: {count} points ({why})")


@app.command()
def transform(
    sources: Annotated[
        list[Path], typer.Argument(help="What `stamina data compile` takes: questions, Parquet or a world.")
    ],
    edits: Annotated[
        list[str],
        typer.Option(
            "--edit",
            help="`speed FACTOR`, `pause AT SECONDS`, `repeat CYCLE TIMES`, `reverse` or `crop START END`.",
        ),
    ],
    out: Annotated[Path, typer.Option(help="Write the sources and their transformations here (Parquet).")],
    videos: Annotated[Path | None, typer.Option(help="Folder of the questions' videos.")] = None,
    files: Annotated[
        bool, typer.Option("--files", help="Write every transformed segment as a video into --videos.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Play annotated events faster, held, again, backwards or cropped, and count what is not legal."""
    from stamina_video.data.edits import transformed  # noqa: PLC0415
    from stamina_video.data.segments import write_segment  # noqa: PLC0415
    from stamina_video.data.sources import load_source  # noqa: PLC0415
    from stamina_video.data.storage import write_trajectories  # noqa: PLC0415

    if files and videos is None:
        raise InvalidInput("expected --videos to write the segments to, got --files alone")
    loaded = [trajectory for source in sources for trajectory in load_source(source, videos).trajectories]
    result = transformed(loaded, edits)
    made = result.trajectories
    if files and videos is not None:
        made = tuple(
            write_segment(trajectory, videos, f"{_file_name(trajectory.id)}.mp4") for trajectory in made
        )
    write_trajectories([*loaded, *made], out)
    reasons = Counter(refusal.reason.removeprefix(f"trajectory {refusal.id}: ") for refusal in result.refused)
    if as_json:
        emit({"trajectories": len(loaded), "transformed": len(made), "not_legal": dict(reasons)})
        return
    for reason, count in reasons.most_common():
        say(f"not legal for {count}: {reason}")
    say(f"{len(loaded)} trajectories and {len(made)} transformations of them are in {out}")


@app.command()
def check(
    pool: PoolFolder,
    videos: Annotated[Path | None, typer.Option(help="Folder of the videos, to hash them again.")] = None,
    fps: Fps = 1.0,
    as_json: Json = False,
) -> None:
    """Recompute every answer and every reference without the compiler; exit code 1 if anything is wrong."""
    from stamina_video.data.checker import check_pool  # noqa: PLC0415

    report = check_pool(pool, videos, fps)
    if as_json:
        emit(asdict(report) | {"by_kind": report.by_kind})
    else:
        for fault in report.faults[:SHOWN]:
            say(f"{fault.kind}: {fault.id}: {fault.reason}")
        checked = {"trajectories": report.trajectories, "queries": report.queries}
        faults = {f"fault: {kind}": count for kind, count in report.by_kind.items()}
        show_table(
            "Check", ("What", "Records"), (checked | faults | {"faults in all": len(report.faults)}).items()
        )
        if report.unreachable:
            say(f"{len(report.unreachable)} endpoints are out of reach at {fps:g} fps: never selected")
    if report.faults:
        raise typer.Exit(1)


@app.command()
def inventory(pool: PoolFolder, as_json: Json = False) -> None:
    """Count queries, grouped records, parents and media, by operator and by source."""
    from stamina_video.data.inventory import inventory as take  # noqa: PLC0415
    from stamina_video.data.pool import read_pool  # noqa: PLC0415

    taken = take(read_pool(pool).queries)
    if as_json:
        emit(asdict(taken))
        return
    for title, parts in (("Operator", taken.by_operator), ("Source", taken.by_source)):
        rows = [*parts.items(), ("Total", taken.total)]
        show_table(
            f"{pool}, by {title.lower()}",
            (title, "Queries", "Groups", "Parents", "Media"),
            ((name, units.queries, units.groups, units.parents, units.media) for name, units in rows),
        )


@app.command()
def select(
    pool: PoolFolder,
    held_out: Annotated[
        list[Path] | None, typer.Option(help="Benchmark questions whose families must not be learned from.")
    ] = None,
    exclude_media: Annotated[
        list[Path] | None,
        typer.Option(
            help="Evaluation media: names or hashes, one a line, or rows with a video field (JSON)."
        ),
    ] = None,
    videos: Annotated[
        Path | None, typer.Option(help="Folder of the videos, to leave out those with other content.")
    ] = None,
    fps: Fps = 1.0,
    development: Annotated[
        float, typer.Option(help="Share of the source groups kept for development.")
    ] = 0.1,
    seed: Seed = 0,
    out: Annotated[Path | None, typer.Option(help="Write every query with its fate here (Parquet).")] = None,
    as_json: Json = False,
) -> None:
    """Remove what must not be learned from, say what was removed and why, and what supervision is left."""
    from stamina_video.data.checker import check_pool  # noqa: PLC0415
    from stamina_video.data.media_names import read_media_names  # noqa: PLC0415
    from stamina_video.data.pool import read_pool  # noqa: PLC0415
    from stamina_video.data.questions import load_questions  # noqa: PLC0415
    from stamina_video.data.selection import Exclusions  # noqa: PLC0415
    from stamina_video.data.selection import select as choose  # noqa: PLC0415
    from stamina_video.data.splits import DEVELOPMENT, TRAIN  # noqa: PLC0415

    benchmarks = [load_questions(path) for path in held_out or ()]
    for refusal in (refusal for part in benchmarks for refusal in part.refused):
        # A target that cannot be read cannot be kept out.
        raise InvalidInput(f"expected every held-out question to be readable: {refusal.reason}")
    exclusions = Exclusions(
        frozenset(name for path in exclude_media or () for name in read_media_names(path)),
        tuple(trajectory for part in benchmarks for trajectory in part.trajectories),
        frozenset(fault.id for fault in check_pool(pool, videos, fps).faults),
    )
    selection = choose(read_pool(pool), exclusions, fps, development, seed)
    tables = {split: selection.table(split) for split in (TRAIN, DEVELOPMENT)}
    if out is not None:
        selection.queries.write_parquet(out)
        say(f"every query with its fate is in {out}")
    if as_json:
        emit({split: asdict(table) for split, table in tables.items()})
        return
    columns = ("Count", *(split.capitalize() for split in tables))
    show_table("Selection", columns, _beside(*(_selection_rows(table) for table in tables.values())))
    show_table("Supervision", columns, _beside(*(_coverage_rows(table) for table in tables.values())))


@app.command()
def audit(
    pool: PoolFolder,
    out: Annotated[Path, typer.Option(help="Folder of the audit: the page and the list of what was drawn.")],
    videos: Annotated[Path | None, typer.Option(help="Folder of the videos; draws a sample.")] = None,
    judgements: Annotated[
        list[Path] | None, typer.Option(help="Two readers' saved judgements; reports what they found.")
    ] = None,
    records: Annotated[int, typer.Option(help="Records drawn of every source and operator.")] = 10,
    seed: Seed = 0,
    as_json: Json = False,
) -> None:
    """Draw a sample for two readers to judge, or report how many labels they found right."""
    if (videos is None) == (not judgements):
        raise InvalidInput("expected --videos to draw a sample or --judgements to report one")
    if judgements:
        _report_audit(out, judgements, as_json)
        return
    assert videos is not None
    from stamina_video.data.audit import draw_audit  # noqa: PLC0415
    from stamina_video.data.audit_page import write_audit  # noqa: PLC0415
    from stamina_video.data.pool import TRAJECTORIES  # noqa: PLC0415
    from stamina_video.data.storage import read_trajectories  # noqa: PLC0415

    loaded = read_trajectories(pool / TRAJECTORIES)
    if loaded.refused:
        say(f"not drawn from: {len(loaded.refused)} trajectories that break a rule")
    items = draw_audit(loaded.trajectories, records, seed)
    page = write_audit(items, videos, out)
    if as_json:
        emit({"page": str(page), "records": len(items)})
    else:
        say(f"{len(items)} records to judge are in {page}")


def _file_name(record: str) -> str:
    return re.sub(r"[^\w.-]+", "-", record).strip("-")


def _selection_rows(table: "SelectionTable") -> dict[str, int]:
    return {
        "queries in the pool": table.pool,
        **{f"removed: {why}": count for why, count in table.removed.items()},
        "selected queries": table.selected,
        "parents of the selected queries": table.parents,
        "… of them in the held-out set too": table.overlapping_parents,
        "selected queries of those parents": table.overlapping_queries,
    }


def _coverage_rows(table: "SelectionTable") -> dict[str, int]:
    return {
        "endpoint only": table.coverage.endpoint_only,
        "identity supported": table.coverage.identity,
        "boundary supported": table.coverage.boundary,
        "verified stable (overlaps the above)": table.coverage.stable,
    }


def _beside(*columns: dict[str, int]) -> list[tuple[object, ...]]:
    return [(name, *(column[name] for column in columns)) for name in columns[0]]


def _report_audit(folder: Path, judgements: list[Path], as_json: bool) -> None:
    from stamina_video.data.audit_page import read_drawn  # noqa: PLC0415
    from stamina_video.data.judgements import audit_table, read_judgements  # noqa: PLC0415

    rows = audit_table(read_drawn(folder), read_judgements(judgements))
    if as_json:
        emit([asdict(row) for row in rows])
        return
    show_table(
        "Labels that two readers found right (%), with 95 % intervals",
        ("Source", "Audited", "Endpoint", "Increment", "Agreement", "Unsettled"),
        (
            (
                row.source,
                row.audited,
                _percent(row.endpoint),
                _percent(row.increment),
                _percent(row.agreement),
                len(row.unsettled),
            )
            for row in rows
        ),
    )


def _percent(rate: "Rate") -> str:
    if rate.rate is None or rate.low is None or rate.high is None:
        return "–"
    return f"{rate.rate:.1%} ({rate.low:.1%} to {rate.high:.1%})"
