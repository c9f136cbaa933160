"""The full-size backbone: Qwen3-VL as transformers ships it, a gated delta memory beside its attention."""

from importlib.util import find_spec

from stamina_video.semantics import MissingExtra

if find_spec("transformers") is None:
    raise MissingExtra("expected transformers for Qwen3-VL, got none: pip install 'stamina-video[qwen]'")

from stamina_video.backbone.qwen.assumptions import check_transformers

# Before the modules beside this one import what another version may not have.
check_transformers()
