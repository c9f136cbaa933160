import pytest
import torch

from stamina_video.backbone.qwen.questions import TURN, generate
from stamina_video.backbone.qwen.tiny import MARKS
from stamina_video.semantics import InvalidInput
from tests.backbone.qwen.test_access import played
from tests.backbone.qwen.tiny import a_backbone, close_gates, generated, observation, released

QUESTION = "what happened"


def test_a_question_leaves_cache_and_memory_as_they_were() -> None:
    backbone = a_backbone()
    _, state = played(backbone, 6)
    before = backbone.pack(state).tensors
    backbone.ask(state, QUESTION)
    after = backbone.pack(state).tensors
    assert before.keys() == after.keys()
    assert all(torch.equal(before[name], after[name]) for name in before)


def test_what_is_observed_next_does_not_depend_on_what_was_asked() -> None:
    backbone = a_backbone()
    _, state = played(backbone, 6)
    with torch.no_grad():
        expected = backbone.observe(state, observation(6)).tokens_ND
        backbone.ask(state, QUESTION)
        assert torch.equal(backbone.observe(state, observation(6)).tokens_ND, expected)


def test_questions_do_not_see_each_other() -> None:
    backbone = a_backbone()
    _, state = played(backbone, 6)
    words = [torch.tensor(ids) for ids in ([8, 9], [10, 11, 12])]
    alone = [generate(backbone.qwen, state, ids) for ids in words]
    assert [generate(backbone.qwen, state, ids) for ids in (*words, *words)] == [*alone, *alone]
    assert alone[0] != alone[1]


def test_the_answer_depends_on_what_was_seen_beyond_the_window() -> None:
    """The memory is read: another first observation, long evicted, changes the states behind the words."""
    backbone = a_backbone(window=12)
    states = []
    for first in (0, 50):
        state = backbone.initial()
        with torch.no_grad():
            for index, picture in enumerate((first, 1, 2)):
                state = backbone.observe(state, observation(index, picture)).state
        cache = state.window.fork(room=4)
        backbone.qwen.memory.hold(cache, state.memories)
        with torch.no_grad():
            position = torch.full((3, 1), state.window.position)
            states.append(backbone.qwen.decode(torch.tensor([9]), position, cache))
    assert not torch.equal(*states)


def test_with_closed_gates_the_words_are_those_the_released_model_generates() -> None:
    backbone = a_backbone(window=None)
    close_gates(backbone.qwen)
    _, state = played(backbone, 3)
    items = [observation(index) for index in range(3)]
    sights = [backbone.sights.see(item.image, item.time, 16) for item in items]
    asked = torch.tensor(backbone.tokenizer(TURN.format(QUESTION))["input_ids"])
    ids = torch.cat([*(sight.ids_L for sight in sights), asked])[None]
    inputs = {
        "input_ids": ids,
        "attention_mask": torch.ones_like(ids),
        "mm_token_type_ids": 2 * (ids == MARKS.index("<|video_pad|>")).int(),
        "pixel_values_videos": torch.cat([sight.patches for sight in sights]),
        "video_grid_thw": torch.stack([sight.grid_3 for sight in sights]),
    }
    words = generated(released(), inputs, max_new_tokens=backbone.config.answer_tokens)
    expected = [word for word in words[0, ids.shape[1] :].tolist() if word != MARKS.index("<|im_end|>")]
    assert generate(backbone.qwen, state, asked) == expected


def test_an_answer_ends_at_its_end_token_or_its_budget() -> None:
    backbone = a_backbone()
    _, state = played(backbone, 2)
    ids = torch.tensor([8, 9])
    said = generate(backbone.qwen, state, ids)
    assert len(said) == backbone.config.answer_tokens
    backbone.qwen.released.generation_config.eos_token_id = [said[0], 3]
    assert generate(backbone.qwen, state, ids) == []


def test_the_past_and_silence_cannot_be_asked() -> None:
    backbone = a_backbone()
    _, state = played(backbone, 4)
    with pytest.raises(InvalidInput, match=r"expected a question from 1\.5 s on, .* got 1\.0 s"):
        backbone.ask(state, QUESTION, at=1.0)
    with pytest.raises(InvalidInput, match="expected a question in words, got ' '"):
        backbone.ask(state, " ")
    assert backbone.ask(state, QUESTION, at=9.0) == backbone.ask(state, QUESTION)
