"""A whole session of the compact model: speed by stage, growth over half an hour, reads while it writes."""

import random
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import islice
from pathlib import Path
from statistics import median, quantiles
from threading import Event, Thread

import av
import cv2
import numpy as np
import torch
from numpy.typing import NDArray

from benchmarks.ledger import STREAM, TARGET, observation
from benchmarks.perception import Spent, timed
from benchmarks.table import Row, markdown
from stamina_video.backbone import CompactBackbone
from stamina_video.backbone.decoder import CompactDecoder
from stamina_video.data.world import make_scene
from stamina_video.ledger import Ledger
from stamina_video.runtime import Model, Session, StreamState, load, step
from stamina_video.semantics import Observation, StaminaError, Target
from stamina_video.video import open_video

TARGETS = (Target("people", "O2-Unique"), Target("people coming in through the doorway", "E1-Transit"))
RATE = 10  # frames a second of the clip
WARM_UP = 5
MINUTE, MINUTES = 60, 30  # observations at one a second
REPEATS = 40
READS, INGESTED_EVERY = 4_000, 0.01  # seconds
SHARE, GROWTH = 0.15, 1.1
STAGES = ("reading the frame", "frozen eyes", "decoder", "decisions", "ledger")


def rows() -> list[Row]:
    try:
        model = load("nano")
    except StaminaError as error:
        return [Row("a session of the compact model", f"not measured: {error}", "none", False)]
    with tempfile.TemporaryDirectory(prefix="session-bench-") as name:
        folder = Path(name)
        return [*_stages(model, folder), *_growth(model, folder), _reads(folder)]


class Stopwatch:
    """Adds up what a call takes, each time it is made."""

    def __init__(self, call: Callable[..., object]) -> None:
        self._call = call
        self.spent = Spent(0.0, 0.0)

    def __call__(self, *arguments: object) -> object:
        result, spent = timed(lambda: self._call(*arguments))
        self.spent = Spent(self.spent.clock + spent.clock, self.spent.processor + spent.processor)
        return result

    def taken(self) -> Spent:
        spent, self.spent = self.spent, Spent(0.0, 0.0)
        return spent


class TimedEyes:
    def __init__(self, model: Model) -> None:
        assert isinstance(model.backbone, CompactBackbone)
        eyes = model.backbone.eyes
        self.layout, self.perceive = eyes.layout, Stopwatch(eyes.perceive)


def _stages(model: Model, folder: Path) -> list[Row]:
    """A 720p file into a ledger on disk, every part timed while the whole runs."""
    assert isinstance(model.backbone, CompactBackbone)
    clip = _make_clip(folder / "clip.mp4")
    eyes, decoder = TimedEyes(model), Stopwatch(model.backbone.decoder.__call__)
    backbone = CompactBackbone(eyes, model.backbone.text, model.backbone.decoder)  # type: ignore[arg-type]
    backbone.decoder = _Wrapped(decoder, model.backbone.decoder)  # type: ignore[assignment]
    timed_model = Model(model.name, backbone, model.heads)
    measured: list[dict[str, Spent]] = []
    with Session(timed_model, TARGETS, folder / "stages.db") as session:
        ledger = Stopwatch(session.ledger.append_all)
        session.ledger.append_all = ledger  # type: ignore[assignment,method-assign]
        items = iter(open_video(clip, RATE))
        while True:
            item, reading = timed(lambda: next(items, None))
            if item is None:
                break
            _, whole = timed(lambda item=item: session.observe(item))  # type: ignore[misc]
            parts = [eyes.perceive.taken(), decoder.taken(), ledger.taken()]
            rest = whole - parts[0] - parts[1] - parts[2]
            spent = dict(zip(STAGES, (reading, parts[0], parts[1], rest, parts[2]), strict=True))
            measured.append({**spent, "step": whole})
    return _stage_rows(measured[WARM_UP:])


def _stage_rows(measured: list[dict[str, Spent]]) -> list[Row]:
    middle = {
        stage: Spent(
            median(each[stage].clock for each in measured), median(each[stage].processor for each in measured)
        )
        for stage in measured[0]
    }
    step_ms, eyes = middle["step"], middle["frozen eyes"]
    share = 1 - eyes.clock / step_ms.clock
    processor_share = 1 - eyes.processor / step_ms.processor
    rate = 1000 / (step_ms.clock + middle["reading the frame"].clock)
    return [
        *(
            Row(f"{stage}, ms a frame (processor time)", f"{s.clock:.2f} ({s.processor:.2f})", "none", True)
            for stage, s in middle.items()
        ),
        Row(f"frames a second end to end, 720p, {len(TARGETS)} targets", f"{rate:.1f}", "≥ 5", rate >= 5),
        Row(
            "everything after the frozen eyes, share of a step",
            f"{share:.1%} ({processor_share:.1%} of processor time)",
            f"≤ {SHARE:.0%}",
            share <= SHARE,
        ),
    ]


class _Wrapped:
    """The decoder with a stopwatch around its call."""

    def __init__(self, call: Stopwatch, decoder: CompactDecoder) -> None:
        self._call, self._decoder = call, decoder

    def __call__(self, *arguments: object) -> object:
        return self._call(*arguments)

    def __getattr__(self, name: str) -> object:
        return getattr(self._decoder, name)


def _growth(model: Model, folder: Path) -> list[Row]:
    """The state after a minute against the state after half an hour, and what the process holds."""
    path = folder / "growth.db"
    early: StreamState | None = None
    held = [0.0, 0.0]
    with Session(model, TARGETS, path) as session:
        for item in _simulated(MINUTE * MINUTES):
            session.observe(item)
            if item.index + 1 == MINUTE:
                early, held[0] = session.state, _resident()
        late, held[1] = session.state, _resident()
        commits = sum(1 for _ in session.ledger.rows())
    assert early is not None
    assert late is not None
    grown = _registry_bytes(late) - _registry_bytes(early)
    aside = (held[1] - grown) / held[0] if held[0] else 0.0
    without, with_index = _step_ratios(model, early, late)
    identities = sum(len(target.registry) for target in late.targets)
    size = path.stat().st_size / 1e6
    return [
        Row(
            f"step time, minute {MINUTES} ÷ minute 1, identity index aside",
            f"{without:.2f}",
            f"≤ {GROWTH}",
            without <= GROWTH,
        ),
        Row(
            f"the same with its {identities:,} identities",
            f"{with_index:.2f}; the index takes {_registry_bytes(late) / 1e6:.1f} MB",
            "none",
            True,
        ),
        Row(
            f"resident memory, minute {MINUTES} ÷ minute 1, identity index aside",
            f"{aside:.2f} ({held[0] / 1e6:.0f} MB, then {held[1] / 1e6:.0f} MB)",
            f"≤ {GROWTH}",
            0 < aside <= GROWTH,
        ),
        Row(
            f"ledger on disk after {MINUTES} minutes",
            f"{size:.2f} MB for {commits:,} commits",
            "none",
            True,
        ),
    ]


def _step_ratios(model: Model, early: StreamState, late: StreamState) -> tuple[float, float]:
    """Steps from both states in turns; a state is a value, so each is taken as often as wanted."""
    young = zip(late.targets, early.targets, strict=True)
    bare = replace(late, targets=tuple(replace(old, registry=new.registry) for old, new in young))
    spent: dict[int, list[float]] = {0: [], 1: [], 2: []}
    images = [item.image for item in islice(_simulated(MINUTE), REPEATS)]
    with torch.no_grad():
        for turn in range(REPEATS):
            for place, state in enumerate((early, bare, late)):
                at = Observation(state.stream, state.observations, 1e5 + turn, images[turn], turn)
                _, taken = timed(lambda state=state, at=at: step(model, state, at))  # type: ignore[misc]
                spent[place].append(taken.processor)  # neighbours disturb the clock, not this
    first, without, whole = (median(spent[place][WARM_UP:]) for place in range(3))
    return without / first, whole / first


def _simulated(number: int) -> Iterator[Observation]:
    """People who come and go through a doorway: a minute's pictures, again and again."""
    images = _minute()
    for index in range(number):
        yield Observation("camera", index, float(index), images[index % MINUTE], index)


@cache
def _minute() -> list[NDArray[np.uint8]]:
    scene = make_scene("doorway", 11, "train", float(MINUTE))
    return [scene.frame(float(second), scene.size(360)) for second in range(MINUTE)]


def _registry_bytes(state: StreamState) -> int:
    return sum(
        tensor.numel() * tensor.element_size()
        for target in state.targets
        for tensor in target.registry.to_tensors().values()
    )


def _resident() -> float:
    """Bytes of this process in memory; nought where the system does not say."""
    status = Path("/proc/self/status")
    if not status.exists():
        return 0.0
    (line,) = (line for line in status.read_text().splitlines() if line.startswith("VmRSS:"))
    return 1024.0 * int(line.split()[1])


def _reads(folder: Path) -> Row:
    """Reads of a second connection, alone and while observations of three commits arrive."""
    path = folder / "reads.db"
    stop = Event()
    with Ledger.open(path) as ledger:
        for index in range(2_000):
            ledger.append_all(observation(index, size=3))

        def ingest() -> None:
            for index in range(2_000, 10**9):
                if stop.wait(INGESTED_EVERY):
                    return
                ledger.append_all(observation(index, size=3))

        with closing(Ledger.open(path, readonly=True)) as reader:
            idle = _read_times(reader)
            writer = Thread(target=ingest)
            writer.start()
            busy = _read_times(reader)
            stop.set()
            writer.join()
    what = f"ledger read p99 while ingesting ÷ idle, {READS:,} reads of another connection"
    p99 = [quantiles(times, n=100)[-1] for times in (idle, busy)]
    said = f"{p99[1] / p99[0]:.1f} ({1000 * p99[1]:.0f} µs ÷ {1000 * p99[0]:.0f} µs)"
    return Row(what, said, "none", True)


def _read_times(ledger: Ledger) -> list[float]:
    chance = random.Random(3)
    spent = []
    for _ in range(READS):
        at = chance.uniform(0, 250)
        began = time.perf_counter()
        ledger.count(STREAM, TARGET, at)
        spent.append(1e3 * (time.perf_counter() - began))
    return spent


def _make_clip(path: Path) -> Path:
    with av.open(str(path), "w") as output:
        stream = output.add_stream("libx264", rate=RATE, options={"preset": "veryfast"})
        assert isinstance(stream, av.VideoStream)
        stream.width, stream.height, stream.pix_fmt = 960, 720, "yuv420p"
        for number, item in enumerate(islice(_simulated(MINUTE), REPEATS + WARM_UP)):
            frame = av.VideoFrame.from_ndarray(cv2.resize(item.image, (960, 720)), "rgb24")
            frame.pts, frame.time_base = number, Fraction(1, RATE)
            output.mux(stream.encode(frame))
        output.mux(stream.encode())
    return path


if __name__ == "__main__":
    print(markdown(rows()))
