import ast
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest

from stamina_video.data import checker
from stamina_video.data.checker import check_pool, check_tables
from stamina_video.data.cycles import cropped, paused, repeated, sped
from stamina_video.data.hashing import sha256_of
from stamina_video.data.pool import Pool, read_pool, write_pool
from stamina_video.data.questions import load_questions
from stamina_video.data.trajectory import Media
from stamina_video.semantics import InvalidInput, UnreadableFile
from tests.data.making import cycling, make, tracked
from tests.shared_data import CLIPS, SVCBENCH_QUERIES, needs

SQUATS = cycling([(1.0, 3.0), (4.0, 6.0)], 8.0, every=2.0)
HONEST = [make(), tracked(), SQUATS, sped(SQUATS, 0.5), paused(SQUATS, 3.5, 2.0), repeated(SQUATS, 0, 1)]


@pytest.fixture
def pool(tmp_path: Path) -> Pool:
    write_pool([*HONEST, cropped(SQUATS, 2.0, 8.0)], tmp_path)
    return read_pool(tmp_path)


def test_an_honest_pool_has_no_faults(pool: Pool) -> None:
    report = check_tables(pool.trajectories, pool.queries)
    assert report.faults == ()
    assert (report.trajectories, report.queries) == (pool.trajectories.height, pool.queries.height)


def test_batches_change_nothing(pool: Pool, monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = pool.queries.with_columns(answer=pl.col("answer") + 1)
    whole = check_tables(pool.trajectories, wrong, fps=0.1)
    monkeypatch.setattr("stamina_video.data.checker.check.BATCH", 3)
    parted = check_tables(pool.trajectories, wrong, fps=0.1)
    assert set(parted.faults) == set(whole.faults)
    assert len(parted.faults) == len(whole.faults) >= wrong.height
    assert set(parted.unreachable) == set(whole.unreachable) != set()


def test_it_shares_no_code_with_the_compiler() -> None:
    script = "import sys, stamina_video.data.checker; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    loaded = {name for name in done.stdout.split() if name.startswith("stamina_video.data.")}
    assert "stamina_video.data.checker.answers" in loaded
    assert {name.split(".")[2] for name in loaded} == {"checker"}
    # Nor does it import anything later, inside a function.
    for path in Path(checker.__file__).parent.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("stamina_video"):
                assert re.match(r"stamina_video\.(data\.checker|semantics)\b", node.module or ""), path.name


UNIQUE_AT_6 = "t@6.000000"
Queries = Callable[[pl.DataFrame], pl.DataFrame]


def at(id_: str, column: str, value: object) -> Queries:
    """A query with one field falsified."""

    def change(queries: pl.DataFrame) -> pl.DataFrame:
        kind = queries.schema[column]
        falsified = pl.when(pl.col("id") == id_).then(pl.lit(value, kind)).otherwise(pl.col(column))
        return queries.with_columns(falsified.alias(column))

    return change


GAIN = "t#O2-Gain-4.000000@6.000000"


@pytest.mark.parametrize(
    ("corrupt", "kind", "id_", "reason"),
    [
        (at(GAIN, "answer", 5), "wrong answer", GAIN, "expected 2 from its endpoints, got 5"),
        (at(UNIQUE_AT_6, "answer", 4), "wrong answer", UNIQUE_AT_6, "expected 3 from its endpoints, got 4"),
        (at(GAIN, "answer", -2), "broken trend", GAIN, "expected O2-Gain from 0, got -2"),
        (at("t@9.000000", "answer", 0), "broken trend", "t@9.000000", "never to fall, got 0 after 3"),
        (at(UNIQUE_AT_6, "time", 1.0), "out of order", UNIQUE_AT_6, "got 1.0 after 2.0"),
        (at(UNIQUE_AT_6, "time", float("nan")), "bad time", UNIQUE_AT_6, "got NaN"),
        (at(UNIQUE_AT_6, "time", 6.25), "unsupported endpoint", UNIQUE_AT_6, "supported endpoint at 6.25"),
        (at(GAIN, "since", 2.5), "unsupported endpoint", GAIN, "where the window opens"),
        (at(GAIN, "since", 7.0), "bad time", GAIN, "a window that opens before 6.0, got 7.0"),
        (at(UNIQUE_AT_6, "since", 1.0), "wrong window", UNIQUE_AT_6, "expected the window of its label"),
        (at(UNIQUE_AT_6, "id", "t@2.000000"), "duplicate id", "t@2.000000", "expected each query once"),
        (at(GAIN, "trajectory", "gone"), "missing parent", GAIN, "trajectory gone in the pool, got none"),
        (at(GAIN, "parent", "garden"), "parent mismatch", GAIN, "parent kitchen, got garden"),
        (at(GAIN, "media_sha256", "00"), "wrong hash", GAIN, "expected its trajectory's media_sha256"),
        (at(GAIN, "operator", "O1-Delta"), "parent mismatch", GAIN, "follows from O2-Unique, got O1-Delta"),
        (at(GAIN, "scope_end", 8.0), "acausal scope", GAIN, "from the origin to 6.0 s, got 0.0 to 8.0"),
        (at(GAIN, "stable", True), "unverified supervision", GAIN, "a verified stable interval up to 6.0 s"),
        (at(GAIN, "identity", True), "unverified supervision", GAIN, "expected verified identity evidence"),
        (at(GAIN, "boundary", True), "unverified supervision", GAIN, "expected verified boundary evidence"),
    ],
)
def test_a_falsified_query_is_named(corrupt: Queries, kind: str, id_: str, reason: str, pool: Pool) -> None:
    faults = check_tables(pool.trajectories, corrupt(pool.queries)).faults
    assert any((fault.kind, fault.id) == (kind, id_) and reason in fault.reason for fault in faults), faults
    assert {fault.id.split("@")[0].split("#")[0] for fault in faults} == {"t"}


def endpoint(id_: str, number: int, **fields: object) -> Queries:
    """A trajectory with one endpoint falsified."""

    def change(trajectories: pl.DataFrame) -> pl.DataFrame:
        rows = trajectories.to_dicts()
        next(row for row in rows if row["id"] == id_)["endpoints"][number].update(fields)
        return pl.DataFrame(rows, trajectories.schema)

    return change


def test_a_count_that_changes_within_a_stable_interval_is_named(pool: Pool) -> None:
    falsified = endpoint("tracked", 3, count=2)(pool.trajectories)
    faults = check_tables(falsified, pool.queries).faults
    assert ("broken stability", "tracked") in {(fault.kind, fault.id) for fault in faults}


def derived_from(id_: str, source: str) -> Queries:
    def change(trajectories: pl.DataFrame) -> pl.DataFrame:
        rows = trajectories.to_dicts()
        next(row for row in rows if row["id"] == id_)["provenance"]["derived_from"] = source
        return pl.DataFrame(rows, trajectories.schema)

    return change


@pytest.mark.parametrize(
    ("corrupt", "kind", "id_", "reason"),
    [
        (endpoint("t", 1, count=0), "broken trend", "t", "expected O2-Unique never to fall, got 0 after 1"),
        (endpoint("t", 1, count=-3), "broken trend", "t", "expected O2-Unique from 0, got -3"),
        (endpoint("t", 1, time=1.0), "out of order", "t", "ascending endpoints, got 1.0 after 2.0"),
        (endpoint("t", 1, time=float("nan")), "bad time", "t", "got NaN"),
        (endpoint("t", 1, evidence=[]), "unsupported endpoint", UNIQUE_AT_6, "got none"),
        (endpoint("t", 1, count=None), "unsupported endpoint", GAIN, "got none"),
        (at("t", "parent", ""), "missing parent", "t", "expected the name of its parent, got none"),
        (at("t", "id", "tracked"), "duplicate id", "tracked", "expected each trajectory once"),
        (derived_from("t", "gone"), "missing parent", "t", "expected its source gone in the pool"),
    ],
)
def test_a_falsified_trajectory_is_named(
    corrupt: Queries, kind: str, id_: str, reason: str, pool: Pool
) -> None:
    faults = check_tables(corrupt(pool.trajectories), pool.queries).faults
    assert any((fault.kind, fault.id) == (kind, id_) and reason in fault.reason for fault in faults), faults


def test_a_derived_record_keeps_its_parent(pool: Pool) -> None:
    moved = at("cycles/speed-0.5", "parent", "garden")(pool.trajectories)
    report = check_tables(moved, pool.queries)
    assert ("parent mismatch", "cycles/speed-0.5") in {(fault.kind, fault.id) for fault in report.faults}


def test_media_are_hashed_again(tmp_path: Path) -> None:
    (tmp_path / "kitchen.mp4").write_bytes(b"film")
    true = make("true", media=Media("kitchen.mp4", sha256_of(tmp_path / "kitchen.mp4")))
    wrong = make("wrong", media=Media("kitchen.mp4", "00" * 32))
    lost = make("lost", media=Media("attic.mp4", "00" * 32))
    write_pool([true, wrong, lost, make("silent")], tmp_path)
    report = check_pool(tmp_path, videos=tmp_path)
    assert [(fault.kind, fault.id) for fault in report.faults] == [
        ("wrong hash", "wrong"),
        ("wrong hash", "lost"),
    ]
    assert report.by_kind == {"wrong hash": 2}
    assert "no such file" in report.faults[1].reason


def test_counts_out_of_reach_are_told_apart_from_faults(tmp_path: Path) -> None:
    dense = cycling([(half / 2, half / 2 + 0.25) for half in range(16)], 8.0, every=4.0)
    write_pool([dense], tmp_path)
    slow = check_pool(tmp_path, fps=1.0)
    assert slow.faults == ()
    assert [fault.id for fault in slow.unreachable] == ["cycles@4.000000", "cycles@8.000000"]
    assert "8 completions are out of reach of 5 observations at 1.0 fps" in slow.unreachable[0].reason
    assert check_pool(tmp_path, fps=8.0).unreachable == ()


def test_a_senseless_rate_or_folder_is_refused(pool: Pool, tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="expected a frame rate above zero"):
        check_tables(pool.trajectories, pool.queries, fps=0)
    with pytest.raises(UnreadableFile, match="expected a pool's table"):
        check_pool(tmp_path / "nowhere")
    pool.queries.drop("answer").write_parquet(tmp_path / "queries.parquet")
    with pytest.raises(UnreadableFile, match=r"queries\.parquet: expected a pool's table"):
        check_pool(tmp_path)


@needs(CLIPS)
@needs(SVCBENCH_QUERIES)
def test_real_sources_pass(tmp_path: Path) -> None:
    clips = load_questions(CLIPS / "clips.jsonl", CLIPS / "videos").trajectories
    write_pool([*clips, *load_questions(SVCBENCH_QUERIES).trajectories], tmp_path)
    assert check_pool(tmp_path, CLIPS / "videos").faults == ()
