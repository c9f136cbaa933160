"""Real clips as the frozen eyes see them: a detector's boxes with their motion, an encoder's features."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from stamina_video.cli.output import say
from stamina_video.semantics import InvalidInput, StaminaError

ENDINGS = {".avi", ".mkv", ".mov", ".mp4", ".mpg", ".webm", ".wmv"}
LONGEST = 20.0  # seconds of each clip: long ones would outvote the others


def clips_in(folder: Path) -> list[Path]:
    """Every video below a folder, by name."""
    found = sorted(path for path in folder.rglob("*") if path.suffix.lower() in ENDINGS)
    if not found:
        raise InvalidInput(f"expected a folder with video clips, got {folder}")
    return found


def watched(clips: Sequence[Path], fps: float) -> Iterator[Any]:
    """What the detector reports of each clip, as a stream; one that cannot be read is named and left out."""
    import numpy as np  # noqa: PLC0415  # commands start without it

    from stamina_video.backbone.perception.motion import MOTION_CHANNELS, look  # noqa: PLC0415
    from stamina_video.backbone.perception.perception import shrunk  # noqa: PLC0415
    from stamina_video.backbone.perception.pretrained import load_retina  # noqa: PLC0415
    from stamina_video.data.perception import stream_of  # noqa: PLC0415

    detector = load_retina()
    for number, clip in enumerate(clips, start=1):
        times, boxes, labels, motions, glimpse = [], [], [], [], None
        vocabulary: tuple[str, ...] = ()
        for time, image in _observed(clip, fps):
            detections = detector(image)
            motion, glimpse = look(shrunk(image), glimpse)
            nothing = np.zeros((0, len(MOTION_CHANNELS)), np.float32)
            times.append(time)
            boxes.append(detections.boxes_K4)
            labels.append(detections.labels_KV)
            motions.append(motion.over(detections.boxes_K4) if len(detections) else nothing)
            vocabulary = detections.vocabulary
        say(f"{number} of {len(clips)}: {clip.name}, {len(times)} observations")
        if times:
            yield stream_of(vocabulary, times, boxes, labels, motions)


def featured(images: Iterable[Any]) -> Any:
    """One vector a picture: the encoder's fields, each averaged over the picture."""
    import numpy as np  # noqa: PLC0415  # commands start without it

    from stamina_video.backbone.perception.pretrained import THREADS  # noqa: PLC0415
    from stamina_video.backbone.perception.tinyvit import TinyViT  # noqa: PLC0415
    from stamina_video.backbone.weights import fetch  # noqa: PLC0415

    encoder = TinyViT(fetch("tiny-vit-5m"), THREADS)
    fields = (encoder.encode(image) for image in images)
    return np.array([np.concatenate([part.mean((0, 1)) for part in parts]) for parts in fields], np.float64)


def pictures(clip: Path, number: int) -> list[Any]:
    """So many pictures of a clip, evenly spread over its first seconds."""
    images = [image for _, image in _observed(clip, 1.0)]
    chosen = sorted({k * (len(images) - 1) // max(number - 1, 1) for k in range(number)})
    return [images[k] for k in chosen] if images else []


def _observed(clip: Path, fps: float) -> Iterator[tuple[float, Any]]:
    from stamina_video.video import Gap, open_video  # noqa: PLC0415  # commands start without a decoder

    try:
        with open_video(clip, fps=fps, until=LONGEST) as video:
            for item in video:
                if not isinstance(item, Gap):
                    yield item.time, item.image
    except StaminaError as error:
        say(f"left out: {error}")
