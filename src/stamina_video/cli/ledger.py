"""`stamina ledger show|verify|export`."""

from pathlib import Path
from typing import Annotated

import typer

from stamina_video.cli.explain import LedgerAddress, Stream, commit_document, the_stream, the_target
from stamina_video.cli.output import Json, emit, say, show_table
from stamina_video.ledger import Ledger
from stamina_video.ledger.export import export

app = typer.Typer(help="Look into a ledger: show, verify, export.")


@app.command()
def show(
    address: LedgerAddress,
    stream: Stream = None,
    target: Annotated[str | None, typer.Option(help="Only commits of this target.")] = None,
    last: Annotated[int, typer.Option(help="How many commits to show.", min=1)] = 20,
    as_json: Json = False,
) -> None:
    """Print the last commits of a stream."""
    with Ledger.open(address, readonly=True) as ledger:
        name = the_stream(ledger, stream)
        known = None if target is None else the_target(ledger, name, target)
        commits = ledger.last(name, last) if known is None else ledger.history(name, known)[-last:]
    if as_json:
        emit({"stream": name, "commits": [{"target": c.target} | commit_document(c) for c in commits]})
        return
    show_table(
        f"{name}: the last {len(commits)} commits",
        ("Time (s)", "Target", "Kind", "Increment", "Evidence id"),
        (
            (
                f"{commit.time:g}",
                commit.target or "(whole stream)",
                commit.kind,
                f"{commit.delta:+d}",
                commit.evidence_id,
            )
            for commit in commits
        ),
    )


@app.command()
def verify(address: LedgerAddress, as_json: Json = False) -> None:
    """Recompute every total, index and digest; name the first row that does not agree."""
    with Ledger.open(address, readonly=True) as ledger:
        rows = ledger.verify()
    if as_json:
        emit({"ledger": address, "commits": rows, "sound": True})
    else:
        say(f"sound: {rows} commits agree with their totals, order and digests")


@app.command(name="export")
def export_commits(
    address: LedgerAddress,
    out: Annotated[Path, typer.Option(help="Destination: .csv, .jsonl or .parquet.")],
) -> None:
    """Write every commit to a file."""
    with Ledger.open(address, readonly=True) as ledger:
        rows = export(ledger, out)
    say(f"{rows} commits written to {out}")
