import numpy as np
import pytest

from stamina_video.data.world.dice import Dice
from stamina_video.data.world.kinds import KINDS
from stamina_video.data.world.mesh import Mesh, ball, block, limb, moved, quad
from stamina_video.data.world.space import placed


def volume(mesh: Mesh) -> float:
    """Positive where the triangles of a closed surface face outwards."""
    a, b, c = (mesh.points_V3[mesh.triangles_T3[:, corner]].astype(float) for corner in range(3))
    return float((np.cross(a, b) * c).sum() / 6)


@pytest.mark.parametrize(
    "mesh", [ball(0.1, 0.2, 0.3), block(1, 2, 3), limb(0.4, 0.06, 0.04)], ids=["ball", "block", "limb"]
)
def test_closed_surfaces_face_outwards(mesh: Mesh) -> None:
    assert volume(mesh) > 0
    assert volume(moved(mesh, placed(5, 3, 1, 0.2, 0.1))) == pytest.approx(volume(mesh), rel=1e-3)


def test_a_block_has_the_volume_of_its_sides() -> None:
    assert volume(block(0.5, 2, 3)) == pytest.approx(3, rel=1e-5)


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_stands_on_the_ground_at_its_stated_size(kind: str) -> None:
    shapes = KINDS[kind].build(Dice(3), (0.5, 0.2, 0.2), "striped")
    points = np.concatenate([shape.mesh.points_V3 for shape in shapes])
    assert points[:, 2].min() == pytest.approx(0, abs=0.012)
    assert 0.6 * KINDS[kind].height < points[:, 2].max() < 1.5 * KINDS[kind].height
    for shape in shapes:
        length = np.sqrt((shape.mesh.normals_V3**2).sum(-1))
        np.testing.assert_allclose(length[length > 0], 1, atol=1e-3)


def test_a_sheet_faces_where_its_corners_turn() -> None:
    sheet = quad((0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), pieces=3)
    np.testing.assert_allclose(sheet.normals_V3, [(0, 0, 1)] * 16, atol=1e-6)
