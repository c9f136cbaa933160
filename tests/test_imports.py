"""The import table of docs/architecture.md is the contract that `make check` runs, neither more nor less."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
TABLE_ROW = re.compile(r"^\| `(\w+)` \| .+ \| (.+) \|$", re.MULTILINE)


def table() -> dict[str, set[str]]:
    page = (ROOT / "docs" / "architecture.md").read_text()
    return {name: set(re.findall(r"\w+", allowed)) for name, allowed in TABLE_ROW.findall(page)}


TABLE = table()


def planted(
    folder: Path, imports: dict[str, set[str]], extra: dict[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Lint a project of empty packages in which each package imports what it is given."""
    for package in TABLE:
        home = folder / "stamina_video" / package
        home.mkdir(parents=True)
        lines = [f"import stamina_video.{other}" for other in sorted(imports.get(package, set()))]
        lines.append((extra or {}).get(package, ""))
        (home / "__init__.py").write_text("\n".join(lines) + "\n")
    (folder / "stamina_video" / "__init__.py").touch()
    shutil.copy(ROOT / "pyproject.toml", folder)
    shutil.copytree(ROOT / "tools", folder / "tools")
    program = Path(sys.executable).with_name("lint-imports")
    return subprocess.run([program, "--no-cache"], cwd=folder, capture_output=True, text=True, check=False)


def test_the_table_lists_every_package() -> None:
    there = {path.parent.name for path in (ROOT / "src" / "stamina_video").glob("*/__init__.py")}
    assert there <= set(TABLE)
    assert TABLE["semantics"] == set()


def test_every_import_of_the_table_is_allowed(tmp_path: Path) -> None:
    result = planted(tmp_path, TABLE)
    assert result.returncode == 0, result.stdout


@pytest.mark.parametrize("package", sorted(TABLE))
def test_every_other_import_breaks_the_contract(package: str, tmp_path: Path) -> None:
    for other in sorted(set(TABLE) - TABLE[package] - {package}):
        result = planted(tmp_path / other, {package: {other}})
        assert result.returncode != 0, f"{package} could import {other}"
        assert f"stamina_video.{package} -> stamina_video.{other}" in result.stdout


def test_the_root_leads_everywhere_so_packages_may_not_import_it(tmp_path: Path) -> None:
    result = planted(tmp_path, {}, extra={"video": "from stamina_video import load"})
    assert result.returncode != 0
    assert "stamina_video.video -> stamina_video is not in the table" in result.stdout


def modules_after(statement: str) -> set[str]:
    script = f"import sys; {statement}; print(*sys.modules)"
    return set(
        subprocess.run(
            [sys.executable, "-c", script], capture_output=True, text=True, check=True
        ).stdout.split()
    )


def test_semantics_needs_the_standard_library_alone() -> None:
    fresh = modules_after("pass")
    loaded = {name.partition(".")[0] for name in modules_after("import stamina_video.semantics") - fresh}
    assert loaded <= set(sys.stdlib_module_names) | {"stamina_video"}


def test_the_command_line_starts_without_heavy_libraries() -> None:
    loaded = {name.partition(".")[0] for name in modules_after("import stamina_video.cli.app")}
    assert not loaded & {"torch", "matplotlib", "scipy", "polars", "pyarrow", "transformers", "numba"}


def test_the_ledger_needs_no_heavy_library() -> None:
    loaded = {name.partition(".")[0] for name in modules_after("import stamina_video.ledger")}
    assert not loaded & {"torch", "numpy", "pydantic", "psycopg", "pyarrow", "scipy"}
