"""Small pictures out of videos, as addresses a page can carry inside itself."""

import base64
from collections import defaultdict
from pathlib import Path

from stamina_video.data.contact_sheet import ContactSheets
from stamina_video.semantics import StaminaError

MOST = 600  # pictures a page: about 5 MB


class Album:
    """Pictures are asked for first, then developed with one pass over each video."""

    def __init__(self, folder: Path | None, most: int = MOST) -> None:
        self._folder = folder
        self._room = most
        self._wanted: defaultdict[str, set[float]] = defaultdict(set)
        self._pictures: dict[tuple[str, float], str] = {}
        self.turned_away = 0
        self.unreadable: dict[str, str] = {}  # video -> why it gave no pictures

    def ask(self, video: str, time: float) -> None:
        if self._folder is None or time in self._wanted[video]:
            return
        if self._room == 0:
            self.turned_away += 1
            return
        self._room -= 1
        self._wanted[video].add(time)

    def develop(self) -> None:
        for video, times in self._wanted.items():
            try:
                self._develop(video, times)
            except (StaminaError, OSError) as error:
                self.unreadable[video] = str(error)

    def picture(self, video: str, time: float) -> str | None:
        """A data address, or None where the picture was not asked for or could not be read."""
        return self._pictures.get((video, time))

    def _develop(self, video: str, times: set[float]) -> None:
        sheets = ContactSheets(_within(self._folder, video))
        frames = {time: sheets.shown_at(time) for time in times}
        pictures = sheets.pictures(frame for frame in frames.values() if frame is not None)
        for time, frame in frames.items():
            if frame is not None and frame in pictures:
                self._pictures[video, time] = data_address(pictures[frame])


def data_address(jpeg: bytes) -> str:
    return f"data:image/jpeg;base64,{base64.b64encode(jpeg).decode()}"


def _within(folder: Path | None, video: str) -> Path:
    """The video's file. A result from elsewhere may name any path; only those in the folder are opened."""
    assert folder is not None, "nothing is asked for without a folder"
    path = (folder / video).resolve()
    if not path.is_relative_to(folder.resolve()) or not path.exists():
        raise StaminaError(f"expected {video} in {folder}, got no such file")
    return path
