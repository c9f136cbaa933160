import json
from pathlib import Path

from stamina_video.cli.experiments.page import Finding, Page
from stamina_video.evaluation.tables import Table

PAGE = Page(
    "mechanism",
    "Phase × objective",
    (Finding("It adds 14.4.", "It adds 3.0.", agrees=True), Finding("Up.", "Down.", agrees=False)),
    (Table(("Cell", "GPA"), (("On, Path", "65.1"),), words=1, title="Cells"),),
    {"seeds": 3, "betas": (0.9, 0.95), "predicates": {"inventory": "N >= 4"}},
    ("One | note.",),
)


def test_the_page_says_what_agrees_what_differs_and_with_which_settings() -> None:
    text = PAGE.markdown()
    assert text.startswith("# Phase × objective\n")
    assert "- **Agrees.** Paper: It adds 14.4. Here: It adds 3.0.\n" in text
    assert "- **Differs.** Paper: Up. Here: Down.\n" in text
    assert "| On, Path | 65.1 |" in text
    assert "- One \\| note.\n" in text
    assert "| betas | 0.9, 0.95 |" in text
    assert "| predicates | inventory N >= 4 |" in text


def test_both_files_are_written(tmp_path: Path) -> None:
    PAGE.write(tmp_path / "out")
    assert (tmp_path / "out" / "report.md").read_text("utf-8") == PAGE.markdown()
    document = json.loads((tmp_path / "out" / "report.json").read_text("utf-8"))
    assert document["experiment"] == "mechanism"
    assert [finding["agrees"] for finding in document["findings"]] == [True, False]
    assert document["tables"][0]["rows"] == [["On, Path", "65.1"]]
