from collections.abc import Sequence
from pathlib import Path

import pytest

from stamina_video.evaluation.published import EVENTS, IDENTITIES, OBJECTS, READOUT, SVCBENCH, TRANSFER
from stamina_video.evaluation.results import Result, Row
from stamina_video.evaluation.tables import Table, comparison_table, metric_name, percent
from stamina_video.semantics import InvalidInput
from tests.shared_data import SHARED, needs

PAPER = SHARED.parent / "paper.tex"


def result(benchmark: str, group: str, metric: str, averages: dict[str, tuple[str, ...]]) -> Result:
    rows = (Row("a", "v", group, {metric: (1.0, 1.0)}), Row("b", "v", group, {metric: (0.0, 2.0)}))
    metrics = ("gpa", "moc", "uda", "uda_changes") if benchmark == "svcbench" else ("official", "strict")
    return Result(benchmark, "mine", rows, metrics, averages, {"access": "stream"})


def cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip("|").split("|")]


def test_every_row_says_whether_it_was_published_or_measured() -> None:
    table = comparison_table([result("svcbench", "E1-Action", "gpa", {})]).markdown().splitlines()
    header, _, *rows = map(cells, table)
    assert header[:3] == ["Model", "Access", "Source"]
    assert [row[2] for row in rows] == ["published"] * len(SVCBENCH) + ["measured"]
    assert rows[-1] == [
        "mine",
        "Stream",
        "measured",
        "–",
        "–",
        "–",
        "–",
        "33.3",
        "–",
        "–",
        "–",
        "33.3",
        "–",
        "–",
    ]
    assert all(len(row) == len(header) for row in rows)


@pytest.mark.parametrize(
    ("benchmark", "group", "average", "column"),
    [("ovobench", "REC", "forward", "FA"), ("ovos", "1.1", "L1", "L1")],
)
def test_transfer_tables_have_two_decimals(benchmark: str, group: str, average: str, column: str) -> None:
    header, _, *rows = map(
        cells,
        comparison_table([result(benchmark, group, "official", {average: (group,)})]).markdown().splitlines(),
    )
    assert len(rows) == len(TRANSFER) + 1
    assert rows[-1][header.index(column)] == "33.33"


def test_percentages_round_only_for_display() -> None:
    assert percent(0.06110) == "6.1"
    assert percent(None) == "–"


def test_words_never_become_markdown() -> None:
    table = Table(("Model",), (("a|b <img> [x](y) `c` \\ &lt;\n\n# d",),), words=1, title="Here")
    title, _, header, marks, row = table.markdown().splitlines()
    assert (title, header, marks) == ("### Here", "| Model |", "| :-- |")
    assert row == r"| a\|b &lt;img> \[x](y) \`c\` \\ &amp;lt; # d |"


def test_metrics_are_headed_as_people_write_them() -> None:
    assert [metric_name(name) for name in ("gpa", "uda_changes", "new_precision")] == [
        "GPA",
        "UDA, changes",
        "new precision",
    ]


def _paper_rows(paper: Path) -> set[tuple[str, ...]]:
    rows = set()
    for line in paper.read_text().splitlines():
        parts = [part.strip() for part in line.removesuffix("\\bottomrule").removesuffix("\\\\").split("&")]
        rows.add((parts[0].replace(" (Ours, adapted)", "").replace(" (Ours)", ""), *parts[1:]))
    return rows


def _same(row: Sequence[str | float], written: tuple[str, ...]) -> bool:
    if len(row) != len(written):
        return False
    return all(
        cell == text if isinstance(cell, str) else text.replace(".", "").isdigit() and cell == float(text)
        for cell, text in zip(row, written, strict=True)
    )


@needs(PAPER)
def test_published_rows_are_the_papers() -> None:
    paper = _paper_rows(PAPER)
    for row in SVCBENCH:
        figures = (*row.by_operator, row.gpa, row.moc, row.uda)
        assert (row.model, row.access, *(f"{figure:.1f}" for figure in figures)) in paper, row.model
    for diagnostic in (*EVENTS, *OBJECTS, *IDENTITIES):
        assert any(_same(diagnostic, row) for row in paper), diagnostic
    for scores in READOUT.values():
        assert any(row[1:] == tuple(f"{score:.1f}" for score in scores) for row in paper), scores
    for transfer in TRANSFER:
        figures = (*transfer.ovobench, *transfer.ovos)
        assert (transfer.model, transfer.access, *(f"{figure:.2f}" for figure in figures)) in paper
        if transfer.ovobench_average is not None:
            averages = (transfer.ovobench_average, transfer.ovos_average)
            assert (transfer.model, transfer.access, *(f"{figure:.2f}" for figure in averages)) in paper


def test_a_result_without_a_table_is_refused() -> None:
    with pytest.raises(
        InvalidInput, match="expected results of svcbench, ovobench, ovos for a table, got diagnosis"
    ):
        comparison_table([Result("diagnosis", "mine", (), ())])
