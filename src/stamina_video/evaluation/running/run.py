"""A run in a folder: done pass by pass, taken up where it was left, written out once nothing is missing."""

import json
import shutil
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from stamina_video.evaluation.controls import Control
from stamina_video.evaluation.results import Result
from stamina_video.evaluation.running.counter import Counter
from stamina_video.evaluation.running.outputs import written
from stamina_video.evaluation.running.parts import Parts
from stamina_video.evaluation.running.plan import Pass, Plan, planned, shard
from stamina_video.evaluation.running.watching import watch
from stamina_video.evaluation.scoring import SCORER
from stamina_video.semantics import InvalidInput, UnreadableFile, files, read_questions
from stamina_video.semantics.schedule import Access

FORMAT = "stamina-run/1"
SETTINGS, QUESTIONS, PARTS, WORK = "run.json", "questions.jsonl", "parts", "work"
# Where things lay and when; a run may be taken up from elsewhere, and later.
CIRCUMSTANCES = ("annotations", "videos", "started")


class Listener:
    """Told how a run gets on; does nothing about it unless it cares."""

    def began(self, one: Pass, done: int, of: int) -> None:
        """A pass begins; this many of this shard's are done."""

    def observed(self, time: float) -> None:
        """The pass has come this far in its video."""

    def ended(self, of: int) -> None:
        """All of this shard's passes are done."""


class Run:
    """A folder with the settings, the questions and a part per finished pass."""

    def __init__(self, folder: Path, settings: Mapping[str, Any]) -> None:
        self.folder = folder
        self.settings = settings
        self.parts = Parts(folder / PARTS)
        self.questions = read_questions(folder / QUESTIONS)
        self.passes = planned(self.questions, Access(settings["access"]))

    @classmethod
    def begin(
        cls, folder: Path, annotations: Path, videos: Path, counter: Counter, plan: Plan, seed: int
    ) -> "Run":
        """A new run, or the one this folder holds if every setting that moves a score is the same."""
        settings = _settings(annotations, videos, counter, plan, seed)
        planned(read_questions(annotations), plan.access)  # refuses what cannot be asked, before any work
        if (folder / SETTINGS).exists():
            check_same(cls.read(folder).settings, settings, folder)
        else:
            folder.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(annotations, folder / QUESTIONS)
            write_settings(folder, settings)
        return cls.read(folder)

    @classmethod
    def read(cls, folder: Path) -> "Run":
        path = folder / SETTINGS
        document = files.json_document(path)
        if not isinstance(document, dict) or document.get("format") != FORMAT:
            raise UnreadableFile(f"{path}: expected the settings of a run ({FORMAT}), got something else")
        return cls(folder, document)

    def work(
        self,
        counter: Counter,
        plan: Plan,
        videos: Path,
        rank: int = 0,
        world_size: int = 1,
        listener: Listener | None = None,
    ) -> None:
        """Do what is left of a shard; what is done stays done, whatever happens then."""
        listener = listener or Listener()
        mine = shard(self.passes, rank, world_size)
        places = {one.video: _file(videos, one.video) for one in mine}
        for done, one in enumerate(mine):
            listener.began(one, done, len(mine))
            if one not in self.parts:
                self._pass(counter, plan, one, places[one.video], listener)
        listener.ended(len(mine))

    @property
    def missing(self) -> list[Pass]:
        return [one for one in self.passes if one not in self.parts]

    def finish(self, control: Control | None = None) -> Result:
        """Score a whole run, under a control of its reads if one is given, and write everything out."""
        missing = self.missing
        if missing:
            raise InvalidInput(
                f"{self.folder}: expected all {len(self.passes)} passes of the run, "
                f"got {len(missing)} missing, the first over {missing[0].video!r}"
            )
        parts = [self.parts.read(one) for one in self.passes]
        return written(self.folder, self.questions, parts, self.settings, control)

    def _pass(self, counter: Counter, plan: Plan, one: Pass, path: Path, listener: Listener) -> None:
        work = self.folder / WORK
        work.mkdir(exist_ok=True)
        # A replay for one query is short; a stream may be hours, and goes on from its ledger.
        ledger = work / f"{one.key}.db" if plan.access is Access.STREAM else ":memory:"
        self.parts.write(one, watch(counter, plan, one, path, ledger, listener.observed))
        for left in work.glob(f"{one.key}.db*"):
            shutil.rmtree(left) if left.is_dir() else left.unlink()


def check_same(known: Mapping[str, Any], given: Mapping[str, Any], folder: Path) -> None:
    """Parts of one run are made under one set of settings."""
    for name in dict.fromkeys((*known, *given)):
        if name not in CIRCUMSTANCES and known.get(name) != given.get(name):
            raise InvalidInput(
                f"{folder}: expected {name} {known.get(name)!r}, as the run there was begun, "
                f"got {given.get(name)!r}; choose another folder"
            )


def write_settings(folder: Path, settings: Mapping[str, Any]) -> None:
    draft = folder / f"{SETTINGS}.draft"
    draft.write_text(json.dumps(settings, indent=1, allow_nan=False) + "\n", "utf-8")
    draft.replace(folder / SETTINGS)  # last: a folder with settings has its questions


def _settings(annotations: Path, videos: Path, counter: Counter, plan: Plan, seed: int) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "started": datetime.now(UTC).isoformat(timespec="seconds"),
        "annotations": str(annotations),
        "annotations_sha256": files.digest(annotations),
        "videos": str(videos),
        "model": counter.name,
        "model_hash": counter.fingerprint,
        **counter.settings,
        "access": plan.access.value,
        "fps": (plan.fps if plan.fps is not None else "auto") if plan.samples else None,
        "frames": None if plan.samples else plan.frames,
        "matched": plan.matched,
        "seed": seed,
        "scorer": SCORER,
        "unanswered": _unanswered(counter, annotations),
    }


def _unanswered(counter: Counter, annotations: Path) -> list[str]:
    asked = {question.operator for question in read_questions(annotations)}
    return sorted(asked - counter.answers)


def _file(videos: Path, name: str) -> Path:
    path = videos / name
    if not path.exists():
        raise UnreadableFile(f"{path}: expected the video of a question, got no such file")
    return path
