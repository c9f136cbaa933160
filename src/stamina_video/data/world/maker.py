"""Makes a folder of videos and questions: several at once, resumable, never half-written."""

import json
import multiprocessing
import signal
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from stamina_video.data.world.annotations import questions
from stamina_video.data.world.dice import Dice
from stamina_video.data.world.families import family_names, make_scene
from stamina_video.data.world.videos import LINES, write_video
from stamina_video.semantics import InvalidInput

_PLAN_STREAM = 1_000_037
FEWEST_LINES, MOST_LINES = 120, 1080
LINES_BEFORE = 240


@dataclass(frozen=True, slots=True)
class Recipe:
    """What a folder is made from. Two folders of one recipe are equal."""

    seed: int
    split: str = "train"
    seconds: float | None = None  # None: from 15 to 45, differently for each video
    lines: int = LINES


@dataclass(frozen=True, slots=True)
class Plan:
    """One video to be made."""

    folder: Path
    name: str
    family: str
    seed: int
    split: str
    seconds: float
    lines: int

    @property
    def video(self) -> Path:
        return self.folder / "videos" / f"{self.name}.mp4"

    @property
    def rows(self) -> Path:
        return self.folder / "questions" / f"{self.name}.jsonl"

    @property
    def done(self) -> bool:
        # The questions are written last, so they vouch for the video.
        return self.rows.exists() and self.video.exists()


def plans(recipe: Recipe, videos: int, folder: Path) -> list[Plan]:
    """The videos of a recipe. More videos begin with the same ones; families take turns."""
    if isinstance(videos, bool) or not isinstance(videos, int) or videos < 1:
        raise InvalidInput(f"expected at least one video, got {videos!r}")
    if recipe.seed < 0:
        raise InvalidInput(f"expected a whole seed from 0, got {recipe.seed!r}")
    if not FEWEST_LINES <= recipe.lines <= MOST_LINES or recipe.lines % 2:
        raise InvalidInput(
            f"expected an even number of lines from {FEWEST_LINES} to {MOST_LINES}, got {recipe.lines!r}"
        )
    names = family_names(recipe.split)
    made = []
    for number in range(videos):
        dice = Dice(recipe.seed, _PLAN_STREAM, number)
        family = names[number % len(names)]
        seconds = recipe.seconds if recipe.seconds is not None else float(dice.whole(15, 45))
        name = f"{family}-{recipe.split}-{recipe.seed}-{number:04d}"
        made.append(Plan(folder, name, family, dice.whole(0, 2**31 - 1), recipe.split, seconds, recipe.lines))
    return made


def make_world(recipe: Recipe, videos: int, folder: Path, workers: int = 1) -> Iterator[str]:
    """Make what is missing, yielding each finished video's name; the folder is valid after every one."""
    if workers < 1:
        raise InvalidInput(f"expected at least one worker, got {workers}")
    wanted = plans(recipe, videos, folder)
    make_scene(
        wanted[0].family, wanted[0].seed, recipe.split, wanted[0].seconds
    )  # refuses a bad recipe at once
    _claim(recipe, folder)
    missing = [plan for plan in wanted if not plan.done]
    _collect(wanted)
    if workers == 1:
        for plan in missing:
            name = _make(plan)
            _collect(wanted)
            yield name
        return
    # Workers ignore Ctrl-C: the parent ends them, so that only one process speaks.
    with multiprocessing.get_context("spawn").Pool(
        workers, signal.signal, (signal.SIGINT, signal.SIG_IGN)
    ) as pool:
        for name in pool.imap_unordered(_make, missing):
            _collect(wanted)
            yield name


def _claim(recipe: Recipe, folder: Path) -> None:
    """Remember the recipe of a folder, and refuse to mix two."""
    try:
        for part in ("videos", "questions"):
            (folder / part).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InvalidInput(f"{folder}: expected a folder to write to, got {error.strerror}") from None
    for leftover in [*folder.glob("videos/*.part"), *folder.glob("questions/*.part")]:
        leftover.unlink()
    record, mine = folder / "recipe.json", json.dumps(asdict(recipe))
    if record.exists() and not _is_same(record.read_text("utf-8"), recipe):
        raise InvalidInput(
            f"{folder}: expected an empty folder or one made by {mine}, got {record.read_text('utf-8')}"
        )
    _write(record, mine)


def _is_same(record: str, recipe: Recipe) -> bool:
    """Records of folders that were made before there was a choice of lines have none."""
    try:
        return Recipe(**{"lines": LINES_BEFORE} | json.loads(record)) == recipe
    except (ValueError, TypeError):
        return False


def _make(plan: Plan) -> str:
    scene = make_scene(plan.family, plan.seed, plan.split, plan.seconds)
    part = plan.video.with_suffix(".part")
    write_video(scene, part, plan.lines)
    part.rename(plan.video)
    rows = questions(scene, plan.video.name)
    _write(plan.rows, "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows))
    return plan.name


def _collect(wanted: list[Plan]) -> None:
    """One file with the questions of all finished videos, in the plan's order."""
    _write(
        wanted[0].folder / "annotations.jsonl",
        "".join(plan.rows.read_text("utf-8") for plan in wanted if plan.done),
    )


def _write(path: Path, text: str) -> None:
    part = path.with_name(path.name + ".part")
    part.write_text(text, "utf-8")
    part.replace(path)
