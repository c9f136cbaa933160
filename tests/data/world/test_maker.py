from collections.abc import Iterator
from pathlib import Path

import av
import pytest

from stamina_video.data.world import make_scene
from stamina_video.data.world.maker import Recipe, make_world, plans
from stamina_video.data.world.videos import FPS
from stamina_video.semantics import InvalidInput, read_questions

LINES = 240
RECIPE = Recipe(7, "train", 4.0, LINES)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("world")
    assert len(list(make_world(RECIPE, 2, made))) == 2
    return made


def test_the_folder_holds_playable_videos_and_their_questions(folder: Path) -> None:
    rows = read_questions(folder / "annotations.jsonl")
    assert {row.video for row in rows} == {path.name for path in (folder / "videos").iterdir()}
    for path in (folder / "videos").iterdir():
        with av.open(str(path)) as container:
            frames = list(container.decode(video=0))
        assert len(frames) == 4 * FPS
        assert frames[0].height == LINES
        assert [frame.time for frame in frames] == pytest.approx([k / FPS for k in range(4 * FPS)])


def test_the_pictures_survive_compression(folder: Path) -> None:
    plan = plans(RECIPE, 1, folder)[0]
    scene = make_scene(plan.family, plan.seed, plan.split, plan.seconds)
    with av.open(str(plan.video)) as container:
        frame = next(container.decode(video=0)).to_ndarray(format="rgb24")
    rendered = scene.frame(0.0, scene.size(LINES))
    assert abs(frame.astype(int) - rendered.astype(int)).mean() < 12


def test_what_is_there_is_kept_and_more_can_be_added(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = {path.name: path.stat().st_mtime_ns for path in (folder / "videos").iterdir()}
    assert list(make_world(RECIPE, 2, folder)) == []
    assert {path.name: path.stat().st_mtime_ns for path in (folder / "videos").iterdir()} == before
    assert [plan.name for plan in plans(RECIPE, 5, folder)][:2] == [
        plan.name for plan in plans(RECIPE, 2, folder)
    ]


def test_a_second_folder_of_the_recipe_is_equal(folder: Path, tmp_path: Path) -> None:
    list(make_world(RECIPE, 2, tmp_path, workers=2))
    for part in ("annotations.jsonl", "recipe.json"):
        assert (tmp_path / part).read_bytes() == (folder / part).read_bytes()
    for path in (folder / "videos").iterdir():
        assert (tmp_path / "videos" / path.name).read_bytes() == path.read_bytes()


def test_an_interruption_leaves_a_valid_folder(tmp_path: Path) -> None:
    making: Iterator[str] = make_world(RECIPE, 3, tmp_path)
    first = next(making)
    half = tmp_path / "videos" / "half.part"
    half.write_bytes(b"not a video")
    making.close()  # type: ignore[attr-defined]
    assert {row.video for row in read_questions(tmp_path / "annotations.jsonl")} == {f"{first}.mp4"}
    # The next run removes what was half-written and goes on.
    assert first not in list(make_world(RECIPE, 2, tmp_path))
    assert not half.exists()
    assert len({row.video for row in read_questions(tmp_path / "annotations.jsonl")}) == 2


def test_a_video_without_its_questions_is_made_again(folder: Path, tmp_path: Path) -> None:
    plan = plans(RECIPE, 1, tmp_path)[0]
    plan.video.parent.mkdir(parents=True)
    plan.video.write_bytes(b"cut off before its questions were written")
    assert list(make_world(RECIPE, 1, tmp_path)) == [plan.name]
    assert plan.video.read_bytes() == (folder / "videos" / plan.video.name).read_bytes()


@pytest.mark.parametrize(
    ("recipe", "videos", "workers", "message"),
    [
        (Recipe(7, "tests", 4.0), 1, 1, r"expected a split \(train, varied, unseen, assorted\), got 'tests'"),
        (Recipe(-7), 1, 1, "expected a whole seed from 0, got -7"),
        (RECIPE, 0, 1, "expected at least one video, got 0"),
        (RECIPE, 1, 0, "expected at least one worker, got 0"),
        (Recipe(7, "train", 0.5), 1, 1, "expected a duration from 4 s"),
    ],
)
def test_bad_input_is_refused_before_anything_is_written(
    recipe: Recipe, videos: int, workers: int, message: str, tmp_path: Path
) -> None:
    with pytest.raises(InvalidInput, match=message):
        list(make_world(recipe, videos, tmp_path / "out", workers))
    assert not (tmp_path / "out").exists()


def test_two_recipes_do_not_mix(folder: Path) -> None:
    with pytest.raises(InvalidInput, match=r"expected an empty folder or one made by .*\"seed\": 8"):
        list(make_world(Recipe(8, "train", 4.0), 1, folder))


def test_a_file_in_the_way_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(InvalidInput, match="file: expected a folder to write to"):
        list(make_world(RECIPE, 1, tmp_path / "file"))


def test_lengths_vary_unless_given() -> None:
    lengths = {plan.seconds for plan in plans(Recipe(7), 20, Path())}
    assert len(lengths) > 5
    assert 15 <= min(lengths) <= max(lengths) <= 45


def test_a_video_has_as_many_lines_as_wanted(tmp_path: Path) -> None:
    list(make_world(Recipe(7, "train", 4.0, lines=120), 1, tmp_path))
    (path,) = (tmp_path / "videos").iterdir()
    with av.open(str(path)) as container:
        assert next(container.decode(video=0)).height == 120


@pytest.mark.parametrize("lines", [0, 118, 241, 1082])
def test_lines_that_no_video_has_are_refused(tmp_path: Path, lines: int) -> None:
    with pytest.raises(InvalidInput, match=f"expected an even number of lines from 120 to 1080, got {lines}"):
        plans(Recipe(7, lines=lines), 1, tmp_path)


def test_a_video_has_480_lines_unless_told_otherwise(tmp_path: Path) -> None:
    assert Recipe(7) == Recipe(7, lines=480)
    assert {plan.lines for plan in plans(Recipe(7), 6, tmp_path)} == {480}


def test_a_folder_from_before_there_was_a_choice_of_lines_has_240(tmp_path: Path) -> None:
    (tmp_path / "recipe.json").write_text('{"seed": 7, "split": "train", "seconds": 4.0}')
    with pytest.raises(InvalidInput, match=r'expected an empty folder or one made by .*"lines": 480'):
        next(make_world(Recipe(7, "train", 4.0), 1, tmp_path))


def test_a_folder_from_before_there_was_a_choice_of_lines_goes_on(folder: Path, tmp_path: Path) -> None:
    record = tmp_path / "recipe.json"
    record.write_text('{"seed": 7, "split": "train", "seconds": 4.0}')
    making = make_world(RECIPE, 1, tmp_path)
    next(making)
    assert record.read_bytes() == (folder / "recipe.json").read_bytes()
    for other in ('{"seed": 7, "split": "train", "seconds": 4.0, "lines": 480}', "[]", "no recipe"):
        record.write_text(other)
        with pytest.raises(InvalidInput, match="expected an empty folder or one made by"):
            next(make_world(RECIPE, 1, tmp_path))
