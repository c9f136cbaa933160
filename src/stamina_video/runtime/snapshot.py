"""A stream's state in one file: safetensors with a JSON header. Written whole or not at all."""

import json
import math
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save_file

from stamina_video.backbone.contract import Snapshot
from stamina_video.runtime.model import Model
from stamina_video.runtime.state import StreamState
from stamina_video.semantics import InvalidInput, Target, UnreadableFile
from stamina_video.transitions import TargetState

VERSION = 1
OFTEN = 30  # observations from one snapshot to the next, where snapshots are small
BYTES_AN_OBSERVATION = 4_000_000  # written on average where they are large
_BACKBONE, _TARGET = "backbone.", "target.{}."


def due_after(written: int) -> int:
    """How many observations may pass before the next snapshot, after one of so many bytes."""
    return max(OFTEN, math.ceil(written / BYTES_AN_OBSERVATION))


def save_state(model: Model, state: StreamState, path: Path) -> int:
    """Write beside the destination, then rename: a crash leaves the older snapshot. Returns its bytes."""
    packed = model.backbone.pack(state.backbone)
    tensors = {_BACKBONE + name: tensor for name, tensor in packed.tensors.items()}
    for index, target in enumerate(state.targets):
        prefix = _TARGET.format(index)
        tensors |= {prefix + name: rows.detach().clone() for name, rows in target.to_tensors().items()}
    facts = {
        "version": VERSION,
        "model": model.fingerprint,
        "stream": state.stream,
        "observations": state.observations,
        "backbone": packed.facts,
        "targets": [target.metadata() for target in state.targets],
    }
    # safetensors refuses a file without tensors, and a state at its origin may have none.
    tensors["observations"] = torch.tensor(state.observations)
    draft = path.with_name(path.name + ".draft")
    save_file(tensors, draft, metadata={"state": json.dumps(facts)})
    draft.replace(path)
    return path.stat().st_size


def load_state(model: Model, path: Path) -> StreamState:
    """The state as it was saved, for the same model only."""
    with _opened(path) as file:
        facts: dict[str, Any] = json.loads(file.metadata()["state"])
        tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118  # not a mapping
    if facts["version"] != VERSION:
        raise InvalidInput(f"{path}: expected a snapshot of version {VERSION}, got {facts['version']}")
    if facts["model"] != model.fingerprint:
        raise InvalidInput(f"{path}: expected a snapshot of {model.fingerprint}, got one of {facts['model']}")
    backbone = model.backbone.unpack(Snapshot(_under(tensors, _BACKBONE), facts["backbone"]))
    targets = tuple(
        TargetState.from_tensors(_under(tensors, _TARGET.format(index)), metadata)
        for index, metadata in enumerate(facts["targets"])
    )
    return StreamState(facts["stream"], backbone, targets, facts["observations"])


def saved_targets(path: Path) -> tuple[Target, ...]:
    """The targets a snapshot was saved with, read without its tensors."""
    with _opened(path) as file:
        targets = json.loads(file.metadata()["state"])["targets"]
        return tuple(Target(known["description"], known["operator"], known["scope"]) for known in targets)


@contextmanager
def _opened(path: Path) -> Iterator[Any]:
    """The file, with one line for whatever is wrong with it."""
    try:
        with safe_open(path, framework="pt") as file:
            yield file
    except OSError as error:
        raise UnreadableFile(f"{path}: expected a snapshot, got {error.strerror or error}") from None
    except (SafetensorError, KeyError, TypeError, ValueError) as error:
        raise UnreadableFile(f"{path}: expected a snapshot, got {error}") from None


def _under(tensors: dict[str, torch.Tensor], prefix: str) -> dict[str, torch.Tensor]:
    return {name.removeprefix(prefix): rows for name, rows in tensors.items() if name.startswith(prefix)}
