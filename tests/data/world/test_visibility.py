import pytest

from stamina_video.data.world.body import Body, Entity, Fixed, Material, Rigid, Shape
from stamina_video.data.world.builder import Builder
from stamina_video.data.world.camera import Camera
from stamina_video.data.world.mesh import block
from stamina_video.data.world.motion import Path, Track, still
from stamina_video.data.world.script import PICTURE
from stamina_video.data.world.space import placed
from stamina_video.data.world.stage import Stage
from stamina_video.data.world.visibility import ENTER, LEAVE, RATE, Eye, Presence, presences
from tests.data.world.scenes import ALL, scene

GREY = Material("plain", (0.5, 0.5, 0.5))
CUBE = (Shape(block(1, 0.1, 1), GREY),)
DOORWAY, SHELF = Entity(-1, "doorway"), Entity(-2, "shelf")


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


def standing(x: float, landmark: Entity = DOORWAY, y: float = 0.0) -> Body:
    return Body(CUBE, Fixed((placed(x, y, 0),)), landmark=landmark)


def test_a_landmark_in_the_open_is_where_it_stands() -> None:
    (sighting,) = watched(standing(2.0)).landmarks(0.0)
    assert sighting.entity == DOORWAY
    assert sighting.fraction == 1.0
    assert sighting.box == pytest.approx((0.6875, 0.4375, 0.8125, 0.5625), abs=0.011)
    assert sighting.area == pytest.approx(1 / 64, rel=0.2)


@pytest.mark.parametrize("share", [0.25, 0.5, 0.75])
def test_who_stands_before_a_landmark_does_not_move_it(share: float) -> None:
    """Its box stays; how much of it can be seen is told beside it."""
    (alone,) = watched(standing(0.0)).landmarks(0.0)
    somebody = moving(still(share, -0.2, 0, 0, 0, 0))
    (covered,) = watched(standing(0.0), somebody).landmarks(0.0)
    assert covered.box == alone.box
    assert covered.fraction == pytest.approx(share, abs=0.1)
    assert covered.area == pytest.approx(share * alone.area, rel=0.3)


def test_a_landmark_that_nobody_can_see_is_known_to_be_behind_what_covers_it() -> None:
    (hidden,) = watched(standing(0.0), moving(still(0, -0.2, 0, 0, 0, 0))).landmarks(0.0)
    assert (hidden.fraction, hidden.area) == (0, 0)


def test_bodies_of_one_landmark_are_one_and_those_of_two_are_two() -> None:
    frame = (standing(-1.5), standing(1.5))  # posts with nothing between them
    sightings = watched(*frame, standing(0.0, SHELF, y=1.0)).landmarks(0.0)
    assert [sighting.entity for sighting in sightings] == [DOORWAY, SHELF]
    assert sightings[0].box == pytest.approx((0.25, 0.4375, 0.75, 0.5625), abs=0.011)
    assert sightings[1].box[0] > 0.4
    assert sightings[1].box[2] < 0.6


def test_a_landmark_ends_with_the_picture() -> None:
    (sighting,) = watched(standing(4.0)).landmarks(0.0)
    assert sighting.box[2] == 1.0
    assert sighting.fraction == 1.0  # of what is in the picture
    assert watched(standing(9.0)).landmarks(0.0) == []


def test_landmarks_are_nobody_and_nobody_is_a_landmark() -> None:
    eye = watched(standing(-2.0), moving(still(2.0, 0, 0, 0, 0, 0)), Body(CUBE, Fixed((placed(0, 0, 0),))))
    assert [sighting.entity.id for sighting in eye.look(0.0)] == [0]
    assert [sighting.entity.id for sighting in eye.landmarks(0.0)] == [-1]
    assert [presence.entity.id for presence in presences(eye, 0.5)] == [0]


def test_a_landmark_hides_what_stands_behind_it_as_anything_else_does() -> None:
    (sighting,) = watched(moving(still(0, 0, 0, 0, 0, 0)), standing(0.5, y=-0.2)).look(0.0)
    assert sighting.fraction == pytest.approx(0.5, abs=0.1)


def test_landmarks_have_negative_numbers_of_their_own() -> None:
    build = Builder("doorway", 0, "train", 14.0, 3)
    mug = build.entity("mug")
    landmarks = [build.landmark(kind) for kind in ("doorway", "shelf", "shelf")]
    assert [one.id for one in landmarks] == [-1001, -1002, -1003]
    assert (mug.id, build.entity("mug").id) == (0, 1)  # they take no number from those that are counted


LANDMARKED = {"shelf": {"shelf"}, "conveyor": {"scanner"}, "doorway": {"doorway"}, "tour": {"shelf"}}


@pytest.mark.parametrize("family", ALL)
def test_scenes_have_the_landmarks_of_their_family_and_count_none(family: str) -> None:
    made = scene(family, seed=4)  # its tour comes by a shelf
    seen = [made.landmarks(time) for time in (0.0, 3.5, 7.0, 10.5)]
    assert {sighting.entity.kind for look in seen for sighting in look} == LANDMARKED.get(family, set())
    assert all(sighting.entity.id < min(-1000, PICTURE) for look in seen for sighting in look)
    things = [counted for counted in made.counted if not counted.event]
    assert all(number >= 0 for counted in things for number in counted.entities)
    for time in (0.0, 7.0):
        assert all(sighting.entity.id >= 0 for sighting in made.boxes(time))
    descriptions = {target.description for target in made.targets}
    assert not descriptions & {"doorways", "scanners", "shelves"}


def test_somebody_in_a_doorway_does_not_move_it() -> None:
    """The camera of such a scene stands still: so does the doorway, whoever passes."""
    made = scene("doorway")
    looks = [made.landmarks(time) for time in (0.0, 2.0, 4.0, 6.0, 8.0, 10.0, 12.0)]
    boxes = [one.box for look in looks for one in look]
    assert len(boxes) == len(looks)
    shares = [one.fraction for look in looks for one in look]
    assert min(shares) < max(shares)
    for box in boxes[1:]:
        assert box == pytest.approx(boxes[0], abs=0.03)
