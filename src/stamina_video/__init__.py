"""StaMina counts in a video while it plays: a typed state, legal changes, an append-only ledger."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from stamina_video.ledger import Ledger
    from stamina_video.semantics import Commit, Operator, Target, graph_for

__version__ = "0.1.0"

__all__ = ["Commit", "Ledger", "Operator", "Target", "__version__", "graph_for"]

# Resolved on first use: reading a ledger must not cost the import of a model.
_HOMES = {
    "Commit": "stamina_video.semantics",
    "Ledger": "stamina_video.ledger",
    "Operator": "stamina_video.semantics",
    "Target": "stamina_video.semantics",
    "graph_for": "stamina_video.semantics",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)
