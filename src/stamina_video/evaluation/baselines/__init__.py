"""Counters without training, behind the interface of the models: what a learned one has to beat."""

from stamina_video.evaluation.baselines.choosing import BASELINES, baseline
from stamina_video.evaluation.baselines.constant import Constant, best_constants
from stamina_video.evaluation.baselines.cuts import Cuts
from stamina_video.evaluation.baselines.cycles import Cycles
from stamina_video.evaluation.baselines.tracker import Tracker

__all__ = ["BASELINES", "Constant", "Cuts", "Cycles", "Tracker", "baseline", "best_constants"]
