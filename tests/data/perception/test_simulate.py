from dataclasses import replace

import numpy as np
import pytest

from stamina_video.data.perception import MOTION, Stream, shipped_statistics, simulate, simulate_perception
from stamina_video.data.perception.stream import CLUTTER, overlaps
from stamina_video.semantics import InvalidInput
from tests.data.perception.streams import FRAMES, THINGS, stream, things
from tests.data.world.scenes import scene

PERFECT = replace(
    shipped_statistics(),
    score_mean=6.0,
    score_spread=0.0,
    score_wobble=0.0,
    blink=0.0,
    merge=0.0,
    jitter=0.0,
    jitter_weak=0.0,
    rival_gap=5.0,
    rival_spread=0.0,
    duplicate=0.0,
    clutter=0.0,
    flow_gain=1.0,
    flow_noise=0.0,
)


def arrays(made: Stream) -> list[np.ndarray]:
    return [getattr(made, name) for name in ("lengths_T", "boxes_N4", "scores_N", "classes_N2", "motion_NM")]


def test_a_perfect_detector_reports_every_thing_where_it_is() -> None:
    made = simulate(things(), PERFECT, 0)
    assert list(made.lengths_T) == [THINGS] * FRAMES
    assert set(made.entities_N) == set(things().ids_E)
    last = made.at(FRAMES - 1)
    np.testing.assert_allclose(last.boxes_K4[np.argsort(last.entities_K)], things().boxes_TE4[-1], atol=1e-6)
    assert (made.classes_N2[:, 0] == made.entities_N - 10).all()


def test_motion_is_the_displacement_since_the_last_observation() -> None:
    made = simulate(things(), PERFECT, 0)
    assert made.at(0).motion_KM.shape == (THINGS, len(MOTION))
    assert not made.at(0).motion_KM.any()
    known, dx, dy = made.at(7).motion_KM[:, :3].T
    np.testing.assert_allclose(known, 1)
    np.testing.assert_allclose(dx, 0.2, atol=1e-4)  # hundredths of the longer side
    np.testing.assert_allclose(dy, 0, atol=1e-4)


def test_a_seed_gives_one_stream_and_another_seed_another() -> None:
    again = simulate(things(), shipped_statistics(), 0)
    for one, other in zip(arrays(stream()), arrays(again), strict=True):
        np.testing.assert_array_equal(one, other)
    assert not np.array_equal(stream().lengths_T, stream(1).lengths_T)


@pytest.mark.parametrize("seed", range(3))
def test_a_stream_keeps_the_detectors_bounds(seed: int) -> None:
    statistics, made = shipped_statistics(), stream(seed)
    assert made.lengths_T.max() <= statistics.most
    assert made.scores_N.min() >= statistics.floor
    assert ((made.boxes_N4 >= 0) & (made.boxes_N4 <= 1)).all()
    for observation in range(len(made)):
        seen = made.at(observation)
        assert (np.diff(seen.scores_K) <= 0).all()
        overlap = overlaps(seen.boxes_K4, seen.boxes_K4)
        np.fill_diagonal(overlap, 0)
        assert overlap.max(initial=0) <= statistics.apart + 1e-5
        assert (seen.labels_KV.argmax(axis=1) == made.classes_N2[made.frames_N == observation, 0]).all()


def test_each_habit_shows() -> None:
    made = [stream(seed) for seed in range(4)]
    found = np.concatenate([part.entities_N for part in made])
    pairs = [{*zip(part.frames_N, part.entities_N, strict=True)} for part in made]
    shown = sum(entity != CLUTTER for seen in pairs for _, entity in seen)
    assert 0.5 < shown / (4 * FRAMES * THINGS) < 1, "some are missed"
    assert shown < int((found != CLUTTER).sum()), "some have second boxes"
    assert (found == CLUTTER).any()
    confused = np.concatenate([part.classes_N2[part.entities_N != CLUTTER, 0] for part in made])
    true = found[found != CLUTTER] - 10
    assert 0.01 < (confused != true).mean() < 0.4


def test_two_of_a_class_that_touch_may_be_one_box() -> None:
    close = things(FRAMES, 2)
    boxes_TE4 = close.boxes_TE4.copy()
    boxes_TE4[:, 1] = boxes_TE4[:, 0] + np.array((0.08, 0, 0.08, 0), np.float32)
    close = replace(close, boxes_TE4=boxes_TE4, classes_E=np.zeros(2, np.int64))
    merging = replace(PERFECT, merge=1.0, score_spread=0.5)
    made = simulate(close, merging, 0)
    assert list(made.lengths_T) == [1] * FRAMES
    np.testing.assert_allclose(made.boxes_N4[:, 2] - made.boxes_N4[:, 0], 0.28, atol=1e-5)
    assert list(simulate(close, PERFECT, 0).lengths_T) == [2] * FRAMES


def test_what_is_hidden_scores_less() -> None:
    hidden = replace(things(), shown_TE=np.full((FRAMES, THINGS), 0.3, np.float32))
    plain = replace(shipped_statistics(), clutter=0.0)
    assert simulate(hidden, plain, 0).scores_N.mean() < simulate(things(), plain, 0).scores_N.mean()
    gone = replace(things(), shown_TE=np.zeros((FRAMES, THINGS), np.float32))
    assert len(simulate(gone, plain, 0).scores_N) == 0


def test_a_scene_is_perceived_without_rendering(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("stamina_video.data.world.render.Renderer.frame", None)
    made = simulate_perception(scene("packing"), seed=1)
    assert len(made) == 28
    assert {sighting.entity.id for sighting in scene("packing").boxes(0.0)} & set(made.entities_N)
    assert "bowl" in made.vocabulary
    assert made.names(3) == [made.vocabulary[k] for k in made.classes_N2[made.frames_N == 3, 0]]


def test_a_rate_of_nought_is_refused() -> None:
    with pytest.raises(InvalidInput, match="expected observations per second above 0, got 0"):
        simulate_perception(scene("packing"), fps=0)
