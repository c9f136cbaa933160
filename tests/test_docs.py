"""Documentation is executed: every page's Python runs in order, every `$ stamina` line succeeds."""

import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer.main
from typer.core import TyperGroup

from stamina_video.cli import main
from stamina_video.cli.app import app

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("**/*.md"))]
BLOCK = re.compile(r"^```(\w+)(?: (\S+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks(page: Path) -> list[tuple[str, str, str]]:
    return [(kind, name, body) for kind, name, body in BLOCK.findall(page.read_text())]


def execute(page: Path) -> int:
    """Run a page in the current folder; how many blocks ran."""
    namespace: dict[str, object] = {"__name__": f"docs:{page.stem}"}
    ran = 0
    for kind, name, body in blocks(page):
        if kind == "python":
            exec(compile(body, str(page), "exec"), namespace)
        elif kind == "console":
            for line in body.splitlines():
                if line.startswith("$ "):
                    run(line.removeprefix("$ "))
        elif name:
            Path(name).write_text(body)
        ran += kind in ("python", "console")
    return ran


def run(command: str) -> None:
    program, *arguments = shlex.split(command)
    if program != "stamina":
        return  # make, git and pip are shown for reading
    with pytest.raises(SystemExit) as left:
        main(arguments)
    assert left.value.code == 0, f"{command} ended with exit code {left.value.code}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_page_does_what_it_says(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    execute(page)


@pytest.mark.parametrize(
    "lie", ["```python\nassert 1 == 2\n```\n", "```console\n$ stamina capacity --annotations nowhere\n```\n"]
)
def test_a_page_that_lies_is_caught(lie: str, tmp_path: Path) -> None:
    page = tmp_path / "wrong.md"
    page.write_text(lie)
    with pytest.raises(AssertionError):
        execute(page)


def test_the_main_pages_have_something_to_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert execute(ROOT / "README.md") >= 3
    assert execute(ROOT / "docs" / "semantics.md") >= 5


def commands(command: Any, path: str) -> Iterator[tuple[str, Any]]:
    if isinstance(command, TyperGroup):
        for name, child in command.commands.items():
            yield from commands(child, f"{path} {name}")
    else:
        yield path, command


COMMANDS = dict(commands(typer.main.get_command(app), "stamina"))


@pytest.mark.parametrize("path", COMMANDS)
def test_every_command_has_help_and_a_docs_entry(path: str) -> None:
    command = COMMANDS[path]
    assert command.help, f"{path} says nothing about itself"
    for parameter in command.params:
        said = getattr(parameter, "help", None)
        assert said, f"{path}: {parameter.name} has no help"
    assert f"## `{path}`" in (ROOT / "docs" / "commands.md").read_text(), f"{path} is not in docs/commands.md"


def test_docs_name_no_command_that_does_not_exist() -> None:
    headed = re.findall(r"^## `(stamina [^`]+)`$", (ROOT / "docs" / "commands.md").read_text(), re.MULTILINE)
    assert sorted(headed) == sorted(COMMANDS)


def test_links_between_pages_lead_somewhere() -> None:
    for page in PAGES:
        for link in re.findall(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)", page.read_text()):
            assert (page.parent / link).exists(), f"{page.name} links to {link}"
