"""What a pool holds, in the units the paper keeps apart: parents, grouped records, queries, media."""

from dataclasses import dataclass

import polars as pl

from stamina_video.semantics import Operator


@dataclass(frozen=True, slots=True)
class Units:
    """A grouped record is one question with its query points; many queries may share one video."""

    queries: int
    groups: int
    parents: int
    media: int


@dataclass(frozen=True, slots=True)
class Inventory:
    total: Units
    by_operator: dict[str, Units]
    by_source: dict[str, Units]


def inventory(queries: pl.DataFrame) -> Inventory:
    """Operators in the paper's order, absent ones with zeros; sources by name."""
    return Inventory(
        _units(queries),
        {str(operator): _units(queries.filter(pl.col("operator") == str(operator))) for operator in Operator},
        {
            source: _units(queries.filter(pl.col("source") == source))
            for source in queries["source"].unique().sort()
        },
    )


def _units(queries: pl.DataFrame) -> Units:
    unique = queries.select(pl.col("group", "parent", "media").n_unique()).row(0)
    return Units(queries.height, *unique)
