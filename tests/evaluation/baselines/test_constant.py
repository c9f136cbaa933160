from stamina_video.evaluation.baselines import Constant, best_constants
from stamina_video.evaluation.baselines.constant import ConstantCounting
from stamina_video.evaluation.svcbench import score_questions
from stamina_video.semantics import Operator, Question, Target, read_questions
from tests.shared_data import SVCBENCH_QUERIES, needs


def asked(name: str, operator: Operator, *counts: int) -> Question:
    return Question(name, "a.mp4", "How many?", operator, tuple(map(float, range(len(counts)))), counts)


def test_the_best_constant_scores_at_least_as_well_as_any_other() -> None:
    questions = [
        asked("1", Operator.O1_SNAP, 3, 3, 7),
        asked("2", Operator.O1_SNAP, 3, 2),
        asked("3", Operator.E1_ACTION, 0, 0, 5),
    ]
    best = best_constants(questions)
    assert best == {Operator.O1_SNAP: 3, Operator.E1_ACTION: 0}
    for other in range(9):
        given = [[float(other)] * len(question.times) for question in questions]
        chosen = [[float(best[question.operator])] * len(question.times) for question in questions]
        gpa = score_questions(questions, given).gpa_Q
        assert (score_questions(questions, chosen).gpa_Q[:2].mean()) >= gpa[:2].mean()


def test_a_window_reads_the_constant_too() -> None:
    counting = ConstantCounting({Operator.O1_DELTA: 2})
    for operator, since in ((Operator.O1_DELTA, 1.0), (Operator.O1_SNAP, None)):
        wanted = 2 if since else 0
        assert counting.read(Target("cups", operator), 4.0, since).answer(operator) == wanted


def test_the_choice_on_the_truth_is_said() -> None:
    assert Constant("c", {Operator.O1_SNAP: 3}).settings == {
        "constants": {"O1-Snap": 3},
        "constants_chosen_on": "the true answers",
    }
    assert Constant().settings == {}


@needs(SVCBENCH_QUERIES)
def test_zero_gives_the_papers_cleared_row_on_svcbench() -> None:
    questions = read_questions(SVCBENCH_QUERIES)
    zero = score_questions(questions, [[0.0] * len(question.times) for question in questions])
    assert round(100 * zero.gpa_Q.mean(), 1) == 6.1
    best = best_constants(questions)
    given = [[float(best[question.operator])] * len(question.times) for question in questions]
    assert score_questions(questions, given).gpa_Q.mean() > zero.gpa_Q.mean()
