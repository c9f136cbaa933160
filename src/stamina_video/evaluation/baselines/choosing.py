"""From a name such as baseline:zero to a counter."""

from collections.abc import Callable, Mapping, Sequence

from stamina_video.evaluation.baselines.constant import Constant, best_constants
from stamina_video.evaluation.baselines.cuts import Cuts
from stamina_video.evaluation.baselines.cycles import Cycles
from stamina_video.evaluation.baselines.tracker import Tracker
from stamina_video.evaluation.running.counter import Counter
from stamina_video.semantics import InvalidInput, Question

PREFIX = "baseline:"


def baseline(name: str, questions: Sequence[Question]) -> Counter:
    """The baseline of this name; the best constant is chosen on the questions' own answers."""
    make = BASELINES.get(name.removeprefix(PREFIX))
    if make is None:
        raise InvalidInput(f"expected {PREFIX} and one of {', '.join(BASELINES)}, got {name!r}")
    return make(questions)


def _tracker(questions: Sequence[Question]) -> Counter:
    del questions  # it looks at the video only
    # Imported here: the detector's runtime takes a second to load, which the others need not wait for.
    from stamina_video.backbone.perception.efficientdet import EfficientDet  # noqa: PLC0415
    from stamina_video.backbone.perception.pretrained import THREADS  # noqa: PLC0415
    from stamina_video.backbone.text import load_text_encoder  # noqa: PLC0415
    from stamina_video.backbone.weights import fetch  # noqa: PLC0415

    detector = EfficientDet(fetch("efficientdet-lite2"), THREADS)
    return Tracker(detector, load_text_encoder(), detector.vocabulary)


BASELINES: Mapping[str, Callable[[Sequence[Question]], Counter]] = {
    "zero": lambda _: Constant(),
    "constant": lambda questions: Constant("baseline:constant", best_constants(questions)),
    "tracker": _tracker,
    "cuts": lambda _: Cuts(),
    "cycles": lambda _: Cycles(),
}
