import numpy as np

from stamina_video.data.world.body import Body, Fixed, Material, Shape
from stamina_video.data.world.mesh import ball
from stamina_video.data.world.space import placed
from stamina_video.data.world.stage import FAR, Stage

SOFT = 0.01
EYE = (0.0, -2.0, 0.0)


def stage(*soft: float, x: float = 0.0) -> Stage:
    materials = [Material("cloth", (0.5, 0.4, 0.3), soft=metres) for metres in soft]
    return Stage([Body((Shape(ball(0.3, 0.3, 0.3), m),), Fixed((placed(x, 0, 0),))) for m in materials])


def test_soft_bodies_rise_and_fall_in_folds_and_rigid_ones_do_not() -> None:
    cushion = stage(SOFT, 0.0)
    beneath, now, later = (
        cushion.posed(time, EYE, folded).xyz for time, folded in ((0.0, False), (0.0, True), (2.0, True))
    )
    away = np.sqrt(((now - beneath) ** 2).sum(-1))
    soft, rigid = np.split(away, 2)
    assert 0.3 * SOFT < soft.max() <= 1.5 * SOFT + 1e-6
    assert not rigid.any()
    assert np.abs(now - later).max() > 0.3 * SOFT


def test_truth_looks_at_the_bodies_beneath_their_folds() -> None:
    cushion = stage(SOFT)
    np.testing.assert_array_equal(cushion.posed(0.0, EYE).xyz, cushion.posed(2.0, EYE).xyz)


def test_normals_lean_against_the_folds() -> None:
    cushion = stage(SOFT)
    smooth, folded = (cushion.posed(0.0, EYE, folds).facing for folds in (False, True))
    assert np.abs(smooth - folded).max() > 0.05


def test_the_points_of_a_pose_can_be_asked_for_at_another_time() -> None:
    cushion = stage(SOFT)
    now = cushion.posed(0.0, EYE, folded=True)
    np.testing.assert_array_equal(cushion.points(0.0, now), now.xyz)
    np.testing.assert_array_equal(cushion.points(2.0, now), cushion.posed(2.0, EYE, folded=True).xyz)


def test_what_is_far_away_is_left_out() -> None:
    assert len(stage(0.0, x=FAR + 3).posed(0.0, EYE).xyz) == 0
