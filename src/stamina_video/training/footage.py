"""A simulated scene as training knows it: what the eyes saw, and what was true at every look.

A pair of files keeps it, so that the eyes look once whatever is trained on it.
"""

import json
import math
from dataclasses import asdict, dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from stamina_video.backbone.perception import Percept, load_percepts, save_percepts
from stamina_video.semantics import Edge, Phase, Role, Target, UnreadableFile

Box = tuple[float, float, float, float]  # left, top, right, bottom as fractions of the image


@dataclass(frozen=True, slots=True)
class Take:
    """Which scene, for how long, looked at how often."""

    family: str
    seed: int
    seconds: float
    fps: float
    split: str = "train"
    lines: int = 240  # rows of its pictures

    @property
    def name(self) -> str:
        return f"{self.family}-{self.split}-{self.seed}-{self.seconds:g}s-{self.fps:g}fps-{self.lines}"

    @property
    def times(self) -> tuple[float, ...]:
        return tuple(number / self.fps for number in range(math.ceil(self.seconds * self.fps)))


@dataclass(frozen=True, slots=True)
class Visible:
    """An entity that can be seen at one look."""

    entity: int
    box: Box


@dataclass(frozen=True, slots=True)
class Step:
    """A subject's legal change of phase."""

    subject: int
    time: float
    edge: Edge


@dataclass(frozen=True, slots=True)
class Aim:
    """A target of the scene and whom it concerns; for events, when they completed and by which steps."""

    target: Target
    entities: tuple[int, ...]
    completions: tuple[float, ...] = ()
    steps: tuple[Step, ...] = ()
    aliases: tuple[str, ...] = ()  # other words for the same


@dataclass(frozen=True, slots=True)
class Footage:
    take: Take
    aims: tuple[Aim, ...]
    visible: tuple[tuple[Visible, ...], ...]  # by look
    file: Path  # of the percepts

    def percepts(self) -> list[Percept]:
        return _percepts(self.file)


@lru_cache(maxsize=2)  # the stretches of one scene follow each other
def _percepts(path: Path) -> list[Percept]:
    return load_percepts(path)


def keep(footage: Footage, percepts: list[Percept]) -> None:
    """The description is written last and whole, so that it vouches for the percepts."""
    footage.file.parent.mkdir(parents=True, exist_ok=True)
    save_percepts(footage.file, percepts, half=True)
    document = {
        "aims": [_described(aim) for aim in footage.aims],
        "visible": [[asdict(one) for one in look] for look in footage.visible],
    }
    path = footage.file.with_suffix(".json")
    draft = path.with_name(f"{path.name}.part")
    draft.write_text(json.dumps(document), "utf-8")
    draft.replace(path)


def kept(take: Take, folder: Path) -> Footage | None:
    """What an earlier run filmed, if it did."""
    path = folder / f"{take.name}.json"
    if not path.exists():
        return None
    try:
        document = json.loads(path.read_text("utf-8"))
        visible = tuple(
            tuple(Visible(one["entity"], tuple(one["box"])) for one in look) for look in document["visible"]
        )
        aims = tuple(map(_aim, document["aims"]))
    except (ValueError, KeyError, TypeError) as error:
        raise UnreadableFile(f"{path}: expected the description of a scene, got {error!r}") from None
    return Footage(take, aims, visible, path.with_suffix(".safetensors"))


def _described(aim: Aim) -> dict[str, Any]:
    return {
        "description": aim.target.description,
        "operator": aim.target.operator.value,
        "scope": aim.target.scope.value,
        "entities": aim.entities,
        "completions": aim.completions,
        "steps": [asdict(step) for step in aim.steps],
        "aliases": aim.aliases,
    }


def _aim(document: dict[str, Any]) -> Aim:
    return Aim(
        Target(document["description"], document["operator"], document["scope"]),
        tuple(document["entities"]),
        tuple(document["completions"]),
        tuple(Step(step["subject"], step["time"], _edge(step["edge"])) for step in document["steps"]),
        tuple(document.get("aliases", ())),  # older footage has none
    )


def _edge(document: dict[str, str]) -> Edge:
    return Edge(Phase(document["source"]), Phase(document["target"]), Role(document["role"]))
