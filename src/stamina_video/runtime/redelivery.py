"""Whether a stream that is played again shows the moments its ledger speaks of."""

from stamina_video.ledger import Ledger
from stamina_video.semantics import Commit, InvalidInput, Observation


class Redelivery:
    """Compares with one commit of an earlier run: another rate puts it elsewhere in time."""

    def __init__(self, ledger: Ledger, stream: str) -> None:
        commits = (row.commit for row in ledger.rows(stream))
        self._known: Commit | None = next(
            (commit for commit in commits if commit.kind.measure and commit.observation), None
        )

    def check(self, observation: Observation) -> None:
        known = self._known
        if known is None or observation.index != known.observation or observation.time == known.time:
            return
        raise InvalidInput(
            f"expected observation {observation.index} of {observation.stream!r} at {known.time:g} s, "
            f"as its ledger has it, got it at {observation.time:g} s: was it begun at another rate?"
        )
