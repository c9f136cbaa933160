"""The simulated world: rendered frames a second, on two cores, without writing video."""

import os
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

from benchmarks.table import Row, markdown
from stamina_video.data.world import FAMILIES, Scene, make_scene
from stamina_video.data.world.families import UNSEEN_FAMILIES

CORES, FRAMES, SIZE, BAR = 2, 60, (224, 224), 60
SECONDS = 30.0


def rows() -> list[Row]:
    """Frames a second of each family, then what truth costs.

    Rates are per second of processor time, summed over the cores: neighbours on the machine do not count.
    """
    with ProcessPoolExecutor(CORES, get_context("spawn")) as pool:
        table = []
        for family in FAMILIES:
            rate = sum(pool.map(_rendered, [family] * CORES, range(CORES)))
            what = f"{family} frames at 224 px, {CORES} cores"
            table.append(Row(what, f"{rate:.0f} a second", f"≥ {BAR} a second", rate >= BAR))
        looks = sum(pool.map(_looked, ["packing"] * CORES, range(CORES)))
        return [
            *table,
            Row("truth of packing scenes", f"{looks:.0f} × real time", "≥ 10 × real time", looks >= 10),
        ]


def _rendered(family: str, seed: int) -> float:
    scene = _scene(family, seed)
    return _rate(lambda number: scene.frame(SECONDS * number / FRAMES, SIZE), FRAMES)


def _looked(family: str, seed: int) -> float:
    scene = _scene(family, seed)
    looks = 10 * int(SECONDS)
    return _rate(lambda number: scene.boxes(number / 10), looks) / 10


def _scene(family: str, seed: int) -> Scene:
    scene = make_scene(family, seed, "unseen" if family in UNSEEN_FAMILIES else "train", SECONDS)
    # Compiling the kernels and painting the textures happens once, not once a frame.
    scene.frame(0.0, SIZE)
    scene.boxes(0.0)
    return scene


def _rate(work: Callable[[int], object], times: int) -> float:
    started = time.process_time()
    for number in range(times):
        work(number)
    return times / (time.process_time() - started)


if __name__ == "__main__":
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")
    print(markdown(rows()), end="")
