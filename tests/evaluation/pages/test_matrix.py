from stamina_video.evaluation import compare_results, intervals
from stamina_video.evaluation.pages.matrix import contrast_matrix, drawn, figure_matrix, shown
from stamina_video.evaluation.results import OVERALL
from tests.evaluation.pages.made_up import questions, run


def test_rates_are_percentages_and_delays_are_not() -> None:
    assert shown(0.1234, "gpa") == "12.3"
    assert shown(0.1234, "gpa", "+") == "+12.3"
    assert shown(1.234, "delay") == "1.23"


def test_a_matrix_has_a_line_per_group_and_a_cell_per_metric() -> None:
    result = run(questions(16), "mine", 0.5)
    lines = figure_matrix(result, intervals(result, 50))
    assert [line.group for line in lines] == [OVERALL, *result.groups]
    assert [line.size for line in lines] == ["16", *["2"] * 8]
    snap = next(line for line in lines if line.group == "O1-Snap")
    assert [cell.value == "–" for cell in snap.cells] == [False, True, False, False]
    assert lines[0].cells[0].value == f"{100 * (result.figures()[OVERALL]['gpa'] or 0):.1f}"


def test_a_difference_is_coloured_only_where_its_interval_leaves_zero_out() -> None:
    asked = questions(40, videos=10)
    worse, right = run(asked, "worse", 0.7), run(asked, "right", 0.0)
    looks = {
        (a.name, b.name): contrast_matrix(a, compare_results(a, b, 200).contrasts)[0].cells[0].look
        for a, b in ((worse, right), (right, worse), (right, right))
    }
    assert looks == {("worse", "right"): "above", ("right", "worse"): "below", ("right", "right"): ""}


def test_an_interval_is_drawn_within_its_bounds() -> None:
    assert 'cx="4.0"' in drawn(-9, -5, 0, (0.0, 1.0))
    assert 'cx="106.0"' in drawn(0, 5, 9, (0.0, 1.0))
