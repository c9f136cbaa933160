import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import torch

from stamina_video.backbone.perception.colour import colour_field, survey
from stamina_video.backbone.perception.efficientdet import Sight
from stamina_video.backbone.perception.finder import (
    CONFIGURATION,
    FIELDS,
    WEIGHTS,
    EyesConfig,
    Finder,
    TrainedEyes,
    in_image,
    said_once,
    spoken,
)
from stamina_video.backbone.perception.linking import MARKED
from stamina_video.backbone.perception.percept import PerceptLayout
from stamina_video.backbone.perception.spotter import FRAME, SpotterConfig
from stamina_video.semantics import UnreadableFile
from tests.backbone.perception.sights import COLUMNS, CONFIG, SIDES, VOCABULARY, ToyRetina


def eager(things: float = 0.0) -> TrainedEyes:
    """Eyes of random weights that take much for a thing."""
    torch.manual_seed(0)
    eyes = TrainedEyes(CONFIG).eval()
    torch.nn.init.constant_(eyes.get_parameter("spotter.things.bias"), things)
    return eyes


@pytest.fixture
def image() -> np.ndarray[tuple[int, int, int], np.dtype[np.uint8]]:
    return np.random.default_rng(0).integers(0, 255, (60, 120, 3), np.uint8)


def test_eyes_return_from_a_folder_bit_for_bit(
    tmp_path: Path, image: np.ndarray[tuple[int, int, int], np.dtype[np.uint8]]
) -> None:
    eyes = eager()
    eyes.save_pretrained(tmp_path / "eyes")
    back = TrainedEyes.from_pretrained(tmp_path / "eyes")
    assert back.config == CONFIG
    assert not back.training
    for name, tensor in eyes.state_dict().items():
        assert torch.equal(tensor, back.state_dict()[name])
    one, other = Finder(ToyRetina(), eyes)(image), Finder(ToyRetina(), back)(image)
    assert len(one) > 0
    np.testing.assert_array_equal(one.labels_KV, other.labels_KV)
    np.testing.assert_array_equal(one.boxes_K4, other.boxes_K4)


def refused(folder: Path) -> str:
    with pytest.raises(UnreadableFile, match="expected trained eyes, got") as refusal:
        TrainedEyes.from_pretrained(folder)
    said = str(refusal.value)
    assert str(folder) in said
    assert "\n" not in said
    return said


def test_an_empty_folder_has_no_eyes(tmp_path: Path) -> None:
    assert "No such file" in refused(tmp_path)


@pytest.mark.parametrize("file", [CONFIGURATION, WEIGHTS])
def test_files_that_are_missing_or_damaged_are_refused_in_one_line(tmp_path: Path, file: str) -> None:
    eager().save_pretrained(tmp_path)
    for damaged in (b"", b"[]", (tmp_path / file).read_bytes()[:-40]):
        (tmp_path / file).write_bytes(damaged)
        refused(tmp_path)
    (tmp_path / file).unlink()
    refused(tmp_path)


def test_weights_of_other_sizes_are_refused(tmp_path: Path) -> None:
    eager().save_pretrained(tmp_path)
    said = json.loads((tmp_path / CONFIGURATION).read_text())
    said["spotter"]["width"] = 16
    (tmp_path / CONFIGURATION).write_text(json.dumps(said))
    refused(tmp_path)


def test_eyes_of_another_detector_are_refused() -> None:
    eyes = TrainedEyes(EyesConfig(COLUMNS, VOCABULARY[::-1], CONFIG.spotter))
    with pytest.raises(UnreadableFile, match="expected eyes trained on this detector's classes"):
        Finder(ToyRetina(), eyes)


def test_a_finder_is_a_detector(image: np.ndarray[tuple[int, int, int], np.dtype[np.uint8]]) -> None:
    found = Finder(ToyRetina(), eager())(image)
    count = len(found)
    assert count > 0
    assert found.vocabulary == COLUMNS
    np.testing.assert_allclose(found.labels_KV.sum(axis=1), 1, rtol=1e-5)
    assert (np.diff(found.scores_K) <= 0).all()
    assert ((found.boxes_K4 >= 0) & (found.boxes_K4 <= 1)).all()
    assert found.embeddings_KE.shape == (count, CONFIG.looks)
    assert found.paints_K3 is not None
    assert found.paints_K3.shape == (count, 3)
    assert all(np.isfinite(one).all() for one in (found.labels_KV, found.paints_K3, found.embeddings_KE))


def test_what_a_thing_looks_like_ends_with_its_mark(
    image: np.ndarray[tuple[int, int, int], np.dtype[np.uint8]],
) -> None:
    retina, eyes = ToyRetina(), eager()
    found = Finder(retina, eyes)(image)
    things = eyes.spotter.spot(retina.look(image).maps)
    once = np.isin(things.scores_K, found.scores_K)  # no two are equally sure
    assert once.sum() == len(found) < len(once)
    features_KE = things.features_KE[once]
    np.testing.assert_array_equal(found.embeddings_KE[:, :-MARKED], features_KE)
    marks_KM = found.embeddings_KE[:, -MARKED:]
    np.testing.assert_allclose(np.linalg.norm(marks_KM, axis=1), 1, rtol=1e-5)
    painted = np.roll(image, 1, axis=2)
    colours_KC = survey(colour_field(painted), found.boxes_K4)
    with torch.no_grad():
        others_KM = eyes.marker(torch.from_numpy(features_KE), torch.from_numpy(colours_KC)).numpy()
    assert not np.allclose(marks_KM, others_KM, atol=1e-3)


def test_every_part_of_the_eyes_works_on_one_thread(
    image: np.ndarray[tuple[int, int, int], np.dtype[np.uint8]],
) -> None:
    eyes, threads = eager(), dict[str, int]()

    def counting(name: str) -> Callable[..., None]:
        return lambda *_: threads.update({name: torch.get_num_threads()})

    for name in ("namer", "painter", "marker"):
        eyes.get_submodule(name).register_forward_hook(counting(name))
    before = torch.get_num_threads()
    torch.set_num_threads(2)
    try:
        Finder(ToyRetina(), eyes)(image)
    finally:
        torch.set_num_threads(before)
    assert threads == {"namer": 1, "painter": 1, "marker": 1}


def test_the_default_layout_has_room_for_what_eyes_of_the_default_size_see() -> None:
    spotter = SpotterConfig(("cup", "something"))
    fields = spotter.channels * len(range(spotter.levels)[FIELDS])
    looks = EyesConfig(COLUMNS, VOCABULARY, spotter).looks
    assert PerceptLayout().appearance == fields + looks


def test_fields_are_cut_to_what_the_image_fills(
    image: np.ndarray[tuple[int, int, int], np.dtype[np.uint8]],
) -> None:
    retina = ToyRetina()
    fields = Finder(retina, eager())(image).fields
    assert [one.shape for one in fields] == [
        (side // 2, side, 3) for side in SIDES[1:3]
    ]  # twice as wide as high
    np.testing.assert_array_equal(fields[0], retina.look(image).maps[1][: SIDES[1] // 2])


def test_where_nothing_is_found_there_are_fields_all_the_same(
    image: np.ndarray[tuple[int, int, int], np.dtype[np.uint8]],
) -> None:
    found = Finder(ToyRetina(), eager(things=-50.0))(image)
    assert len(found) == 0
    assert found.labels_KV.shape == (0, len(COLUMNS))
    assert len(found.fields) == 2


def sight(*boxes: tuple[tuple[float, float, float, float], tuple[float, float]]) -> Sight:
    return Sight(
        np.array([box for box, _ in boxes], np.float32).reshape(-1, 4),
        np.array([labels for _, labels in boxes], np.float32).reshape(-1, 2),
        (),
        np.array([1.0, 0.5], np.float32),
    )


def test_of_the_boxes_near_a_thing_the_loudest_is_heard_class_by_class() -> None:
    seen = sight(
        ((0.1, 0.1, 0.3, 0.3), (0.5, 0.1)),
        ((0.1, 0.1, 0.3, 0.32), (0.2, 0.4)),
        ((0.6, 0.6, 0.8, 0.8), (0.9, 0.9)),
    )
    things = np.array([(0.1, 0.1, 0.3, 0.3), (0.4, 0.1, 0.5, 0.3)], np.float32)
    np.testing.assert_allclose(spoken(seen, things), [(0.5, 0.4), (0, 0)])  # nobody speaks of the second
    assert spoken(seen, things[:0]).shape == (0, 2)
    assert not spoken(sight(), things).any()


def test_boxes_are_shares_of_the_image_and_end_with_it() -> None:
    boxes_K4 = np.array([(0, 0, FRAME, FRAME / 2), (-9, FRAME / 4, FRAME / 2, FRAME)], np.float32)
    assert in_image(boxes_K4, sight()).tolist() == [[0, 0, 1, 1], [0, 0.5, 0.5, 1]]


def test_a_thing_is_said_once_under_one_name() -> None:
    boxes = np.array(
        [(0.1, 0.1, 0.3, 0.3), (0.16, 0.1, 0.36, 0.3), (0.1, 0.16, 0.3, 0.36), (0.6, 0.6, 0.8, 0.8)],
        np.float32,
    )
    cup, bottle, nothing = np.eye(3, dtype=np.float32)
    scores = np.array([0.9, 0.8, 0.7, 0.6], np.float32)
    all_cups = np.stack([cup] * 4)
    assert said_once(boxes, scores, all_cups).tolist() == [0, 3]
    assert said_once(boxes, scores[::-1].copy(), all_cups).tolist() == [1, 2, 3]  # these two hardly overlap
    assert said_once(boxes, scores, np.stack([cup, cup, bottle, cup])).tolist() == [0, 2, 3]
    # What may be nothing gives way, however sure the eyes are that something is there.
    doubtful = np.stack([0.5 * cup + 0.5 * nothing, cup, bottle, cup])
    assert said_once(boxes, scores, doubtful).tolist() == [1, 2, 3]
    assert said_once(boxes[:0], scores[:0], all_cups[:0]).tolist() == []
