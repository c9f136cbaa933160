import networkx as nx  # type: ignore[import-untyped]  # it ships no types
import numpy as np
import polars as pl
from hypothesis import given
from hypothesis import strategies as st

from stamina_video.data.families import components, families

Lists = st.lists(st.lists(st.integers(0, 12).map(str), max_size=3), min_size=1, max_size=20)


@given(Lists)
def test_families_are_what_sharing_names_makes_them(names: list[list[str]]) -> None:
    graph = nx.Graph()
    graph.add_nodes_from(range(len(names)))
    graph.add_edges_from((record, name) for record, listed in enumerate(names) for name in listed)
    expected = {
        frozenset(node for node in part if isinstance(node, int)) for part in nx.connected_components(graph)
    }
    found = families(pl.Series(names, dtype=pl.List(pl.String)))
    ours = {frozenset(np.flatnonzero(found == label).tolist()) for label in set(found.tolist())}
    assert ours == expected - {frozenset()}


def test_a_chain_is_one_family() -> None:
    chain = [[str(link), str(link + 1)] for link in range(1000)]
    assert set(families(pl.Series(chain)).tolist()) == {0}


def test_nodes_without_edges_stand_alone() -> None:
    none = np.empty(0, np.int64)
    assert len(set(components(none, none, 4).tolist())) == 4
    assert len(set(families(pl.Series([[], []], dtype=pl.List(pl.String))).tolist())) == 2
