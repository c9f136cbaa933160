import runpy
import sys
from typing import Any

import pytest

from stamina_video.backbone.qwen import assumptions, rule
from stamina_video.backbone.qwen.assumptions import check_transformers
from stamina_video.backbone.qwen.model import Qwen
from stamina_video.semantics import MissingExtra
from tests.backbone.qwen.tiny import extended, multimodal_inputs, released, settings


def test_the_installed_transformers_is_as_we_rely_on() -> None:
    check_transformers()


def test_a_parameter_that_is_gone_is_named_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    def forward(hidden_states: Any) -> None: ...

    broken = (("Qwen3VLTextAttention.forward", forward, frozenset({"hidden_states", "past_key_values"})),)
    monkeypatch.setattr(assumptions, "RELIED_ON", broken)
    with pytest.raises(
        MissingExtra, match=r"expected transformers to work as 5\.22\.2 .* past_key_values in"
    ):
        Qwen(released(), settings())


def test_a_decoder_called_in_another_way_is_named_too() -> None:
    qwen = extended()
    attention = qwen.released.model.language_model.layers[1].self_attn
    attention.register_forward_pre_hook(
        lambda _module, args, kwargs: ((kwargs.pop("hidden_states"),), kwargs), with_kwargs=True
    )
    with pytest.raises(MissingExtra, match="an attention called in another way"):
        qwen.released(**multimodal_inputs())


def test_a_delta_rule_that_moved_is_named_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "transformers.models.qwen3_5.modeling_qwen3_5", None)
    with pytest.raises(MissingExtra, match="got no chunked gated delta rule in"):
        runpy.run_path(str(rule.__file__))
