"""Selection, and the leaks it must not let through."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from stamina_video.data.cycles import cropped, repeated, sped
from stamina_video.data.pool import read_pool, write_pool
from stamina_video.data.selection import Coverage, Exclusions, Removal, Selection, select
from stamina_video.data.trajectory import Media, Provenance, Supported, Trajectory
from tests.data.making import cycling, make, tracked

SQUATS = cycling([(2.0, 4.0), (6.0, 8.0)], 12.0, every=4.0)
OTHER = make("other", "lamps", points=((3.0, 1),))


def chosen(pool: Sequence[Trajectory], folder: Path, **excluded: Any) -> Selection:
    write_pool(pool, folder)
    return select(read_pool(folder), Exclusions(**excluded), share=0.0)


def kept(selection: Selection) -> set[str]:
    return set(selection.selected("train")["trajectory"])


GAIN_ALONE = make("benchmark", "red mugs", "O2-Gain", endpoints=(Supported(6.0, 2, ("key",), 2.0),))


@pytest.mark.parametrize(
    ("leak", "held_out"),
    [
        pytest.param(make("unique"), GAIN_ALONE, id="the Unique endpoints of a hidden Gain"),
        pytest.param(tracked("visible"), GAIN_ALONE, id="visible counts of the same mugs"),
        pytest.param(sped(SQUATS, 2.0), SQUATS, id="a sped-up copy"),
        pytest.param(repeated(SQUATS, 0, 2), SQUATS, id="a repeated cycle"),
        pytest.param(cropped(SQUATS, 1.0, 9.0), SQUATS, id="a crop"),
        pytest.param(sped(cropped(SQUATS, 1.0, 9.0), 0.5), SQUATS, id="a crop of another speed"),
        pytest.param(make("alias", "cups", points=((3.0, 1),), aliases=("mugs",)), GAIN_ALONE, id="an alias"),
        pytest.param(
            make("maybe", "beakers", points=((3.0, 1),), possible_aliases=("mugs",)),
            GAIN_ALONE,
            id="an unsettled alias",
        ),
        pytest.param(make("spelt", "muggs", points=((3.0, 1),)), GAIN_ALONE, id="a doubtful spelling"),
        pytest.param(
            make(
                "renamed",
                "mugs",
                points=((3.0, 1),),
                parent="upload",
                provenance=Provenance("test", "r", "spatial", ancestors=("kitchen",)),
            ),
            GAIN_ALONE,
            id="a crop under its own name",
        ),
        pytest.param(
            make(
                "twice removed",
                "muggs",
                points=((3.0, 1),),
                parent="upload",
                provenance=Provenance("test", "r", "spatial", ancestors=("kitchen",)),
            ),
            GAIN_ALONE,
            id="a doubtful spelling in a crop under its own name",
        ),
    ],
)
def test_no_leak_survives(leak: Trajectory, held_out: Trajectory, tmp_path: Path) -> None:
    without = chosen([leak, OTHER], tmp_path)
    assert leak.id in kept(without), "the leak would be selected if nothing was held out"
    selection = chosen([leak, OTHER], tmp_path, targets=(held_out,))
    assert kept(selection) == {"other"}
    assert selection.table("train").removed[Removal.FAMILY] > 0


def test_a_family_goes_as_a_whole(tmp_path: Path) -> None:
    """The chain mug → individual → what was done to it leads to the held-out target."""
    lifted = make("lifted", "things lifted", "E1-Action", ((9.0, 1),), entities=("mug 2",))
    selection = chosen([tracked(), lifted, OTHER], tmp_path, targets=(GAIN_ALONE,))
    assert kept(selection) == {"other"}


def test_a_copy_of_evaluation_media_is_known_by_name_hash_and_ancestry(tmp_path: Path) -> None:
    pool = [
        make("by name", parent="tour"),
        make("by hash", parent="a", media=Media("a.mp4", "ff" * 32)),
        make("by ancestor", parent="b", provenance=Provenance("t", "b", "spatial", ancestors=("tour",))),
        make("by file", parent="c", media=Media("cuts/tour.mkv")),
        make("free", parent="d"),
    ]
    selection = chosen(pool, tmp_path, media=frozenset({"videos/tour.mp4", "ff" * 32}))
    assert kept(selection) == {"free"}
    assert selection.table("train").removed[Removal.MEDIA] == 20


def test_each_removal_is_counted_once_in_order(tmp_path: Path) -> None:
    dense = [(half / 2, half / 2 + 0.25) for half in range(1, 16)]
    pool = [
        make("twice", parent="tour"),  # held out and evaluation media: counts as media
        make("held"),
        cycling(dense, 8.0, "dense", every=8.0, parent="gym"),
        cycling(dense, 8.0, "dense and held", every=8.0),
        make("masked", parent="yard", masks=frozenset()),
        make("faulty", parent="yard", words="dogs"),
        tracked("good", parent="shed"),
    ]
    write_pool(pool, tmp_path)
    stored = read_pool(tmp_path)
    orphan = stored.queries.filter(trajectory="good").head(1).with_columns(trajectory=pl.lit("gone"))
    selection = select(
        type(stored)(stored.trajectories, pl.concat([stored.queries, orphan])),
        Exclusions(
            frozenset({"tour"}),
            (make("a", parent="tour"), make("b"), make("c", "squats", points=())),
            frozenset({"faulty"}),
        ),
        share=0.0,
    )
    table = selection.table("train")
    assert table.removed == {
        Removal.MEDIA: 5,
        Removal.FAMILY: 5 + 1,
        Removal.GRAPH: 1,
        Removal.UNSUPPORTED: 5 + 1,
    }
    assert table.pool == stored.queries.height + 1
    assert table.pool == sum(table.removed.values()) + table.selected
    assert table.selected == 9
    assert table.coverage == Coverage(endpoint_only=0, identity=9, boundary=0, stable=2)
    assert selection.queries.filter(trajectory="gone")["removed"].to_list() == [Removal.UNSUPPORTED]


def test_a_parent_may_be_seen_in_another_family(tmp_path: Path) -> None:
    table = chosen([make(), OTHER], tmp_path, targets=(GAIN_ALONE,)).table("train")
    assert (table.parents, table.overlapping_parents, table.overlapping_queries) == (1, 1, 1)


def test_both_splits_together_are_the_pool(tmp_path: Path) -> None:
    write_pool([make(str(number), parent=f"p{number}") for number in range(40)], tmp_path)
    selection = select(read_pool(tmp_path), Exclusions(), share=0.3)
    sizes = [selection.table(split).pool for split in ("train", "development")]
    assert sum(sizes) == 200
    assert all(sizes)
