"""What readers said about audited labels, and what follows from two of them."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from stamina_video.data.wilson import wilson
from stamina_video.semantics import InvalidInput, UnreadableFile

RECONCILED = "reconciled"  # the name under which two readers settle what they saw differently


@dataclass(frozen=True, slots=True)
class Judgement:
    """One reader's word on one record: is the count right, is the increment right?"""

    id: str
    reader: str
    endpoint: bool
    increment: bool


@dataclass(frozen=True, slots=True)
class Rate:
    """Correct records among all audited ones, with the 95 % Wilson interval."""

    correct: int
    audited: int
    rate: float | None
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True)
class AuditRow:
    """A source's labels as two readers found them. What they have not settled counts as not correct."""

    source: str
    audited: int
    endpoint: Rate
    increment: Rate
    agreement: Rate
    unsettled: tuple[str, ...]


def read_judgements(paths: Iterable[Path]) -> list[Judgement]:
    judgements: dict[tuple[str, str], Judgement] = {}
    for path in paths:
        for number, line in enumerate(_lines(path), start=1):
            judgement = _judgement(line, f"{path} line {number}")
            key = judgement.id, judgement.reader
            if key in judgements:
                raise InvalidInput(
                    f"{path} line {number}: expected one judgement of {judgement.id!r} "
                    f"by {judgement.reader!r}, got another"
                )
            judgements[key] = judgement
    return list(judgements.values())


def audit_table(sources: Mapping[str, str], judgements: Sequence[Judgement]) -> list[AuditRow]:
    """A row a source and one for all; `sources` names the source of every record that was drawn."""
    by_record: dict[str, dict[str, Judgement]] = {}
    for judgement in judgements:
        if judgement.id not in sources:
            raise InvalidInput(f"expected a record of this audit, got {judgement.id!r}")
        by_record.setdefault(judgement.id, {})[judgement.reader] = judgement
    readers = sorted({judgement.reader for judgement in judgements} - {RECONCILED})
    if len(readers) != 2:
        raise InvalidInput(f"expected judgements of two readers, got {len(readers)}: {', '.join(readers)}")
    audited = [id_ for id_ in sources if all(reader in by_record.get(id_, {}) for reader in readers)]
    rows = [
        _row(source, [id_ for id_ in audited if sources[id_] == source], by_record, readers)
        for source in sorted(set(sources.values()))
    ]
    return [*rows, _row("all", audited, by_record, readers)]


def _row(
    source: str,
    audited: Sequence[str],
    by_record: Mapping[str, Mapping[str, Judgement]],
    readers: Sequence[str],
) -> AuditRow:
    settled: dict[str, Judgement | None] = {id_: _settled(by_record[id_], readers) for id_ in audited}
    first, second = readers
    agreed = sum(_same(by_record[id_][first], by_record[id_][second]) for id_ in audited)
    return AuditRow(
        source,
        len(audited),
        _rate(sum(word is not None and word.endpoint for word in settled.values()), len(audited)),
        _rate(sum(word is not None and word.increment for word in settled.values()), len(audited)),
        _rate(agreed, len(audited)),
        tuple(id_ for id_, word in settled.items() if word is None),
    )


def _settled(words: Mapping[str, Judgement], readers: Sequence[str]) -> Judgement | None:
    if RECONCILED in words:
        return words[RECONCILED]
    first, second = (words[reader] for reader in readers)
    return first if _same(first, second) else None


def _same(first: Judgement, second: Judgement) -> bool:
    return (first.endpoint, first.increment) == (second.endpoint, second.increment)


def _rate(correct: int, audited: int) -> Rate:
    bounds = wilson(correct, audited)
    if bounds is None:
        return Rate(correct, audited, None, None, None)
    return Rate(correct, audited, correct / audited, *bounds)


def _lines(path: Path) -> list[str]:
    try:
        return [line for line in path.read_text("utf-8").splitlines() if line.strip()]
    except (OSError, UnicodeDecodeError) as error:
        raise UnreadableFile(f"{path}: expected judgements as JSON Lines, got {error}") from None


def _judgement(line: str, where: str) -> Judgement:
    try:
        row = json.loads(line)
    except json.JSONDecodeError as error:
        raise UnreadableFile(f"{where}: expected a JSON object, got {error.msg}") from None
    kinds = {"id": str, "reader": str, "endpoint": bool, "increment": bool}
    for name, kind in kinds.items():
        if not isinstance(row, dict) or not isinstance(row.get(name), kind):
            raise InvalidInput(f"{where}: expected {name!r} as {kind.__name__}, got {row!r}")
    return Judgement(row["id"], row["reader"], row["endpoint"], row["increment"])
