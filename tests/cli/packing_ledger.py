"""A packing scene written down by hand: what a careful observer would commit, second by second."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

from stamina_video.semantics import Commit, Kind, Target, evidence_id

STREAM = "packing table"
MUGS = Target("mugs", "O2-Unique")
PACKED = Target("mugs packed", "E2-Episode")


@dataclass(frozen=True, slots=True)
class Moment:
    """Something that happens at one second of the scene."""

    second: int
    target: str
    kind: Kind
    subject: str
    note: str

    def commit(self) -> Commit:
        delta = {None: 0, Kind.EXIT: -1}.get(self.kind if self.kind.measure else None, 1)
        evidence: dict[str, object] = {"subject": self.subject, "note": self.note, "frame": 30 * self.second}
        if self.kind is Kind.GAP:
            evidence |= {"since": self.second - 3.0, "missed": 1}
        derived = evidence_id(STREAM, self.target, self.second, self.subject, self.kind)
        return Commit(
            STREAM,
            self.target,
            self.kind,
            delta,
            self.second,
            float(self.second),
            derived,
            evidence,
            "scripted",
        )


def _mug(second: int, kind: Kind, subject: str, note: str) -> Moment:
    return Moment(second, MUGS.description, kind, subject, note)


def _packed(second: int, subject: str, note: str) -> Moment:
    return Moment(second, PACKED.description, Kind.EVENT, subject, note)


SCENE = (
    _mug(2, Kind.ENTRY, "blue striped mug", "set on the table"),
    _mug(2, Kind.IDENTITY, "blue striped mug", "never seen before"),
    _mug(5, Kind.ENTRY, "orange mug", "half hidden behind the box: visible, identity deferred"),
    _mug(7, Kind.IDENTITY, "orange mug", "in full view now: accepted as new"),
    _mug(9, Kind.EXIT, "blue striped mug", "carried out of view"),
    _mug(14, Kind.ENTRY, "blue striped mug", "back again: the same mug, no new identity"),
    _mug(18, Kind.EXIT, "orange mug", "inside the box"),
    _packed(18, "orange mug", "the hand let go"),
    _mug(22, Kind.ENTRY, "second striped mug", "set beside its twin"),
    _mug(22, Kind.IDENTITY, "second striped mug", "both are in view at once: a new one"),
    Moment(33, "", Kind.GAP, "camera", "no frames for three seconds, time enough for one mug"),
    _mug(34, Kind.EXIT, "second striped mug", "inside the box"),
    _packed(34, "second striped mug", "the hand let go; an earlier try at 27 s was lifted back"),
    _mug(43, Kind.EXIT, "blue striped mug", "inside the box"),
    _packed(43, "blue striped mug", "the hand let go"),
)


def observations() -> Iterator[list[Commit]]:
    """The scene's commits, grouped by the observation they belong to."""
    for target in (MUGS, PACKED):
        derived = evidence_id(STREAM, target.description, 0, "target", target.operator)
        registered = {"operator": str(target.operator), "scope": str(target.scope)}
        yield [Commit(STREAM, target.description, "target", 0, 0, 0.0, derived, registered, "scripted")]
    for _, moments in groupby(SCENE, key=lambda moment: moment.second):
        yield [moment.commit() for moment in moments]
