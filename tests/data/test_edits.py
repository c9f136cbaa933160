import pytest

from stamina_video.data.edits import edit_of, transformed
from stamina_video.data.trajectory import Mask, PhaseMark
from stamina_video.semantics import InvalidInput, Role
from tests.data.making import edge, make

MARKS = tuple(
    PhaseMark("0", at, edge("E2-Periodic", role))
    for at, role in ((1.0, Role.START), (2.0, Role.COMPLETE), (3.0, Role.START), (4.0, Role.COMPLETE))
)
SQUATS = make(
    "squats",
    "squats",
    "E2-Periodic",
    ((2.5, 1), (9.0, 2)),
    marks=MARKS,
    masks=frozenset({Mask.COUNT, Mask.BOUNDARY}),
)


@pytest.mark.parametrize(
    ("words", "completions"),
    [
        ("speed 2", (1.0, 2.0)),
        ("pause 2.5 3", (2.0, 7.0)),
        ("repeat 0 1", (2.0, 4.0, 6.0)),
        ("reverse", (7.0, 9.0)),
        ("crop 2.5 9", (1.5,)),
    ],
)
def test_an_edit_is_named_by_its_words(words: str, completions: tuple[float, ...]) -> None:
    assert edit_of(words)(SQUATS).completions == completions


@pytest.mark.parametrize("words", ["fly 3", "speed", "speed fast", "repeat 0.5 1", "reverse 2"])
def test_other_words_are_refused(words: str) -> None:
    with pytest.raises(InvalidInput, match=r"expected an edit .* got"):
        edit_of(words)


def test_what_is_not_legal_is_refused_by_id_and_the_rest_goes_on() -> None:
    result = transformed([SQUATS, make("mugs")], ["speed 2", "repeat 7 1"])
    assert [trajectory.id for trajectory in result.trajectories] == ["squats/speed-2"]
    assert [refusal.id for refusal in result.refused] == ["mugs", "squats", "mugs"]
    assert "expected one of 2 cycles" in result.refused[1].reason
