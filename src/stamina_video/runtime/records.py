"""Facts a session writes beside its counts: what is counted, and what could not be seen."""

from stamina_video.semantics import Commit, Kind, Target, evidence_id
from stamina_video.video import Gap


def target_record(stream: str, target: Target, model: str) -> Commit:
    derived = evidence_id(stream, target.description, 0, target.operator, Kind.TARGET)
    facts = {"operator": target.operator.value, "scope": target.scope.value}
    return Commit(stream, target.description, Kind.TARGET, 0, 0, 0.0, derived, facts, model)


def segment_record(stream: str, observation: int, time: float, reason: str, model: str) -> Commit:
    """Counting begins anew: every count of the stream is 0 again."""
    derived = evidence_id(stream, "", observation, repr(time), Kind.SEGMENT)
    return Commit(stream, "", Kind.SEGMENT, 0, observation, time, derived, {"reason": reason}, model)


def gap_record(stream: str, gap: Gap, observation: int, model: str) -> Commit:
    """A gap is recorded where it ends, with the time since which nothing was seen."""
    derived = evidence_id(stream, "", observation, f"{gap.start!r}:{gap.end!r}", Kind.GAP)
    facts: dict[str, object] = {"since": gap.start, "reason": gap.reason}
    if gap.missed is not None:
        facts["frames"] = gap.missed
    return Commit(stream, "", Kind.GAP, 0, observation, gap.end, derived, facts, model)
