import json
import re
from pathlib import Path
from typing import Any

import polars as pl
import pytest
import typer

from stamina_video.cli import data
from stamina_video.semantics import InvalidInput, read_questions
from tests.data.filming import film

MUGS = {
    "id": "mugs",
    "source_dataset": "kitchen",
    "video_path": "table.mp4",
    "question": "How many different mugs have appeared so far?",
    "target": "mugs",
    "counting_subtype": "O2-Unique",
    "query_points": {"time": [1.0, 4.0, 8.0], "count": [0, 2, 2]},
}
FALLING = MUGS | {"id": "falling", "query_points": {"time": [1.0, 4.0], "count": [3, 1]}}
LAMPS = MUGS | {
    "id": "lamps",
    "question": "How many different lamps have appeared so far?",
    "target": "lamps",
}


def run(*arguments: object) -> object:
    return data.app([str(argument) for argument in arguments], standalone_mode=False)


@pytest.fixture
def pool(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    (tmp_path / "q.jsonl").write_text("\n".join(map(json.dumps, (MUGS, FALLING, LAMPS))))
    film(tmp_path / "table.mp4", 9)
    run("compile", tmp_path / "q.jsonl", "--out", tmp_path / "pool", "--videos", tmp_path)
    said = capsys.readouterr()
    assert said.out == ""
    assert "refused: trajectory kitchen:falling: expected O2-Unique never to fall" in said.err
    assert "2 trajectories are in" in said.err
    assert "1 were refused" in said.err
    return tmp_path / "pool"


def document(capsys: pytest.CaptureFixture[str], *arguments: object) -> Any:
    run(*arguments, "--json")
    return json.loads(capsys.readouterr().out)


def test_compile_counts_what_it_refuses(pool: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said = document(capsys, "compile", pool.parent / "q.jsonl", "--out", pool)
    assert [refusal["id"] for refusal in said["refused"]] == ["falling"]
    assert said["trajectories"] == 2
    assert len(read_questions(pool / "annotations.jsonl")) == said["annotations"]["questions"] == 6


def test_an_honest_pool_passes(pool: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert not run("check", pool, "--videos", pool.parent)
    shown = capsys.readouterr().out
    assert re.search(r"queries\s+│\s+10 ", shown)
    assert re.search(r"faults in all\s+│\s+0 ", shown)


def test_a_wrong_answer_fails_the_check(pool: Path, capsys: pytest.CaptureFixture[str]) -> None:
    queries = pl.read_parquet(pool / "queries.parquet")
    queries.with_columns(answer=pl.col("answer") + 1).write_parquet(pool / "queries.parquet")
    assert run("check", pool) == 1
    assert (
        "wrong answer: kitchen:mugs@1.000000: expected 0 from its endpoints, got 1" in capsys.readouterr().err
    )
    run("check", pool, "--json")
    assert json.loads(capsys.readouterr().out)["by_kind"] == {"wrong answer": 10}


def test_inventory_counts_units(pool: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert document(capsys, "inventory", pool)["total"] == {
        "queries": 10,
        "groups": 6,
        "parents": 1,
        "media": 1,
    }
    run("inventory", pool)
    assert "O2-Gain" in capsys.readouterr().out


def test_select_removes_the_held_out_family(pool: Path, capsys: pytest.CaptureFixture[str]) -> None:
    gain = MUGS | {
        "counting_subtype": "O2-Gain",
        "question": "How many new mugs have appeared in the past 3 seconds?",
        "query_points": {"time": [4.0], "count": [2]},
    }
    (pool / "bench.jsonl").write_text(json.dumps(gain))
    out = pool / "fates.parquet"
    said = document(
        capsys, "select", pool, "--held-out", pool / "bench.jsonl", "--development", 0, "--out", out
    )
    assert said["train"]["removed"]["held-out supervision families"] == 5
    assert said["train"]["selected"] == 5
    fates = pl.read_parquet(out)
    assert set(fates.filter(pl.col("removed").is_null())["target"]) == {"lamps"}
    run("select", pool)
    shown = capsys.readouterr().out
    assert "evaluation-media descendants" in shown
    assert "verified stable" in shown


def test_an_unreadable_held_out_target_stops_the_selection(pool: Path) -> None:
    (pool / "bench.jsonl").write_text(json.dumps(FALLING))
    with pytest.raises(InvalidInput, match="expected every held-out question to be readable"):
        run("select", pool, "--held-out", pool / "bench.jsonl")


def test_select_leaves_out_evaluation_media_and_faults(
    pool: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (pool / "media.txt").write_text("table.mp4\n")
    said = document(capsys, "select", pool, "--exclude-media", pool / "media.txt", "--development", 0)
    assert said["train"]["removed"]["evaluation-media descendants"] == 10
    queries = pl.read_parquet(pool / "queries.parquet")
    queries.with_columns(answer=pl.col("answer") + 1).write_parquet(pool / "queries.parquet")
    said = document(capsys, "select", pool, "--development", 0)
    assert said["train"]["removed"]["other unsupported records"] == 10


def test_audit_draws_and_reports(pool: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = pool / "audit"
    drawn = document(capsys, "audit", pool, "--out", out, "--videos", pool.parent)
    assert drawn["records"] == 2
    assert Path(drawn["page"]).is_file()
    files = []
    for reader in ("ann", "bo"):
        path = pool / f"{reader}.jsonl"
        rows = [
            {"id": f"kitchen:{name}", "reader": reader, "endpoint": True, "increment": name == "mugs"}
            for name in ("mugs", "lamps")
        ]
        path.write_text("\n".join(map(json.dumps, rows)))
        files += ["--judgements", path]
    *_, both = document(capsys, "audit", pool, "--out", out, *files)
    assert (both["endpoint"]["rate"], both["increment"]["rate"]) == (1.0, 0.5)
    run("audit", pool, "--out", out, *files)
    assert "50.0%" in capsys.readouterr().out
    with pytest.raises(InvalidInput, match="expected --videos to draw a sample or --judgements"):
        run("audit", pool, "--out", out)


def test_every_command_says_what_it_does() -> None:
    group = typer.main.get_command(data.app)
    commands: dict[str, Any] = getattr(group, "commands")  # noqa: B009  typer's own group type
    assert sorted(commands) == ["audit", "check", "compile", "inventory", "select", "transform"]
    for command in commands.values():
        assert command.help
        assert all(parameter.help for parameter in command.params)


def test_transform_keeps_the_sources_and_counts_what_is_not_legal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    squats = MUGS | {
        "id": "squats",
        "question": "How many squats have been completed so far?",
        "target": "squats",
        "counting_subtype": "E2-Periodic",
        "occurrence_times": [2.0, 5.0],
        "time_tolerance": 0.2,
        "confidence": "high",
        "query_points": {"time": [1.0, 4.0, 8.0], "count": [0, 1, 2]},
    }
    (tmp_path / "q.jsonl").write_text("\n".join(map(json.dumps, (MUGS, squats))))
    film(tmp_path / "table.mp4", 9)
    edits = ("--edit", "speed 2", "--edit", "repeat 0 1")
    out = tmp_path / "edited.parquet"
    said = document(
        capsys, "transform", tmp_path / "q.jsonl", *edits, "--out", out, "--videos", tmp_path, "--files"
    )
    assert (said["trajectories"], said["transformed"]) == (2, 2)
    assert sum(said["not_legal"].values()) == 2
    assert len(list(tmp_path.glob("*.mp4"))) == 3
    run("compile", out, "--out", tmp_path / "pool", "--videos", tmp_path)
    assert document(capsys, "check", tmp_path / "pool", "--videos", tmp_path)["faults"] == []
    with pytest.raises(InvalidInput, match="expected --videos"):
        run("transform", tmp_path / "q.jsonl", *edits, "--out", out, "--files")
