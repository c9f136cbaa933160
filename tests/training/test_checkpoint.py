import json
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import nn

from stamina_video.semantics import InvalidInput, UnreadableFile
from stamina_video.training.checkpoint import Position, load_checkpoint, save_checkpoint

RUN = {"recipe": {"name": "toy"}, "seed": 0}


def a_layer(seed: int, width: int = 3) -> tuple[nn.Linear, torch.optim.AdamW]:
    torch.manual_seed(seed)
    layer = nn.Linear(width, 2)
    return layer, torch.optim.AdamW(layer.parameters(), lr=0.1)


def stepped(layer: nn.Linear, optimiser: torch.optim.AdamW, times: int) -> list[torch.Tensor]:
    for _ in range(times):
        optimiser.zero_grad()
        torch.autograd.backward(layer(torch.randn(4, layer.in_features)).square().mean())
        optimiser.step()
    return [part.detach().clone() for part in layer.parameters()]


def saved(folder: Path) -> tuple[nn.Linear, torch.optim.AdamW]:
    layer, optimiser = a_layer(1)
    stepped(layer, optimiser, 3)
    save_checkpoint(folder, dict(layer.named_parameters()), optimiser, Position(3, RUN))
    return layer, optimiser


def test_weights_moments_and_chance_come_back_bit_for_bit(tmp_path: Path) -> None:
    layer, optimiser = saved(tmp_path / "checkpoint")
    expected = stepped(layer, optimiser, 4)
    other, fresh = a_layer(2)
    assert load_checkpoint(tmp_path / "checkpoint", dict(other.named_parameters()), fresh, RUN) == 3
    assert all(map(torch.equal, stepped(other, fresh, 4), expected))


def test_there_is_no_pickle_in_it(tmp_path: Path) -> None:
    saved(tmp_path / "checkpoint")
    assert {path.suffix for path in (tmp_path / "checkpoint").iterdir()} == {".json", ".safetensors"}
    assert [path.name for path in tmp_path.iterdir()] == ["checkpoint"]


def test_a_newer_checkpoint_replaces_an_older_one_whole(tmp_path: Path) -> None:
    layer, optimiser = saved(tmp_path / "checkpoint")
    save_checkpoint(tmp_path / "checkpoint", dict(layer.named_parameters()), optimiser, Position(7, RUN))
    assert load_checkpoint(tmp_path / "checkpoint", dict(layer.named_parameters()), optimiser, RUN) == 7


def test_a_run_killed_between_two_renames_still_has_the_older_one(tmp_path: Path) -> None:
    layer, optimiser = saved(tmp_path / "checkpoint")
    (tmp_path / "checkpoint").rename(tmp_path / "checkpoint.old")
    assert load_checkpoint(tmp_path / "checkpoint", dict(layer.named_parameters()), optimiser, RUN) == 3


def loaded(folder: Path, width: int = 3, run: dict[str, Any] | None = None) -> int:
    layer, optimiser = a_layer(0, width)
    return load_checkpoint(folder, dict(layer.named_parameters()), optimiser, run or RUN)


def test_another_models_checkpoint_is_refused(tmp_path: Path) -> None:
    saved(tmp_path / "c")
    with pytest.raises(InvalidInput, match=r"expected a checkpoint of this model .* got one of another"):
        loaded(tmp_path / "c", width=5)


def test_another_runs_checkpoint_is_refused(tmp_path: Path) -> None:
    saved(tmp_path / "c")
    with pytest.raises(InvalidInput, match="expected a checkpoint of a run with seed 4, got 0"):
        loaded(tmp_path / "c", run={**RUN, "seed": 4})


def test_a_later_versions_checkpoint_is_refused(tmp_path: Path) -> None:
    saved(tmp_path / "c")
    page = tmp_path / "c" / "checkpoint.json"
    page.write_text(json.dumps(json.loads(page.read_text()) | {"version": 99}))
    with pytest.raises(InvalidInput, match="expected a checkpoint of version 1 or older, got 99"):
        loaded(tmp_path / "c")


@pytest.mark.parametrize("broken", ["checkpoint.json", "weights.safetensors", "moments.safetensors"])
def test_half_a_checkpoint_is_refused(tmp_path: Path, broken: str) -> None:
    saved(tmp_path / "c")
    path = tmp_path / "c" / broken
    path.write_bytes(path.read_bytes()[: len(path.read_bytes()) // 2])
    with pytest.raises(UnreadableFile, match="expected a"):
        loaded(tmp_path / "c")


def test_no_checkpoint_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UnreadableFile, match="expected a checkpoint to resume, got No such file"):
        loaded(tmp_path / "c")
