import pytest

from stamina_video.data.cycles import cropped, sped
from stamina_video.data.links import content_words, links_of
from stamina_video.data.trajectory import Media, PhaseMark, Provenance, Trajectory
from stamina_video.semantics import Role
from tests.data.making import cycling, edge, make, tracked


def linked(first: Trajectory, second: Trajectory) -> bool:
    return bool(set(links_of(first)) & set(links_of(second)))


@pytest.mark.parametrize(
    ("wording", "words"),
    [
        ("red mugs", {"mug"}),
        ("boxes that were closed", {"box", "closed"}),
        ("the people", {"person"}),
        ("cherries in glasses", {"cherry", "glass"}),
        ("red", {"red"}),
    ],
)
def test_a_wording_is_about_its_content_words(wording: str, words: set[str]) -> None:
    assert content_words(wording) == words


@pytest.mark.parametrize(
    "other",
    [
        make("b", "mugs", "O1-Snap", ()),
        make("b", "cups", points=(), aliases=("mugs",)),
        make("b", "cups", points=(), possible_aliases=("a mug",)),
        make("b", "large green mug", "O1-Snap", ()),
    ],
)
def test_wordings_of_one_thing_are_linked_across_operators(other: Trajectory) -> None:
    assert linked(make(), other)


def test_other_things_and_other_videos_are_not_linked() -> None:
    assert not linked(make(), make("b", "red boxes", points=()))
    assert not linked(make(), make("b", parent="garden"))


def test_an_individual_links_what_is_counted_of_it() -> None:
    moved = make("b", "things lifted", "E1-Action", (), entities=("mug 2",))
    assert linked(tracked(), moved)


def test_transformations_are_linked_to_their_source() -> None:
    squats = cycling([(1.0, 2.0), (3.0, 4.0)], 6.0)
    assert linked(squats, sped(squats, 2.0))
    assert linked(squats, sped(cropped(squats, 0.5, 5.0), 2.0))


def test_one_physical_event_under_two_names_is_one() -> None:
    def done(at: float, words: str, id_: str) -> Trajectory:
        marks = (PhaseMark("0", at, edge("E1-Action", Role.COMPLETE)),)
        return make(id_, words, "E1-Action", (), marks=marks)

    assert linked(done(3.0, "door shut", "a"), done(3.1, "entrance closing", "b"))
    assert linked(done(3.24, "door shut", "a"), done(3.26, "entrance closing", "b"))
    assert not linked(done(3.0, "door shut", "a"), done(4.0, "entrance closing", "b"))


def test_a_copy_is_known_by_its_content_and_by_its_ancestors() -> None:
    original = make(media=Media("kitchen.mp4", "ab"))
    assert linked(original, make("b", parent="copy", media=Media("copy.mp4", "ab")))
    crop = make("c", parent="crop", provenance=Provenance("test", "c", "spatial", ancestors=("kitchen",)))
    assert linked(original, crop)
