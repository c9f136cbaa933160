import pytest

from stamina_video.data.world.body import Body, Entity, Fixed, Material, Rigid, Shape
from stamina_video.data.world.camera import Camera
from stamina_video.data.world.mesh import block
from stamina_video.data.world.motion import Path, Track, still
from stamina_video.data.world.space import placed
from stamina_video.data.world.stage import Stage
from stamina_video.data.world.visibility import ENTER, LEAVE, RATE, Eye, Presence, presences

GREY = Material("plain", (0.5, 0.5, 0.5))
CUBE = (Shape(block(1, 0.1, 1), GREY),)


def watched(*bodies: Body) -> Eye:
    """From 8 metres the picture is 8 metres wide and high."""
    return Eye(Stage(bodies), Camera(still(0, -8, 0.5), still(0, 0, 0.5), still(2.0)), 1.0)


def moving(track: Track, number: int = 0) -> Body:
    return Body(CUBE, Rigid(track, 1), Entity(number, "box"))


def test_a_thing_in_the_open_is_wholly_visible_where_it_stands() -> None:
    (sighting,) = watched(moving(still(2.0, 0, 0, 0, 0, 0))).look(0.0)
    assert sighting.fraction == 1.0
    assert sighting.box == pytest.approx((0.6875, 0.4375, 0.8125, 0.5625), abs=0.011)


@pytest.mark.parametrize("share", [0.25, 0.5, 0.75])
def test_the_fraction_is_the_share_not_covered(share: float) -> None:
    cover = Body(CUBE, Fixed((placed(share, -0.2, 0),)))
    (sighting,) = watched(moving(still(0, 0, 0, 0, 0, 0)), cover).look(0.0)
    assert sighting.fraction == pytest.approx(share, abs=0.1)


@pytest.mark.parametrize("share", [0.25, 0.5, 0.75])
def test_the_fraction_is_the_share_in_frame(share: float) -> None:
    (sighting,) = watched(moving(still(4.5 - share, 0, 0, 0, 0, 0))).look(0.0)
    assert sighting.fraction == pytest.approx(share, abs=0.1)
    assert sighting.box[2] == 1.0


def test_a_thing_that_is_wholly_covered_or_outside_is_not_sighted() -> None:
    cover = Body(CUBE, Fixed((placed(0, -0.2, 0),)))
    assert watched(moving(still(0, 0, 0, 0, 0, 0)), cover, moving(still(9, 0, 0, 0, 0, 0), 1)).look(0.0) == []


def test_leaving_and_returning_is_one_identity_with_two_intervals() -> None:
    there, gone = (0.0, 0, 0, 0, 0, 0), (7.0, 0, 0, 0, 0, 0)
    path = Path(0.0, there).wait(1.0).to(gone, 1.0).wait(1.0).to(there, 1.0)
    (presence,) = presences(watched(moving(path.track())), 6.0)
    (start, left), (back, end) = presence.intervals
    assert (start, end) == (0.0, 6.0)
    assert 1.0 < left < 2.0
    assert 3.0 < back < 4.0
    assert presence.visible(0.0)
    assert not presence.visible(left)
    assert presence.visible(back)


def test_look_alikes_are_two_identities() -> None:
    found = presences(watched(moving(still(-1, 0, 0, 0, 0, 0)), moving(still(1, 0, 0, 0, 0, 0), 1)), 0.5)
    assert [presence.entity.id for presence in found] == [0, 1]


def test_a_fraction_between_the_thresholds_neither_enters_nor_leaves() -> None:
    between = (ENTER + LEAVE) / 2
    half_out, inside = (4.5 - between, 0, 0, 0, 0, 0), (2.0, 0, 0, 0, 0, 0)
    assert presences(watched(moving(still(*half_out))), 1.0) == ()
    stays = Path(0.0, inside).wait(0.5).to(half_out, 0.5).wait(1.0).track()
    assert presences(watched(moving(stays)), 2.0) == (Presence(Entity(0, "box"), ((0.0, 2.0),)),)


def test_times_lie_on_the_grid_of_looks() -> None:
    path = Path(0.0, (7.0, 0, 0, 0, 0, 0)).to((0.0, 0, 0, 0, 0, 0), 1.37)
    (presence,) = presences(watched(moving(path.track())), 2.0)
    assert (presence.first * RATE).is_integer()
