import pytest

from stamina_video import __version__
from stamina_video.cli import main


def leaves_with(*arguments: str) -> object:
    with pytest.raises(SystemExit) as left:
        main(arguments)
    return left.value.code


def test_help_lists_the_commands(capsys: pytest.CaptureFixture[str]) -> None:
    assert leaves_with() == 0
    without = capsys.readouterr().out
    assert leaves_with("--help") == 0
    assert capsys.readouterr().out.strip() == without.strip()
    for command in ("demo", "explain", "capacity", "ledger"):
        assert command in without


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert leaves_with("--version") == 0
    assert capsys.readouterr().out == f"stamina {__version__}\n"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["dance"], "No such command"),
        (["capacity"], "Missing option"),
        (["capacity", "--annotations", "x", "--fps", "fast"], "Invalid value for '--fps'"),
        (["capacity", "--speed", "3"], "No such option"),
        (["explain", "absent.db", "--target", "mugs"], "absent.db"),
    ],
)
def test_wrong_usage_is_one_line_and_exit_code_2(
    arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert leaves_with(*arguments) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("stamina: ")
    assert said in err
    assert err.count("\n") == 1


def test_trouble_with_files_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert leaves_with("demo", "--out", "/dev/null/demo") == 2
    err = capsys.readouterr().err
    assert err == "stamina: /dev/null/demo: expected to read or write it, got Not a directory\n"


def test_an_interrupt_ends_quietly(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(**_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("stamina_video.cli.app.app", interrupted)
    assert leaves_with("demo") == 130
    assert capsys.readouterr().err == "stamina: stopped\n"
