"""The assembled model, the one step that advances its state, and the drivers of that step."""

from stamina_video.runtime.loading import load
from stamina_video.runtime.model import Model
from stamina_video.runtime.replay import replay
from stamina_video.runtime.session import Session
from stamina_video.runtime.snapshot import load_state, save_state
from stamina_video.runtime.state import StreamState
from stamina_video.runtime.step import step

__all__ = ["Model", "Session", "StreamState", "load", "load_state", "replay", "save_state", "step"]
