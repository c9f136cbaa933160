"""Features in, accepted changes out: pooling, identities, event slots, edge scores, path sums."""

from stamina_video.transitions.config import HeadsConfig
from stamina_video.transitions.decide import decide
from stamina_video.transitions.heads import Heads
from stamina_video.transitions.outcome import EventOutcome, ObjectOutcome, Outcome
from stamina_video.transitions.paths import (
    BestPath,
    expected_counts,
    expected_increments,
    interval_log_likelihood,
    most_probable_path,
    nll_per_endpoint,
    path_log_likelihood,
    posterior_edges,
    reachable_endpoints,
)
from stamina_video.transitions.state import TargetState

__all__ = [
    "BestPath",
    "EventOutcome",
    "Heads",
    "HeadsConfig",
    "ObjectOutcome",
    "Outcome",
    "TargetState",
    "decide",
    "expected_counts",
    "expected_increments",
    "interval_log_likelihood",
    "most_probable_path",
    "nll_per_endpoint",
    "path_log_likelihood",
    "posterior_edges",
    "reachable_endpoints",
]
