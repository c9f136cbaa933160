"""What baselines share that find changes in pictures: decisions into a ledger in memory."""

from abc import ABC, abstractmethod
from collections.abc import Iterable

from stamina_video.evaluation.running.ledgered import LedgerCounting
from stamina_video.ledger import Ledger
from stamina_video.semantics import Decision, Observation
from stamina_video.video import Gap


class CommittingCounting(LedgerCounting, ABC):
    """Commits what it decides at each observation; an interrupted pass starts over."""

    def __init__(self, stream: str, counter: str) -> None:
        super().__init__(stream, Ledger.open(":memory:"))
        self._counter = counter

    def observe(self, item: Observation | Gap) -> None:
        if isinstance(item, Gap):
            return
        for decision in self.decide(item):
            self.ledger.append_all(decision.commits(self._counter))

    @abstractmethod
    def decide(self, observation: Observation) -> Iterable[Decision]:
        """What changed for each target."""
