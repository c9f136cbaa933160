"""The five records that flow through the system, in order. Read this first.

    Observation ─► Features ─► Decision ─► Commit ─► Answer

A source yields observations; a backbone turns one into features; the transitions decide which
legal changes to accept; the ledger keeps each accepted change once; a read of the ledger answers.
Arrays are whatever the producing package uses; this module needs only the standard library.
"""

import hashlib
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from stamina_video.semantics.errors import InvalidInput
from stamina_video.semantics.operators import Measure
from stamina_video.semantics.targets import is_printable, is_text, target_name

_LONGEST = 1e15  # seconds: far beyond any clock, still exact to a tenth as a float
_WIDEST = 2**63  # integers in evidence fit what databases and other languages read
_DEEPEST = 16  # levels of evidence

Evidence = Mapping[str, Any]  # small and JSON-like: a score, an edge, a box, a frame reference


@dataclass(frozen=True, slots=True)
class Observation:
    """One sampled source frame. `time` is its own timestamp, in seconds from the segment origin."""

    stream: str
    index: int
    time: float
    image: Any
    source_frame: int
    live: bool = False  # shown once: it cannot be delivered again after an interruption


@dataclass(frozen=True, slots=True)
class Features:
    """What a backbone saw in one observation, for one target."""

    observation: int
    time: float
    tokens: Any  # (tokens, width): final states at the observation's visual tokens
    mean: Any  # (width + pulses,)
    target: Any  # (target width,), unit length


@dataclass(frozen=True, slots=True)
class Change:
    """One accepted change before it has a place in a ledger."""

    kind: "Kind"
    delta: int
    subject: str  # the slot, candidate or identity it happened to
    edge: str
    evidence: Evidence = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Decision:
    """Everything accepted at one observation for one target; often nothing."""

    stream: str
    target: str
    observation: int
    time: float
    changes: tuple[Change, ...] = ()

    def commits(self, model: str = "") -> "tuple[Commit, ...]":
        return tuple(
            Commit(
                self.stream,
                self.target,
                change.kind,
                change.delta,
                self.observation,
                self.time,
                evidence_id(self.stream, self.target, self.observation, change.subject, change.edge),
                change.evidence,
                model,
            )
            for change in self.changes
        )


class Kind(StrEnum):
    """What a commit records. The first four change a count; the rest are facts about the record."""

    ENTRY = "entry"
    EXIT = "exit"
    IDENTITY = "identity"
    EVENT = "event"
    GAP = "gap"
    OVERFLOW = "overflow"
    RETRIEVAL_MISS = "retrieval-miss"
    TARGET = "target"
    SEGMENT = "segment"

    @property
    def measure(self) -> Measure | None:
        return _MEASURES.get(self)

    @property
    def is_warning(self) -> bool:
        return self in (Kind.GAP, Kind.OVERFLOW, Kind.RETRIEVAL_MISS)

    @classmethod
    def parse(cls, value: "str | Kind") -> "Kind":
        """The kind of this name; the long forms people say ("identity accepted") work too."""
        folded = value.strip().lower().replace("_", "-").replace(" ", "-") if isinstance(value, str) else ""
        kind = _KINDS.get(folded)
        if kind is None:
            raise InvalidInput(f"expected a commit kind ({', '.join(cls)}), got {value!r}")
        return kind


_MEASURES = {
    Kind.ENTRY: Measure.VISIBLE,
    Kind.EXIT: Measure.VISIBLE,
    Kind.IDENTITY: Measure.UNIQUE,
    Kind.EVENT: Measure.COMPLETED,
}

_KINDS = {kind.value: kind for kind in Kind} | {
    "visibility-entry": Kind.ENTRY,
    "visibility-exit": Kind.EXIT,
    "identity-accepted": Kind.IDENTITY,
    "new": Kind.IDENTITY,
    "event-completed": Kind.EVENT,
    "complete": Kind.EVENT,
    "completion": Kind.EVENT,
    "target-registered": Kind.TARGET,
    "segment-origin": Kind.SEGMENT,
}


@dataclass(frozen=True, init=False)
class Commit:
    """One accepted change with its evidence. An empty target speaks of the whole stream."""

    stream: str
    target: str
    kind: Kind
    delta: int
    observation: int
    time: float
    evidence_id: str
    evidence: Evidence = field(hash=False)
    model: str
    recorded: float | None = field(compare=False)  # when the ledger stored it, in seconds since 1970

    def __init__(
        self,
        stream: str,
        target: str,
        kind: str | Kind,
        delta: int,
        observation: int,
        time: float,
        evidence_id: str,
        evidence: Evidence | None = None,
        model: str = "",
        recorded: float | None = None,
    ) -> None:
        parsed = Kind.parse(kind)
        put = object.__setattr__
        put(self, "stream", _words("a stream name", stream))
        put(self, "target", _commit_target(parsed, target))
        put(self, "kind", parsed)
        put(self, "delta", _delta(parsed, delta))
        put(self, "observation", _index(observation))
        put(self, "time", seconds(time))
        put(self, "evidence_id", _words("an evidence id", evidence_id))
        put(self, "evidence", _evidence({} if evidence is None else evidence))
        put(self, "model", _words("a model fingerprint", model) if model else "")
        put(self, "recorded", recorded)


@dataclass(frozen=True, slots=True)
class Answer:
    """A count read as of a time, or its change since another, with what should be known about it."""

    target: str
    at: float
    count: int
    since: float | None = None
    commits: tuple[Commit, ...] = ()
    warnings: tuple[str, ...] = ()
    facts: tuple[Commit, ...] = ()  # the gaps, overflows and misses it was read across


def evidence_id(stream: str, target: str, observation: int, subject: str, edge: str) -> str:
    """The id that makes redelivery harmless: the same decision always derives the same one."""
    parts = (stream, target, str(observation), subject, edge)
    framed = b"".join(len(raw).to_bytes(4, "big") + raw for raw in (part.encode() for part in parts))
    return hashlib.sha256(framed).hexdigest()[:32]


def seconds(value: object, what: str = "a time") -> float:
    """A finite, non-negative number of seconds."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise InvalidInput(f"expected {what} in seconds, got {value!r}")
    if not 0 <= value <= _LONGEST:  # false for NaN too
        raise InvalidInput(f"expected {what} in seconds, finite and not negative, got {shortened(value)}")
    return float(value) + 0.0  # minus zero is zero


def shortened(value: object) -> str:
    """How a value is quoted in a message: some numbers and texts fill pages."""
    try:
        written = repr(value)
    except ValueError:  # an integer too long for Python to print
        return "a number of thousands of digits"
    return written if len(written) <= 80 else f"{written[:80]}…"


def _words(what: str, value: object) -> str:
    if not isinstance(value, str) or not value.strip() or not is_printable(value):
        raise InvalidInput(f"expected {what} in printable characters, got {shortened(value)}")
    return value


def _commit_target(kind: Kind, value: str) -> str:
    if value == "" and (kind.is_warning or kind is Kind.SEGMENT):
        return ""
    return target_name(value)


def _delta(kind: Kind, value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise InvalidInput(f"expected a whole number as the increment of {kind}, got {value!r}")
    if kind.measure is None:
        legal, expected = value == 0, "of zero"
    elif kind is Kind.EXIT:
        legal, expected = value < 0, "below zero"
    else:
        legal, expected = value > 0, "above zero"
    if not legal:
        raise InvalidInput(f"expected an increment {expected} for {kind}, got {value}")
    return value


def _index(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise InvalidInput(f"expected an observation index from 0, got {value!r}")
    return value


def _evidence(value: object) -> dict[str, Any]:
    if not isinstance(value, Mapping):
        raise InvalidInput(f"expected evidence as a mapping, got {value!r}")
    if not _is_json(value, _DEEPEST):
        raise InvalidInput(
            f"expected evidence of names, words, finite numbers and lists, got {shortened(value)}"
        )
    return {key: _as_lists(item) for key, item in value.items()}


def _as_lists(value: Any) -> Any:
    """The value as JSON would give it back: tuples become lists, so that redelivery compares equal."""
    match value:
        case list() | tuple():
            return [_as_lists(item) for item in value]
        case Mapping():
            return {key: _as_lists(item) for key, item in value.items()}
    return value


def _is_json(value: object, depth: int) -> bool:
    """Whether this can be written as JSON and read back equal; a cycle is deeper than any evidence."""
    match value:
        case bool() | None:
            return True
        case str():
            return is_text(value)
        case int():
            return -_WIDEST <= value < _WIDEST
        case float():
            return math.isfinite(value)
        case list() | tuple():
            return depth > 0 and all(_is_json(item, depth - 1) for item in value)
        case Mapping():
            return depth > 0 and all(
                isinstance(key, str) and is_text(key) and _is_json(item, depth - 1)
                for key, item in value.items()
            )
    return False
