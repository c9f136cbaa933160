from dataclasses import fields, replace
from pathlib import Path

import numpy as np
import pytest

from stamina_video.backbone.perception.detector import Image
from stamina_video.backbone.perception.efficientdet import Sight
from stamina_video.semantics import UnreadableFile
from stamina_video.training.eyes.glance import (
    Glance,
    Told,
    as_told_by_detector,
    coded,
    load_glances,
    save_glances,
)
from tests.backbone.perception.sights import COLUMNS, VOCABULARY, ToyRetina

IMAGE = np.random.default_rng(0).integers(0, 255, (40, 60, 3), np.uint8)


def a_glance(flow: bool = False) -> Glance:
    told = Told(
        np.array([(0.1, 0.2, 0.3, 0.4), (0.5, 0.5, 0.9, 0.8)], np.float32),
        np.array([True, False]),
        np.array([2, -1]),
        np.array([7, -1]),
        np.array([(1, 2, 3), (np.nan, np.nan, np.nan)], np.float32),
    )
    moved = np.full((4, 6, 2), 0.5, np.float32) if flow else None
    return Glance(ToyRetina().look(IMAGE), coded(IMAGE), told, moved)


def test_glances_return_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "scene-0.safetensors"
    taken = [a_glance(), a_glance(flow=True)]
    save_glances(path, taken)
    assert [one.name for one in path.parent.iterdir()] == [path.name]  # no draft is left
    back = load_glances(path)
    assert len(back) == 2
    for one, kept in zip(taken, back, strict=True):
        for field in fields(Told):
            np.testing.assert_array_equal(getattr(one.told, field.name), getattr(kept.told, field.name))
        np.testing.assert_array_equal(one.coded, kept.coded)
        np.testing.assert_array_equal(one.image, kept.image)
        np.testing.assert_array_equal(one.sight.boxes_K4, kept.sight.boxes_K4)
        np.testing.assert_array_equal(one.sight.filled_2, kept.sight.filled_2)
        np.testing.assert_array_equal(one.sight.labels_KV, kept.sight.labels_KV)
        for level, kept_level in zip(one.sight.maps, kept.sight.maps, strict=True):
            np.testing.assert_allclose(level, kept_level, atol=1e-3)
    assert back[0].flow_HW2 is None
    assert back[1].flow_HW2 is not None
    np.testing.assert_array_equal(back[1].flow_HW2, np.full((4, 6, 2), 0.5))


def test_more_than_ten_glances_stay_in_order(tmp_path: Path) -> None:
    taken = [a_glance(flow=number % 3 == 0) for number in range(12)]
    save_glances(tmp_path / "clip.safetensors", taken)
    back = load_glances(tmp_path / "clip.safetensors")
    assert [one.flow_HW2 is not None for one in back] == [number % 3 == 0 for number in range(12)]


def test_damaged_files_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "scene-0.safetensors"
    with pytest.raises(UnreadableFile, match="expected glances of the eyes, got"):
        load_glances(path)
    save_glances(path, [a_glance()])
    path.write_bytes(path.read_bytes()[:-100])
    with pytest.raises(UnreadableFile, match="expected glances of the eyes, got"):
        load_glances(path)


def seen(*boxes: tuple[tuple[float, float, float, float], tuple[float, float]]) -> Sight:
    return Sight(
        np.array([box for box, _ in boxes], np.float32).reshape(-1, 4),
        np.array([labels for _, labels in boxes], np.float32).reshape(-1, 2),
        (),
        np.ones(2, np.float32),
    )


def test_a_detector_is_sure_unsure_or_silent() -> None:
    sight = seen(
        ((0.1, 0.1, 0.3, 0.3), (0.1, 0.8)),
        ((0.5, 0.5, 0.7, 0.7), (0.2, 0.1)),
        ((0.8, 0.1, 0.9, 0.3), (0.1, 0.05)),
    )
    told = as_told_by_detector(sight, COLUMNS, VOCABULARY)
    np.testing.assert_array_equal(told.boxes_K4, sight.boxes_K4[:2])
    assert told.sure_K.tolist() == [True, False]
    assert [COLUMNS[name] for name in told.names_K] == ["bottle", "cup"]
    assert told.who_K.tolist() == [-1, -1]
    assert np.isnan(told.paints_K3).all()


def test_two_boxes_of_one_thing_are_told_once() -> None:
    sight = seen(((0.1, 0.1, 0.3, 0.3), (0.9, 0.0)), ((0.1, 0.1, 0.3, 0.31), (0.8, 0.0)))
    assert len(as_told_by_detector(sight, COLUMNS, VOCABULARY)) == 1


def test_a_class_that_is_not_in_the_list_has_no_name() -> None:
    told = as_told_by_detector(seen(((0.1, 0.1, 0.3, 0.3), (0.0, 0.9))), COLUMNS, ("cup", "zebra"))
    assert told.names_K.tolist() == [-1]


def test_a_detector_may_say_nothing_at_all() -> None:
    for sight in (seen(), seen(((0.1, 0.1, 0.3, 0.3), (0.01, 0.02)))):
        told = as_told_by_detector(sight, COLUMNS, VOCABULARY)
        assert len(told) == 0
        assert told.names_K.shape == (0,)
        assert told.paints_K3.shape == (0, 3)


def pictured(image_HW3: Image) -> Glance:
    return replace(a_glance(), coded=coded(image_HW3))


@pytest.mark.parametrize("shape", [(1, 1), (40, 60), (61, 35), (480, 854)])
def test_a_picture_is_kept_as_large_as_it_is_and_looks_the_same(shape: tuple[int, int]) -> None:
    """Red, green and blue each go their own way; no two are swapped."""
    down, across = np.indices(shape)
    ramps = (255 * across / shape[1], 255 * down / shape[0], np.full(shape, 60))
    image_HW3 = np.stack(ramps, axis=-1).astype(np.uint8)
    back = pictured(image_HW3).image
    assert back.dtype == np.uint8
    assert back.shape == image_HW3.shape
    np.testing.assert_allclose(back.astype(int), image_HW3, atol=12)
    assert np.abs(back.astype(int) - image_HW3).mean() < 2


def test_a_picture_takes_less_room_than_its_pixels() -> None:
    smooth = np.broadcast_to(np.arange(256, dtype=np.uint8)[:, None, None], (256, 320, 3))
    kept = pictured(np.ascontiguousarray(smooth)).coded
    assert kept.dtype == np.uint8
    assert kept.ndim == 1
    assert kept.nbytes < smooth.size / 20
