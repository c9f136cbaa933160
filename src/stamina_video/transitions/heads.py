"""Every learned part of the decision, in one module."""

from torch import nn

from stamina_video.transitions.config import HeadsConfig
from stamina_video.transitions.identity import Association
from stamina_video.transitions.increments import IncrementHead
from stamina_video.transitions.pooling import Pooling
from stamina_video.transitions.scorer import EdgeScorer


class Heads(nn.Module):
    """Both branches read the same candidates; `config.fsm` decides which event head there is."""

    def __init__(self, config: HeadsConfig) -> None:
        super().__init__()
        self.config = config
        # One for objects and entity events: visible counts are the only labels visibility learns from.
        self.pooling = Pooling(config)
        self.association = Association(config)
        self.events: EdgeScorer | IncrementHead = EdgeScorer(config) if config.fsm else IncrementHead(config)
