"""What happens in a scene, written down while it is staged. Truth about events is read from here alone."""

from dataclasses import dataclass

PICTURE = -1  # the subject of what happens to the scene as a whole: a cut, a belt that stops


@dataclass(frozen=True, slots=True)
class Occurrence:
    """One event of one subject. Without a completion it was begun and given up.

    `start` is None for events without extent; a start before zero was under way when the video began.
    `reset` is when the subject is eligible again.
    """

    event: str
    subject: int
    start: float | None
    completion: float | None
    reset: float | None = None
