"""Why a count is what it is: the commits it is made of, and the gaps that limit it."""

from math import inf

from stamina_video.ledger.reader import Reader
from stamina_video.ledger.rows import FACTS, Row, Track
from stamina_video.ledger.store import Store
from stamina_video.semantics import Answer, Commit, Measure, seconds


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
    heads = store.heads(stream, target)
    end = max((row.commit.time for row in heads), default=0.0) if at is None else seconds(at)
    start = -inf if since is None else seconds(since, "since")
    if since is None:
        segment, _, _ = reader.at(stream, target, end, measure)
    else:
        (segment, _, _), _ = reader.interval(stream, target, since, end, measure)
    track = Track(stream, target, reader.measure(stream, target, measure) or FACTS, segment)
    rows = store.track_rows(track, start, end) if track.measure != FACTS else []
    commits = tuple(row.commit for row in rows if row.commit.time > start)
    count = sum(commit.delta for commit in commits)
    warnings = [_warning(commit, track.measure, count) for commit in _unseen(store, track, start, end)]
    if not heads:
        warnings.insert(0, f"nothing is recorded of {target!r} in stream {stream!r}")
    return Answer(target, end, count, since, commits, tuple(warnings))


def _unseen(store: Store, track: Track, start: float, end: float) -> list[Commit]:
    """Gaps, overflows and misses of the target or the whole stream that touch (start, end]."""
    rows: list[Row] = []
    for target in ("", track.target):
        rows += store.track_rows(track._replace(target=target, measure=FACTS), -inf, inf)
    commits = [row.commit for row in sorted(rows, key=lambda row: row.id) if row.commit.kind.is_warning]
    return [commit for commit in commits if _began(commit) <= end and commit.time > start]


def _began(commit: Commit) -> float:
    """A gap is recorded when it ends; evidence may say since when nothing was seen."""
    since = commit.evidence.get("since")
    return float(since) if isinstance(since, int | float) else commit.time


def _warning(commit: Commit, measure: str, count: int) -> str:
    whose = f"for {commit.target!r}" if commit.target else "in the whole stream"
    began = _began(commit)
    when = f"at {commit.time} s" if began == commit.time else f"from {began} to {commit.time} s"
    line = f"{commit.kind} {when} {whose}"
    missed = commit.evidence.get("missed")
    if not isinstance(missed, int) or isinstance(missed, bool) or missed < 0:
        return f"{line}: how much it hides is not known"
    # What was not seen can only raise a count of things that happened; of things visible it may be either.
    low = max(count - missed, 0) if measure == Measure.VISIBLE else count
    return f"{line}: at most {missed} missed, so between {low} and {count + missed}"
