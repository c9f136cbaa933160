import json
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from matplotlib.image import imread

from stamina_video.cli import main
from stamina_video.ledger import Ledger
from stamina_video.runtime import Session, replay
from stamina_video.semantics import InvalidInput, Observation, Target, ceiling, slots_of
from stamina_video.video import Video, open_video
from tests.cli.scenes import DURATION, blob_video, counting_model
from tests.video.clips import damage, make_clip
from tests.video.server import StreamServer

MODEL = counting_model()
UNIQUE = ("--target", "red blobs", "--operator", "O2-Unique")
SWING = ("--target", "swing", "--operator", "E2-Periodic")
DELTA = ("--target", "red blobs", "--operator", "O1-Delta")


@pytest.fixture(scope="module")
def clip(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return blob_video(tmp_path_factory.mktemp("count") / "table.mp4")


@pytest.fixture(autouse=True)
def tiny(monkeypatch: pytest.MonkeyPatch) -> None:
    def load(name: str) -> object:
        if name != "nano":
            raise InvalidInput(f"expected a shipped model, got {name!r}")
        return MODEL

    monkeypatch.setattr("stamina_video.runtime.load", load)


def leaves_with(*arguments: object) -> object:
    with pytest.raises(SystemExit) as left:
        main(["count", *map(str, arguments)])
    return left.value.code


def counted(capsys: pytest.CaptureFixture[str], *arguments: object) -> dict[str, Any]:
    assert leaves_with(*arguments, "--json") == 0
    document = json.loads(capsys.readouterr().out)
    assert isinstance(document, dict)
    return document


def session_of(clip: Path, fps: float, *targets: Target) -> Session:
    session = Session(MODEL, targets)
    for item in open_video(clip, fps):
        session.observe(item)
    return session


def test_several_targets_are_answered_as_a_session_would(
    clip: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    document = counted(capsys, clip, *UNIQUE, *SWING, "--at", 3, "--at", 1.25, "--fps", 4)
    targets = (Target("red blobs", "O2-Unique"), Target("swing", "E2-Periodic"))
    with session_of(clip, 4, *targets) as session:
        for row, target in zip(document["targets"], targets, strict=True):
            assert (row["target"], row["operator"]) == (target.description, target.operator)
            expected = [{"at": at, "count": session.count(target.description, at)} for at in (3.0, 1.25)]
            assert row["answers"] == expected
    assert document["video"] == str(clip)
    assert document["model"] == "tiny"
    assert document["fps"] == 4
    assert document["observations"] == 13, "nothing after the last --at is looked at"


def test_commits_carry_the_running_count_and_where_it_happened(
    clip: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (row,) = counted(capsys, clip, *UNIQUE)["targets"]
    assert row["commits"]
    running = 0
    for commit in row["commits"]:
        running += commit["delta"]
        assert commit["count"] == running
        assert commit["kind"] == "identity"
        assert len(commit["evidence"]["box"]) == 4
    assert row["answers"] == [{"at": DURATION, "count": running}]
    assert row["capacity"] is None


def test_a_table_says_what_was_counted(clip: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert leaves_with(clip, *UNIQUE, *DELTA, "--since", 1, "--fps", 2) == 0
    out, err = capsys.readouterr()
    for word in ("red blobs", "O2-Unique", "O1-Delta", "came", "Since"):
        assert word in out
    assert "observing 2 frames a second: as asked" in err
    assert "frames/s" in err


def test_o1_delta_gives_both_reads(clip: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (row,) = counted(capsys, clip, *DELTA, "--since", 1, "--at", 2, "--at", 3.5, "--fps", 4)["targets"]
    with session_of(clip, 4, Target("red blobs", "O1-Delta")) as session:
        assert row["answers"] == [
            {
                "at": at,
                "since": 1.0,
                "count": session.count("red blobs", at) - session.count("red blobs", 1.0),
                "entries": session.entries("red blobs", 1.0, at),
            }
            for at in (2.0, 3.5)
        ]


def test_since_applies_to_windowed_operators_alone(clip: Path, capsys: pytest.CaptureFixture[str]) -> None:
    unique, delta = counted(capsys, clip, *UNIQUE, *DELTA, "--since", 1, "--at", 2)["targets"]
    assert "since" not in unique["answers"][0]
    assert delta["answers"][0]["since"] == 1.0


def test_full_access_replays_each_query(clip: Path, capsys: pytest.CaptureFixture[str]) -> None:
    document = counted(capsys, clip, *UNIQUE, *SWING, "--at", 3, "--at", 1, "--access", "full", "--frames", 6)
    for row in document["targets"]:
        target = Target(row["target"], row["operator"])
        expected = [
            replay(MODEL, target, open_video(clip, frames=6, until=at), at).count for at in (3.0, 1.0)
        ]
        assert [answer["count"] for answer in row["answers"]] == expected
    assert document["observations"] == 6
    assert document["targets"][1]["capacity"] == 3


def test_both_ends_of_a_window_come_from_one_replay(clip: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = (*DELTA, "--since", 1, "--at", 3, "--access", "full", "--frames", 6)
    (row,) = counted(capsys, clip, *arguments)["targets"]
    prefix = open_video(clip, frames=6, until=3.0)
    answer = replay(MODEL, Target("red blobs", "O1-Delta"), prefix, 3.0, since=1.0)
    assert row["answers"][0]["count"] == answer.count


def test_capacity_is_the_ceiling_of_what_was_observed(clip: Path, capsys: pytest.CaptureFixture[str]) -> None:
    document = counted(capsys, clip, *SWING, "--target", "moved", "--operator", "E1-Action", "--fps", 2)
    for row in document["targets"]:
        target = Target(row["target"], row["operator"])
        assert row["capacity"] == ceiling(target.operator, document["observations"], slots_of(target))
        limited = row["answers"][-1]["count"] == row["capacity"]
        assert limited == any("looking more often may count more" in warning for warning in row["warnings"])
    (row,) = counted(capsys, clip, *SWING, "--at", 0)["targets"]
    assert row["capacity"] == 0
    assert row["warnings"] == [
        "capacity: 0 is all that 1 observation can count; looking more often may count more"
    ]


@pytest.mark.parametrize(
    ("operator", "rate"), [("O2-Unique", 2), ("E1-Action", 4), ("E2-Episode", 3), ("E2-Periodic", 6)]
)
def test_the_rate_follows_the_operator_and_says_why(
    operator: str, rate: int, clip: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert leaves_with(clip, "--target", "x", "--operator", operator, "--at", 0.3, "--json") == 0
    out, err = capsys.readouterr()
    assert json.loads(out)["fps"] == rate
    assert f"observing {rate} frames a second: {operator}" in err


def test_gaps_and_missing_timestamps_are_warnings(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    clip = damage(make_clip(tmp_path / "clip.mp4", options={"g": "5"}), 7)
    (row,) = counted(capsys, clip, *UNIQUE)["targets"]
    assert any(warning.startswith("gap from") and "damaged" in warning for warning in row["warnings"])
    raw = make_clip(tmp_path / "clip.h264")
    (row,) = counted(capsys, raw, *UNIQUE)["targets"]
    assert any("no timestamps" in warning for warning in row["warnings"])


def test_a_moment_beyond_the_end_is_a_warning(clip: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (row,) = counted(capsys, clip, *UNIQUE, "--at", 1, "--at", 99)["targets"]
    assert any("99 s is beyond the end of the video at 4 s" in warning for warning in row["warnings"])
    (whole,) = counted(capsys, clip, *UNIQUE)["targets"]
    assert row["answers"][1]["count"] == whole["answers"][0]["count"]


def test_a_ledger_keeps_the_commits_and_the_next_run_goes_on(
    clip: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "counts.db"
    counted(capsys, clip, *SWING, "--at", 2, "--ledger", path)
    resumed = counted(capsys, clip, *SWING, "--ledger", path)
    assert resumed["targets"] == counted(capsys, clip, *SWING)["targets"]
    with Ledger.open(path, readonly=True) as ledger:
        assert ledger.count("table.mp4", "swing") == resumed["targets"][0]["answers"][0]["count"]
        ledger.verify()


def test_a_late_target_is_counted_from_the_start(
    clip: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "counts.db"
    counted(capsys, clip, *SWING, "--fps", 4, "--at", 2, "--ledger", path)
    assert leaves_with(clip, *UNIQUE, *SWING, "--fps", 4, "--ledger", path, "--json") == 0
    out, err = capsys.readouterr()
    assert "'red blobs' is new to this ledger: 9 observations to replay for it" in err
    afresh = counted(capsys, clip, *UNIQUE, *SWING, "--fps", 4)
    assert json.loads(out)["targets"] == afresh["targets"]
    (only,) = counted(capsys, clip, *UNIQUE, "--fps", 4, "--ledger", path)["targets"]
    assert only == afresh["targets"][0], "a target that is not asked for is counted along"


def test_an_interrupt_while_catching_up_loses_nothing(
    clip: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "counts.db"
    first = counted(capsys, clip, *SWING, "--fps", 4, "--at", 1, "--ledger", path)
    advance = Session._stepped

    def interrupted(session: Session, state: Any, observation: Observation) -> Any:
        if observation.index == 2:
            raise KeyboardInterrupt
        return advance(session, state, observation)

    both = (clip, *UNIQUE, *SWING, "--fps", 4, "--at", 1, "--ledger", path, "--json")
    with monkeypatch.context() as patched:
        patched.setattr(Session, "_stepped", interrupted)
        assert leaves_with(*both) == 130
    late, early = json.loads(capsys.readouterr().out)["targets"]
    assert late["answers"] == []
    assert late["warnings"] == ["stopped before it was counted from the start"]
    assert early["answers"] == [{"at": 0.0, "count": 0}]
    assert leaves_with(*both) == 0
    assert json.loads(capsys.readouterr().out)["targets"][1]["commits"] == first["targets"][0]["commits"]


def test_a_ledger_of_another_rate_is_refused(
    clip: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "counts.db"
    counted(capsys, clip, *UNIQUE, "--fps", 4, "--ledger", path)
    assert leaves_with(clip, *UNIQUE, "--fps", 3, "--ledger", path) == 2
    assert "was it begun at another rate?" in capsys.readouterr().err.splitlines()[-1]


def interrupt() -> None:
    """As Ctrl-C would, also where the tests themselves run in the background and ignore it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        signal.raise_signal(signal.SIGINT)
    finally:
        signal.signal(signal.SIGINT, before)


def test_an_interrupt_keeps_what_was_counted(
    clip: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(video: Video) -> Iterator[Observation]:
        for item in whole(video):
            assert isinstance(item, Observation)
            if item.index == 9:
                interrupt()
            yield item

    whole, path = Video.__iter__, tmp_path / "counts.db"
    with monkeypatch.context() as patched:
        patched.setattr(Video, "__iter__", interrupted)
        asked = (clip, *SWING, "--at", 1, "--at", 3, "--ledger", path)
        assert leaves_with(*asked, "--plot", tmp_path / "p.png", "--json") == 130
    out, err = capsys.readouterr()
    document = json.loads(out)
    (row,) = document["targets"]
    assert document["interrupted"]
    assert document["observations"] == 9
    stopped = document["end"]
    assert 1 < stopped < 3
    with session_of(clip, 6, Target("swing", "E2-Periodic")) as session:
        assert row["answers"] == [{"at": at, "count": session.count("swing", at)} for at in (1.0, stopped)]
    assert any("3 s was not reached" in warning for warning in row["warnings"])
    assert "what was counted until then is kept" in err
    assert (tmp_path / "p.png").exists()
    with Ledger.open(path, readonly=True) as ledger:
        ledger.verify()
        assert ledger.count("table.mp4", "swing") == row["answers"][-1]["count"]
    resumed = counted(capsys, *asked)
    assert resumed["targets"] == counted(capsys, clip, *SWING, "--at", 1, "--at", 3)["targets"]


def test_a_plot_is_drawn(clip: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "counts.png"
    five = [word for number in range(5) for word in ("--target", f"blob {number}", "--operator", "E1-Action")]
    assert leaves_with(clip, *UNIQUE, *five, "--at", 2, "--fps", 2, "--plot", path) == 0
    picture = imread(path)
    assert picture.std() > 0.05, "the picture is not blank"
    assert sorted(file.name for file in tmp_path.iterdir()) == ["counts.png"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--target", "mugs", "--operator", "O9-Some"], "expected an operator"),
        (["--target", " ", "--operator", "O2-Unique"], "expected a target description"),
        (["--target", "mugs"], "Missing option '--operator'"),
        ([*UNIQUE, "--target", "cups"], "expected as many --operator as --target (2), got 1"),
        ([*UNIQUE, *SWING, "--scope", "global"], "expected no --scope or as many as --target (2), got 1"),
        ([*UNIQUE, "--scope", "galaxy"], "expected scope global or entity"),
        ([*UNIQUE, *UNIQUE], "expected targets that count different things"),
        ([*UNIQUE, "--at", "-1"], "expected --at in seconds, finite and not negative, got -1.0"),
        ([*UNIQUE, "--at", "nan"], "expected --at in seconds, finite and not negative, got nan"),
        ([*DELTA, "--at", "3"], "expected --since for O1-Delta"),
        ([*DELTA, "--since", "3", "--at", "2"], "expected --since no later than any --at, got 3 and 2"),
        ([*DELTA, "--since", "9"], "expected --since before the video's end at 4 s, got 9"),
        ([*DELTA, "--since", "-2"], "expected --since in seconds"),
        ([*UNIQUE, "--since", "1"], "expected --since only with O1-Delta and O2-Gain, got it with O2-Unique"),
        ([*SWING, "--since", "1"], "expected --since only with O1-Delta and O2-Gain"),
        ([*UNIQUE, "--fps", "fast"], "expected --fps auto or a number above zero, got 'fast'"),
        ([*UNIQUE, "--fps", "0"], "expected a frame rate above zero"),
        ([*UNIQUE, "--frames", "0"], "Invalid value for '--frames'"),
        ([*UNIQUE, "--access", "sideways"], "Invalid value for '--access'"),
        ([*UNIQUE, "--model", "mega"], "got 'mega'"),
        ([*UNIQUE, "--plot", "absent/p.png"], "expected a file that can be written for --plot"),
        ([*UNIQUE, "--plot", "p.docx"], "expected --plot to end in .png"),
        ([*UNIQUE, "--plot", "folder.png"], "expected a file for --plot, got the directory"),
        ([*UNIQUE, "--annotate", "absent/a.mp4"], "expected a file that can be written for --annotate"),
        ([*UNIQUE, "--annotate", "a.gif"], "expected --annotate to end in .mp4"),
        ([*UNIQUE, "--annotate", "table.mp4"], "expected different files for VIDEO and --annotate"),
        ([*UNIQUE, "--ledger", "absent/c.db"], "expected a file that can be written for --ledger"),
        ([*UNIQUE, "--ledger", "notes.txt"], "expected a ledger"),
        ([*UNIQUE, "--ledger", "table.mp4"], "expected a ledger"),
    ],
)
def test_bad_input_is_one_line_and_nothing_is_written(
    arguments: list[str],
    said: str,
    clip: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("notes.txt").write_text("no ledger")
    Path("folder.png").mkdir()
    Path("table.mp4").write_bytes(clip.read_bytes())
    assert leaves_with("table.mp4", *arguments) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("stamina: ")
    assert said in err
    assert err.count("\n") == 1
    assert sorted(path.name for path in tmp_path.iterdir()) == ["folder.png", "notes.txt", "table.mp4"]
    assert Path("table.mp4").read_bytes() == clip.read_bytes()


@pytest.mark.parametrize("access", ["stream", "full"])
def test_what_is_no_video_is_refused_before_anything_is_written(
    access: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "words.mp4").write_text("no video")
    outputs = ("--ledger", tmp_path / "c.db", "--plot", tmp_path / "p.png", "--access", access)
    for name in ("words.mp4", "absent.mp4"):
        assert leaves_with(tmp_path / name, *UNIQUE, *outputs) == 2
        out, err = capsys.readouterr()
        assert out == ""
        assert err.startswith("stamina: expected a video file")
        assert err.count("\n") == 1
    assert [path.name for path in tmp_path.iterdir()] == ["words.mp4"]


def test_a_live_stream_that_shows_nothing_begins_no_ledger(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    address = "http://someone:secret@127.0.0.1:9/live"
    assert leaves_with(address, *UNIQUE, "--ledger", tmp_path / "c.db") == 2
    err = capsys.readouterr().err
    assert "secret" not in err
    assert "expected a live video" in err.splitlines()[-1]
    assert list(tmp_path.iterdir()) == []
    assert leaves_with(address, *UNIQUE, "--annotate", tmp_path / "a.mp4") == 2
    assert "expected a file or a directory for --annotate" in capsys.readouterr().err


def test_a_live_stream_is_counted_without_naming_its_password(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = make_clip(tmp_path / "clip.ts").read_bytes()
    with StreamServer(data) as server:
        document = counted(capsys, server.address, *UNIQUE, "--fps", 2, "--at", 1)
    assert document["video"] == f"http://127.0.0.1:{server.port}/live.ts"
    assert document["observations"] == 3
    assert document["targets"][0]["answers"][0]["at"] == 1.0
