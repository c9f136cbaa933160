"""Marks, learned from made-up things whose individuals are known, and from what stays where it was."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
import torch

from stamina_video.backbone.perception.colour import SURVEYED
from stamina_video.backbone.perception.namer import Marker
from stamina_video.semantics import InvalidInput
from stamina_video.training.eyes.glance import Glance
from stamina_video.training.eyes.marking import FEW, Individuals, _few, learn_marks
from stamina_video.training.eyes.things import NOTHING, UNCLEAR, Found
from stamina_video.training.recipe import Course
from tests.training.eyes.glances import BOX, CUP, as_found, as_read, glance, moved, scene

SCENES = [scene(0.0), scene(0.05), scene(0.1)]
LEFT, RIGHT = (0.1, 0.1, 0.3, 0.3), (0.6, 0.1, 0.8, 0.3)


def individuals(looks: int = 6, staged: int = 2) -> Individuals:
    """Two places with two individuals each, whose looks differ by a little; nobody is in both."""
    dice = torch.Generator().manual_seed(1)
    who_M, place_M = torch.arange(4).repeat_interleave(looks), torch.arange(2).repeat_interleave(2 * looks)
    look_M = torch.zeros_like(who_M) if staged else torch.arange(looks).repeat(4)
    middles_4E = torch.randn(4, 128, generator=dice)
    return Individuals(
        middles_4E[who_M] + 0.5 * torch.randn(len(who_M), 128, generator=dice),
        torch.rand(len(who_M), SURVEYED, generator=dice),
        who_M,
        place_M,
        look_M,
        torch.zeros_like(who_M),
        staged,
    )


def marker() -> Marker:
    torch.manual_seed(0)
    return Marker(128, SURVEYED)


def test_marks_of_one_come_near_and_marks_of_others_beside_it_go_far() -> None:
    known, marks = individuals(), marker()

    @torch.no_grad()
    def cosines() -> tuple[float, float]:
        marks_MM = marks(known.features_ME, known.colours_MC)
        near_MM = marks_MM @ marks_MM.T
        same_MM = known.who_M[:, None] == known.who_M
        beside_MM = (known.place_M[:, None] == known.place_M) & ~same_MM
        return float(near_MM[same_MM].mean()), float(near_MM[beside_MM].mean())

    same, other = cosines()
    before = same - other
    learn_marks(marks, known, Course(40, 2, 3e-3), lambda *_: None)
    same, other = cosines()
    assert same - other > max(2 * before, 0.5)


def test_clips_teach_beside_scenes() -> None:
    staged, clip = individuals(), individuals(staged=0)
    both = Individuals(
        torch.cat([staged.features_ME, clip.features_ME.flip(1)]),
        torch.cat([staged.colours_MC, clip.colours_MC]),
        torch.cat([staged.who_M, clip.who_M + 4]),
        torch.cat([staged.place_M, clip.place_M + 2]),
        torch.cat([staged.look_M, clip.look_M]),
        torch.cat([staged.name_M, clip.name_M]),
        2,
    )

    @torch.no_grad()
    def apart(known: Individuals) -> float:
        """How much nearer one is to himself than to others, of those in clips, once these were learned."""
        marks = marker()
        with torch.enable_grad():
            learn_marks(marks, known, Course(60, 32, 3e-3), lambda *_: None)
        marks_MM = marks(both.features_ME, both.colours_MC)[24:]
        near_MM = marks_MM @ marks_MM.T
        same_MM = both.who_M[24:, None] == both.who_M[24:]
        return float(near_MM[same_MM].mean() - near_MM[~same_MM].mean())

    assert apart(both) > apart(staged) + 0.1


def test_marks_need_scenes_with_more_than_one_thing() -> None:
    known = individuals()
    lonely = Individuals(
        known.features_ME[::12],
        known.colours_MC[::12],
        known.who_M[::12],
        known.place_M[::12],
        known.look_M[::12],
        known.name_M[::12],
        2,
    )
    for nothing_to_learn in (lonely, individuals(staged=0)):
        with pytest.raises(
            InvalidInput, match="expected scenes that show somebody twice to learn marks from"
        ):
            learn_marks(marker(), nothing_to_learn, Course(1, 2, 1e-3), lambda *_: None)


def individuals_of(places: Sequence[Sequence[Glance]], things: Sequence[Found], staged: int) -> Individuals:
    return Individuals.of(places, things, [as_read(one) for one in things], staged)


def test_the_same_number_in_two_scenes_is_two_individuals() -> None:
    known = individuals_of(SCENES, [as_found(seen) for place in SCENES for seen in place], staged=3)
    assert known.who_M.tolist() == [0, 1, 0, 1, 2, 3, 2, 3, 4, 5, 4, 5]
    assert known.place_M.tolist() == [0] * 4 + [1] * 4 + [2] * 4
    assert known.name_M.tolist() == [CUP, BOX] * 6
    unclear = [as_found(seen, [UNCLEAR, 0]) for place in SCENES for seen in place]
    assert individuals_of(SCENES, unclear, staged=3).who_M.tolist() == [0, 0, 1, 1, 2, 2]


def test_individuals_are_known_by_what_close_ups_and_colours_say_of_them() -> None:
    seen = SCENES[0]
    things = [as_found(seen[0], [1, UNCLEAR]), as_found(seen[1], [NOTHING, 0])]
    dice = torch.Generator().manual_seed(0)
    readings = [replace(as_read(one), features_KE=torch.randn(2, 128, generator=dice)) for one in things]
    for number, one in enumerate(things):
        one.seen.colours_KC[:] = number + np.array([[0.25], [0.5]])
    known = Individuals.of([seen], things, readings, staged=1)
    expected_ME = torch.stack([readings[0].features_KE[0], readings[1].features_KE[1]])
    assert torch.equal(known.features_ME, expected_ME)
    assert known.colours_MC[:, 0].tolist() == [0.25, 1.5]
    assert known.name_M.tolist() == [BOX, CUP]


def test_scenes_and_clips_follow_each_other_in_one_list() -> None:
    """Everything found and read is told in the order of the places."""
    clip = [glance((CUP, LEFT)), glance((CUP, moved(LEFT, 0.01)))]
    places = [SCENES[0], clip]
    known = individuals_of(places, [as_found(seen) for place in places for seen in place], staged=1)
    assert known.place_M.tolist() == [0] * 4 + [1] * 2
    assert known.who_M.tolist() == [0, 1, 0, 1, 2, 2]
    assert known.look_M.tolist() == [0, 0, 0, 0, 0, 1]
    assert known.spans() == ([range(4)], [range(4, 6)])


def test_what_stays_in_its_place_in_a_clip_is_one() -> None:
    clip = [
        glance((CUP, LEFT), (CUP, RIGHT)),
        glance((CUP, moved(LEFT, 0.02)), (BOX, RIGHT)),  # something else is there now
        glance((CUP, moved(LEFT, 0.3))),  # or the same one, which went far
    ]
    known = individuals_of([clip], [as_found(seen) for seen in clip], staged=0)
    assert known.who_M.tolist() == [0, 1, 0, 2, 3]
    assert known.look_M.tolist() == [0, 0, 1, 1, 2]


def test_two_boxes_in_the_place_of_one_are_not_both_it() -> None:
    clip = [glance((CUP, LEFT)), glance((CUP, moved(LEFT, 0.01)), (CUP, moved(LEFT, 0.03)))]
    known = individuals_of([clip], [as_found(seen) for seen in clip], staged=0)
    assert known.who_M.tolist() == [0, 0, 1]


def test_of_a_clip_only_those_seen_together_are_surely_two() -> None:
    rows = torch.arange(8)
    same_BB, other_BB = individuals(looks=2, staged=0).compared(rows)
    # Rows are two looks at each of four: 0 and 1 in one clip, 2 and 3 in another.
    assert same_BB[0].tolist() == [False, True] + [False] * 6
    assert other_BB[0].tolist() == [False, False, True, False, True, True, True, True]
    assert torch.equal(other_BB, other_BB.T)
    same_BB, other_BB = individuals(looks=2).compared(rows)
    assert other_BB[0].tolist() == [False, False, True, True] + [False] * 4  # scenes: all others of one's own


def test_other_names_in_other_clips_teach_nothing() -> None:
    known = individuals(looks=2, staged=0)
    known.name_M[4:] = 1
    assert known.compared(torch.arange(8))[1][0].tolist() == [False, False, True] + [False] * 5


def test_of_a_long_clip_a_few_rows_are_drawn() -> None:
    torch.manual_seed(0)
    assert _few(range(5, 5 + FEW)) == list(range(5, 5 + FEW))
    few = _few(range(100, 100 + 3 * FEW))
    assert len(few) == len(set(few)) == FEW
    assert few == sorted(few)
    assert min(few) >= 100
