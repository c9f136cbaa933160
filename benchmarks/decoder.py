"""The compact decoder and its memory: `python -m benchmarks.decoder`."""

from collections.abc import Sequence
from functools import partial

import numpy as np
import torch

from benchmarks.measuring import MINUTE, fastest_ms, growth_rows, recurrence_row
from benchmarks.table import Row, markdown
from stamina_video.backbone.decoder import CompactDecoder, DecoderConfig, DecoderState
from stamina_video.backbone.delta_rule import chunked_delta_rule
from stamina_video.backbone.perception import Percept, PerceptLayout
from stamina_video.backbone.tokens import TokenBatch, collate

LAYOUT = PerceptLayout()
TRAINED = 128  # observations of a training trajectory
STEP_MS, MEGABYTES = 15.0, 40.0
STEPS = 60  # measured


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
    after_1, after_30 = fastest_ms(
        partial(_step, decoder, early, scenes[0], float(MINUTE)),
        partial(_step, decoder, late, scenes[0], 30.0 * MINUTE),
        repeats=STEPS,
    )
    return [
        Row(
            f"one observation of {LAYOUT.most_tokens} tokens, 2 threads",
            f"{after_1:.1f} ms",
            f"≤ {STEP_MS:.0f} ms",
            after_1 <= STEP_MS,
        ),
        *growth_rows(after_1, after_30, early, late),
    ]


def _training(decoder: CompactDecoder) -> Row:
    batch = collate([[(step / 5, _percept(step)) for step in range(TRAINED)]])
    (spent,) = fastest_ms(partial(_learn, decoder, batch), repeats=3)
    rate = 1e3 * TRAINED / spent
    return Row(
        f"training, forward and backward over {TRAINED} observations, 2 threads",
        f"{rate:.0f} observations a second",
        "measured",
        True,
    )


def _recurrence() -> Row:
    return recurrence_row("chunked delta rule", chunked_delta_rule, tokens=1024, repeats=3)


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


def _percept(seed: int) -> Percept:
    """Random features in the fullest layout; no figure here depends on what is seen."""
    rng, tokens = np.random.default_rng(seed), LAYOUT.most_tokens
    arrays = {
        name: rng.random((tokens, width) if width else tokens, dtype=np.float32)
        for name, width in LAYOUT.widths.items()
    }
    return Percept(**arrays, kind_N=np.zeros(tokens, np.int8), seat_N=np.full(tokens, -1, np.int8))


if __name__ == "__main__":
    print(markdown(rows()))
