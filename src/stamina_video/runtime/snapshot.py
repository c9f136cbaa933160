"""A stream's state in one file: safetensors with a JSON header. Written whole or not at all."""

import json
import math
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save_file

from stamina_video.backbone.contract import Snapshot
from stamina_video.runtime.durable import put_in_place
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
    """Write beside the destination, then rename: a crash leaves the older one. Returns its bytes."""
    packed = model.backbone.pack(state.backbone)
    tensors = {_BACKBONE + name: tensor for name, tensor in packed.tensors.items()}
    return _write(path, tensors | _typed(state), _facts(model, state) | {"backbone": packed.facts})


def save_typed(model: Model, state: StreamState, path: Path) -> None:
    """What was decided, without the backbone's context: small, for `with_typed` to put on an older state."""
    _write(path, _typed(state), _facts(model, state))


def load_state(model: Model, path: Path) -> StreamState:
    """The state as it was saved, for the same model only."""
    facts, tensors = _read(model, path)
    backbone = model.backbone.unpack(Snapshot(_under(tensors, _BACKBONE), facts["backbone"]))
    return StreamState(facts["stream"], backbone, _targets(facts, tensors), facts["observations"])


def with_typed(model: Model, state: StreamState, path: Path) -> StreamState:
    """The same context with what was decided later, where `save_typed` left something later here."""
    if not path.exists():
        return state
    facts, tensors = _read(model, path)
    if facts["observations"] <= state.observations:
        return state
    return replace(state, targets=_targets(facts, tensors), observations=facts["observations"])


def saved_targets(path: Path) -> tuple[Target, ...]:
    """The targets a snapshot was saved with, read without its tensors."""
    with _opened(path) as file:
        targets = json.loads(file.metadata()["state"])["targets"]
        return tuple(Target(known["description"], known["operator"], known["scope"]) for known in targets)


def _typed(state: StreamState) -> dict[str, torch.Tensor]:
    tensors = {
        _TARGET.format(index) + name: rows.detach().clone()
        for index, target in enumerate(state.targets)
        for name, rows in target.to_tensors().items()
    }
    # safetensors refuses a file without tensors, and a state at its origin may have none.
    return tensors | {"observations": torch.tensor(state.observations)}


def _facts(model: Model, state: StreamState) -> dict[str, Any]:
    return {
        "version": VERSION,
        "model": model.fingerprint,
        "stream": state.stream,
        "observations": state.observations,
        "targets": [target.metadata() for target in state.targets],
    }


def _write(path: Path, tensors: dict[str, torch.Tensor], facts: dict[str, Any]) -> int:
    draft = path.with_name(path.name + ".draft")
    save_file(tensors, draft, metadata={"state": json.dumps(facts)})
    put_in_place(draft, path)
    return path.stat().st_size


def _read(model: Model, path: Path) -> tuple[dict[str, Any], dict[str, torch.Tensor]]:
    with _opened(path) as file:
        facts: dict[str, Any] = json.loads(file.metadata()["state"])
        tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118  # not a mapping
    if facts["version"] != VERSION:
        raise InvalidInput(f"{path}: expected a snapshot of version {VERSION}, got {facts['version']}")
    if facts["model"] != model.fingerprint:
        raise InvalidInput(f"{path}: expected a snapshot of {model.fingerprint}, got one of {facts['model']}")
    return facts, tensors


def _targets(facts: dict[str, Any], tensors: dict[str, torch.Tensor]) -> tuple[TargetState, ...]:
    return tuple(
        TargetState.from_tensors(_under(tensors, _TARGET.format(index)), metadata)
        for index, metadata in enumerate(facts["targets"])
    )


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
