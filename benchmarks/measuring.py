"""What the benchmarks of both backbones measure alike: the fastest call, growth, the recurrence."""

import math
import time
from collections.abc import Callable, Mapping
from functools import partial
from typing import Protocol

import torch
from torch import Tensor
from torch.nn.functional import logsigmoid, normalize

from benchmarks.table import Row
from stamina_video.backbone.delta_rule import DeltaInputs, DeltaRule, looped_delta_rule

MINUTE = 60  # observations at one a second
GROWTH, SPEEDUP = 1.05, 5.0
Clock = Callable[[], float]


class State(Protocol):
    def tensors(self) -> Mapping[str, Tensor]: ...


def fastest_ms(*calls: Callable[[], object], repeats: int, clock: Clock = time.perf_counter) -> list[float]:
    """The fastest of each, taken in turns: other load on the machine only adds, and adds to all alike."""
    fastest = [math.inf] * len(calls)
    for _ in range(repeats):
        for place, call in enumerate(calls):
            began = clock()
            call()
            fastest[place] = min(fastest[place], 1e3 * (clock() - began))
    return fastest


def growth_rows(early_ms: float, late_ms: float, early: State, late: State) -> list[Row]:
    """A step and a state after half an hour, against those after a minute."""
    slower, larger = late_ms / early_ms, _bytes(late) / _bytes(early)
    return [
        Row("step time, minute 30 ÷ minute 1", f"{slower:.2f}", f"≤ {GROWTH}", slower <= GROWTH),
        Row(f"state, minute 30 ÷ minute 1 ({_bytes(early) / 1e6:.1f} MB)", f"{larger:.3f}", "1", larger == 1),
    ]


def recurrence_row(
    name: str, rule: DeltaRule, tokens: int, repeats: int, clock: Clock = time.perf_counter
) -> Row:
    """A chunked rule against the plain loop, with gradients."""
    inputs = _delta_inputs(tokens)
    plain, fast = (partial(_recur, each, inputs) for each in (looped_delta_rule, rule))
    looped, chunked = fastest_ms(plain, fast, repeats=repeats, clock=clock)
    ratio = looped / chunked
    return Row(
        f"{name} against the plain loop, {tokens:,} tokens, with gradients",
        f"{ratio:.0f} × faster ({chunked:.0f} ms)",
        f"≥ {SPEEDUP:.0f} ×",
        ratio >= SPEEDUP,
    )


def _recur(rule: DeltaRule, inputs: DeltaInputs) -> None:
    with torch.enable_grad():
        readouts, _ = rule(inputs, torch.zeros(1, 8, 64, 64))
        torch.autograd.backward(readouts.square().mean())


def _delta_inputs(tokens: int) -> DeltaInputs:
    def normal(width: int) -> Tensor:
        return torch.randn(1, 8, tokens, width)

    parts = (normalize(normal(64), dim=-1), normalize(normal(64), dim=-1), normal(64))
    gates = (logsigmoid(4 + normal(1)), normal(1).sigmoid())
    return DeltaInputs(*(part.requires_grad_() for part in (*parts, *gates)))


def _bytes(state: State) -> int:
    return sum(tensor.numel() * tensor.element_size() for tensor in state.tensors().values())
