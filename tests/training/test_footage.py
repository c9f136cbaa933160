from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from stamina_video.semantics import UnreadableFile
from stamina_video.training.footage import Take, keep, kept
from tests.backbone.percepts import a_percept
from tests.training.experiments.making import footage


def test_what_was_filmed_comes_back(tmp_path: Path) -> None:
    filmed = footage(tmp_path)
    percepts = [a_percept(number) for number in range(len(filmed.take.times))]
    keep(filmed, percepts)
    again = kept(filmed.take, tmp_path)
    assert again == filmed
    assert np.allclose(again.percepts()[3].appearance_NP, percepts[3].appearance_NP, atol=1e-2)
    assert np.array_equal(again.percepts()[3].boxes_N4, percepts[3].boxes_N4)


def test_what_was_not_filmed_is_not_there(tmp_path: Path) -> None:
    assert kept(Take("packing", 7, 6.0, 2.0), tmp_path) is None


def test_a_scene_that_was_filmed_in_one_size_was_not_filmed_in_another(tmp_path: Path) -> None:
    filmed = footage(tmp_path)
    keep(filmed, [a_percept(number) for number in range(len(filmed.take.times))])
    assert kept(filmed.take, tmp_path) is not None
    assert kept(replace(filmed.take, lines=480), tmp_path) is None


def test_takes_of_different_sizes_have_different_names() -> None:
    take = Take("packing", 7, 6.0, 2.0)
    assert take.name == "packing-train-7-6s-2fps-240"
    assert replace(take, lines=360).name == "packing-train-7-6s-2fps-360"


def test_percepts_without_a_description_do_not_count(tmp_path: Path) -> None:
    filmed = footage(tmp_path)
    keep(filmed, [a_percept(0)])
    filmed.file.with_suffix(".json").unlink()
    assert kept(filmed.take, tmp_path) is None


def test_a_broken_description_is_named(tmp_path: Path) -> None:
    take = Take("packing", 7, 6.0, 2.0)
    (tmp_path / f"{take.name}.json").write_text("{}")
    with pytest.raises(UnreadableFile, match=r"packing-train-7-6s-2fps-240\.json: expected the description"):
        kept(take, tmp_path)


def test_looks_end_before_the_take_does() -> None:
    assert Take("tour", 0, 2.0, 3.0).times == (0, 1 / 3, 2 / 3, 1, 4 / 3, 5 / 3)
