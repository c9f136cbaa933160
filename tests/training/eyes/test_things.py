"""What a spotter of random weights finds in made-up glances, set against what was there."""

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from stamina_video.backbone.perception.closeup import ROW
from stamina_video.backbone.perception.finder import see
from stamina_video.backbone.perception.spotter import Spotter, SpotterConfig
from stamina_video.training.eyes.glance import Glance, load_glances, save_glances
from stamina_video.training.eyes.things import NOTHING, UNCLEAR, _there, found, who
from tests.backbone.perception.sights import KINDS, Box
from tests.training.eyes.glances import BOX, CUP, LitRetina, as_found, glance

LEFT, RIGHT = (0.1, 0.1, 0.3, 0.3), (0.6, 0.1, 0.8, 0.3)


def eager() -> Spotter:
    torch.manual_seed(0)
    spotter = Spotter(SpotterConfig(KINDS, width=8)).eval()
    torch.nn.init.constant_(spotter.get_parameter("things.bias"), 0.0)
    return spotter


def test_what_is_found_is_what_eyes_see_of_the_picture() -> None:
    one, retinas = glance((CUP, LEFT), (BOX, RIGHT)), [LitRetina(), LitRetina()]
    told: list[tuple[int, int]] = []
    things, others = found(retinas, eager(), [one, glance()], lambda done, of: told.append((done, of)))
    seen = see(LitRetina(), eager(), one.image, one.sight)
    # At close-ups, nine at once; at the pictures somebody has looked before.
    frames = sum(math.ceil(len(some) / ROW**2) for some in (things, others))
    assert sum(retina.looks for retina in retinas) == frames > 2
    assert told == [(0, 2), (1, 2)]
    assert 0 < len(things) == len(seen)
    for name in ("boxes_K4", "scores_K", "features_KE", "afar_KV", "close_KV", "colours_KC"):
        np.testing.assert_array_equal(getattr(things.seen, name), getattr(seen, name))
    assert things.seen.patches_KPPC.dtype == np.float16  # there are tens of thousands
    np.testing.assert_allclose(things.seen.patches_KPPC, seen.patches_KPPC, atol=1e-3)
    assert seen.patches_KPPC.any()


def test_glances_that_were_kept_in_a_file_will_do(tmp_path: Path) -> None:
    taken = glance((CUP, LEFT), (BOX, RIGHT))
    save_glances(tmp_path / "scene.safetensors", [taken])
    (back,) = load_glances(tmp_path / "scene.safetensors")
    assert {map_HWC.dtype for map_HWC in back.sight.maps} == {np.dtype(np.float16)}
    (whole,), (kept,) = (found([LitRetina()], eager(), [one], lambda *_: None) for one in (taken, back))
    assert len(whole) == len(kept)
    np.testing.assert_allclose(kept.seen.scores_K, whole.seen.scores_K, atol=1e-3)


def there(boxes: list[Box], seen: Glance) -> list[int]:
    places: list[int] = _there(np.array(boxes, np.float32).reshape(-1, 4), seen).tolist()
    return places


def narrowed(box: Box, share: float) -> Box:
    """The left part of a box, whose overlap with it is this share."""
    left, top, right, bottom = box
    return left, top, left + share * (right - left), bottom


@pytest.mark.parametrize(("share", "place"), [(1.0, 0), (0.55, 0), (0.45, UNCLEAR), (0.25, NOTHING)])
def test_a_box_is_the_thing_it_overlaps_or_unclear_or_nothing(share: float, place: int) -> None:
    assert there([narrowed(LEFT, share)], glance((CUP, LEFT), (BOX, RIGHT))) == [place]


def test_a_second_box_of_a_thing_shows_nothing() -> None:
    seen = glance((CUP, LEFT), (BOX, RIGHT))
    assert there([narrowed(LEFT, 0.8), RIGHT, LEFT, narrowed(LEFT, 0.4)], seen) == [NOTHING, 1, 0, NOTHING]


@pytest.mark.parametrize(("share", "place"), [(1.0, UNCLEAR), (0.4, UNCLEAR), (0.25, NOTHING)])
def test_what_may_be_there_or_not_is_unclear(share: float, place: int) -> None:
    seen = glance((CUP, LEFT))
    unsure = replace(seen, told=replace(seen.told, sure_K=np.array([False])))
    assert there([narrowed(LEFT, share)], unsure) == [place]
    assert there([LEFT, narrowed(LEFT, share)], unsure) == [UNCLEAR, place]  # nobody knows which shows it


def test_where_nothing_is_told_or_found_nothing_is_there() -> None:
    assert there([LEFT, RIGHT], glance()) == [NOTHING, NOTHING]
    assert there([], glance((CUP, LEFT))) == []


def test_who_it_is_follows_from_what_was_told() -> None:
    seen = glance((CUP, LEFT), (BOX, RIGHT))
    known = replace(seen, told=replace(seen.told, who_K=np.array([7, 4])))
    assert who(known, as_found(seen, [1, 0])).tolist() == [4, 7]
    assert who(known, as_found(seen, [NOTHING, UNCLEAR])).tolist() == [-1, -2]
    nobody = glance()
    assert who(nobody, as_found(nobody)).tolist() == []
