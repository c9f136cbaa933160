"""Carries out the demo: render a scene, count it live through a session, and write a page about it."""

import shutil
import time
from itertools import groupby
from pathlib import Path
from typing import Any

from stamina_video import runtime
from stamina_video.cli.board import Board
from stamina_video.cli.counting import Counted, TargetCount, run_count
from stamina_video.cli.output import emit, say, show_table
from stamina_video.cli.packing import SECONDS, SEED, TARGETS, packing_scene, render, true_steps
from stamina_video.cli.request import Request
from stamina_video.data.world import Truth
from stamina_video.evaluation.pages import CountedVideo, Evidence, Track, counted_page
from stamina_video.evaluation.pages.album import Album
from stamina_video.evaluation.pages.stories import Mark, box_in
from stamina_video.ledger import Ledger
from stamina_video.runtime import Model
from stamina_video.semantics import InvalidInput, Kind
from stamina_video.semantics.pace import pace_for

VIDEO, LEDGER, PAGE = "packing.mp4", "counts.db", "report.html"


def demonstrate(out: Path, name: str, as_json: bool = False, seconds: float = SECONDS) -> bool:
    """The whole demo; False where an interrupt ended the counting early."""
    _clear(out / LEDGER)
    model = runtime.load(name)
    scene, started = packing_scene(seconds), time.monotonic()
    say(f"rendering {seconds:g} s of a packing table (seed {SEED})")
    render(scene, out / VIDEO)
    pace = pace_for(TARGETS)
    say(f"observing {pace.fps:g} frames a second: {pace.reason}")
    request = Request(str(out / VIDEO), TARGETS, fps=pace.fps, ledger=str(out / LEDGER))
    with Board(scene.truth, TARGETS) as board:
        counted = run_count(model, request, [board])
    document = _document(out, model, counted, scene.truth)
    settings = {"model": model.fingerprint, "scene": f"packing, seed {SEED}", "frames a second": pace.fps}
    (out / PAGE).write_text(counted_page(_page(out, counted, scene.truth, settings)), "utf-8")
    if as_json:
        emit(document)
    else:
        _show(document)
    if counted.interrupted:
        say(f"stopped at {counted.end:g} s: what was counted until then is kept")
    say(f"page: {out / PAGE} ({time.monotonic() - started:.0f} s in all)")
    say(f'try: stamina explain {out / LEDGER} --target "mugs packed"')
    return not counted.interrupted


def _clear(ledger: Path) -> None:
    """A demo starts afresh; what it wrote before goes, and nothing else does."""
    if ledger.exists():
        with Ledger.open(ledger, readonly=True) as earlier:
            foreign = [stream for stream in earlier.streams() if stream != VIDEO]
        if foreign:
            raise InvalidInput(
                f"expected a new folder or an earlier demo's, got {str(ledger)!r} with {foreign[0]!r} in it"
            )
    for suffix in ("", "-wal", "-shm"):
        ledger.with_name(ledger.name + suffix).unlink(missing_ok=True)
    shutil.rmtree(ledger.with_name(f"{ledger.name}-state"), ignore_errors=True)


def _document(out: Path, model: Model, counted: Counted, truth: Truth) -> dict[str, Any]:
    return {
        "video": str(out / VIDEO),
        "model": model.name,
        "fingerprint": model.fingerprint,
        "ledger": str(out / LEDGER),
        "page": str(out / PAGE),
        "end": counted.end,
        "interrupted": counted.interrupted,
        "targets": [
            {
                "target": row.target.description,
                "operator": row.target.operator,
                "count": row.readings[-1].count,
                "truth": truth.count(row.target, counted.end),
                "commits": len(row.commits),
            }
            for row in counted.targets
        ],
    }


def _show(document: dict[str, Any]) -> None:
    show_table(
        f"A packing table after {document['end']:g} s",
        ("Target", "Operator", "Counted", "True"),
        ((row["target"], row["operator"], row["count"], row["truth"]) for row in document["targets"]),
    )


def _page(out: Path, counted: Counted, truth: Truth, settings: dict[str, object]) -> CountedVideo:
    gaps = {fact.evidence_id: fact for row in counted.targets for fact in row.facts if fact.kind is Kind.GAP}
    stopped = f" It was stopped at {counted.end:g} s." if counted.interrupted else ""
    return CountedVideo(
        title="A packing table, counted while it played",
        end=counted.end,
        tracks=[_track(row, truth, counted.end) for row in counted.targets],
        evidence=_evidence(out, counted),
        settings=settings | {"observations": counted.observations},
        unseen=[(float(gap.evidence.get("since", gap.time)), gap.time) for gap in gaps.values()],
        note=f"Rendered with exact truth; every change below is a commit in {LEDGER}.{stopped}",
    )


def _track(row: TargetCount, truth: Truth, end: float) -> Track:
    return Track(
        row.target.description,
        row.target.operator,
        true_steps(truth, row.target, end),
        [mark for _, mark in _marks(row)],
        row.warnings,
    )


def _evidence(out: Path, counted: Counted) -> list[Evidence]:
    """One picture for each observation at which any count changed."""
    marks = sorted((pair for row in counted.targets for pair in _marks(row)), key=lambda pair: pair[1].time)
    album = Album(out)
    for _, mark in marks:
        album.ask(VIDEO, mark.time)
    album.develop()
    return [
        Evidence(moment, album.picture(VIDEO, moment), list(together))
        for moment, together in groupby(marks, key=lambda pair: pair[1].time)
    ]


def _marks(row: TargetCount) -> list[tuple[str, Mark]]:
    name = f"{row.target.description} ({row.target.operator})"
    return [(name, Mark(commit.time, commit.delta, box_in(commit.evidence))) for commit in row.commits]
