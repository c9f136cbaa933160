import io

from rich.console import Console

from stamina_video.cli.board import Board
from stamina_video.cli.packing import TARGETS, packing_scene
from stamina_video.runtime import Session
from tests.cli.scenes import counting_model
from tests.runtime.tiny import observation


def test_the_count_stands_beside_the_truth() -> None:
    truth = packing_scene(4.0).truth
    console = Console(file=io.StringIO(), width=100)
    with Session(counting_model(), TARGETS) as session, Board(truth, TARGETS, console) as board:
        for index in range(3):
            seen = observation(index)
            board.observed(session, seen, session.observe(seen))
        counts = [session.count(target.description, seen.time, target.operator) for target in TARGETS]
    assert isinstance(console.file, io.StringIO)
    shown = console.file.getvalue()
    assert "1.0 of 4 s" in shown
    for target, count in zip(TARGETS, counts, strict=True):
        (line,) = [row for row in shown.splitlines() if f" {target.operator} " in row]
        cells = [cell.strip() for cell in line.split("│")[1:-1]]
        assert cells == [target.description, target.operator, str(count), str(truth.count(target, 1.0))]
    assert "s  mugs: entry +1" in shown, "what was just committed is named"


def test_what_is_said_is_shown_as_it_is_written() -> None:
    console = Console(file=io.StringIO(), width=100)
    with Board(packing_scene(4.0).truth, TARGETS, console) as board:
        board.said("a [bold]name[/bold]")
    assert isinstance(console.file, io.StringIO)
    assert "a [bold]name[/bold]" in console.file.getvalue()
