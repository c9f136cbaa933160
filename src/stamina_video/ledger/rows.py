"""A commit as it is stored: its segment, the running numbers after it, its link in the chain."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from stamina_video.semantics import Commit, Kind

GENESIS = bytes(16)
FACTS = ""  # the place of a measure for records that are not counts


class Track(NamedTuple):
    """One running number: a measure of a target of a stream, within a segment."""

    stream: str
    target: str
    measure: str
    segment: int


class Point(NamedTuple):
    """The running numbers of a track from a time on."""

    time: float
    total: int
    gained: int


@dataclass(frozen=True, slots=True)
class Row:
    commit: Commit
    segment: int
    total: int  # the track's number after this commit
    gained: int  # the same with decreases left out: visibility entries so far
    digest: bytes
    id: int = 0  # order of arrival, given by the store
    evidence: str | None = field(default=None, compare=False)  # as text, where it was already written out

    @property
    def measure(self) -> str:
        return measure_of(self.commit)

    @property
    def track(self) -> Track:
        return Track(self.commit.stream, self.commit.target, self.measure, self.segment)

    @property
    def point(self) -> Point:
        return Point(self.commit.time, self.total, self.gained)


_MEASURES = {kind: FACTS if kind.measure is None else kind.measure.value for kind in Kind}
_encoder = json.JSONEncoder(sort_keys=True, separators=(",", ":"))
_SEPARATOR = "\x1f"  # names are printable and evidence is escaped, so none of them holds it


def measure_of(commit: Commit) -> str:
    return _MEASURES[commit.kind]


def encode_evidence(evidence: Mapping[str, Any]) -> str:
    """The one spelling of this evidence: equal evidence, equal text."""
    return _encoder.encode(evidence)


def digest_of(
    previous: bytes, commit: Commit, segment: int, total: int, gained: int, evidence: str | None = None
) -> bytes:
    """The link that ties a row to everything before it in its stream.

    The chain carries no secret, so it shows damage and careless edits; 128 bits make a chance
    match hopeless, and a longer digest would only take room on disk.
    """
    words = (commit.stream, commit.target, commit.kind.value, commit.evidence_id, commit.model)
    numbers = (commit.delta, commit.observation, commit.time, commit.recorded, segment, total, gained)
    written = encode_evidence(commit.evidence) if evidence is None else evidence
    body = _SEPARATOR.join((*words, *map(repr, numbers), written))
    return hashlib.blake2b(previous + body.encode(), digest_size=16).digest()
