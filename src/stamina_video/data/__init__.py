"""Count trajectories and where they come from; `world` is the simulated source, `perception` its detector."""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from stamina_video.data.checker import check_pool
    from stamina_video.data.compiler import compile_queries
    from stamina_video.data.edits import transformed
    from stamina_video.data.perception import simulate_perception
    from stamina_video.data.pool import Pool, read_pool, write_pool
    from stamina_video.data.selection import Exclusions, Selection, select
    from stamina_video.data.sources import load_source
    from stamina_video.data.trajectory import Trajectory
    from stamina_video.data.world import Scene, Truth, make_scene

# Looked up on first use: tables need polars and the world a compiler, and neither needs the other.
_HOMES = {
    "check_pool": "checker",
    "compile_queries": "compiler",
    "transformed": "edits",
    "simulate_perception": "perception",
    "Pool": "pool",
    "read_pool": "pool",
    "write_pool": "pool",
    "Exclusions": "selection",
    "Selection": "selection",
    "select": "selection",
    "load_source": "sources",
    "Trajectory": "trajectory",
    "Scene": "world",
    "Truth": "world",
    "make_scene": "world",
}

__all__ = [
    "Exclusions",
    "Pool",
    "Scene",
    "Selection",
    "Trajectory",
    "Truth",
    "check_pool",
    "compile_queries",
    "load_source",
    "make_scene",
    "read_pool",
    "select",
    "simulate_perception",
    "transformed",
    "write_pool",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return __all__
