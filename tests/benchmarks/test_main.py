"""The page of figures: parts that are measured anew replace their section, all others stay as they were."""

import importlib
import importlib.util
from pathlib import Path
from types import SimpleNamespace

import pytest

from benchmarks import __main__ as program
from benchmarks.table import Row


@pytest.fixture
def measured(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """No part is run: each says its own name, and the world misses its bar."""
    asked: list[str] = []

    def part(name: str) -> SimpleNamespace:
        asked.append(name)
        return SimpleNamespace(rows=lambda: [Row(f"figure of {name}", "3", "≤ 2", "world" not in name)])

    monkeypatch.setattr(program, "importlib", SimpleNamespace(import_module=part))
    return asked


def run(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> None:
    monkeypatch.setattr("sys.argv", ["benchmarks", *arguments])
    program.main()


def test_named_parts_replace_their_sections_alone(
    measured: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = tmp_path / "page.md"
    page.write_text("# Old words\n\n## Training\n\nkept\n\n## The ledger\n\nreplaced\n")
    run(monkeypatch, "data", "ledger", "--out", str(page))
    assert measured == ["benchmarks.data", "benchmarks.ledger"]
    text = page.read_text()
    assert text.startswith(program.HEADER)
    assert "\n## Training\n\nkept\n" in text
    assert "replaced" not in text
    assert "figure of benchmarks.ledger" in text


def test_sections_stand_in_the_order_of_the_page(
    measured: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = tmp_path / "page.md"
    for part in ("video", "ledger", "paths"):
        run(monkeypatch, part, "--out", str(page))
    headings = [line for line in page.read_text().splitlines() if line.startswith("## ")]
    assert headings == ["## The ledger", "## The path sum", "## Decoding and sampling"]


def test_measuring_again_changes_nothing_else(
    measured: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("os.getloadavg", lambda: (0.5, 0.5, 0.5))
    page = tmp_path / "page.md"
    run(monkeypatch, "ledger", "world", "--out", str(page))
    before = page.read_text()
    run(monkeypatch, "world", "--out", str(page))
    assert page.read_text() == before


def test_without_a_page_everything_is_printed(
    measured: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    run(monkeypatch)
    said = capsys.readouterr()
    assert measured == [f"benchmarks.{part}" for part in program.PARTS]
    assert all(f"## {heading}" in said.out for heading in program.PARTS.values())


def test_missed_bars_are_named_at_the_end(
    measured: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    run(monkeypatch, "world", "ledger")
    said = capsys.readouterr().err.splitlines()
    assert said[-1] == "below its bar: figure of benchmarks.world: 3 (bar ≤ 2)"
    assert sum("below its bar" in line for line in said) == 1


def test_unknown_parts_are_refused(
    measured: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        run(monkeypatch, "ledger", "lunch")
    assert "got lunch" in capsys.readouterr().err
    assert not measured


def test_every_part_is_a_module() -> None:
    assert all(importlib.util.find_spec(f"benchmarks.{part}") for part in program.PARTS)


def test_the_published_page_has_no_section_that_the_next_run_would_drop() -> None:
    page = Path(__file__).parents[2] / "docs" / "benchmarks.md"
    headings = [line.removeprefix("## ") for line in page.read_text().splitlines() if line.startswith("## ")]
    assert headings == [heading for heading in program.PARTS.values() if heading in headings]
