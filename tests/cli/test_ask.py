import json
from pathlib import Path
from typing import Any

import pytest
import torch

from stamina_video.backbone.qwen.backbone import QwenBackbone
from stamina_video.backbone.qwen.state import QwenState
from stamina_video.cli import asking, main
from stamina_video.runtime import Model, Session, step
from stamina_video.video import open_video
from tests.cli.scenes import DURATION, blob_video, counting_model
from tests.runtime.speaking import save_speaking
from tests.runtime.tiny import TARGETS

QUESTION = "what happened"


@pytest.fixture(scope="module")
def clip(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return blob_video(tmp_path_factory.mktemp("ask") / "table.mp4")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("ask") / "speaking"


@pytest.fixture(scope="module", autouse=True)
def model(folder: Path) -> Model:
    return save_speaking(folder)


def leaves_with(*arguments: object) -> object:
    with pytest.raises(SystemExit) as left:
        main(["ask", *map(str, arguments)])
    return left.value.code


def answered(capsys: pytest.CaptureFixture[str], *arguments: object) -> dict[str, Any]:
    assert leaves_with(*arguments, "--json") == 0
    document: dict[str, Any] = json.loads(capsys.readouterr().out)
    return document


def by_session(model: Model, clip: Path, at: float) -> str:
    with Session(model, TARGETS) as session:
        for item in open_video(clip, until=at):
            session.observe(item)
        return session.ask(QUESTION, at)


def test_every_moment_is_answered_as_a_session_would(
    clip: Path,
    model: Model,
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    ask, heard = QwenBackbone.ask, list[tuple[float | None, float | None]]()

    def listening(self: QwenBackbone, state: QwenState, question: str, at: float | None = None) -> str:
        heard.append((at, state.time))
        return ask(self, state, question, at)

    monkeypatch.setattr(QwenBackbone, "ask", listening)
    document = answered(capsys, clip, QUESTION, "--at", 2.5, "--at", 0, "--at", 2.5, "--model", folder)
    assert heard == [(0.0, 0.0), (2.5, 2.0)], "asked of what was seen by then, and no more"
    assert document["answers"] == [{"at": at, "answer": by_session(model, clip, at)} for at in (0.0, 2.5)]
    assert (document["question"], document["model"]) == (QUESTION, folder.name)


def test_without_a_moment_it_is_the_end(
    clip: Path, model: Model, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (last,) = answered(capsys, clip, QUESTION, "--model", folder)["answers"]
    assert last == {"at": 3.0, "answer": by_session(model, clip, 3.0)}
    assert leaves_with(clip, QUESTION, "--model", folder) == 0
    assert capsys.readouterr().out == f"3 s: {last['answer']}\n"


def test_a_moment_beyond_the_end_is_said(
    clip: Path, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert leaves_with(clip, QUESTION, "--at", DURATION + 5, "--model", folder) == 0
    assert "9 s is beyond the end of the video: the answer is that of the end" in capsys.readouterr().err


def test_a_model_without_a_language_decoder_is_one_line(
    clip: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("stamina_video.runtime.load", lambda name: counting_model())
    assert leaves_with(clip, QUESTION, "--model", "nano") == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err == "stamina: expected a model that speaks (4b, 8b) to answer, got 'tiny'\n"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["CLIP", " ", "--model", "8b"], "expected a question in words, got ' '"),
        (["CLIP", QUESTION, "--at", "-1", "--model", "8b"], "--at"),
        (["CLIP", QUESTION, "--model", "absent"], "expected a model"),
        (["CLIP", QUESTION], "Missing option '--model'"),
        (["absent.mp4", QUESTION, "--model", "8b"], "absent.mp4"),
        (["http://127.0.0.1:9/live.ts", QUESTION, "--model", "8b"], "expected --at for the live"),
    ],
)
def test_wrong_questions_are_one_line(
    arguments: list[str], said: str, clip: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert leaves_with(*(str(clip) if word == "CLIP" else word for word in arguments)) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert said in err
    assert err.count("\n") == 1


def test_questions_are_asked_without_gradients(
    clip: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[bool] = []

    def watched(*arguments: Any) -> Any:
        seen.append(torch.is_grad_enabled())
        return step(*arguments)

    monkeypatch.setattr(asking, "step", watched)
    assert leaves_with(clip, QUESTION, "--at", 1, "--model", folder) == 0
    assert seen == [False, False]
