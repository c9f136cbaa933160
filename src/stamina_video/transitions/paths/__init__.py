"""The exact sum over legal event paths, and what else is read off the same lattice.

The derivation and the fast way of computing it are in docs/path-sum.md.
"""

from stamina_video.transitions.paths.best import BestPath, most_probable_path
from stamina_video.transitions.paths.expected import expected_counts, expected_increments
from stamina_video.transitions.paths.likelihood import (
    endpoint_nll,
    interval_log_likelihood,
    nll_per_endpoint,
    path_log_likelihood,
    posterior_edges,
)
from stamina_video.transitions.paths.replays import replays
from stamina_video.transitions.paths.support import (
    Excluded,
    Support,
    reachable_endpoints,
    reachable_intervals,
)

__all__ = [
    "BestPath",
    "Excluded",
    "Support",
    "endpoint_nll",
    "expected_counts",
    "expected_increments",
    "interval_log_likelihood",
    "most_probable_path",
    "nll_per_endpoint",
    "path_log_likelihood",
    "posterior_edges",
    "reachable_endpoints",
    "reachable_intervals",
    "replays",
]
