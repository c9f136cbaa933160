"""The delta recurrence as transformers ships it: its chunked torch code, or fla's kernels where they are."""

import torch
from torch import Tensor
from transformers.models.qwen3_5.modeling_qwen3_5 import torch_chunk_gated_delta_rule

from stamina_video.backbone.delta_rule import DeltaInputs, chunked_delta_rule


def released_delta_rule(inputs: DeltaInputs, state_BHDD: Tensor, chunk: int = 128) -> tuple[Tensor, Tensor]:
    """The paper's update is the released one with v = u, β = η, g = log γ and queries not scaled down.

    The released code keeps Aᵀ, puts heads after tokens, and knows one retention per head only.
    """
    if inputs.log_retention_BHLR.shape[-1] != 1:
        return chunked_delta_rule(inputs, state_BHDD, chunk)
    queries, keys, values, log_retention, write = (part.transpose(1, 2) for part in inputs)
    queries = queries * queries.shape[-1] ** 0.5
    if state_BHDD.device.type != "cpu":
        # The kernels take bfloat16 tokens and keep their state in float32.
        queries, keys, values = (part.to(torch.bfloat16) for part in (queries, keys, values))
    readouts_BLHD, state = torch_chunk_gated_delta_rule(
        queries,
        keys,
        values,
        g=log_retention.squeeze(-1),
        beta=write.squeeze(-1),
        chunk_size=min(chunk, keys.shape[1]),  # a short piece is not padded to a whole chunk
        initial_state=state_BHDD.mT,
        output_final_state=True,
    )
    return readouts_BLHD.transpose(1, 2).to(state_BHDD.dtype), state.mT
