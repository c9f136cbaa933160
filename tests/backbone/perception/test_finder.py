import json
from collections.abc import Callable
from dataclasses import replace
from functools import partialmethod
from pathlib import Path

import numpy as np
import pytest
import torch

from stamina_video.backbone.perception.boxes import crowding, grid_boxes, inner
from stamina_video.backbone.perception.closeup import CELL, PATCH, ROW, look_closer
from stamina_video.backbone.perception.colour import SURVEYED, colour_field, survey
from stamina_video.backbone.perception.detector import Image
from stamina_video.backbone.perception.efficientdet import Sight, spoken
from stamina_video.backbone.perception.finder import (
    CLEARLY,
    CONFIGURATION,
    FIELDS,
    SPOKEN_OF,
    WEIGHTS,
    EyesConfig,
    Finder,
    Seen,
    TrainedEyes,
    evidence,
    in_image,
    look_of,
    said_once,
    see,
)
from stamina_video.backbone.perception.linking import MARKED
from stamina_video.backbone.perception.percept import PerceptLayout
from stamina_video.backbone.perception.spotter import FRAME, MOST, Spotter, SpotterConfig
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


def seen_by(eyes: TrainedEyes, image: np.ndarray[tuple[int, int, int], np.dtype[np.uint8]]) -> Seen:
    retina = ToyRetina()
    return see(retina, eyes.spotter, image, retina.look(image))


@pytest.mark.parametrize(("most", "looks"), [(MOST, 3), (10, 3), (9, 2), (1, 2)])
def test_an_image_is_looked_at_once_and_once_more_at_every_nine_of_its_things(
    image: np.ndarray[tuple[int, int, int], np.dtype[np.uint8]],
    most: int,
    looks: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(Spotter, "spot", partialmethod(Spotter.spot, most=most))
    retina = ToyRetina()
    Finder(retina, eager())(image)
    assert retina.looks == looks


def test_where_nothing_is_spotted_there_is_nothing_to_look_closer_at(
    image: np.ndarray[tuple[int, int, int], np.dtype[np.uint8]],
) -> None:
    retina = ToyRetina()
    assert len(Finder(retina, eager(things=-50.0))(image)) == 0
    assert retina.looks == 1


class Outspoken(ToyRetina):
    """Says something of every close-up as well."""

    def look(self, image_HW3: Image, /) -> Sight:
        sight = super().look(image_HW3)
        if image_HW3.shape[:2] != (FRAME, FRAME):
            return sight
        middles_K4 = inner(grid_boxes(ROW), 0.2) * (ROW * CELL / FRAME)
        return replace(sight, boxes_K4=middles_K4, labels_KV=np.full((ROW**2, 2), 0.5, np.float32))


def test_what_is_seen_of_things_is_what_spotter_detector_and_close_ups_say(
    image: np.ndarray[tuple[int, int, int], np.dtype[np.uint8]],
) -> None:
    retina, eyes = Outspoken(), eager()
    sight = retina.look(image)
    seen, things = see(retina, eyes.spotter, image, sight), eyes.spotter.spot(sight.maps)
    assert 1 < len(seen) <= MOST
    np.testing.assert_array_equal(seen.scores_K, things.scores_K)
    np.testing.assert_array_equal(seen.features_KE, things.features_KE)
    np.testing.assert_array_equal(seen.boxes_K4, in_image(things.boxes_K4, sight))
    np.testing.assert_array_equal(seen.afar_KV, spoken(sight, seen.boxes_K4, SPOKEN_OF))
    closer = look_closer(retina, image, seen.boxes_K4)
    np.testing.assert_array_equal(seen.close_KV, closer.scores_KV)
    assert seen.close_KV.any()
    assert not np.array_equal(seen.close_KV, seen.afar_KV)
    np.testing.assert_array_equal(seen.patches_KPPC, closer.patches_KPPC)
    np.testing.assert_array_equal(seen.colours_KC, survey(colour_field(image), seen.boxes_K4))


def test_a_look_at_nothing_reads_nothing(
    image: np.ndarray[tuple[int, int, int], np.dtype[np.uint8]],
) -> None:
    eyes = eager(things=-50.0)
    seen = seen_by(eyes, image)
    assert len(seen) == 0
    assert seen.patches_KPPC.shape[:3] == (0, PATCH, PATCH)
    assert seen.colours_KC.shape == (0, SURVEYED)
    read = eyes.reading(seen)
    assert read.features_KE.shape == (0, CONFIG.spotter.width)
    assert read.kinds_KO.shape == (0, len(CONFIG.spotter.kinds))
    assert read.there_K.shape == (0,)
    assert eyes.names(seen, read, 0.5).shape == (0, len(COLUMNS))
    assert eyes.paints(seen, read).shape == (0, 3)
    assert eyes.looks(seen, read).shape == (0, CONFIG.looks)


def test_close_ups_kept_in_half_precision_are_read_nearly_alike(
    image: np.ndarray[tuple[int, int, int], np.dtype[np.uint8]],
) -> None:
    eyes = eager()
    seen = seen_by(eyes, image)
    read = eyes.reading(seen)
    half = eyes.reading(replace(seen, patches_KPPC=seen.patches_KPPC.astype(np.float16)))
    assert half.features_KE.dtype == torch.float32
    torch.testing.assert_close(half.features_KE, read.features_KE, atol=1e-4, rtol=0)
    blank = eyes.reading(replace(seen, patches_KPPC=np.zeros_like(seen.patches_KPPC)))
    assert not torch.allclose(blank.features_KE, read.features_KE, atol=2e-3)


def test_names_are_judged_by_all_that_was_seen_and_read(
    image: np.ndarray[tuple[int, int, int], np.dtype[np.uint8]],
) -> None:
    eyes = eager()
    seen = seen_by(eyes, image)
    read = eyes.reading(seen)
    judged = evidence(seen, read, 0.25)
    np.testing.assert_array_equal(judged.afar_KV, seen.afar_KV)
    np.testing.assert_array_equal(judged.close_KV, seen.close_KV)
    assert torch.equal(judged.kinds_KO, read.kinds_KO)
    assert torch.equal(judged.there_K, read.there_K)
    np.testing.assert_allclose(judged.spotted_K.sigmoid(), seen.scores_K, atol=1e-5)
    np.testing.assert_array_equal(judged.crowding_K2, crowding(seen.boxes_K4))
    assert judged.drawn_K.tolist() == [0.25] * len(seen)
    names_KN = eyes.names(seen, read, 0.25)
    np.testing.assert_allclose(names_KN.sum(axis=1), 1, rtol=1e-5)
    assert not np.allclose(names_KN, eyes.names(seen, read, 0.75), atol=1e-4)


def test_the_surest_of_things_has_a_finite_logit(
    image: np.ndarray[tuple[int, int, int], np.dtype[np.uint8]],
) -> None:
    eyes = eager()
    seen = seen_by(eyes, image)
    certain = replace(seen, scores_K=np.ones_like(seen.scores_K))
    assert evidence(certain, eyes.reading(seen), 0.5).spotted_K.isfinite().all()


def test_what_a_thing_looks_like_ends_with_its_mark(
    image: np.ndarray[tuple[int, int, int], np.dtype[np.uint8]],
) -> None:
    eyes = eager()
    found, seen = Finder(ToyRetina(), eyes)(image), seen_by(eyes, image)
    once = np.isin(seen.scores_K, found.scores_K)  # no two are equally sure
    assert once.sum() == len(found) < len(once)
    read = eyes.reading(seen)
    looks_KE = eyes.looks(seen, read)
    np.testing.assert_array_equal(found.embeddings_KE, looks_KE[once])
    np.testing.assert_array_equal(looks_KE[:, :-MARKED], read.features_KE)
    marks_KM = looks_KE[:, -MARKED:]
    np.testing.assert_allclose(np.linalg.norm(marks_KM, axis=1), 1, rtol=1e-5)
    painted = replace(seen, colours_KC=survey(colour_field(np.roll(image, 1, axis=2)), seen.boxes_K4))
    assert not np.allclose(marks_KM, eyes.looks(painted, read)[:, -MARKED:], atol=1e-3)


def test_every_part_of_the_eyes_works_on_one_thread(
    image: np.ndarray[tuple[int, int, int], np.dtype[np.uint8]],
) -> None:
    eyes, threads = eager(), dict[str, int]()

    def counting(name: str) -> Callable[..., None]:
        return lambda *_: threads.update({name: torch.get_num_threads()})

    parts = ("spotter.things", "reader.read", "drawn", "namer", "painter", "marker")
    for name in parts:
        eyes.get_submodule(name).register_forward_hook(counting(name))
    before = torch.get_num_threads()
    torch.set_num_threads(2)
    try:
        Finder(ToyRetina(), eyes)(image)
    finally:
        torch.set_num_threads(before)
    assert threads == dict.fromkeys(parts, 1)


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


def test_the_look_of_a_picture_is_mean_and_spread_of_what_it_fills() -> None:
    maps = tuple(np.full((side, side, 3), 9.0, np.float32) for side in SIDES)
    for level, one_HWC in enumerate(maps):
        one_HWC[: len(one_HWC) // 2] = [level, level + 0.25, level + 0.5]  # beyond is the frame
        one_HWC[: len(one_HWC) // 2, ::2, 2] += 1  # every other column is lighter
        one_HWC[: len(one_HWC) // 2, 1::2, 2] -= 1
    wide = Sight(np.zeros((0, 4), np.float32), np.zeros((0, 2), np.float32), maps, np.array([1.0, 0.5]))
    assert look_of(wide).tolist() == [1, 1.25, 1.5, 2, 2.25, 2.5, 0, 0, 1, 0, 0, 1]
    assert look_of(wide).dtype == np.float32
    assert len(look_of(wide)) == 2 * CONFIG.fields


def test_whether_a_picture_is_drawn_is_told_by_its_look_beside_all_others(
    image: np.ndarray[tuple[int, int, int], np.dtype[np.uint8]],
) -> None:
    eyes, sight = eager(), ToyRetina().look(image)
    means = torch.from_numpy(look_of(sight))[: CONFIG.fields]
    eyes.middles_LC[FIELDS] = means.reshape(2, 3)
    torch.testing.assert_close(eyes.middle_look, means)
    torch.nn.init.constant_(eyes.drawn.bias, 2.0)
    usual = torch.tensor(2.0).sigmoid().item()
    assert eyes.is_drawn(sight) == pytest.approx(usual)  # it looks as all others do
    torch.nn.init.constant_(eyes.drawn.weight, 3.0)
    lighter = replace(sight, maps=tuple(one_HWC + 0.25 for one_HWC in sight.maps))
    darker = replace(sight, maps=tuple(one_HWC - 0.25 for one_HWC in sight.maps))
    assert eyes.is_drawn(darker) < usual < eyes.is_drawn(lighter)


def test_the_detector_is_trusted_as_far_as_a_picture_is_clearly_filmed(
    image: np.ndarray[tuple[int, int, int], np.dtype[np.uint8]],
) -> None:
    eyes, sight = eager(), ToyRetina().look(image)
    torch.nn.init.zeros_(eyes.filmed.weight)
    for beyond, trust in ((-30.0, 0.0), (0.0, 0.0), (0.5, 0.5), (30.0, 1.0)):
        torch.nn.init.constant_(eyes.filmed.bias, CLEARLY + beyond)
        assert eyes.trust(sight) == pytest.approx(trust, abs=1e-6)
    with torch.no_grad():
        eyes.filmed.bias.fill_(CLEARLY)
        eyes.filmed.weight[0, CONFIG.fields :] = 5.0  # it goes by spreads
    assert eyes.trust(sight) > 0.5


def test_in_a_filmed_picture_the_detector_has_a_word_of_its_own(
    image: np.ndarray[tuple[int, int, int], np.dtype[np.uint8]],
) -> None:
    """Kinds were taught by drawings: what they are sure of in a clip may be something else."""
    eyes = eager()
    seen = seen_by(eyes, image)
    loud_KV = np.zeros((len(seen), len(VOCABULARY)), np.float32)
    loud_KV[:, 1] = 0.9
    seen = replace(seen, afar_KV=loud_KV, close_KV=np.zeros_like(loud_KV))
    read = eyes.reading(seen)
    distrusted_KN, half_KN, trusted_KN = (eyes.names(seen, read, 0.2, trust) for trust in (0.0, 0.5, 1.0))
    with torch.no_grad():
        named_KN = eyes.namer(evidence(seen, read, 0.2)).softmax(-1).numpy()
    np.testing.assert_array_equal(distrusted_KN, named_KN)
    said = COLUMNS.index(VOCABULARY[1])
    assert (trusted_KN[:, said] > half_KN[:, said]).all()
    assert (half_KN[:, said] > distrusted_KN[:, said]).all()
    for shares_KN in (distrusted_KN, half_KN, trusted_KN):
        np.testing.assert_allclose(shares_KN.sum(axis=1), 1, rtol=1e-5)


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
    np.testing.assert_allclose(
        spoken(seen, things, SPOKEN_OF), [(0.5, 0.4), (0, 0)]
    )  # nobody speaks of the second
    assert spoken(seen, things[:0], SPOKEN_OF).shape == (0, 2)
    assert not spoken(sight(), things, SPOKEN_OF).any()


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
