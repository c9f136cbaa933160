from benchmarks.table import Row, markdown


def test_a_missed_bar_stands_out() -> None:
    rows = [Row("reads", "1.20", "≤ 1.5", True), Row("appends", "1.70", "≤ 1.5", False)]
    assert markdown(rows).splitlines() == [
        "| what | measured | bar | met |",
        "|---|---|---|---|",
        "| reads | 1.20 | ≤ 1.5 | yes |",
        "| appends | 1.70 | ≤ 1.5 | **no** |",
    ]


def test_a_table_ends_its_last_line() -> None:
    assert markdown([]).endswith("|\n")
