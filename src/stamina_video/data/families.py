"""Supervision families: connected components of records that share a name. Knows nothing of counts."""

from collections.abc import Sequence

import numpy as np
import polars as pl
from numpy.typing import NDArray
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

Ints = NDArray[np.int64]


def families(names: pl.Series, more: Sequence[tuple[int, str]] = ()) -> Ints:
    """The family of each record, from the list of names it carries, and more names of some records."""
    record_E, name_E, nodes = shared_names(names, more)
    return components(record_E, name_E, nodes)[: len(names)]


def shared_names(names: pl.Series, more: Sequence[tuple[int, str]] = ()) -> tuple[Ints, Ints, int]:
    """The edges between records and the names they carry, and how many nodes there are.

    Two records of one name are two edges from it: the graph grows with the names, never with their pairs.
    """
    records = len(names)
    listed = pl.DataFrame({"record": np.arange(records, dtype=np.int64), "name": names})
    added = pl.DataFrame(list(more), {"record": pl.Int64, "name": pl.String}, orient="row")
    pairs = pl.concat([listed.explode("name").drop_nulls(), added])
    if pairs.is_empty():
        return np.empty(0, np.int64), np.empty(0, np.int64), records
    name_E = pairs["name"].rank("dense").to_numpy().astype(np.int64) - 1
    return pairs["record"].to_numpy(), name_E + records, records + int(name_E.max()) + 1


def components(first_E: Ints, second_E: Ints, nodes: int) -> Ints:
    """The component of each node of an undirected graph given by its edges."""
    weights_E = np.ones(len(first_E), dtype=np.int8)
    graph = coo_array((weights_E, (first_E, second_E)), shape=(nodes, nodes))
    _, label_N = connected_components(graph, directed=False)
    return label_N.astype(np.int64)
