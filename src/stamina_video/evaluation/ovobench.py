"""OVO-Bench's released annotations as decisions: who is asked what, when, and what is right.

A decision may use frames up to its own time and no later. Forward tasks are asked at every scheduled
trigger, repeated timestamps included; each trigger is a decision of its own.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from stamina_video.semantics import InvalidInput, seconds
from stamina_video.semantics.files import field, json_document, list_field, text_field

TRACKS = {
    "backward": ("EPM", "ASI", "HLD"),
    "realtime": ("OCR", "ACR", "ATR", "STU", "FPD", "OJR"),
    "forward": ("REC", "SSR", "CRR"),
}
AVERAGES = TRACKS | {"total": tuple(TRACKS)}
TASKS = tuple(task for tasks in TRACKS.values() for task in tasks)
TRACK_OF = {task: track for track, tasks in TRACKS.items() for task in tasks}


class Reply(StrEnum):
    """The form of answer a task asks for."""

    CHOICE = "choice"
    NUMBER = "number"
    YES_NO = "yes-no"


@dataclass(frozen=True, slots=True)
class Decision:
    """One scored answer. `words` fills the task's prompt."""

    record: int
    index: int
    task: str
    video: str
    time: float
    reply: Reply
    truth: str
    words: Mapping[str, str]
    options: tuple[str, ...] = ()

    @property
    def id(self) -> str:
        return f"{self.record}/{self.index}"

    @property
    def labels(self) -> tuple[str, ...]:
        return option_labels(len(self.options))


def option_labels(count: int) -> tuple[str, ...]:
    return tuple(chr(ord("A") + index) for index in range(count))


def read_decisions(path: str | Path) -> list[Decision]:
    """Every decision of a released annotation file, in the file's order."""
    document = json_document(Path(path))
    if not isinstance(document, list):
        raise InvalidInput(f"{path}: expected a JSON list of records, got {type(document).__name__}")
    decisions: list[Decision] = []
    seen: set[int] = set()
    for position, record in enumerate(document):
        where = f"{path} record {position}"
        if not isinstance(record, dict):
            raise InvalidInput(f"{where}: expected a JSON object, got {type(record).__name__}")
        found = _decisions(record, where)
        if found and found[0].record in seen:
            raise InvalidInput(f"{where}: expected each record once, got id {found[0].record} again")
        seen.update(decision.record for decision in found)
        decisions += found
    if not decisions:
        raise InvalidInput(f"{path}: expected at least one record, got none")
    return decisions


def _decisions(record: Mapping[str, Any], where: str) -> list[Decision]:
    task = text_field(record, "task", where)
    if task not in TRACK_OF:
        raise InvalidInput(f"{where}: expected a task ({', '.join(TASKS)}), got {task!r}")
    number = field(record, "id", where)
    if isinstance(number, bool) or not isinstance(number, int):
        raise InvalidInput(f"{where}: expected a whole number as id, got {number!r}")
    video = text_field(record, "video", where)
    if TRACK_OF[task] != "forward":
        return [_choice(record, task, number, video, where)]
    return [
        _trigger(record, trigger, task, number, video, index, f"{where} trigger {index}")
        for index, trigger in enumerate(list_field(record, "test_info", where))
    ]


def _choice(record: Mapping[str, Any], task: str, number: int, video: str, where: str) -> Decision:
    options = [str(option) for option in list_field(record, "options", where)]
    right = field(record, "gt", where)
    if isinstance(right, bool) or not isinstance(right, int) or not 0 <= right < len(options):
        raise InvalidInput(f"{where}: expected gt as an option index below {len(options)}, got {right!r}")
    return Decision(
        record=number,
        index=0,
        task=task,
        video=video,
        time=_time(record, where),
        reply=Reply.CHOICE,
        truth=option_labels(len(options))[right],
        words={"question": text_field(record, "question", where), "options": listed(options)},
        options=tuple(options),
    )


def _trigger(
    record: Mapping[str, Any],
    trigger: Mapping[str, Any],
    task: str,
    number: int,
    video: str,
    index: int,
    where: str,
) -> Decision:
    if task == "REC":
        reply, truth = Reply.NUMBER, str(field(trigger, "count", where))
        words = {"activity": text_field(record, "activity", where)}
    else:
        reply, truth = Reply.YES_NO, "Yes" if field(trigger, "type", where) else "No"
        source, name = (trigger, "step") if task == "SSR" else (record, "question")
        words = {name: text_field(source, name, where)}
    return Decision(number, index, task, video, _time(trigger, where), reply, truth, words)


def _time(row: Mapping[str, Any], where: str) -> float:
    try:
        return seconds(field(row, "realtime", where), "a query time")
    except InvalidInput as error:
        raise InvalidInput(f"{where}: {error}") from None


def listed(options: Sequence[str]) -> str:
    labels = option_labels(len(options))
    return "\n".join(f"{label}. {option}" for label, option in zip(labels, options, strict=True))
