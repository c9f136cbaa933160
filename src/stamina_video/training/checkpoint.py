"""A run's state in a folder: safetensors and JSON, no pickle. Written whole or not at all."""

import hashlib
import json
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file, save_file
from torch import Tensor
from torch.distributed.tensor import DTensor, distribute_tensor

from stamina_video.semantics import InvalidInput, UnreadableFile

VERSION = 1
PAGE, WEIGHTS, MOMENTS, CHANCE = "checkpoint.json", "weights.safetensors", "moments.safetensors", "chance"
_MOMENTS = ("exp_avg", "exp_avg_sq", "step")  # AdamW's names

Named = Mapping[str, Tensor]


@dataclass(frozen=True, slots=True)
class Position:
    """How far a run has come. Stage, rates and data order follow from the number of updates."""

    update: int
    run: dict[str, Any]  # recipe, seed, number of samples: what must be the same to go on


def save_checkpoint(
    folder: Path,
    kept: Named,
    optimiser: torch.optim.Optimizer,
    position: Position,
    is_main: bool = True,
) -> None:
    """All processes take part, for a sharded tensor is put together by all; one writes."""
    weights = {name: _whole(parameter) for name, parameter in kept.items()}
    moments = {
        f"{name}.{part}": _whole(optimiser.state[parameter][part])
        for name, parameter in kept.items()
        if parameter in optimiser.state
        for part in _MOMENTS
    }
    if not is_main:
        return
    draft = folder.with_name(folder.name + ".draft")
    shutil.rmtree(draft, ignore_errors=True)
    draft.mkdir(parents=True)
    save_file(weights, draft / WEIGHTS)
    save_file(moments | {CHANCE: torch.get_rng_state()}, draft / MOMENTS)
    page = {"version": VERSION, "model": shape_of(kept), "update": position.update, "run": position.run}
    (draft / PAGE).write_text(json.dumps(page, indent=2) + "\n", "utf-8")
    _replace(draft, folder)


def load_checkpoint(
    folder: Path, kept: Named, optimiser: torch.optim.Optimizer, run: Mapping[str, Any]
) -> int:
    """Puts weights, moments and chance back where they were; how many updates had been made."""
    page = read_page(folder)
    _check(folder, page, kept, run)
    try:
        weights, moments = (load_file(_latest(folder) / part) for part in (WEIGHTS, MOMENTS))
    except (OSError, SafetensorError) as error:
        raise UnreadableFile(f"{folder}: expected a whole checkpoint, got {error}") from None
    torch.set_rng_state(moments[CHANCE])
    with torch.no_grad():
        for name, parameter in kept.items():
            parameter.copy_(_like(weights[name], parameter))
            if f"{name}.step" in moments:
                optimiser.state[parameter] = {
                    "step": moments[f"{name}.step"],
                    **{part: _like(moments[f"{name}.{part}"], parameter) for part in _MOMENTS[:2]},
                }
    return int(page["update"])


def read_page(folder: Path) -> dict[str, Any]:
    path = _latest(folder) / PAGE
    try:
        page: dict[str, Any] = json.loads(path.read_text("utf-8"))
        version = int(page["version"])
    except OSError as error:
        raise UnreadableFile(f"{path}: expected a checkpoint to resume, got {error.strerror}") from None
    except (ValueError, TypeError, KeyError):
        raise UnreadableFile(f"{path}: expected a checkpoint's page, got another file") from None
    if version > VERSION:
        raise InvalidInput(
            f"{folder}: expected a checkpoint of version {VERSION} or older, got {version}: "
            "it was written by a later version of this software"
        )
    return page


def shape_of(kept: Named) -> str:
    """A short name of what is kept: changes with every parameter's name, size and type."""
    described = [f"{name} {tuple(one.shape)} {one.dtype}" for name, one in sorted(kept.items())]
    return hashlib.sha256("\n".join(described).encode()).hexdigest()[:16]


def _check(folder: Path, page: Mapping[str, Any], kept: Named, run: Mapping[str, Any]) -> None:
    if page["model"] != shape_of(kept):
        raise InvalidInput(
            f"{folder}: expected a checkpoint of this model ({shape_of(kept)}), "
            f"got one of another ({page['model']})"
        )
    for name, value in run.items():
        if page["run"].get(name) != value:
            raise InvalidInput(
                f"{folder}: expected a checkpoint of a run with {name} {value}, got {page['run'].get(name)}"
            )


def _replace(draft: Path, folder: Path) -> None:
    """A folder cannot be renamed over another: for a moment there are two, and either is whole."""
    old = folder.with_name(folder.name + ".old")
    shutil.rmtree(old, ignore_errors=True)
    if folder.exists():
        folder.rename(old)
    draft.rename(folder)
    shutil.rmtree(old, ignore_errors=True)


def _latest(folder: Path) -> Path:
    """The folder, or the one that was about to be replaced when the run was killed."""
    old = folder.with_name(folder.name + ".old")
    return old if old.exists() and not folder.exists() else folder


def _whole(tensor: Tensor) -> Tensor:
    whole = tensor.full_tensor() if isinstance(tensor, DTensor) else tensor
    return whole.detach().cpu().contiguous().clone()


def _like(whole: Tensor, parameter: Tensor) -> Tensor:
    """Spread over processes as the parameter is."""
    placed = whole.to(parameter.device)
    if not isinstance(parameter, DTensor):
        return placed
    spread: Tensor = distribute_tensor(placed, parameter.device_mesh, parameter.placements)
    return spread
