"""What a gap, an overflow or a miss says about a count read across it, in words."""

from collections.abc import Iterable, Sequence

from stamina_video.semantics import Commit, Kind

# What every record of its kind means; the reason for a gap is its own.
_MEANINGS = {
    Kind.OVERFLOW: "more were there at once than can be followed",
    Kind.RETRIEVAL_MISS: "someone known may have been taken for new among many who look alike",
}


def warnings_of(facts: Iterable[Commit]) -> list[str]:
    """One line per gap, and one per other kind and target however often it occurred."""
    groups: dict[tuple[str, ...], list[Commit]] = {}
    for fact in facts:
        alone = (fact.evidence_id,) if fact.kind is Kind.GAP else ()
        groups.setdefault((fact.kind, fact.target, *alone), []).append(fact)
    return list(dict.fromkeys(map(_line, groups.values())))


def began(fact: Commit) -> float:
    """A gap is recorded where it ends; evidence may say since when nothing was seen."""
    since = fact.evidence.get("since")
    return float(since) if isinstance(since, int | float) else fact.time


def missed(fact: Commit) -> int | None:
    """At most how many changes were lost, where the evidence says so."""
    return _number(fact, "missed")


def doubled(fact: Commit) -> int:
    """At most how many of those counted had been counted before."""
    return _number(fact, "doubled") or 0


def _number(fact: Commit, name: str) -> int | None:
    value = fact.evidence.get(name)
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


def _line(facts: Sequence[Commit]) -> str:
    first = facts[0]
    whose = f"for {first.target!r}" if first.target else "in the whole stream"
    reasons = [reason for reason in (_reason(first), _hidden(facts)) if reason]
    return f"{first.kind} {_when(facts)} {whose}: {'; '.join(reasons)}"


def _reason(fact: Commit) -> str | None:
    said = fact.evidence.get("reason")
    return said if isinstance(said, str) and said else _MEANINGS.get(fact.kind)


def _when(facts: Sequence[Commit]) -> str:
    start, end = round(began(facts[0]), 3), round(facts[-1].time, 3)
    if len(facts) > 1:
        return f"at {len(facts)} observations from {start} to {end} s"
    return f"at {end} s" if start == end else f"from {start} to {end} s"


def _hidden(facts: Sequence[Commit]) -> str:
    lost = [missed(fact) for fact in facts]
    known = [number for number in lost if number is not None]
    twice = sum(map(doubled, facts))
    if twice:
        return f"at most {twice} counted twice"
    return f"at most {sum(known)} missed" if len(known) == len(lost) else "how much it hides is not known"
