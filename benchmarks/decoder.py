"""The compact decoder and its memory: `python -m benchmarks.decoder`."""

import math
import time
from collections.abc import Callable, Sequence
from functools import partial

import numpy as np
import torch
from torch import Tensor
from torch.nn.functional import logsigmoid, normalize

from benchmarks.table import Row, markdown
from stamina_video.backbone.decoder import CompactDecoder, DecoderConfig, DecoderState
from stamina_video.backbone.delta_rule import DeltaInputs, DeltaRule, chunked_delta_rule, looped_delta_rule
from stamina_video.backbone.perception import Percept, PerceptLayout
from stamina_video.backbone.tokens import TokenBatch, collate

LAYOUT = PerceptLayout()
TRAINED = 128  # observations of a training trajectory
MINUTE = 60  # observations at one a second
STEP_MS, GROWTH, SPEEDUP, MEGABYTES = 15.0, 1.05, 5.0, 40.0


def rows() -> list[Row]:
    threads = torch.get_num_threads()
    torch.set_num_threads(2)
    torch.manual_seed(0)
    try:
        decoder = CompactDecoder(DecoderConfig(LAYOUT))
        return [_size(decoder), *_steps(decoder), _training(decoder), _recurrence()]
    finally:
        torch.set_num_threads(threads)


def _size(decoder: CompactDecoder) -> Row:
    megabytes = sum(4 * parameter.numel() for parameter in decoder.parameters()) / 1e6
    return Row("trained parameters", f"{megabytes:.1f} MB", f"≤ {MEGABYTES:.0f} MB", megabytes <= MEGABYTES)


@torch.inference_mode()
def _steps(decoder: CompactDecoder) -> list[Row]:
    scenes = [_percept(seed) for seed in range(MINUTE)]
    early = _after(decoder, decoder.initial(), scenes, range(1))
    late = _after(decoder, early, scenes, range(1, 30))
    after_1, after_30 = _fastest_ms(
        partial(_step, decoder, early, scenes[0], float(MINUTE)),
        partial(_step, decoder, late, scenes[0], 30.0 * MINUTE),
    )
    growth, bytes_growth = after_30 / after_1, _bytes(late) / _bytes(early)
    return [
        Row(
            f"one observation of {LAYOUT.most_tokens} tokens, 2 threads",
            f"{after_1:.1f} ms",
            f"≤ {STEP_MS:.0f} ms",
            after_1 <= STEP_MS,
        ),
        Row("step time, minute 30 ÷ minute 1", f"{growth:.2f}", f"≤ {GROWTH}", growth <= GROWTH),
        Row(
            f"state, minute 30 ÷ minute 1 ({_bytes(early) / 1e6:.1f} MB)",
            f"{bytes_growth:.2f}",
            "1",
            bytes_growth == 1,
        ),
    ]


def _training(decoder: CompactDecoder) -> Row:
    batch = collate([[(step / 5, _percept(step)) for step in range(TRAINED)]])
    (spent,) = _fastest_ms(partial(_learn, decoder, batch), repeats=3)
    rate = 1e3 * TRAINED / spent
    return Row(
        f"training, forward and backward over {TRAINED} observations, 2 threads",
        f"{rate:.0f} observations a second",
        "measured",
        True,
    )


def _recurrence() -> Row:
    inputs = _delta_inputs(1024)
    looped, chunked = _fastest_ms(
        partial(_recur, looped_delta_rule, inputs), partial(_recur, chunked_delta_rule, inputs), repeats=3
    )
    ratio = looped / chunked
    return Row(
        "chunked delta rule against the plain loop, 1,024 tokens, with gradients",
        f"{ratio:.0f} × faster ({chunked:.0f} ms)",
        f"≥ {SPEEDUP:.0f} ×",
        ratio >= SPEEDUP,
    )


def _after(
    decoder: CompactDecoder, state: DecoderState, scenes: Sequence[Percept], minutes: range
) -> DecoderState:
    for minute in minutes:
        moments = [(float(MINUTE * minute + second), percept) for second, percept in enumerate(scenes)]
        state = decoder(collate([moments]), state).state
    return state


def _step(decoder: CompactDecoder, state: DecoderState, percept: Percept, second: float) -> DecoderState:
    after: DecoderState = decoder(collate([[(second, percept)]]), state).state
    return after


def _learn(decoder: CompactDecoder, batch: TokenBatch) -> None:
    decoder.zero_grad()
    torch.autograd.backward(decoder(batch, decoder.initial()).tokens_BTNF.square().mean())


def _recur(rule: DeltaRule, inputs: DeltaInputs) -> None:
    readouts, _ = rule(inputs, torch.zeros(1, 8, 64, 64))
    torch.autograd.backward(readouts.square().mean())


def _percept(seed: int) -> Percept:
    """Random features in the fullest layout; no figure here depends on what is seen."""
    rng, tokens = np.random.default_rng(seed), LAYOUT.most_tokens
    arrays = {
        name: rng.random((tokens, width) if width else tokens, dtype=np.float32)
        for name, width in LAYOUT.widths.items()
    }
    return Percept(**arrays, kind_N=np.zeros(tokens, np.int8))


def _delta_inputs(tokens: int) -> DeltaInputs:
    def normal(width: int) -> Tensor:
        return torch.randn(1, 8, tokens, width)

    parts = (normalize(normal(64), dim=-1), normalize(normal(64), dim=-1), normal(64))
    gates = (logsigmoid(4 + normal(1)), normal(1).sigmoid())
    return DeltaInputs(*(part.requires_grad_() for part in (*parts, *gates)))


def _bytes(state: DecoderState) -> int:
    return sum(tensor.numel() * tensor.element_size() for tensor in state.tensors().values())


def _fastest_ms(*calls: Callable[[], object], repeats: int = 60) -> list[float]:
    """The fastest of each, taken in turns: other load on the machine only adds, and adds to all alike."""
    fastest = [math.inf] * len(calls)
    for _ in range(repeats):
        for place, call in enumerate(calls):
            began = time.perf_counter()
            call()
            fastest[place] = min(fastest[place], 1e3 * (time.perf_counter() - began))
    return fastest


if __name__ == "__main__":
    print(markdown(rows()))
