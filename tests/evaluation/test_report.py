from stamina_video.evaluation import Predictions, compare_results, score_runs
from stamina_video.evaluation.diagnosis import diagnose
from stamina_video.evaluation.report import report
from stamina_video.evaluation.trajectories import Mark, Run, Trajectory
from stamina_video.semantics import Operator, Question

QUESTIONS = [
    Question(f"q{index}", f"v{index}.mp4", "How many?", Operator.E1_ACTION, (1.0, 2.0), (1, 2))
    for index in range(4)
]
RIGHT = score_runs(QUESTIONS, [Predictions("a", ((1.0, 2.0),) * 4)], "right", {"access": "stream", "fps": 1})
HALF = score_runs(QUESTIONS, [Predictions("b", ((1.0, 0.0),) * 4)], "half", {"access": "stream", "fps": 1})


def test_a_page_holds_the_table_the_intervals_and_the_settings() -> None:
    page = report([RIGHT])
    assert page.startswith("# svcbench: right\n")
    assert "| right | Stream | measured |" in page
    assert "| overall | gpa | 1.0000 | 1.0000 to 1.0000 |" in page
    assert "| fps | 1 |" in page


def test_two_runs_are_set_against_each_other() -> None:
    page = report([HALF, RIGHT], compare_results(HALF, RIGHT, 100))
    assert "## right against half" in page
    assert "| overall | gpa | 0.5000 | 1.0000 | +0.5000 | +0.5000 to +0.5000 |" in page


def test_a_diagnosis_stands_beside_the_papers_diagnostics() -> None:
    trajectory = Trajectory("t", "p", "boundary supported", (4.0,), (1,), (0.0, 1.0), (Mark(2.0),))
    page = report([diagnose([(trajectory, Run("1", hard=(1,), commits=(Mark(3.0),)))], "mine")])
    assert "| paper, 8B | On, Path | published | 65.1 | 64.4 | 0.58 | 1.1 | 7.0 | 0.89 |" in page
    assert "| mine | boundary supported | measured | 100.0 | 100.0 | – | 0.0 | 0.0 | 1.00 |" in page
    assert "### Identities" not in page  # nothing was measured there


def test_a_controlled_run_stands_beside_the_papers_controls() -> None:
    cleared = score_runs(QUESTIONS, [Predictions("a", ((0.0, 0.0),) * 4)], "mine", {"control": "clear"})
    page = report([cleared])
    assert "| StaMina-8B | clear | published | 6.1 in Full, 6.1 in Stream |" in page
    assert "| mine | clear | measured | 0.0 |" in page


def test_nested_settings_are_written_in_words() -> None:
    settings = {"resize": {"height": 240, "pad": [1, 2]}, "name": "a|b"}
    page = report([score_runs(QUESTIONS, [Predictions("a", ((1.0, 2.0),) * 4)], "x <b>", settings)])
    assert "| resize | height: 240, pad: 1, 2 |" in page
    assert r"| name | a\|b |" in page
    assert page.startswith("# svcbench: x &lt;b>\n")


def test_a_setting_of_the_paper_is_readable() -> None:
    trajectory = Trajectory("t", "p", "count only", (4.0,), (1,), (0.0, 1.0))
    page = report([diagnose([(trajectory, Run("1", hard=(1,)))], "mine")])
    assert "λᵢ = 0" in page
    assert "$" not in page
