"""Short ways to write commits down, for tests."""

from dataclasses import replace
from typing import Any

from stamina_video.semantics import Commit, Kind, Operator, evidence_id

CAMERA = "camera"
MUGS = "red mugs"


def commit(
    kind: Kind,
    time: float,
    delta: int | None = None,
    *,
    stream: str = CAMERA,
    target: str = MUGS,
    subject: str = "",
    observation: int | None = None,
    evidence: dict[str, Any] | None = None,
    model: str = "nano-1",
) -> Commit:
    usual = 0 if kind.measure is None else -1 if kind is Kind.EXIT else 1
    index = int(time * 10) if observation is None else observation
    return Commit(
        stream,
        target,
        kind,
        usual if delta is None else delta,
        index,
        time,
        evidence_id(stream, target, index, subject, kind),
        evidence or {"score": 0.875},
        model,
    )


def identity(time: float, **fields: Any) -> Commit:
    return commit(Kind.IDENTITY, time, **fields)


def entry(time: float, delta: int = 1, **fields: Any) -> Commit:
    return commit(Kind.ENTRY, time, delta, **fields)


def exit_(time: float, delta: int = -1, **fields: Any) -> Commit:
    return commit(Kind.EXIT, time, delta, **fields)


def segment(time: float, **fields: Any) -> Commit:
    return commit(Kind.SEGMENT, time, target="", **fields)


def registered(time: float, operator: Operator, **fields: Any) -> Commit:
    return commit(Kind.TARGET, time, evidence={"operator": operator.value}, subject=operator, **fields)


def stamped(commit: Commit) -> Commit:
    """As the ledger would store it."""
    return replace(commit, recorded=1_700_000_000.25)
