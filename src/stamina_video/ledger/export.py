"""Writes a ledger's rows as CSV, JSON Lines or Parquet: the whole file, or none."""

import csv
import json
import os
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Any

from stamina_video.ledger.ledger import Ledger
from stamina_video.ledger.rows import Row, encode_evidence
from stamina_video.semantics import InvalidInput, MissingExtra, StoreUnavailable

COLUMNS = (
    "stream",
    "target",
    "segment",
    "kind",
    "measure",
    "delta",
    "count",
    "observation",
    "time",
    "recorded",
    "evidence_id",
    "evidence",
    "model",
)
_ROWS_PER_GROUP = 65_536


def export(ledger: Ledger, path: str | Path, stream: str | None = None) -> int:
    """Write every row, or a stream's, in the format the name ends with; how many rows there were."""
    destination = Path(path)
    write = _WRITERS.get(destination.suffix.lower())
    if write is None:
        raise InvalidInput(f"expected a file name ending in {', '.join(_WRITERS)}, got {destination.name!r}")
    with _beside(destination) as draft:
        return write(draft, map(_record, ledger.rows(stream)))


def _record(row: Row) -> dict[str, Any]:
    commit = row.commit
    return {
        "stream": commit.stream,
        "target": commit.target,
        "segment": row.segment,
        "kind": commit.kind.value,
        "measure": row.measure or None,
        "delta": commit.delta,
        "count": row.total if row.measure else None,
        "observation": commit.observation,
        "time": commit.time,
        "recorded": commit.recorded,
        "evidence_id": commit.evidence_id,
        "evidence": commit.evidence,
        "model": commit.model,
    }


@contextmanager
def _beside(destination: Path) -> Iterator[Path]:
    """A temporary file that becomes the destination once it is complete."""
    try:
        handle, name = tempfile.mkstemp(prefix=f".{destination.name}.", dir=destination.parent)
        os.close(handle)
        draft = Path(name)
        try:
            yield draft
            draft.chmod(0o644)
            draft.replace(destination)
        except BaseException:
            draft.unlink(missing_ok=True)
            raise
    except OSError as error:
        raise StoreUnavailable(f"cannot write {destination}: {error.strerror or error}") from error


def _write_csv(path: Path, records: Iterable[dict[str, Any]]) -> int:
    count = 0
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, COLUMNS)
        writer.writeheader()
        for count, record in enumerate(records, 1):  # noqa: B007 - the last number is the answer
            writer.writerow(record | {"evidence": encode_evidence(record["evidence"])})
    return count


def _write_json_lines(path: Path, records: Iterable[dict[str, Any]]) -> int:
    count = 0
    with path.open("w", encoding="utf-8") as file:
        for count, record in enumerate(records, 1):  # noqa: B007
            file.write(json.dumps(record, ensure_ascii=False) + "\n")
    return count


def _write_parquet(path: Path, records: Iterable[dict[str, Any]]) -> int:
    try:
        import pyarrow as pa  # noqa: PLC0415 - an optional dependency of one format
        import pyarrow.parquet as pq  # noqa: PLC0415
    except ImportError as error:
        raise MissingExtra('Parquet needs pyarrow: pip install "stamina-video[data]"') from error
    whole, words = dict.fromkeys(("segment", "delta", "count", "observation"), pa.int64()), pa.string()
    types = whole | dict.fromkeys(("time", "recorded"), pa.float64())
    schema = pa.schema([(column, types.get(column, words)) for column in COLUMNS])
    written, rest = 0, iter(records)
    with pq.ParquetWriter(path, schema) as writer:
        while group := list(islice(rest, _ROWS_PER_GROUP)):
            texts = [record | {"evidence": encode_evidence(record["evidence"])} for record in group]
            writer.write_table(pa.Table.from_pylist(texts, schema=schema))
            written += len(group)
    return written


_WRITERS: dict[str, Callable[[Path, Iterable[dict[str, Any]]], int]] = {
    ".csv": _write_csv,
    ".jsonl": _write_json_lines,
    ".parquet": _write_parquet,
}
