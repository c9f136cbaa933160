"""The append-only record of counts. Knows nothing of models, pixels or arrays."""

from stamina_video.ledger.ledger import Ledger
from stamina_video.semantics.flow import Commit

__all__ = ["Commit", "Ledger"]
