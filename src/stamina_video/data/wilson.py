"""The Wilson interval of a proportion: honest near 0 and 1, where few were wrong."""

import math

Z = 1.959964  # 95 %


def wilson(successes: int, trials: int) -> tuple[float, float] | None:
    """The lowest and highest rates that this outcome does not speak against; None without trials."""
    if trials == 0:
        return None
    rate = successes / trials
    middle = rate + Z**2 / (2 * trials)
    spread = Z * math.sqrt(rate * (1 - rate) / trials + Z**2 / (4 * trials**2))
    scale = 1 + Z**2 / trials
    return max((middle - spread) / scale, 0.0), min((middle + spread) / scale, 1.0)
