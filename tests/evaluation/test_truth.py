import json
from pathlib import Path

import pytest

from stamina_video.evaluation.trajectories import Identity, Mark, Trajectory
from stamina_video.evaluation.truth import read_truth
from stamina_video.semantics import InvalidInput
from tests.shared_data import CLIPS, needs


def table(tmp_path: Path, text: str) -> dict[tuple[str, str], Trajectory]:
    path = tmp_path / "truth.csv"
    path.write_text(text)
    return read_truth(path)


def test_events_and_endpoints(tmp_path: Path) -> None:
    truth = table(
        tmp_path,
        "video,target,time,event,slot,count\n"
        "a.mp4,Jumps,2,jump,left,\n"
        "a.mp4,jumps,8,jump,right,\n"
        "a.mp4,jumps,5,,,1\n"
        "a.mp4,jumps,9.5,,,2\n",
    )
    (one,) = truth.values()
    assert list(truth) == [("a.mp4", "jumps")]
    assert one.completions == (Mark(2.0, "left"), Mark(8.0, "right"))
    assert (one.endpoints, one.counts) == ((5.0, 9.5), (1, 2))
    assert one.observed == tuple(map(float, range(10)))
    assert (one.parent, one.stratum) == ("a.mp4", "boundary supported")


def test_without_endpoints_five_are_spread(tmp_path: Path) -> None:
    (one,) = table(tmp_path, "video,target,time,event\na.mp4,jumps,10,x\n").values()
    assert one.endpoints == (2.0, 4.0, 6.0, 8.0, 10.0)
    assert one.counts == (0, 0, 0, 0, 1)


def test_identities_with_reentries(tmp_path: Path) -> None:
    (one,) = table(
        tmp_path,
        "video,target,time,identity,stratum,parent\n"
        "a.mp4,cats,7,tom,verified,film\na.mp4,cats,1,tom,verified,film\na.mp4,cats,3,kit,verified,film\n",
    ).values()
    assert one.identities == (Identity("tom", (1.0, 7.0)), Identity("kit", (3.0,)))
    assert (one.parent, one.stratum) == ("film", "verified")
    assert one.counts[-1] == 2


def test_a_target_that_never_completes_still_has_stable_intervals(tmp_path: Path) -> None:
    truth = table(
        tmp_path, "video,target,time,event,count\na.mp4,jumps,9,,0\nb.mp4,jumps,9,,3\nb.mp4,jumps,2,,1\n"
    )
    assert truth["a.mp4", "jumps"].completions == ()
    assert truth["b.mp4", "jumps"].completions is None  # counts without times: nothing is known to be stable


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "expected a CSV file with a header"),
        ("video,target,time,count\n", "expected at least one cumulative trajectory"),
        ("video,target,time,count\na,b,1,x\n", "line 2: expected a number as count, got 'x'"),
        ("video,target,time,count\na,b,1,-2\n", "line 2: expected a whole count from 0, got '-2'"),
        ("video,target,time,count\na,b,soon,2\n", "line 2: expected a time in seconds, got 'soon'"),
        ("video,target,time,count\na,b,-1,2\n", "line 2: expected a time from 0"),
        ("video,target,time,count\n,b,1,2\n", "line 2: expected a video"),
        ("video,target,time,count\na,b,1\n", "line 2: expected 4 cells, got 3"),
        ("video,target,time,time\na,b,1,1\n", "expected each column once"),
        (
            "video,target,time,event,count\na,b,1,x,2\n",
            "line 2: expected one of event, identity, count filled",
        ),
        ("video,target,time,event,identity\na,b,1,x,\na,b,2,,y\n", "expected events or identities"),
        (
            "video,target,time,event,count\na,b,1,x,\na,b,2,,2\n",
            "line 3: expected the count of the rows before 2 s, 1, got 2",
        ),
    ],
)
def test_a_row_that_does_not_fit_is_named(tmp_path: Path, text: str, complaint: str) -> None:
    with pytest.raises(InvalidInput, match=complaint):
        table(tmp_path, text)


QUESTION: dict[str, object] = {
    "id": "q",
    "video_path": "a.mp4",
    "question": "How many times has the man jumped so far?",
    "target": "jump",
    "counting_subtype": "E1-Action",
    "occurrence_times": [3, 1.5],
    "query_points": {"time": [4, 2], "count": [2, 1]},
}


def questions(tmp_path: Path, *rows: dict[str, object]) -> dict[tuple[str, str], Trajectory]:
    path = tmp_path / "truth.jsonl"
    path.write_text("\n".join(json.dumps(row) for row in rows))
    return read_truth(path)


def test_questions_with_occurrence_times_are_truth_too(tmp_path: Path) -> None:
    snap = QUESTION | {"id": "s", "counting_subtype": "O1-Snap", "question": "How many men are visible?"}
    unique = QUESTION | {"id": "u", "counting_subtype": "O2-Unique", "target": "man"}
    truth = questions(tmp_path, QUESTION, snap, unique)
    assert set(truth) == {("a.mp4", "jump"), ("a.mp4", "man")}
    assert truth["a.mp4", "jump"].completions == (Mark(1.5), Mark(3.0))
    assert truth["a.mp4", "jump"].endpoints == (2.0, 4.0)
    assert truth["a.mp4", "man"].completions is None


def test_spans_complete_at_their_end(tmp_path: Path) -> None:
    truth = questions(tmp_path, QUESTION | {"occurrence_times": {"start": [0, 2], "end": [1, 3.5]}})
    assert truth["a.mp4", "jump"].completions == (Mark(1.0), Mark(3.5))


def test_questions_that_cannot_be_told_apart_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="expected one cumulative question per video and target"):
        questions(tmp_path, QUESTION, QUESTION | {"id": "r", "counting_subtype": "E2-Episode"})


def test_occurrence_times_must_be_seconds(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="question 'q': expected occurrence times in seconds"):
        questions(tmp_path, QUESTION | {"occurrence_times": ["soon"]})


def test_the_rate_must_be_above_zero(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="expected a frame rate above zero, got 0"):
        read_truth(tmp_path / "truth.csv", 0)


@needs(CLIPS / "clips.jsonl")
def test_the_development_clips_are_readable_truth() -> None:
    truth = read_truth(CLIPS / "clips.jsonl")
    assert all(len(one.endpoints) for one in truth.values())
    assert any(one.completions for one in truth.values())
