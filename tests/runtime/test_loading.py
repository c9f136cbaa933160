from pathlib import Path

import pytest

from stamina_video.backbone.qwen.backbone import QwenBackbone
from stamina_video.backbone.qwen.hashing import weights_hash
from stamina_video.runtime import Model, load
from stamina_video.semantics import InvalidInput, UnreadableFile
from tests.backbone.qwen.tiny import a_backbone, save_base
from tests.runtime.speaking import speaking_model


def test_a_released_model_in_a_folder_comes_with_fresh_heads(tmp_path: Path) -> None:
    folder = save_base(tmp_path / "released")
    with pytest.warns(UserWarning, match="its counts mean nothing"):
        model = load(folder)
    assert model.name == "released"
    assert model.heads.config.width == model.backbone.width


def test_a_saved_model_is_the_same_model(tmp_path: Path) -> None:
    base = save_base(tmp_path / "base")
    model = speaking_model(str(base))
    model.save_pretrained(tmp_path / "speaking")
    assert load(tmp_path / "speaking").fingerprint.split("-")[1] == model.fingerprint.split("-")[1]


@pytest.mark.parametrize(
    ("name", "released"),
    [
        ("4b", "Qwen/Qwen3-VL-4B-Instruct"),
        ("8b", "Qwen/Qwen3-VL-8B-Instruct"),
        ("someone/finetuned", "someone/finetuned"),
    ],
)
@pytest.mark.filterwarnings("ignore:.*its counts mean nothing")
def test_names_lead_to_the_hub(monkeypatch: pytest.MonkeyPatch, name: str, released: str) -> None:
    asked: list[str] = []

    def found(name: str) -> QwenBackbone:
        asked.append(name)
        return a_backbone()

    monkeypatch.setattr(QwenBackbone, "from_released", found)
    assert load(name).name == name
    assert asked == [released]


@pytest.mark.parametrize("name", ["huge", "/no/such/folder", "./a/b/c"])
def test_other_names_are_refused_in_one_line(name: str) -> None:
    with pytest.raises(UnreadableFile, match=r"expected a model .*4b, 8b.* got"):
        load(name)
    with pytest.raises(InvalidInput, match="expected a model's name"):
        load(" ")


def released_hash(model: Model) -> str:
    assert isinstance(model.backbone, QwenBackbone)
    return weights_hash(model.backbone.qwen.released)


@pytest.mark.filterwarnings("ignore:.*its counts mean nothing")
def test_a_lora_adapter_comes_with_the_base_its_page_names(tmp_path: Path) -> None:
    peft = pytest.importorskip("peft", reason="adapters need peft")
    base = save_base(tmp_path / "base")
    tuned = QwenBackbone.from_released(base)
    config = peft.LoraConfig(r=2, target_modules=["q_proj"], init_lora_weights=False)
    tuned.qwen.released.add_adapter(config)
    tuned.qwen.released.save_pretrained(tmp_path / "lora")
    expected = weights_hash(tuned.qwen.released)
    assert released_hash(load(base)) != expected
    assert released_hash(load(tmp_path / "lora")) == expected
    moved = base.rename(tmp_path / "elsewhere")
    assert released_hash(load(tmp_path / "lora", moved)) == expected
    (tmp_path / "lora" / "adapter_config.json").write_text("{}")
    with pytest.raises(UnreadableFile, match="expected a page of peft that names its base"):
        load(tmp_path / "lora")


def test_a_base_that_moved_is_named_beside_the_folder(tmp_path: Path) -> None:
    base = save_base(tmp_path / "base")
    model = speaking_model(str(base))
    model.save_pretrained(tmp_path / "speaking")
    moved = base.rename(tmp_path / "elsewhere")
    with pytest.raises(UnreadableFile, match=r"expected Qwen3-VL weights .* as base or in .*qwen\.json"):
        load(tmp_path / "speaking")
    assert load(tmp_path / "speaking", moved).backbone.fingerprint == model.backbone.fingerprint
    with pytest.raises(InvalidInput, match="expected a base only for a folder that names one, got it for"):
        load(moved, base=moved)
