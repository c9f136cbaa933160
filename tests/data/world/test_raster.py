import numpy as np
from numpy.typing import NDArray

from stamina_video.data.world.body import Body, Fixed, Material, Shape
from stamina_video.data.world.camera import Camera
from stamina_video.data.world.mesh import Mesh, block, quad
from stamina_video.data.world.motion import still
from stamina_video.data.world.space import IDENTITY
from stamina_video.data.world.stage import Stage

GREY = Material("plain", (0.5, 0.5, 0.5))


def drawn(*meshes: Mesh, eye: tuple[float, float, float] = (0, -4, 0)) -> NDArray[np.int64]:
    """The number of the mesh each sample shows, looking along +y; -1 where it shows none."""
    stage = Stage([Body((Shape(mesh, GREY),), Fixed((IDENTITY,))) for mesh in meshes])
    view = Camera(still(*eye), still(0.0, 0.0, 0.0), still(2.0)).view(0.0, 64, 64, 1.0)
    buffers = np.empty((64, 64), np.float32), np.empty((64, 64), np.int32), np.empty((64, 64), np.int32)
    posed = stage.posed(0.0, view[0])
    posed.draw(view, False, *buffers)
    return np.where(buffers[1] >= 0, posed.chosen_I[buffers[1]], -1)


def wall(y: float, half: float = 1.0, pieces: int = 5) -> Mesh:
    return quad((-half, y, -half), (half, y, -half), (half, y, half), (-half, y, half), pieces)


def test_neighbouring_triangles_leave_no_gap() -> None:
    # 2 of the 4 metres that the picture is wide there: half of it, and nothing between the pieces.
    shown = drawn(wall(0.0)) == 0
    assert shown[16:48, 16:48].all()
    assert shown.sum() == 32 * 32


def test_the_nearest_surface_wins_whatever_the_order() -> None:
    near, far = wall(-1.0, 0.5), wall(1.0)
    assert drawn(near, far)[32, 32] == 0
    assert drawn(far, near)[32, 32] == 1


def test_a_surface_that_passes_the_eye_is_clipped_not_lost() -> None:
    floor = quad((-5, -9, -0.5), (5, -9, -0.5), (5, 9, -0.5), (-5, 9, -0.5), 1)
    shown = drawn(floor)
    assert (shown[-1] == 0).all()
    assert (shown[:32] == -1).all()


def test_what_lies_behind_the_eye_is_not_drawn() -> None:
    assert (drawn(wall(-6.0)) == -1).all()


def test_closed_surfaces_hide_their_backs() -> None:
    # From inside a block only backs face the eye.
    assert (drawn(block(2, 2, 2), eye=(0, -0.5, 1)) == -1).all()
