"""Our models behind the interface of those that answer in words."""

import io
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import av
import torch

from stamina_video.runtime import Model, StreamState, step
from stamina_video.semantics import InvalidInput, Observation

AFTER = 1.0  # seconds between the video's end, or a picture, and the next picture: as in Stream


@dataclass(frozen=True)
class ModelSpeaker:
    model: Model

    def __post_init__(self) -> None:
        self.model.speaker  # noqa: B018  # refuses a model without words before anything is looked at

    def begin(self, stream: str) -> "ModelConversation":
        return ModelConversation(self.model, stream)


class ModelConversation:
    def __init__(self, model: Model, stream: str) -> None:
        self._model = model
        self._state = StreamState.initial(model, stream, ())

    def observe(self, observation: Observation) -> None:
        self._state = self._seen(self._state, observation)

    def ask(self, prompt: str, at: float, pictures: Sequence[bytes]) -> str:
        state = self._state  # pictures are seen on a fork: the next question's stream has no place for them
        for picture in pictures:
            at += AFTER
            index = state.observations
            state = self._seen(state, Observation(state.stream, index, at, decoded(picture), index))
        return self._model.speaker.ask(state.backbone, prompt, at)

    def _seen(self, state: StreamState, observation: Observation) -> StreamState:
        with torch.no_grad():
            return step(self._model, state, observation)[0]


def decoded(picture: bytes) -> Any:
    """An option's picture in red, green and blue."""
    try:
        with av.open(io.BytesIO(picture), "r") as container:
            return next(container.decode(video=0)).to_ndarray(format="rgb24")
    except (av.FFmpegError, StopIteration) as error:
        raise InvalidInput(f"expected an option's picture, got {error}") from None
