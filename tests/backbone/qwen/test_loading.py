import json
from pathlib import Path
from typing import Any

import pytest
import torch
from huggingface_hub import HfApi
from safetensors.torch import load_file, save_file

from stamina_video.backbone.qwen import loading
from stamina_video.backbone.qwen.backbone import QwenBackbone
from stamina_video.backbone.qwen.files import ADAPTER, PAGE, TRAINED, WEIGHTS
from stamina_video.backbone.qwen.loading import load_adapter, load_released, precision
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
    backbone = QwenBackbone.from_released(base)
    assert backbone.config.window == 4096
    assert backbone.qwen.dtype == torch.float32
    assert not any(branch.out.weight.any() for branch in backbone.qwen.memory.deltas)


def test_a_base_that_moved_is_found_where_one_says(base: Path, saved: Path, tmp_path: Path) -> None:
    moved = base.rename(tmp_path / "elsewhere")
    with pytest.raises(UnreadableFile, match=r"expected Qwen3-VL weights under .*released.* name the folder"):
        QwenBackbone.from_pretrained(saved)
    assert QwenBackbone.from_pretrained(saved, moved).fingerprint == a_backbone().fingerprint


def test_another_base_is_refused_in_one_line(saved: Path, tmp_path: Path) -> None:
    other = save_base(tmp_path / "other", seed=1)
    with pytest.raises(
        InvalidInput, match=r"expected the weights of '.*released' .*, got others .*"
    ) as refused:
        QwenBackbone.from_pretrained(saved, other)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("name", [PAGE, WEIGHTS])
def test_a_damaged_folder_is_refused(saved: Path, name: str) -> None:
    (saved / name).write_bytes(b"{}")
    with pytest.raises(UnreadableFile, match="expected"):
        QwenBackbone.from_pretrained(saved)
    (saved / name).unlink()
    with pytest.raises(UnreadableFile, match="expected"):
        QwenBackbone.from_pretrained(saved)


def test_weights_of_another_memory_are_refused(base: Path, saved: Path) -> None:
    other = a_backbone(base=str(base), memory_stride=4)
    other.save_pretrained(saved.with_name("other"))
    (saved / WEIGHTS).write_bytes((saved.with_name("other") / WEIGHTS).read_bytes())
    with pytest.raises(UnreadableFile, match=r"expected the weights of .*qwen\.json, got others"):
        QwenBackbone.from_pretrained(saved)


def test_a_decoder_that_was_trained_is_kept_beside_our_modules(base: Path, tmp_path: Path) -> None:
    backbone = a_backbone(base=str(base))
    with torch.no_grad():
        backbone.qwen.released.lm_head.weight[0, 0] += 1
    backbone.save_pretrained(tmp_path / "trained")
    assert (tmp_path / "trained" / TRAINED).is_dir()
    assert QwenBackbone.from_pretrained(tmp_path / "trained").fingerprint == backbone.fingerprint


def test_a_lora_adapter_loads_and_is_saved_again(base: Path, saved: Path, tmp_path: Path) -> None:
    peft = pytest.importorskip("peft", reason="adapters need peft")
    adapted = a_backbone(base=str(base))
    config = peft.LoraConfig(r=2, target_modules=["q_proj", "v_proj"], init_lora_weights=False)
    adapted.qwen.released.add_adapter(config)
    adapted.qwen.released.save_pretrained(tmp_path / "lora")
    plain, _ = played(QwenBackbone.from_pretrained(saved), 3)

    backbone = QwenBackbone.from_pretrained(saved)
    load_adapter(backbone.qwen, tmp_path / "lora")
    features, _ = played(backbone, 3)
    torch.testing.assert_close(features, played(adapted, 3)[0])
    assert not torch.allclose(features, plain)

    backbone.save_pretrained(tmp_path / "again")
    assert (tmp_path / "again" / ADAPTER).is_dir()
    again = QwenBackbone.from_pretrained(tmp_path / "again")
    assert torch.equal(played(again, 3)[0], features)
    assert again.fingerprint == backbone.fingerprint


def test_what_is_no_adapter_is_refused(base: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    backbone = QwenBackbone.from_released(base)
    pytest.importorskip("peft", reason="adapters need peft")
    (tmp_path / "empty").mkdir()
    with pytest.raises(UnreadableFile, match="expected a LoRA adapter of this base"):
        load_adapter(backbone.qwen, tmp_path / "empty")


def test_an_adapter_without_peft_is_one_line(base: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def without_peft(folder: str) -> None:
        raise ImportError("peft")

    backbone = QwenBackbone.from_released(base)
    monkeypatch.setattr(backbone.qwen.released, "load_adapter", without_peft)
    with pytest.raises(MissingExtra, match=r"expected peft .* pip install 'stamina-video\[qwen\]'"):
        load_adapter(backbone.qwen, base)


def test_precision_follows_the_device() -> None:
    assert precision(torch.device("cpu")) == torch.float32
    assert precision(torch.device("cuda")) == torch.bfloat16


@pytest.mark.parametrize(
    ("file", "content", "said"),
    [
        ("model.safetensors", None, "no file named model.safetensors"),
        ("model.safetensors", b"no weights", "header"),
        ("config.json", None, "No such file"),
        ("config.json", b"{", "Expecting property name"),
        ("config.json", b"[]", "list indices"),
        ("config.json", b'{"model_type": "bert"}', "a model of type 'bert'"),
        ("preprocessor_config.json", None, "image processor"),
        ("tokenizer.json", None, "tokenizer"),
    ],
)
def test_a_damaged_base_is_one_line(base: Path, file: str, content: bytes | None, said: str) -> None:
    if content is None:
        (base / file).unlink()
    else:
        (base / file).write_bytes(content)
    with pytest.raises(UnreadableFile, match="expected Qwen3-VL weights under") as refused:
        load_released(base)
    assert said in str(refused.value)
    assert "\n" not in str(refused.value)


def test_weights_that_are_missing_are_not_made_up(base: Path) -> None:
    weights = load_file(base / "model.safetensors")
    name = next(name for name in weights if "norm" in name)
    del weights[name]
    save_file(weights, base / "model.safetensors", {"format": "pt"})
    with pytest.raises(UnreadableFile, match=f"got none for {name} and 0 others"):
        load_released(base)


def test_a_name_is_taken_from_what_was_fetched_before(base: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fetched = base.rename(base.with_name("0123abcd"))
    asked: list[dict[str, Any]] = []

    def snapshot(name: str, **options: Any) -> str:
        asked.append(options)
        return str(fetched)

    monkeypatch.setattr(loading, "snapshot_download", snapshot)
    released = load_released("someone/model")
    assert (released.base.name, released.base.revision) == ("someone/model", "0123abcd")
    assert asked == [{"revision": None, "local_files_only": True}]


def test_a_hub_that_does_not_answer_is_one_line_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    def nothing(name: str, **options: Any) -> str:
        assert options["local_files_only"], "nothing is downloaded from a hub that does not answer"
        raise FileNotFoundError

    def silence(api: object, name: str, **options: Any) -> None:
        raise RuntimeError("Name or service not known\nand more")

    monkeypatch.setattr(loading, "snapshot_download", nothing)
    monkeypatch.setattr(HfApi, "model_info", silence)
    with pytest.raises(UnreadableFile) as refused:
        load_released("Qwen/Qwen3-VL-8B-Instruct")
    assert str(refused.value) == (
        "expected Qwen3-VL weights under 'Qwen/Qwen3-VL-8B-Instruct', got no answer from the hub (Name or "
        "service not known) and nothing fetched before: fetch them with `hf download "
        "Qwen/Qwen3-VL-8B-Instruct`, or name the folder that has them"
    )
