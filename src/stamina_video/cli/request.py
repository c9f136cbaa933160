"""What a person asks of `stamina count`, checked before any work."""

from collections.abc import Sequence
from dataclasses import dataclass

from stamina_video.semantics import InvalidInput, Operator, Target, seconds
from stamina_video.semantics.pace import Pace, pace_for
from stamina_video.semantics.schedule import Access, check_rate
from stamina_video.video import Video, open_video

__all__ = ["Access", "Request", "asked_pace", "asked_targets"]


@dataclass(frozen=True, slots=True)
class Request:
    """What to count, in which video, when to answer, and how often to look."""

    video: str
    targets: tuple[Target, ...]
    at: tuple[float, ...] = ()  # the end where empty
    since: float | None = None
    access: Access = Access.STREAM
    fps: float = 1.0
    may_slow_down: bool = False  # on a live stream, to what the machine sustains
    frames: int = 64
    ledger: str = ":memory:"

    def passes(self) -> list[tuple[float, ...]]:
        """The query times of each pass over the video: all at once, or each from a fresh start."""
        if self.access is Access.STREAM or not self.at:
            return [self.at]
        return [(at,) for at in sorted(set(self.at))]

    def open(self, at: tuple[float, ...]) -> Video:
        """The video up to the last of these query times."""
        until = max(at, default=None)
        if self.access is Access.STREAM:
            return open_video(self.video, self.fps, until=until)
        video = open_video(self.video, frames=self.frames, until=until)
        # Every replay is a stream of its own in a ledger: its observations are other ones.
        end = "the end" if until is None else f"{until:g} s"
        video.stream = f"{video.stream} (full, {self.frames} frames to {end})"
        return video

    def reopen(self, at: tuple[float, ...]) -> Video:
        """The same observations once more, as far back as an earlier run may have gone on."""
        return self.open(() if self.access is Access.STREAM else at)

    def __post_init__(self) -> None:
        for at in self.at:
            seconds(at, "--at")
        if self.since is not None:
            seconds(self.since, "--since")
        _check_window(self.targets, self.at, self.since)


def asked_targets(
    descriptions: Sequence[str], operators: Sequence[str], scopes: Sequence[str]
) -> tuple[Target, ...]:
    """Descriptions and operators in pairs; scopes for all of them or none."""
    if len(operators) != len(descriptions):
        raise InvalidInput(
            f"expected as many --operator as --target ({len(descriptions)}), got {len(operators)}"
        )
    if scopes and len(scopes) != len(descriptions):
        raise InvalidInput(
            f"expected no --scope or as many as --target ({len(descriptions)}), got {len(scopes)}"
        )
    named: Sequence[str | None] = scopes or [None] * len(descriptions)
    return tuple(map(Target, descriptions, operators, named))


def asked_pace(fps: str, targets: Sequence[Target]) -> Pace:
    """The rate in the words of --fps: a number, or what the targets need."""
    if fps.strip().lower() == "auto":
        return pace_for(targets)
    try:
        rate = float(fps)
    except ValueError:
        raise InvalidInput(f"expected --fps auto or a number above zero, got {fps!r}") from None
    check_rate(rate)
    return Pace(rate, "as asked", automatic=False)


_WINDOWED = " and ".join(operator for operator in Operator if operator.windowed)


def _check_window(targets: Sequence[Target], at: Sequence[float], since: float | None) -> None:
    windowed = [target for target in targets if target.operator.windowed]
    if since is None and windowed:
        raise InvalidInput(f"expected --since for {windowed[0].operator}, got none: it counts over a window")
    if since is not None and not windowed:
        operators = ", ".join(dict.fromkeys(target.operator for target in targets))
        raise InvalidInput(f"expected --since only with {_WINDOWED}, got it with {operators}")
    if since is not None and at and min(at) < since:
        raise InvalidInput(f"expected --since no later than any --at, got {since:g} and {min(at):g}")
