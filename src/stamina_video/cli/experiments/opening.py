"""Opens the ground of an experiment: model, eyes and cache folder as the command line names them."""

import logging
from collections.abc import Callable, Sequence
from pathlib import Path

from stamina_video.backbone import load_text_encoder
from stamina_video.backbone.weights.cache import weights_folder
from stamina_video.runtime import load
from stamina_video.training.experiments.ground import FULL, QUICK, Ground
from stamina_video.training.experiments.snapshot import Size, compact, informed, trained

SEES = "nano"  # whose eyes a model without training looks through


def opened(
    model: str | None, cache: Path | None, quick: bool, say: Callable[[str], None], data: Sequence[Path] = ()
) -> Ground:
    # Endpoints out of reach are counted on the page; a line for each would bury it.
    logging.getLogger("stamina_video.transitions").setLevel(logging.ERROR)
    looking = load(SEES if model is None else model)
    eyes = compact(looking).eyes
    start = informed(eyes.layout, load_text_encoder(), Size()) if model is None else trained(looking)
    folder = cache or weights_folder().parent / "experiments"
    return Ground(start, lambda: eyes, folder, QUICK if quick else FULL, say, tuple(data))
