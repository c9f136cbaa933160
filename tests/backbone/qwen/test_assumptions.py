import runpy
import sys
from typing import Any

import pytest
from transformers.models.qwen3_vl import modeling_qwen3_vl as released

import stamina_video.backbone.qwen as package
from stamina_video.backbone.qwen import assumptions
from stamina_video.backbone.qwen.assumptions import check_transformers
from stamina_video.semantics import MissingExtra
from tests.backbone.qwen.tiny import extended, multimodal_inputs


def refused() -> str:
    """What importing the package says, in one line."""
    with pytest.raises(MissingExtra) as error:
        runpy.run_path(str(package.__file__))
    assert "\n" not in str(error.value)
    return str(error.value)


def test_the_installed_transformers_is_as_we_rely_on() -> None:
    check_transformers()


def test_a_parameter_that_is_gone_is_named_with_both_versions(monkeypatch: pytest.MonkeyPatch) -> None:
    def forward(self: Any, hidden_states: Any, **kwargs: Any) -> None: ...

    monkeypatch.setattr(released.Qwen3VLTextAttention, "forward", forward)
    monkeypatch.setattr("stamina_video.backbone.qwen.assumptions.transformers.__version__", "5.99.0")
    assert refused() == (
        f"expected transformers to work as {assumptions.TESTED} does, got Qwen3VLTextAttention.forward "
        f"without past_key_values in 5.99.0: pip install transformers=={assumptions.TESTED}"
    )


@pytest.mark.parametrize(
    ("module", "said"),
    [
        ("transformers.models.qwen3_vl.modeling_qwen3_vl", "got no Qwen3VLTextModel.forward in"),
        ("transformers.models.qwen3_5.modeling_qwen3_5", "got no torch_chunk_gated_delta_rule in"),
    ],
)
def test_a_model_or_rule_that_moved_is_named(monkeypatch: pytest.MonkeyPatch, module: str, said: str) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    assert said in refused()


@pytest.mark.parametrize("name", ["rotate_half", "Qwen3VLModel", "Qwen3VLTextDecoderLayer"])
def test_a_part_that_is_gone_is_named(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.delattr(released, name)
    assert f"got no {name}" in refused()


def test_no_transformers_at_all_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert refused() == ("expected transformers for Qwen3-VL, got none: pip install 'stamina-video[qwen]'")


def test_a_decoder_called_in_another_way_is_named_too() -> None:
    qwen = extended()
    attention = qwen.released.model.language_model.layers[1].self_attn
    attention.register_forward_pre_hook(
        lambda _module, args, kwargs: ((kwargs.pop("hidden_states"),), kwargs), with_kwargs=True
    )
    with pytest.raises(MissingExtra, match="an attention called in another way"):
        qwen.released(**multimodal_inputs())


def test_a_decoder_called_without_embeddings_is_named_too() -> None:
    qwen = extended()
    with pytest.raises(MissingExtra, match="a decoder called without inputs_embeds"):
        qwen.released.model.language_model(multimodal_inputs()["input_ids"])
