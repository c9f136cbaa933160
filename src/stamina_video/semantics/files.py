"""Reads JSON, JSON Lines and CSV, naming the file and the row where something does not fit."""

import csv
import hashlib
import io
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from stamina_video.semantics.errors import InvalidInput, UnreadableFile


def json_lines(path: Path) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Each row of a JSON Lines file with the words that name it ("runs.jsonl line 3")."""
    for number, line in enumerate(_text(path).split("\n"), start=1):
        if line.strip():
            where = f"{path} line {number}"
            yield where, _object(_parsed(line, where), where)


def json_document(path: Path) -> Any:
    return _parsed(_text(path), str(path))


def csv_rows(path: Path) -> Iterator[tuple[str, Mapping[str, str]]]:
    """Each row of a CSV file with a header, as stripped words by lower-case column name."""
    lines = csv.reader(io.StringIO(_text(path), newline=""))
    try:
        header = [name.strip().lower() for name in next(lines, [])]
        if not header:
            raise UnreadableFile(f"{path}: expected a CSV file with a header, got an empty one")
        if len(set(header)) < len(header):
            raise UnreadableFile(f"{path}: expected each column once, got {', '.join(header)}")
        for row in lines:
            where = f"{path} line {lines.line_num}"
            if len(row) == len(header):
                yield where, {name: cell.strip() for name, cell in zip(header, row, strict=True)}
            elif any(cell.strip() for cell in row):
                raise UnreadableFile(f"{where}: expected {len(header)} cells, got {len(row)}")
    except csv.Error as error:
        raise UnreadableFile(f"{path} line {lines.line_num}: expected CSV, got {error}") from None


def field(row: object, name: str, where: str) -> Any:
    """A field of a row that may not even be an object."""
    if not isinstance(row, Mapping):
        raise InvalidInput(f"{where}: expected a JSON object, got {row!r}")
    if name not in row:
        raise InvalidInput(f"{where}: expected a field {name!r}, got none")
    return row[name]


def text_field(row: object, name: str, where: str) -> str:
    value = field(row, name, where)
    if not isinstance(value, str) or not value.strip():
        raise InvalidInput(f"{where}: expected words in {name!r}, got {value!r}")
    return value


def list_field(row: object, name: str, where: str) -> list[Any]:
    value = field(row, name, where)
    if not isinstance(value, list):
        raise InvalidInput(f"{where}: expected a list in {name!r}, got {value!r}")
    return value


def digest(path: Path) -> str:
    """A short name of a file's content, so that a result says what it was scored against."""
    return hashlib.sha256(_bytes(path)).hexdigest()[:16]


def _text(path: Path) -> str:
    try:
        return _bytes(path).decode("utf-8-sig")
    except UnicodeDecodeError:
        raise UnreadableFile(f"{path}: expected text in UTF-8, got other bytes") from None


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise UnreadableFile(f"{path}: expected a readable file, got {error.strerror}") from None


def _parsed(text: str, where: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:  # also numbers and nesting beyond what Python reads
        raise UnreadableFile(f"{where}: expected JSON, got text that is none ({error})") from None


def _object(value: Any, where: str) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise UnreadableFile(f"{where}: expected a JSON object, got {type(value).__name__}")
    return value
