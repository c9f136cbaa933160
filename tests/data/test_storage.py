from pathlib import Path

import pyarrow.parquet as pq
import pytest

from stamina_video.data.cycles import paused, sped
from stamina_video.data.storage import SCHEMA, read_trajectories, write_trajectories
from stamina_video.data.trajectory import Media, Provenance
from stamina_video.semantics import UnreadableFile
from tests.data.making import cycling, make, tracked

CYCLES = cycling([(1.0, 2.0), (3.0, 4.0)], duration=6.0)
FULL = make(
    "full",
    aliases=("scarlet mugs",),
    possible_aliases=("cups",),
    origin=1.0,
    entities=("entity 4",),
    media=Media("kitchen.mp4", "ab" * 32),
    provenance=Provenance("test", "7", "spatial", "source", ("crop",), ("original",)),
    points=((2.0, 1), (3.0, None)),
)


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    kept = (FULL, tracked(), CYCLES, sped(CYCLES, 2.0), paused(CYCLES, 2.5, 1.0))
    write_trajectories(kept, tmp_path / "t.parquet")
    loaded = read_trajectories(tmp_path / "t.parquet")
    assert loaded.trajectories == kept
    assert loaded.refused == ()
    assert pq.read_schema(tmp_path / "t.parquet").names == SCHEMA.names


def test_bad_rows_are_refused_by_id_and_the_rest_is_read(tmp_path: Path) -> None:
    names = ("good", "falls", "orphan", "timeless", "masked")
    write_trajectories([make(name) for name in names], tmp_path / "t.parquet")
    rows = pq.read_table(tmp_path / "t.parquet").to_pylist()
    rows[1]["endpoints"][1]["count"] = 0
    rows[2]["parent"] = None
    rows[3]["endpoints"][0]["time"] = float("nan")
    rows[4]["masks"] = ["velvet"]
    pq.write_table(pq.read_table(tmp_path / "t.parquet").from_pylist(rows, SCHEMA), tmp_path / "t.parquet")
    loaded = read_trajectories(tmp_path / "t.parquet")
    assert [trajectory.id for trajectory in loaded.trajectories] == ["good"]
    assert [(refusal.id, refusal.reason.split(": ", 1)[1]) for refusal in loaded.refused] == [
        ("falls", "expected O2-Unique never to fall, got 1 at 2.0 then 0 at 6.0"),
        ("orphan", "expected its parent, got none"),
        ("timeless", "expected an endpoint's time in seconds, finite and not negative, got nan"),
        ("masked", "'velvet' is not a valid Mask"),
    ]


def test_other_files_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UnreadableFile, match="expected trajectories in Parquet"):
        read_trajectories(tmp_path / "none.parquet")
    pq.write_table(pq.read_table(_other(tmp_path)), tmp_path / "o.parquet")
    with pytest.raises(UnreadableFile, match="got no column 'parent'"):
        read_trajectories(tmp_path / "o.parquet")


def _other(folder: Path) -> Path:
    write_trajectories([make()], folder / "other.parquet")
    table = pq.read_table(folder / "other.parquet").select(["id"])
    pq.write_table(table, folder / "other.parquet")
    return folder / "other.parquet"
