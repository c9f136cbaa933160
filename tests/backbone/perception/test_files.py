import numpy as np
import pytest

from stamina_video.backbone.perception.files import GATHERED, KEPT, Files, gathered
from stamina_video.backbone.perception.linking import Overlapping, Sights
from tests.backbone.perception.sights import Box, sights

LEFT, MIDDLE, RIGHT = (0.05, 0.2, 0.2, 0.5), (0.4, 0.2, 0.55, 0.5), (0.75, 0.2, 0.9, 0.5)
NOBODY = sights()


def empty(seats: int = 3) -> Files:
    return Files.empty(seats, names=2, features=4)


def watch(files: Files, *looks: Sights) -> Files:
    for now in looks:
        files, _ = gathered(files, now, Overlapping())
    return files


def seats(files: Files, *boxes: Box, scores: list[float] | None = None) -> list[int]:
    seats_K: list[int] = gathered(files, sights(*boxes, scores=scores), Overlapping())[1].tolist()
    return seats_K


def test_nobody_sits_in_empty_files() -> None:
    files = empty()
    assert len(files.open) == len(files.seen) == len(files.sights()) == 0
    assert len(watch(files, NOBODY).open) == 0


def test_a_thing_keeps_its_seat_in_whatever_order_things_are_found() -> None:
    files = watch(empty(), sights(LEFT, RIGHT))
    assert seats(files, RIGHT, LEFT) == [1, 0]
    assert watch(files, sights(RIGHT, LEFT)).looks_S.tolist() == [2, 2, 0]


def test_a_seat_is_kept_while_its_thing_is_missed_and_no_longer() -> None:
    files = watch(empty(), sights(LEFT))
    for missed in range(1, KEPT + 1):
        files = watch(files, NOBODY)
        assert files.open.tolist() == [0]
        assert files.seen.tolist() == []
        assert files.missed_S[0] == missed
        assert seats(files, LEFT) == [0]
    assert watch(files, NOBODY).open.tolist() == []


def test_who_returns_in_time_goes_on_where_it_was() -> None:
    files = watch(empty(), sights(LEFT), NOBODY, sights(LEFT))
    assert (files.looks_S[0], files.missed_S[0]) == (2, 0)
    assert files.seen.tolist() == [0]


def test_who_is_not_linked_takes_the_seat_that_was_empty_longest() -> None:
    files = watch(empty(), sights(LEFT, MIDDLE), sights(MIDDLE))
    assert seats(files, MIDDLE, RIGHT) == [1, 2]  # the seat of the missed one is kept for it
    files = watch(files, *[sights(MIDDLE)] * KEPT)
    assert files.open.tolist() == [1]
    assert seats(files, MIDDLE, RIGHT) == [1, 2]
    assert seats(files, MIDDLE, RIGHT, LEFT, scores=[0.9, 0.8, 0.7]) == [1, 2, 0]


def test_a_new_thing_in_an_old_seat_begins_anew() -> None:
    files = watch(empty(1), *[sights(LEFT, names=[[0.9, 0.1]])] * 3, *[NOBODY] * (KEPT + 1))
    files = watch(files, sights(RIGHT, names=[[0.2, 0.8]]))
    assert files.looks_S.tolist() == [1]
    np.testing.assert_allclose(files.shares()[0], [0.2, 0.8], rtol=1e-5)
    np.testing.assert_allclose(files.boxes_S4[0], RIGHT, rtol=1e-6)


def test_where_seats_are_few_the_surest_sit() -> None:
    assert seats(empty(2), LEFT, MIDDLE, RIGHT, scores=[0.2, 0.9, 0.5]) == [-1, 0, 1]
    files = watch(empty(2), sights(LEFT, MIDDLE, RIGHT, scores=[0.2, 0.9, 0.5]))
    np.testing.assert_allclose(files.boxes_S4, [MIDDLE, RIGHT])
    assert seats(files, LEFT, RIGHT, MIDDLE, scores=[0.9, 0.2, 0.1]) == [-1, 1, 0]  # who sits stays


def test_one_box_is_one_thing() -> None:
    assert sorted(seats(watch(empty(), sights(LEFT)), LEFT, LEFT)) == [0, 1]


def test_names_gather_over_looks() -> None:
    said = [[0.9, 0.1], [0.9, 0.1], [0.2, 0.8]]
    files = watch(empty(), *(sights(LEFT, names=[names]) for names in said))
    mean_2 = np.exp(np.log(said).mean(axis=0))
    np.testing.assert_allclose(files.shares()[0], mean_2 / mean_2.sum(), rtol=1e-4)
    assert files.shares()[0].argmax() == 0  # one look does not overturn two
    np.testing.assert_allclose(files.shares().sum(axis=1), 1, rtol=1e-5)


def test_a_power_makes_up_the_eyes_mind_and_keeps_the_order() -> None:
    files = watch(empty(), sights(LEFT, names=[[0.6, 0.4]]))
    shares_2 = np.array([0.6, 0.4]) ** 2.5
    np.testing.assert_allclose(files.shares(2.5)[0], shares_2 / shares_2.sum(), rtol=1e-4)
    np.testing.assert_allclose(files.shares(1.0), files.shares())


def test_the_oldest_looks_fade() -> None:
    first, then = (sights(LEFT, names=[names]) for names in ([0.9, 0.1], [0.2, 0.8]))
    files = watch(empty(), *[first] * 100)
    assert files.looks_S[0] == 100
    assert watch(files, *[then] * GATHERED).shares()[0].argmax() == 1


def test_a_file_keeps_how_its_thing_moves_and_begins_anew_with_another() -> None:
    near = (0.1, 0.2, 0.25, 0.5)
    files = watch(empty(1), sights(LEFT), sights(near))
    assert files.gaits.step_SA[0, 0] == pytest.approx(0.05)
    np.testing.assert_allclose(files.gaits.first_SA[0, :2], (0.125, 0.35))
    files = watch(files, NOBODY)
    np.testing.assert_allclose(files.gaits.place_SA[0, :2], (0.175, 0.35))  # where it was seen last
    files = watch(files, *[NOBODY] * KEPT, sights(RIGHT))
    assert files.looks_S.tolist() == [1]
    assert not files.gaits.step_SA.any()
    np.testing.assert_allclose(files.gaits.first_SA[0, :2], (0.825, 0.35))


def test_files_are_values() -> None:
    files = watch(empty(), sights(LEFT, RIGHT))
    before = {name: array.copy() for name, array in files.arrays().items()}
    one, _ = gathered(files, sights(LEFT, moved=(0.01, 0)), Overlapping())
    gathered(files, NOBODY, Overlapping())
    again, _ = gathered(files, sights(LEFT, moved=(0.01, 0)), Overlapping())
    for name, array in files.arrays().items():
        np.testing.assert_array_equal(array, before[name])
        np.testing.assert_array_equal(one.arrays()[name], again.arrays()[name])
    assert one.missed_S.tolist() == [0, 1, 0]


def test_arrays_and_back() -> None:
    files = watch(empty(), sights(LEFT, RIGHT), sights(RIGHT))
    back = Files.from_arrays(files.arrays())
    for name, array in files.arrays().items():
        assert array.dtype == back.arrays()[name].dtype
        np.testing.assert_array_equal(array, back.arrays()[name])
    assert back.gaits.place_SA.any()
    np.testing.assert_array_equal(back.gaits.place_SA, files.gaits.place_SA)
    with pytest.raises(KeyError):
        Files.from_arrays({})
