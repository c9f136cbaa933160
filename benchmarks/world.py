"""The simulated world: rendered frames a second, on two cores, without writing video."""

import os
import time
from collections.abc import Callable, Iterable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

from benchmarks.table import Row, markdown
from stamina_video.data.world import FAMILIES, Scene, make_scene
from stamina_video.data.world.families import UNSEEN_FAMILIES

CORES, FRAMES, SIZE, BAR = 2, 60, (224, 224), 60
SECONDS = 30.0


def rows() -> list[Row]:
    """Frames a second of each family, then what truth costs.

    The bar is held against seconds of processor time, summed over the cores; the rate by the clock stands
    beside it, and is lower wherever the machine is shared.
    """
    with ProcessPoolExecutor(CORES, get_context("spawn")) as pool:
        table = []
        for family in FAMILIES:
            busy, clock = _total(pool.map(_rendered, [family] * CORES, range(CORES)))
            figure = f"{busy:.0f} a second of processor time, {clock:.0f} by the clock"
            table.append(
                Row(f"{family} frames at 224 px, {CORES} cores", figure, f"≥ {BAR} a second", busy >= BAR)
            )
        busy, clock = _total(pool.map(_looked, ["packing"] * CORES, range(CORES)))
        figure = f"{busy / 10:.0f} × real time, {clock / 10:.0f} by the clock"
        return [*table, Row("truth of packing scenes", figure, "≥ 10 × real time", busy >= 100)]


def _total(rates: Iterable[tuple[float, float]]) -> tuple[float, float]:
    busy, clock = zip(*rates, strict=True)
    return sum(busy), sum(clock)


def _rendered(family: str, seed: int) -> tuple[float, float]:
    scene = _scene(family, seed)
    return _rates(lambda number: scene.frame(SECONDS * number / FRAMES, SIZE), FRAMES)


def _looked(family: str, seed: int) -> tuple[float, float]:
    scene = _scene(family, seed)
    return _rates(lambda number: scene.boxes(number / 10), 10 * int(SECONDS))


def _scene(family: str, seed: int) -> Scene:
    scene = make_scene(family, seed, "unseen" if family in UNSEEN_FAMILIES else "train", SECONDS)
    # Compiling the kernels and painting the textures happens once, not once a frame.
    scene.frame(0.0, SIZE)
    scene.boxes(0.0)
    return scene


def _rates(work: Callable[[int], object], times: int) -> tuple[float, float]:
    """How often a second, by processor time and by the clock."""
    busy, clock = time.process_time(), time.perf_counter()
    for number in range(times):
        work(number)
    return times / (time.process_time() - busy), times / (time.perf_counter() - clock)


if __name__ == "__main__":
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")
    print(markdown(rows()), end="")
