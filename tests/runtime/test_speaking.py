"""The full-size model end to end, at tiny size: counts, questions, interruptions, late targets, training."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from torch import Tensor, nn

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


def test_questions_at_one_time_do_not_see_each_other_and_leave_the_state_as_it_was() -> None:
    questions = ("what happened", "red mugs", "blue cars moved")
    alone = [heard(_seen(), question) for question in questions]
    assert not torch.equal(alone[0][0], alone[1][0]), "each question is heard"
    session = _seen()
    before = packed(session)
    together = [heard(session, question) for question in (*questions, *reversed(questions))]
    after = packed(session)
    for words, expected in zip(together, [*alone, *reversed(alone)], strict=True):
        assert len(words) == len(expected)
        assert all(map(torch.equal, words, expected))
    assert before.keys() == after.keys()
    assert all(torch.equal(before[name], after[name]) for name in before)
    kinds = {name.split(".")[0] for name in before}
    assert {"keys", "values", "memory"} <= kinds, "the cache and the memory are what is compared"


def heard(session: Session, question: str) -> list[Tensor]:
    """The decoder's scores at every word of an answer: finer than the words that win."""
    assert isinstance(MODEL.backbone, QwenBackbone)
    scores: list[Tensor] = []
    head: nn.Module = MODEL.backbone.qwen.released.lm_head
    hook = head.register_forward_hook(lambda _module, _inputs, logits: scores.append(logits.clone()))
    session.ask(question, at=STREAM[-1].time)
    hook.remove()
    return scores


def _seen() -> Session:
    session = Session(MODEL, TARGETS)
    for item in STREAM:
        session.observe(item)
    return session


def packed(session: Session) -> Mapping[str, Tensor]:
    assert session.state is not None
    return MODEL.backbone.pack(session.state.backbone).tensors


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
    """Gradients at memory, projector and decoder; none at the vision encoder, which stays as it was."""
    model = speaking_model()
    assert isinstance(model.backbone, QwenBackbone)
    qwen = model.backbone.qwen
    decoder, visual = qwen.released.model.language_model, qwen.released.model.visual
    projector = [visual.merger, visual.deepstack_merger_list]
    trained = _parameters(qwen.memory, decoder.layers, *projector)
    frozen = _parameters(visual.blocks, visual.patch_embed, visual.pos_embed)
    before, still = ([part.detach().clone() for part in parts] for parts in (trained, frozen))
    state = StreamState.initial(model, "table", [Target("red blobs", "O1-Snap")])
    visible = torch.zeros(())
    for item in STREAM[:4]:
        state, (outcome,) = step(model, state, item)
        assert outcome.objects is not None
        visible = visible + outcome.objects.soft_visible
    parameters = [*qwen.new_parameters(), *qwen.pretrained_parameters(), *model.heads.parameters()]
    optimiser = torch.optim.AdamW(parameters, lr=1e-3, weight_decay=0.0)
    torch.autograd.backward(visible)
    for part in (qwen.memory, decoder.layers, *projector):
        gradients = [parameter.grad for parameter in part.parameters()]
        assert all(gradient is not None and gradient.isfinite().all() for gradient in gradients)
        assert any(gradient is not None and gradient.any() for gradient in gradients)
    assert all(parameter.grad is None for parameter in frozen)
    optimiser.step()
    assert sum(not torch.equal(*pair) for pair in zip(before, trained, strict=True)) > len(trained) // 2
    assert all(map(torch.equal, still, frozen))


def _parameters(*modules: nn.Module) -> list[nn.Parameter]:
    return [parameter for module in modules for parameter in module.parameters()]
