import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stamina_video.evaluation.svcbench import answer, mean_scores, score_questions
from stamina_video.semantics import InvalidInput, Operator, Question, read_questions
from tests.evaluation import reference
from tests.shared_data import SVCBENCH_QUERIES, needs


def question(operator: str, counts: tuple[int, ...], name: str = "q") -> Question:
    return Question(
        name, "a.mp4", "How many?", Operator.parse(operator), tuple(map(float, range(len(counts)))), counts
    )


def scores(operator: str, counts: tuple[int, ...], answers: tuple[float, ...]) -> dict[str, float]:
    found = score_questions([question(operator, counts)], [answers])
    return {name: float(values[0]) for name, values in found.named().items()}


def test_precision_is_a_gaussian_of_relative_width() -> None:
    assert scores("E1-Action", (100,), (105.0,))["gpa"] == pytest.approx(math.exp(-0.5))
    assert scores("E1-Action", (0,), (0.05,))["gpa"] == pytest.approx(math.exp(-0.5))
    assert scores("E1-Action", (1, 3), (1.0, 4.0))["gpa"] == pytest.approx(0.5, abs=1e-9)


def test_monotonicity_counts_up_to_the_first_fall() -> None:
    # The released scorer stops at the first violation; recovering afterwards earns nothing.
    assert scores("O2-Unique", (1, 2, 3, 4, 5), (1, 2, 1, 2, 3))["moc"] == 0.25
    assert scores("O2-Unique", (1, 2), (2, 1))["moc"] == 0.0
    assert scores("O2-Unique", (1, 2, 3), (1, 1, 1))["moc"] == 1.0


def test_direction_over_all_steps_and_over_changes() -> None:
    found = scores("E1-Action", (1, 1, 2, 3), (1, 2, 3, 3))
    assert found["uda"] == pytest.approx(1 / 3)
    assert found["uda_changes"] == pytest.approx(1 / 2)


def test_an_invalid_answer_scores_nothing_and_breaks_both_its_steps() -> None:
    found = scores("E1-Action", (1, 2, 3, 4), (1, 2, math.nan, 4))
    assert found == {
        "gpa": 0.75,
        "moc": pytest.approx(1 / 3),
        "uda": pytest.approx(1 / 3),
        "uda_changes": pytest.approx(1 / 3),
    }
    assert scores("E1-Action", (1, 2, 3), (math.nan, 2, 3))["moc"] == 0.0


@pytest.mark.parametrize(
    ("operator", "applicable"),
    [
        ("O1-Snap", {"gpa", "uda", "uda_changes"}),
        ("O1-Delta", {"gpa"}),
        ("O2-Gain", {"gpa"}),
        ("O2-Unique", {"gpa", "moc", "uda", "uda_changes"}),
        ("E2-Periodic", {"gpa", "moc", "uda", "uda_changes"}),
    ],
)
def test_metrics_apply_by_operator(operator: str, applicable: set[str]) -> None:
    found = scores(operator, (1, 2, 3), (1, 2, 3))
    assert {name for name, value in found.items() if not math.isnan(value)} == applicable


def test_one_query_point_has_no_trajectory_metric() -> None:
    found = scores("E1-Action", (1,), (1,))
    assert found["gpa"] == 1.0
    assert all(math.isnan(found[name]) for name in ("moc", "uda", "uda_changes"))


def test_no_true_change_leaves_only_the_change_metric_open() -> None:
    found = scores("E1-Action", (2, 2), (2, 2))
    assert found["uda"] == 1.0
    assert math.isnan(found["uda_changes"])


def test_a_question_without_query_points_is_refused() -> None:
    with pytest.raises(InvalidInput, match="got none in 'hollow'"):
        score_questions([question("E1-Action", (1,)), question("E1-Action", (), "hollow")], [(1.0,), ()])


@pytest.mark.parametrize("value", [None, "3", True, math.nan, math.inf, -1, [3], {}, 10**400])
def test_what_is_no_count_is_no_answer(value: object) -> None:
    assert math.isnan(answer(value, Operator.O2_UNIQUE))


def test_a_change_over_a_window_may_be_negative() -> None:
    assert answer(-1, Operator.O1_DELTA) == -1.0


def test_an_absurd_answer_scores_zero_without_a_warning() -> None:
    assert scores("E1-Action", (1, 2), (1e308, 1e308))["gpa"] == 0.0


ANSWERS = st.one_of(st.integers(0, 6).map(float), st.floats(0, 6), st.just(math.nan))


@st.composite
def runs(draw: st.DrawFn) -> tuple[list[Question], list[list[float]]]:
    questions, answers = [], []
    for index in range(draw(st.integers(1, 6))):
        counts = draw(st.lists(st.integers(0, 6), min_size=1, max_size=6))
        questions.append(question(draw(st.sampled_from(list(Operator))), tuple(counts), f"q{index}"))
        answers.append(draw(st.lists(ANSWERS, min_size=len(counts), max_size=len(counts))))
    return questions, answers


@given(runs())
def test_every_question_scores_as_a_plain_loop_says(run: tuple[list[Question], list[list[float]]]) -> None:
    questions, answers = run
    found = score_questions(questions, answers).named()
    for index, one in enumerate(questions):
        expected = reference.question_scores(one, answers[index])
        for name, value in expected.items():
            assert found[name][index] == pytest.approx(value, nan_ok=True), (one, name)


def test_seeds_are_averaged_question_by_question() -> None:
    questions = [question("E1-Action", (1, 2)), question("O1-Delta", (1,), "d")]
    seeds = [score_questions(questions, [(1, 2), (1,)]), score_questions(questions, [(1, 1), (0,)])]
    mean = mean_scores(seeds)
    assert mean.gpa_Q == pytest.approx([0.75, 0.5])
    assert mean.uda_Q[0] == 0.5
    assert np.isnan(mean.moc_Q[1])


@needs(SVCBENCH_QUERIES)
def test_zero_everywhere_is_the_papers_clear_row_and_truth_is_perfect() -> None:
    questions = read_questions(SVCBENCH_QUERIES)
    zero = score_questions(questions, [[0.0] * len(one.counts) for one in questions])
    truth = score_questions(questions, [list(map(float, one.counts)) for one in questions])
    assert round(100 * zero.gpa_Q.mean(), 1) == 6.1
    assert truth.gpa_Q.mean() == 1.0
    assert np.nanmean(truth.moc_Q) == np.nanmean(truth.uda_Q) == np.nanmean(truth.uda_changes_Q) == 1.0
