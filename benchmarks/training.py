"""Training of the compact model on made-up percepts: `python -m benchmarks.training`."""

import json
import os
import resource
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from functools import partial
from pathlib import Path

import numpy as np
import torch

from benchmarks.measuring import fastest_ms
from benchmarks.table import Row, markdown
from stamina_video.backbone import CompactBackbone
from stamina_video.backbone.decoder import CompactDecoder, DecoderConfig
from stamina_video.backbone.perception import Percept, PerceptLayout, TokenKind
from stamina_video.runtime import Model
from stamina_video.semantics import Observation, Target
from stamina_video.training import Lesson, Recipe, Sample, terms
from stamina_video.training.loop import Plan, Run
from stamina_video.training.percepts import CachedEyes
from stamina_video.training.records import RunFolder
from stamina_video.transitions import CountLabels, Heads, HeadsConfig, combined
from tests.backbone.fakes import ToyText

LENGTH, BATCH, UPDATES = 24, 8, 4
LONGER = (16, 32, 64)
LAYOUT = PerceptLayout()


def rows() -> list[Row]:
    threads = torch.get_num_threads()
    torch.set_num_threads(2)
    try:
        return [*_where_time_goes(), _processes(), _peaks()]
    finally:
        torch.set_num_threads(threads)


def _where_time_goes() -> list[Row]:
    model, sample = a_model(), a_sample(0, LENGTH)
    calls = (_look, terms, _learn)
    torch.set_num_threads(1)  # processor time then is the time it takes where nothing else runs
    measured = fastest_ms(
        *(partial(call, model, sample) for call in calls), repeats=3, clock=time.process_time
    )
    alone, forward, whole = (spent / 1e3 for spent in measured)
    shares = {
        "backbone": alone,
        "decisions, losses and their graph": forward - alone,
        "backward": whole - forward,
    }
    told = ", ".join(f"{name} {100 * spent / whole:.0f} %" for name, spent in shares.items())
    return [
        Row(
            f"trajectories of {LENGTH} observations and 2 targets, forward and backward, 1 thread",
            f"{1 / whole:.2f} a second",
            "measured",
            True,
        ),
        Row("where the time goes (eyes cached)", told, "measured", True),
        Row("a joint step ÷ the frozen backbone alone", f"{whole / alone:.1f}", "measured", True),
    ]


def _processes() -> Row:
    """One thread each, so that a second process brings a second core."""
    one, two = _update_seconds(1), _update_seconds(2)
    efficiency = one / (2 * two)
    return Row(
        f"two processes ÷ twice one, a batch of {BATCH}",
        f"{efficiency:.2f} ({one:.1f} s and {two:.1f} s an update)",
        "measured",
        True,
    )


def _peaks() -> Row:
    peaks = [int(_worker("peak", str(length))) / 1e3 for length in LONGER]
    told = ", ".join(f"{length}: {peak:.0f} MB" for length, peak in zip(LONGER, peaks, strict=True))
    slope = (peaks[-1] - peaks[0]) / (LONGER[-1] - LONGER[0])
    return Row(
        "peak memory of a process by observations of a trajectory",
        f"{told} ({slope:.1f} MB an observation)",
        "measured",
        True,
    )


def _update_seconds(processes: int) -> float:
    with socket.socket() as free, tempfile.TemporaryDirectory() as folder:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
        free.close()
        shared = {"WORLD_SIZE": str(processes), "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": port}
        workers = [
            _started("run", folder, **(shared | {"RANK": str(rank), "LOCAL_RANK": str(rank)}))
            for rank in range(processes)
        ]
        said = [worker.communicate()[0] for worker in workers]
        return float(json.loads(said[0])["seconds"])


def _worker(*arguments: str) -> str:
    return _started(*arguments).communicate()[0]


def _started(*arguments: str, **environment: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "benchmarks.training", *arguments],
        stdout=subprocess.PIPE,
        text=True,
        env=os.environ | {"OMP_NUM_THREADS": "1", "ACCELERATE_USE_CPU": "1"} | environment,
    )


def _run(folder: Path) -> None:
    recipe = Recipe("bench", model="nano", warm_up=0, epochs=UPDATES, batch=BATCH)
    plan = Plan(recipe, [a_sample(number, LENGTH) for number in range(BATCH)])
    run = Run(plan, a_model(), RunFolder(folder))
    run.begin()
    run.finish()
    print(json.dumps({"seconds": statistics.median(row.seconds for row in run.folder.rows())}))


def _peak(length: int) -> None:
    _learn(a_model(), a_sample(0, length))
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)


def a_model() -> Model:
    torch.manual_seed(0)
    backbone = CompactBackbone(CachedEyes(LAYOUT), ToyText(), CompactDecoder(DecoderConfig(LAYOUT)))
    return Model("bench", backbone, Heads(HeadsConfig(backbone.width, backbone.target_width)))


def a_sample(number: int, length: int) -> Sample:
    name = f"clip-{number}"
    seen = [
        Observation(name, index, index / 2, _percept(100 * number + index), index) for index in range(length)
    ]
    every = torch.arange(1, length + 1)
    objects = Lesson(
        Target("red mugs", "O2-Unique"),
        visible=CountLabels(every, 1 + every % 3),
        unique=CountLabels(every, (every + 3) // 4),
    )
    swings = Lesson(Target("swing", "E2-Periodic"), completed=CountLabels(every[3::4], every[3::4] // 4))
    return Sample(name, lambda: seen, (objects, swings))


def _percept(seed: int) -> Percept:
    """Random features in the fullest layout; no figure here depends on what is seen."""
    rng = np.random.default_rng(seed)
    kinds = (
        [TokenKind.DETECTION] * LAYOUT.detections
        + [TokenKind.GRID] * LAYOUT.grid**2
        + [TokenKind.REGION] * LAYOUT.regions
        + [TokenKind.GLOBAL]
    )
    arrays = {
        name: rng.random((len(kinds), width) if width else len(kinds), dtype=np.float32)
        for name, width in LAYOUT.widths.items()
    }
    seats = [*range(LAYOUT.detections), *[-1] * LAYOUT.grid**2, *range(LAYOUT.detections, LAYOUT.seats)]
    return Percept(**arrays, kind_N=np.array(kinds, np.int8), seat_N=np.array(seats, np.int8))


@torch.no_grad()
def _look(model: Model, sample: Sample) -> None:
    state = model.backbone.initial()
    for observation in sample.read():
        state = model.backbone.observe(state, observation).state


def _learn(model: Model, sample: Sample) -> None:
    loss = combined(terms(model, sample))
    assert loss is not None, "the sample has labels"
    torch.autograd.backward(loss)


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["run", folder]:
            torch.set_num_threads(1)
            _run(Path(folder))
        case ["peak", length]:
            torch.set_num_threads(2)
            _peak(int(length))
        case _:
            print(markdown(rows()))
