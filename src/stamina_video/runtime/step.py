"""The one step: an observation in, the next state and what was decided out.

Deployment calls it without gradients, training with them; nothing else advances a state.
"""

from dataclasses import replace

from torch import Tensor

from stamina_video.runtime.model import Model
from stamina_video.runtime.state import StreamState
from stamina_video.semantics import Change, Features, InvalidInput, Observation
from stamina_video.transitions import Outcome, decide


def step(
    model: Model, state: StreamState, observation: Observation
) -> tuple[StreamState, tuple[Outcome, ...]]:
    """Look once for all targets, then decide for each, in their order; the given state stays as it was."""
    if (observation.stream, observation.index) != (state.stream, state.observations):
        raise InvalidInput(
            f"expected observation {state.observations} of stream {state.stream!r} next, "
            f"got {observation.index} of {observation.stream!r}"
        )
    seen = model.backbone.observe(state.backbone, observation)
    targets, outcomes = [], []
    for target_state in state.targets:
        vector = model.target_vector(target_state.target)
        features = Features(observation.index, observation.time, seen.tokens_ND, seen.mean_D, vector)
        following, outcome = decide(model.heads, target_state, features)
        targets.append(following)
        outcomes.append(_placed(outcome, seen.boxes_N4))
    advanced = replace(
        state, backbone=seen.state, targets=tuple(targets), observations=state.observations + 1
    )
    return advanced, tuple(outcomes)


def _placed(outcome: Outcome, boxes_N4: Tensor | None) -> Outcome:
    """Evidence says where in the picture, not which visual vector, where those have a place."""
    if boxes_N4 is None:
        return outcome
    changes = tuple(_with_box(change, boxes_N4) for change in outcome.decision.changes)
    decision = replace(outcome.decision, changes=changes)
    return replace(outcome, decision=decision, boxes_J4=boxes_N4)


def _with_box(change: Change, boxes_N4: Tensor) -> Change:
    if "tokens" not in change.evidence:
        return change
    strongest = change.evidence["tokens"][0]
    evidence = {name: value for name, value in change.evidence.items() if name != "tokens"}
    return replace(change, evidence=evidence | {"box": [round(x, 4) for x in boxes_N4[strongest].tolist()]})
