"""The Full and Stream choices of `semantics`, made while frames arrive."""

from collections.abc import Sequence

from stamina_video.semantics.schedule import check_rate, is_latest_at_tick, ticks_before, ticks_until
from stamina_video.video.frame import Frame, Items
from stamina_video.video.gap import Gap


def latest_at_ticks(items: Items, fps: float) -> Items:
    """`semantics.stream_indices` one frame behind: whether a frame counts depends on the next one's time."""
    check_rate(fps)
    held: Frame | None = None
    gaps: list[Gap] = []  # after the held frame, so told after it
    origin = 0.0
    for item in items:
        if isinstance(item, Gap):
            gaps.append(item)
            continue
        if held is None:
            origin = item.time
        elif is_latest_at_tick(held.time, item.time, fps, origin):
            yield held
        yield from gaps
        gaps.clear()
        held = item
    if held and ticks_until(held.time, fps, origin) > ticks_before(held.time, fps, origin):
        yield held
    yield from gaps


def at_positions(items: Items, indices: Sequence[int]) -> Items:
    """The frames at these ascending positions; the next one there is where damage took one."""
    remaining = iter(indices)
    wanted = next(remaining, None)
    for item in items:
        if isinstance(item, Gap):
            yield item
        elif wanted is None:
            return  # only now: a gap after the last frame is told too
        elif item.index >= wanted:
            yield item
            wanted = next((index for index in remaining if index > item.index), None)


def up_to(items: Items, until: float | None) -> Items:
    """The causal prefix: nothing after `until`."""
    for item in items:
        at = item.start if isinstance(item, Gap) else item.time
        if until is not None and at > until:
            return
        yield item
