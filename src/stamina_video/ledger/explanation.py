"""Why a count is what it is: the commits it is made of, and the gaps that limit it."""

from collections.abc import Sequence
from math import inf

from stamina_video.ledger.caveats import began, doubled, missed, warnings_of
from stamina_video.ledger.reader import Reader
from stamina_video.ledger.rows import FACTS, Row, Track
from stamina_video.ledger.store import Store
from stamina_video.semantics import Answer, Commit, Measure, seconds

_NAMES = 20  # listed in a warning
_NEVER_FALL = (Measure.UNIQUE, Measure.COMPLETED)


def explain(
    store: Store,
    reader: Reader,
    stream: str,
    target: str,
    at: float | None,
    since: float | None,
    measure: str | None,
) -> Answer:
    """Visible counts list every entry and exit of the segment: exits need not name whom they end."""
    start = -inf if since is None else seconds(since, "since")
    end = max(_latest(store, stream), start) if at is None else seconds(at)
    if since is None:
        segment, _, _ = reader.at(stream, target, end, measure)
    else:
        (segment, _, _), _ = reader.interval(stream, target, since, end, measure)
    track = Track(stream, target, reader.measure(stream, target, measure) or FACTS, segment)
    rows = store.track_rows(track, start, end) if track.measure != FACTS else []
    commits = tuple(row.commit for row in rows if row.commit.time > start)
    count = sum(commit.delta for commit in commits)
    facts = _facts(store, track, start, end)
    warnings = [*_unknown(store, stream, target), *warnings_of(facts)]
    warnings += _bound(facts, track.measure, count, since is None)
    return Answer(target, end, count, since, commits, tuple(warnings), tuple(facts))


def targets_of(store: Store, stream: str) -> list[str]:
    return sorted({row.commit.target for row in store.heads(stream)} - {""})


def _latest(store: Store, stream: str) -> float:
    return max((row.commit.time for row in store.heads(stream)), default=0.0)


def _unknown(store: Store, stream: str, target: str) -> list[str]:
    """A mistyped name reads as zero; what there is shows the mistake."""
    if store.heads(stream, target):
        return []
    line = f"nothing is recorded of {target!r} in stream {stream!r}"
    if targets := targets_of(store, stream):
        return [f"{line}, which has {_listed(targets)}"]
    if streams := [name for name in store.streams() if name != stream]:
        return [f"{line}; the ledger has {_listed(streams)}"]
    return [line]


def _listed(names: Sequence[str]) -> str:
    more = f" and {len(names) - _NAMES} more" if len(names) > _NAMES else ""
    return ", ".join(map(repr, names[:_NAMES])) + more


def _facts(store: Store, track: Track, start: float, end: float) -> list[Commit]:
    """Gaps, overflows and misses of the target or the whole stream that touch (start, end]."""
    rows: list[Row] = []
    for target in ("", track.target):
        rows += store.track_rows(track._replace(target=target, measure=FACTS), -inf, inf)
    commits = [row.commit for row in sorted(rows, key=lambda row: row.id) if row.commit.kind.is_warning]
    return [commit for commit in commits if began(commit) <= end and commit.time > start]


def _bound(facts: Sequence[Commit], measure: str, count: int, from_the_origin: bool) -> list[str]:
    """One line for all of them together, none where any of them hides no one knows how much."""
    hidden = [missed(fact) for fact in facts]
    known = [number for number in hidden if number is not None]
    if not known or len(known) < len(hidden):
        return []
    more = sum(known)
    # What was not seen can only raise a count of things that happened; of things visible it may be either.
    less = more if measure not in _NEVER_FALL else 0
    less += sum(map(doubled, facts)) if measure == Measure.UNIQUE else 0
    if not more and not less:
        return []
    low = count - less
    if from_the_origin:
        low = max(low, 0)  # a number of things; a change may be below zero
    return [f"the true number is between {low} and {count + more}"]
