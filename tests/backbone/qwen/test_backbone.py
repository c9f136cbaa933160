from pathlib import Path
from typing import Any

import pytest

from stamina_video.backbone.qwen.backbone import QwenBackbone
from stamina_video.backbone.qwen.loading import load_backbone
from tests.backbone.contract import BackboneContract, Model
from tests.backbone.qwen.tiny import a_backbone, a_picture, save_base


class QwenContract(BackboneContract):
    window: int | None = 48

    @pytest.fixture
    def backbone(self, tmp_path: Path) -> QwenBackbone:
        return a_backbone(base=str(save_base(tmp_path / "base")), window=self.window)

    def image(self, number: int) -> Any:
        return a_picture(number)

    def load(self, folder: Path) -> QwenBackbone:
        return load_backbone(folder)


class TestStream(QwenContract):
    pass


class TestFull(QwenContract):
    window = None

    def test_state_does_not_grow(self, backbone: Model) -> None:
        """Full access keeps its prefix and no more: every observation adds as much as the one before."""
        tokens = [seen.state.window.tokens for seen in self.watch(backbone, range(6))]
        assert tokens == [tokens[0] * (step + 1) for step in range(6)]
