"""A ledger's commits as a run to diagnose."""

from collections.abc import Callable, Sequence

from stamina_video.evaluation.trajectories import Birth, Mark, Run, Trajectory, counted
from stamina_video.semantics import Commit, Kind, Measure


def run_of_commits(
    commits: Sequence[Commit],
    trajectory: Trajectory,
    measure: Measure,
    seed: str = "1",
    depicts: Callable[[Commit], str | None] | None = None,
) -> Run:
    """What one target's commits say of a cumulative measure; `depicts` names whom a birth shows, if known."""
    counting = [commit for commit in commits if commit.kind.measure is measure]
    times = [commit.time for commit in counting for _ in range(commit.delta)]
    births = None
    if depicts is not None:
        births = tuple(Birth(commit.time, depicts(commit)) for commit in counting)
    return Run(
        seed,
        hard=counted(times, trajectory.endpoints),
        commits=tuple(_mark(commit) for commit in counting for _ in range(commit.delta)),
        births=births,
        retrieval_misses=sum(commit.kind is Kind.RETRIEVAL_MISS for commit in commits),
    )


def _mark(commit: Commit) -> Mark:
    return Mark(commit.time, str(commit.evidence.get("slot", "")))
