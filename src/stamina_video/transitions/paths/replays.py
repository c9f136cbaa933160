"""Interval labels that overlap, sorted into chains that do not."""

from collections.abc import Sequence

Bounds = tuple[int, int]  # observations consumed at the left and the right end


def replays(intervals: Sequence[Bounds]) -> list[list[int]]:
    """Indices of intervals by replay: each chronological and without overlap, as few as possible.

    Each replay is its own row of `interval_log_likelihood`; together they carry one trajectory's weight.
    """
    chains: list[list[int]] = []
    for index in sorted(range(len(intervals)), key=lambda index: intervals[index]):
        start, _ = intervals[index]
        home = next((chain for chain in chains if intervals[chain[-1]][1] <= start), None)
        if home is None:
            chains.append([index])
        else:
            home.append(index)
    return chains
