import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stamina_video.data.world.space import bent, chained, direction, placed, spanning

turns = st.floats(-1, 1)
metres = st.floats(-3, 3)


@given(turns, turns, turns)
def test_placements_are_rigid(yaw: float, pitch: float, roll: float) -> None:
    turn = placed(0, 0, 0, yaw, pitch, roll)[:, :3]
    np.testing.assert_allclose(turn @ turn.T, np.eye(3), atol=1e-7)
    assert np.linalg.det(turn) == pytest.approx(1)


@given(metres, turns, turns, metres, turns, turns)
def test_chaining_is_the_matrix_product(x: float, a: float, b: float, y: float, c: float, d: float) -> None:
    outer, inner = placed(x, 1, 2, a, b), placed(3, y, 4, c, d)
    square = [np.vstack([matrix, (0, 0, 0, 1)]) for matrix in (outer, inner)]
    np.testing.assert_allclose(chained(outer, inner), (square[0] @ square[1])[:3], atol=1e-12)


@given(metres, metres, metres)
def test_a_span_points_its_own_z_at_the_end(x: float, y: float, z: float) -> None:
    unit, length = direction((0, 0, 0), (x, y, z))
    if length > 1e-3:
        matrix = spanning((0, 0, 0), (x, y, z))
        np.testing.assert_allclose(matrix[:, 2], unit)
        np.testing.assert_allclose(matrix[:, :3] @ matrix[:, :3].T, np.eye(3), atol=1e-6)


@given(st.floats(0.05, 0.54), st.floats(0, 1))
def test_a_bent_limb_keeps_its_bones(reach: float, turn: float) -> None:
    end = (reach * math.cos(turn), reach * math.sin(turn), 0.0)
    joint = bent((0, 0, 0), end, 0.3, 0.26, (0, 0, 1))
    assert direction((0, 0, 0), joint)[1] == pytest.approx(0.3)
    assert direction(joint, end)[1] == pytest.approx(0.26)
    assert joint[2] >= 0
