"""A spotter and its lessons: it finds what was lit up, and is told how well it did."""

import numpy as np
import pytest
import torch

from stamina_video.backbone.perception.boxes import overlaps
from stamina_video.backbone.perception.efficientdet import Sight
from stamina_video.backbone.perception.spotter import (
    FRAME,
    LOWEST,
    MOST,
    SAME_THING,
    Spotted,
    Spotter,
    SpotterConfig,
)
from stamina_video.training.eyes.glance import Glance, Told, coded
from stamina_video.training.eyes.spotting import Lesson, lessons, spotting_loss, together
from tests.backbone.perception.sights import SIDES, Box, lit_maps

KINDS = ("cup", "box")
MIDDLE = (0.4, 0.35, 0.6, 0.55)  # 90 pixels: of the second level
LARGE = (0.55, 0.5, 0.95, 0.9)  # 179 pixels: of the third


def glance(*things: tuple[int, Box], sure: bool = True, filled: tuple[float, float] = (1, 1)) -> Glance:
    """Things of a kind, in an image that fills its frame so far; each lights up the maps where it is."""
    count = len(things)
    across, down = filled
    framed = [
        (kind, (box[0] * across, box[1] * down, box[2] * across, box[3] * down)) for kind, box in things
    ]
    told = Told(
        np.array([box for _, box in things], np.float32).reshape(-1, 4),
        np.full(count, sure),
        np.array([kind for kind, _ in things], np.int64),
        np.arange(count),
        np.zeros((count, 3), np.float32),
    )
    sight = Sight(
        told.boxes_K4, np.zeros((count, 2), np.float32), lit_maps(framed, 4), np.array(filled, np.float32)
    )
    return Glance(sight, coded(np.zeros((8, 8, 3), np.uint8)), told)


def perfect(taught: list[Lesson], sure: float = 20.0) -> list[Spotted]:
    """Just what the lessons say."""
    spotted = []
    for one in taught:
        kinds_BHWO = torch.nn.functional.one_hot(one.kinds_HW.clamp(min=0), len(KINDS))
        spotted.append(
            Spotted(
                torch.where(one.shown_HW, sure, -sure),
                one.sides_HW4.permute(0, 3, 1, 2).clamp(min=0.01),
                sure * kinds_BHWO.permute(0, 3, 1, 2).float(),
                torch.zeros(1, 1, *one.shown_HW.shape[1:]),
            )
        )
    return spotted


def fresh(things: float | None = None) -> Spotter:
    torch.manual_seed(0)
    spotter = Spotter(SpotterConfig(KINDS, width=8, channels=4)).eval()
    if things is not None:
        torch.nn.init.constant_(spotter.get_parameter("things.bias"), things)
    return spotter


def test_a_little_practice_finds_what_is_lit_up() -> None:
    seen = glance((0, MIDDLE), (1, LARGE))
    spotter = fresh().train()
    maps = [torch.from_numpy(one).permute(2, 0, 1)[None] for one in seen.sight.maps]
    taught = together([lessons(seen, (0, 1))])
    optimiser = torch.optim.AdamW(spotter.parameters(), 0.03)
    losses = []
    for _ in range(60):
        error = spotting_loss(spotter(maps), taught)
        optimiser.zero_grad()
        error.backward()  # type: ignore[no-untyped-call]  # torch has no types for it
        optimiser.step()
        losses.append(error.item())
    assert losses[-1] < losses[0] / 4
    things = spotter.spot(seen.sight.maps)
    true_24 = seen.told.boxes_K4 * FRAME
    best_2 = overlaps(things.boxes_K4, true_24).argmax(axis=0)
    assert overlaps(things.boxes_K4, true_24).max(axis=0) == pytest.approx([1, 1], abs=0.4)
    assert things.kinds_KO[best_2].argmax(axis=1).tolist() == [0, 1]


def test_boxes_are_pixels_of_the_frame_best_first() -> None:
    seen = glance((0, MIDDLE), (1, LARGE))
    things = fresh(things=0.0).spot(seen.sight.maps)
    assert len(things.boxes_K4) > 1
    assert (np.diff(things.scores_K) <= 0).all()
    assert (things.boxes_K4[:, 2:] > things.boxes_K4[:, :2]).all()
    middles = (things.boxes_K4[:, 2:] + things.boxes_K4[:, :2]) / 2
    assert middles.max() > 1
    np.testing.assert_allclose(np.exp(things.kinds_KO).sum(axis=1), 1, rtol=1e-5)
    assert things.features_KE.shape == (len(things.boxes_K4), 8)


def test_no_two_boxes_show_the_same_thing() -> None:
    spotter = fresh(things=0.0)
    # Boxes so large that neighbours mean nearly the same one.
    torch.nn.init.constant_(spotter.get_parameter("sides.bias"), 1.0)
    things = spotter.spot(glance((0, MIDDLE)).sight.maps, most=1000)
    among_KK = overlaps(things.boxes_K4, things.boxes_K4) - np.eye(len(things.boxes_K4))
    assert among_KK.max() <= SAME_THING
    assert 1 < len(things.boxes_K4) < sum(side**2 for side in SIDES)


def test_no_more_and_no_less_sure_than_was_asked() -> None:
    spotter, maps = fresh(things=0.0), glance((0, MIDDLE)).sight.maps
    everything = spotter.spot(maps, most=1000)
    few = spotter.spot(maps, most=3)
    np.testing.assert_array_equal(few.scores_K, everything.scores_K[:3])
    between = float(everything.scores_K[4])
    assert (spotter.spot(maps, lowest=between).scores_K > between).all()
    nothing = spotter.spot(maps, lowest=1.0)
    assert (nothing.boxes_K4.shape, nothing.kinds_KO.shape) == ((0, 4), (0, len(KINDS)))


def test_unless_told_otherwise_the_surest_few_are_kept_and_nothing_faint() -> None:
    spotter, maps = fresh(things=0.0), glance((0, MIDDLE)).sight.maps
    everything = spotter.spot(maps, lowest=0.0, most=1000)
    assert len(everything.scores_K) > MOST
    np.testing.assert_array_equal(spotter.spot(maps).scores_K, everything.scores_K[:MOST])
    torch.nn.init.constant_(spotter.get_parameter("things.bias"), float(np.log(LOWEST / (1 - LOWEST))))
    some = spotter.spot(maps, most=1000).scores_K
    assert (some > LOWEST).all()
    assert 0 < len(some) < len(spotter.spot(maps, lowest=0.0, most=1000).scores_K)


def test_a_thing_is_taught_at_the_level_of_its_size() -> None:
    levels = lessons(glance((0, MIDDLE), (1, LARGE)), (0, 1))
    assert [bool(one.shown_HW.any()) for one in levels] == [False, True, True, False]
    for one, kind, box in ((levels[1], 0, MIDDLE), (levels[2], 1, LARGE)):
        cell = 1 / len(one.shown_HW)
        for row, column in one.shown_HW.nonzero().tolist():
            assert one.kinds_HW[row, column] == kind
            x, y = (column + 0.5) * cell, (row + 0.5) * cell
            left, top, right, bottom = (one.sides_HW4[row, column] * cell).tolist()
            assert (x - left, y - top, x + right, y + bottom) == pytest.approx(box, abs=1e-5)


def test_boxes_are_told_in_the_image_and_taught_in_the_frame() -> None:
    half, whole = glance((0, (0.4, 0.7, 0.6, 1.0)), filled=(1, 0.5)), glance((0, (0.4, 0.35, 0.6, 0.5)))
    for one, other in zip(lessons(half, (0,)), lessons(whole, (0,)), strict=True):
        assert torch.equal(one.shown_HW, other.shown_HW)
        torch.testing.assert_close(one.sides_HW4, other.sides_HW4)


def test_what_is_unsure_teaches_nothing() -> None:
    seen = glance((0, MIDDLE), sure=False)
    taught = together([lessons(seen, (0, 1))])
    assert not any(one.shown_HW.any() for one in taught)
    assert any(one.unsure_HW.any() for one in taught)
    silent = perfect(taught)
    loud = [
        Spotted(
            torch.where(lesson.unsure_HW, 20.0, one.things_BHW),
            one.sides_B4HW,
            one.kinds_BOHW,
            one.features_BEHW,
        )
        for one, lesson in zip(silent, taught, strict=True)
    ]
    assert spotting_loss(loud, taught) == spotting_loss(silent, taught)


def kinds_of(lesson: Lesson) -> set[int]:
    assert lesson.shown_HW.any()
    assert (lesson.kinds_HW[~lesson.shown_HW] == -1).all()
    return set(lesson.kinds_HW[lesson.shown_HW].tolist())


def test_all_that_is_not_taught_is_one_kind_more() -> None:
    for name, kind in {2: 0, 1: 1, 3: 2, 0: 2}.items():
        assert kinds_of(lessons(glance((name, MIDDLE)), (2, 1))[1]) == {kind}


@pytest.mark.parametrize("name", [3, -1])
def test_what_is_spared_or_has_no_name_teaches_where_things_are_all_the_same(name: int) -> None:
    assert kinds_of(lessons(glance((name, MIDDLE)), (0, 1), spared=(3,))[1]) == {-1}


def test_the_better_a_prediction_the_smaller_its_loss() -> None:
    taught = together([lessons(glance((0, MIDDLE), (1, LARGE)), (0, 1))])
    right = spotting_loss(perfect(taught), taught)
    assert right == pytest.approx(0, abs=1e-3)
    unsure = spotting_loss(perfect(taught, sure=1.0), taught)
    wrong = spotting_loss(perfect(taught, sure=-1.0), taught)
    assert right < unsure < wrong
    assert spotting_loss(perfect(together([lessons(glance((0, LARGE)), (0, 1))])), taught) > right


def test_an_image_without_things_has_a_finite_loss() -> None:
    taught = together([lessons(glance(), (0, 1))])
    assert torch.isfinite(spotting_loss(perfect(taught, sure=1.0), taught))
