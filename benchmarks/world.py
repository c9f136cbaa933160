"""The simulated world: rendered frames a second, on two cores, without writing video; perceived ones too."""

import os
import tempfile
import time
from collections.abc import Callable, Iterable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from multiprocessing.synchronize import Barrier
from pathlib import Path

from benchmarks.table import Row, markdown
from stamina_video.data.perception import shipped_statistics, simulate, simulate_perception, things_of
from stamina_video.data.world import FAMILIES, Scene, make_scene
from stamina_video.data.world.families import UNSEEN_FAMILIES
from stamina_video.data.world.maker import Recipe, make_world
from stamina_video.data.world.videos import FPS

CORES, FRAMES, SIZE, BAR = 2, 30, (224, 224), 60
SECONDS = 30.0
PATIENCE = 300  # seconds
LOOKS = 2  # observations a second that object targets ask for

_meeting: list[Barrier] = []  # of a worker: the one barrier it shares with the others


def rows() -> list[Row]:
    """Frames a second of each family, then what truth, perception and whole videos cost."""
    context = get_context("spawn")
    with ProcessPoolExecutor(CORES, context, _meet, (context.Barrier(CORES),)) as pool:
        frames = [
            _rendering(family, *_total(pool.map(_rendered, [family] * CORES, range(CORES))))
            for family in FAMILIES
        ]
        truth = _total(pool.map(_looked, ["packing"] * CORES, range(CORES)))
        perceived = _total(pool.map(_perceived, range(CORES)))
        again = _total(pool.map(_perceived_again, range(CORES)))
    figure = f"{truth[1] / 10:.0f} × real time by the clock, {truth[0] / 10:.0f} × of processor time"
    what = f"simulated perception of packing scenes, {LOOKS} observations a second, {CORES} cores: an hour"
    return [
        *frames,
        _making(),
        Row("truth of packing scenes", figure, "≥ 10 × real time", min(truth) >= 100),
        _hour(what, *perceived, bar=60),
        _hour(f"{what} of other noise over the same things", *again, bar=10),
    ]


def _rendering(family: str, busy: float, clock: float) -> Row:
    figure = f"{clock:.0f} a second by the clock, {busy:.0f} a second of processor time"
    what = f"{family} frames at 224 px, {CORES} cores"
    return Row(what, figure, f"≥ {BAR} a second", min(busy, clock) >= BAR)


def _hour(what: str, busy: float, clock: float, bar: int) -> Row:
    by_clock, of_processor = 3600 * LOOKS / clock, 3600 * LOOKS / busy
    figure = f"{by_clock:.1f} s by the clock, {of_processor:.1f} s of processor time"
    return Row(what, figure, f"≤ {bar} s", max(by_clock, of_processor) <= bar)


def _making() -> Row:
    """The whole command: processes started, kernels loaded, videos compressed, questions written."""
    videos, seconds = 8, 15.0
    with tempfile.TemporaryDirectory() as folder:
        start = time.perf_counter()
        made = list(make_world(Recipe(0, seconds=seconds), videos, Path(folder), workers=CORES))
        rate = len(made) * seconds * FPS / (time.perf_counter() - start)
    return Row(
        f"`stamina world make --workers {CORES}`: frames compressed and written, with questions",
        f"{rate:.0f} a second by the clock",
        f"≥ {2 * FPS} a second (twice real time)",
        rate >= 2 * FPS,
    )


def _meet(barrier: Barrier) -> None:
    """Let workers measure at the same time, and never while another still prepares."""
    _meeting.append(barrier)


def _total(rates: Iterable[tuple[float, float]]) -> tuple[float, float]:
    busy, clock = zip(*rates, strict=True)
    return sum(busy), sum(clock)


def _rendered(family: str, seed: int) -> tuple[float, float]:
    scene = _scene(family, seed)
    return _rates(lambda number: scene.frame(SECONDS * number / FRAMES, SIZE), FRAMES)


def _looked(family: str, seed: int) -> tuple[float, float]:
    scene = _scene(family, seed)
    return _rates(lambda number: scene.boxes(number / 10), 10 * int(SECONDS))


def _perceived(seed: int) -> tuple[float, float]:
    scene = _scene("packing", seed)
    observations = int(SECONDS * LOOKS)
    busy, clock = _rates(lambda number: simulate_perception(scene, seed=number, fps=LOOKS), 1)
    return observations * busy, observations * clock


def _perceived_again(seed: int) -> tuple[float, float]:
    """The noise alone: what things there are was found before."""
    scene, statistics = _scene("packing", seed), shipped_statistics()
    times = [number / LOOKS for number in range(int(SECONDS * LOOKS))]
    things = things_of(scene, times, statistics.vocabulary)
    busy, clock = _rates(lambda number: simulate(things, statistics, number), 20)
    return len(times) * busy, len(times) * clock


def _scene(family: str, seed: int) -> Scene:
    scene = make_scene(family, seed, "unseen" if family in UNSEEN_FAMILIES else "train", SECONDS)
    # Compiling the kernels and painting the textures happens once, not once a frame.
    scene.frame(0.0, SIZE)
    scene.boxes(0.0)
    return scene


def _rates(work: Callable[[int], object], times: int) -> tuple[float, float]:
    """How often a second, by processor time and by the clock; the best of three, as neighbours slow it."""
    best = [0.0, 0.0]
    for _ in range(3):
        _meeting[0].wait(timeout=PATIENCE)  # a worker that failed is not waited for for ever
        busy, clock = time.process_time(), time.perf_counter()
        for number in range(times):
            work(number)
        rates = times / (time.process_time() - busy), times / (time.perf_counter() - clock)
        best = [max(pair) for pair in zip(best, rates, strict=True)]
    return best[0], best[1]


if __name__ == "__main__":
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")
    print(markdown(rows()), end="")
