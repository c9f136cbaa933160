"""Spreads weights, gradients and moments over processes with FSDP2, where `accelerate launch` asks for it.

Trajectories have different lengths, so processes make different numbers of passes, and must not wait for
each other in any of them. Weights are therefore gathered once a batch and kept until its end; gradients
stay whole until one backward pass that every process makes: two exchanges a batch, not two an observation.
"""

import os
from collections.abc import Iterator

from accelerate import Accelerator
from torch import nn
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.fsdp import FSDPModule, fully_shard
from torch.distributed.tensor import DTensor

from stamina_video.backbone.decoder import Block
from stamina_video.training.trainee import Trainee


def shard(trainee: Trainee, accelerator: Accelerator) -> bool:
    """In place, before the optimiser is made: parameters become shards of themselves. Whether it did."""
    if accelerator.num_processes == 1 or os.environ.get("ACCELERATE_USE_FSDP", "").lower() != "true":
        return False
    mesh = init_device_mesh(accelerator.device.type, (accelerator.num_processes,))
    for part in (*_blocks(trainee), trainee):
        fully_shard(part, mesh=mesh, reshard_after_forward=False)
    return True


def gather(trainee: Trainee) -> None:
    """Every process holds every weight, and keeps its gradients to itself."""
    for part in _sharded(trainee):
        part.set_requires_gradient_sync(False, recurse=False)
        part.set_reshard_after_backward(False, recurse=False)
        part.unshard()


def exchange(trainee: Trainee, accelerator: Accelerator) -> bool:
    """Average gradients over processes and let gathered weights go; False where nothing is sharded."""
    parts = list(_sharded(trainee))
    for part in parts:
        part.set_requires_gradient_sync(True, recurse=False)
        part.set_reshard_after_backward(True, recurse=False)
    if parts:
        accelerator.backward(trainee(None)["nothing"])
    return bool(parts)


def release(trainee: Trainee) -> None:
    for part in _sharded(trainee):
        part.reshard()


def make_whole(trainee: Trainee, is_main: bool) -> None:
    """At the end of a run, for saving: whole parameters on the main process, tied ones still tied."""
    whole: dict[int, nn.Parameter] = {}
    for part in trainee.modules():
        for name, parameter in list(part.named_parameters(recurse=False)):
            if isinstance(parameter, DTensor):
                if id(parameter) not in whole:
                    values = parameter.full_tensor().detach().cpu()  # all processes take part
                    whole[id(parameter)] = nn.Parameter(values if is_main else values.new_empty(0))
                if is_main:
                    part.register_parameter(name, whole[id(parameter)])


def _blocks(trainee: Trainee) -> list[nn.Module]:
    """The decoder's blocks, which are most of it; Qwen3-VL's is known by name, for it is an extra."""
    return [
        part
        for part in trainee.modules()
        if isinstance(part, Block) or type(part).__name__ == "Qwen3VLTextDecoderLayer"
    ]


def _sharded(trainee: Trainee) -> Iterator[FSDPModule]:
    return (part for part in trainee.modules() if isinstance(part, FSDPModule))
