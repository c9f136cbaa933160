import pytest

from stamina_video.semantics import InvalidInput, Measure, Metric, Operator


def test_there_are_eight() -> None:
    assert [str(operator) for operator in Operator] == [
        "O1-Snap",
        "O1-Delta",
        "O2-Unique",
        "O2-Gain",
        "E1-Action",
        "E1-Transit",
        "E2-Episode",
        "E2-Periodic",
    ]


@pytest.mark.parametrize(
    ("operator", "measure", "windowed", "cumulative", "metrics"),
    [
        ("O1-Snap", "visible", False, False, {"gpa", "uda"}),
        ("O1-Delta", "visible", True, False, {"gpa"}),
        ("O2-Unique", "unique", False, True, {"gpa", "moc", "uda"}),
        ("O2-Gain", "unique", True, False, {"gpa"}),
        ("E1-Action", "completed", False, True, {"gpa", "moc", "uda"}),
        ("E1-Transit", "completed", False, True, {"gpa", "moc", "uda"}),
        ("E2-Episode", "completed", False, True, {"gpa", "moc", "uda"}),
        ("E2-Periodic", "completed", False, True, {"gpa", "moc", "uda"}),
    ],
)
def test_what_each_needs(
    operator: str, measure: str, windowed: bool, cumulative: bool, metrics: set[str]
) -> None:
    it = Operator(operator)
    assert it.measure is Measure(measure)
    assert it.windowed is windowed
    assert it.cumulative is cumulative
    assert it.metrics == {Metric(metric) for metric in metrics}
    assert it.is_event == operator.startswith("E")


@pytest.mark.parametrize("spelling", ["O2-Unique", "o2-unique", " O2_UNIQUE ", "O2 Unique"])
def test_spelling_is_forgiven(spelling: str) -> None:
    assert Operator.parse(spelling) is Operator.O2_UNIQUE


@pytest.mark.parametrize("wrong", ["O3-Unique", "", "unique", 7, None])
def test_an_unknown_operator_is_refused_with_the_choices(wrong: str) -> None:
    with pytest.raises(InvalidInput, match=r"expected an operator \(O1-Snap, .*E2-Periodic\), got"):
        Operator.parse(wrong)
