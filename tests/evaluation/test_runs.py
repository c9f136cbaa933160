from pathlib import Path

import pytest

from stamina_video.evaluation.runs import Pairs, read_runs
from stamina_video.evaluation.trajectories import Birth, Mark, Trajectory
from stamina_video.semantics import InvalidInput

TRUTH = {
    ("a.mp4", "jumps"): Trajectory("a.mp4 jumps", "a.mp4", "s", (4.0, 9.0), (1, 2), completions=(Mark(2.0),)),
    ("b.mp4", "cats"): Trajectory("b.mp4 cats", "b.mp4", "s", (9.0,), (1,)),
}


def read(tmp_path: Path, *texts: str) -> tuple[Pairs, list[str]]:
    paths = []
    for index, text in enumerate(texts):
        paths.append(tmp_path / f"run{index}.csv")
        paths[-1].write_text(text)
    return read_runs(paths, TRUTH)


def test_events_are_commits_and_counts(tmp_path: Path) -> None:
    ((_, run), _), _ = read(tmp_path, "video,target,time,event\na.mp4,Jumps,5,jump\na.mp4,jumps,2.5,jump\n")
    assert run.commits == (Mark(2.5), Mark(5.0))
    assert run.hard == (1.0, 2.0)


def test_a_running_count_commits_where_it_rises(tmp_path: Path) -> None:
    text = "video,target,time,count,soft\na.mp4,jumps,1,0,0.2\na.mp4,jumps,3,2,1.7\na.mp4,jumps,6,1,1.1\n"
    ((_, run), _), _ = read(tmp_path, text)
    assert run.commits == (Mark(3.0), Mark(3.0))
    assert run.hard == (2.0, 1.0)  # a counter that takes back what it said is read as it stood
    assert run.soft == (1.7, 1.1)


def test_tracker_rows_per_frame_accept_an_id_once(tmp_path: Path) -> None:
    text = "video,target,time,identity\nb.mp4,cats,1,7\nb.mp4,cats,2,7\nb.mp4,cats,3,9\n"
    (_, (_, run)), _ = read(tmp_path, text)
    assert run.hard == (2.0,)
    assert run.births is None


def test_a_matched_column_links_births_to_individuals(tmp_path: Path) -> None:
    text = "video,target,time,identity,matched\nb.mp4,cats,1,7,tom\nb.mp4,cats,3,9,\n"
    (_, (_, run)), _ = read(tmp_path, text)
    assert run.births == (Birth(1.0, "tom"), Birth(3.0, None))


def test_silence_is_a_run_without_commits_and_said_so(tmp_path: Path) -> None:
    pairs, notes = read(tmp_path, "video,target,time,event\na.mp4,jumps,5,x\n")
    assert pairs[1][1].hard == (0.0,)
    assert pairs[1][1].births == ()
    assert notes == ["seed 1 says nothing about b.mp4 cats: taken as no commits"]


def test_an_empty_table_is_a_counter_that_never_committed(tmp_path: Path) -> None:
    pairs, notes = read(tmp_path, "video,target,time,event\n")
    assert [run.commits for _, run in pairs] == [(), ()]
    assert len(notes) == 2


def test_seeds_are_files_or_a_column(tmp_path: Path) -> None:
    text = "video,target,time,event,seed\na.mp4,jumps,5,x,11\na.mp4,jumps,5,x,12\n"
    pairs, _ = read(tmp_path, text, "video,target,time,event\na.mp4,jumps,5,x\n")
    assert [run.seed for _, run in pairs] == ["1.11", "1.11", "1.12", "1.12", "2", "2"]


def test_the_only_target_of_a_video_need_not_be_named(tmp_path: Path) -> None:
    ((_, run), _), _ = read(tmp_path, "video,time,event\na.mp4,5,x\n")
    assert run.hard == (0.0, 1.0)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("video,target,time,event\nz.mp4,jumps,5,x\n", "run0.csv line 2: .* got 'z.mp4' and 'jumps'"),
        ("video,target,time,event\na.mp4,hops,5,x\n", "run0.csv line 2: .* got 'a.mp4' and 'hops'"),
        ("video,target,time,event,count\na.mp4,jumps,5,x,\na.mp4,jumps,6,,2\n", "got count and event"),
        ("video,target,time,count\na.mp4,jumps,5,many\n", "run0.csv line 2: expected a number as count"),
    ],
)
def test_a_row_that_does_not_fit_is_named(tmp_path: Path, text: str, complaint: str) -> None:
    with pytest.raises(InvalidInput, match=complaint):
        read(tmp_path, text)
