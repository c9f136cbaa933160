"""One online decision, and retrieval as identities accumulate: `python -m benchmarks.decision`."""

import math
import time
import timeit
from collections.abc import Callable
from dataclasses import replace
from functools import partial

import torch
from torch.nn.functional import normalize

from benchmarks.table import Row, markdown
from stamina_video.semantics import Features, Target
from stamina_video.transitions.config import HeadsConfig
from stamina_video.transitions.decide import decide
from stamina_video.transitions.heads import Heads
from stamina_video.transitions.registry import Registry
from stamina_video.transitions.retrieval import nearest
from stamina_video.transitions.state import TargetState

WIDTH = 256
IDENTITIES = 1_000
FRAMES = 30
BAR_MS = 7.5  # 5 % of a perception step of 150 ms
CONFIG = HeadsConfig(width=WIDTH, target_width=WIDTH)


def rows() -> list[Row]:
    threads = torch.get_num_threads()
    torch.set_num_threads(2)
    torch.manual_seed(0)
    try:
        with torch.inference_mode():
            return [*_decisions(), *_retrievals()]
    finally:
        torch.set_num_threads(threads)


def _decisions() -> list[Row]:
    heads = Heads(CONFIG)
    found = []
    for operator, what in (("O2-Unique", f"{IDENTITIES:,} identities"), ("E2-Episode", "4 slots")):
        for tokens in (64, 256):
            for changing, scene in ((False, "the same scene again"), (True, "everything changes")):
                spent = _decision_ms(heads, operator, tokens, changing)
                label = f"one decision, {what}, {tokens} visual vectors, {scene}"
                found.append(Row(label, f"{spent:.1f} ms", f"≤ {BAR_MS} ms", spent <= BAR_MS))
    return found


def _decision_ms(heads: Heads, operator: str, tokens: int, changing: bool) -> float:
    state = TargetState.initial("camera", Target("red mugs", operator), CONFIG)
    state = replace(state, registry=_registry(IDENTITIES))
    scenes = [_scene(index, tokens) for index in range(FRAMES)]
    if not changing:
        scenes = [replace(scenes[0], observation=index, time=float(index)) for index in range(FRAMES)]
    fastest = math.inf  # other load on the machine only adds
    for scene in scenes:
        began = time.perf_counter()
        state, _ = decide(heads, state, scene)
        fastest = min(fastest, time.perf_counter() - began)
    return 1e3 * fastest


def _retrievals() -> list[Row]:
    candidates_CW = torch.randn(CONFIG.queries, WIDTH)
    found = []
    for identities in (1_000, 10_000, 100_000):
        registry = _registry(identities)
        spread = range(0, identities, identities // 10)
        asked = _fastest_ms(partial(nearest, registry, candidates_CW, CONFIG.shortlist))
        written = _fastest_ms(partial(registry.write, spread, torch.ones(len(spread), WIDTH), 1.0))
        label = (
            f"{identities:,} identities: shortlists of {CONFIG.queries} candidates; 10 prototypes replaced"
        )
        found.append(Row(label, f"{asked:.1f} ms; {written:.1f} ms", "exact; measured", True))
    return found


def _fastest_ms(work: Callable[[], object], repeats: int = 7) -> float:
    return 1e3 * min(timeit.repeat(work, number=1, repeat=repeats))


def _registry(identities: int) -> Registry:
    return Registry(WIDTH).write(range(identities), torch.randn(identities, WIDTH), 0.0)


def _scene(index: int, tokens: int) -> Features:
    tokens_JW = torch.randn(tokens, WIDTH)
    return Features(index, float(index), tokens_JW, tokens_JW.mean(0), normalize(torch.ones(WIDTH), dim=0))


if __name__ == "__main__":
    print(markdown(rows()))
