"""Plays a video once through a model that speaks, and asks it when the time has come. Counts nothing."""

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass

import torch

from stamina_video import runtime
from stamina_video.backbone.contract import Speaking
from stamina_video.cli.output import emit, say
from stamina_video.runtime import Model, StreamState, step
from stamina_video.semantics import InvalidInput
from stamina_video.video import Gap, Video


@dataclass(frozen=True, slots=True)
class Said:
    at: float
    answer: str


def run(video: Video, question: str, at: Sequence[float], name: str, as_json: bool) -> None:
    model = runtime.load(name)
    answers = list(asked(model, video, question, at))
    if as_json:
        shown = [asdict(said) for said in answers]
        emit({"video": video.stream, "model": model.name, "question": question, "answers": shown})
        return
    for said in answers:
        print(f"{said.at:g} s: {said.answer}")


def asked(model: Model, video: Video, question: str, at: Sequence[float]) -> Iterator[Said]:
    """The answers as of these moments, in order of time; as of the last observation where there are none."""
    speaker = model.speaker  # refuses a model without words before anything is looked at
    state, reached = StreamState.initial(model, video.stream, ()), 0.0
    waiting = deque(at)
    for item in video:
        if isinstance(item, Gap):
            continue
        while waiting and waiting[0] < item.time:
            yield _said(speaker, state, question, waiting.popleft())
        with torch.no_grad():
            state, _ = step(model, state, item)
        reached = item.time
    for moment in waiting if at else [reached]:
        if video.duration is not None and moment > max(video.duration, reached):
            say(f"{moment:g} s is beyond the end of the video: the answer is that of the end")
        yield _said(speaker, state, question, moment)


def _said(speaker: Speaking, state: StreamState, question: str, at: float) -> Said:
    if state.observations == 0:
        raise InvalidInput(f"expected --at from the first observation on, got {at:g} s")
    return Said(at, speaker.ask(state.backbone, question, at))
