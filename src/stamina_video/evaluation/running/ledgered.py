"""Reads a counter's answers from its ledger: what all counters share that commit what they count."""

from collections.abc import Sequence

from stamina_video.evaluation.running.counter import Read
from stamina_video.ledger import Ledger
from stamina_video.semantics import Commit, Operator, Target


class LedgerCounting:
    """As-of reads of one stream; subclasses observe, and append to the ledger."""

    def __init__(self, stream: str, ledger: Ledger) -> None:
        self.stream = stream
        self.ledger = ledger

    def read(self, target: Target, at: float, since: float | None) -> Read:
        name, measure = target.description, target.operator.measure
        count = self.ledger.count(self.stream, name, at, measure)
        if since is None:
            return Read(count)
        # Before the first frame nothing has been seen: what a video opens with enters a window begun earlier.
        start = self.ledger.count(self.stream, name, since, measure) if since >= 0 else 0
        if target.operator is not Operator.O1_DELTA:
            return Read(count, start)
        return Read(count, start, self.ledger.entries(self.stream, name, since if since >= 0 else None, at))

    def commits(self, target: Target) -> Sequence[Commit]:
        return self.ledger.history(self.stream, target.description, target.operator.measure)

    def close(self) -> None:
        self.ledger.close()
