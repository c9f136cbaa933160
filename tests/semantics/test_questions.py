import pytest

from stamina_video.semantics import InvalidInput, read_question, read_questions
from tests.shared_data import SVCBENCH_QUERIES, SVCBENCH_QUESTIONS, needs


@pytest.mark.parametrize(
    ("question", "operator", "target", "window"),
    [
        ("How many pillows are visible at this moment?", "O1-Snap", "pillows", None),
        ("How many people are visible right now?", "O1-Snap", "people", None),
        ("How many plants have appeared in the past 4 seconds?", "O1-Delta", "plants", 4.0),
        ("How many cups have appeared in the past second?", "O1-Delta", "cups", 1.0),
        ("How many cups have appeared over the last 2 minutes?", "O1-Delta", "cups", 120.0),
        ("How many different red mugs have appeared so far?", "O2-Unique", "red mugs", None),
        (
            "How many chairs that have never appeared before have appeared in the past 3.0 seconds?",
            "O2-Gain",
            "chairs",
            3.0,
        ),
        ("How many hard cuts have occurred so far?", "E1-Transit", "hard cuts", None),
        ("How many squats have been completed so far?", "E2-Periodic", "squats", None),
        (
            "How many times has a mug been put down so far?",
            "E1-Action",
            "a mug been put down",
            None,
        ),
        ("How many visits have been completed so far?", "E2-Episode", "visits", None),
    ],
)
def test_a_question_is_read(question: str, operator: str, target: str, window: float | None) -> None:
    reading = read_question(question)
    assert (reading.operator, reading.target, reading.window) == (operator, target, window)


def test_wording_that_names_no_operator_is_a_guess() -> None:
    assert read_question("How many different red mugs have appeared so far?").certain
    assert not read_question("How many different animals have been shown so far?").certain


def test_an_annotated_operator_rules_over_the_wording() -> None:
    question = "How many times has the person jumped so far?"
    assert not read_question(question).certain
    assert read_question(question, "E2-Episode").operator == "E2-Episode"
    assert read_question(question, "E2-Episode").certain


@pytest.mark.parametrize(
    ("question", "operator", "said"),
    [
        ("", None, "expected a question in words"),
        ("How many so far?", None, "expected a question that says what to count"),
        ("How many mugs are visible right now?", "O1-Delta", "expected a window"),
        (
            "How many mugs have appeared in the past 4 seconds?",
            "O2-Unique",
            "expected no window for O2-Unique",
        ),
        ("How many mugs have appeared in the past 0 seconds?", None, "expected a window above zero"),
        ("How many mugs are visible?", "O9", "expected an operator"),
    ],
)
def test_what_cannot_be_read_is_refused(question: str, operator: str | None, said: str) -> None:
    with pytest.raises(InvalidInput, match=said):
        read_question(question, operator)


@needs(SVCBENCH_QUESTIONS)
def test_every_released_question_is_read_and_every_window_found() -> None:
    questions = read_questions(SVCBENCH_QUESTIONS)
    assert len(questions) == 1000
    readings = [question.read() for question in questions]
    assert all(reading.target for reading in readings)
    assert sum(reading.window is not None for reading in readings) == 176
    for question, reading in zip(questions, readings, strict=True):
        assert (reading.window is not None) == question.operator.windowed


@needs(SVCBENCH_QUERIES)
def test_object_wording_names_its_operator() -> None:
    for question in read_questions(SVCBENCH_QUERIES):
        if not question.operator.is_event:
            reading = read_question(question.text)
            assert (reading.operator, reading.certain) == (question.operator, True)
