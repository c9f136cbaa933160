import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stamina_video.data.splits import DEVELOPMENT, TRAIN, split_of
from stamina_video.semantics import InvalidInput

NAMES = st.integers(0, 30).map(str)


def table(rows: list[tuple[str, str, list[str]]]) -> pl.DataFrame:
    parents, scenes, ancestors = (list(column) for column in zip(*rows, strict=True))
    listed = pl.Series(ancestors, dtype=pl.List(pl.String))
    return pl.DataFrame({"parent": parents, "scene": scenes, "ancestors": listed})


@given(st.lists(st.tuples(NAMES, NAMES, st.lists(NAMES, max_size=1)), min_size=1), st.integers(0, 5))
def test_scenes_videos_and_ancestors_are_never_split(
    rows: list[tuple[str, str, list[str]]], seed: int
) -> None:
    splits = split_of(table(rows), 0.5, seed).to_list()
    home: dict[str, str] = {}
    for (parent, scene, ancestors), split in zip(rows, splits, strict=True):
        for name in (f"video {parent}", f"scene {scene}", *(f"video {name}" for name in ancestors)):
            assert home.setdefault(name, split) == split


def test_the_share_is_about_right_and_repeatable() -> None:
    many = table([(f"v{number}", f"s{number}", []) for number in range(2000)])
    splits = split_of(many, 0.1)
    assert splits.to_list() == split_of(many, 0.1).to_list()
    assert 150 < splits.to_list().count(DEVELOPMENT) < 250
    assert set(split_of(many, 0.0)) == {TRAIN}


def test_other_videos_do_not_move_a_video() -> None:
    few = table([("v1", "s1", []), ("v2", "s2", [])])
    more = table([("a", "b", []), ("v1", "s1", []), ("v2", "s2", [])])
    assert split_of(few, 0.5).to_list() == split_of(more, 0.5).to_list()[1:]


def test_a_senseless_share_is_refused() -> None:
    with pytest.raises(InvalidInput, match="development share"):
        split_of(table([("v", "s", [])]), 1.0)
