"""Looks at videos through the fixed sensor: prefix estimates of their cycles at each query, for the assay."""

from collections.abc import Sequence
from pathlib import Path

from stamina_video.evaluation.assay import AssayVideo
from stamina_video.evaluation.recurrence import PixelRecurrence
from stamina_video.semantics import InvalidInput, Observation, Operator, Question, UnreadableFile
from stamina_video.video import open_video


def periodic(questions: Sequence[Question]) -> tuple[list[Question], list[Question]]:
    """One question about cycles per video, and those left out: the sensor tells no two targets apart."""
    chosen: dict[str, Question] = {}
    left_out = []
    for question in questions:
        if question.operator is not Operator.E2_PERIODIC:
            continue
        if chosen.setdefault(question.video, question) is not question:
            left_out.append(question)
    return list(chosen.values()), left_out


def sense(question: Question, videos: Path, fps: float) -> AssayVideo:
    """Each estimate uses the frames up to its own query and no later one."""
    path = videos / question.video
    if not path.exists():
        raise UnreadableFile(f"{path}: expected the video of a question, got no such file")
    truth = dict(sorted(zip(question.times, question.counts, strict=True)))
    if len(truth) != len(question.times):
        raise InvalidInput(f"question {question.id!r}: expected each query time once, got some again")
    sensor = PixelRecurrence()
    with open_video(path, fps, question.video, until=max(truth)) as video:
        for item in video:
            if isinstance(item, Observation):
                sensor.observe(item.time, item.image)
    return AssayVideo(
        question.video, tuple(truth), tuple(truth.values()), tuple(sensor.estimate(at) for at in truth)
    )
