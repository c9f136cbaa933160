import pytest

from stamina_video.evaluation.extraction import official, stated_label, stated_last, strict, strict_answer
from stamina_video.evaluation.ovobench import Decision, Reply

LABELS = ("A", "B", "C", "D")


def decision(reply: Reply, truth: str) -> Decision:
    options = ("one", "two", "three", "four") if reply is Reply.CHOICE else ()
    return Decision(1, 0, "EPM", "a.mp4", 1.0, reply, truth, {}, options)


@pytest.mark.parametrize(
    ("reply", "truth", "response", "released", "parsed"),
    [
        (Reply.CHOICE, "B", "B", True, True),
        (Reply.CHOICE, "B", "B. two \n", True, True),
        (Reply.CHOICE, "B", "(B", True, True),
        (Reply.CHOICE, "B", "The answer is B.", True, True),
        (Reply.CHOICE, "B", "A, B", True, False),
        (Reply.CHOICE, "A", "All of them", True, False),
        (Reply.CHOICE, "A", "A man walks", True, False),
        (Reply.CHOICE, "B", "b", False, False),
        (Reply.CHOICE, "B", None, False, False),
        (Reply.CHOICE, "B", "", False, False),
        (Reply.CHOICE, "E", "E", True, False),
        (Reply.NUMBER, "3", "3 \n", True, True),
        (Reply.NUMBER, "3", "They jumped 3 times.", True, True),
        (Reply.NUMBER, "12", "1 of 2", True, False),
        (Reply.NUMBER, "25", "2.5", True, False),
        (Reply.NUMBER, "3", "three", False, False),
        (Reply.NUMBER, "3", "03", False, True),
        (Reply.NUMBER, "3", None, False, False),
        (Reply.YES_NO, "No", "N", True, True),
        (Reply.YES_NO, "No", "No.", True, True),
        (Reply.YES_NO, "No", "Not enough, Nothing seen", True, False),
        (Reply.YES_NO, "Yes", "yes", False, True),
        (Reply.YES_NO, "Yes", "Yes and No", True, False),
    ],
)
def test_released_and_strict_reading(
    reply: Reply, truth: str, response: str | None, released: bool, parsed: bool
) -> None:
    asked = decision(reply, truth)
    assert official(asked, response) is released
    assert strict(asked, response) is parsed


def test_two_different_answers_are_none() -> None:
    assert strict_answer(decision(Reply.CHOICE, "A"), "A. no; the answer is B") is None


@pytest.mark.parametrize(
    ("response", "label"),
    [("C", "C"), ("[D]", "D"), ("Option B: the mug", "B"), ("Answer: C", "C"), ("E", None), ("A cup", None)],
)
def test_a_label_must_stand_on_its_own(response: str, label: str | None) -> None:
    assert stated_label(response, LABELS) == label


@pytest.mark.parametrize(
    ("response", "label"),
    [
        ("B", "B"),
        ("<think>it is A. Answer: A</think>Answer: C", "C"),
        ("<answer> d </answer>", "D"),
        ("so it must be B.", "B"),
        ("<|begin_of_box|>C<|end_of_box|>", "C"),
        ("A, because it is near", "A"),
        ("I choose option B because of the wall here", "B"),
        ("It is (C) as seen from here", "C"),
        ("F", None),
        ("", None),
        ("Let us look at the options: 3m", None),
    ],
)
def test_spatial_answers_are_read_from_what_is_said_last(response: str, label: str | None) -> None:
    assert stated_last(response, LABELS) == label


def test_spatial_labels_follow_the_question() -> None:
    assert stated_last("G", tuple("ABCDEFG")) == "G"
