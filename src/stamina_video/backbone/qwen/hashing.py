"""A hash of gigabytes of weights that is cheap where they lie, and the same on every device."""

import hashlib

import torch
from torch import Tensor, nn

_BITS = {1: torch.uint8, 2: torch.int16, 4: torch.int32, 8: torch.int64}


def weights_hash(module: nn.Module) -> str:
    """Changes with every weight: each tensor counts by the sum and the exclusive or of its elements' bits.

    Both are whole numbers, so that no order of summation can change them. Half precision is widened first,
    so that a checkpoint has one hash whether it is loaded in bfloat16 or, without loss, in float32.
    """
    digest = hashlib.sha256()
    for name, tensor in sorted(module.state_dict().items()):
        digest.update(f"{name} {tuple(tensor.shape)} {_folded(tensor)}\n".encode())
    return digest.hexdigest()


def _folded(tensor: Tensor) -> tuple[int, int]:
    if tensor.is_floating_point() and tensor.element_size() < 4:
        tensor = tensor.float()
    bits = tensor.detach().contiguous().view(_BITS[tensor.element_size()])
    return int(bits.sum(dtype=torch.int64)), int(torch.hash_tensor(bits).view(torch.int64))
