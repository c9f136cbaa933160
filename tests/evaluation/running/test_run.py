import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from stamina_video.evaluation import Control, read_predictions, read_result, read_runs, read_truth
from stamina_video.evaluation.running import ModelCounter, Plan, Run, merge
from stamina_video.evaluation.running.counter import Read
from stamina_video.evaluation.running.models import ModelCounting
from stamina_video.evaluation.scoring import score_document
from stamina_video.semantics import InvalidInput, Observation, Operator, UnreadableFile, read_questions
from stamina_video.semantics.schedule import Access
from stamina_video.video import Gap
from tests.cli.scenes import counting_model
from tests.evaluation.running.scenes import OneEachLook, data_set


@pytest.fixture
def data(tmp_path: Path) -> tuple[Path, Path]:
    return data_set(tmp_path)


def finished(data: tuple[Path, Path], out: Path, counter: OneEachLook | ModelCounter, plan: Plan) -> Run:
    annotations, videos = data
    run = Run.begin(out, annotations, videos, counter, plan, 0)
    run.work(counter, plan, videos)
    run.finish()
    return run


def answers(out: Path) -> dict[str, list[float]]:
    return {row.id: row.detail["answers"][0] for row in read_result(out).rows}


def test_a_stream_shows_every_video_once_and_reads_as_of_each_query(
    data: tuple[Path, Path], tmp_path: Path
) -> None:
    counter = OneEachLook()
    finished(data, tmp_path / "out", counter, Plan())
    assert counter.looks == [(video, n / 2) for video in ("a.mp4", "b.mp4") for n in range(8)]
    assert answers(tmp_path / "out") == {
        "u": [3, 7],  # looks at 0, 0.5 and 1 s; then every half second to 3 s
        "s": [7, 2],  # in the file's order, though it was read in order of time
        "g": [4],  # 1.5, 2, 2.5 and 3 s
        "d": [4, 4],
        "e": [3, 5, 8],
        "p": [5, 7],
    }


def test_full_starts_from_nothing_and_spreads_its_budget_over_the_prefix(
    data: tuple[Path, Path], tmp_path: Path
) -> None:
    counter = OneEachLook()
    finished(data, tmp_path / "out", counter, Plan(Access.FULL, frames=3))
    assert answers(tmp_path / "out")["e"] == [3, 3, 3]
    passes = read_result(tmp_path / "out").observed["b.mp4"]["passes"]
    assert passes[0] == {"until": 1.0, "times": [0.0, 0.5, 1.0]}
    assert passes[-1] == {"until": 3.8, "times": [0.0, 1.9, 3.8]}


@pytest.mark.parametrize("fps", [2.0, None])
def test_matched_full_replays_the_moments_of_stream(
    data: tuple[Path, Path], tmp_path: Path, fps: float | None
) -> None:
    model = counting_model().full_access  # with a window, Full would remember more than Stream does
    finished(data, tmp_path / "stream", ModelCounter(model), Plan(fps=fps))
    matched = Plan(Access.FULL, fps, matched=True)
    finished(data, tmp_path / "full", ModelCounter(model, Access.FULL), matched)
    stream, full = read_result(tmp_path / "stream"), read_result(tmp_path / "full")
    seen = stream.observed["a.mp4"]["passes"][0]["times"]
    for one in full.observed["a.mp4"]["passes"]:
        assert one["times"] == [time for time in seen if time <= one["until"]]
    # Nothing leaves either window: replay and persistence agree.
    assert answers(tmp_path / "stream") == answers(tmp_path / "full")
    assert any(any(row) for row in answers(tmp_path / "stream").values()), "it counts something"


def test_the_files_of_a_run_serve_the_other_commands(data: tuple[Path, Path], tmp_path: Path) -> None:
    out = tmp_path / "out"
    run = finished(data, out, OneEachLook(), Plan())
    given = read_predictions(out / "predictions.jsonl", run.questions)
    assert [list(row) for row in given.answers] == list(answers(out).values())
    assert given.starts == {"g": (3.0,), "d": (2.0, 4.0)}
    assert given.reads == {"d": {"change": (4.0, 4.0), "entries": (4.0, 4.0)}}
    pairs, notes = read_runs([out / "commits.csv"], read_truth(data[0]))
    assert notes == []
    assert {trajectory.id.split()[0]: run.hard[-1] for trajectory, run in pairs} == {"a.mp4": 7, "b.mp4": 7}
    assert len(list((out / "lmms-eval" / "looks").glob("*_samples_svcbench.jsonl"))) == 1
    assert not any((out / "work").iterdir())


def test_a_result_says_everything_that_moves_a_score(data: tuple[Path, Path], tmp_path: Path) -> None:
    finished(data, tmp_path / "out", OneEachLook(), Plan(fps=2.0))
    result = read_result(tmp_path / "out")
    wanted = {"model": "looks", "model_hash": "looks-1", "resize": "none", "access": "stream", "fps": 2.0}
    wanted |= {"seed": 0, "scorer": "svcbench-1", "matched": False}
    assert wanted.items() <= result.settings.items()
    assert result.observed["a.mp4"] == {
        "fps": 2.0,
        "passes": [{"until": 3.5, "times": [n / 2 for n in range(8)]}],
    }
    assert {"frame_times_sha256", "annotations_sha256"} <= result.settings.keys()
    document = score_document(result)
    assert set(document) == {"overall", "by_operator", "settings"}
    assert {"gpa", "moc", "uda", "uda_changes", "questions"} <= document["overall"].keys()
    assert set(document["by_operator"]["O1-Delta"]["gpa_by_read"]) == {"change", "entries"}


class Killed(BaseException):
    """As sudden as a signal."""


class Interrupted(ModelCounter):
    """A model whose process dies after some looks; `looks` counts those the session really took."""

    looks = 0
    dies_after = 10**9

    def begin(self, *arguments: Any) -> ModelCounting:
        counting = super().begin(*arguments)
        observe = counting.observe

        def counted(item: Observation | Gap) -> None:
            if type(self).looks >= type(self).dies_after:
                raise Killed
            state = counting._session.state
            before = 0 if state is None else state.observations
            observe(item)
            state = counting._session.state
            type(self).looks += state is not None and state.observations == before + 1 and before > 0

        counting.observe = counted  # type: ignore[method-assign]
        return counting


@pytest.mark.parametrize("access", [Access.STREAM, Access.FULL])
def test_a_killed_run_goes_on_and_ends_the_same(
    access: Access, data: tuple[Path, Path], tmp_path: Path
) -> None:
    annotations, videos = data
    plan = Plan(access, 4.0 if access is Access.STREAM else None, frames=3)
    whole = finished(data, tmp_path / "whole", ModelCounter(counting_model(), access), plan)
    counter = Interrupted(counting_model(), access)
    run = Run.begin(tmp_path / "out", annotations, videos, counter, plan, 0)
    for dies_after in (7, 9, 10**9):
        Interrupted.looks, Interrupted.dies_after = 0, dies_after
        try:
            Run.begin(tmp_path / "out", annotations, videos, counter, plan, 0).work(counter, plan, videos)
        except Killed:
            assert run.missing
    run.finish()
    for name in ("result.json", "predictions.jsonl", "commits.csv"):
        assert (run.folder / name).read_text() == (whole.folder / name).read_text()
    Interrupted.looks = 0
    run.work(counter, plan, videos)
    assert Interrupted.looks == 0, "nothing is done twice"


def test_shards_share_a_folder_or_are_merged(data: tuple[Path, Path], tmp_path: Path) -> None:
    annotations, videos = data
    whole = finished(data, tmp_path / "whole", OneEachLook(), Plan())
    looks = []
    for rank in range(2):
        counter = OneEachLook()
        for out in (tmp_path / "shared", tmp_path / f"shard{rank}"):
            run = Run.begin(out, annotations, videos, counter, Plan(), 0)
            run.work(counter, Plan(), videos, rank, 2)
        looks.append({video for video, _ in counter.looks})
        assert len(run.missing) == 1
    assert looks == [{"a.mp4"}, {"b.mp4"}]
    Run.read(tmp_path / "shared").finish()
    merge([tmp_path / "shard0", tmp_path / "shard1"], tmp_path / "merged").finish()
    for name in ("shared", "merged"):
        assert (tmp_path / name / "result.json").read_text() == (whole.folder / "result.json").read_text()


def test_a_folder_holds_one_run(data: tuple[Path, Path], tmp_path: Path) -> None:
    annotations, videos = data
    Run.begin(tmp_path / "out", annotations, videos, OneEachLook(), Plan(), 0)
    with pytest.raises(InvalidInput, match="expected fps 'auto', as the run there was begun, got 1"):
        Run.begin(tmp_path / "out", annotations, videos, OneEachLook(), Plan(fps=1.0), 0)
    other = OneEachLook()
    other.settings["resize"] = "half"
    with pytest.raises(InvalidInput, match="expected resize 'none'"):
        Run.begin(tmp_path / "out", annotations, videos, other, Plan(), 0)


def test_a_missing_video_is_named_before_any_work(data: tuple[Path, Path], tmp_path: Path) -> None:
    annotations, videos = data
    (videos / "b.mp4").unlink()
    counter = OneEachLook()
    run = Run.begin(tmp_path / "out", annotations, videos, counter, Plan(), 0)
    with pytest.raises(UnreadableFile, match=r"b\.mp4: expected the video of a question"):
        run.work(counter, Plan(), videos)
    assert counter.looks == []


def test_files_that_are_no_run_are_refused(tmp_path: Path) -> None:
    (tmp_path / "run.json").write_text("{}")
    with pytest.raises(UnreadableFile, match="expected the settings of a run"):
        Run.read(tmp_path)
    with pytest.raises(InvalidInput, match="expected at least one shard"):
        merge([], tmp_path)


def test_controls_read_a_finished_run(data: tuple[Path, Path], tmp_path: Path) -> None:
    out = tmp_path / "out"
    run = finished(data, out, OneEachLook(), Plan())

    def under(control: Control) -> dict[str, Sequence[float]]:
        return {row.id: row.detail["answers"][0] for row in run.finish(control).rows}

    assert all(not any(row) for row in under(Control.CLEAR).values())
    assert under(Control.DELAY)["e"] == [0, 3, 5]
    # p's donor is e, of the other video: none here, so the state is empty.
    assert under(Control.SWAP)["e"] == [0, 0, 0]
    assert read_result(out / "result-delay.json").settings["control"] == "delay"
    assert answers(out)["e"] == [3, 5, 8], "the run itself stays as it was"


def test_a_swap_in_stream_reads_the_donors_whole_state(tmp_path: Path) -> None:
    text = "How many times has the blob moved so far?"
    questions = [("e", "a.mp4", text, "E1-Action", [1.0], [0]), ("f", "b.mp4", text, "E1-Action", [3.0], [1])]
    data = data_set(tmp_path, questions)
    run = finished(data, tmp_path / "out", OneEachLook(), Plan())
    swapped = {row.id: row.detail["answers"][0] for row in run.finish(Control.SWAP).rows}
    assert swapped == {"e": [3], "f": [3]}  # b at 1 s; a was watched no further than 1 s


def test_questions_travel_with_the_run(data: tuple[Path, Path], tmp_path: Path) -> None:
    run = finished(data, tmp_path / "out", OneEachLook(), Plan())
    data[0].unlink()
    assert Run.read(run.folder).finish().name == "looks"
    assert len(read_questions(run.folder / "questions.jsonl")) == 6


def test_a_broken_part_is_named(data: tuple[Path, Path], tmp_path: Path) -> None:
    run = finished(data, tmp_path / "out", OneEachLook(), Plan())
    part = next((run.folder / "parts").glob("a.mp4-*.json"))
    part.write_text(json.dumps({"video": "a.mp4"}))
    with pytest.raises(UnreadableFile, match="expected a part of a run"):
        run.finish()


def test_reads_answer_as_their_operator_asks() -> None:
    read = Read(count=2, start=3, entries=4)
    operators = (Operator.O1_SNAP, Operator.O2_GAIN, Operator.O1_DELTA)
    assert [read.answer(operator) for operator in operators] == [2, -1, 4]
