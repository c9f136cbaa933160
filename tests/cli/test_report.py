import json
from dataclasses import replace
from pathlib import Path

import pytest
import typer

from stamina_video.cli.report import report
from stamina_video.evaluation import write_result
from tests.cli.scenes import blob_video
from tests.evaluation.commands import run as run_command
from tests.evaluation.pages.made_up import questions, run
from tests.evaluation.pages.reading import Page

app = typer.Typer()
app.command()(report)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A run over two clips, one of which is still where the run found it."""
    (tmp_path / "clips").mkdir()
    blob_video(tmp_path / "clips" / "clip-0.mp4")
    made = run(questions(6, videos=2), "mine", 0.6)
    settings = dict(made.settings) | {"videos": str(tmp_path / "clips")}
    write_result(replace(made, settings=settings), tmp_path / "run" / "result.json")
    return tmp_path


def test_a_run_becomes_a_page_and_its_tables(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = folder / "page.html"
    assert run_command(app, str(folder / "run"), "--out", str(out)) == 0
    assert str(out) in capsys.readouterr().err
    page = Page(out.read_text())
    assert page.count("article") == 6
    assert page.count("img") > 0, "pictures come from where the run says its videos are"
    assert "measured" in out.with_suffix(".md").read_text()


def test_pictures_come_from_the_given_folder(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    out = tmp_path / "page.html"
    assert run_command(app, str(folder / "run"), "--out", str(out), "--videos", str(tmp_path / "empty")) == 0
    assert Page(out.read_text()).count("img") == 0


def test_videos_that_are_gone_are_no_error(folder: Path) -> None:
    path = folder / "run" / "result.json"
    document = json.loads(path.read_text())
    document["settings"]["videos"] = "/nowhere/at/all"
    path.write_text(json.dumps(document))
    assert run_command(app, str(path), "--out", str(folder / "page.html")) == 0


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("--out", "page.png"), "expected --out to end in .html"),
        (("--videos", "nowhere"), "expected a folder of videos, got 'nowhere'"),
    ],
)
def test_bad_input_is_refused_in_one_line(
    folder: Path, arguments: tuple[str, ...], complaint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_command(app, str(folder / "run"), *arguments) == 2
    assert complaint in capsys.readouterr().err
