"""One online decision against one frame's perception, and retrieval as identities accumulate."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from statistics import median

import torch

from benchmarks.perception import Spent, frames, timed
from benchmarks.table import Row, markdown
from stamina_video.backbone import CompactBackbone, load_perception, load_text_encoder
from stamina_video.backbone.decoder import CompactDecoder, DecoderConfig
from stamina_video.runtime.loading import SHIPPED
from stamina_video.semantics import Features, Observation, StaminaError, Target
from stamina_video.transitions.config import HeadsConfig
from stamina_video.transitions.decide import decide
from stamina_video.transitions.heads import Heads
from stamina_video.transitions.registry import Registry
from stamina_video.transitions.retrieval import nearest
from stamina_video.transitions.state import TargetState

IDENTITIES = 1_000
SCENES, WARM_UP = 20, 3
REPEATS = 9
SHARE = 0.05  # of one frame's perception
NOISE = 1.25  # two measurements of the same work may differ by this much
WIDTH = 256
DECISION = f"one object decision against {IDENTITIES:,} identities and one event decision with 4 slots"


@dataclass(frozen=True, slots=True)
class Step:
    """One frame: perceiving it, and deciding on as many visual vectors that are new in every frame."""

    seen: Spent
    objects: Spent
    events: Spent


def rows() -> list[Row]:
    threads = torch.get_num_threads()
    torch.set_num_threads(1)  # as a decision runs; a second one would mostly wait where cores are busy
    torch.manual_seed(0)
    try:
        with torch.inference_mode():
            return [*_decisions(), *_retrievals()]
    finally:
        torch.set_num_threads(threads)


def _decisions() -> list[Row]:
    bar = f"≤ {SHARE:.0%} of one frame's time"
    try:
        backbone = _fresh_backbone()
    except StaminaError:
        return [Row(DECISION, "not measured: the backbone's weights cannot be had", bar, False)]
    steps = list(_steps(backbone))[WARM_UP:]
    clock, processor = (
        [median(getattr(part, kind) for part in parts) for parts in _parts(steps)]
        for kind in ("clock", "processor")
    )
    share, processor_share = ((each[1] + each[2]) / each[0] for each in (clock, processor))
    return [
        Row(
            "one 720p frame, compact backbone, torch on one thread", _ms(clock[0], processor[0]), "none", True
        ),
        Row(f"one object decision, {IDENTITIES:,} identities", _ms(clock[1], processor[1]), "none", True),
        Row("one event decision, 4 slots", _ms(clock[2], processor[2]), "none", True),
        Row(
            f"{DECISION}, against that frame",
            f"{share:.1%} ({processor_share:.1%} of processor time)",
            bar,
            share <= SHARE,
        ),
    ]


def _parts(steps: list[Step]) -> tuple[list[Spent], ...]:
    return [step.seen for step in steps], [step.objects for step in steps], [step.events for step in steps]


def _ms(clock: float, processor: float) -> str:
    return f"{clock:.1f} ms ({processor:.1f} of processor time)"


def _fresh_backbone() -> CompactBackbone:
    eyes = load_perception(SHIPPED / "nano")
    return CompactBackbone(eyes, load_text_encoder(), CompactDecoder(DecoderConfig(eyes.layout)).eval())


def _steps(backbone: CompactBackbone) -> Iterator[Step]:
    config = HeadsConfig(backbone.width, backbone.target_width)
    heads, target_D = Heads(config), backbone.encode_target("red mugs")
    objects = TargetState.initial("camera", Target("red mugs", "O2-Unique"), config)
    objects = replace(objects, registry=_registry(IDENTITIES, config.width))
    events = TargetState.initial("camera", Target("push-ups", "E2-Episode"), config)
    state = backbone.initial()
    for index, image in enumerate(frames()[: SCENES + WARM_UP]):
        frame = Observation("camera", index, float(index), image, index)
        observed, seen = timed(partial(backbone.observe, state, frame))
        state = observed.state
        # Random vectors leave every query its own candidate, which is the most work a decision can have.
        tokens_JW = torch.randn(len(observed.tokens_ND), config.width)
        features = Features(index, float(index), tokens_JW, tokens_JW.mean(0), target_D)
        (objects, _), of_objects = timed(partial(decide, heads, objects, features))
        (events, _), of_events = timed(partial(decide, heads, events, features))
        yield Step(seen, of_objects, of_events)


def _retrievals() -> Iterator[Row]:
    """Exact shortlists; the time per identity must not grow with their number."""
    config = HeadsConfig(WIDTH, WIDTH)
    candidates_CW, ten_CW = torch.randn(config.queries, WIDTH), torch.ones(10, WIDTH)
    least: float | None = None  # milliseconds per identity, of the smallest registry
    for identities in (1_000, 10_000, 100_000):
        registry = _registry(identities, WIDTH)
        spread = range(0, identities, identities // 10)
        asked = _median_ms(partial(nearest, registry, candidates_CW, config.shortlist))
        written = _median_ms(partial(registry.write, spread, ten_CW, 1.0))
        what = f"{identities:,} identities: shortlists of {config.queries} candidates; 10 prototypes replaced"
        figure, each = f"{asked:.1f} ms; {written:.1f} ms", asked / identities
        if least is None:
            least = each
            yield Row(what, figure, "none", True)
        else:
            ratio = each / least
            bar = f"linear: ≤ {NOISE} × per identity, noise included"
            yield Row(what, f"{figure}; {ratio:.2f} × the time per identity", bar, ratio <= NOISE)


def _median_ms(work: Callable[[], object]) -> float:
    return median(timed(work)[1].clock for _ in range(REPEATS))


def _registry(identities: int, width: int) -> Registry:
    return Registry(width).write(range(identities), torch.randn(identities, width), 0.0)


if __name__ == "__main__":
    print(markdown(rows()))
