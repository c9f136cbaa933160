"""Carries out a checked request: load the model, count, show, draw."""

from dataclasses import dataclass
from pathlib import Path

from stamina_video import runtime
from stamina_video.cli.annotate import annotate_video
from stamina_video.cli.counting import run_count
from stamina_video.cli.curves import plot_counted
from stamina_video.cli.meter import Meter, clock_bar
from stamina_video.cli.output import emit, say
from stamina_video.cli.overlay import Recorder
from stamina_video.cli.request import Access, Request
from stamina_video.cli.results import counted_document, show_counted
from stamina_video.runtime.state import check_targets
from stamina_video.semantics.pace import Pace
from stamina_video.video import Recording, Video


@dataclass(frozen=True, slots=True)
class Outputs:
    """Where the results go."""

    annotate: Path | None = None
    plot: Path | None = None
    as_json: bool = False


def run(request: Request, pace: Pace, preview: Video, name: str, outputs: Outputs) -> bool:
    """Count and hand out the results; False where an interrupt ended it early."""
    check_targets(request.targets)
    loaded = runtime.load(name)
    model = loaded.full_access if request.access is Access.FULL else loaded
    say(_looks(request, pace.reason, preview.rate))
    recorder, end = Recorder(), _end(request, preview)
    with Meter(request.targets, end) as meter:
        counted = run_count(model, request, [meter, recorder])
    # An address may carry a password; the stream's name does not.
    video = request.video if isinstance(preview.source, Recording) else preview.stream
    if outputs.as_json:
        emit(counted_document(video, model, request, counted))
    else:
        show_counted(video, counted)
    if outputs.plot is not None:
        plot_counted(outputs.plot, preview.stream, counted, request.at)
        say(f"picture: {outputs.plot}")
    if counted.interrupted:
        say(f"stopped at {counted.end:g} s: what was counted until then is kept")
    elif outputs.annotate is not None:
        until = max(request.at, default=None)
        with clock_bar("annotating", end) as progress:
            annotate_video(preview.source, outputs.annotate, recorder.overlay(counted), until, progress)
        say(f"annotated video: {outputs.annotate}")
    return not counted.interrupted


def _looks(request: Request, reason: str, rate: float | None) -> str:
    """Which rate, and why."""
    if request.access is Access.FULL:
        return f"observing at most {request.frames} frames for each query, spread over all before it"
    said = f"observing {request.fps:g} frames a second: {reason}"
    if rate is not None and rate < request.fps:
        return f"{said}; the video itself has {rate:g}"
    return said


def _end(request: Request, video: Video) -> float | None:
    """Where counting will stop, where that is known."""
    ends = [end for end in (max(request.at, default=None), video.duration) if end is not None]
    return min(ends, default=None)
