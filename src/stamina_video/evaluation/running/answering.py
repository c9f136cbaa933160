"""Asks in words, each question when its time has come and no later. Knows no benchmark and scores nothing."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from stamina_video.evaluation.causality import Witness
from stamina_video.evaluation.running.plan import Plan
from stamina_video.evaluation.running.watching import shown
from stamina_video.semantics import Observation, UnreadableFile
from stamina_video.semantics.files import json_lines
from stamina_video.semantics.schedule import Access

RATE = 1.0  # looks a second in Stream, where a plan leaves it open: the paper's


@dataclass(frozen=True, slots=True)
class Asking:
    """A prompt to answer as of a moment; pictures are shown after the video. `row` names the response."""

    row: Mapping[str, Any]
    video: str
    time: float
    prompt: str
    pictures: tuple[bytes, ...] = ()

    @property
    def key(self) -> str:
        return json.dumps(self.row)


class Conversation(Protocol):
    """Shown one video in order of time, and asked about what it has seen so far."""

    def observe(self, observation: Observation) -> None: ...

    def ask(self, prompt: str, at: float, pictures: Sequence[bytes]) -> str: ...


class Speaker(Protocol):
    """Something that answers in words."""

    def begin(self, stream: str) -> Conversation: ...


def answer(
    askings: Sequence[Asking],
    videos: Path,
    speaker: Speaker,
    plan: Plan,
    responses: Path,
    heard: Callable[[int, int], None],
) -> None:
    """Append a row per answer to `responses`; what is answered there is not asked again."""
    for asking in askings:
        if not (videos / asking.video).exists():
            raise UnreadableFile(
                f"{videos / asking.video}: expected the video of a question, got no such file"
            )
    done = _answered(responses, askings)
    with responses.open("a", encoding="utf-8") as file:
        for group in _passes([one for one in askings if one.key not in done], plan):
            for asking, text in _answers(group, videos / group[0].video, speaker, plan):
                file.write(json.dumps({**asking.row, "response": text, "time": asking.time}) + "\n")
                file.flush()
                done.add(asking.key)
                heard(len(done), len(askings))


def _passes(askings: Sequence[Asking], plan: Plan) -> Iterator[list[Asking]]:
    """In Stream one pass over a video serves all its questions; in Full each has one of its own."""
    if plan.access is Access.FULL:
        yield from ([one] for one in askings)
        return
    by_video: dict[str, list[Asking]] = {}
    for one in askings:
        by_video.setdefault(one.video, []).append(one)
    # Triggers at one time keep the file's order: each is a decision of its own.
    yield from (sorted(group, key=lambda one: one.time) for group in by_video.values())


def _answers(
    askings: Sequence[Asking], path: Path, speaker: Speaker, plan: Plan
) -> Iterator[tuple[Asking, str]]:
    stream = askings[0].video
    fps = (plan.fps or RATE) if plan.samples else None
    with shown(plan, path, stream, askings[-1].time, fps) as video:
        witness = Witness(video, path)
        with witness.at_work():
            conversation = speaker.begin(stream)
        for asking in askings:
            for item in witness.until(asking.time):
                if isinstance(item, Observation):
                    with witness.at_work():
                        conversation.observe(item)
            with witness.at_work():
                text = conversation.ask(asking.prompt, asking.time, asking.pictures)
            witness.check()  # before the answer is kept
            yield asking, text


def _answered(responses: Path, askings: Sequence[Asking]) -> set[str]:
    """What a stopped run has answered; a line it was stopped in is taken back."""
    if not responses.exists():
        return set()
    text = responses.read_text("utf-8")
    whole = text[: text.rfind("\n") + 1]
    if whole != text:
        responses.write_text(whole, "utf-8")
    names = tuple(askings[0].row) if askings else ()
    return {json.dumps({name: row.get(name) for name in names}) for _, row in json_lines(responses)}
