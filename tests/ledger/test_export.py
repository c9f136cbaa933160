import csv
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from stamina_video.ledger import Ledger
from stamina_video.ledger.export import COLUMNS, export
from stamina_video.ledger.rows import Row
from stamina_video.semantics import InvalidInput, MissingExtra, StoreUnavailable
from tests.ledger.commits import CAMERA, MUGS, entry, identity, segment


@pytest.fixture
def ledger() -> Iterator[Ledger]:
    with Ledger.open(":memory:") as ledger:
        ledger.append_all([entry(1.5, 2), identity(1.5, evidence={"score": 0.5, "label": 'a "red", mug\n'})])
        ledger.append(segment(2.0))
        ledger.append(identity(3.0, stream="other"))
        yield ledger


def read(path: Path) -> list[dict[str, Any]]:
    if path.suffix == ".csv":
        with path.open(newline="") as file:
            return list(csv.DictReader(file))
    if path.suffix == ".jsonl":
        return [json.loads(line) for line in path.read_text().splitlines()]
    rows: list[dict[str, Any]] = pq.read_table(path).to_pylist()
    return rows


@pytest.mark.parametrize("ending", ["csv", "jsonl", "parquet"])
def test_every_row_with_its_running_count(ledger: Ledger, tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"counts.{ending}"
    assert export(ledger, path) == 4
    rows = read(path)
    assert [list(row) for row in rows] == [list(COLUMNS)] * 4
    assert [(row["stream"], row["target"], row["kind"]) for row in rows] == [
        (CAMERA, MUGS, "entry"),
        (CAMERA, MUGS, "identity"),
        (CAMERA, "", "segment"),
        ("other", MUGS, "identity"),
    ]
    assert [str(row["count"] or "") for row in rows] == ["2", "1", "", "1"]
    assert [float(row["time"]) for row in rows] == [1.5, 1.5, 2.0, 3.0]
    evidence = rows[1]["evidence"]
    assert (json.loads(evidence) if isinstance(evidence, str) else evidence)["label"] == 'a "red", mug\n'
    assert list(tmp_path.iterdir()) == [path]


def test_one_stream(ledger: Ledger, tmp_path: Path) -> None:
    assert export(ledger, tmp_path / "other.jsonl", stream="other") == 1
    assert export(ledger, tmp_path / "none.csv", stream="nowhere") == 0


def test_an_unknown_ending_is_refused(ledger: Ledger, tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match=r"\.csv, \.jsonl, \.parquet, got 'counts\.xlsx'"):
        export(ledger, tmp_path / "counts.xlsx")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("ending", ["csv", "jsonl", "parquet"])
def test_an_interrupted_export_leaves_what_was_there(
    ledger: Ledger, tmp_path: Path, ending: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / f"counts.{ending}"
    path.write_text("before")

    def broken(stream: str | None) -> Iterator[Row]:
        yield from list(Ledger.rows(ledger, CAMERA))
        raise StoreUnavailable("gone")

    monkeypatch.setattr(ledger, "rows", broken)
    with pytest.raises(StoreUnavailable, match="gone"):
        export(ledger, path)
    assert [file.name for file in tmp_path.iterdir()] == [path.name]
    assert path.read_text() == "before"


def test_a_missing_directory_is_said(ledger: Ledger, tmp_path: Path) -> None:
    with pytest.raises(StoreUnavailable, match="No such file or directory"):
        export(ledger, tmp_path / "nowhere" / "counts.csv")


def test_parquet_without_pyarrow_names_the_extra(
    ledger: Ledger, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(MissingExtra, match=r"stamina-video\[data\]"):
        export(ledger, tmp_path / "counts.parquet")
    assert not list(tmp_path.iterdir())


def test_nothing_but_parquet_needs_pyarrow() -> None:
    program = "import stamina_video.ledger.export, sys; assert 'pyarrow' not in sys.modules"
    subprocess.run([sys.executable, "-c", program], check=True)
