"""Simulated perception: what a frozen detector would have reported of a scene, without rendering it."""

from stamina_video.data.perception.fit import Agreement, Fit, fit_statistics
from stamina_video.data.perception.simulate import simulate, simulate_perception
from stamina_video.data.perception.statistics import RATE, Statistics, read_statistics, shipped_statistics
from stamina_video.data.perception.stream import MOTION, Reported, Stream, stream_of
from stamina_video.data.perception.things import Things, things_of

__all__ = [
    "MOTION",
    "RATE",
    "Agreement",
    "Fit",
    "Reported",
    "Statistics",
    "Stream",
    "Things",
    "fit_statistics",
    "read_statistics",
    "shipped_statistics",
    "simulate",
    "simulate_perception",
    "stream_of",
    "things_of",
]
