"""What should be known about a count: what was not seen, found no place, or could not have been counted."""

from collections.abc import Iterable, Sequence

from stamina_video.semantics import Commit, Kind


def caveats(facts: Iterable[Commit]) -> list[str]:
    """One line per gap, and one per other kind of record however often it occurs."""
    listed = list(facts)
    lines = [_gap(commit) for commit in listed if commit.kind is Kind.GAP]
    for kind, words in _REPEATED.items():
        times = [commit.time for commit in listed if commit.kind is kind]
        if times:
            lines.append(f"{kind} at {_occasions(times)}: {words}")
    return list(dict.fromkeys(lines))


def at_ceiling(count: int, ceiling: int, observations: int, remedy: str) -> list[str]:
    """The warning due where no more could have been counted."""
    if count < ceiling:
        return []
    looks = "1 observation" if observations == 1 else f"{observations} observations"
    return [f"capacity: {count} is all that {looks} can count; {remedy} may count more"]


def began(fact: Commit) -> float:
    """A gap is recorded where it ends; its evidence says since when nothing was seen."""
    since = fact.evidence.get("since", fact.time)
    assert isinstance(since, int | float), "a session writes gaps with their start"
    return float(since)


_REPEATED = {
    Kind.OVERFLOW: "more took part at once than there are slots, and the rest were not followed",
    Kind.RETRIEVAL_MISS: "an identity may have been overlooked among many",
}


def _gap(commit: Commit) -> str:
    start, reason = began(commit), commit.evidence.get("reason", "not observed")
    when = f"at {commit.time:g} s" if start == commit.time else f"from {start:g} to {commit.time:g} s"
    return f"gap {when}: {reason}"


def _occasions(times: Sequence[float]) -> str:
    if len(times) == 1:
        return f"{times[0]:g} s"
    return f"{len(times)} observations from {times[0]:g} to {times[-1]:g} s"
