"""Whether a run fits into memory, found out before it starts: gradients, moments, the longest graph."""

from collections.abc import Sequence
from dataclasses import replace

import psutil
import torch
from torch import Tensor

from stamina_video.semantics import InvalidInput
from stamina_video.training.claims import observations
from stamina_video.training.parameters import Groups
from stamina_video.training.rollout import roll
from stamina_video.training.sample import Sample
from stamina_video.training.trainee import Trainee

PROBED = 4  # observations of the longest sample: enough to see what each adds
COPIES = 3  # of every trained parameter, beside itself: its gradient and AdamW's two moments


def check_memory(trainee: Trainee, learned: Groups, samples: Sequence[Sample]) -> None:
    """One trajectory's graph is kept at a time, so the longest decides; the batch's size does not."""
    longest = max(samples, key=observations)
    kept = sum(part.numel() * part.element_size() for part in learned.trained.values())
    graph = observations(longest) * graph_bytes(trainee, longest)
    needed, free = COPIES * kept + graph, available(next(trainee.parameters()).device)
    if needed > free:
        raise InvalidInput(
            f"expected {_gigabytes(needed)} of memory to train ({_gigabytes(COPIES * kept)} for gradients "
            f"and moments, {_gigabytes(graph)} for {observations(longest)} observations of {longest.id}), "
            f"got {_gigabytes(free)}: use shorter segments or a machine with more memory"
        )


def graph_bytes(trainee: Trainee, sample: Sample) -> int:
    """What an observation leaves for the backward pass, measured on the first few."""
    beginning = replace(sample, read=lambda: tuple(sample.read())[:PROBED])
    sizes: dict[int, int] = {}

    def count(tensor: Tensor) -> Tensor:
        storage = tensor.untyped_storage()
        sizes[storage.data_ptr()] = storage.nbytes()
        return tensor

    frozen = {part.untyped_storage().data_ptr() for part in trainee.parameters()}
    with torch.autograd.graph.saved_tensors_hooks(count, lambda tensor: tensor):
        rolled = roll(trainee.model, beginning)  # kept: freed memory would be counted twice
    saved = sum(size for place, size in sizes.items() if place not in frozen)
    return saved // max(1, len(rolled.observations))


def available(device: torch.device) -> int:
    if device.type == "cuda":
        free, _ = torch.cuda.mem_get_info(device)
        return free
    return int(psutil.virtual_memory().available)


def _gigabytes(size: int) -> str:
    return f"{size / 1e9:.1f} GB"
