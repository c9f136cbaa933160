"""Runs any counter over a data set of counting questions: resumable, in shards, causally."""

from stamina_video.evaluation.running.answering import Asking, Conversation, Speaker, answer
from stamina_video.evaluation.running.counter import Counter, Counting, Read
from stamina_video.evaluation.running.folds import FoldCounter
from stamina_video.evaluation.running.ledgered import LedgerCounting
from stamina_video.evaluation.running.models import ModelCounter, under, without_graph
from stamina_video.evaluation.running.plan import Pass, Plan, planned
from stamina_video.evaluation.running.run import Listener, Run
from stamina_video.evaluation.running.shards import merge
from stamina_video.evaluation.running.speakers import ModelSpeaker

__all__ = [
    "Asking",
    "Conversation",
    "Counter",
    "Counting",
    "FoldCounter",
    "LedgerCounting",
    "Listener",
    "ModelCounter",
    "ModelSpeaker",
    "Pass",
    "Plan",
    "Read",
    "Run",
    "Speaker",
    "answer",
    "merge",
    "planned",
    "under",
    "without_graph",
]
