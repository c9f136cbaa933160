from pathlib import Path
from typing import Any

import pytest
import torch
from transformers import DynamicCache

from stamina_video.backbone.qwen.backbone import QwenBackbone
from stamina_video.semantics import InvalidInput
from tests.backbone.contract import BackboneContract, Model
from tests.backbone.qwen.tiny import a_backbone, a_picture, observation, save_base


class QwenContract(BackboneContract):
    window: int | None = 48

    @pytest.fixture
    def backbone(self, tmp_path: Path) -> QwenBackbone:
        return a_backbone(base=str(save_base(tmp_path / "base")), window=self.window)

    def image(self, number: int) -> Any:
        return a_picture(number)

    def load(self, folder: Path) -> QwenBackbone:
        return QwenBackbone.from_pretrained(folder)


class TestStream(QwenContract):
    pass


class TestFull(QwenContract):
    window = None

    def test_state_does_not_grow(self, backbone: Model) -> None:
        """Full access keeps its prefix and no more: every observation adds as much as the one before."""
        tokens = [seen.state.window.tokens for seen in self.watch(backbone, range(6))]
        assert tokens == [tokens[0] * (step + 1) for step in range(6)]


def test_the_target_vector_is_the_unit_mean_of_the_words_input_embeddings() -> None:
    backbone = a_backbone()
    rows = backbone.qwen.released.model.language_model.embed_tokens.weight
    words = [backbone.tokenizer.convert_tokens_to_ids(word) for word in ("red", "mugs")]
    mean_E = (rows[words[0]] + rows[words[1]]).detach() / 2
    torch.testing.assert_close(backbone.encode_target("red mugs"), mean_E / mean_E.norm())


def test_features_are_the_final_states_at_the_visual_tokens() -> None:
    backbone = a_backbone()
    item = observation(0)
    sight = backbone.sights.see(item.image, item.time, backbone.config.visual_tokens)
    with torch.no_grad():
        states_LE = backbone.qwen.decode(
            sight.ids_L, sight.positions_3L, DynamicCache(), sight.patches, sight.grid_3
        )
        observed = backbone.observe(backbone.initial(), item)
    assert torch.equal(observed.tokens_ND, states_LE[sight.is_visual_L])


def test_time_does_not_run_backwards() -> None:
    backbone = a_backbone()
    state = backbone.observe(backbone.initial(), observation(0, time=4.0)).state
    with pytest.raises(InvalidInput, match=r"expected an observation from 4\.0 s on, got one at 3\.0 s"):
        backbone.observe(state, observation(1, time=3.0))


def test_the_fingerprint_follows_every_weight_and_setting() -> None:
    backbone = a_backbone()
    seen = {backbone.fingerprint, backbone.full().fingerprint, a_backbone(seed=1).fingerprint}
    with torch.no_grad():
        backbone.qwen.memory.deltas[0].gate.bias.add_(1)
    assert len({*seen, backbone.fingerprint}) == 4


def test_the_fingerprint_tells_precisions_apart() -> None:
    backbone = a_backbone()
    backbone.qwen.bfloat16()
    narrow = backbone.fingerprint
    backbone.qwen.float()
    assert backbone.fingerprint != narrow


def test_bfloat16_streams_and_resumes_with_the_same_bits() -> None:
    backbone = a_backbone()
    backbone.qwen.bfloat16()
    with torch.no_grad():
        state = backbone.observe(backbone.initial(), observation(0)).state
        expected = backbone.observe(state, observation(1))
        again = backbone.observe(backbone.unpack(backbone.pack(state)), observation(1))
    assert {keys.dtype for keys in state.window.keys} == {torch.bfloat16}
    assert {memory.dtype for memory in state.memories} == {torch.float32}
    assert expected.tokens_ND.dtype == torch.float32
    assert torch.equal(again.tokens_ND, expected.tokens_ND)
