"""OVO-S-Bench's released items as queries: a question, its options (some are pictures), a time, a truth.

An item asked at several times is several queries. A query may use frames up to its own time and no later.
"""

import base64
import binascii
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from stamina_video.semantics import InvalidInput, MissingExtra, UnreadableFile, seconds
from stamina_video.semantics.files import field, json_document, json_lines, list_field, text_field

LEVELS = ("L1", "L2", "L3", "L4")
AVERAGE = "L-Avg"
_PICTURE = re.compile(r"data:(image/[\w.+-]+);base64,", re.I)


@dataclass(frozen=True, slots=True)
class Picture:
    """An option that is an image, as its encoded bytes."""

    label: str
    media_type: str
    data: bytes


@dataclass(frozen=True, slots=True)
class Query:
    """One scored answer."""

    id: str
    video: str
    time: float
    level: str
    family: str
    question: str
    options: Mapping[str, str]  # label -> words, or words that point to a picture
    pictures: tuple[Picture, ...]
    truth: str

    @property
    def labels(self) -> tuple[str, ...]:
        return tuple(self.options)


def read_queries(path: str | Path) -> list[Query]:
    """Every query of a released file (Parquet, JSON or JSON Lines), in the file's order."""
    queries: list[Query] = []
    seen: set[str] = set()
    for where, item in _items(Path(path)):
        found = _queries(item, where)
        if found[0].id in seen:
            raise InvalidInput(f"{where}: expected each item once, got {item['id']!r} again")
        seen.update(query.id for query in found)
        queries += found
    if not queries:
        raise InvalidInput(f"{path}: expected at least one item, got none")
    return queries


def averages(queries: Sequence[Query]) -> dict[str, tuple[str, ...]]:
    """Families average into levels, and the levels weigh alike in L-Avg."""
    families: dict[str, dict[str, None]] = {}
    for query in queries:
        families.setdefault(query.level, {})[query.family] = None
    levels = {level: tuple(families[level]) for level in LEVELS if level in families}
    return levels | {AVERAGE: tuple(levels)}


def _items(path: Path) -> list[tuple[str, Mapping[str, Any]]]:
    if path.suffix == ".jsonl":
        return list(json_lines(path))
    if path.suffix in (".parquet", ".pq"):
        items = _parquet(path)
    else:
        document = json_document(path)
        items = document.get("annotations") if isinstance(document, dict) else document
    if not isinstance(items, list) or not all(isinstance(item, dict) for item in items):
        raise UnreadableFile(f"{path}: expected a list of items, got another document")
    return [(f"{path} item {position}", item) for position, item in enumerate(items)]


def _parquet(path: Path) -> Any:
    try:
        from pyarrow import ArrowException, parquet  # noqa: PLC0415  # only this file format needs it
    except ImportError:
        raise MissingExtra("expected pyarrow to read Parquet; install stamina-video[data]") from None
    try:
        return parquet.read_table(path).to_pylist()
    except (OSError, ArrowException) as error:
        raise UnreadableFile(f"{path}: expected a Parquet file, got {error}") from None


def _queries(item: Mapping[str, Any], where: str) -> list[Query]:
    name = text_field(item, "id", where)
    options, pictures = _options(field(item, "options", where), where)
    times = list_field(item, "query_times", where)
    answers = [str(label).strip() for label in list_field(item, "answers", where)]
    if not times or not answers:
        raise InvalidInput(f"{where}: expected query times and answers, got {len(times)} and {len(answers)}")
    for label in answers:
        if label not in options:
            raise InvalidInput(f"{where}: expected an answer among {', '.join(options)}, got {label!r}")
    return [
        Query(
            id=f"{name}_q{index}",
            video=text_field(item, "video_path", where),
            time=_time(time, where),
            level=_level(item, where),
            family=text_field(item, "task_main_category", where),
            question=text_field(item, "question", where),
            options=options,
            pictures=pictures,
            # One answer may stand for all later times, as in the released runner.
            truth=answers[min(index, len(answers) - 1)],
        )
        for index, time in enumerate(times)
    ]


def _options(value: Any, where: str) -> tuple[dict[str, str], tuple[Picture, ...]]:
    options: dict[str, str] = {}
    pictures: list[Picture] = []
    for label, content in _pairs(value, where):
        if label in options:
            raise InvalidInput(f"{where}: expected each option label once, got {label!r} again")
        found = _PICTURE.match(content)
        options[label] = f"(picture {label})" if found else content
        if found:
            pictures.append(Picture(label, found[1].lower(), _decoded(content[found.end() :], label, where)))
    if len(options) < 2:
        raise InvalidInput(f"{where}: expected at least two options, got {len(options)}")
    return options, tuple(pictures)


def _pairs(value: Any, where: str) -> list[tuple[str, str]]:
    """Options come as a mapping, as [label, content] pairs, or as key/value records."""
    pairs = list(value.items()) if isinstance(value, dict) else value
    if isinstance(pairs, list):
        pairs = [(item.get("key"), item.get("value")) if isinstance(item, dict) else item for item in pairs]
        if all(isinstance(pair, list | tuple) and len(pair) == 2 for pair in pairs):
            return [(str(label).strip(), str(content)) for label, content in pairs]
    raise InvalidInput(f"{where}: expected options as [label, content] pairs, got {str(value)[:60]!r}")


def _decoded(encoded: str, label: str, where: str) -> bytes:
    try:
        return base64.b64decode(encoded, validate=True)
    except binascii.Error:
        raise InvalidInput(
            f"{where}: expected the picture of option {label} in base64, got other text"
        ) from None


def _level(item: Mapping[str, Any], where: str) -> str:
    level = f"L{field(item, 'level', where)}"
    if level not in LEVELS:
        raise InvalidInput(f"{where}: expected a level from 1 to 4, got {item['level']!r}")
    return level


def _time(value: object, where: str) -> float:
    try:
        return seconds(value, "a query time")
    except InvalidInput as error:
        raise InvalidInput(f"{where}: {error}") from None
