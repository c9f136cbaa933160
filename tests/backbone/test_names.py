import numpy as np
import pytest

from stamina_video.backbone import load_text_encoder
from stamina_video.backbone.names import LANDMARKS, NOTHING, SOMETHING, WORDS, Names
from tests.backbone.fakes import ToyText


@pytest.fixture(scope="module")
def names() -> Names:
    return Names(load_text_encoder())


def meant(names: Names, description: str) -> str:
    return names.columns[int(names.asked(description).argmax())]


def test_the_list_ends_with_something_and_nothing() -> None:
    names = Names(ToyText(), {"cup": ("mugs",), "dog": ()})
    assert names.columns == ("cup", "dog", SOMETHING, NOTHING)
    assert names.width == len(names.asked("mugs")) == 4


def test_landmarks_are_names_like_others_and_the_last_of_the_list() -> None:
    assert tuple(WORDS)[-len(LANDMARKS) :] == LANDMARKS
    assert Names(ToyText()).columns == (*WORDS, SOMETHING, NOTHING)


@pytest.mark.parametrize(
    ("description", "name"),
    [
        ("red mugs", "cup"),
        ("mugs", "cup"),
        ("drink bottles", "bottle"),
        ("cardboard boxes", "box"),
        ("sofas", "couch"),
        ("an orange", "orange"),
        ("door frames", "doorway"),
        ("scanner gates", "scanner"),
        ("shelf units", "shelf"),
        ("times a person has waved", "person"),
        ("push-ups", SOMETHING),
        ("tins", SOMETHING),
    ],
)
def test_people_call_things_by_many_words(names: Names, description: str, name: str) -> None:
    assert meant(names, description) == name


def test_shares_add_to_one_and_nobody_asks_for_nothing(names: Names) -> None:
    for description in ("red mugs", "wine bottles", "push-ups", "people who carry a box", "杯"):
        asked_N = names.asked(description)
        assert asked_N.sum() == pytest.approx(1, abs=1e-5)
        assert (asked_N >= 0).all()
        assert asked_N[-1] == 0


def test_the_words_of_the_list_are_known(names: Names) -> None:
    for name in ("cup", "potted plant", "hair drier", "box", *LANDMARKS):
        asked_N = names.asked(name)
        assert names.columns[int(asked_N.argmax())] == name
        assert asked_N.max() > 0.9


def test_what_is_told_in_the_columns_of_the_list_stays_as_it_is(names: Names) -> None:
    labels_KV = np.random.default_rng(0).random((3, names.width), np.float32)
    assert names.told(names.columns, labels_KV) is labels_KV


def test_classes_of_a_detector_go_to_the_columns_of_their_name(names: Names) -> None:
    told_KN = names.told(("bottle", "cup"), np.array([[0.6, 0.2], [0.0, 0.9]], np.float32))
    bottle, cup = names.columns.index("bottle"), names.columns.index("cup")
    assert told_KN.shape == (2, names.width)
    np.testing.assert_allclose(told_KN[:, [bottle, cup]], [[0.6, 0.2], [0.0, 0.9]])
    np.testing.assert_allclose(told_KN[:, -1], [0.4, 0.1], atol=1e-6)  # the less it says, the more is nothing
    assert np.count_nonzero(told_KN) == 5


def test_a_word_that_is_not_in_the_list_is_shared_out_by_meaning(names: Names) -> None:
    told_KN = names.told(("coffee mug", "gizmo"), np.array([[0.8, 0.0], [0.0, 0.8]], np.float32))
    assert [names.columns[place] for place in told_KN[:, :-1].argmax(1)] == ["cup", SOMETHING]
    np.testing.assert_allclose(told_KN[0, :-1], 0.8 * names.asked("coffee mug")[:-1], rtol=1e-5)


def test_a_detector_may_have_found_nothing(names: Names) -> None:
    assert names.told(("cup", "bottle"), np.zeros((0, 2), np.float32)).shape == (0, names.width)
    assert names.told((), np.zeros((0, 0), np.float32)).shape == (0, names.width)
