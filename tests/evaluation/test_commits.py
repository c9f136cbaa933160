from stamina_video.evaluation.commits import run_of_commits
from stamina_video.evaluation.trajectories import Birth, Mark, Trajectory
from stamina_video.semantics import Commit, Kind, Measure

TRAJECTORY = Trajectory("t", "v", "s", (2.0, 6.0), (1, 2))


def commit(kind: Kind, time: float, delta: int = 1, **evidence: object) -> Commit:
    return Commit("v", "cups", kind, delta, int(time), time, f"{kind} {time}", evidence)


def test_completions_become_commits_with_their_slots() -> None:
    commits = [commit(Kind.EVENT, 1.0, slot=0), commit(Kind.EVENT, 5.0, 2), commit(Kind.ENTRY, 1.0)]
    run = run_of_commits(commits, TRAJECTORY, Measure.COMPLETED)
    assert run.commits == (Mark(1.0, "0"), Mark(5.0), Mark(5.0))
    assert run.hard == (1.0, 3.0)
    assert run.births is None


def test_accepted_identities_become_births() -> None:
    commits = [
        commit(Kind.ENTRY, 1.0),
        commit(Kind.IDENTITY, 3.0, identity=0),
        commit(Kind.RETRIEVAL_MISS, 4.0, 0),
        commit(Kind.IDENTITY, 5.0, identity=1),
    ]
    known = {0: "mug"}
    run = run_of_commits(
        commits, TRAJECTORY, Measure.UNIQUE, depicts=lambda one: known.get(one.evidence["identity"])
    )
    assert run.births == (Birth(3.0, "mug"), Birth(5.0, None))
    assert run.hard == (0.0, 2.0)
    assert run.retrieval_misses == 1
