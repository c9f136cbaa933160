"""The full-size model end to end, at tiny size: counts, questions, interruptions, late targets, training."""

from dataclasses import replace
from pathlib import Path

import pytest
import torch

from stamina_video.backbone.qwen.backbone import QwenBackbone
from stamina_video.ledger import Ledger
from stamina_video.runtime import Model, Session, StreamState, step
from stamina_video.runtime import replay as replayed
from stamina_video.semantics import Commit, InvalidInput, Target
from tests.backbone.qwen.tiny import observation
from tests.runtime.speaking import speaking_model
from tests.runtime.tiny import TARGETS, tiny_model

MODEL = speaking_model()
STREAM = [observation(index) for index in range(8)]


def recorded(path: Path) -> list[Commit]:
    with Ledger.open(path, readonly=True) as ledger:
        return [row.commit for stream in ledger.streams() for row in ledger.rows(stream)]


def full(model: Model) -> Model:
    assert isinstance(model.backbone, QwenBackbone)
    return replace(model, backbone=model.backbone.full())


def test_a_session_counts_several_targets_at_once_as_it_counts_each_alone() -> None:
    with Session(MODEL, TARGETS) as together:
        for item in STREAM:
            together.observe(item)
        for target in TARGETS:
            with Session(MODEL, [target]) as alone:
                for item in STREAM:
                    alone.observe(item)
                assert together.count(target.description, operator=target.operator) == alone.count(
                    target.description
                )


def test_the_stream_moves_the_counts() -> None:
    with Session(MODEL, TARGETS) as session:
        for item in STREAM:
            session.observe(item)
        counts = {session.count("red blobs", at, "O2-Unique") for at in (0.0, 1.0, 2.0, 3.5)}
        assert counts != {0}


def test_questions_change_nothing_that_is_committed(tmp_path: Path) -> None:
    for name, asked in (("quiet.db", False), ("asked.db", True)):
        with Session(MODEL, TARGETS, tmp_path / name) as session:
            for item in STREAM:
                session.observe(item)
                if asked:
                    assert isinstance(session.ask("what happened", at=item.time), str)
    assert recorded(tmp_path / "quiet.db") == recorded(tmp_path / "asked.db")


def test_a_session_can_be_asked_only_once_it_has_seen_and_only_now() -> None:
    with Session(MODEL, TARGETS) as session:
        with pytest.raises(InvalidInput, match="expected an observation before a question, got none"):
            session.ask("what happened")
        for item in STREAM[:3]:
            session.observe(item)
        with pytest.raises(InvalidInput, match=r"expected a question from 1\.0 s on"):
            session.ask("what happened", at=0.5)


def test_a_model_without_words_refuses_in_one_line() -> None:
    with (
        Session(tiny_model(), TARGETS) as session,
        pytest.raises(InvalidInput, match=r"expected a model that speaks \(4b, 8b\) to answer, got 'tiny'"),
    ):
        session.ask("what happened")


@pytest.mark.parametrize("crash", [1, 4, 7])
def test_a_crash_is_resumed_with_the_same_commits(tmp_path: Path, crash: int) -> None:
    with Session(MODEL, TARGETS, tmp_path / "whole.db") as session:
        for item in STREAM:
            session.observe(item)
    interrupted = Session(MODEL, TARGETS, tmp_path / "broken.db", snapshot_every=3)
    for item in STREAM[:crash]:
        interrupted.observe(item)
    interrupted.ledger.close()  # a crash: no snapshot is written on the way out
    with Session(MODEL, TARGETS, tmp_path / "broken.db", snapshot_every=3) as resumed:
        for item in STREAM:
            resumed.observe(item)
    assert recorded(tmp_path / "broken.db") == recorded(tmp_path / "whole.db")


def test_a_late_target_counts_as_if_it_had_been_there_from_the_origin() -> None:
    early, late = TARGETS[0], TARGETS[2]
    with Session(MODEL, [early, late]) as expected, Session(MODEL, [early]) as session:
        for item in STREAM:
            expected.observe(item)
        for item in STREAM[:5]:
            session.observe(item)
        session.add_target(late, STREAM)
        for item in STREAM[5:]:
            session.observe(item)
        assert session.count(late.description) == expected.count(late.description)
        assert session.count(early.description) == expected.count(early.description)


def test_full_access_replays_with_the_same_weights() -> None:
    target = TARGETS[0]
    answer = replayed(full(MODEL), target, STREAM[:3], at=1.0)
    with Session(MODEL, [target]) as stream:
        for item in STREAM[:3]:
            stream.observe(item)
        assert answer.count == stream.count(target.description)  # nothing was evicted yet
    assert full(MODEL).fingerprint != MODEL.fingerprint


def test_one_training_step_over_the_step_that_deployment_runs() -> None:
    model = speaking_model()
    assert isinstance(model.backbone, QwenBackbone)
    qwen = model.backbone.qwen
    state = StreamState.initial(model, "table", [Target("red blobs", "O1-Snap")])
    visible = torch.zeros(())
    for item in STREAM[:4]:
        state, (outcome,) = step(model, state, item)
        assert outcome.objects is not None
        visible = visible + outcome.objects.soft_visible
    optimiser = torch.optim.AdamW([*qwen.new_parameters(), *model.heads.parameters()], lr=1e-3)
    torch.autograd.backward(visible)
    assert all(parameter.grad is not None for parameter in qwen.new_parameters())
    assert all(parameter.grad is None for parameter in qwen.released.model.visual.blocks.parameters())
    before = [parameter.clone() for parameter in qwen.new_parameters()]
    optimiser.step()
    assert not all(map(torch.equal, before, qwen.new_parameters()))
