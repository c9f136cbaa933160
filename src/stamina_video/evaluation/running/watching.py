"""One pass: shows a counter a video up to each query in turn, and reads its answers there."""

from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from stamina_video.evaluation.causality import Witness
from stamina_video.evaluation.running.counter import Counter, Counting, Read
from stamina_video.evaluation.running.parts import Part
from stamina_video.evaluation.running.plan import Pass, Plan
from stamina_video.video import Gap, Video, open_video


def watch(
    counter: Counter,
    plan: Plan,
    one: Pass,
    path: Path,
    ledger: str | Path,
    observed: Callable[[float], None],
) -> Part:
    """Answers are read when the video has been shown up to their time and no further."""
    fps = rate(counter, plan, one) if plan.samples else None
    reads: dict[str, dict[float, Read]] = {asked.question.id: {} for asked in one.asked}
    with shown(plan, path, one.video, one.until, fps) as video:
        witness = Witness(video, path)
        with closing(_begun(counter, witness, one, fps or _mean_rate(plan, one), ledger)) as counting:
            for at in one.at:
                for item in witness.until(at):
                    with witness.at_work():
                        counting.observe(item)
                    observed(item.end if isinstance(item, Gap) else item.time)
                with witness.at_work():
                    _read(counter, counting, one, at, reads)
            commits = {asked.question.id: tuple(counting.commits(asked.target)) for asked in one.asked}
        witness.check()
    times = tuple(shown.time for shown in witness.shown)
    return Part(one.video, one.until, fps, times, witness.gaps, reads, commits)


def rate(counter: Counter, plan: Plan, one: Pass) -> float:
    return plan.fps if plan.fps is not None else counter.pace(one.paced).fps


def _begun(counter: Counter, witness: Witness, one: Pass, fps: float, ledger: str | Path) -> Counting:
    with witness.at_work():
        return counter.begin(witness, fps, one.targets, ledger)


def _read(
    counter: Counter, counting: Counting, one: Pass, at: float, reads: dict[str, dict[float, Read]]
) -> None:
    for asked in one.asked:
        if at in asked.question.times:
            able = asked.target.operator in counter.answers
            since = asked.since(at)
            reads[asked.question.id][at] = counting.read(asked.target, at, since) if able else _nothing(since)


def _nothing(since: float | None) -> Read:
    return Read(0) if since is None else Read(0, 0, 0)


def shown(plan: Plan, path: Path, stream: str, until: float, fps: float | None) -> Video:
    """The video up to a moment: at a rate, or within the plan's budget of frames."""
    if fps is not None:
        return open_video(path, fps, stream, until=until)
    return open_video(path, stream=stream, frames=plan.frames, until=until)


def _mean_rate(plan: Plan, one: Pass) -> float:
    """Looks a second where a budget is spread over the prefix, for counters that must know."""
    return plan.frames / max(one.until, 1.0)
