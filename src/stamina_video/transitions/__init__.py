"""Features in, accepted changes out: pooling, identities, event slots, edge scores, path sums, losses."""

from stamina_video.transitions.config import HeadsConfig
from stamina_video.transitions.decide import decide
from stamina_video.transitions.heads import Heads
from stamina_video.transitions.labels import BoundarySite, CountLabels, IdentityLabel
from stamina_video.transitions.losses import (
    IdentitySites,
    LossTerms,
    LossWeights,
    SoftTotals,
    boundary_loss,
    combined,
    identity_loss,
    identity_sites,
    mean_loss,
    object_loss,
    trajectory_loss,
)
from stamina_video.transitions.outcome import EventOutcome, ObjectOutcome, Outcome
from stamina_video.transitions.paths import (
    BestPath,
    Excluded,
    Support,
    endpoint_nll,
    expected_counts,
    expected_increments,
    interval_log_likelihood,
    most_probable_path,
    nll_per_endpoint,
    path_log_likelihood,
    posterior_edges,
    reachable_endpoints,
    reachable_intervals,
    replays,
)
from stamina_video.transitions.state import TargetState

__all__ = [
    "BestPath",
    "BoundarySite",
    "CountLabels",
    "EventOutcome",
    "Excluded",
    "Heads",
    "HeadsConfig",
    "IdentityLabel",
    "IdentitySites",
    "LossTerms",
    "LossWeights",
    "ObjectOutcome",
    "Outcome",
    "SoftTotals",
    "Support",
    "TargetState",
    "boundary_loss",
    "combined",
    "decide",
    "endpoint_nll",
    "expected_counts",
    "expected_increments",
    "identity_loss",
    "identity_sites",
    "interval_log_likelihood",
    "mean_loss",
    "most_probable_path",
    "nll_per_endpoint",
    "object_loss",
    "path_log_likelihood",
    "posterior_edges",
    "reachable_endpoints",
    "reachable_intervals",
    "replays",
    "trajectory_loss",
]
