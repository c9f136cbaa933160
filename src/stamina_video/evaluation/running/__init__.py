"""Runs any counter over a data set of counting questions: resumable, in shards, causally."""

from stamina_video.evaluation.running.counter import Counter, Counting, Read
from stamina_video.evaluation.running.ledgered import LedgerCounting
from stamina_video.evaluation.running.models import ModelCounter, without_graph
from stamina_video.evaluation.running.plan import Pass, Plan, planned
from stamina_video.evaluation.running.run import Listener, Run
from stamina_video.evaluation.running.shards import merge

__all__ = [
    "Counter",
    "Counting",
    "LedgerCounting",
    "Listener",
    "ModelCounter",
    "Pass",
    "Plan",
    "Read",
    "Run",
    "merge",
    "planned",
    "without_graph",
]
