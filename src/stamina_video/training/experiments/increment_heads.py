"""The "no FSM" control on frozen inputs: every slot counts whenever it is sure."""

from collections.abc import Sequence

import torch
from torch import Tensor
from torch.nn.functional import logsigmoid, pad

from stamina_video.training.experiments.batches import Batch, batch, batches
from stamina_video.training.experiments.event_heads import Optimisation, Told, steps, told
from stamina_video.training.experiments.tracks import Track
from stamina_video.transitions import HeadsConfig, LossTerms, LossWeights, combined, mean_loss
from stamina_video.transitions.increments import IncrementHead

# B tracks, T looks, M slots, E edges, J endpoints


def trained_increments(
    config: HeadsConfig, tracks: Sequence[Track], settings: Optimisation, seed: int
) -> IncrementHead:
    """Expected sums at the endpoints and verified looks; there are no paths to sum over."""
    torch.manual_seed(seed)
    head = IncrementHead(config)
    order = batches(tracks, seed)
    for update in steps(head, settings, settings.warmup + settings.updates):
        loss = combined(_terms(head, batch(next(order))), LossWeights())
        if loss is not None:
            update(loss)
    return head


def _terms(head: IncrementHead, one: Batch) -> LossTerms:
    logits_BTM: Tensor = head(one.inputs_BTMI, one.context_B11D, one.operator)
    expected_BT = (logits_BTM.sigmoid() * one.present_BTM).sum(2)
    totals_BP = pad(expected_BT.cumsum(1), (1, 0))
    labelled_BJ = one.endpoints_BJ >= 0
    expected_BJ = totals_BP.gather(1, one.endpoints_BJ.clamp(min=0))
    path = mean_loss(expected_BJ, one.counts_BJ.clamp(min=0), labelled_BJ)
    if not one.weights_BTME.any():
        return LossTerms(path=path)
    completes_E = torch.tensor(one.graph.increments, dtype=torch.bool)
    # A verified completion is a yes; every other verified edge, hold or not, is a no.
    yes_BTM = one.weights_BTME[..., completes_E].sum(-1)
    no_BTM = one.weights_BTME[..., ~completes_E].sum(-1)
    boundary = -(yes_BTM * logsigmoid(logits_BTM) + no_BTM * logsigmoid(-logits_BTM)).sum()
    return LossTerms(path=path, boundary=boundary)


@torch.no_grad()
def tell_increments(head: IncrementHead, track: Track) -> Told:
    logits_TM: Tensor = head(track.inputs_TMI, track.target_D, track.operator)
    commits = [
        look
        for look, (logits_M, present_M) in enumerate(zip(logits_TM, track.present_TM.tolist(), strict=True))
        for accepted in head.accept(logits_M, present_M)
        if accepted
    ]
    return told(track, commits)
