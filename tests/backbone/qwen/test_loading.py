import json
from pathlib import Path

import pytest
import torch

from stamina_video.backbone.qwen import loading
from stamina_video.backbone.qwen.files import ADAPTER, PAGE, TRAINED, WEIGHTS
from stamina_video.backbone.qwen.loading import load_adapter, load_backbone, load_released
from stamina_video.semantics import InvalidInput, MissingExtra, UnreadableFile
from tests.backbone.qwen.test_access import played
from tests.backbone.qwen.tiny import a_backbone, save_base


@pytest.fixture
def base(tmp_path: Path) -> Path:
    return save_base(tmp_path / "released")


@pytest.fixture
def saved(base: Path, tmp_path: Path) -> Path:
    a_backbone(base=str(base)).save_pretrained(tmp_path / "ours")
    return tmp_path / "ours"


def test_a_folder_holds_our_modules_and_names_the_base(base: Path, saved: Path) -> None:
    assert {path.name for path in saved.iterdir()} == {PAGE, WEIGHTS}
    page = json.loads((saved / PAGE).read_text())
    assert page["base"]["name"] == str(base)
    assert len(page["base"]["hash"]) == 64


def test_a_released_model_loads_with_memories_that_say_nothing(base: Path) -> None:
    backbone = load_released(base)
    assert backbone.config.window == 4096
    assert backbone.qwen.dtype == torch.float32
    assert not any(branch.out.weight.any() for branch in backbone.qwen.memory.deltas)


def test_a_base_that_moved_is_found_where_one_says(base: Path, saved: Path, tmp_path: Path) -> None:
    moved = base.rename(tmp_path / "elsewhere")
    with pytest.raises(UnreadableFile, match=r"expected Qwen3-VL weights under .*released.* name the folder"):
        load_backbone(saved)
    assert load_backbone(saved, moved).fingerprint == a_backbone().fingerprint


def test_another_base_is_refused_in_one_line(saved: Path, tmp_path: Path) -> None:
    other = save_base(tmp_path / "other", seed=1)
    with pytest.raises(
        InvalidInput, match=r"expected the weights of '.*released' .*, got others .*"
    ) as refused:
        load_backbone(saved, other)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("name", [PAGE, WEIGHTS])
def test_a_damaged_folder_is_refused(saved: Path, name: str) -> None:
    (saved / name).write_bytes(b"{}")
    with pytest.raises(UnreadableFile, match="expected"):
        load_backbone(saved)
    (saved / name).unlink()
    with pytest.raises(UnreadableFile, match="expected"):
        load_backbone(saved)


def test_weights_of_another_memory_are_refused(base: Path, saved: Path) -> None:
    other = a_backbone(base=str(base), memory_stride=4)
    other.save_pretrained(saved.with_name("other"))
    (saved / WEIGHTS).write_bytes((saved.with_name("other") / WEIGHTS).read_bytes())
    with pytest.raises(UnreadableFile, match=r"expected the weights of .*qwen\.json, got others"):
        load_backbone(saved)


def test_a_decoder_that_was_trained_is_kept_beside_our_modules(base: Path, tmp_path: Path) -> None:
    backbone = a_backbone(base=str(base))
    with torch.no_grad():
        backbone.qwen.released.lm_head.weight[0, 0] += 1
    backbone.save_pretrained(tmp_path / "trained")
    assert (tmp_path / "trained" / TRAINED).is_dir()
    assert load_backbone(tmp_path / "trained").fingerprint == backbone.fingerprint


def test_a_lora_adapter_loads_and_is_saved_again(base: Path, saved: Path, tmp_path: Path) -> None:
    peft = pytest.importorskip("peft", reason="adapters need peft")
    adapted = a_backbone(base=str(base))
    config = peft.LoraConfig(r=2, target_modules=["q_proj", "v_proj"], init_lora_weights=False)
    adapted.qwen.released.add_adapter(config)
    adapted.qwen.released.save_pretrained(tmp_path / "lora")
    plain, _ = played(load_backbone(saved), 3)

    backbone = load_backbone(saved)
    load_adapter(backbone, tmp_path / "lora")
    features, _ = played(backbone, 3)
    torch.testing.assert_close(features, played(adapted, 3)[0])
    assert not torch.allclose(features, plain)

    backbone.save_pretrained(tmp_path / "again")
    assert (tmp_path / "again" / ADAPTER).is_dir()
    again = load_backbone(tmp_path / "again")
    assert torch.equal(played(again, 3)[0], features)
    assert again.fingerprint == backbone.fingerprint


def test_what_is_no_adapter_is_refused(base: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    backbone = load_released(base)
    pytest.importorskip("peft", reason="adapters need peft")
    (tmp_path / "empty").mkdir()
    with pytest.raises(UnreadableFile, match="expected a LoRA adapter of this base"):
        load_adapter(backbone, tmp_path / "empty")


def test_an_adapter_without_peft_is_one_line(base: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def without_peft(folder: str) -> None:
        raise ImportError("peft")

    backbone = load_released(base)
    monkeypatch.setattr(backbone.qwen.released, "load_adapter", without_peft)
    with pytest.raises(MissingExtra, match=r"expected peft .* pip install 'stamina-video\[qwen\]'"):
        load_adapter(backbone, base)


def test_precision_follows_the_device() -> None:
    assert loading._dtype(torch.device("cpu")) == torch.float32
    assert loading._dtype(torch.device("cuda")) == torch.bfloat16
