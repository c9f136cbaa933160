"""StaMina counts in a video while it plays: a typed state, legal changes, an append-only ledger."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from stamina_video.ledger import Ledger
    from stamina_video.runtime import Model, Session, load, step
    from stamina_video.semantics import Commit, Operator, Target, graph_for
    from stamina_video.video import open_video

__version__ = "0.1.0"

__all__ = [
    "Commit",
    "Ledger",
    "Model",
    "Operator",
    "Session",
    "Target",
    "__version__",
    "graph_for",
    "load",
    "open_video",
    "step",
]

# Resolved on first use: reading a ledger must not cost the import of a model.
_HOMES = {
    "Commit": "stamina_video.semantics",
    "Ledger": "stamina_video.ledger",
    "Model": "stamina_video.runtime",
    "Operator": "stamina_video.semantics",
    "Session": "stamina_video.runtime",
    "Target": "stamina_video.semantics",
    "graph_for": "stamina_video.semantics",
    "load": "stamina_video.runtime",
    "open_video": "stamina_video.video",
    "step": "stamina_video.runtime",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)
