"""Sources of video and the schedules on which they are observed."""

from stamina_video.video.frame import Frame
from stamina_video.video.gap import Gap
from stamina_video.video.live import LiveSettings
from stamina_video.video.source import Recording, Source
from stamina_video.video.video import Video, open_video

__all__ = ["Frame", "Gap", "LiveSettings", "Recording", "Source", "Video", "open_video"]
