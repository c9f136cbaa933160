from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import save_file

from stamina_video.backbone.perception import Percept, load_percepts, save_percepts
from stamina_video.semantics import InvalidInput, UnreadableFile
from tests.backbone.fakes import toy_image, toy_perception


def a_sequence() -> list[Percept]:
    eyes, glimpse, percepts = toy_perception(), None, []
    for step in range(4):
        blobs = [("red", 0.2 + 0.05 * step, 0.3, 0.1), ("blue", 0.7, 0.4, 0.1)][: step + 1]
        percept, glimpse = eyes.perceive(toy_image(*blobs), glimpse)
        percepts.append(percept)
    return percepts


@pytest.mark.parametrize("half", [False, True])
def test_a_sequence_comes_back(half: bool, tmp_path: Path) -> None:
    percepts = a_sequence()
    assert len({len(percept) for percept in percepts}) > 1, "observations with different numbers of tokens"
    save_percepts(tmp_path / "seen", percepts, half)
    for before, after in zip(percepts, load_percepts(tmp_path / "seen"), strict=True):
        for name, array in before.arrays().items():
            exact = not half or name in ("boxes_N4", "kind_N", "seat_N")
            np.testing.assert_allclose(
                after.arrays()[name], array, rtol=0 if exact else 1e-3, atol=0 if exact else 1e-3
            )


def test_half_takes_about_half(tmp_path: Path) -> None:
    percepts = a_sequence()
    save_percepts(tmp_path / "full", percepts)
    save_percepts(tmp_path / "half", percepts, half=True)
    assert (tmp_path / "half").stat().st_size < 0.7 * (tmp_path / "full").stat().st_size


def test_nothing_to_save_and_nothing_to_load_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="expected at least one percept"):
        save_percepts(tmp_path / "none", [])
    (tmp_path / "text").write_text("not tensors")
    for name in ("missing", "text"):
        with pytest.raises(UnreadableFile, match=f"expected a file of percepts, got .*{name}"):
            load_percepts(tmp_path / name)
    save_file({"other": np.zeros(1)}, tmp_path / "others")
    with pytest.raises(UnreadableFile, match="others with other"):
        load_percepts(tmp_path / "others")
